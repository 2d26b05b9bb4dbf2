"""The entries of the manifests that a snapshot lists: as stored, in Python with a bound, and as read, in Spark without.

Few or small manifests are decoded on the driver, entry by entry. More are counted in Spark tasks, manifest by manifest;
the entries of one of them, or of one file, are read when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import fields

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..model.entries.stored import EntryGroup, StoredEntries
from ..model.iceberg.inheritance import ListedManifest, StoredEntry
from ..model.iceberg.unreadable import Unreadable
from .files import entry_sql
from .files import manifests as stored_manifests
from .files.commits import manifest_lists
from .files.locate import Located
from .query import Query
from .rows.local_rows import local_rows
from .source import Source

ENTRIES_IN_PYTHON = 100_000
_MOST_KINDS = 100

_MANIFESTS = "manifest_path STRING, manifest_sequence_number BIGINT, manifest_first_row_id BIGINT"

_KINDS = """\
WITH kinds AS (
  SELECT
    manifest_path, unreadable, unreadable_reason, status, stored_sequence_number, stored_file_sequence_number,
    count(*) AS count, sum(record_count) AS rows, min(position) AS position
  FROM {entries}
  GROUP BY ALL
),
counted AS (
  SELECT *, count(*) OVER (PARTITION BY manifest_path) > {most} AS too_many FROM kinds
)
SELECT
  manifest_path, unreadable, unreadable_reason, status,
  IF(too_many, NULL, stored_sequence_number) AS stored_sequence_number,
  IF(too_many, NULL, stored_file_sequence_number) AS stored_file_sequence_number,
  too_many AND stored_sequence_number IS NOT NULL AS various_sequence_numbers,
  too_many AND stored_file_sequence_number IS NOT NULL AS various_file_sequence_numbers,
  sum(count) AS count, sum(rows) AS rows, min(position) AS position
FROM counted
GROUP BY ALL
"""

_AS_READ = """\
SELECT
  manifest_path,
  manifest_sequence_number,
{content},
  CASE status WHEN 0 THEN 'EXISTING' WHEN 1 THEN 'ADDED' WHEN 2 THEN 'DELETED' END AS status,
  file_path,
  content_offset,
  stored_snapshot_id,
  snapshot_id,
  stored_sequence_number,
  sequence_number,
  stored_file_sequence_number,
  file_sequence_number,
  stored_first_row_id,
  first_row_id,
  CASE
    WHEN stored_snapshot_id IS NOT NULL THEN 'stored'
    WHEN snapshot_id IS NULL THEN 'unknown'
    ELSE 'inherited'
  END AS snapshot_id_rule,
  {data_rule} AS sequence_number_rule,
  {file_rule} AS file_sequence_number_rule,
  CASE
    WHEN manifest_first_row_id IS NULL THEN 'no row lineage'
    WHEN stored_first_row_id IS NOT NULL THEN 'stored'
    WHEN first_row_id IS NULL THEN 'not inherited'
    ELSE 'assigned in order'
  END AS first_row_id_rule,
  position,
  spec_id,
  partition,
  record_count,
  file_size_in_bytes,
  content_size_in_bytes,
  file_format,
  referenced_data_file,
  equality_ids,
  sort_order_id
FROM {{entries}} JOIN {{manifests}} USING (manifest_path)
WHERE unreadable IS NULL
"""
_RULE = """\
CASE
    WHEN stored_{number} IS NOT NULL THEN 'stored'
    WHEN {number} IS NULL THEN 'not inherited'
    WHEN manifest_sequence_number = 0 THEN 'version 1'
    ELSE 'inherited'
  END"""
_AS_READ = _AS_READ.format(
    content=entry_sql.content(of=""),
    data_rule=_RULE.format(number="sequence_number"),
    file_rule=_RULE.format(number="file_sequence_number"),
)

_FOR_READERS = """\
-- Entries of the manifests of snapshot {id}, as a reader sees them: what a manifest stores as null is filled in here
-- already. Which numbers are stored and which are inherited, and the number of a manifest, SQL cannot see
SELECT
  input_file_name() AS manifest_path,
{content},
  CASE status WHEN 0 THEN 'EXISTING' WHEN 1 THEN 'ADDED' WHEN 2 THEN 'DELETED' END AS status,
  data_file.file_path,
  data_file.content_offset,
  snapshot_id,
  sequence_number,
  file_sequence_number,
  data_file.first_row_id,
  data_file.spec_id,
{partition}\
  data_file.record_count,
  data_file.file_size_in_bytes
