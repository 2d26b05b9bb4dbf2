"""Runs of commits that are drawn as one capsule where single marks would no longer be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...model import formats
from ...model.snapshot_graph.facts import Node
from ..page.text import width
from .view import View

SHORTEST_RUN = 3
NUMBER_SIZE = 11.0  # pixels, of the number in a capsule
_SMALLEST_MIXED_CAPSULE = 34.0
_GAP = 1.0
_TOUCHING = 0.01  # pixels; neighbours that touch do not cover each other


@dataclass(frozen=True, slots=True)
class Item:
    """One mark or one capsule on a row, from page pixel `left` to `right`."""

    nodes: tuple[Node, ...]
    left: float
    right: float

    @property
    def is_capsule(self) -> bool:
        """Whether several snapshots share it."""
        return len(self.nodes) > 1

    @property
    def middle(self) -> float:
        """The page pixel of its middle."""
        return (self.left + self.right) / 2

    @property
    def operation(self) -> str | None:
        """What all of them did; None if they differ or none is recorded."""
        operations = {node.snapshot.operation for node in self.nodes}
        return operations.pop() if len(operations) == 1 else None

    @property
    def words(self) -> str:
        """`16 appends`; `16 commits` if they differ."""
        return formats.count(len(self.nodes), self.operation or "commit")


def items(view: View) -> list[list[Item]]:
    """For each row of the view its marks and capsules, left to right, none covering another."""
    if view.level == "full":
        return [[_mark(node, view) for node in row.nodes] for row in view.rows]
    turning_points = _turning_points(view)
    reach = min(7.0, view.pitch / 2)
    folded = []
    for row in view.rows:
        drawn: list[Item] = []
        for run in _runs(row.nodes, turning_points):
            if len(run) >= SHORTEST_RUN:
                drawn.append(_capsule(tuple(run), view, reach))
            else:
                drawn += [_mark(node, view) for node in run]
        folded.append(_apart(drawn, view, reach))
    return folded


def _mark(node: Node, view: View) -> Item:
    x, half = view.x(node.column), min(view.mark_size / 2, max(view.pitch / 2, 2.5))
    return Item((node,), x - half, x + half)


def is_plain(node: Node) -> bool:
    """Whether nothing sets the commit apart from its neighbours but its operation."""
    return not (
        node.refs
        or (node.snapshot.attempt or 0) > 1
        or node.copied_from is not None
        or node.published_as is not None
        or node.snapshot.operation in ("replace", None)
        or node.parent_state == "expired"
    )


def _turning_points(view: View) -> set[int]:
    """Snapshots where main turned back, and those that a drawn line to another lane starts from."""
    moves = view.graph.moves
    points = {i for move in moves if move.kind not in ("commit", "advance") for i in (move.from_id, move.to_id)}
    for node in (*view.nodes, *view.after):
        parent = view.graph.parent(node)
        if parent is not None and parent.lane != node.lane:
            points.add(parent.snapshot.snapshot_id)
    return points


def _runs(nodes: list[Node], turning_points: set[int]) -> Iterable[list[Node]]:
    run: list[Node] = []
    for node in nodes:
        plain = is_plain(node) and node.snapshot.snapshot_id not in turning_points
        follows = (
            bool(run)
            and node.snapshot.parent_id == run[-1].snapshot.snapshot_id
            and node.snapshot.operation == run[-1].snapshot.operation
        )
        if run and not (plain and follows):
            yield run
            run = []
        if plain:
            run.append(node)
        else:
            yield [node]
    if run:
        yield run


def _capsule(nodes: tuple[Node, ...], view: View, reach: float) -> Item:
    left, right = view.x(nodes[0].column) - reach, view.x(nodes[-1].column) + reach
    missing = max(0.0, _number_width(len(nodes)) - (right - left)) / 2
    return Item(nodes, left - missing, right + missing)


def _apart(drawn: list[Item], view: View, reach: float) -> list[Item]:
    """Where items would cover each other, a capsule gives way as far as it stays readable; else they become one."""
    apart: list[Item] = []
    for item in drawn:
        while apart and item.left < apart[-1].right - _TOUCHING:
            before = apart.pop()
            if before.is_capsule and item.left - _GAP - before.left >= _least_width(before):
                apart.append(Item(before.nodes, before.left, item.left - _GAP))
            elif item.is_capsule and item.right - before.right - _GAP >= _least_width(item):
                apart.append(before)
                item = Item(item.nodes, before.right + _GAP, item.right)
            else:
                item = _capsule(before.nodes + item.nodes, view, reach)
        apart.append(item)
    return apart


def _least_width(capsule: Item) -> float:
    """Every capsule has its number inside; one of several kinds also their shares."""
    return _number_width(len(capsule.nodes)) if capsule.operation else _SMALLEST_MIXED_CAPSULE


def _number_width(count: int) -> float:
    return width(f"{count:,}", NUMBER_SIZE, bold=True) + 6
