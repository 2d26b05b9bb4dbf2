"""The deletes of one metadata file: which data file each reaches, and why a row is deleted or is not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .commits import Commits
from .model import delete_counts, delete_rows, row_fate, stored_deletes
from .model.delete_scope import DeleteFile
from .model.deletes import Deletes
from .model.key_ranges import key_ranges
from .model.row_fate import RowFate
from .model.table_metadata import Snapshot, TableMetadata
from .model.touched_files import is_unpartitioned
from .queries import deletes as stored
from .queries import row_fate as rows
from .queries.delete_counts import counts, without_deletes
from .queries.delete_pairs import PAIRS_IN_SCOPE, Sides, sides
from .queries.delete_sql import deletes_query
from .queries.deletes import StoredDeletes
from .queries.find_table import Located
from .queries.query import Query

_KEPT = 4  # snapshots


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of a snapshot, its live deletes, and what they reach."""

    stored: StoredDeletes
    live: tuple[DeleteFile, ...]
    told: Deletes


class LiveDeletes:
    """Tells what the live deletes of a snapshot reach.

    Args:
        spark, located, document, metadata, commits: the table as it is opened.
        most_in_scope: of `queries.delete_counts.counts`.
        limits: of `queries.deletes.read`.
    """

    def __init__(
        self,
        spark: SparkSession,
        located: Located,
        document: Any,
        metadata: TableMetadata,
        commits: Commits,
        *,
        most_in_scope: int = PAIRS_IN_SCOPE,
        **limits: int,
    ) -> None:
        self._spark, self._located, self._document = spark, located, document
        self._metadata, self._commits = metadata, commits
        self._most_in_scope, self._limits = most_in_scope, limits
        self._read: OrderedDict[int, _Known] = OrderedDict()

    def deletes(self, of: Snapshot) -> Deletes:
        """Every live delete with every live data file: pair by pair if they are few, else counted in Spark."""
        return self._known(of).told

    def frame(self, of: Snapshot, *, ruled_out: bool) -> DataFrame:
        """All pairs that apply, with `ruled_out` all others too; lazy."""
        told = self._known(of).told
        nothing = [delete_rows.nothing_row(d) for d in told.deletes if delete_rows.reaches_nothing(d)]
        pairs = ruled_out and told.data_file_count > 0  # without data files there are only deletes that reach nothing
        return self.sides(of).frame(nothing, ruled_out=pairs)

    def query(self, of: Snapshot) -> Query | None:
        """The same as SQL; None if the table has no name."""
        metadata = self._metadata
        names = {f.field_id: f.path for f in metadata.schemas.get(metadata.current_schema_id or 0, ())}
        return deletes_query(
            self._located,
            of.snapshot_id,
            partitioned=any(metadata.specs.values()),
            unpartitioned_specs=[i for i, spec in metadata.specs.items() if is_unpartitioned(spec)],
            keys=[
                (key.field_id, names[key.field_id], key.required)
                for key in stored_deletes.keys_of(self._known(of).live)
                if key.field_id in names
            ],
        )

    def fate(self, of: Snapshot, condition: str, *, most: int = rows.ROWS) -> tuple[RowFate, str]:
        """Why the rows that meet a condition are masked, or are not, `most` of them; and SQL that shows these rows.

        Raises:
            ExplorerError: the condition cannot be asked.
        """
        known = self._known(of)
        filterable = rows.filterable(self._document, of.snapshot_id)
        matched = rows.matching(self._spark, self._located, of.snapshot_id, condition, filterable=filterable, most=most)
        files = [row["_file"] for row in matched.rows]
        entries = rows.data_entries(self._spark, known.stored, files, self._metadata.specs, self._commits.options)
        data = {file.file_path: file for file in stored_deletes.data_files(known.stored, entries, known.live)}
        asked = {delete.key for file in data.values() for delete, _ in row_fate.concerned(file, known.live)}
        wanted = [row for row in known.stored.deletes if (row["file_path"], row["content_offset"]) in asked]
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
            known.live,
            held,
            unread,
            tuple(stored_deletes.notes(known.stored)),
        )
        return told, matched.sql

    def sides(self, of: Snapshot) -> Sides:
        """Deletes and data files of a snapshot as frames, to be joined; lazy."""
        known = self._known(of)
        return self._sides(known.stored, known.live)

    def _known(self, of: Snapshot) -> _Known:
        if of.snapshot_id not in self._read:
            read = stored.read(
                self._spark, self._document, of.snapshot_id, self._metadata.specs, self._commits.options, **self._limits
            )
            live = stored_deletes.live_deletes(self._metadata, read)
            self._read[of.snapshot_id] = _Known(read, live, self._told(of, read, live))
        self._read.move_to_end(of.snapshot_id)
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
        return self._read[of.snapshot_id]

    def _told(self, of: Snapshot, read: StoredDeletes, live: Sequence[DeleteFile]) -> Deletes:
        if read.data is not None:
            return stored_deletes.every_pair_stored(of, read, live)
        found = (
            counts(self._spark, self._sides(read, live), most_in_scope=self._most_in_scope)
            if live
            else without_deletes(read)
        )
        return delete_counts.from_counts(of, read, live, found)

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