FROM {name}.entries VERSION AS OF {id}
ORDER BY manifest_path, file_path, content_offset
"""


def read(
    source: Source,
    snapshot_id: int,
    *,
    only: Collection[str] | None = None,
    most: int = ENTRIES_IN_PYTHON,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
) -> StoredEntries:
    """The entries of a snapshot, all of them if its manifests are small together, else counted and some of them.

    Args:
        source: the table.
        snapshot_id: whose list is read.
        only: locations of the manifests to open; None for every one.
        most: entries brought to Python; of a snapshot with more, the first ones, and groups that count all.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.

    Cost: the manifest list and the manifests, each opened once; where they are counted, the first ones twice.
    """
    listed, unreadable = _listed(source, snapshot_id)
    if only is not None:
        listed = tuple(m for m in listed if m.path in only)
    if stored_manifests.size_together(listed) <= small_in_bytes and sum(m.entry_count for m in listed) <= most:
        stored = stored_manifests.entries_here(source, listed)
        return StoredEntries(listed, unreadable, stored.entries, unreadable_files=stored.unreadable_files)
    groups, unreadable_files = _counted(stored_manifests.entries(source, listed))
    gone = {h.path for h in unreadable_files}
    first = _first([m for m in listed if m.path not in gone], groups, most)
    return StoredEntries(
        listed,
        unreadable,
        _bounded(source, first, most, small_in_bytes),
        groups=groups,
        unreadable_files=unreadable_files,
    )


def read_file(
    source: Source,
    snapshot_id: int,
    file_path: str,
    content_offset: int | None = None,
    *,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
) -> StoredEntries:
    """The entries of one data or delete file in all manifests of a snapshot: more than one only in odd tables.

    Args:
        source: the table.
        snapshot_id: whose list is read.
        file_path: as the entries write it.
        content_offset: of one deletion vector, bytes; None for all that lie in the file.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.

    Cost: as of `read`.
    """
    listed, unreadable = _listed(source, snapshot_id)
    file = file_path, content_offset
    if stored_manifests.size_together(listed) <= small_in_bytes:
        stored = stored_manifests.entries_here(source, listed)
        found = tuple(
            entry
            for entry in stored.entries
            if entry.file_path == file_path and content_offset in (None, entry.content_offset)
        )
        return StoredEntries(listed, unreadable, found, unreadable_files=stored.unreadable_files, file=file)
    same = F.col("file_path") == file_path
    if content_offset is not None:
        same &= F.col("content_offset") == content_offset
    rows = stored_manifests.entries(source, listed).where(same | F.col("unreadable").isNotNull()).collect()
    return StoredEntries(
        listed,
        unreadable,
        _in_order(listed, [row for row in rows if row.unreadable is None]),
        unreadable_files=tuple(
            Unreadable(row.manifest_path, row.unreadable, row.unreadable_reason)
            for row in rows
            if row.unreadable is not None
        ),
        file=file,
    )


def frame(source: Source, listed: Sequence[ListedManifest]) -> DataFrame:
    """Every entry of these manifests, stored beside read values; lazy. A manifest that cannot be read has no row.

    Columns: manifest_path string; manifest_sequence_number bigint, 0 in version 1; content string (`data`, `position
    deletes`, `equality deletes`, `deletion vector`); status string (`EXISTING`, `ADDED`, `DELETED`); file_path string;
    content_offset bigint, bytes, only of deletion vectors; for X in snapshot_id, sequence_number (of the data),
    file_sequence_number, first_row_id: stored_X bigint, null where it is stored as null, X bigint, as a reader sees it,
    null where that is unknown; X_rule string, as of `model.iceberg.inheritance.Rule`; position bigint, in the manifest,
    from 0; spec_id int; partition string, empty if unpartitioned; record_count, file_size_in_bytes bigint;
    content_size_in_bytes bigint, file_format string, referenced_data_file string, equality_ids array<int>,
    sort_order_id int, nullable.

    The rules are those of `model.iceberg.inheritance`: specification, "Sequence Number Inheritance" and "Row Lineage".

    Args:
        source: the table.
        listed: rows of a manifest list.

    Cost: as of `files.manifests.entries`.
    """
    manifests = [(m.path, m.sequence_number or 0, m.first_row_id) for m in listed]
    return source.spark.sql(
        _AS_READ,
        entries=stored_manifests.entries(source, listed),
        manifests=F.broadcast(local_rows(source.spark, manifests, _MANIFESTS)),
    )


def entries_query(located: Located, snapshot_id: int, *, partitioned: bool) -> Query | None:
    """One row per entry as Iceberg's own metadata table reads it; what is stored as null it cannot show.

    Columns: manifest_path, content, status, file_path string; content_offset bigint, only of deletion vectors;
    snapshot_id, sequence_number, file_sequence_number bigint; first_row_id bigint, nullable; spec_id int; partition
    struct, only if the table has a partitioned spec; record_count, file_size_in_bytes bigint.

    Cost: Iceberg reads every manifest of the snapshot. None if the table has no name: SQL cannot name the entries of a
    metadata file.

    Args:
        located: the table.
        snapshot_id: whose manifests are read.
        partitioned: whether any spec of the table has fields; else there is no column `partition`.
    """
    if located.relation is None:
        return None
    text = _FOR_READERS.format(
        name=located.relation,
        id=snapshot_id,
        content=entry_sql.content(),
        partition=entry_sql.partition(partitioned),
    )
    return Query("entries", text)


def _listed(source: Source, snapshot_id: int) -> tuple[tuple[ListedManifest, ...], str]:
    listed = manifest_lists(source, [snapshot_id])[snapshot_id]
    return ((), listed) if isinstance(listed, str) else (listed, "")


def _counted(entries: DataFrame) -> tuple[tuple[EntryGroup, ...], tuple[Unreadable, ...]]:
    rows = entries.sparkSession.sql(_KINDS, entries=entries, most=_MOST_KINDS).collect()
    unreadable_files = tuple(
        Unreadable(row.manifest_path, row.unreadable, row.unreadable_reason)
        for row in rows
        if row.unreadable is not None
    )
    counted = sorted((row for row in rows if row.unreadable is None), key=lambda row: row.position)
    names = [field.name for field in fields(EntryGroup)]
    return tuple(EntryGroup(**{name: row[name] for name in names}) for row in counted), unreadable_files


def _first(listed: Sequence[ListedManifest], groups: Sequence[EntryGroup], most: int) -> list[ListedManifest]:
    """The first manifests, until they hold as many entries as are wanted."""
    counts = dict.fromkeys((m.path for m in listed), 0)
    for group in groups:
        counts[group.manifest_path] += group.count
    first: list[ListedManifest] = []
    for manifest in listed:
        if most <= 0:
            break
        first.append(manifest)
        most -= counts[manifest.path]
    return first


def _bounded(
    source: Source,
    listed: Sequence[ListedManifest],
    most: int,
    small_in_bytes: int,
) -> tuple[StoredEntry, ...]:
    if stored_manifests.size_together(listed) <= small_in_bytes:
        return stored_manifests.entries_here(source, listed).entries[:most]
    rows = stored_manifests.entries(source, listed).where(F.col("position") < most).collect()
    return _in_order(listed, rows)[:most]


def _in_order(listed: Sequence[ListedManifest], rows: Sequence[Row]) -> tuple[StoredEntry, ...]:
    place = {m.path: i for i, m in enumerate(listed)}
    return tuple(
        sorted(stored_manifests.stored_entries(rows), key=lambda entry: (place[entry.manifest_path], entry.position))
    )
