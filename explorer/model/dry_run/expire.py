"""`expire_snapshots`: the snapshots and refs that it would remove, and the files that nothing would name any more.

A file goes if a snapshot that goes has it live, and no snapshot that stays has; so do manifests, manifest lists and
statistics files. Files that were removed before the oldest listed snapshot are named by none, and stay.

Source: Spark's `ExpireSnapshotsSparkAction` and the Java library's `RemoveSnapshots` (1.12).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .. import formats
from ..evidence import Note
from ..iceberg.inheritance import ListedManifest, StoredEntry
from ..iceberg.metadata import TableMetadata
from .facts import Call, DryRun, Effect, Sum
from .retention import Asked, Retention, oldest

DANGER = (
    "Files are deleted for good, and with them every way back to the snapshots that go: time travel, rollback and"
    " cherry-pick. Nothing undoes it but a backup of the files."
)
UNDO = "Nothing brings the files back. To keep a snapshot, put a tag on it first: ALTER TABLE … CREATE TAG."


@dataclass(frozen=True, slots=True)
class Reachable:
    """What snapshots that go have, and none that stays.

    Attributes:
        entries: of data and delete files, each once; bounded, `unlisted` has sums of the others.
        manifests: rows of manifest lists. lists: locations of manifest lists, with the snapshot whose they are.
        statistics: locations of statistics files, with their sizes.
        unreadable: lists and manifests that cannot be read, by location, with the reason.
    """

    entries: Sequence[StoredEntry]
    manifests: Sequence[ListedManifest]
    lists: Mapping[str, int]
    statistics: Mapping[str, int | None]
    unreadable: Mapping[str, str]
    unlisted: tuple[Sum, ...] = ()


def call(asked: Asked) -> Call:
    """The call with what is given."""
    return Call.of(
        "expire_snapshots",
        older_than=asked.older_than,
        retain_last=asked.retain_last,
        snapshot_ids=asked.snapshot_ids or None,
        clean_expired_metadata=asked.clean_expired_metadata or None,
    )


def expire(
    metadata: TableMetadata, asked: Asked, found: Retention, files: Reachable, specs: Collection[int], at: datetime
) -> DryRun:
    """What expiring would remove and keep.

    Args:
        metadata: the table's.
        asked: the arguments.
        found: which snapshots and refs go.
        files: what only they have.
        specs: ids of those that manifests have of snapshots that the rules keep; of no matter unless specs go too.
        at: now.
    """
    effects = (
        *_snapshots(metadata, found),
        *_refs(metadata, found),
        *(Effect.of_file("removed", entry, "live only in snapshots that go") for entry in files.entries),
        *(_metadata_file("manifest", m.path, m.length) for m in files.manifests),
        *(_metadata_file("manifest list", path, None, i) for path, i in files.lists.items()),
        *(_metadata_file("statistics file", path, size) for path, size in files.statistics.items()),
        *(_cleaned(metadata, found, specs) if asked.clean_expired_metadata else ()),
    )
    return DryRun(
        call(asked),
        at,
        effects=effects,
        unlisted=files.unlisted,
        consequences=tuple(_consequences(metadata, found)),
        danger=DANGER,
        undo_words=UNDO,
        notes=tuple(_notes(files)),
    )


def _snapshots(metadata: TableMetadata, found: Retention) -> Iterator[Effect]:
    for snapshot in metadata.snapshots:
        of = snapshot.snapshot_id
        if of in found.removed:
            yield Effect.of_snapshot("removed", snapshot, found.removed[of])
        else:
            yield Effect.of_snapshot("kept", snapshot, found.kept[of])


def _refs(metadata: TableMetadata, found: Retention) -> Iterator[Effect]:
    for name, ref in metadata.refs.items():
        if name in found.dropped:
            yield Effect("removed", ref.kind, found.dropped[name], snapshot_id=ref.snapshot_id, name=name)
        else:
            why = "main never goes" if name == "main" else "not older than its max-ref-age-ms"
            yield Effect("kept", ref.kind, why, snapshot_id=ref.snapshot_id, name=name)


def _metadata_file(kind: str, path: str, size: int | None, snapshot_id: int | None = None) -> Effect:
    why = "listed only by snapshots that go" if kind == "manifest" else "of a snapshot that goes"
    return Effect("removed", kind, why, file_path=path, size_in_bytes=size, snapshot_id=snapshot_id)  # type: ignore[arg-type]


def _cleaned(metadata: TableMetadata, found: Retention, specs: Collection[int]) -> Iterator[Effect]:
    """Specs and schemas that neither the table nor a snapshot that the rules keep has."""
    staying = [metadata.by_id[i] for i in (*found.kept, *found.named)]
    for spec_id in metadata.specs:
        if spec_id != metadata.default_spec_id and spec_id not in specs:
            yield Effect("removed", "partition spec", "no snapshot that stays has a manifest of it", name=str(spec_id))
    schemas = {metadata.current_schema_id, *(s.schema_id for s in staying)}
    for schema_id in metadata.schemas:
        if schema_id not in schemas:
            yield Effect("removed", "schema", "no snapshot that stays was written with it", name=str(schema_id))


def _consequences(metadata: TableMetadata, found: Retention) -> Iterator[str]:
    gone = [metadata.by_id[i] for i in found.removed]
    kept = [metadata.by_id[i] for i in found.kept]
    if gone:
        first, last = oldest(kept), max(gone, key=lambda s: s.sequence_number)
        if first is not None:
            yield (
                f"The oldest snapshot left would be of {formats.instant(first.committed_at)}: readers of earlier ones,"
                " by time or by id, are cut off."
            )
        yield (
            f"Incremental readers that stand at one of {formats.count(len(gone), 'removed snapshot')}, the newest of"
            f" them {formats.instant(last.committed_at)}, cannot go on."
        )
    for name in found.dropped:
        kind = metadata.refs[name].kind
        yield f"Queries of {kind} {name} fail from then on."
    if found.named:
        yield "A snapshot in the middle of a branch goes: what came before it is no longer known as its history."


def _notes(files: Reachable) -> Iterator[Note]:
    if files.unreadable:
        told: Iterable[str] = (f"{path}: {reason}" for path, reason in files.unreadable.items())
        about = "files of what cannot be read"
        why = "The procedure would commit, and then fail on it too."
        yield Note("unknown", about, f"{' '.join(told)} {why}")
    else:
        yield Note("exact", "files", "Live entries of all manifests of the snapshots that go, less those that stay.")
