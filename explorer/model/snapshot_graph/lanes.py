"""Where a snapshot stands: its state, its lane, its column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..iceberg.lineage import Forest
from ..iceberg.metadata import Snapshot, TableMetadata

State = Literal["current", "main", "branch", "tag", "rolled back", "staged", "unreferenced"]
LaneKind = Literal["staged", "main", "off main", "branch"]


@dataclass(frozen=True, slots=True)
class Lane:
    """One row of the picture: `name` for its head, `explanation` for the line below; what keeps its snapshots there."""

    kind: LaneKind
    name: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Sequence numbers `first` to `last` (inclusive) belong to no listed snapshot; they share one column."""

    first: int
    last: int
    column: int


def states_of(metadata: TableMetadata, forest: Forest) -> dict[int, State]:
    """The first state of the list that fits, for every listed snapshot."""
    states: dict[int, State] = {}

    def claim(snapshot_id: int | None, state: State) -> None:
        for ancestor in forest.lineage(snapshot_id):
            if ancestor in states:
                return
            states[ancestor] = state

    claim(metadata.current_snapshot_id, "main")
    for kind in ("branch", "tag"):
        for ref in metadata.refs.values():
            if ref.kind == kind:
                claim(ref.snapshot_id, ref.kind)
    for entry in metadata.snapshot_log:
        claim(entry.snapshot_id, "rolled back")
    for s in metadata.snapshots:
        states.setdefault(s.snapshot_id, "staged" if "wap.id" in s.summary else "unreferenced")
    if metadata.current_snapshot_id in states:
        states[metadata.current_snapshot_id] = "current"
    return states


def columns_of(ordered: list[Snapshot], metadata: TableMetadata) -> tuple[dict[int, int], tuple[Gap, ...]]:
    """One column per snapshot in commit order, one per run of numbers that no listed snapshot has."""
    columns: dict[int, int] = {}
    gaps: list[Gap] = []
    column, highest = 0, 0
    for s in ordered:
        if s.sequence_number > highest + 1:
            gaps.append(Gap(highest + 1, s.sequence_number - 1, column))
            column += 1
        highest = max(highest, s.sequence_number)
        columns[s.snapshot_id] = column
        column += 1
    if metadata.last_sequence_number > highest:
        gaps.append(Gap(highest + 1, metadata.last_sequence_number, column))
    return columns, tuple(gaps)


def lanes_of(
    metadata: TableMetadata,
    ordered: list[Snapshot],
    states: Mapping[int, State],
    columns: Mapping[int, int],
    forest: Forest,
) -> tuple[tuple[Lane, ...], dict[int, int]]:
    """Staged above main, what was rolled back below it, then one lane per branch that has commits of its own."""
    branch_of: dict[int, str] = {}
    for ref in sorted(metadata.refs.values(), key=lambda r: (columns.get(r.snapshot_id, -1), r.name)):
        if ref.kind != "branch":
            continue
        for snapshot_id in forest.lineage(ref.snapshot_id):
            if states[snapshot_id] != "branch" or snapshot_id in branch_of:
                break
            branch_of[snapshot_id] = ref.name
    off_main = _pack(
        [s.snapshot_id for s in ordered if states[s.snapshot_id] in ("tag", "rolled back", "unreferenced")],
        columns,
        forest,
    )
    lanes: list[Lane] = []
    lane_of: dict[int, int] = {}

    def open_lane(lane: Lane, members: list[int]) -> None:
        for snapshot_id in members:
            lane_of[snapshot_id] = len(lanes)
        lanes.append(lane)

    staged = [i for i, state in states.items() if state == "staged"]
    if staged:
        open_lane(Lane("staged", "staged", "write-audit-publish"), staged)
    open_lane(Lane("main", "main", "branch"), [i for i, state in states.items() if state in ("current", "main")])
    for members in off_main:
        kept = {states[i] for i in members}
        words = ", ".join(
            word
            for state, word in (("rolled back", "rolled back"), ("tag", "kept by a tag"), ("unreferenced", "no ref"))
            if state in kept
        )
        open_lane(Lane("off main", "off main", words), members)
    for name in dict.fromkeys(branch_of[s.snapshot_id] for s in ordered if s.snapshot_id in branch_of):
        open_lane(Lane("branch", name, "branch"), [i for i, owner in branch_of.items() if owner == name])
    return tuple(lanes), lane_of


def _pack(members: list[int], columns: Mapping[int, int], forest: Forest) -> list[list[int]]:
    """Share lanes between chains that do not overlap.

    A child follows its parent; a new chain takes the first lane that is free at the column where it forks.
    """
    lanes: list[list[int]] = []
    lane_of: dict[int, int] = {}
    for snapshot_id in members:
        parent = forest.parent[snapshot_id]
        lane = lane_of.get(parent) if parent is not None else None
        if lane is None or lanes[lane][-1] != parent:
            fork = columns[parent] if parent is not None else columns[snapshot_id] - 1
            free = (i for i, lane_members in enumerate(lanes) if columns[lane_members[-1]] < fork)
            lane = next(free, len(lanes))
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append(snapshot_id)
        lane_of[snapshot_id] = lane
    return lanes
