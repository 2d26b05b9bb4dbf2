"""Lanes of the snapshot graph: lines from parent to child, marks and capsules."""

from __future__ import annotations

from ...model.snapshot_graph.facts import Node
from ..page.canvas import Box, Canvas, Ink, Path, Type
from ..page.hits import columns_meaning
from ..page.marks import Marks, Targets
from ..page.theme import SYMBOLS, blend
from .folds import Item
from .hover import capsule_hover, hover
from .view import FULL_UP_TO, NARROWEST_FULL_PITCH, Row, View

FADED = 0.38  # of a snapshot that no ref keeps
TINT = 0.13  # of a capsule: its words still reach 4.5:1
QUIET = ("staged", "off main")  # lanes of snapshots that no branch reaches
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
    return canvas.path("detail", Ink(view.theme.edge, 1.5 if row.kind in QUIET else 2))


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
                told = hover(view.graph, node)
                targets.add(view.x(node.column), row.y, str(node.snapshot.snapshot_id), told)


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
    told = capsule_hover(view.graph, item.nodes)
    count = max(1, round((item.right - item.left) / 26))
    step = (item.right - item.left) / count
    for i in range(count):
        targets.add(item.left + step * (i + 0.5), row.y, _opening(view, item, (i + 0.5) / count), told)


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
