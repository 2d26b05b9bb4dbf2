"""A table that was opened: its metadata, read once, and what all questions about it begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime
from functools import cache, partial, wraps
from typing import Concatenate, ParamSpec, Self, TypeVar

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
from ..model import metadata_refusals
from ..model.evidence import CONTRADICTS, Note
from ..model.iceberg import metadata_tables
from ..model.iceberg.inheritance import ListedManifest
from ..model.iceberg.metadata import InvalidMetadata, Snapshot, TableMetadata, id_from_text
from ..model.iceberg.table_change import GONE, TableChange, table_change
from ..model.snapshot_graph import facts as snapshot_graph_facts
from ..model.snapshot_graph.facts import SnapshotGraph
from ..queries.files import locate as find_table
from ..queries.files import metadata_file, spark_errors
from ..queries.files.locate import Located
from ..queries.files.metadata_file import MetadataFile

ROWS_IN_PYTHON = 100_000
AnyTable = TypeVar("AnyTable", bound="OpenedTable")
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

REFUSED_FILE = "Iceberg refuses this metadata file"
"""What a note is about that says so."""

NO_NAME_FOR_ENTRIES = "SQL cannot name the entries of a table that was opened by its file."


def as_read(
    question: Callable[Concatenate[AnyTable, Asked], Answer],
) -> Callable[Concatenate[AnyTable, Asked], Answer]:
    """A question whose answer, looked at whenever, is of the table as it was read then: a later reload is another's."""

    @wraps(question)
    def ask(table: AnyTable, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        return question(copy(table), *args, **kwargs)

    return ask


class OpenedTable:
    """One Iceberg table as it was when its metadata was read; `reload()` looks again.

    Attributes:
        name: how SQL names it, or the path it was opened by.
        metadata: the metadata file as a value.
        read_at: when the metadata was read (UTC).
    """

    def __init__(self, spark: SparkSession, located: Located) -> None:
        self._spark: SparkSession
        self._located: Located
        self._file: MetadataFile
        self._graph: Callable[[], SnapshotGraph]
        self._refusal: Callable[[], str]
        with paused_gc():
            self._take(spark, located, self._read(spark, located))

    @classmethod
    def open(cls, name: str, spark: SparkSession | None = None) -> Self:
        """Find a table by catalog name, metadata file or folder, and read its metadata.

        Args:
            name: `catalog.namespace.table` with any number of namespace levels and backquotes where needed, or the
                path of a metadata file or of the table's folder.
            spark: the session to ask; else the active one, `SPARK_REMOTE`, or one started here.

        Raises:
            TableNotFound, NotAnIcebergTable, AccessDenied, Unreachable, UnreadableMetadata: each says what was found.
        """
        session = engine.session(spark)
        with engine.answering(session):
            return cls(session, find_table.locate(session, name))

    @property
    def name(self) -> str:
        """How SQL names the table, or the path it was opened by."""
        return self._located.relation or self._located.asked

    @contextmanager
    def asking(self, *, rows: bool = False) -> Iterator[None]:
        """Within the block Spark is asked about the table; that it, or the table, is no more what it was is told.

        Args:
            rows: rows are read, for which Spark looks the table's name up again.

        Raises:
            NoSpark: the session is lost.
            TableChanged: the name stands for another table or other columns, or what failed may be gone with them.
        """
        with engine.answering(self._spark):
            try:
                yield
            except (UnknownSnapshot, NoSpark, TableChanged):
                raise
            except Exception as error:
                change = self._seen_change()
                if change is not None and change.explains_failure:
                    raise self._changed(change, error) from error
                raise
            if rows and (change := self.change()) is not None and change.forbids_rows:
                raise self._changed(change)

    def change(self) -> TableChange | None:
        """What became of the table since its metadata was read; None if nothing did.

        Cost: one look at the catalog; newer metadata is read, once. Through Spark Connect a catalog's cache may hide
        for a while what others committed.

        Raises:
            AccessDenied, Unreachable, UnreadableMetadata, NoSpark: each says what was found.
        """
        try:
            with engine.answering(self._spark):
                newest = find_table.newest(self._spark, self._located, self._file)
        except (TableNotFound, NotAnIcebergTable):
            return GONE
        if newest is None:
            return None
        return table_change(self.metadata, self._understood(self._located, newest))

    def _seen_change(self) -> TableChange | None:
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

    @property
    def spark(self) -> SparkSession:
        """The session that answers."""
        return self._spark

    @property
    def metadata_location(self) -> str:
        """Location of the metadata file that was read."""
        return self._file.location

    @property
    def graph(self) -> SnapshotGraph:
        """The graph of the metadata that was read; laid out once."""
        return self._graph()

    def reload(self) -> bool:
        """Look again past the catalog's cache; True if the metadata is another.

        Where the session was lost, by one that runs now, or by one that is started as the explorer started the lost
        one. A failure raises as `open` does and leaves the table as it was.

        Raises:
            NoSpark: the session was lost, was not started by the explorer, and no other one runs.
        """
        spark = engine.session_again(self._spark)
        with engine.answering(spark):
            located = find_table.refresh(spark, self._located)
            with paused_gc():
                file = self._read(spark, located)
        newer = file != self._file  # its name alone tells nothing: a table made anew may begin with `v1` again
        if newer or spark is not self._spark:
            self._take(spark, located, file)
        self._located, self.read_at = located, datetime.now(UTC)
        return newer

    def snapshot(self, which: int | str) -> Snapshot:
        """A snapshot by id (int or text), branch or tag.

        Raises:
            UnknownSnapshot: none of that id or name; says which names there are.
        """
        ref = self.metadata.refs.get(str(which))
        snapshot_id = ref.snapshot_id if ref else id_from_text(str(which))
        if snapshot_id is not None and snapshot_id in self.metadata.by_id:
            return self.metadata.by_id[snapshot_id]
        names = ", ".join(sorted(self.metadata.refs)[:20]) or "none"
        raise UnknownSnapshot(
            f"{self.name} has no snapshot {which}.",
            found=f"It lists {len(self.metadata.snapshots):,} snapshots; its branches and tags: {names}.",
            next_step="An expired snapshot is listed no more; an earlier metadata file may still list it."
            if snapshot_id is not None
            else "",
        )

    def _current(self, which: int | str | None) -> Snapshot:
        """The snapshot that was asked for; without a wish the current one."""
        if which is not None:
            return self.snapshot(which)
        current = self.metadata.current_snapshot_id
        if current is None:
            raise UnknownSnapshot(
                f"{self.name} has no current snapshot.",
                found=f"It lists {len(self.metadata.snapshots):,} snapshots.",
                next_step="Name one of them." if self.metadata.snapshots else "Nothing has been committed yet.",
            )
        return self.snapshot(current)

    def _id(self, which: int | str) -> int:
        """The id of a snapshot, which need not be listed any more if it is given as a number."""
        number = id_from_text(str(which))
        if number is not None and str(which) not in self.metadata.refs:
            return number
        return self.snapshot(which).snapshot_id

    def _notes(self, hidden_from_sql: str, contradictions: Iterable[object] = ()) -> list[Note]:
        """What every picture says first; `contradictions` are sentences, with or without their full stop."""
        refusal = self._refusal()
        refused = (
            [Note("exact", REFUSED_FILE, f"{refusal} The snapshots are shown as the file holds them.")]
            if refusal
            else []
        )
        said = (*self.metadata.oddities, *map(str, contradictions))
        notes = refused + [Note("exact", CONTRADICTS, f"{sentence.rstrip('.')}.") for sentence in said]
        if self._located.chosen_from is not None and self._located.chosen_from > 1:
            notes.append(
                Note(
                    "inferred",
                    f"{self._file.location.rsplit('/', 1)[-1]} is the current metadata file",
                    f"It has the highest number of the {self._located.chosen_from:,} there; only a catalog knows.",
                )
            )
        if hidden_from_sql:
            notes.append(Note("unknown", "SQL for these rows", hidden_from_sql))
        return notes

    def _refused_sql(self, sql: str, listed: Iterable[ListedManifest], *, lost: bool) -> tuple[Note, ...]:
        """What to say where files are missing or Iceberg refuses the SQL; arguments as of `metadata_tables.refusal`."""
        refusal = metadata_tables.refusal(self.metadata, sql, listed, lost=lost)
        change = self._seen_change() if lost else None
        if change is None or not change.explains_failure:
            return refusal
        about = f"The table has changed since it was read at {self.read_at:%H:%M:%S} UTC"
        reason = f"Now: {change.words}. What cannot be read may be gone with that; reload to see the table as it is."
        return (Note("exact", about, reason), *refusal)

    def _cut(self, total: int, which: str = "") -> list[Note]:
        """What to say where data holds fewer rows than there are; `which` of them, such as "the newest "."""
        if total <= ROWS_IN_PYTHON:
            return []
        return [Note("exact", f"Data shows {which}{ROWS_IN_PYTHON:,} of {total:,} rows", "The frame has them all.")]

    def _read(self, spark: SparkSession, located: Located) -> MetadataFile:
        return metadata_file.read(spark, located.metadata_file, located.relation)

    def _understood(self, located: Located, file: MetadataFile) -> TableMetadata:
        try:
            return TableMetadata.from_json(file.document)
        except InvalidMetadata as error:
            raise _cannot_be_shown(f"{located.asked} cannot be shown.", file, str(error)) from error

    def _take(self, spark: SparkSession, located: Located, file: MetadataFile) -> None:
        metadata = self._understood(located, file)
        self._refusals = refusals = metadata_refusals.refusals(metadata, file.document)
        self._spark, self._located, self._file, self.metadata = spark, located, file, metadata
        self._graph = cache(paused_gc()(partial(snapshot_graph_facts.snapshot_graph, metadata)))
        # Asked only where there is reason to: it makes Iceberg read the whole file again.
        self._refusal = cache(lambda: metadata_file.refusal(spark, file.location) if refusals else "")
        self.read_at = datetime.now(UTC)

    @property
    def _ids_fit(self) -> bool:
        return not self._refusals or metadata_refusals.ids_fit(self.metadata)

    def _require_ids_that_fit(self) -> None:
        """For what asks more than the metadata file.

        Raises:
            UnreadableMetadata: a snapshot id is beyond what Iceberg, Spark and manifests can hold.
        """
        if not self._ids_fit:
            only = f"Of {self.name} only the snapshot graph can be shown."
            raise _cannot_be_shown(only, self._file, "; ".join(self._refusals))

    def __repr__(self) -> str:
        return f"<Table {self.name}: format version {self.metadata.format_version}>"


def _cannot_be_shown(what: str, file: MetadataFile, found: str) -> UnreadableMetadata:
    return UnreadableMetadata(
        what,
        found=f"{file.location}: {found}.",
        next_step="Open an earlier metadata file of the table by its path to see the state before.",
    )
