"""What equality delete files hold, by the field ids of their columns, whatever these are called in the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DataType, StructType

from . import identifiers, row_matching, storage
from .manifest_avro import Row
from .schema_mapping import fields

_FIELD_ID = (b"PARQUET:field_id", b"iceberg.id")  # in Parquet and in ORC, as Arrow tells them
_SCHEMA_IN_BYTES = 64_000_000  # of a larger file elsewhere, which would have to be fetched, names alone are asked

Place = tuple[str, ...]
"""Names from the column down to a field."""


class NoKeyColumn(LookupError):
    """A key column that the rows or the file have not."""


def matching(
    spark: SparkSession,
    rows: DataFrame,
    schema: Mapping[str, Any],
    delete: Row,
    schemas: Iterable[Mapping[str, Any]],
    options: Mapping[str, str],
) -> tuple[str, DataFrame]:
    """SQL of a row's key, over `rows`, and the keys in an equality delete file: a frame with one column, `key`.

    Null equals null (specification, "Equality Delete Files"). The columns of the file are found by their field ids; of
    a file that has none by the names that schemas of the table give them.

    Args:
        spark: the session to ask.
        rows: with the columns of `schema`.
        schema: as a metadata file writes it.
        delete: an entry, as of `stored_manifests.entries`.
        schemas: for a file without field ids, the most likely first.
        options: of `storage.read_options`.

    Raises:
        NoKeyColumn: a key column is not one of the rows, or not in the file.

    Cost: none now but for the file's own schema; its content when the frame is read.
    """
    inside = storage.columns_of(spark, delete["file_path"], delete["file_format"], options)
    theirs = _in_file(spark, delete, options) or _by_name(inside, schemas)
    ours = dict(_places(schema))
    here, there = [], []
    for field_id in delete["equality_ids"]:
        kind = _type(rows.schema, ours.get(field_id, ()))
        if kind is None:
            raise NoKeyColumn(f"Its key column of field id {field_id} is not a column of the rows.")
        if _type(inside.schema, theirs.get(field_id, ())) is None:
            raise NoKeyColumn(f"Its key column of field id {field_id} is not in the file.")
        here.append(row_matching.comparable(identifiers.quoted(ours[field_id]), kind))
        cast = f"CAST({identifiers.quoted(theirs[field_id])} AS {kind.simpleString()})"
        there.append(row_matching.comparable(cast, kind))
    return _struct(here), inside.selectExpr(f"{_struct(there)} AS key").distinct()


def _in_file(spark: SparkSession, delete: Row, options: Mapping[str, str]) -> dict[int, Place]:
    """Where the fields of the file are, by the ids that it says; empty if it says none."""
    if delete["file_size_in_bytes"] > _SCHEMA_IN_BYTES:
        return {}
    return dict(_ids(storage.schema_of(spark, delete["file_path"], delete["file_format"], options) or ()))


def _by_name(inside: DataFrame, schemas: Iterable[Mapping[str, Any]]) -> dict[int, Place]:
    found: dict[int, Place] = {}
    for schema in schemas:
        for field_id, place in _places(schema):
            if _type(inside.schema, place) is not None:
                found.setdefault(field_id, place)
    return found


def _ids(of: Iterable[pa.Field], above: Place = ()) -> Iterable[tuple[int, Place]]:
    for field in of:
        place = (*above, field.name)
        for name in _FIELD_ID:
            if name in (field.metadata or {}):
                yield int(field.metadata[name]), place
        if pa.types.is_struct(field.type):
            yield from _ids(field.type, place)


def _places(schema: Mapping[str, Any], above: Place = ()) -> Iterable[tuple[int, Place]]:
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


def _struct(parts: Iterable[str | None]) -> str:
    return f"struct({', '.join(f'{part} AS k{i}' for i, part in enumerate(parts))})"
