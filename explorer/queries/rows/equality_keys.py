"""What equality delete files hold, by the field ids of their columns, whatever these are called in the file.

Two keys are equal as Iceberg's readers compare them: null equals null and NaN equals NaN, but 0.0 is not -0.0. Which
rows have one of these keys is told by `holding`.

Source: Iceberg specification, "Equality Delete Files".
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, BinaryIO

import fastavro
import pyarrow as pa
from pyarrow import orc, parquet
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DataType, DoubleType, FloatType, StructType

from ...model.iceberg.document import Field, Schema
from ...model.iceberg.inheritance import StoredEntry
from .. import identifiers
from ..files import storage
from ..source import Source
from . import equal_values, schema_mapping
from .local_rows import local_table
from .schema_mapping import fields, spark_schema, text

_DECODED_IN_BYTES = 8_000_000  # of all files together, up to which this process decodes them
_FETCHED_IN_BYTES = 64_000_000  # of a larger file that this process cannot open, names alone are asked

Place = tuple[str, ...]
"""Names from the column down to a field."""


class NoKeyColumn(LookupError):
    """A key column that the rows or the file have not, or that cannot be compared."""


@dataclass(frozen=True)
class Keys:
    """What equality delete files of equal key columns hold.

    Attributes:
        paths: of the files.
        field_ids: of the key columns.
        kinds: their types, in which keys are compared: those of the newest schema.
        columns: how the newest schema that has each key column describes it; None of one inside a struct.
        names: of the key columns, as the newest schema calls them.
        since: the first schema, by its id, that has each of them.
        frame: key struct, of one comparable value for each column; delete_file_path string.
        shown: SELECT of the same as text; empty where SQL cannot open the files by their locations.
    """

    paths: tuple[str, ...]
    field_ids: tuple[int, ...]
    kinds: tuple[DataType, ...]
    columns: tuple[Field | None, ...]
    names: tuple[str, ...]
    since: tuple[int, ...]
    frame: DataFrame
    shown: str

    def of_rows(self, schema: Schema) -> str:
        """SQL of the key of a row that has the columns of a schema, as a metadata file writes it.

        A column that is younger than the schema is its initial default, or null.

        Raises:
            NoKeyColumn: a key column was dropped from the rows, or is inside a struct that they lack.
        """
        by_id, places = {field["id"]: field for field in fields(schema)}, dict(_places(schema))
        values = []
        for field_id, column, name, since in zip(self.field_ids, self.columns, self.names, self.since, strict=True):
            if field_id not in places and (column is None or since < schema.get("schema-id", 0)):
                raise NoKeyColumn(
                    f"The key column {name} (field id {field_id}) of {_files(self.paths)} is not among the columns of"
                    " the rows."
                )
            own = by_id.get(field_id)
            values.append(identifiers.quoted(places[field_id]) if column is None else schema_mapping.value(own, column))
        return _struct_of(values, self.kinds, (places.get(field_id, ()) for field_id in self.field_ids))


def _files(paths: Sequence[str]) -> str:
    first = paths[0].rsplit("/", 1)[-1]
    return first if len(paths) == 1 else f"{first} and {len(paths) - 1:,} more"


def _struct_of(values: Iterable[str], kinds: Iterable[DataType], places: Iterable[Place]) -> str:
    """SQL of a key. To Iceberg's readers a struct that is null differs from one whose key field is null."""
    parts = []
    for value, kind, place in zip(values, kinds, places, strict=True):
        cast = f"CAST({value} AS {kind.simpleString()})"
        # Iceberg's readers tell 0.0 from -0.0, Spark does not; their texts differ.
        of_float = isinstance(kind, FloatType | DoubleType)
        part = f"CAST({cast} AS STRING)" if of_float else equal_values.comparable(cast, kind)
        if part is None:
            raise NoKeyColumn(f"A key of type {kind.simpleString()} cannot be compared.")
        parts.append(part)
        parts += (f"{identifiers.quoted(place[:depth])} IS NULL" for depth in range(1, len(place)))
    return equal_values.struct(parts)


