"""Lanes of the snapshot graph: lines from parent to child, marks and capsules, numbers, ids, what a gap means."""

from __future__ import annotations

from ..model import formats, snapshot_story
from ..model.snapshot_graph import Node
from .canvas import Box, Canvas, Ink, Marks, Targets, Type
from .snapshot_folds import Item, is_plain
from .snapshot_hover import capsule_hover, hover
from .snapshot_view import Row, View
from .theme import SYMBOLS, blend

FADED = 0.38  # of a snapshot that no ref keeps
_QUIET = ("staged", "off main")
_WORDS = 11.0


def draw_names(view: View, canvas: Canvas) -> None:
    """The band behind main, and the name of each lane at the left."""
    theme = view.theme
    for row in view.rows:
        if row.kind == "main":
            canvas.path("page", Ink(fill=theme.band)).box(Box(0, row.y - 36, view.width, row.y + row.below - 2))
    room = view.left - 30
    for row in view.rows:
        style = Type(13, theme.ink if row.kind in ("main", "branch") else theme.ink_2, bold=row.kind not in _QUIET)
        canvas.text("page", 20, row.y - 7, _fit(row.name, style, room), style, "start")
        quiet = Type(_WORDS, theme.ink_2)
        canvas.text("page", 20, row.y + 8, _fit(row.explanation, quiet, room), quiet, "start")


def _fit(words: str, style: Type, room: float) -> str:
    from .text import shorten

    return shorten(words, style.size, room, bold=style.bold)


def draw_edges(view: View, canvas: Canvas) -> None:
    """Parent to child, solid; to a parent that has expired, dotted."""
    for node in (*view.nodes, *view.after):
        row = view.row_of.get(node.lane)
        if row is None or row.kind == "more":
            continue
        line = canvas.path("detail", Ink(view.theme.edge, 1.5 if row.kind in _QUIET else 2))
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
            line.move(start, row.y).line(x, row.y)
        else:
            turn = min(x, start + max(view.pitch, 26.0))
            half = (turn - start) / 2
            line.move(start, parent_row.y).curve(start + half, parent_row.y, turn - half, row.y, turn, row.y)
            line.line(x, row.y)
            canvas.keep_off_curve(start, parent_row.y, start + half, parent_row.y, turn - half, row.y, turn, row.y)


def _draw_stub(view: View, node: Node, row: Row, canvas: Canvas) -> None:
    theme, x, y = view.theme, view.x(node.column), row.y
    before = [view.x(other.column) for other in row.nodes if other.column < node.column]
    gap = next((g for g in view.graph.gaps if g.column == node.column - 1), None)
    longest = x - view.x(gap.column) if gap else 66.0
    room = x - (before[-1] + 16 if before else view.left + 6)
    reach = max(min(longest, room, 100.0) if view.level == "full" else min(14.0, room), 0)
    if reach < 8:
        return
    canvas.path("detail", Ink(theme.ink_3, 1.6, dash="3px,3px")).move(x - reach, y).line(x, y)
    cross = canvas.path("detail", Ink(theme.ink_3, 1.4))
    cross.move(x - reach - 3.5, y - 3.5).line(x - reach + 3.5, y + 3.5)
    cross.move(x - reach - 3.5, y + 3.5).line(x - reach + 3.5, y - 3.5)
    canvas.take(Box(x - reach - 5, y - 5, x, y + 5))
    if view.level == "full":
        style = Type(_WORDS, theme.ink_3)
        middle = x - max(reach, 40) / 2 - 8
        for words, down in ((f"parent …{str(node.snapshot.parent_id)[-4:]}", -16.0), ("expired", 13.0)):
            canvas.try_text([(middle, y + down), (middle - 14, y + down)], words, style)


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
    size = view.mark_size * {"triangle-down": 1.0, "square": 0.86, "diamond": 1.12}.get(symbol, 1.0)
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
        canvas.path("detail", Ink(stroke, 1.6, blend(hue.fill, theme.page, 0.1 if faded else 0.18))).box(box, 9)
    else:
        canvas.path("detail", Ink(theme.edge, 1.4, theme.panel)).box(box, 9)
        _draw_shares(view, item, row.y + 6.5, canvas)
    style = Type(_WORDS, hue.text if operation else theme.ink, bold=True)
    for words in (item.words, f"{len(item.nodes):,}"):
        if style.width(words) <= item.right - item.left - 8:
            canvas.text("detail", item.middle, row.y - (0 if operation else 1.5), words, style)
            break
    told = capsule_hover(view.graph, item.nodes)
    meaning = f"columns {item.nodes[0].column} {item.nodes[-1].column}"
    count = max(1, round((item.right - item.left) / 26))
    step = (item.right - item.left) / count
    for i in range(count):
        targets.add(item.left + step * (i + 0.5), row.y, meaning, told)


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


