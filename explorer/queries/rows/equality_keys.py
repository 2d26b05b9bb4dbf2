"""What equality delete files hold, by the field ids of their columns, whatever these are called in the file."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, BinaryIO

import fastavro
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import orc, parquet
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import DataType, StructType

from ...model.iceberg.document import Field, Schema
from ...model.iceberg.inheritance import StoredEntry
from .. import identifiers
from ..files import storage
from ..source import Source
from . import matching as row_matching
from . import schema_mapping
from .local_rows import local_table
from .schema_mapping import fields, spark_schema, text

_DECODED_IN_BYTES = 8_000_000  # of all files together, up to which this process decodes them
_FETCHED_IN_BYTES = 64_000_000  # of a larger file that this process cannot open, names alone are asked

Place = tuple[str, ...]
"""Names from the column down to a field."""


class NoKeyColumn(LookupError):
    """A key column that the rows or the file have not, or that cannot be compared."""


def matching(
    source: Source,
    rows: DataFrame,
    schema: Schema,
    delete: StoredEntry,
    schemas: Iterable[Schema],
) -> tuple[str, DataFrame]:
    """SQL of a row's key, over `rows`, and the keys in an equality delete file: a frame with one column, `key`.

    Null equals null (specification, "Equality Delete Files"). The columns of the file are found by their field ids; of
    a file that says none, or is large and cannot be opened here, by names that were never those of two fields.

    Args:
        source: the table.
        rows: with the columns of `schema`.
        schema: as a metadata file writes it.
        delete: an entry with content 2.
        schemas: every one of the table.

    Raises:
        NoKeyColumn: a key column is not one of the rows, not found in the file, or of a type without equality.

    Cost: none now but for the file's own schema; its content when the frame is read.
    """
    schemas = list(schemas)
    inside = storage.columns_of(source.spark, delete.file_path, delete.file_format, source.options)
    of_rows, of_file = rows.schema, inside.schema
    theirs = _by_id(source, delete) or _by_name(of_file, schemas)
    ours = dict(_places(schema))
    here, there = [], []
    for field_id in delete.equality_ids or ():
        kind = _type(of_rows, ours.get(field_id, ()))
        if kind is None:
            raise _lacking(delete, field_id, schemas, "is not among the columns of the rows")
        if _type(of_file, theirs.get(field_id, ())) is None:
            raise _lacking(delete, field_id, schemas, "was not found in the file")
        cast = f"CAST({identifiers.quoted(theirs[field_id])} AS {kind.simpleString()})"
        own, other = (row_matching.comparable(c, kind) for c in (identifiers.quoted(ours[field_id]), cast))
        if own is None or other is None:
            raise _lacking(delete, field_id, schemas, f"is of type {kind.simpleString()}, which cannot be compared")
        here.append(own)
        there.append(other)
    return row_matching.struct(here), inside.selectExpr(f"{row_matching.struct(there)} AS key").distinct()


@dataclass(frozen=True)
class Keys:
    """What equality delete files of equal key columns hold.

    Attributes:
        field_ids: of the key columns.
        kinds: their types, in which keys are compared.
        columns: how the newest schema that has each key column describes it; None of one inside a struct.
        frame: key struct, of one comparable value for each column; delete_file_path string.
        shown: SELECT of the same as text; empty where SQL cannot open the files by their locations.
    """

    field_ids: tuple[int, ...]
    kinds: tuple[DataType, ...]
    columns: tuple[Field | None, ...]
    frame: DataFrame
    shown: str

    def of_rows(self, schema: Schema) -> str:
        """SQL of the key of a row that has the columns of a schema, as a metadata file writes it.

        Raises:
            NoKeyColumn: a key column inside a struct is not one of them.
        """
        by_id, places = {field["id"]: field for field in fields(schema)}, dict(_places(schema))
        values = []
        for field_id, column in zip(self.field_ids, self.columns, strict=True):
            if column is not None:
                values.append(schema_mapping.value(by_id.get(field_id), column))
            elif field_id in places:
                values.append(identifiers.quoted(places[field_id]))
            else:
                raise NoKeyColumn(f"The key column of field id {field_id} is not among the columns of the rows.")
        return _struct_of(values, self.kinds)


def _struct_of(values: Iterable[str], kinds: Iterable[DataType]) -> str:
    cast = [f"CAST({value} AS {kind.simpleString()})" for value, kind in zip(values, kinds, strict=True)]
    parts = [row_matching.comparable(value, kind) for value, kind in zip(cast, kinds, strict=True)]
    if None in parts:
        raise NoKeyColumn(f"A key of type {', '.join(kind.simpleString() for kind in kinds)} cannot be compared.")
    return row_matching.struct([part for part in parts if part])


def keys(source: Source, deletes: Iterable[StoredEntry], schemas: Iterable[Schema]) -> tuple[Keys, ...]:
    """What equality delete files hold, those of equal key columns together.

    Args:
        source: the table.
        deletes: entries with content 2.
        schemas: every one of the table, the current one last.

    Raises:
        NoKeyColumn: as `matching`.

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
            inside = storage.columns_of(source.spark, path, delete.file_format, source.options)
            places = _by_id(source, delete) or _by_name(inside.schema, schemas)
        for field_id in ids:
            if field_id not in places:
                raise _lacking(delete, field_id, schemas, "was not found in the file")
        key = _struct_of((identifiers.quoted(places[i]) for i in ids), kinds[ids])
        select = f"{key} AS key", f"{text(path)} AS delete_file_path"
        file = f"{delete.file_format.lower()}.{identifiers.quoted([path])}"
        shown[ids].append(f"SELECT {', '.join(select)} FROM {file}")  # noqa: S608 - quoted
        if inside is not None:
            frames[ids].append(inside.selectExpr(*select))
        elif table is not None:
            plain = _key_columns(table, path, [places[i] for i in ids])
            decoded[ids, plain.schema].append(plain)
    for (ids, _), tables in decoded.items():
        together = pa.concat_tables(tables).combine_chunks()  # Spark makes a task of each piece
        frame = local_table(source.spark, together, from_arrow_schema(together.schema))
        key = _struct_of((f"c{place}" for place in range(len(ids))), kinds[ids])
        frames[ids].append(frame.selectExpr(f"{key} AS key", "delete_file_path"))
    newest = {field["id"]: field for schema in schemas for field in fields(schema)}
    return tuple(
        Keys(
            ids,
            kinds[ids],
            tuple(newest.get(i) for i in ids),
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


def _decoded(content: bytes, delete: StoredEntry) -> tuple[pa.Table | None, dict[int, Place]]:
    """What a file holds, and where its fields are; nothing of a file that does not say their ids, or of Avro."""
    read = _ARROW.get(delete.file_format.lower())
    if read is None:
        return None, {}
    try:
        found = read(io.BytesIO(content))
    except (OSError, ValueError):  # pyarrow's errors are these too; Spark says what is wrong
        return None, {}
    places = dict(_arrow_ids(found.schema))
    return (found, places) if places else (None, {})


def _key_columns(table: pa.Table, path: str, places: Sequence[Place]) -> pa.Table:
    """Key columns c0, c1, … of a file, and its path."""
    columns = {
        f"c{number}": pc.struct_field(table[top], inside) if inside else table[top]
        for number, (top, *inside) in enumerate(places)
    }
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
