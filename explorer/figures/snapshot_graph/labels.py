"""Words on the lanes: names, numbers, ids, what an expired parent and a gap in the numbers mean.

Whatever finds no room is left to the axis, the hover and the table.
"""

from __future__ import annotations

import math

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node
from ..page import text
from ..page.canvas import Box, Canvas, Type
from .folds import Item, is_plain
from .lanes import QUIET, stub_length
from .view import Row, View

NUMBER = 23.0  # pixels from the middle of a mark up to that of its number, clear of the ring of a selection
_ID = 28.0
_NOTE = 13.0
_SMALL = 11.0


def draw_names(view: View, canvas: Canvas) -> None:
    """The name of each lane at the left, and what keeps its snapshots there."""
    theme, room = view.theme, view.left - 24
    for row in view.rows:
        quiet = row.kind in QUIET
        style = Type(13, theme.ink_2 if quiet else theme.ink, bold=not quiet)
        canvas.text("page", 20, row.y - 7, text.shorten(row.name, 13, room, bold=style.bold), style, "start")
        below = Type(_SMALL, theme.ink_2)
        canvas.text("page", 20, row.y + 9, text.shorten(row.explanation, _SMALL, room), below, "start")


def draw(view: View, folded: list[list[Item]], canvas: Canvas) -> set[int]:
    """The words at the marks of every row; the columns of the snapshots that have a number above them."""
    numbered: set[int] = set()
    for row, items in zip(view.rows, folded, strict=True):
        singles = [item.nodes[0] for item in items if not item.is_capsule]
        if view.level == "full":
            numbered |= _draw_numbers(view, row, singles, canvas)
            _draw_ids(view, row, singles, canvas)
            _draw_staged(view, row, singles, canvas)
            _draw_notes(view, row, singles, canvas)
            _draw_expired(view, row, singles, canvas)
        elif row.kind in QUIET:
            _draw_ranges(view, row, items, canvas)
        else:
            numbered |= _draw_turning_points(view, row, singles, canvas)
    return numbered


def _every(view: View, nodes: list[Node], widest: float) -> list[Node]:
    """As many as there is room for: those that stand alone on their row, the others evenly."""
    stride = max(1, math.ceil((widest + 5) / view.pitch))  # one label for every so many columns
    last = view.nodes[-1].column
    chosen = []
    for i, node in enumerate(nodes):
        near = [abs(node.column - other.column) for other in (*nodes[max(i - 1, 0) : i], *nodes[i + 1 : i + 2])]
        if (last - node.column) % stride == 0 or min(near, default=stride) >= stride:
            chosen.append(node)
    return chosen


def _beside(view: View, row: Row, node: Node, y: float, shifts: tuple[int, ...]) -> list[tuple[float, float]]:
    """Places at a mark and beside it, never as near to a neighbour on the row as to the mark itself."""
    x, at = view.x(node.column), row.nodes.index(node)
    before = x - view.x(row.nodes[at - 1].column) if at else view.width
    after = view.x(row.nodes[at + 1].column) - x if at + 1 < len(row.nodes) else view.width
    return [(x + s, y) for s in (0, *shifts) if -before / 2 + 3 < s < after / 2 - 3 or s == 0]


