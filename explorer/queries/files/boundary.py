"""The files that are live at one snapshot and not at another, from the manifests that only one of the two lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.unreadable import Unreadable
from ..source import Source
from . import manifests, storage

_DELETED = 2  # status of an entry
MOST_FILES = 100_000

_REFUSED = "The files of these two snapshots cannot be compared."


@dataclass(frozen=True, slots=True)
class StoredBoundary:
    """Live entries of which two snapshots have one each.

    Attributes:
        removed: live at the start only. added: live at the end only. Bounded each.
        complete: whether these are all.
    """

    removed: tuple[StoredEntry, ...]
    added: tuple[StoredEntry, ...]
    complete: bool


def read(
    source: Source,
    start: Sequence[ListedManifest],
    end: Sequence[ListedManifest],
    *,
    statistics: bool = False,
    most: int = MOST_FILES,
    small_in_bytes: int = manifests.SMALL_IN_BYTES,
) -> StoredBoundary:
    """Compare two snapshots by their files.

    A file is one by its path and `content_offset`: several deletion vectors lie in one file.

    Args:
        source: the table.
        start: rows of the manifest list of one snapshot.
        end: rows of the other's.
        statistics: whether the entries shall have them.
        most: files brought to Python of each side.
        small_in_bytes: manifests larger than this together are decoded, and compared, in Spark tasks.

    Raises:
        UnreadableMetadata: a manifest cannot be read.

    Cost: the manifests that only one of the two lists.
    """
    kept = {m.path for m in start} & {m.path for m in end}
    before, after = ([m for m in listed if m.path not in kept] for listed in (start, end))
    if manifests.size_together([*before, *after]) > small_in_bytes:
        return _in_tasks(source, before, after, statistics, most)
    old, new = (_live(source, listed, statistics) for listed in (before, after))
    removed = [entry for key, entry in old.items() if key not in new]
    added = [entry for key, entry in new.items() if key not in old]
    return StoredBoundary(tuple(removed[:most]), tuple(added[:most]), max(len(removed), len(added)) <= most)


def _live(
    source: Source, listed: Sequence[ListedManifest], statistics: bool
) -> dict[tuple[str, int | None], StoredEntry]:
    stored = manifests.entries_here(source, listed, statistics=statistics)
    storage.refuse(stored.unreadable_files, _REFUSED)
    return {(entry.file_path, entry.content_offset): entry for entry in stored.entries if entry.status != _DELETED}


def _in_tasks(
    source: Source,
    before: Sequence[ListedManifest],
    after: Sequence[ListedManifest],
    statistics: bool,
    most: int,
) -> StoredBoundary:
    # Not `persist`: Spark forgets what is kept of a frame once a statement that names it has been analysed.
    sides = [manifests.entries(source, listed, statistics=statistics).localCheckpoint() for listed in (before, after)]
    for side in sides:
        unreadable_files = (
            side.where("unreadable IS NOT NULL").select("manifest_path", "unreadable", "unreadable_reason").collect()
        )
        storage.refuse([Unreadable(*unreadable) for unreadable in unreadable_files], _REFUSED)
    old, new = (side.where(F.col("status") != _DELETED) for side in sides)

    def only(here: object, there: object) -> tuple[StoredEntry, ...]:
        found = source.spark.sql(
            "SELECT * FROM {here} AS here WHERE NOT EXISTS (SELECT 1 FROM {there} AS there "
            "WHERE there.file_path = here.file_path AND there.content_offset <=> here.content_offset) LIMIT {most}",
            here=here,
            there=there,
            most=most + 1,
        )
        return manifests.stored_entries(found.collect())

    removed, added = only(old, new), only(new, old)
    return StoredBoundary(removed[:most], added[:most], max(len(removed), len(added)) <= most)
