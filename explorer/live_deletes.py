"""The deletes of one metadata file: which data file each reaches, and why a row is deleted or is not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .commits import Commits
from .model import delete_counts, delete_rows, row_fate, stored_deletes
from .model.delete_scope import DeleteFile, data_file
from .model.deletes import Deletes
from .model.inheritance import ListedManifest, StoredEntry
from .model.key_ranges import key_ranges
from .model.row_fate import RowFate
from .model.table_metadata import Snapshot, TableMetadata
from .model.touched_files import is_unpartitioned
from .queries import deletes as stored
from .queries import row_fate as rows
from .queries.delete_counts import counts, without_deletes
from .queries.delete_pairs import Sides, sides
from .queries.delete_sql import deletes_query
from .queries.deletes import StoredDeletes
from .queries.find_table import Located
from .queries.query import Query

_KEPT = 4  # snapshots


class LiveDeletes:
    """Tells what the live deletes of a snapshot reach."""

    def __init__(
        self, spark: SparkSession, located: Located, document: Any, metadata: TableMetadata, commits: Commits
    ) -> None:
        self._spark, self._located, self._document = spark, located, document
        self._metadata, self._commits = metadata, commits
        self._read: OrderedDict[int, tuple[StoredDeletes, Deletes]] = OrderedDict()

    def deletes(self, of: Snapshot) -> Deletes:
        """Every live delete with every live data file: pair by pair if they are few, else counted in Spark."""
        return self._known(of)[1]

    def frame(self, of: Snapshot, *, ruled_out: bool) -> DataFrame:
        """All pairs that apply, with `ruled_out` all others too; lazy."""
        read, told = self._known(of)
        nothing = [delete_rows.nothing_row(d) for d in told.deletes if delete_rows.reaches_nothing(d)]
        pairs = ruled_out and told.data_file_count > 0  # without data files there are only deletes that reach nothing
        return self._sides(read, self._live(read)).frame(nothing, ruled_out=pairs)

    def query(self, of: Snapshot) -> Query | None:
        """The same as SQL; None if the table has no name."""
        read, _ = self._known(of)
        metadata = self._metadata
        names = {f.field_id: f.path for f in metadata.schemas.get(metadata.current_schema_id or 0, ())}
        return deletes_query(
            self._located,
            of.snapshot_id,
            partitioned=any(metadata.specs.values()),
            unpartitioned_specs=[i for i, spec in metadata.specs.items() if is_unpartitioned(spec)],
            keys=[
                (key.field_id, names[key.field_id], key.required)
                for key in stored_deletes.keys_of(self._live(read))
                if key.field_id in names
            ],
        )

    def fate(self, of: Snapshot, condition: str) -> tuple[RowFate, str]:
        """Why the rows that meet a condition are masked, or are not; and SQL that shows these rows.

        Raises:
            ExplorerError: the condition cannot be asked.
        """
        read, _ = self._known(of)
        deletes = self._live(read)
        filterable = rows.filterable(self._document, of.snapshot_id)
        matched = rows.matching(self._spark, self._located, of.snapshot_id, condition, filterable=filterable)
        files = [row["_file"] for row in matched.rows]
        entries = rows.data_entries(self._spark, read, files, self._metadata.specs, self._commits.options)
        listed = {m["path"]: ListedManifest(**m) for m in read.listed}
        keys = stored_deletes.keys_of(deletes)
        data = {
            entry["file_path"]: data_file(listed[entry["manifest_path"]], StoredEntry.from_row(entry), entry, keys)
            for entry in entries
        }
        asked = {delete.key for file in data.values() for delete, _ in row_fate.concerned(file, deletes)}
        wanted = [row for row in read.deletes if (row["file_path"], row["content_offset"]) in asked]
        held, unread = rows.holding(
            self._spark, self._located, of.snapshot_id, matched, wanted, self._document, self._commits.options
        )
        told = row_fate.row_fate(
            of,
            condition,
            matched.columns,
            [row_fate.Row(r["_file"], r["_pos"], tuple(r["values"]), r["_deleted"]) for r in matched.rows],
            (matched.live, matched.masked),
            data,
            deletes,
            held,
            unread,
            tuple(stored_deletes.notes(read)),
        )
        return told, matched.sql

    def _known(self, of: Snapshot) -> tuple[StoredDeletes, Deletes]:
        if of.snapshot_id not in self._read:
            read = stored.read(self._spark, self._document, of.snapshot_id, self._metadata.specs, self._commits.options)
            self._read[of.snapshot_id] = read, self._told(of, read)
        self._read.move_to_end(of.snapshot_id)
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
        return self._read[of.snapshot_id]

    def _told(self, of: Snapshot, read: StoredDeletes) -> Deletes:
        if read.data is not None:
            return stored_deletes.from_stored(self._metadata, of.snapshot_id, read)
        live = self._live(read)
        found = counts(self._spark, self._sides(read, live)) if live else without_deletes(read)
        return delete_counts.from_counts(of, read, live, found)

    def _live(self, read: StoredDeletes) -> tuple[DeleteFile, ...]:
        return stored_deletes.live_deletes(self._metadata, read)

    def _sides(self, read: StoredDeletes, live: Sequence[DeleteFile]) -> Sides:
        keys = stored_deletes.keys_of(live)
        return sides(
            self._spark,
            read,
            stored_deletes.scope_rows(live),
            keys,
            partial(key_ranges, columns=keys),
            self._metadata.specs,
            self._commits.options,
        )
