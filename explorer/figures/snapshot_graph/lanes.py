"""Lanes with their lines and marks, and what they do not tell: copies, main turning back, attempts that failed."""

from __future__ import annotations

import math

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import MainMove, Node
from ..page.canvas import Box, Canvas, Ink, Path, Type
from ..page.hits import columns_meaning
from ..page.marks import Marks, Targets
from ..page.theme import SYMBOLS, Hue, blend
from .hits import capsule_hover, hover
from .view import FULL_UP_TO, NARROWEST_FULL_PITCH, Item, Row, View

FADED = 0.38  # of a snapshot that no ref keeps
TINT = 0.13  # of a capsule: its words still reach 4.5:1
UNREACHED = ("staged", "off main")  # lanes of snapshots that no branch reaches
_WORDS = 11.0  # pixels


def draw_band(view: View, canvas: Canvas) -> None:
    """The band behind main, across the whole page."""
    for row in view.rows:
        if row.kind == "main":
            band = Box(0, row.y - 38, view.width, row.y + row.below - 2)
            canvas.path("page", Ink(fill=view.theme.band)).box(band)


def draw_edges(view: View, canvas: Canvas) -> None:
    """Parent to child, solid; to a parent that has expired, dotted. A straight chain is one stroke."""
    chains: dict[int, tuple[Node, float, float]] = {}  # by lane: the youngest node, and where its stroke runs
    for node in (*view.nodes, *view.after):
        row = view.row_of.get(node.lane)
        if row is None or row.kind == "more":
            continue
        line = _edge(view, row, canvas)
        x = min(view.x(node.column), view.right + view.width)
        parent = view.graph.parent(node)
        if parent is None:
            if node.parent_state == "expired" and view.shows(node):
                _draw_stub(view, node, row, canvas)
            continue
        start = max(view.x(parent.column), view.left - view.width)
        parent_row = view.row_of.get(parent.lane)
        if parent_row is None:
            line.move(view.left, row.y).line(x, row.y)
        elif parent_row is row:
            youngest, begin, end = chains.get(node.lane, (None, start, start))
            if youngest is not parent:
                line.move(begin, row.y).line(end, row.y)
                begin = start
            chains[node.lane] = node, begin, x
        else:
            if view.level == "folded":  # many of them at once: quieter than the lanes
                line = canvas.path("detail", Ink(blend(view.theme.edge, view.theme.page, 0.5), 1))
            turn = min(x, start + max(view.pitch, 26.0))
            half = (turn - start) / 2
            line.move(start, parent_row.y).curve(start + half, parent_row.y, turn - half, row.y, turn, row.y)
            line.line(x, row.y)
            canvas.keep_off_curve(start, parent_row.y, start + half, parent_row.y, turn - half, row.y, turn, row.y)
    for lane, (_, begin, end) in chains.items():
        row = view.row_of[lane]
        _edge(view, row, canvas).move(begin, row.y).line(end, row.y)


def _edge(view: View, row: Row, canvas: Canvas) -> Path:
    return canvas.path("detail", Ink(view.theme.edge, 1.5 if row.kind in UNREACHED else 2))


def stub_length(view: View, node: Node, row: Row) -> float:
    """Pixels of the line that leads to an expired parent: as far as the gap before it, or as there is room."""
    x = view.x(node.column)
    before = [view.x(other.column) for other in row.nodes if other.column < node.column]
    gap = next((g for g in view.graph.gaps if g.column == node.column - 1), None)
    longest = x - view.x(gap.column) if gap else 66.0
    room = x - (before[-1] + 16 if before else view.left + 6)
    return max(min(longest, room, 100.0) if view.level == "full" else min(14.0, room), 0)


def _draw_stub(view: View, node: Node, row: Row, canvas: Canvas) -> None:
    theme, x, y = view.theme, view.x(node.column), row.y
    reach = stub_length(view, node, row)
    if reach < 8:
        return
    canvas.path("detail", Ink(theme.ink_3, 1.6, dash="3px,3px")).move(x - reach, y).line(x, y)
    cross = canvas.path("detail", Ink(theme.ink_3, 1.4))
    cross.move(x - reach - 3.5, y - 3.5).line(x - reach + 3.5, y + 3.5)
    cross.move(x - reach - 3.5, y + 3.5).line(x - reach + 3.5, y - 3.5)
    canvas.take(Box(x - reach - 5, y - 5, x, y + 5))


