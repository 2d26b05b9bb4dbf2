"""The rows of chosen data files, where a scan would open others too: as tasks of Iceberg's reader that are made here.

A scan of a snapshot opens each file that partition and bounds do not rule out, and it rules out none by its path. Of a
table whose keys are spread over all files, as hashes are, it opens all of them for the rows of one. So the tasks that
a scan would plan are made of the entries of the files, and read as Iceberg's own actions read what they rewrite.

What this needs is in the Java process: a classic session has it, Spark Connect has not.

Sources: Iceberg specification, "Column Projection" (partition values stand for columns of identity partitions); of
Iceberg's library `ScanTaskSetManager` and `SparkTableCache`, as `rewrite_data_files` uses them.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from py4j.java_gateway import JavaClass
from pyspark.sql import DataFrame, SparkSession

from ...engine import is_connect
from ...model.iceberg.delete_scope import DeleteKey
from ...model.iceberg.document import PartitionField, Schema, Specs
from ...model.iceberg.file_lives import FileLife, applies
from ...model.iceberg.inheritance import StoredEntry
from ...model.iceberg.schema import fields
from ...model.iceberg.touched_files import deletes_of
from .. import identifiers, tasks
from ..files import catalog_io
from ..source import Source
from . import schema_mapping

MOST = 1_000
"""Files that are read so, and deletes that apply to them; describing one takes about a millisecond."""
# Iceberg's `file-open-cost` and `split-size`, and the property by which a table has another one.
_OPENING_IN_BYTES, _TASK_IN_BYTES, _SPLIT_SIZE = 4_194_304, 134_217_728, "read.split.target-size"
_TOLD_BY_TEXT = ("boolean", "int", "long", "string", "date")  # types whose partition values the library takes as text
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NULL = "__HIVE_DEFAULT_PARTITION__"  # and how it takes null
# Beside a column with the field id of a metadata column Spark offers none by its name: with the row id go the others,
# since theirs are reserved, under other names; by these the library marks no deleted row, and reads none but Parquet.
_OWN_NAME = "_explorer{}"
_PLACE = ("_file", "_pos")
_SEEN = (*_PLACE, "_deleted")
_IDS = ("_row_id", "_last_updated_sequence_number")
_METADATA = (
    ("_file", 2147483646, "string"),
    ("_pos", 2147483645, "long"),
    ("_deleted", 2147483644, "boolean"),
    ("_row_id", 2147483540, "long"),
    ("_last_updated_sequence_number", 2147483539, "long"),
)
_KEPT = (
    "table-uuid",
    "location",
    "last-updated-ms",
    "last-column-id",
    "last-sequence-number",
    "properties",
)
_EMPTY = {
    "table-uuid": "00000000-0000-0000-0000-000000000000",  # a table of version 1 may have none, nor numbers
    "last-sequence-number": 0,
    "format-version": 2,  # of a later one the library gives row ids in place of `_file` and `_pos`
    "current-snapshot-id": -1,
    "snapshots": [],
    "partition-specs": [{"spec-id": 0, "fields": []}],
    "default-spec-id": 0,
    "last-partition-id": 999,
    "sort-orders": [{"order-id": 0, "fields": []}],
    "default-sort-order-id": 0,
}


@dataclass(frozen=True, slots=True)
class ChosenFile:
    """A data file, and what else a reader knows of it in a snapshot.

    Attributes:
        entry: of the file.
        deletes: that apply to it.
        data_sequence_number, first_row_id: None if it has none, or it is not known.
    """

    entry: StoredEntry
    deletes: tuple[StoredEntry, ...]
    data_sequence_number: int | None
    first_row_id: int | None


def at(place: int, lives: Iterable[FileLife], deletes: Iterable[FileLife], specs: Specs) -> list[ChosenFile]:
    """Files as a reader finds them at a place of a line.

    Args:
        place: at which they are live.
        lives: of data files.
        deletes: lives of all deletes that can apply to them.
        specs: partition fields by spec id.
    """
    live = {delete.key: delete for delete in deletes if delete.since <= place < delete.until}
    scope = deletes_of((delete.entry for delete in live.values()), specs)
    found = []
    for life in lives:
        near = [live[entry.file_path, entry.content_offset] for entry in scope(life.entry)]
        own = tuple(delete.entry for delete in near if applies(delete, life, specs))
        if any(delete.kind == "deletion vector" for delete in own):  # beside it no position delete file is opened
            own = tuple(delete for delete in own if delete.kind != "position deletes")
        found.append(ChosenFile(life.entry, own, life.data_sequence_number, life.first_row_id))
    return found


def rows(source: Source, own: Schema, files: Sequence[ChosenFile], *, row_ids: bool) -> DataFrame | None:
    """The rows of data files, lazy; None where they can only be read by a scan.

    Columns: those of the schema; `_row_id` and `_last_updated_sequence_number` if they are asked for; `_file`, `_pos`
    and `_deleted` can be selected.

    Args:
        source: the table.
        own: the schema with which the files are read, as metadata.json writes it.
        files: each of which is read; one that is there twice is read twice, but not with row ids.
        row_ids: whether they shall have row ids.

    Cost: a millisecond a file or delete, and none is opened; when the frame is read, these files, and with row ids
        those to which deletes apply twice. The tasks stay in the Java process, about a kilobyte each, since whoever has
        the frame may read it again; asked anew they take no more.
    """
    if not can_read(source) or not _are_told(own, files) or (row_ids and not _are_told_by_id(own, files)):
        return None
    reader = _Reader.of(source, own, files)
    if reader is None:
        return None
    if not row_ids:
        return reader.frame(files)
    masked, others = ([file for file in files if bool(file.deletes) == are_masked] for are_masked in (True, False))
    frames = []
    if others:
        frames.append(reader.with_row_ids(others))
    if masked:  # by the names of metadata columns deleted rows are marked, under other names there are row ids
        ids = reader.with_row_ids([replace(file, deletes=()) for file in masked]).select(*_PLACE, *_IDS)
        frames.append(reader.frame(masked).selectExpr("*", *_SEEN).join(ids, list(_PLACE)).select(*_columns(own)))
    return reduce(DataFrame.unionAll, frames)


def _columns(own: Schema) -> list[str]:
    return [identifiers.quoted([name]) for name in (*schema_mapping.columns(own), *_SEEN, *_IDS)]


def _are_told(own: Schema, files: Sequence[ChosenFile]) -> bool:
    """Whether files and deletes are few enough to be described, and the schema has the keys of the deletes."""
    deletes = {(delete.file_path, delete.content_offset): delete for file in files for delete in file.deletes}
    keys = {i for delete in deletes.values() for i in delete.equality_ids or ()}
    return 0 < len(files) <= MOST and len(deletes) <= MOST and keys <= {field.field_id for field in fields(own)}


def _are_told_by_id(own: Schema, files: Sequence[ChosenFile]) -> bool:
    """Whether each row has an id, by which it can be read: one of a file that is there twice has two."""
    taken = {_OWN_NAME.format(name) for name, _, _ in _METADATA}
    is_free = taken.isdisjoint(name.lower() for name in schema_mapping.columns(own))
    return is_free and len({file.entry.file_path for file in files}) == len(files) and all(map(has_row_ids, files))


def has_row_ids(file: ChosenFile | FileLife) -> bool:
    """Whether a file has row ids, as far as is known, and they can be read of it by itself: see `_OWN_NAME`."""
    known = file.first_row_id is not None and file.data_sequence_number is not None
    return known and file.entry.file_format.upper() == "PARQUET"


def can_read(source: Source) -> bool:
    """Whether rows of chosen files can be read of this table, by this session."""
    if source.located.relation is None or is_connect(source.spark):
        return False
    if any(key.startswith("encryption.") for key in source.metadata.properties):
        return False  # the key of a file is not read of its entry
    jvm: Any = source.spark._jvm
    return isinstance(jvm.org.apache.iceberg.spark.SparkRewriteTableCatalog, JavaClass)


def _constants(source: Source, own: Schema, spec_id: int) -> list[PartitionField]:
    """The fields of a spec whose values stand for a column of the schema."""
    columns = {field.field_id for field in fields(own)}
    return [f for f in source.specs[spec_id] if f.get("transform") == "identity" and f.get("source-id") in columns]


def _values(source: Source, own: Schema, file: StoredEntry, constants: Sequence[PartitionField]) -> list[str] | None:
    """The values of these fields as the library takes them; None if it would take one for another."""
    if not constants:
        return []
    spec, parts = source.specs[file.spec_id], file.partition.split("/")
    types = {field.field_id: field.type for field in fields(own)}
    if len(parts) != len(spec) or any(types[f["source-id"]] not in _TOLD_BY_TEXT for f in constants):
        return None
    told = [part.partition("=")[::2] for f, part in zip(spec, parts, strict=True) if f in constants]
    if any(name.startswith('"') or text == _NULL for name, text in told):  # quoted, of any signs
        return None
    days = (text for f, (_, text) in zip(constants, told, strict=True) if types[f["source-id"]] == "date")
    if not all(text == "null" or _DATE.fullmatch(text) for text in days):  # a year before 1 or after 9999
        return None
    return [_NULL if text == "null" else json.loads(text) if text.startswith('"') else text for _, text in told]


class _Reader:
    """Tasks of Iceberg's library, and the table in whose name they are read.

    Args:
        source: the table.
        own: the schema of the rows.
        constants: partition fields of each spec whose values stand for columns.
        values: of these fields, by file.
    """

    def __init__(
        self,
        source: Source,
        own: Schema,
        constants: Mapping[int, Sequence[PartitionField]],
        values: Mapping[str, Sequence[str]],
    ) -> None:
        self._source, self._own, self._constants = source, {"schema-id": 0, **own}, constants
        self._values = values
        self._spark: SparkSession = source.spark
        jvm: Any = source.spark._jvm
        self._jvm, self._iceberg = jvm, jvm.org.apache.iceberg
        # Each is asked for once: a name takes as long as a call.
        self._builder, self._task = self._iceberg.DataFiles.builder, self._iceberg.BaseFileScanTask
        self._no_deletes = self._array(self._iceberg.DeleteFile, [])
        self._unpartitioned = self._iceberg.PartitionSpec.unpartitioned()
        self._deletes: dict[DeleteKey, Any] = {}

    @classmethod
    def of(cls, source: Source, own: Schema, files: Sequence[ChosenFile]) -> _Reader | None:
        """For these files, or some of them; None if the values of their partitions are not known."""
        constants = {file.entry.spec_id: _constants(source, own, file.entry.spec_id) for file in files}
        values = {f.entry.file_path: _values(source, own, f.entry, constants[f.entry.spec_id]) for f in files}
        known = {path: value for path, value in values.items() if value is not None}
        return None if len(known) < len(values) else cls(source, own, constants, known)

    def with_row_ids(self, files: Sequence[ChosenFile]) -> DataFrame:
        """The rows of files to which no delete applies, with `_SEEN` and `_IDS`."""
        beside = [
            {"id": field_id, "name": _OWN_NAME.format(name), "type": kind, "required": False}
            for name, field_id, kind in _METADATA
        ]
        own = {**self._own, "fields": [*self._own["fields"], *beside]}
        frame = _Reader(self._source, own, self._constants, self._values).frame(files)
        return frame.withColumnsRenamed({_OWN_NAME.format(name): name for name, _, _ in _METADATA})

    def frame(self, files: Sequence[ChosenFile]) -> DataFrame:
        """The rows of files, with the values of their partitions that stand for columns."""
        iceberg, schema_text = self._iceberg, json.dumps(self._own)
        schema = iceberg.SchemaParser.fromJson(schema_text)
        spec_texts = {i: json.dumps({"spec-id": i, "fields": found}) for i, found in self._constants.items()}
        specs = {i: iceberg.PartitionSpecParser.fromJson(schema, text) for i, text in spec_texts.items()}
        every_row = iceberg.expressions.ResidualEvaluator.unpartitioned(iceberg.expressions.Expressions.alwaysTrue())
        table, staged = self._table(), self._jvm.java.util.ArrayList()
        for file in files:
            spec_id, deletes = file.entry.spec_id, self._no_deletes
            if file.deletes:
                deletes = self._array(iceberg.DeleteFile, map(self._delete, file.deletes))
            data = self._data_file(file, specs[spec_id], self._values[file.entry.file_path])
            staged.add(self._task(data, deletes, schema_text, spec_texts[spec_id], every_row))
        name = self._name(files)
        iceberg.spark.ScanTaskSetManager.get().stageTasks(table, name, staged)
        iceberg.spark.SparkTableCache.get().add(name, table)
        reader = self._spark.read.format("iceberg")
        if _SPLIT_SIZE not in self._source.metadata.properties:
            reader = reader.option("split-size", self._share(files))
        return reader.load(name)

    def _share(self, files: Sequence[ChosenFile]) -> int:
        """Bytes of a task, so that each core has about one: small files, however many, Iceberg reads in one task.

        No file is split that would not be otherwise, since each part would open the deletes again.
        """
        together = 0
        for file in files:
            opened = [one.content_size_in_bytes or one.file_size_in_bytes for one in (file.entry, *file.deletes)]
            together += max(sum(opened), len(opened) * _OPENING_IN_BYTES)
        share = math.ceil(together / tasks.at_once(self._spark) / _OPENING_IN_BYTES) * _OPENING_IN_BYTES
        return min(_TASK_IN_BYTES, max(share, *(file.entry.file_size_in_bytes for file in files)))

    def _data_file(self, file: ChosenFile, spec: Any, values: Sequence[str]) -> Any:
        built = self._described(self._builder(spec), file.entry)
        if values:
            built = built.withPartitionValues(list(values))
        data = (built if file.first_row_id is None else built.withFirstRowId(file.first_row_id)).build()
        if file.data_sequence_number is not None:
            data.setDataSequenceNumber(file.data_sequence_number)
        return data

    def _delete(self, entry: StoredEntry) -> Any:
        key = entry.file_path, entry.content_offset
        if key not in self._deletes:
            builder = self._iceberg.FileMetadata.deleteFileBuilder(self._unpartitioned)
            if entry.equality_ids is not None:
                builder = builder.ofEqualityDeletes(self._array(self._jvm.int, entry.equality_ids))
            else:
                builder = builder.ofPositionDeletes()
            built = self._described(builder, entry)
            if entry.kind == "deletion vector":
                built = (
                    built.withReferencedDataFile(entry.referenced_data_file)
                    .withContentOffset(entry.content_offset)
                    .withContentSizeInBytes(entry.content_size_in_bytes)
                )
            self._deletes[key] = built.build()
        return self._deletes[key]

    @staticmethod
    def _described(builder: Any, entry: StoredEntry) -> Any:
        described = builder.withPath(entry.file_path).withFormat(entry.file_format)
        return described.withFileSizeInBytes(entry.file_size_in_bytes).withRecordCount(entry.record_count)

    def _array(self, kind: Any, values: Iterable[Any]) -> Any:
        found = list(values)
        gateway: Any = self._spark.sparkContext._gateway
        array = gateway.new_array(kind, len(found))
        for i, value in enumerate(found):
            array[i] = value
        return array

    def _table(self) -> Any:
        """The table with this schema, and without its snapshots: each task says what is read."""
        relation, document = str(self._source.located.relation), self._source.document
        told = _EMPTY | {key: document[key] for key in _KEPT if key in document}
        told |= {"schemas": [self._own], "current-schema-id": self._own["schema-id"]}
        metadata = self._iceberg.TableMetadataParser.fromJson(json.dumps(told))
        io = catalog_io.loaded_lately(self._source.spark, relation, str(document.get("location"))).io()
        return self._iceberg.BaseTable(self._iceberg.StaticTableOperations(metadata, io), relation)

    def _name(self, files: Sequence[ChosenFile]) -> str:
        """The same for the same files with the same columns and deletes, so that these are kept once."""
        asked = [
            self._source.document.get("table-uuid"),
            self._own,
            sorted(
                (
                    f.entry.file_path,
                    f.first_row_id or -1,
                    f.data_sequence_number or -1,
                    sorted((d.file_path, d.content_offset or 0) for d in f.deletes),
                )
                for f in files
            ),
        ]
        return f"iceberg-explorer-{hashlib.sha256(json.dumps(asked).encode()).hexdigest()}"
