"""A table written file by file: Parquet by pyarrow, commits by Iceberg's own library, no Spark job at all.

So weeks of history take seconds, and a story can do what Spark's statements never would: list a file again, lose a
race, forget a delete. What readers should see is kept beside it, by the rules of the format alone.
"""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...engine import sandbox_warehouse
from ..times import SIGNATURE
from .stored import Entry, Row, Stored, on_disk

if TYPE_CHECKING:
    import random

    from ..lesson import LiveTable

_FILE_PATH, _POSITION = 2147483546, 2147483545  # field ids of position deletes: specification, "Reserved Field IDs"
_NONE: Mapping[str, str] = {}
_SCHEMA = {
    "type": "struct",
    "schema-id": 0,
    "fields": [
        {"id": 1, "name": "order_id", "type": "long", "required": False},
        {"id": 2, "name": "customer", "type": "string", "required": False},
        {"id": 3, "name": "city", "type": "string", "required": False},
        {"id": 4, "name": "pieces", "type": "int", "required": False},
        {"id": 5, "name": "ordered_at", "type": "timestamptz", "required": False},
    ],
}
_SPEC = {
    "spec-id": 0,
    "fields": [{"source-id": 5, "field-id": 1000, "name": "ordered_at_day", "transform": "day"}],
}
_TYPES = {"long": pa.int64(), "string": pa.string(), "int": pa.int32(), "timestamptz": pa.timestamp("us", tz="UTC")}