def draw_marks(view: View, folded: list[list[Item]], canvas: Canvas, marks: Marks, targets: Targets) -> None:
    """Every snapshot in view, by itself or in a capsule."""
    for row, items in zip(view.rows, folded, strict=True):
        for item in items:
            canvas.take(Box(item.left - 1, row.y - 9, item.right + 1, row.y + 9))
            if item.is_capsule:
                _draw_capsule(view, row, item, canvas, targets)
            else:
                _draw_mark(view, row, item.nodes[0], marks)
                node = item.nodes[0]
                text = hover(view.graph, node)
                targets.add(view.x(node.column), row.y, str(node.snapshot.snapshot_id), text)


def _draw_mark(view: View, row: Row, node: Node, marks: Marks) -> None:
    theme = view.theme
    hue = theme.operation(node.snapshot.operation)
    symbol = SYMBOLS.get(node.snapshot.operation, "hexagon")
    size = view.mark_size * {"triangle-down": 1.0, "square": 0.86, "diamond": 0.92}.get(symbol, 1.0)
    x = view.x(node.column)
    if node.state == "staged":
        marks.add(x, row.y, symbol, size - 1, theme.page, hue.fill, 2)
    elif node.state in ("rolled back", "unreferenced"):
        marks.add(x, row.y, symbol, size, blend(hue.fill, theme.page, FADED), hue.fill, 1)
    else:
        around = theme.band if row.kind == "main" else theme.page
        marks.add(x, row.y, symbol, size, hue.fill, around, 1.2 if view.mark_size > 8 else 0.6)


def _draw_capsule(view: View, row: Row, item: Item, canvas: Canvas, targets: Targets) -> None:
    theme = view.theme
    box = Box(item.left, row.y - 10, item.right, row.y + 10)
    operation = item.operation
    hue = theme.operation(operation)
    faded = item.nodes[-1].state in ("rolled back", "unreferenced")
    if operation:
        stroke = blend(hue.fill, theme.page, 0.6) if faded else hue.fill
        fill = (
            theme.page
            if item.nodes[-1].state == "staged"
            else blend(hue.fill, theme.page, TINT * 0.6 if faded else TINT)
        )
        canvas.path("detail", Ink(stroke, 1.6, fill)).box(box, 9)
    else:
        canvas.path("detail", Ink(theme.edge, 1.4, theme.panel)).box(box, 9)
        _draw_shares(view, item, row.y + 6.5, canvas)
    style = Type(_WORDS, hue.text if operation else theme.ink, bold=True)
    for words in (item.words, f"{len(item.nodes):,}"):
        if style.width(words) <= item.right - item.left - 5:
            canvas.text("detail", item.middle, row.y - (0 if operation else 1.5), words, style)
            break
    shown = capsule_hover(view.graph, item.nodes)
    count = max(1, round((item.right - item.left) / 26))
    step = (item.right - item.left) / count
    for i in range(count):
        targets.add(item.left + step * (i + 0.5), row.y, _opening(view, item, (i + 0.5) / count), shown)


def _opening(view: View, item: Item, share: float) -> str:
    """The window that a click opens: the whole capsule, or so much of a long run that it is no capsule any more."""
    first, last = item.nodes[0].column, item.nodes[-1].column
    most = min(FULL_UP_TO, (view.right - view.left) / NARROWEST_FULL_PITCH) - 2
    if item.operation and last - first > most:
        middle = first + (last - first) * share
        return columns_meaning(middle - most / 2, middle + most / 2)
    room = max((last - first) * 0.04, (16 - (last - first)) / 2, 1)
    return columns_meaning(first - room, last + room)


def _draw_shares(view: View, item: Item, y: float, canvas: Canvas) -> None:
    """A thin bar inside a capsule of several operations, divided by their share."""
    left, room = item.left + 7, item.right - item.left - 14
    for operation in ("append", "overwrite", "delete", "replace", None):
        share = sum(node.snapshot.operation == operation for node in item.nodes) / len(item.nodes)
        if share:
            wide = max(room * share, 1.0)
            fill = view.theme.operation(operation).fill
            canvas.path("detail", Ink(fill=fill)).box(Box(left, y - 1.5, left + wide, y + 1.5))
            left += room * share


_SIZE = 11.5
_MOST_CROSSES = 3
MOST_ARROWS = 20  # of one kind, in a view whose commits are folded


