"""A table as it was read at one moment: what one question asks, and nothing else, whatever is reloaded meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from pyspark.sql import SparkSession

from .. import engine
from ..engine.garbage import paused_gc
from ..errors import (
    ExplorerError,
    NoSpark,
    NotAnIcebergTable,
    TableChanged,
    TableNotFound,
    UnknownSnapshot,
    UnreadableMetadata,
)
from ..model import formats
from ..model.bundle import words
from ..model.iceberg import refusals as metadata_refusals
from ..model.iceberg.metadata import InvalidMetadata, Snapshot, TableMetadata, id_from_text
from ..model.iceberg.table_change import GONE, TableChange, table_change
from ..model.silence import Remote
from ..model.snapshot_graph.facts import SnapshotGraph
from ..queries.files import locate as find_table
from ..queries.files import metadata_file, remote, spark_errors
from ..queries.files.bundle import Bundle
from ..queries.files.locate import Located
from ..queries.files.metadata_file import MetadataFile
from ..queries.source import Source
from . import references
from .asked import Asked
from .readers import Readers
from .references import Reference


@dataclass(frozen=True, eq=False)
class TableVersion:
    """What was read of a table at one moment, and what reads on from there.

    Attributes:
        spark: the session that answers.
        located: where the table was found.
        file, metadata: the metadata file, as it is and as a value.
        every_reader: what reads manifests and rows; they keep what they read. Ask `readers` for them.
        refusals: why Iceberg may refuse the file, sentences; mostly none.
        read_at: when the metadata was read (UTC).
        asked: what was asked of it, and of older versions.
    """

    spark: SparkSession
    located: Located
    file: MetadataFile
    metadata: TableMetadata
    every_reader: Readers
    refusals: tuple[str, ...]
    read_at: datetime
    asked: Asked = field(default_factory=Asked)

    @classmethod
    def read(cls, spark: SparkSession, located: Located) -> TableVersion:
        """Read the metadata of a table that was found.

        Raises:
            AccessDenied, Unreachable, UnreadableMetadata: each says what was found.
        """
        with paused_gc():
            return cls._of(spark, located, _read(spark, located))

    @classmethod
    def _of(cls, spark: SparkSession, located: Located, file: MetadataFile) -> TableVersion:
        metadata = _understood(located, file)
        readers = Readers(Source(spark, located, file, metadata))
        refusals = tuple(metadata_refusals.refusals(metadata, file.document))
        return cls(spark, located, file, metadata, readers, refusals, datetime.now(UTC))

    def read_again(self) -> TableVersion:
        """The table as it is now, past the catalog's cache; with what was read before, where the metadata is the same.

        Raises:
            NoSpark: the session was lost, was not started by the explorer, and no other one runs.
        """
        spark = engine.session_again(self.spark)
        with engine.answering(spark):
            located = find_table.refresh(spark, self.located)
            with paused_gc():
                file = _read(spark, located)
                # A file's name alone tells nothing: a table made anew may begin with `v1` again.
                if file != self.file or spark is not self.spark:
                    return replace(self._of(spark, located, file), asked=self.asked)
        return replace(self, located=located, read_at=datetime.now(UTC))

    @property
    def source(self) -> Source:
        """What queries ask."""
        return Source(self.spark, self.located, self.file, self.metadata)

    @property
    def name(self) -> str:
        """How SQL names the table, or the path it was opened by."""
        return self.located.relation or self.located.asked

    @property
    def metadata_location(self) -> str:
        """Location of the metadata file that was read."""
        return self.file.location

    @property
    def remote(self) -> Remote:
        """Where its files and its catalog are, should they not answer."""
        if self.located.bundle is not None:
            return Remote()
        return remote.of_table(self.spark, self.located.relation, self.metadata_location)

    @property
    def graph(self) -> SnapshotGraph:
        """The graph of the metadata; laid out once."""
        return self.every_reader.graph

    @property
    def readers(self) -> Readers:
        """What reads manifests and rows; for what asks more than the metadata file.

        Raises:
            UnreadableMetadata: a snapshot id is beyond what Iceberg, Spark and manifests can hold.
        """
        if not self.ids_fit:
            only = f"Of {self.name} only the snapshot graph can be shown."
            raise _cannot_be_shown(only, self.file, "; ".join(self.refusals))
        return self.every_reader

    @property
    def ids_fit(self) -> bool:
        """Whether every snapshot id fits into 64 bits, as Iceberg wants it."""
        return not self.refusals or metadata_refusals.ids_fit(self.metadata)

    @property
    def is_partitioned(self) -> bool:
        """Whether any partition spec of the table has a field."""
        return any(self.metadata.specs.values())

    # snapshots by their names

    def snapshot(self, which: int | str) -> Snapshot:
        """A snapshot by id (int or text), branch, tag or sequence number.

        Raises:
            UnknownSnapshot: none of that name, or several of that number; says what there is.
        """
        return self.reference(which).snapshot

    def reference(self, which: int | str) -> Reference:
        """The same, with what the name was taken for.

        Raises:
            UnknownSnapshot: as `snapshot`.
        """
        return references.find(self.metadata, self.name, which)

    def snapshot_or_current(self, which: int | str | None) -> Snapshot:
        """The snapshot that was asked for; without a wish the current one.

        Raises:
            UnknownSnapshot: none of that name, or a table without any.
        """
        if which is not None:
            return self.snapshot(which)
        current = self.metadata.current_snapshot_id
        if current is None:
            raise UnknownSnapshot(
                f"{self.name} has no current snapshot.",
                found=f"It lists {formats.count(len(self.metadata.snapshots), 'snapshot')}.",
                next_step="Name one of them." if self.metadata.snapshots else "Nothing has been committed yet.",
            )
        return self.snapshot(current)

    def snapshot_id(self, which: int | str) -> int:
        """The id of a snapshot, which need not be listed any more if it is given as a number.

        Raises:
            UnknownSnapshot: no branch or tag of that name, or several snapshots of that sequence number.
        """
        try:
            return self.snapshot(which).snapshot_id
        except UnknownSnapshot:
            number = id_from_text(str(which))
            if number is None or any(s.sequence_number == number for s in self.metadata.snapshots):
                raise
            return number

    # what became of the table since

    @contextmanager
    def asking(self, *, rows: bool = False) -> Iterator[None]:
        """Within the block Spark is asked about the table; that it, or the table, is no more what it was is told.

        Args:
            rows: rows are read, for which Spark looks the table's name up again.

        Raises:
            NoSpark: the session is lost.
            TableChanged: the name stands for another table or other columns, or what failed may be gone with them.
            ExplorerError: rows of a bundle, which has none; or Spark failed where nothing else says of what.
        """
        if rows and self.located.bundle is not None:
            raise _without_rows(self.name, self.located.bundle)
        with engine.answering(self.spark):
            try:
                with self.asked.reading(self.spark):
                    yield
            except (UnknownSnapshot, NoSpark, TableChanged):
                raise
            except Exception as error:
                change = self.change_if_seen()
                if change is not None and change.explains_failure:
                    raise self._changed(change, error) from error
                if spark_errors.is_of_spark(error):
                    what = f"What was asked of {self.name} cannot be answered."
                    raise spark_errors.failed(what, error, "Ask again; Spark's log has the whole error.") from error
                raise
            if rows and (change := self.change()) is not None and change.forbids_rows:
                raise self._changed(change)

    def change(self) -> TableChange | None:
        """What became of the table since its metadata was read; None if nothing did.

        Raises:
            AccessDenied, Unreachable, UnreadableMetadata, NoSpark: each says what was found.
        """
        try:
            with engine.answering(self.spark):
                newest = find_table.newest(self.spark, self.located, self.file)
        except (TableNotFound, NotAnIcebergTable):
            return GONE
        return None if newest is None else table_change(self.metadata, _understood(self.located, newest))

    def change_if_seen(self) -> TableChange | None:
        """The change, where it can be told."""
        try:
            return self.change()
        except ExplorerError:
            return None

    def _changed(self, change: TableChange, failed: Exception | None = None) -> TableChanged:
        found = [f"Now: {change.words}."]
        if isinstance(failed, ExplorerError):
            found += [failed.what, failed.found]
        elif failed is not None:
            found.append(spark_errors.reason(failed))
        return TableChanged(
            f"{self.name} has changed since it was read at {self.read_at:%H:%M:%S} UTC,"
            " and this cannot be told of it as it was.",
            found=" ".join(filter(None, found)),
            next_step="Reload it, here or with reload(), to ask about the table as it is now.",
        )


def _read(spark: SparkSession, located: Located) -> MetadataFile:
    return metadata_file.read(spark, located.metadata_file, located.relation, located.bundle)


def _without_rows(name: str, bundle: Bundle) -> ExplorerError:
    return ExplorerError(
        f"This needs rows of {name}, and the data is not in the bundle.",
        found=words.NO_DATA,
        next_step=f"Ask where the table is: it was {bundle.contents.table}.",
    )


def _understood(located: Located, file: MetadataFile) -> TableMetadata:
    try:
        return TableMetadata.from_json(file.document)
    except InvalidMetadata as error:
        raise _cannot_be_shown(f"{located.asked} cannot be shown.", file, str(error)) from error


def _cannot_be_shown(what: str, file: MetadataFile, found: str) -> UnreadableMetadata:
    return UnreadableMetadata(
        what,
        found=f"{file.location}: {found}.",
        next_step="Open an earlier metadata file of the table by its path to see the state before.",
    )
