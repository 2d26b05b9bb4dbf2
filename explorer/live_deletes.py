"""The deletes of one metadata file: which data file each reaches, and why a row is deleted or is not."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .commits import Commits
from .model import delete_counts, delete_rows, row_fate, stored_deletes
from .model.delete_counts import Counts
from .model.delete_scope import DeleteFile
from .model.delete_tally import tally
from .model.deletes import Deletes
from .model.inheritance import ListedManifest
from .model.key_ranges import key_ranges
from .model.row_fate import RowFate
from .model.table_metadata import Snapshot, TableMetadata
from .model.touched_files import is_unpartitioned
from .queries import deletes as stored
from .queries import row_fate as rows
from .queries.delete_counts import counts, without_deletes
from .queries.delete_pairs import PAIRS_IN_SCOPE, Sides, sides
from .queries.delete_sql import deletes_query
from .queries.deletes import MOST_AS_COLUMNS, PAIRS_IN_PYTHON, Place, StoredDeletes
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
        most_pairs, limits: of `queries.deletes.read`.
        most_as_columns: of `queries.deletes.data_columns`.
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
        most_pairs: int = PAIRS_IN_PYTHON,
        most_as_columns: int = MOST_AS_COLUMNS,
        **limits: int,
    ) -> None:
        self._spark, self._located, self._document = spark, located, document
        self._metadata, self._commits = metadata, commits
        self._most_in_scope, self._most_pairs, self._limits = most_in_scope, most_pairs, limits
        self._most_as_columns = most_as_columns
        self._read: OrderedDict[tuple[int, Place | None], _Known] = OrderedDict()

    def deletes(self, of: Snapshot, partition: Place | None = None) -> Deletes:
        """Every live delete with every live data file: pair by pair if they are few, else counted in Spark.

        Args:
            of: the snapshot.
            partition: whose data files alone are asked about, with the deletes that can reach them; all if None.
        """
        return self._known(of, partition).told

    def listed(self, of: Snapshot) -> tuple[ListedManifest, ...]:
        """The manifests of the snapshot; none if its list cannot be read."""
        return tuple(ListedManifest(**row) for row in self._known(of).stored.listed)

    def has_holes(self, of: Snapshot) -> bool:
        """Whether its manifest list, or a manifest that was opened, cannot be read."""
        read = self._known(of).stored
        return bool(read.list_hole or read.holes)

    def frame(self, of: Snapshot, partition: Place | None = None, *, ruled_out: bool) -> DataFrame:
        """All pairs that apply, with `ruled_out` all others too; lazy."""
        told = self._known(of, partition).told
        nothing = [delete_rows.nothing_row(d) for d in told.deletes if delete_rows.reaches_nothing(d)]
        pairs = ruled_out and told.data_file_count > 0  # without data files there are only deletes that reach nothing
        return self.sides(of, partition).frame(nothing, ruled_out=pairs)

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

    def sides(self, of: Snapshot, partition: Place | None = None) -> Sides:
        """Deletes and data files of a snapshot as frames, to be joined; lazy."""
        known = self._known(of, partition)
        return self._sides(known.stored, known.live, partition)

    def _known(self, of: Snapshot, partition: Place | None = None) -> _Known:
        asked = of.snapshot_id, partition
        if asked not in self._read:
            read, live = self._stored(of) if partition is None else self._stored_of_partition(of, partition)
            self._read[asked] = self._told(of, read, live, partition)
        self._read.move_to_end(asked)
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
        return self._read[asked]

    def _stored(self, of: Snapshot) -> tuple[StoredDeletes, tuple[DeleteFile, ...]]:
        read = stored.read(
            self._spark,
            self._document,
            of.snapshot_id,
            self._metadata.specs,
            self._commits.options,
            most_pairs=self._most_pairs,
            **self._limits,
        )
        return read, stored_deletes.live_deletes(self._metadata, read)

    def _stored_of_partition(self, of: Snapshot, partition: Place) -> tuple[StoredDeletes, tuple[DeleteFile, ...]]:
        known = self._known(of)
        inside = stored_deletes.in_partition(known.live, *partition)
        most = self._most_pairs // max(len(inside), 1)
        data = stored.data_of_partition(
            self._spark, known.stored, partition, self._metadata.specs, self._commits.options, most
        )
        keys = {delete.key for delete in inside}
        paths = {row["file_path"] for row in data or ()}  # a corrupt delete names one of them from elsewhere
        live = tuple(delete for delete in known.live if delete.key in keys or delete.data_file in paths)
        keys = {delete.key for delete in live}
        rows = tuple(row for row in known.stored.deletes if (row["file_path"], row["content_offset"]) in keys)
        unread = known.stored.delete_count - len(known.stored.deletes)
        return replace(known.stored, deletes=rows, delete_count=len(rows) + unread, data=data), live

    def _told(self, of: Snapshot, read: StoredDeletes, live: tuple[DeleteFile, ...], partition: Place | None) -> _Known:
        if read.data is not None:
            told = stored_deletes.every_pair_stored(of, read, live)
        else:
            found = self._counted(of, read, live, partition) if live or partition is not None else without_deletes(read)
            if partition is None:  # else they are known
                holes = stored.data_holes(
                    self._spark, read, found.data_files, self._metadata.specs, self._commits.options
                )
                read = replace(read, holes=(*read.holes, *holes))
            told = delete_counts.from_counts(of, read, live, found)
        return _Known(read, live, replace(told, partition=partition))

    def _counted(
        self, of: Snapshot, read: StoredDeletes, live: tuple[DeleteFile, ...], partition: Place | None
    ) -> Counts:
        """In columns of this process, else by joins in Spark."""
        if partition is None:
            keys = stored_deletes.keys_of(live)
            data = stored.data_columns(
                self._spark,
                self._located,
                of.snapshot_id,
                read,
                self._metadata.specs,
                [key.field_id for key in keys],
                optional=[key.field_id for key in keys if not key.required],
                names={delete.data_file for delete in live if delete.data_file is not None},
                most=self._most_as_columns,
            )
            if data is not None:
                return tally(data, stored_deletes.scope_rows(live), keys, most_in_scope=self._most_in_scope)
        return counts(self._spark, self._sides(read, live, partition), most_in_scope=self._most_in_scope)

    def _sides(self, read: StoredDeletes, live: Sequence[DeleteFile], partition: Place | None) -> Sides:
        keys = stored_deletes.keys_of(live)
        return sides(
            self._spark,
            read,
            stored_deletes.scope_rows(live),
            keys,
            partial(key_ranges, columns=keys),
            self._metadata.specs,
            self._commits.options,
            partition,
        )