def draw_labels(view: View, folded: list[list[Item]], canvas: Canvas) -> None:
    """Numbers above, ids below, words on the lines between; whatever has no room is left to the axis and the hover."""
    for row, items in zip(view.rows, folded, strict=True):
        singles = [item.nodes[0] for item in items if not item.is_capsule]
        if view.level == "full":
            _draw_full_labels(view, row, singles, canvas)
        elif row.kind in _QUIET:
            _draw_ranges(view, row, items, canvas)
        else:
            style = Type(12, view.theme.ink, bold=True)
            for node in sorted(singles, key=lambda n: (not n.refs, -n.column)):
                if not is_plain(node):
                    words = snapshot_story.label(view.graph, node)
                    canvas.try_text([(view.x(node.column), row.y - 17)], words, style, room=4)


def _draw_full_labels(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    theme, graph = view.theme, view.graph
    strong = Type(13, theme.ink_2 if row.kind in _QUIET else theme.ink, bold=True)
    quiet = Type(10.5, theme.ink_3, mono=True)
    numbered = graph.numbered
    widest = max((strong.width(snapshot_story.label(graph, n)) for n in nodes), default=0) + 6
    stride = max(1, -int(-widest // max(view.pitch, 1)))
    by_worth = sorted(nodes, key=lambda n: (is_plain(n), n.column % stride != 0, -n.column))
    for node in by_worth:
        x = view.x(node.column)
        places = [(x, row.y - 18), (x + 13, row.y - 18), (x - 13, row.y - 18)]
        canvas.try_text(places, snapshot_story.label(graph, node), strong)
    for node in by_worth:
        x = view.x(node.column)
        if numbered and node.snapshot.sequence_number:
            places = [(x, row.y + 27), (x + 12, row.y + 27), (x - 12, row.y + 27)]
            canvas.try_text(places, snapshot_story.short_id(graph, node), quiet)
        if node.state == "staged":
            wap = f"wap.id {node.snapshot.summary.get('wap.id', '')}"
            style = Type(_WORDS, theme.ink_2)
            canvas.try_text([(x, row.y - 35)], _fit(wap, style, 150), style)
    style = Type(10.5, theme.ink_2)
    for node in nodes:
        parent = graph.parent(node)
        if parent is None or parent.lane != node.lane:
            continue
        words = snapshot_story.spent_elsewhere(graph, node)
        start = max(view.x(parent.column), view.left)
        room = view.x(node.column) - start - view.mark_size - 6
        middle = (view.x(node.column) + start) / 2
        numbers = formats.count(node.column - parent.column - 1, "commit")
        for shorter in (words, f"{numbers} elsewhere"):
            slack = max((room - style.width(shorter)) / 2, 0)
            places = [(middle, row.y + 13), (middle + slack, row.y + 13), (middle - slack, row.y + 13)]
            if words and style.width(shorter) <= room and canvas.try_text(places, shorter, style):
                break


def _draw_ranges(view: View, row: Row, items: list[Item], canvas: Canvas) -> None:
    """One label for each stretch of neighbours beside main: `8,479–8,482`."""
    style = Type(11.5, view.theme.ink_2, bold=True)
    stretch: list[Item] = []
    for item, following in zip(items, [*items[1:], None], strict=True):
        stretch.append(item)
        if following is not None and following.left - item.right < 24:
            continue
        first, last = stretch[0].nodes[0], stretch[-1].nodes[-1]
        words = snapshot_story.label(view.graph, first)
        if first is not last:
            words += f"–{snapshot_story.label(view.graph, last)}"
        middle = (stretch[0].left + stretch[-1].right) / 2
        canvas.try_text([(middle, row.y + 19), (middle, row.y - 19)], words, style)
        stretch = []