def keys(source: Source, deletes: Iterable[StoredEntry], schemas: Iterable[Schema]) -> tuple[Keys, ...]:
    """What equality delete files hold, those of equal key columns together.

    Args:
        source: the table.
        deletes: entries with content 2.
        schemas: every one of the table, the current one last.

    The columns of a file are found by their field ids; of a file that says none, or is large and cannot be opened here,
    by names that were never those of two fields.

    Raises:
        NoKeyColumn: a key column is in no schema, not found in the file, or of a type without equality.

    Cost: of files that are small together the bytes of all of them, now, and at most one Spark job; of larger ones now
        the schema of each.
    """
    schemas = list(schemas)
    unique = {delete.file_path: delete for delete in deletes}
    contents: Mapping[str, bytes] = {}
    if sum(delete.file_size_in_bytes for delete in unique.values()) <= _DECODED_IN_BYTES:
        contents, _ = storage.contents(source.spark, list(unique), replace(source.options, cache=None))
    named = {
        delete.file_format: storage.is_named_by_sql(source.spark, path, source.options, delete.file_format)
        for path, delete in unique.items()
    }  # one of each format tells of all
    frames: dict[tuple[int, ...], list[DataFrame]] = defaultdict(list)
    shown: dict[tuple[int, ...], list[str]] = defaultdict(list)
    decoded: dict[tuple[tuple[int, ...], pa.Schema], list[pa.Table]] = defaultdict(list)
    kinds = {
        ids: tuple(_kind(source, field_id, schemas) for field_id in ids)
        for ids in {delete.equality_ids or () for delete in unique.values()}
    }
    for path, delete in unique.items():
        ids = delete.equality_ids or ()
        table, places = _decoded(contents[path], delete) if path in contents else (None, {})
        inside = None
        if table is None:
            inside = _opened(source, path, delete.file_format)
            places = _by_id(source, delete) or _by_name(inside.schema, schemas)
        for field_id in ids:
            if field_id not in places:
                raise _lacking(delete, field_id, schemas, "was not found in the file")
        key = _struct_of((identifiers.quoted(places[i]) for i in ids), kinds[ids], (places[i] for i in ids))
        select = f"{key} AS key", f"{text(path)} AS delete_file_path"
        file = f"{delete.file_format.lower()}.{identifiers.quoted([path])}"
        shown[ids].append(f"SELECT {', '.join(select)} FROM {file}")  # noqa: S608 - quoted
        if inside is not None:
            frames[ids].append(inside.selectExpr(*select))
        elif table is not None:
            plain = _key_columns(table, path, [places[i][0] for i in ids])
            decoded[ids, plain.schema].append(plain)
    for (ids, _), tables in decoded.items():
        together = pa.concat_tables(tables)
        frame = local_table(source.spark, together, from_arrow_schema(together.schema))
        key = _struct_of((f"c{number}" for number in range(len(ids))), kinds[ids], [()] * len(ids))
        frames[ids].append(frame.selectExpr(f"{key} AS key", "delete_file_path"))
    newest = {field["id"]: field for schema in schemas for field in fields(schema)}
    names = {field_id: ".".join(place) for schema in schemas for field_id, place in _places(schema)}
    having = [(schema.get("schema-id", 0), field_id) for schema in schemas for field_id, _ in _places(schema)]
    since = {field_id: schema_id for schema_id, field_id in sorted(having, reverse=True)}
    return tuple(
        Keys(
            tuple(path for path, delete in unique.items() if (delete.equality_ids or ()) == ids),
            ids,
            kinds[ids],
            tuple(newest.get(i) for i in ids),
            tuple(names[i] for i in ids),
            tuple(since[i] for i in ids),
            reduce(DataFrame.unionAll, frames[ids]),
            "\nUNION ALL\n".join(shown[ids]) if all(named.values()) else "",
        )
        for ids in frames
    )


def _kind(source: Source, field_id: int, schemas: Sequence[Schema]) -> DataType:
    """The type of a column in the newest schema that has it."""
    for schema in reversed(schemas):
        for found, place in _places(schema):
            if found == field_id:
                kind = _type(spark_schema(source, schema), place)
                if kind is not None:
                    return kind
    raise NoKeyColumn(f"No schema of the table has a key column of field id {field_id}.")


def _opened(source: Source, path: str, file_format: str) -> DataFrame:
    try:
        return storage.columns_of(source.spark, path, file_format, source.options)
    except Exception as error:
        unreadable = storage.explained(path, error)
        if unreadable.kind != "refused":
            storage.refuse([unreadable], "The rows that an equality delete masks cannot be told.")
        raise