class History:
    """One table of orders, partitioned by day, and everything that is committed to it. Format version 2.

    Attributes:
        table: what the lesson writes.
        entries: the live entries of main, as they are by what was committed.
        at: the same after each commit, by its number.
        number: the sequence number of the newest commit.
    """

    def __init__(self, table: LiveTable, chance: random.Random, properties: Mapping[str, str]) -> None:
        """Create the table.

        Args:
            table: what the lesson writes.
            chance: names the files; the same names for the same story.
            properties: of the table.
        """
        self.table, self._chance = table, chance
        catalog, *parts = table.name.split(".")
        self._folder = sandbox_warehouse().joinpath(*parts)
        self.location = self._folder.as_uri()
        table.sql("CREATE NAMESPACE IF NOT EXISTS {name}", name=".".join((catalog, *parts[:-1])))
        jvm: Any = table.spark._jvm
        iceberg = jvm.org.apache.iceberg
        # In memory, since Hadoop starts a process for every file that it writes; `_keep` writes what a commit wrote.
        memory = iceberg.inmemory.InMemoryCatalog()
        memory.initialize("story", {"warehouse": self.location})
        namespace = iceberg.catalog.Namespace.empty()
        memory.createNamespace(namespace, {})
        schema = iceberg.SchemaParser.fromJson(json.dumps(_SCHEMA))
        builder = memory.buildTable(iceberg.catalog.TableIdentifier.of(namespace, parts[-1]), schema)
        builder = builder.withPartitionSpec(iceberg.PartitionSpecParser.fromJson(schema, json.dumps(_SPEC)))
        self.library: Any = builder.withLocation(self.location).withProperties(dict(properties)).create()
        # Each dot in a name of the Java library is a question to the JVM: asked once.
        self._data_files, self._delete_files = iceberg.DataFiles, iceberg.FileMetadata
        self._local_files, self._parquet = iceberg.Files, iceberg.parquet.ParquetUtil
        self._expressions, self._spec = iceberg.expressions.Expressions, self.library.spec()
        self._metrics_config = iceberg.MetricsConfig.forTable(self.library)
        self._texts, self._io, self._int = iceberg.types.Types.StringType, self.library.io(), jvm.int
        self._copy, self._path = jvm.java.nio.file.Files.copy, jvm.java.nio.file.Path.of
        self._options = table.spark.sparkContext._gateway.new_array(jvm.java.nio.file.CopyOption, 0)  # type: ignore[union-attr]
        self._no_parts = table.spark.sparkContext._gateway.new_array(jvm.String, 0)  # type: ignore[union-attr]
        self._columns = self._current_columns()
        self.entries: list[Entry] = []
        self.at: dict[int, tuple[Entry, ...]] = {}
        self.number = 0

    # files ------------------------------------------------------------------------------------------------------------

    def data(
        self,
        rows: Sequence[Row],
        *,
        day: date | None = None,
        folder: str = "",
        name: str = "",
        statistics: bool = True,
    ) -> Stored:
        """Write a data file of rows of one day.

        Args:
            rows: in their order.
            day: of the partition; that of the rows if None.
            folder: location of the folder; the table's own if empty.
            name: of the file; a new one if empty.
            statistics: whether its entry shall hold counts and bounds.
        """
        own = day or rows[0].day
        folder = folder or f"{self.location}/data/ordered_at_day={own}"
        path = f"{folder}/{name or self._new_name('')}"
        size = self._write_rows(path, rows, [name for name, _, _ in self._columns])
        builder = self._started(self._data_files.builder(self._spec), path, size)
        builder = builder.withPartitionPath(f"ordered_at_day={own}")
        builder = builder.withMetrics(self._metrics(path)) if statistics else builder.withRecordCount(len(rows))
        return Stored(builder.build(), path, own, tuple(rows))

    def positions(self, of: Stored, positions: Iterable[int]) -> Stored:
        """Write a position delete file of one data file."""
        masked = sorted(positions)
        path = f"{self.location}/data/ordered_at_day={of.day}/{self._new_name('-deletes')}"
        columns = {"file_path": pa.array([of.path] * len(masked)), "pos": pa.array(masked, pa.int64())}
        size = self._write(path, columns, [_FILE_PATH, _POSITION])
        builder = self._delete_files.deleteFileBuilder(self._spec)
        builder = self._started(builder.ofPositionDeletes(), path, size).withPartitionPath(f"ordered_at_day={of.day}")
        builder = builder.withRecordCount(len(masked)).withReferencedDataFile(of.path)
        return Stored(builder.build(), path, of.day, positions={of.path: frozenset(masked)})

    def keys(self, rows: Sequence[Row], *, columns: Sequence[str], day: date | None) -> Stored:
        """Write an equality delete file of these rows.

        Args:
            rows: whose values are the keys.
            columns: which columns the key has.
            day: of the partition in which it looks; None: a partition of nulls, where no row is.
        """
        folder = f"{self.location}/data/ordered_at_day={'null' if day is None else day}"
        path = f"{folder}/{self._new_name('-eq-deletes')}"
        size = self._write_rows(path, rows, columns)
        ids = self.table.spark.sparkContext._gateway.new_array(self._int, len(columns))  # type: ignore[union-attr]
        for n, (_, _, field_id) in enumerate(column for column in self._columns if column[0] in columns):
            ids[n] = field_id
        builder = self._delete_files.deleteFileBuilder(self._spec)
        builder = self._started(builder.ofEqualityDeletes(ids), path, size).withMetrics(self._metrics(path))
        if day is not None:
            builder = builder.withPartitionPath(f"ordered_at_day={day}")
        return Stored(builder.build(), path, day, keys=frozenset(row.order_id for row in rows))

    def _write_rows(self, path: str, rows: Sequence[Row], names: Sequence[str]) -> int:
        """Write these columns of rows as a Parquet file; its size in bytes."""
        chosen = [column for column in self._columns if column[0] in names]
        values = {name: pa.array([getattr(row, name) for row in rows], kind) for name, kind, _ in chosen}
        return self._write(path, values, [field_id for _, _, field_id in chosen])

    def _write(self, path: str, columns: Mapping[str, pa.Array], ids: Sequence[int]) -> int:
        """Write a Parquet file with these columns under their field ids; its size in bytes."""
        fields = [
            pa.field(name, values.type, metadata={"PARQUET:field_id": str(i)})
            for (name, values), i in zip(columns.items(), ids, strict=True)
        ]
        file = on_disk(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields)), file, compression="none")
        return file.stat().st_size

    def _started(self, builder: Any, path: str, size: int) -> Any:
        return builder.withPath(path).withFormat("parquet").withFileSizeInBytes(size)

    def _metrics(self, path: str) -> Any:
        """Counts and bounds as an Iceberg writer would keep them, from the file's footer."""
        return self._parquet.fileMetrics(self._local_files.localInput(str(on_disk(path))), self._metrics_config)

    def _current_columns(self) -> list[tuple[str, pa.DataType, int]]:
        """Name, type and field id of each column."""
        columns = self.library.schema().columns()
        found = [columns.get(n) for n in range(columns.size())]
        return [(str(c.name()), _TYPES[str(c.type().toString())], int(c.fieldId())) for c in found]

    def _new_name(self, what: str) -> str:
        return f"{uuid.UUID(int=self._chance.getrandbits(128), version=4)}{what}.parquet"

    # commits ----------------------------------------------------------------------------------------------------------

    def append(
        self, writer: str, *files: Stored, staged: bool = False, attempts: int = 1, summary: Mapping[str, str] = _NONE
    ) -> int:
        """Add files; the number of the commit.

        Args:
            writer: in whose name.
            files: data files.
            staged: whether main shall not have it.
            attempts: how often it is tried.
            summary: what the writer says of it besides.
        """
        change = self.library.newAppend()
        for file in files:
            change.appendFile(file.value)
        if staged:
            change.stageOnly()
        for _ in range(attempts - 1):
            change.set(SIGNATURE, writer).apply()  # as if another writer had been first
        return self._commit(change, writer, summary, added=() if staged else files)

    def row_delta(
        self,
        writer: str,
        added: Sequence[Stored] = (),
        deletes: Sequence[Stored] = (),
        removed: Sequence[Stored] = (),
        summary: Mapping[str, str] = _NONE,
    ) -> int:
        """Add rows and deletes, and take deletes away: merge-on-read."""
        change = self.library.newRowDelta()
        for file in added:
            change.addRows(file.value)
        for file in deletes:
            change.addDeletes(file.value)
        for file in removed:
            change.removeDeletes(file.value)
        return self._commit(change, writer, summary, removed=removed, added=(*added, *deletes))

    def delete(self, writer: str, *files: Stored) -> int:
        """Take whole data files away."""
        change = self.library.newDelete()
        for file in files:
            change.deleteFile(file.value)
        return self._commit(change, writer, _NONE, removed=files)

    def overwrite_all(self, writer: str, *files: Stored) -> int:
        """Replace every row: INSERT OVERWRITE in the static mode."""
        change = self.library.newOverwrite().overwriteByRowFilter(self._expressions.alwaysTrue())
        for file in files:
            change.addFile(file.value)
        return self._commit(change, writer, _NONE, removed=[entry.file for entry in self.entries], added=files)

    def overwrite_day(self, writer: str, day: date, *files: Stored, late: Callable[[], object] | None = None) -> int:
        """Replace one day, checking nothing: INSERT OVERWRITE.

        Args:
            writer: in whose name.
            day: whose rows go.
            files: what comes instead.
            late: what others commit after it began, so that it is tried again; the number counts these too.
        """
        expressions = self._expressions
        begins, ends = (f"{day}T00:00:00+00:00", f"{day}T23:59:59.999999+00:00")
        change = self.library.newOverwrite().overwriteByRowFilter(
            getattr(expressions, "and")(
                expressions.greaterThanOrEqual("ordered_at", begins), expressions.lessThanOrEqual("ordered_at", ends)
            )
        )
        for file in files:
            change.addFile(file.value)
        if late is not None:
            change.set(SIGNATURE, writer).apply()  # the first attempt; the commit itself looks at the table anew
            late()
        gone = [entry.file for entry in self.entries if entry.file.day == day]
        return self._commit(change, writer, _NONE, removed=gone, added=files)

    def rewrite(
        self,
        writer: str,
        old: Sequence[Stored],
        new: Sequence[Stored],
        *,
        began_at: int,
        deletes: Sequence[Stored] = (),
    ) -> int:
        """Replace data files by others with the same rows: a compaction.

        Args:
            writer: in whose name.
            old: data files that go.
            new: data files that come; they count by the number at which the compaction began.
            began_at: that number.
            deletes: what it applied, and takes away.
        """
        current = self.library.currentSnapshot().snapshotId()
        # What was committed since it began is not checked: a compaction that does would fail rather than lose a race.
        change = self.library.newRewrite().validateFromSnapshot(current).dataSequenceNumber(began_at)
        for file in (*old, *deletes):
            change.deleteFile(file.value)
        for file in new:
            change.addFile(file.value)
        return self._commit(change, writer, _NONE, removed=(*old, *deletes), added=new, counts_by=began_at)

    def roll_back(self, number: int) -> None:
        """Set main to an earlier commit of its line."""
        self.library.manageSnapshots().rollbackTo(self.snapshot_id(number)).commit()
        self.library.refresh()
        self.entries = list(self.at[number])

    def drop_and_add(self, column: str) -> None:
        """Drop a column of texts and add another one of its name."""
        self.library.updateSchema().deleteColumn(column).commit()
        self.library.refresh()
        self.library.updateSchema().addColumn(column, self._texts.get()).commit()
        self.library.refresh()
        self._columns = self._current_columns()

    def tag(self, name: str) -> None:
        """Tag the head."""
        head = self.library.currentSnapshot().snapshotId()
        self.library.manageSnapshots().createTag(name, head).commit()
        self.library.refresh()

    def snapshot_id(self, number: int) -> int:
        """Id of the snapshot with this sequence number."""
        return int(next(s.snapshotId() for s in self.library.snapshots() if s.sequenceNumber() == number))

    def _commit(
        self,
        change: Any,
        writer: str,
        summary: Mapping[str, str],
        *,
        removed: Iterable[Stored] = (),
        added: Iterable[Stored] = (),
        counts_by: int | None = None,
    ) -> int:
        """Commit, and keep what is live after it; added files count by their commit, unless by an earlier number."""
        change.set(SIGNATURE, writer)
        for key, value in summary.items():
            change.set(key, value)
        change.commit()
        self.number += 1
        self._keep()
        gone = {file.path for file in removed}
        self.entries = [entry for entry in self.entries if entry.file.path not in gone]
        self.entries += [Entry(file, counts_by or self.number) for file in added]
        self.at[self.number] = tuple(self.entries)
        return self.number

    def _keep(self) -> None:
        """Write to the disk what the newest commit wrote."""
        self.library.refresh()
        metadata = self.library.operations().current()
        snapshots = metadata.snapshots()
        newest = snapshots.get(snapshots.size() - 1)
        manifests = newest.allManifests(self._io)
        written = [manifests.get(n) for n in range(manifests.size())]
        paths = [m.path() for m in written if m.sequenceNumber() == self.number]
        for path in (newest.manifestListLocation(), *paths, metadata.metadataFileLocation()):
            self._copy_out(path)

    def _copy_out(self, location: str, to: str = "") -> None:
        target = on_disk(to or location)
        target.parent.mkdir(parents=True, exist_ok=True)
        stream = self._io.newInputFile(location).newStream()
        self._copy(stream, self._path(str(target), self._no_parts), self._options)
        stream.close()

    def finish(self) -> None:
        """Make it a table of the sandbox's own catalog: that finds the newest metadata file by its number."""
        self._copy_out(
            self.library.operations().current().metadataFileLocation(), f"{self.location}/metadata/v1.metadata.json"
        )
        (self._folder / "metadata" / "version-hint.text").write_text("1")

    # what readers see -------------------------------------------------------------------------------------------------

    def data_of(self, day: date) -> list[Entry]:
        """The live data files of a day."""
        return [entry for entry in self.entries if entry.file.day == day and entry.file.rows]

    def deletes_of(self, files: Iterable[Stored]) -> list[Stored]:
        """The live position deletes of these data files."""
        paths = {file.path for file in files}
        return [entry.file for entry in self.entries if paths & entry.file.positions.keys()]

    def visible(self, entry: Entry) -> list[tuple[int, Row]]:
        """The rows of an entry that no delete masks, with their positions.

        Source: specification, "Scan Planning".
        """
        masked: set[int] = set()
        keys: set[int] = set()
        for other in self.entries:
            if other.number >= entry.number:
                masked |= other.file.positions.get(entry.file.path, frozenset())
            if other.number > entry.number and other.file.day == entry.file.day:
                keys |= other.file.keys
        return [(n, row) for n, row in enumerate(entry.file.rows) if n not in masked and row.order_id not in keys]

    def rows(self) -> list[Row]:
        """What a reader of main sees."""
        return [row for entry in self.entries for _, row in self.visible(entry)]

    def counted(self) -> Counter[int]:
        """How often each order id is seen."""
        return Counter(row.order_id for row in self.rows())
