"""The rows of a frame for Python, whose types hold less than Spark's: no variants, no year before 1 or after 9999."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DateType,
    MapType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from .. import identifiers
from . import arrow, schema_mapping


def read(frame: DataFrame) -> tuple[StructType, Mapping[str, list[Any]]]:
    """The types in which all rows came, and their values by column; timestamps with a zone are in UTC.

    A variant is its JSON text. A column with a date or time that Python cannot hold comes with all of its dates and
    times as Spark's text, exact: `+10000-01-01`, `-0044-03-15 12:00:00`; with a zone in UTC: `+10000-01-01 04:59:59Z`.
    Both inside structs, lists and maps too.

    Cost: the rows of the frame; once more if a date or time was out of range.
    """
    schema, table = _asked(frame, ())
    try:
        return schema, table.to_pydict()
    except (OverflowError, ValueError):
        schema, table = _asked(frame, [name for name in table.column_names if not _fits(table[name])])
        return schema, table.to_pydict()


def _asked(frame: DataFrame, times_as_text: Collection[str]) -> tuple[StructType, pa.Table]:
    found = frame.selectExpr(*(_column(field, times_as_text=field.name in times_as_text) for field in frame.schema))
    # Arrow cannot take a struct that is null for a type that has required fields.
    nullable = _nullable(found.schema)
    found = found.select(*(F.col(identifiers.quoted([field.name])).cast(field.dataType) for field in nullable))
    table = arrow.collected(found)
    for place, column in enumerate(table.schema):
        if pa.types.is_timestamp(column.type) and column.type.tz is not None:
            # The same instants: near the ends of Python's range not every zone has them.
            in_utc = table.column(place).cast(pa.timestamp(column.type.unit, "UTC"))
            table = table.set_column(place, column.name, in_utc)
    return found.schema, table


def _nullable(schema: StructType) -> StructType:
    """The schema with nothing required, at any depth; Spark 3.5 has no `toNullable`."""

    def loosened(part: dict[str, Any]) -> dict[str, Any]:
        return part | {name: True for name in ("nullable", "containsNull", "valueContainsNull") if name in part}

    return StructType.fromJson(json.loads(schema.json(), object_hook=loosened))


def _column(field: StructField, *, times_as_text: bool) -> str:
    name = identifiers.quoted([field.name])
    return f"{_readable(name, field.dataType, times_as_text=times_as_text)} AS {name}"


def _fits(column: pa.ChunkedArray) -> bool:
    try:
        column.to_pylist()
    except (OverflowError, ValueError):
        return False
    return True


def _readable(path: str, kind: DataType, *, times_as_text: bool, depth: int = 0) -> str:
    """An expression for a value as it is to come; the path itself where it comes as it is."""

    def inside(path: str, kind: DataType) -> str:
        return _readable(path, kind, times_as_text=times_as_text, depth=depth + 1)

    item = f"x{depth}"
    match kind:
        case DateType() | TimestampNTZType():
            return f"CAST({path} AS STRING)" if times_as_text else path
        case TimestampType():
            return f"CONCAT(CAST({_in_utc(path)} AS STRING), 'Z')" if times_as_text else path
        case StructType():
            paths = [f"{path}.{identifiers.quoted([field.name])}" for field in kind]
            values = [inside(*parts) for parts in zip(paths, (field.dataType for field in kind), strict=True)]
            if values == paths:
                return path
            named = (f"{schema_mapping.text(name)}, {value}" for name, value in zip(kind.names, values, strict=True))
            return f"IF({path} IS NULL, NULL, named_struct({', '.join(named)}))"
        case ArrayType():
            element = inside(item, kind.elementType)
            return path if element == item else f"transform({path}, {item} -> {element})"
        case MapType():
            key, value = inside(f"{item}.key", kind.keyType), inside(f"{item}.value", kind.valueType)
            if (key, value) == (f"{item}.key", f"{item}.value"):
                return path
            return f"map_from_entries(transform(map_entries({path}), {item} -> struct({key}, {value})))"
        case _:
            return f"to_json({path})" if kind.typeName() == "variant" else path


def _in_utc(path: str) -> str:
    # Not by zones: in that of the session some times of day are twice, others never.
    return f"TIMESTAMP_NTZ'1970-01-01 00:00:00' + unix_micros({path}) * INTERVAL '0.000001' SECOND"