def _decoded(content: bytes, delete: StoredEntry) -> tuple[pa.Table | None, dict[int, Place]]:
    """What a file holds, and where its fields are; nothing of a file that does not say their ids, or of Avro.

    Nor of keys inside structs, of which Spark tells more simply where these are null.
    """
    read = _ARROW.get(delete.file_format.lower())
    if read is None:
        return None, {}
    try:
        found = read(io.BytesIO(content))
    except (OSError, ValueError):  # pyarrow's errors are these too; Spark says what is wrong
        return None, {}
    places = dict(_arrow_ids(found.schema))
    plain = all(len(places.get(field_id, ())) == 1 for field_id in delete.equality_ids or ())
    return (found, places) if places and plain else (None, {})


def _key_columns(table: pa.Table, path: str, names: Sequence[str]) -> pa.Table:
    """Key columns c0, c1, … of a file, and its path."""
    columns = {f"c{number}": table[name] for number, name in enumerate(names)}
    paths = pa.array([path], pa.string()).take(pa.array([0] * len(table), pa.int32()))
    return pa.table(columns | {"delete_file_path": paths})


_ARROW: Mapping[str, Callable[[BinaryIO], pa.Table]] = {"parquet": parquet.read_table, "orc": orc.read_table}


def _lacking(delete: StoredEntry, field_id: int, schemas: Iterable[Schema], what: str) -> NoKeyColumn:
    names = [".".join(place) for schema in schemas for i, place in _places(schema) if i == field_id]
    column = f"{names[-1]} (field id {field_id})" if names else f"of field id {field_id}"
    return NoKeyColumn(f"The key column {column} of {delete.file_path.rsplit('/', 1)[-1]} {what}.")


def _by_id(source: Source, delete: StoredEntry) -> dict[int, Place]:
    """Where the fields of the file are, by the ids that it says; empty if it says none, or cannot be looked into."""
    ids_of = _IDS.get(delete.file_format.lower())
    if ids_of is None:
        return {}
    file = storage.opened(
        source.spark, delete.file_path, source.options, fetch=delete.file_size_in_bytes <= _FETCHED_IN_BYTES
    )
    if file is None:
        return {}
    try:
        with file:
            return dict(ids_of(file))
    except (OSError, ValueError):  # pyarrow's errors are these too; reading the columns says what is wrong
        return {}


def _by_name(of_file: StructType, schemas: Iterable[Schema]) -> dict[int, Place]:
    meant: dict[Place, set[int]] = defaultdict(set)
    for schema in schemas:
        for field_id, place in _places(schema):
            meant[place].add(field_id)
    there = {place: ids for place, ids in meant.items() if _type(of_file, place) is not None}
    return {field_id: place for place, ids in there.items() if len(ids) == 1 for field_id in ids}


def _arrow_ids(of: Iterable[pa.Field], above: Place = ()) -> Iterator[tuple[int, Place]]:
    for field in of:
        place = (*above, field.name)
        for name in (b"PARQUET:field_id", b"iceberg.id"):  # as Arrow tells those of Parquet and of ORC
            if name in (field.metadata or {}):
                yield int(field.metadata[name]), place
        if pa.types.is_struct(field.type):
            yield from _arrow_ids(field.type, place)


def _avro_ids(record: Any, above: Place = ()) -> Iterator[tuple[int, Place]]:
    for field in record["fields"]:
        place = (*above, field["name"])
        if "field-id" in field:
            yield field["field-id"], place
        kinds = field["type"] if isinstance(field["type"], list) else [field["type"]]
        for kind in kinds:
            if isinstance(kind, dict) and kind["type"] == "record":
                yield from _avro_ids(kind, place)


_IDS: Mapping[str, Callable[[BinaryIO], Iterable[tuple[int, Place]]]] = {
    "parquet": lambda file: _arrow_ids(parquet.read_schema(file)),
    "orc": lambda file: _arrow_ids(orc.ORCFile(file).schema),
    "avro": lambda file: _avro_ids(fastavro.reader(file).writer_schema),
}


def _places(schema: Schema, above: Place = ()) -> Iterator[tuple[int, Place]]:
    for field in fields(schema):
        place = (*above, str(field["name"]))
        yield field["id"], place
        if isinstance(field["type"], dict) and field["type"].get("type") == "struct":
            yield from _places(field["type"], place)


def _type(schema: StructType, place: Place) -> DataType | None:
    """Of a field; None if there is none."""
    kind: DataType = schema
    for name in place:
        if not isinstance(kind, StructType) or name not in kind.names:
            return None
        kind = kind[name].dataType
    return kind if place else None
