"""Moving main to another snapshot: `rollback_to_snapshot` and `set_current_snapshot`.

Source: the Java library's `SetSnapshotOperation` and Spark's `SetCurrentSnapshotProcedure` (1.12).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from .. import formats
from ..evidence import Note
from ..iceberg.cherry_pick import can_be_picked
from ..iceberg.commit import Commit
from ..iceberg.file_change import FileChange
from ..iceberg.inheritance import ContentKind, StoredEntry
from ..iceberg.lineage import Forest
from ..iceberg.metadata import Ref, Snapshot, TableMetadata
from ..iceberg.partition_changes import Tally
from ..iceberg.touched_files import referenced_data_file
from ..iceberg.writer import writer
from .facts import Call, DryRun, Effect, Procedure, Sum, What, sums

DANGER = (
    "Every commit since is lost to readers of main, good ones too; what writers keep of their own, such as checkpoints,"
    " does not go back with it."
)
_EQUALITY_DELETES = "Equality deletes mask rows that no metadata counts, so the net rows are not known."


def refusal(metadata: TableMetadata, procedure: Procedure, snapshot_id: int | None) -> str:
    """The words in which Iceberg would refuse to move main to a snapshot; empty if it would not.

    Args:
        metadata: the table's.
        procedure: which of the two.
        snapshot_id: where to; it need not be listed.
    """
    if snapshot_id not in metadata.by_id:
        return f"Cannot roll back to unknown snapshot id: {snapshot_id}"
    if procedure == "rollback_to_snapshot":
        lineage = Forest(metadata).lineage(metadata.current_snapshot_id)
        if snapshot_id not in set(lineage):
            return f"Cannot roll back to snapshot, not an ancestor of the current state: {snapshot_id}"
    return ""


def refused(call: Call, at: datetime, why: str) -> DryRun:
    """A call that Iceberg would refuse."""
    return DryRun(call, at, refusal=why)


@dataclass(frozen=True, slots=True)
class Masked:
    """Positions that the live deletes of a snapshot hold in its live data files.

    Attributes:
        named: of deletes that name one data file, if that is live.
        at_large: of those for several data files, live or not.
    """

    named: int
    at_large: int

    @classmethod
    def by(cls, deletes: Iterable[StoredEntry], live: Collection[str]) -> Masked:
        """Of live deletes, and the paths of the live data files."""
        named = at_large = 0
        for delete in deletes:
            target = referenced_data_file(delete)
            if target is None:
                at_large += delete.record_count
            elif target in live:
                named += delete.record_count
        return cls(named, at_large)


def move(
    metadata: TableMetadata,
    call: Call,
    target: Snapshot,
    files: Commit | None,
    *,
    masked: tuple[Masked, Masked] | None,
    at: datetime,
) -> DryRun:
    """What moving main to a listed snapshot would do.

    Args:
        metadata: the table's.
        call: one that is not refused.
        target: where main would point.
        files: the net boundary from the current snapshot to the target; None if there is no current snapshot.
        masked: in the current snapshot and in the target; None if no delete is live in either.
        at: now.
    """
    forest = Forest(metadata)
    before = list(forest.lineage(metadata.current_snapshot_id))
    after = list(forest.lineage(target.snapshot_id))
    lost = [metadata.by_id[i] for i in before if i not in set(after)]
    returned = [metadata.by_id[i] for i in after if i not in set(before)]
    holders = _holders(metadata, forest, {s.snapshot_id for s in lost})
    effects = (
        *(_commit("lost", s, holders.get(s.snapshot_id, ())) for s in lost),
        *(_commit("returned", s, ()) for s in returned),
        *_refs(metadata, holders),
        *(_file(change) for change in (files.files if files else ())),
    )
    net_rows, notes = _net_rows(files, masked)
    current = metadata.by_id.get(metadata.current_snapshot_id or 0)
    return DryRun(
        call,
        at,
        effects=effects,
        unlisted=_unlisted(files),
        target=target,
        net_rows=net_rows,
        consequences=tuple(_consequences(metadata, current, target, lost, holders)),
        danger=DANGER,
        undo=None
        if current is None or current == target
        else Call.of("set_current_snapshot", snapshot_id=current.snapshot_id),
        undo_words=""
        if current is None
        else "Point main back at the snapshot it has now; it works until expire_snapshots has removed that one.",
        notes=notes,
    )


def _holders(metadata: TableMetadata, forest: Forest, lost: set[int]) -> Mapping[int, tuple[Ref, ...]]:
    """By id, the refs other than main that keep a lost commit reachable: a tag its own, a branch its ancestors too."""
    found: dict[int, tuple[Ref, ...]] = {}
    for ref in metadata.refs.values():
        if ref.name == "main":
            continue
        held = forest.lineage(ref.snapshot_id) if ref.kind == "branch" else iter((ref.snapshot_id,))
        for snapshot_id in held:
            if snapshot_id in lost:
                found[snapshot_id] = (*found.get(snapshot_id, ()), ref)
    return found


def _commit(what: What, snapshot: Snapshot, holders: Iterable[Ref]) -> Effect:
    done = ", ".join(
        f"{sign}{formats.count(rows, 'row')}"
        for sign, rows in (("+", snapshot.count("added-records")), ("−", snapshot.count("deleted-records")))
        if rows
    )
    by = writer(snapshot)
    kept = ", ".join(f"{ref.kind} {ref.name}" for ref in holders)
    parts = [
        " ".join(filter(None, (snapshot.operation or "operation not recorded", done))),
        f"by {by}" if by else "",
        f"{kept} still has it" if kept else "",
        "a cherry-pick can bring it back" if what == "lost" and can_be_picked(snapshot) else "",
    ]
    return Effect.of_snapshot(what, snapshot, "; ".join(filter(None, parts)))


def _refs(metadata: TableMetadata, holders: Mapping[int, tuple[Ref, ...]]) -> Iterator[Effect]:
    held: dict[str, int] = {}
    for refs in holders.values():
        for ref in refs:
            held[ref.name] = held.get(ref.name, 0) + 1
    for ref in metadata.refs.values():
        if ref.name in held:
            why = f"holds {formats.count(held[ref.name], 'lost commit')}"
            yield Effect("kept", ref.kind, why, snapshot_id=ref.snapshot_id, name=ref.name)


def _file(change: FileChange) -> Effect:
    if change.change == "removed":
        return Effect.of_file("lost", change.entry, "live now, and not at the target")
    return Effect.of_file("returned", change.entry, "live at the target, and not now")


def _unlisted(files: Commit | None) -> tuple[Sum, ...]:
    """Files that differ beyond those that are listed."""
    if files is None or files.file_count == len(files.files):
        return ()
    listed = {(s.what, s.kind): s for s in sums(map(_file, files.files))}
    found = []
    sides: tuple[tuple[What, Mapping[ContentKind, Tally]], ...] = (
        ("lost", files.totals.removed),
        ("returned", files.totals.added),
    )
    for what, tallies in sides:
        for kind, tally in tallies.items():
            known = listed.get((what, kind), Sum(what, kind, 0, 0, 0))
            rest = (
                tally.files - known.count,
                tally.size_in_bytes - known.size_in_bytes,
                tally.records - known.record_count,
            )
            found.append(Sum(what, kind, *rest))
    return tuple(found)


def _net_rows(files: Commit | None, masked: tuple[Masked, Masked] | None) -> tuple[int | None, tuple[Note, ...]]:
    """Rows that main gains, and how sure that is."""
    if files is None:
        return None, ()
    added, removed = files.totals.added, files.totals.removed

    if "equality deletes" in {*added, *removed}:
        return None, (Note("unknown", "net rows", _EQUALITY_DELETES),)
    came, went = (totals["data"].records if "data" in totals else 0 for totals in (added, removed))
    rows = came - went
    if masked is None:
        return rows, (Note("exact", "net rows", "The rows of data files; no delete is live at either end."),)
    before, after = masked
    reason = (
        "Rows of data files less the positions that live deletes hold in live files: right as long as no position is"
        " held twice; equality deletes that both ends have are taken to mask the same rows."
    )
    if before.at_large or after.at_large:
        reason += " A delete file for several data files may hold positions of such as are gone."
    return (
        rows - (after.named + after.at_large) + (before.named + before.at_large),
        (Note("inferred", "net rows", reason),),
    )


def _consequences(
    metadata: TableMetadata,
    current: Snapshot | None,
    target: Snapshot,
    lost: list[Snapshot],
    holders: Mapping[int, tuple[Ref, ...]],
) -> Iterator[str]:
    loose = [s for s in lost if s.snapshot_id not in holders]
    if loose:
        count = formats.count(len(loose), "lost commit")
        yield f"No branch or tag holds {count}: the next expire_snapshots may remove for good what only that had."
    picked = sum(map(can_be_picked, lost))
    if picked:
        yield f"{formats.count(picked, 'lost commit')} could be brought back one by one with cherrypick_snapshot."
    jobs = {
        key: s for s in lost for key in ("flink.max-committed-checkpoint-id", "kafka.connect.offsets") if _has(s, key)
    }
    for key in sorted(jobs):
        kind = "Flink" if key.startswith("flink") else "Kafka Connect"
        yield f"A {kind} writer committed what is lost, and will not send it again: its position lies after the target."
    if lost:
        yield (
            "Incremental and streaming readers that have passed the target will find that it is no ancestor of main any"
            " more."
        )
    if current is not None and current.schema_id != target.schema_id and target.schema_id is not None:
        yield (
            f"The schema stays {metadata.current_schema_id}, partition spec and properties stay too: the target was"
            f" written with schema {target.schema_id}."
        )


def _has(snapshot: Snapshot, key: str) -> bool:
    return any(name == key or name.startswith(f"{key}.") for name in snapshot.summary)
