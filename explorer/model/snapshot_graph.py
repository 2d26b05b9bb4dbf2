"""The graph of a table's snapshots: who came from whom, what is still reachable, where `main` has been.

Sources: Iceberg specification, "Snapshots" (parent, sequence number), "Snapshot References" (branches and tags),
"Table Metadata" (snapshot-log). Write-audit-publish, cherry-pick and attempts are conventions of the Java library,
recorded in summaries and file names, not of the format.
"""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from . import formats
from .table_metadata import Snapshot, TableMetadata

State = Literal["current", "main", "branch", "tag", "rolled back", "staged", "unreferenced"]
ParentState = Literal["present", "expired", "none"]
LaneKind = Literal["staged", "main", "off main", "branch"]
MoveKind = Literal["commit", "advance", "rollback", "replace", "set current", "unknown"]


@dataclass(frozen=True, slots=True)
class MainMove:
    """`main` went from one snapshot to another at a time (UTC) of the snapshot log.

    `kind`: `commit` to a child, `advance` to a later descendant (fast-forward, or a transaction of several commits),
    `rollback` to an ancestor, `replace` to a new root, `set current` to anything else, `unknown` where the snapshot
    it came from has expired.
    """

    at: datetime
    from_id: int
    to_id: int
    kind: MoveKind


@dataclass(frozen=True, slots=True)
class Node:
    """A snapshot with its place in the graph.

    Attributes:
        column: place on the x axis; columns follow the order of commits, gaps have columns of their own.
        lane: index into the graph's lanes.
        state: `current` (head of main), `main` (its ancestors), else `branch`, else `tag` (kept by one of those), else
            `rolled back` (main was here and left), else `staged` (a wap.id, never on main), else `unreferenced`.
        refs: names of the refs that point here, main first, then branches, then tags.
        made_current_at: every time (UTC) that the snapshot log set main to this snapshot; empty if it never did, or
            if expiry cut the log.
        copied_from: the snapshot whose changes this commit re-applied (cherry-pick); it need not be listed any more.
        published_as: the snapshot that re-applied this one; None if none did.
        left_main: the move by which main left this snapshot; None if it did not.
    """

    snapshot: Snapshot
    column: int
    lane: int
    state: State
    parent_state: ParentState
    refs: tuple[str, ...]
    made_current_at: tuple[datetime, ...]
    copied_from: int | None
    published_as: int | None
    left_main: MainMove | None


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


@dataclass(frozen=True)
class SnapshotGraph:
    """Every listed snapshot in commit order, with lanes, gaps and the moves of main."""

    metadata: TableMetadata
    nodes: tuple[Node, ...]
    lanes: tuple[Lane, ...]
    gaps: tuple[Gap, ...]
    moves: tuple[MainMove, ...]
    by_id: Mapping[int, Node] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", MappingProxyType({n.snapshot.snapshot_id: n for n in self.nodes}))

    @property
    def column_count(self) -> int:
        """Columns of the x axis, nodes and gaps together."""
        return len(self.nodes) + len(self.gaps)

    @property
    def numbered(self) -> bool:
        """Whether sequence numbers tell the commits apart; False while every commit was made as format version 1."""
        return any(n.snapshot.sequence_number for n in self.nodes)

    @cached_property
    def short_ids(self) -> Mapping[int, str]:
        """`…9118` for every listed snapshot."""
        return formats.short_ids(self.by_id.keys())

    def nodes_between(self, first: Node, last: Node) -> tuple[Node, ...]:
        """Nodes in columns strictly between two nodes; `nodes` is in column order."""
        by_column = [bisect_left(self.nodes, node.column, key=lambda n: n.column) for node in (first, last)]
        return self.nodes[by_column[0] + 1 : by_column[1]]

    def parent(self, node: Node) -> Node | None:
        """The parent, if it is listed."""
        return self.by_id.get(node.snapshot.parent_id) if node.snapshot.parent_id is not None else None


