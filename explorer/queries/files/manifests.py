"""Manifest lists and manifests as stored: what no metadata table shows, since Spark's show only what is read.

Two ways with equal answers: few or small manifests are decoded on the driver, which starts no Python worker; more of
them in Spark tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import repeat
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.document import Specs
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.partition_changes import ChangeGroup
from ...model.iceberg.statistics import NO_STATISTICS, Statistics
from ...model.iceberg.unreadable import Unreadable
from .. import tasks
from ..rows.local_rows import local_rows
from ..source import Source
from . import avro, storage, task_files
from .avro import Decoded, decoded
from .avro_file import NotReadable
from .list_rows import LIST, ManifestList, as_row
from .sent_tables import by_value
from .task_files import Opened, for_tasks

# Up to this the driver is done before Python workers have started: `files.history` says what a manifest and a job take.
SMALL_IN_BYTES = 8_000_000
# One Arrow batch holds the files of a task, so a task of much more would strain a worker's memory.
_TASK_IN_BYTES = 16_000_000
_LENGTH_IF_UNKNOWN = 500_000
_EXISTING = 0  # status of an entry

_UNREADABLE = pa.schema({"unreadable": pa.string(), "unreadable_reason": pa.string()})
_OF_ENTRY = [field.name for field in fields(StoredEntry) if field.name != "statistics"]
_DDL = {
    pa.string(): "STRING",
    pa.int32(): "INT",
    pa.int64(): "BIGINT",
    pa.list_(pa.int32()): "ARRAY<INT>",
    pa.map_(pa.int32(), pa.int64()): "MAP<INT, BIGINT>",
    pa.map_(pa.int32(), pa.binary()): "MAP<INT, BINARY>",
}


@dataclass(frozen=True, slots=True)
class Stored:
    """Entries that were read, and the files that could not be; `entries` are complete but for those files."""

    entries: tuple[StoredEntry, ...]
    unreadable_files: tuple[Unreadable, ...] = ()


def manifest_list(source: Source, path: str, snapshot_id: int | None = None) -> tuple[ListedManifest, ...] | Unreadable:
    """The rows of one manifest list, in its order; of a list that is known to be of `snapshot_id`, if given.

    Cost: one file; a small Spark job if this process cannot open it itself.
    """
    read, unreadable = storage.contents(source.spark, [path], source.options)
    if path in unreadable:
        return unreadable[path]
    try:
        return tuple(ManifestList.of(read[path], snapshot_id).rows())
    except NotReadable as error:
        return Unreadable(path, "damaged", str(error))


def inline_manifests(paths: Sequence[str]) -> tuple[ListedManifest, ...]:
    """Rows like those of a manifest list, for a version 1 snapshot that names its manifests in the metadata file.

    Nothing is known of them but their paths. Source: specification, "Snapshots" (`manifests`, version 1 only).
    """
    unknown: dict[str, Any] = dict.fromkeys(LIST)
    return tuple(ListedManifest(**unknown | {"path": path, "content": 0}) for path in paths)


def lists_of(document: Any) -> tuple[dict[int, str], dict[int, tuple[ListedManifest, ...] | str]]:
    """Where each snapshot of a metadata file lists its manifests.

    Returns:
        By snapshot id the location of its manifest list; and of those without one their manifests, as far as the
        metadata file names them itself, or that it does not: a sentence.
    """
    located: dict[int, str] = {}
    others: dict[int, tuple[ListedManifest, ...] | str] = {}
    for item in document.get("snapshots") or ():
        if item.get("manifest-list"):
            located[item["snapshot-id"]] = item["manifest-list"]
        elif item.get("manifests"):
            others[item["snapshot-id"]] = inline_manifests(item["manifests"])
        else:
            others[item["snapshot-id"]] = "The metadata names no manifest list for it."
    return located, others


def size_together(listed: Iterable[ListedManifest]) -> int:
    """Size of these manifests together, bytes; one of unknown length counts as half a megabyte."""
    return sum(m.length or _LENGTH_IF_UNKNOWN for m in listed)


def entries_here(
    source: Source,
    listed: Sequence[ListedManifest],
    *,
    statistics: bool = False,
    changes_only: bool = False,
) -> Stored:
    """Entries of manifests of at most `SMALL_IN_BYTES`, decoded on the driver.

    Args:
        source: the table.
        listed: rows of a manifest list.
        statistics: the counts and bounds of columns too.
        changes_only: leave EXISTING entries out.

    Cost: the bytes of the manifests; one Spark job for all that this process cannot open itself.
    """
    entries, unreadable = table_here(source, listed, statistics=statistics, changes_only=changes_only)
    return Stored(tuple(of_columns(entries.to_pydict())), unreadable)


def table_here(
    source: Source,
    listed: Sequence[ListedManifest],
    *,
    statistics: bool = False,
    changes_only: bool = False,
) -> tuple[pa.Table, tuple[Unreadable, ...]]:
    """The same with the entries as a table, whose columns are those of `entries` but for `unreadable`."""
    if source.decoded is None:
        found, _, unreadable = _decoded_here(source, listed, statistics=statistics, changes_only=changes_only)
        return found.entries, unreadable
    entries, unreadable = source.decoded.read(
        listed, lambda some: _decoded_here(source, some, statistics=True, changes_only=False)
    )
    entries = entries.filter(pc.not_equal(entries["status"], _EXISTING)) if changes_only else entries
    return entries if statistics else entries.select(avro.ENTRY.names), unreadable


def _decoded_here(
    source: Source, listed: Sequence[ListedManifest], *, statistics: bool, changes_only: bool
) -> tuple[Decoded, list[ListedManifest], tuple[Unreadable, ...]]:
    """Of those of the manifests that can be had, which are these, what they hold; and the unreadable ones."""
    read, unreadable = storage.contents(source.spark, [m.path for m in listed], source.options)
    there = [m for m in listed if m.path not in unreadable]
    contents = ((m, read[m.path]) for m in there)
    found = decoded(contents, source.specs, statistics=statistics, changes_only=changes_only)
    for index, reason in found.unreadable.items():
        unreadable[there[index].path] = Unreadable(there[index].path, "damaged", reason)
    return found, there, tuple(unreadable.values())


def entries(
    source: Source,
    listed: Sequence[ListedManifest],
    *,
    statistics: bool = False,
    changes_only: bool = False,
) -> DataFrame:
    """Entries of any number of manifests, decoded in Spark tasks; arguments as of `entries_here`.

    Columns, null where the manifest has none: manifest_path string, as listed; of the manifest's own Avro header
    manifest_format_version int, manifest_content string (`data`, `deletes`), manifest_spec_id int; position bigint, in
    the manifest, from 0; status int (0 EXISTING, 1 ADDED, 2 DELETED); stored_snapshot_id, stored_sequence_number,
    stored_file_sequence_number, stored_first_row_id bigint, null where it is to be inherited; content int (0 data,
    1 position deletes, 2 equality deletes); file_path, file_format string; spec_id int; partition string, such as
    `region=EU/day=2026-11-20`, empty if unpartitioned; record_count bigint; file_size_in_bytes bigint;
    equality_ids array<int>; referenced_data_file string; content_offset, content_size_in_bytes bigint;
    sort_order_id int; unassigned_rows_before bigint: rows of earlier live entries without a stored first row id, which
    is what `first_row_id` of the manifest has advanced by; snapshot_id, sequence_number (of the data),
    file_sequence_number, first_row_id bigint: as a reader sees them, null where not known. With `statistics`:
    value_counts, null_value_counts,
    nan_value_counts map<int,bigint>, lower_bounds, upper_bounds map<int,binary>, by field id.

    A manifest that cannot be read has one row, with its path, `unreadable` (`missing`, `refused`, `damaged`) and
    `unreadable_reason`; in all others both are null.

    Cost: now, of `task_files.missing`; when it runs, the bytes of the manifests, once. The workers need
    `tasks.LIBRARIES`; where they lack one the manifests are decoded in this process, now: see `tasks.mapped`.
    """
    schema = pa.schema([*avro.ENTRY, *(avro.STATISTICS if statistics else ()), *_UNREADABLE])
    ddl = ", ".join(f"`{field.name}` {_DDL[field.type]}" for field in schema)
    by_path = {m.path: m for m in listed}
    if not by_path:
        return local_rows(source.spark, [], ddl)
    parts = tasks.number(source.spark, len(by_path), size_together(listed), most_bytes=_TASK_IN_BYTES)
    files = for_tasks(source, list(by_path), parts)
    decode = _decoder(files.opened, by_path, source.specs, schema, statistics=statistics, changes_only=changes_only)
    frame = tasks.mapped(files.frame, decode, ddl)
    rows = []
    for file in task_files.missing(source, files, list(by_path)):
        told = {"manifest_path": file.path, "unreadable": file.kind, "unreadable_reason": file.reason}
        rows.append(tuple(told.get(name) for name in schema.names))
    return frame.unionAll(local_rows(source.spark, rows, ddl)) if rows else frame


def all_readable(frame: DataFrame, refused: str) -> DataFrame:
    """Rows of `entries`, or some of them with those of unreadable manifests, decoded now and kept by Spark.

    Raises:
        UnreadableMetadata: a manifest cannot be read; `refused` is a sentence that says what cannot be told then.
    """
    kept, unreadable = decoded_once(frame)
    storage.refuse(unreadable, refused)
    return kept


def decoded_once(frame: DataFrame) -> tuple[DataFrame, tuple[Unreadable, ...]]:
    """Such rows, decoded now and kept by Spark, without those of the manifests that cannot be read; and these."""
    # Not `persist`: Spark forgets what is kept of a frame once a statement that names it has been analysed.
    kept = frame.localCheckpoint()
    return kept.where("unreadable IS NULL"), unreadable_files(kept)


def unreadable_files(frame: DataFrame) -> tuple[Unreadable, ...]:
    """The manifests of `entries` that cannot be read. Cost: a job that reads what the frame does."""
    told = frame.where("unreadable IS NOT NULL").select("manifest_path", "unreadable", "unreadable_reason")
    return tuple(Unreadable(*row) for row in told.collect())


def counted(frame: DataFrame) -> tuple[ChangeGroup, ...]:
    """All of `entries`, or some of them, by what they have in common."""
    size = F.coalesce("content_size_in_bytes", "file_size_in_bytes")
    sums = frame.groupBy("spec_id", "partition", "content", "file_format", "status").agg(
        F.count("*").alias("files"), F.sum("record_count").alias("record_count"), F.sum(size).alias("size_in_bytes")
    )
    return tuple(ChangeGroup(**row.asDict()) for row in sums.collect())


def stored_entries(rows: Sequence[Row]) -> tuple[StoredEntry, ...]:
    """Values of collected rows of `entries`, all of them of manifests that could be read."""
    if not rows:
        return ()
    columns = map(list, zip(*rows, strict=True))
    return tuple(of_columns(dict(zip(rows[0].__fields__, columns, strict=True))))


def of_columns(columns: Mapping[str, Sequence[Any]]) -> Iterator[StoredEntry]:
    """Entries as values, from columns as of `avro.ENTRY`."""
    columns = dict(columns)
    columns["equality_ids"] = [None if ids is None else tuple(ids) for ids in columns["equality_ids"]]
    known = [[dict(found or ()) for found in columns[name]] for name in avro.STATISTICS.names if name in columns]
    statistics = map(Statistics, *known) if known else repeat(NO_STATISTICS)
    return map(StoredEntry, *(columns[name] for name in _OF_ENTRY), statistics)


def _decoder(
    opened: Callable[[Iterable[pa.RecordBatch]], Iterator[list[Opened]]],
    by_path: Mapping[str, ListedManifest],
    specs: Specs,
    schema: pa.Schema,
    *,
    statistics: bool,
    changes_only: bool,
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does, as a function that needs nothing of this package where it runs."""
    by_value(__name__)
    plain = {path: as_row(manifest) for path, manifest in by_path.items()}  # Spark 3.5 loses values with slots
    fields = {spec_id: [dict(field) for field in spec] for spec_id, spec in specs.items()}

    def decode(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for files in opened(batches):
            faults = [content for _, content in files if isinstance(content, Unreadable)]
            there = [(path, content) for path, content in files if not isinstance(content, Unreadable)]
            contents = ((ListedManifest(*plain[path]), content) for path, content in there)
            found = decoded(contents, fields, statistics=statistics, changes_only=changes_only)
            faults += [Unreadable(there[n][0], "damaged", reason) for n, reason in found.unreadable.items()]
            told = {
                "manifest_path": [fault.path for fault in faults],
                "unreadable": [fault.kind for fault in faults],
                "unreadable_reason": [fault.reason for fault in faults],
            }
            for part in (found.entries, pa.table(told)):
                have = part.column_names
                arrays = [part[f.name].cast(f.type) if f.name in have else pa.nulls(len(part), f.type) for f in schema]
                yield from pa.Table.from_arrays(arrays, schema=schema).to_batches()

    return decode