def turns(view: View) -> list[tuple[MainMove, Node, Node]]:
    """Moves by which main left commits behind, both ends in view; a move that was itself undone leaves no mark.

    None if they are too many to be told apart.
    """
    drawn = []
    for move in view.graph.moves:
        if move.kind not in ("rollback", "replace", "set current"):
            continue
        start, end = view.graph.by_id.get(move.from_id), view.graph.by_id.get(move.to_id)
        if start is None or end is None or start.left_main != move:
            continue
        if view.shows(start) and view.shows(end):
            drawn.append((move, start, end))
    return drawn if view.level != "folded" or len(drawn) <= MOST_ARROWS else []


def copies(view: View) -> list[tuple[Node, Node]]:
    """Pairs in view of a snapshot and the one that re-applied it; none if they are too many to be told apart."""
    by_id = view.graph.by_id
    pairs = [(by_id[n.copied_from], n) for n in view.nodes if n.copied_from is not None and n.copied_from in by_id]
    shown = [(source, copy) for source, copy in pairs if view.shows(source) and view.shows(copy)]
    return shown if view.level != "folded" or len(shown) <= MOST_ARROWS else []


def draw_arrows(view: View, canvas: Canvas) -> None:
    """The arrows of copies and turns. Their words are set later, once every mark has its place."""
    for source, copy in copies(view):
        _draw_copy(view, source, copy, canvas)
    for move, start, end in turns(view):
        if move.kind == "rollback":
            _draw_rollback(view, start, end, canvas)
        else:
            _draw_jump(view, start, end, canvas)


def _draw_copy(view: View, source: Node, copy: Node, canvas: Canvas) -> None:
    x0, y0 = view.x(source.column), view.row_of[source.lane].y
    x1, y1 = view.x(copy.column), view.row_of[copy.lane].y
    r = view.mark_size / 2
    if y0 == y1:
        top = y0 - 46
        points = (x0 + 3, y0 - r - 3, x0 + 14, top, x1 - 14, top, x1 - 3, y1 - r - 4)
    else:
        down = math.copysign(1, y1 - y0)
        tip = y1 - down * (r + 4)
        points = (x0 + r + 3, y0, x0 + 0.8 * (x1 - x0), y0, x1 - 2, y0 + 0.2 * (y1 - y0), x1 - 2, tip)
    _arrow(view.theme.added, points, canvas)


def _draw_rollback(view: View, start: Node, end: Node, canvas: Canvas) -> None:
    x0, y0 = view.x(start.column), view.row_of[start.lane].y
    x1, y1 = view.x(end.column), view.row_of[end.lane].y
    r = view.mark_size / 2
    if y0 == y1:
        _draw_jump(view, start, end, canvas)
        return
    down = math.copysign(1, y0 - y1)
    level = y1 + down * (43 if view.level == "full" else 27)
    loop = min(46.0, max(view.right - x0 - 4, 12.0))
    stroke = canvas.path("detail", Ink(view.theme.removed.fill, 1.5))
    first = (x0 + r + 3, y0, x0 + loop, y0, x0 + loop, level + 3 * down, x0 + 2, level)
    stroke.move(*first[:2]).curve(*first[2:])
    canvas.keep_off_curve(*first)
    reach = min(60.0, (x0 - x1) / 2)
    arrival = (
        x0 + 2,
        level,
        x0 - reach,
        level - 2 * down,
        x1 + min(reach, 30.0),
        level - 4 * down,
        x1 + r + 3,
        y1 + down * r,
    )
    _arrow(view.theme.removed, arrival, canvas)


def _draw_jump(view: View, start: Node, end: Node, canvas: Canvas) -> None:
    """Main went to a snapshot that is no ancestor: an arrow from where it was."""
    x0, y0 = view.x(start.column), view.row_of[start.lane].y
    x1, y1 = view.x(end.column), view.row_of[end.lane].y
    r = view.mark_size / 2
    up = math.copysign(1, y1 - y0)
    if y0 == y1:
        side = math.copysign(10, x1 - x0)
        points = (x0, y0 + r + 3, x0 + side, y0 + 42, x1 - side, y0 + 42, x1, y1 + r + 4)
    elif x1 < x0:  # not along the row: its earlier snapshots are there
        middle = (y0 + y1) / 2
        points = (x0, y0 + up * (r + 3), x0, middle, x1, middle, x1, y1 - up * (r + 4))
    else:
        points = (x0 + r + 3, y0, x0 + 0.8 * (x1 - x0), y0, x1, y0 + 0.2 * (y1 - y0), x1, y1 - up * (r + 4))
    _arrow(view.theme.removed, points, canvas)


