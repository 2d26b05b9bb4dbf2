"""The live deletes and data files of a snapshot, read from its manifests, for the rule of their scope to be applied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.deletes.stored_deletes import StoredDeletes
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.statistics import NO_STATISTICS
from ...model.iceberg.unreadable import Unreadable
from ..source import Source
from . import manifests as stored_manifests
from .commits import manifest_lists

DATA, _EQUALITY_DELETES = 0, 2  # content of a file
_DELETED = 2  # status of an entry
PAIRS_IN_PYTHON = 20_000
"""Up to so many pairs of a delete and a data file the rule is applied to each on the driver."""
DELETES_IN_PYTHON = 200_000

Place = tuple[int, str]
"""Spec id and partition, such as `region=EU`; empty if unpartitioned."""


def read(
    source: Source,
    snapshot_id: int,
    *,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
    most_pairs: int = PAIRS_IN_PYTHON,
) -> StoredDeletes:
    """Read the live deletes of a snapshot, and its live data files if their pairs are few.

    Args:
        source: the table.
        snapshot_id: whose deletes are asked for.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.
        most_pairs: of deletes and data files, up to which `data` is given.

    Cost: the manifest list and the delete manifests; the data manifests if they are small together and, by the counts
    of the list, their files few.
    """
    listed = manifest_lists(source, [snapshot_id])[snapshot_id]
    if isinstance(listed, str):
        return StoredDeletes((), listed, (), 0, (), statistics=False)
    deletes, count, unreadable_files = live(
        source,
        delete_manifests(listed),
        statistics=True,
        most=DELETES_IN_PYTHON,
        small_in_bytes=small_in_bytes,
    )
    statistics = any(map(_has_statistics, deletes))
    manifests = data_manifests(listed)
    data: tuple[StoredEntry, ...] | None = None
    if count * live_files(manifests) <= most_pairs and stored_manifests.size_together(manifests) <= small_in_bytes:
        data, _, unreadable = live(source, manifests, statistics=statistics, small_in_bytes=small_in_bytes)
        unreadable_files = (*unreadable_files, *unreadable)
        if count * len(data) > most_pairs:
            data = None
    return StoredDeletes(listed, "", deletes, count, data, statistics, unreadable_files)


def data_of_partition(
    source: Source,
    stored: StoredDeletes,
    place: Place,
    most: int,
) -> tuple[StoredEntry, ...] | None:
    """The live data files of one partition, as `StoredDeletes.data` has them; None if there are more than `most`.

    Cost: nothing if `stored` holds the data files, else the data manifests of that spec.
    """
    if stored.data is not None:
        found = tuple(entry for entry in stored.data if (entry.spec_id, entry.partition) == place)
    else:
        manifests = [m for m in data_manifests(stored.listed) if m.partition_spec_id == place[0]]
        entries = stored_manifests.entries(source, manifests, statistics=stored.statistics)
        found = stored_manifests.stored_entries(in_place(live_rows(entries), place).limit(most + 1).collect())
    return found if len(found) <= most else None


def unreadable_data(source: Source, stored: StoredDeletes, data_files: int) -> tuple[Unreadable, ...]:
    """Data manifests that cannot be read, where fewer data files were found in all of them than the list counts.

    Cost: nothing if the list counts as many, else the data manifests.
    """
    manifests = data_manifests(stored.listed)
    if data_files >= live_files(manifests):
        return ()
    return stored_manifests.unreadable_files(stored_manifests.entries(source, manifests))


def data_manifests(listed: Iterable[ListedManifest]) -> list[ListedManifest]:
    """The rows of a manifest list that are manifests of data files."""
    return [m for m in listed if m.content == DATA]


def delete_manifests(listed: Iterable[ListedManifest]) -> list[ListedManifest]:
    """The others, of delete files and deletion vectors."""
    return [m for m in listed if m.content != DATA]


def live(
    source: Source,
    manifests: Sequence[ListedManifest],
    *,
    statistics: bool = False,
    most: int | None = None,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
) -> tuple[tuple[StoredEntry, ...], int, tuple[Unreadable, ...]]:
    """Live entries of manifests, at most so many if that is said; how many there are; which manifests are unreadable.

    Cost: the bytes of the manifests; those of more than `small_in_bytes` together are decoded in Spark tasks.
    """
    if stored_manifests.size_together(manifests) <= small_in_bytes:
        stored = stored_manifests.entries_here(source, manifests, statistics=statistics)
        found = live_entries(stored.entries)
        return found[:most], len(found), stored.unreadable_files
    frame = stored_manifests.entries(source, manifests, statistics=statistics)
    unreadable_files, rows = stored_manifests.unreadable_files(frame), live_rows(frame)
    found = stored_manifests.stored_entries((rows if most is None else rows.limit(most + 1)).collect())
    count = len(found) if most is None or len(found) <= most else rows.count()
    return found[:most], count, unreadable_files


def live_rows(entries: DataFrame) -> DataFrame:
    """The live ones of `files.manifests.entries`."""
    return entries.where(f"unreadable IS NULL AND status <> {_DELETED}")


def in_place(files: DataFrame, place: Place) -> DataFrame:
    """The files of one partition, of a frame with spec_id and partition."""
    return files.where((F.col("spec_id") == place[0]) & (F.col("partition") == place[1]))


def live_entries(entries: Iterable[StoredEntry]) -> tuple[StoredEntry, ...]:
    """Without those that a manifest lists as deleted."""
    return tuple(entry for entry in entries if entry.status != _DELETED)


def live_table(entries: pa.Table) -> pa.Table:
    """The same of decoded entries as a table; tasks may call it."""
    return entries.filter(pc.not_equal(entries["status"], _DELETED))


def live_files(manifests: Iterable[ListedManifest]) -> int:
    """Live files as the list counts them; 0 of a manifest that it does not count."""
    return sum((m.added_files_count or 0) + (m.existing_files_count or 0) for m in manifests)


def _has_statistics(delete: StoredEntry) -> bool:
    keys = delete.equality_ids if delete.content == _EQUALITY_DELETES else ()
    return delete.statistics.of(keys or ()) != NO_STATISTICS