def snapshot_graph(metadata: TableMetadata) -> SnapshotGraph:
    """Lay out the graph. Linear in the number of snapshots but for the sort; nothing is left out."""
    ordered = _commit_order(metadata)
    forest = _Forest(metadata)
    moves = _moves(metadata, forest)
    states = _states(metadata, forest)
    left_main = _left_main(moves, forest, states)
    columns, gaps = _columns(ordered, metadata)
    lanes, lane_of = _lanes(metadata, ordered, states, columns, forest)
    published = {source: s.snapshot_id for s in ordered if (source := _copied_from(s, metadata)) is not None}
    refs, made_current = _refs_by_snapshot(metadata), _made_current(metadata)
    nodes = tuple(
        Node(
            snapshot=s,
            column=columns[s.snapshot_id],
            lane=lane_of[s.snapshot_id],
            state=states[s.snapshot_id],
            parent_state=_parent_state(s, metadata),
            refs=refs.get(s.snapshot_id, ()),
            made_current_at=made_current.get(s.snapshot_id, ()),
            copied_from=_copied_from(s, metadata),
            published_as=published.get(s.snapshot_id),
            left_main=left_main.get(s.snapshot_id),
        )
        for s in ordered
    )
    return SnapshotGraph(metadata, nodes, lanes, gaps, moves)


def rows(graph: SnapshotGraph) -> list[dict[str, Any]]:
    """One dict per snapshot in commit order: the columns of `snapshot_graph().data`, ids as int, missing as None."""
    return [
        {
            "snapshot_id": (s := node.snapshot).snapshot_id,
            "parent_id": s.parent_id,
            "sequence_number": s.sequence_number,
            "committed_at": s.committed_at,
            "operation": s.operation,
            "refs": list(node.refs),
            "state": node.state,
            "parent_state": node.parent_state,
            "attempt": s.attempt,
            "schema_id": s.schema_id,
            "added_data_files": s.count("added-data-files"),
            "removed_data_files": s.count("deleted-data-files"),
            "added_delete_files": s.count("added-delete-files"),
            "removed_delete_files": s.count("removed-delete-files"),
            "added_records": s.count("added-records"),
            "deleted_records": s.count("deleted-records"),
            "made_current_at": list(node.made_current_at),
            "copied_from": node.copied_from,
            "published_as": node.published_as,
            "wap_id": s.summary.get("wap.id"),
            "first_row_id": s.first_row_id,
            "manifest_list": s.manifest_list,
        }
        for node in graph.nodes
    ]


class _Forest:
    """Parents and depths of the listed snapshots; an expired parent makes its child a root here."""

    def __init__(self, metadata: TableMetadata) -> None:
        known = metadata.by_id
        self.parent = {i: s.parent_id if s.parent_id in known else None for i, s in known.items()}
        self.depth: dict[int, int] = {}
        for start in self.parent:
            path, at = [], start
            while at is not None and at not in self.depth:
                self.depth[at] = 0  # also ends a cycle of parents, which only a damaged file has
                path.append(at)
                at = self.parent[at]  # type: ignore[assignment]
            base = -1 if at is None or at in path else self.depth[at]
            for distance, snapshot_id in enumerate(reversed(path), 1):
                self.depth[snapshot_id] = base + distance

    def __contains__(self, snapshot_id: int) -> bool:
        return snapshot_id in self.parent

    def lineage(self, snapshot_id: int | None) -> Iterator[int]:
        """The snapshot and its listed ancestors, youngest first."""
        seen: set[int] = set()
        while snapshot_id is not None and snapshot_id in self.parent and snapshot_id not in seen:
            seen.add(snapshot_id)
            yield snapshot_id
            snapshot_id = self.parent[snapshot_id]

    def common_ancestor(self, a: int | None, b: int | None) -> int | None:
        """Youngest listed snapshot in both lineages; cost is the distance to it."""
        for _ in range(2 * len(self.parent) + 2):
            if a == b or a is None or b is None:
                break
            if self.depth[a] >= self.depth[b]:
                a, b = (self.parent[a], self.parent[b]) if self.depth[a] == self.depth[b] else (self.parent[a], b)
            else:
                b = self.parent[b]
        return a if a == b else None


def common_ancestor(metadata: TableMetadata, a: int, b: int) -> int | None:
    """Youngest listed snapshot that both descend from (a snapshot descends from itself); None if there is none."""
    return _Forest(metadata).common_ancestor(a, b)


def _commit_order(metadata: TableMetadata) -> list[Snapshot]:
    """By sequence number, then commit time, then place in the file; a parent always before its child.

    Version 1 commits all have number 0, and clocks may run backwards, so there the parent decides.
    """
    place = {s.snapshot_id: i for i, s in enumerate(metadata.snapshots)}
    children: dict[int, list[Snapshot]] = defaultdict(list)
    ready: list[tuple[int, float, int]] = []

    def key(s: Snapshot) -> tuple[int, float, int]:
        return s.sequence_number, s.committed_at.timestamp() if s.committed_at else 0.0, place[s.snapshot_id]

    for s in metadata.snapshots:
        if s.parent_id is not None and s.parent_id in place:
            children[s.parent_id].append(s)
        else:
            ready.append(key(s))
    heapq.heapify(ready)
    ordered: list[Snapshot] = []
    while ready:
        s = metadata.snapshots[heapq.heappop(ready)[2]]
        ordered.append(s)
        for child in children.get(s.snapshot_id, ()):
            heapq.heappush(ready, key(child))
    placed = {s.snapshot_id for s in ordered}
    return ordered + sorted((s for s in metadata.snapshots if s.snapshot_id not in placed), key=key)


