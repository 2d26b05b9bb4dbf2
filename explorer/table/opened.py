"""A table that was opened: what was read of it, and what became of it since. The questions are in `Table`."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import Self

from pyspark.sql import SparkSession

from .. import engine
from ..model.iceberg.key_candidates import KeyCandidate
from ..model.iceberg.metadata import Snapshot, TableMetadata
from ..model.iceberg.table_change import TableChange
from ..model.overview.facts import Overview
from ..model.search.facts import Found
from ..model.silence import Remote
from ..model.snapshot_graph.facts import SnapshotGraph
from ..queries.files import locate as find_table
from ..queries.files.locate import Located
from ..queries.rows import conditions
from ..queries.rows.schema_mapping import current_schema
from . import search
from .asked import Asked
from .references import Reference
from .version import TableVersion


class OpenedTable:
    """One Iceberg table as it was when its metadata was read."""

    def __init__(self, spark: SparkSession, located: Located) -> None:
        self._version = TableVersion.read(spark, located)

    @classmethod
    def open(cls, name: str, spark: SparkSession | None = None) -> Self:
        """Find a table by catalog name, metadata file, folder or bundle, and read its metadata.

        Args:
            name: `catalog.namespace.table` with any number of namespace levels and backquotes where needed, or the
                path of a metadata file, of the table's folder, or of a bundle (`NAME.iceberg.zip`).
            spark: the session to ask; else the active one, `SPARK_REMOTE`, or one started here.

        Raises:
            TableNotFound, NotAnIcebergTable, AccessDenied, Unreachable, UnreadableMetadata: each says what was found.
            ExplorerError: a bundle that cannot be opened.
        """
        session = engine.session(spark)
        with engine.answering(session):
            return cls(session, find_table.locate(session, name))

    # the table as it was read

    @property
    def name(self) -> str:
        """How SQL names the table, or the path it was opened by."""
        return self._version.name

    @property
    def spark(self) -> SparkSession:
        """The session that answers."""
        return self._version.spark

    @property
    def relation(self) -> str | None:
        """How SQL names the table; None if it was opened by its file."""
        return self._version.located.relation

    @property
    def metadata(self) -> TableMetadata:
        """The metadata file as a value."""
        return self._version.metadata

    @property
    def metadata_location(self) -> str:
        """Location of the metadata file that was read."""
        return self._version.metadata_location

    @property
    def remote(self) -> Remote:
        """Where its files and its catalog are, should they not answer. Cost: a query about settings."""
        return self._version.remote

    @property
    def read_at(self) -> datetime:
        """When the metadata was read (UTC)."""
        return self._version.read_at

    @property
    def asked(self) -> Asked:
        """What was asked of the table so far."""
        return self._version.asked

    @property
    def graph(self) -> SnapshotGraph:
        """The graph of the metadata that was read; laid out once."""
        return self._version.graph

    @property
    def overview(self) -> Overview:
        """The totals after each commit and the rows changed per day, from the snapshots' summaries; told once."""
        return self._version.every_reader.overview

    @property
    def example_condition(self) -> str:
        """A condition over the table's columns as they are now, to start from: `order_id = 42`."""
        return conditions.example(current_schema(self._version.source.document))

    def snapshot(self, which: int | str) -> Snapshot:
        """A snapshot by id (int or text), branch, tag or sequence number.

        A number that is both is taken as the id; `reference` tells.

        Raises:
            UnknownSnapshot: none of that name, or several of that sequence number; says what there is.
        """
        return self._version.snapshot(which)

    def find(self, text: str) -> Found:
        """What a text means, whatever kind of name it is: for one field that takes them all.

        In this order, the first as the answer and what else it may mean in `others`: a branch or tag of that name; a
        sequence number (`6`); a snapshot's id, or its last digits (`…9118`, `6 …9118`, or four digits and more); a time
        in UTC (`2026-03-14`, `2026-03-14 10:20`, ISO 8601: the commit that was current on main as that day or minute
        ended); a condition on rows (`id = 5`); a partition (`day=2026-03-14`, or a part of it); a data or delete file,
        by the end or a part of its path. A number is sought as a partition's value, and not as a part. A partition
        field with a value is a partition before it is a condition.

        Cost: nothing, for commits and conditions; for partitions and files the manifests, as of `sequence_timeline`,
        and only where the text can be nothing else, names a partition field, or they were read already.

        Raises:
            NothingFound: nothing that is listed; says what is near, in `nearest` too.
            UnreadableMetadata: manifests would have to be read, and no manifest of the table can be.
        """
        return search.find(self._version, text)

    def key_candidates(self) -> list[KeyCandidate]:
        """Columns that may tell the rows apart, the likeliest first, each with its reason; from metadata alone.

        The identifier fields of the schema; then columns of which no data file of the current snapshot counts a null,
        and whose bounds leave room for a value in each row.

        Cost: the manifest list of the current snapshot and its data manifests; of many the newest. What cannot be read
            proposes nothing.

        Raises:
            UnreadableMetadata: a snapshot id is beyond what Iceberg and manifests can hold.
        """
        with self._version.asking():
            return [*self._version.readers.key_candidates]

    def reference(self, which: int | str) -> Reference:
        """The same, with what the name was taken for.

        Raises:
            UnknownSnapshot: as `snapshot`.
        """
        return self._version.reference(which)

    # the table as it is now

    def change(self) -> TableChange | None:
        """What became of the table since its metadata was read; None if nothing did.

        Cost: one look at the catalog; newer metadata is read, once. Through Spark Connect a catalog's cache may hide
        for a while what others committed.

        Raises:
            AccessDenied, Unreachable, UnreadableMetadata, NoSpark: each says what was found.
        """
        return self._version.change()

    def reload(self) -> bool:
        """Look again past the catalog's cache; True if the metadata is another.

        Where the session was lost, by one that runs now, or by one that is started as the explorer started the lost
        one. A failure raises as `open` does and leaves the table as it was.

        Raises:
            NoSpark: the session was lost, was not started by the explorer, and no other one runs.
        """
        before = self._version
        self._version = now = before.read_again()
        return now.file != before.file

    def asking(self, *, rows: bool = False) -> AbstractContextManager[None]:
        """Within the block Spark is asked about the table; that it, or the table, is no more what it was is told.

        Args:
            rows: rows are read, for which Spark looks the table's name up again.

        Raises:
            NoSpark: the session is lost.
            TableChanged: the name stands for another table or other columns, or what failed may be gone with them.
        """
        return self._version.asking(rows=rows)

    def __repr__(self) -> str:
        return f"<Table {self.name}: format version {self.metadata.format_version}>"
