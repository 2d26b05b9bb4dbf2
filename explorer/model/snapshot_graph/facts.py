"""The graph of a table's snapshots: who came from whom, what is still reachable, where `main` has been.

Sources: Iceberg specification, "Snapshots" (parent, sequence number), "Snapshot References" (branches and tags),
"Table Metadata" (snapshot-log). Write-audit-publish, cherry-pick and attempts are conventions of the Java library,
recorded in summaries and file names, not of the format.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from .. import formats
from ..iceberg.lineage import Forest, MainMove, MoveKind, left_main, main_moves
from ..iceberg.metadata import Snapshot, TableMetadata, id_from_text, long_from_text
from .lanes import Gap, Lane, LaneKind, State, columns_of, lanes_of, states_of

__all__ = [
    "Gap",
    "Lane",
    "LaneKind",
    "MainMove",
    "MoveKind",
    "Node",
    "ParentState",
    "SnapshotGraph",
    "State",
    "rows",
    "snapshot_graph",
]

ParentState = Literal["present", "expired", "none"]


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

    @cached_property
    def forest(self) -> Forest:
        """Who descends from whom."""
        return Forest(self.metadata)

    def nodes_between(self, first: Node, last: Node) -> tuple[Node, ...]:
        """Nodes in columns strictly between two nodes; `nodes` is in column order."""
        by_column = [bisect_left(self.nodes, node.column, key=lambda n: n.column) for node in (first, last)]
        return self.nodes[by_column[0] + 1 : by_column[1]]

    def find(self, snapshot_id: str) -> Node | None:
        """The snapshot of an id given as text; None if the text is no id, or none that is listed."""
        number = id_from_text(snapshot_id)
        return self.by_id.get(number) if number is not None else None

    def parent(self, node: Node) -> Node | None:
        """The parent, if it is listed."""
        return self.by_id.get(node.snapshot.parent_id) if node.snapshot.parent_id is not None else None


def snapshot_graph(metadata: TableMetadata) -> SnapshotGraph:
    """Lay out the graph. Linear in the number of snapshots but for the sort; nothing is left out."""
    ordered = _commit_order(metadata)
    forest = Forest(metadata)
    moves = main_moves(metadata, forest)
    states = states_of(metadata, forest)
    left = left_main(moves, forest)
    columns, gaps = columns_of(ordered, metadata)
    lanes, lane_of = lanes_of(metadata, ordered, states, columns, forest)
    copied_from = _sources(metadata)
    published = {copied_from[s.snapshot_id]: s.snapshot_id for s in ordered if s.snapshot_id in copied_from}
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
            copied_from=copied_from.get(s.snapshot_id),
            published_as=published.get(s.snapshot_id),
            left_main=None if states[s.snapshot_id] in ("current", "main") else left.get(s.snapshot_id),
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


def _parent_state(s: Snapshot, metadata: TableMetadata) -> ParentState:
    if s.parent_id is None:
        return "none"
    return "present" if s.parent_id in metadata.by_id else "expired"


def _sources(metadata: TableMetadata) -> dict[int, int]:
    """By snapshot, the one that it copied.

    That is the `source-snapshot-id` of a cherry-pick, else the staged one whose wap.id it says it published.
    """
    staged: dict[str, int] = {}
    for s in metadata.snapshots:
        if "wap.id" in s.summary:
            staged.setdefault(s.summary["wap.id"], s.snapshot_id)
    sources: dict[int, int] = {}
    for s in metadata.snapshots:
        source = long_from_text(s.summary.get("source-snapshot-id", ""))
        if source is None:
            source = staged.get(s.summary.get("published-wap-id", ""))
        if source is not None and source != s.snapshot_id:
            sources[s.snapshot_id] = source
    return sources


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