def _states(metadata: TableMetadata, forest: _Forest) -> dict[int, State]:
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


def _moves(metadata: TableMetadata, forest: _Forest) -> tuple[MainMove, ...]:
    log = metadata.snapshot_log
    return tuple(
        MainMove(
            after.made_current_at,
            before.snapshot_id,
            after.snapshot_id,
            _move_kind(before.snapshot_id, after.snapshot_id, metadata, forest),
        )
        for before, after in itertools.pairwise(log)
        if before.snapshot_id != after.snapshot_id
    )


def _move_kind(start: int, end: int, metadata: TableMetadata, forest: _Forest) -> MoveKind:
    target = metadata.by_id.get(end)
    if target is not None and target.parent_id == start:
        return "commit"
    if target is None or start not in forest:
        return "unknown"
    base = forest.common_ancestor(start, end)
    if base == start:
        return "advance"
    if base == end:
        return "rollback"
    return "replace" if target.parent_id is None else "set current"


def _left_main(moves: tuple[MainMove, ...], forest: _Forest, states: Mapping[int, State]) -> dict[int, MainMove]:
    left: dict[int, MainMove] = {}
    for move in moves:
        if move.kind not in ("rollback", "replace", "set current"):
            continue
        base = forest.common_ancestor(move.from_id, move.to_id)
        for snapshot_id in forest.lineage(move.from_id):
            if snapshot_id == base:
                break
            if states[snapshot_id] not in ("current", "main"):
                left[snapshot_id] = move
    return left


def _columns(ordered: list[Snapshot], metadata: TableMetadata) -> tuple[dict[int, int], tuple[Gap, ...]]:
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


def _lanes(
    metadata: TableMetadata,
    ordered: list[Snapshot],
    states: Mapping[int, State],
    columns: Mapping[int, int],
    forest: _Forest,
) -> tuple[tuple[Lane, ...], dict[int, int]]:
    """Staged above main, what main left below it, then one lane per branch that has commits of its own."""
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
            for state, word in (
                ("rolled back", "left by main"),
                ("tag", "kept by a tag"),
                ("unreferenced", "no ref"),
            )
            if state in kept
        )
        open_lane(Lane("off main", "off main", words), members)
    for name in dict.fromkeys(branch_of[s.snapshot_id] for s in ordered if s.snapshot_id in branch_of):
        open_lane(Lane("branch", name, "branch"), [i for i, owner in branch_of.items() if owner == name])
    return tuple(lanes), lane_of


def _pack(members: list[int], columns: Mapping[int, int], forest: _Forest) -> list[list[int]]:
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


def _parent_state(s: Snapshot, metadata: TableMetadata) -> ParentState:
    if s.parent_id is None:
        return "none"
    return "present" if s.parent_id in metadata.by_id else "expired"


def _copied_from(s: Snapshot, metadata: TableMetadata) -> int | None:
    """`source-snapshot-id` of a cherry-pick; else the staged snapshot whose wap.id this one says it published."""
    source = s.summary.get("source-snapshot-id", "")
    if source.isdigit():
        return int(source)
    wap_id = s.summary.get("published-wap-id")
    if wap_id is None:
        return None
    return next((c.snapshot_id for c in metadata.snapshots if c.summary.get("wap.id") == wap_id), None)


def _refs_by_snapshot(metadata: TableMetadata) -> dict[int, tuple[str, ...]]:
    pointing = defaultdict(list)
    for ref in sorted(metadata.refs.values(), key=lambda r: (r.name != "main", r.kind, r.name)):
        pointing[ref.snapshot_id].append(ref.name)
    return {i: tuple(names) for i, names in pointing.items()}


def _made_current(metadata: TableMetadata) -> dict[int, tuple[datetime, ...]]:
    times = defaultdict(list)
    for entry in metadata.snapshot_log:
        times[entry.snapshot_id].append(entry.made_current_at)
    return {i: tuple(at) for i, at in times.items()}
