"""The lines of a table: the one to what is asked about, and those that leave it, each told once.

Sources: Iceberg specification, "Snapshots" (parent), "Snapshot References", "Table Metadata" (snapshot-log). What is
staged is told by a convention of the Java library, `wap.id`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .. import formats
from ..iceberg.lineage import Forest, MainMove, left_main, main_moves
from ..iceberg.metadata import Snapshot, TableMetadata
from .facts import Beginning, Line, LineKind


def lines(metadata: TableMetadata, snapshot_id: int, name: str) -> tuple[Line, ...]:
    """The line to a listed snapshot, then the others: branches, tags, and what no ref leads to.

    Args:
        metadata: the table's.
        snapshot_id: to which the first line leads.
        name: of what was asked about: a branch, a tag, an id.
    """
    forest = Forest(metadata)
    left = left_main(main_moves(metadata, forest), forest)
    told: set[int] = set()
    found = []
    ref = metadata.refs.get(name)
    asked: LineKind = "snapshot" if ref is None else ref.kind
    for head, called, kind in ((snapshot_id, name, asked), *_heads(metadata, snapshot_id, left)):
        own = []
        for ancestor in forest.lineage(head):
            if ancestor in told:
                break
            own.append(metadata.by_id[ancestor])
        if own:
            told.update(snapshot.snapshot_id for snapshot in own)
            found.append(_line(metadata, own[::-1], called, kind, left.get(head)))
    return tuple(found)


def _line(metadata: TableMetadata, own: list[Snapshot], name: str, kind: LineKind, move: MainMove | None) -> Line:
    first = own[0]
    parent = metadata.by_id.get(first.parent_id) if first.parent_id is not None else None
    begins: Beginning = "root" if first.parent_id is None else "fork" if parent is not None else "expired"
    snapshots = tuple(own) if begins == "expired" else (parent, *own)
    return Line(name, kind, snapshots, begins, move if kind == "rolled back" else None)


def _heads(metadata: TableMetadata, asked: int, left: Mapping[int, MainMove]) -> Iterator[tuple[int, str, LineKind]]:
    """Where other lines may end: refs, main's own first; then snapshots without a child, the oldest first."""
    refs = sorted(metadata.refs.values(), key=lambda ref: (ref.name != "main", ref.kind != "branch", ref.name))
    for ref in refs:
        if ref.snapshot_id in metadata.by_id and ref.snapshot_id != asked:
            yield ref.snapshot_id, ref.name, ref.kind
    parents = {snapshot.parent_id for snapshot in metadata.snapshots}
    short = formats.short_ids(metadata.by_id.keys())
    logged = {entry.snapshot_id for entry in metadata.snapshot_log}
    for snapshot in _in_order(metadata.snapshots):
        if snapshot.snapshot_id not in parents:
            yield snapshot.snapshot_id, *_without_ref(snapshot, short[snapshot.snapshot_id], logged, left)


def _without_ref(
    snapshot: Snapshot, short: str, logged: set[int], left: Mapping[int, MainMove]
) -> tuple[str, LineKind]:
    if snapshot.snapshot_id in left or snapshot.snapshot_id in logged:
        move = left.get(snapshot.snapshot_id)
        return f"{'replaced' if move is not None and move.kind == 'replace' else 'rolled back'} {short}", "rolled back"
    if "wap.id" in snapshot.summary:
        return f"staged {snapshot.summary['wap.id']}", "staged"
    return f"no ref {short}", "unreferenced"


def _in_order(snapshots: Iterable[Snapshot]) -> list[Snapshot]:
    def key(snapshot: Snapshot) -> tuple[int, float]:
        return snapshot.sequence_number, snapshot.committed_at.timestamp() if snapshot.committed_at else 0.0

    return sorted(snapshots, key=key)
