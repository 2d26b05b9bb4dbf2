"""What equality delete files hold, by the field ids of their columns, whatever these are called in the file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

import fastavro
import pyarrow as pa
from pyarrow import orc, parquet
from pyspark.sql import DataFrame
from pyspark.sql.types import DataType, StructType

from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import StoredEntry
from .. import identifiers
from ..files import storage
from ..source import Source
from . import matching as row_matching
from .schema_mapping import fields

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
