"""Runs of commits that are drawn as one: a capsule with their number, and a bar of what they did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node, SnapshotGraph
from ..page.canvas import Canvas
from ..page.hits import columns_meaning
from ..page.plane import PlaneName
from ..page.scene import Box, Ink, Target, Type
from ..page.text import cut, escape
from ..page.theme import SYMBOLS, Theme, blend
from .view import FULL_UP_TO, NARROWEST_FULL_PITCH, Item, Page, Row, View

SHORTEST_RUN = 3
HEIGHT = 19.0  # pixels
NARROWEST = 8.0
_LEAST_MARK = 2.5  # pixels beside the middle of a mark that no capsule covers
_BAR = 3.2  # pixels; an ink that nothing else is drawn with, so that it lies above all capsules
_NUMBER = 10.5  # pixels of type
_FADED = 0.5
_GAP = 1.0
_TOUCHING = 0.01  # pixels; neighbours that touch do not cover each other


def items(view: View) -> list[list[Item]]:
    """For each row of the view its marks and capsules, left to right, none covering another."""
    if view.level == "full":
        return [[_mark(node, view) for node in row.nodes] for row in view.rows]
    turning_points = _turning_points(view)
    reach = min(7.0, view.pitch / 2)
    folded = []
    for row in view.rows:
        drawn: list[Item] = []
        for run in _runs(row.nodes, turning_points | view.worth_a_look):
            wide = (run[-1].column - run[0].column + 1) * view.pitch
            if len(run) >= SHORTEST_RUN and (wide >= NARROWEST + 2 * _LEAST_MARK or view.level == "folded"):
                drawn.append(_capsule(tuple(run), view, reach))
            else:
                drawn += [_mark(node, view) for node in run]
        folded.append(_apart(drawn, view, reach))
    return folded


def is_plain(node: Node) -> bool:
    """Whether nothing sets the commit apart from its neighbours but its operation."""
    return not (
        node.refs
        or (node.snapshot.attempt or 0) > 1
        or node.copied_from is not None
        or node.published_as is not None
        or node.snapshot.operation is None
        or node.parent_state == "expired"
    )


def hover(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> str:
    """What a capsule folds together."""
    first, last = nodes[0], nodes[-1]
    kinds = Counter(node.snapshot.operation or "of unrecorded operation" for node in nodes)
    refs = [name for node in nodes for name in node.refs]
    lines = [
        f"<b>{formats.count(len(nodes), 'commit')}</b> · {escape(cut(snapshot_graph_words.place(graph, last)))}",
        escape(f"{snapshot_graph_words.name(graph, first)} to {snapshot_graph_words.name(graph, last)}"),
        f"{formats.instant(first.snapshot.committed_at)} to {formats.instant(last.snapshot.committed_at)}",
        escape(", ".join(f"{n:,} {kind}" for kind, n in kinds.most_common())),
    ]
    if refs:
        shown = ", ".join(refs[:4]) + (f", {len(refs) - 4:,} more" if len(refs) > 4 else "")
        lines.append(escape(cut(f"refs: {shown}")))
    return "<br>".join([*lines, "click: open"])


def draw(page: Page, row: Row, item: Item) -> None:
    """Draw one, and what opens it."""
    view, theme = page.view, page.theme
    box = Box(item.left, row.y - HEIGHT / 2, item.right, row.y + HEIGHT / 2)
    faded = item.nodes[-1].state in ("rolled back", "unreferenced")
    has_number = outline(page.canvas, "detail", box, item.nodes, theme, faded=faded)
    if not has_number:
        style = Type(_NUMBER, theme.ink_2)
        page.canvas.try_text([(item.middle, box.bottom + 8)], number(item.nodes), style, room=1)
    shown = hover(view.graph, item.nodes)
    count = max(1, round((item.right - item.left) / 26))
    step = (item.right - item.left) / count
    for i in range(count):
        page.targets.append(Target(item.left + step * (i + 0.5), row.y, _opening(view, item, (i + 0.5) / count), shown))


def outline(
    canvas: Canvas, plane: PlaneName, box: Box, nodes: Sequence[Node], theme: Theme, *, faded: bool = False
) -> bool:
    """The capsule itself; whether its number had room inside."""
    style = Type(_NUMBER, theme.ink_2 if faded else theme.ink, bold=True)
    fits = style.width(number(nodes)) + 7 <= box.right - box.left
    canvas.path(plane, Ink(theme.edge, 1.2, theme.page)).box(box, 9)
    if fits:
        canvas.text(plane, (box.left + box.right) / 2, box.top + 7, number(nodes), style)
    inset = 6.0 if fits else 2.5
    y = box.bottom - 4.5 if fits else (box.top + box.bottom) / 2
    left, room = box.left + inset, box.right - box.left - 2 * inset
    operations = Counter(node.snapshot.operation for node in nodes)
    for operation in (*SYMBOLS, *(operations.keys() - SYMBOLS.keys())):
        wide = room * operations[operation] / len(nodes)
        if wide:
            fill = theme.operation(operation).fill
            ink = Ink(blend(fill, theme.page, _FADED) if faded else fill, _BAR)
            canvas.path(plane, ink).move(left, y).line(left + max(wide, 1.0), y)
            left += wide
    return fits


def draw_for_key(page: Page, box: Box, item: Item) -> None:
    """One as it looks, where the key explains it."""
    outline(page.canvas, "page", box, item.nodes, page.theme)


def number(nodes: Sequence[Node]) -> str:
    """`×19`: never a bare count, which would read as a sequence number."""
    return f"×{len(nodes):,}"


def _opening(view: View, item: Item, share: float) -> str:
    """The window that a click opens: the whole capsule, or so much of a long run that it is no capsule any more."""
    first, last = item.nodes[0].column, item.nodes[-1].column
    most = min(FULL_UP_TO, (view.right - view.left) / NARROWEST_FULL_PITCH) - 2
    if last - first > most:
        middle = first + (last - first) * share
        return columns_meaning(middle - most / 2, middle + most / 2)
    room = max((last - first) * 0.04, (16 - (last - first)) / 2, 1)
    return columns_meaning(first - room, last + room)


def _mark(node: Node, view: View) -> Item:
    x, half = view.x(node.column), min(view.mark_size / 2, max(view.pitch / 2, _LEAST_MARK))
    return Item((node,), x - half, x + half)


def _turning_points(view: View) -> set[int]:
    """Snapshots where main turned back, and those that a drawn line to another lane starts from."""
    moves = view.graph.moves
    points = {i for move in moves if move.kind not in ("commit", "advance") for i in (move.from_id, move.to_id)}
    for node in (*view.nodes, *view.after):
        parent = view.graph.parent(node)
        if parent is not None and parent.lane != node.lane:
            points.add(parent.snapshot.snapshot_id)
    return points


def _runs(nodes: list[Node], apart: set[int] | frozenset[int]) -> Iterable[list[Node]]:
    """Neighbours that may be folded; by itself whatever has a ref, a finding or a past, replaces or deletes."""
    run: list[Node] = []
    for node in nodes:
        folds = (
            is_plain(node)
            and node.snapshot.operation in ("append", "overwrite")
            and node.snapshot.snapshot_id not in apart
        )
        follows = bool(run) and node.snapshot.parent_id == run[-1].snapshot.snapshot_id
        if run and not (folds and follows):
            yield run
            run = []
        if folds:
            run.append(node)
        else:
            yield [node]
    if run:
        yield run


def _capsule(nodes: tuple[Node, ...], view: View, reach: float) -> Item:
    left, right = view.x(nodes[0].column) - reach, view.x(nodes[-1].column) + reach
    missing = max(0.0, NARROWEST - (right - left)) / 2
    return Item(nodes, left - missing, right + missing)


def _apart(drawn: list[Item], view: View, reach: float) -> list[Item]:
    """Where items would cover each other, a capsule gives way as far as it can be seen; else they become one.

    Only where commits are too many to be seen, marks become one too.
    """
    apart: list[Item] = []
    for item in drawn:
        while apart and item.left < apart[-1].right - _TOUCHING:
            before = apart.pop()
            if view.level != "folded" and not before.is_capsule and not item.is_capsule:
                apart.append(before)  # they are to be seen, if only in part
                break
            if before.is_capsule and item.left - _GAP - before.left >= NARROWEST:
                apart.append(Item(before.nodes, before.left, item.left - _GAP))
            elif item.is_capsule and item.right - before.right - _GAP >= NARROWEST:
                apart.append(before)
                item = Item(item.nodes, before.right + _GAP, item.right)
            else:
                item = _capsule(before.nodes + item.nodes, view, reach)
        apart.append(item)
    return apart