def _draw_numbers(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> set[int]:
    style = Type(13, view.theme.ink_2 if row.kind in QUIET else view.theme.ink, bold=True)
    words = {node.column: snapshot_graph_words.label(view.graph, node) for node in nodes}
    widest = max((style.width(label) for label in words.values()), default=0)
    numbered = set()
    even = _every(view, nodes, widest)
    for node in [*(n for n in nodes if not is_plain(n)), *(n for n in even if is_plain(n))]:
        places = _beside(view, row, node, row.y - NUMBER, (14, -14))
        if canvas.try_text(places, words[node.column], style, room=2):
            numbered.add(node.column)
    return numbered


def _draw_ids(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    style = Type(10.5, view.theme.ink_3, mono=True)
    numbered = [n for n in nodes if n.snapshot.sequence_number]  # the others have their id for a number
    for node in _every(view, numbered, style.width("…0000")):
        places = _beside(view, row, node, row.y + _ID, (12, -12, 30, -30))
        canvas.try_text(places, snapshot_graph_words.short_id(view.graph, node), style, room=2)


def _draw_staged(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    style = Type(_SMALL, view.theme.ink_2)
    for node in nodes:
        if node.state == "staged":
            words = text.shorten(f"wap.id {node.snapshot.summary.get('wap.id', '')}", _SMALL, 150)
            canvas.try_text([(view.x(node.column), row.y - NUMBER - 17)], words, style)


def _draw_notes(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    """On a line, who used the numbers that are missing between its ends."""
    style = Type(10.5, view.theme.ink_2)
    for node in nodes:
        parent = view.graph.parent(node)
        if parent is None or parent.lane != node.lane:
            continue
        words = snapshot_graph_words.spent_elsewhere(view.graph, node)
        if not words:
            continue
        start, end = max(view.x(parent.column), view.left), view.x(node.column)
        room = end - start - view.mark_size - 6
        missing = node.snapshot.sequence_number - parent.snapshot.sequence_number - 1
        for shorter in (words, f"{formats.count(missing, 'number')} elsewhere"):
            spare = max((room - style.width(shorter)) / 2, 0)
            at = [(start + end) / 2 + shift for shift in (0, spare, -spare)]
            places = [(x, row.y + _NOTE) for x in at] + [(x, row.y - 11) for x in at]
            if style.width(shorter) <= room and canvas.try_text(places, shorter, style):
                break


def _draw_expired(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> None:
    style = Type(_SMALL, view.theme.ink_3)
    for node in nodes:
        if node.parent_state != "expired":
            continue
        reach = stub_length(view, node, row)
        if reach < 8:
            continue
        right = view.x(node.column) - 13
        for words, y in ((f"parent …{str(node.snapshot.parent_id)[-4:]}", row.y - 16), ("expired", row.y + 14)):
            half = style.width(words) / 2
            middle = view.x(node.column) - reach / 2 - 6
            canvas.try_text([(min(middle, right - half), y), (right - half - 12, y)], words, style)


def _draw_turning_points(view: View, row: Row, nodes: list[Node], canvas: Canvas) -> set[int]:
    """Numbers of the commits that are not like their neighbours; those with refs first, their leader passes there."""
    style = Type(12, view.theme.ink, bold=True)
    numbered = set()
    for node in sorted(nodes, key=lambda n: (not n.refs, -n.column)):
        if is_plain(node):
            continue
        x, y = view.x(node.column), row.y - 17 - (8 if (node.snapshot.attempt or 0) > 1 else 0)
        if canvas.try_text([(x, y)], snapshot_graph_words.label(view.graph, node), style, room=4):
            numbered.add(node.column)
        elif node.refs:
            canvas.take(Box(x - 2, row.y - 26, x + 2, row.y - 17))
    return numbered


def _draw_ranges(view: View, row: Row, items: list[Item], canvas: Canvas) -> None:
    """One label for each stretch of neighbours beside main: `8,479–8,482`."""
    style = Type(11.5, view.theme.ink_2, bold=True)
    stretch: list[Item] = []
    for item, following in zip(items, [*items[1:], None], strict=True):
        stretch.append(item)
        if following is not None and following.left - item.right < 24:
            continue
        first, last = stretch[0].nodes[0], stretch[-1].nodes[-1]
        words = snapshot_graph_words.label(view.graph, first)
        if first is not last:
            words += f"–{snapshot_graph_words.label(view.graph, last)}"
        middle = (stretch[0].left + stretch[-1].right) / 2
        canvas.try_text([(middle, row.y + 19), (middle, row.y - 19)], words, style)
        stretch = []