def _arrow(hue: Hue, points: tuple[float, ...], canvas: Canvas) -> None:
    """A cubic stroke with a head at its end, pointing the way it arrives."""
    x, y = points[6:8]
    angle = math.atan2(y - points[5], x - points[4])
    back = (x - 8 * math.cos(angle), y - 8 * math.sin(angle))
    canvas.path("detail", Ink(hue.fill, 1.5)).move(*points[:2]).curve(*points[2:6], *back)
    across = (-4.2 * math.sin(angle), 4.2 * math.cos(angle))
    head = canvas.path("detail", Ink(fill=hue.fill)).move(x, y)
    head.line(back[0] + across[0], back[1] + across[1]).line(back[0] - across[0], back[1] - across[1]).close()
    canvas.take(Box(min(x, back[0]) - 3, min(y, back[1]) - 3, max(x, back[0]) + 3, max(y, back[1]) + 3))
    canvas.keep_off_curve(*points)


def draw_words(view: View, canvas: Canvas) -> None:
    """What each arrow says, as long as there is room for it."""
    for source, copy in copies(view):
        y0, y1 = view.row_of[source.lane].y, view.row_of[copy.lane].y
        start, end = view.x(source.column) + 16, view.x(copy.column)
        words = f"published as {snapshot_graph_words.label(view.graph, copy)}"
        if source.state != "staged":
            words = f"cherry-picked as {snapshot_graph_words.label(view.graph, copy)}"
        away = -15.0 if y0 <= y1 else 15.0
        places = [((start + end) / 2 + 40, y0 + away), (end + 40, y0 + away), ((start + end) / 2, y0 + away)]
        style = Type(_SIZE, view.theme.added.text)
        for text in (f"{words} (cherry-pick: same files, new number)", words):
            if canvas.try_text(places, text, style):
                break
    for move, start_node, end_node in turns(view):
        x, y = view.x(start_node.column), view.row_of[start_node.lane].y
        middle = (y + view.row_of[end_node.lane].y) / 2
        words = snapshot_graph_words.turned(view.graph, move)
        style = Type(_SIZE, view.theme.removed.text)
        same_day = start_node.snapshot.committed_at and start_node.snapshot.committed_at.date() == move.at.date()
        at = formats.clock(move.at) if same_day else formats.moment(move.at)
        for text in (f"{at} {words}", words):
            right = style.width(text) / 2 + 44
            places = [(x + right, middle + 8), (x + right, y), (x, y + 42), (x - right, middle + 12)]
            if canvas.try_text(places, text, style):
                break


def draw_attempts(view: View, folded: list[list[Item]], canvas: Canvas, crosses: Marks) -> None:
    """A small cross for each attempt that failed before the commit, and which attempt it was."""
    style = Type(11, view.theme.attention.text)
    for row, items in zip(view.rows, folded, strict=True):
        edge = view.left
        for item in items:
            node, before, edge = item.nodes[0], edge, item.right
            attempt = node.snapshot.attempt or 0
            if item.is_capsule or attempt < 2:
                continue
            x = view.x(node.column)
            if view.level != "full":
                crosses.add(x, row.y - 11 - (0 if not node.refs else 3), "x-thin", 5, *_cross(view))
                continue
            shown = min(attempt - 1, _MOST_CROSSES, int((item.left - before - 6) // 9))
            for i in range(shown):
                crosses.add(item.left - 9 - 9 * i, row.y, "x-thin", 6, *_cross(view))
            if shown < 1:  # no room on the line
                crosses.add(item.left - 2, row.y - 10, "x-thin", 5, *_cross(view))
            middle = item.left - 9 - 4.5 * max(shown - 1, 0)
            places = [(middle, row.y - 40), (middle - 16, row.y - 40), (x, row.y - 40), (middle, row.y + 14)]
            canvas.try_text(places, f"{_ordinal(attempt)} attempt", style)


def _cross(view: View) -> tuple[str, str, float]:
    return view.theme.attention.text, view.theme.attention.text, 1.8


def _ordinal(n: int) -> str:
    suffix = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"
