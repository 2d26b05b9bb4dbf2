"""Lanes with their lines and marks, and what marks alone do not tell: on hover, by arrows, by crosses and words."""

from __future__ import annotations

import math

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import MainMove, Node, SnapshotGraph
from ...model.words import account
from ..page.canvas import Canvas, Path
from ..page.scene import Box, Ink, Mark, Target, Type
from ..page.text import cut, escape
from ..page.theme import SYMBOLS, Theme, blend
from . import capsules
from .view import Page, Row, View

FADED = 0.38  # of a snapshot that no ref keeps
UNREACHED = ("staged", "off main")  # lanes of snapshots that no branch reaches


def hover(graph: SnapshotGraph, node: Node) -> str:
    """What it is; the whole id; number and time; what the commit did; what else is known; what a click does."""
    s = node.snapshot
    number = f"sequence number {s.sequence_number:,} · " if s.sequence_number else ""
    lines = [
        f"<b>{escape(snapshot_graph_words.name(graph, node))}</b> {escape(s.operation or 'operation not recorded')} "
        f"· {escape(cut(snapshot_graph_words.place(graph, node)))}",
        f"snapshot id {s.snapshot_id}",
        f"{number}committed {formats.instant(s.committed_at)}",
        escape(cut(account(s))),
    ]
    more = snapshot_graph_words.besides(graph, node)
    if more:
        lines.append(escape(cut(more)))
    return "<br>".join([*lines, "click: select, shift-click: compare"])


def draw_band(page: Page) -> None:
    """The band behind main, across the whole page."""
    view, canvas = page.view, page.canvas
    for row in view.rows:
        if row.kind == "main":
            band = Box(0, row.y - 38, view.width, row.y + row.below - 2)
            canvas.path("page", Ink(fill=view.theme.band)).box(band)


def draw_edges(page: Page) -> None:
    """Parent to child, solid; to a parent that has expired, dotted. A straight chain is one stroke."""
    view, canvas = page.view, page.canvas
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


def draw_marks(page: Page) -> None:
    """Every snapshot in view, by itself or in a capsule."""
    view = page.view
    for row, items in zip(view.rows, page.folded, strict=True):
        for item in items:
            page.canvas.take(Box(item.left - 1, row.y - 9, item.right + 1, row.y + 9))
            if item.is_capsule:
                capsules.draw(page, row, item)
            else:
                node = item.nodes[0]
                around = view.theme.band if row.kind == "main" else view.theme.page
                page.snapshots.append(mark(node, view.x(node.column), row.y, view.mark_size, view.theme, around))
                text = hover(view.graph, node)
                page.targets.append(Target(view.x(node.column), row.y, str(node.snapshot.snapshot_id), text))


def mark(node: Node, x: float, y: float, size: float, theme: Theme, ground: str) -> Mark:
    """A snapshot: shape and hue by operation, hollow if staged, faded if no ref keeps it, edged by its ground."""
    hue = theme.operation(node.snapshot.operation)
    symbol = SYMBOLS.get(node.snapshot.operation, "hexagon")
    edge = 1.2 if size > 8 else 0.6
    size *= {"triangle-down": 1.0, "square": 0.86, "diamond": 0.92}.get(symbol, 1.0)
    if node.state == "staged":
        return Mark(x, y, symbol, size - 1, theme.page, hue.fill, 2)
    if node.state in ("rolled back", "unreferenced"):
        return Mark(x, y, symbol, size, blend(hue.fill, theme.page, FADED), hue.fill, 1)
    return Mark(x, y, symbol, size, hue.fill, ground, edge)


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


def draw_arrows(page: Page) -> None:
    """The arrows of copies and turns. Their words are set later, once every mark has its place."""
    view, canvas = page.view, page.canvas
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
    canvas.arrow("detail", view.theme.added.fill, points)


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
    canvas.arrow("detail", view.theme.removed.fill, arrival)


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
    canvas.arrow("detail", view.theme.removed.fill, points)


def draw_words(page: Page) -> None:
    """What each arrow says, as long as there is room for it."""
    view, canvas = page.view, page.canvas
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


def draw_attempts(page: Page) -> None:
    """A small cross for each attempt that failed before the commit, and which attempt it was."""
    view, canvas = page.view, page.canvas
    style = Type(11, view.theme.attention.text)
    for row, items in zip(view.rows, page.folded, strict=True):
        edge = view.left
        for item in items:
            node, before, edge = item.nodes[0], edge, item.right
            attempt = node.snapshot.attempt or 0
            if item.is_capsule or attempt < 2:
                continue
            x = view.x(node.column)
            if view.level != "full":
                page.attempts.append(Mark(x, row.y - 11 - (0 if not node.refs else 3), "x-thin", 5, *_cross(view)))
                continue
            shown = min(attempt - 1, _MOST_CROSSES, int((item.left - before - 6) // 9))
            for i in range(shown):
                page.attempts.append(Mark(item.left - 9 - 9 * i, row.y, "x-thin", 6, *_cross(view)))
            if shown < 1:  # no room on the line
                page.attempts.append(Mark(item.left - 2, row.y - 10, "x-thin", 5, *_cross(view)))
            middle = item.left - 9 - 4.5 * max(shown - 1, 0)
            places = [(middle, row.y - 40), (middle - 16, row.y - 40), (x, row.y - 40), (middle, row.y + 14)]
            canvas.try_text(places, f"{formats.ordinal(attempt)} attempt", style)


def _cross(view: View) -> tuple[str, str, float]:
    return view.theme.attention.text, view.theme.attention.text, 1.8
