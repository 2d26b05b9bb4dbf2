"""Who descends from whom among the listed snapshots, and where `main` went.

Sources: Iceberg specification, "Snapshots" (parent-snapshot-id) and "Table Metadata" (snapshot-log).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from .metadata import SnapshotLogEntry, TableMetadata

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


class Forest:
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
    return Forest(metadata).common_ancestor(a, b)


def main_moves(metadata: TableMetadata, forest: Forest) -> tuple[MainMove, ...]:
    """Steps of the snapshot log from one snapshot to another, oldest first."""
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


def current_at(metadata: TableMetadata, at: datetime) -> SnapshotLogEntry | None:
    """Where `main` pointed at a time, as the snapshot log has it; None before its first entry, which expiry may cut."""
    return next((entry for entry in reversed(metadata.snapshot_log) if entry.made_current_at <= at), None)


def _move_kind(start: int, end: int, metadata: TableMetadata, forest: Forest) -> MoveKind:
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


def left_main(moves: tuple[MainMove, ...], forest: Forest) -> dict[int, MainMove]:
    """The last move by which main left each snapshot; it may have come back since."""
    left: dict[int, MainMove] = {}
    for move in moves:
        if move.kind not in ("rollback", "replace", "set current"):
            continue
        base = forest.common_ancestor(move.from_id, move.to_id)
        for snapshot_id in forest.lineage(move.from_id):
            if snapshot_id == base:
                break
            left[snapshot_id] = move
    return left
