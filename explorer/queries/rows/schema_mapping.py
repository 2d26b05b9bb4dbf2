"""Rows of one schema of a table told in another of its schemas, as SQL expressions.

A column is its field id: renamed, it has the new name; widened, it is cast; added later, it has its initial default,
else null; dropped, it is absent. The same inside structs, lists and maps.

Source: Iceberg specification, "Schema Evolution", "Default values", Appendix C (JSON of types and values).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql.types import StructType

from ...model.iceberg.document import Document, Field, ListedSnapshot, Schema
from ...model.iceberg.schema import name_mapping
from .. import identifiers
from ..source import Source

Type = str | Schema
"""An Iceberg type as metadata.json writes it: `long`, `decimal(9, 2)`, or an object of a nested type."""

_SPARK = {
    "long": "BIGINT",
    "timestamp": "TIMESTAMP_NTZ",
    "timestamptz": "TIMESTAMP",
    "uuid": "STRING",
    "unknown": "VOID",
}


def schemas(document: Document) -> Mapping[int, Schema]:
    """The schemas of a metadata file by their ids; a version 1 file may have but one, without an id."""
    return {schema.get("schema-id", 0): schema for schema in document.get("schemas") or [document["schema"]]}


def current_schema(document: Document) -> Schema:
    """The schema in which a reader sees the table now."""
    known = schemas(document)
    return known[document.get("current-schema-id", next(iter(known)))]


def schema_at(document: Document, snapshot: ListedSnapshot) -> Schema:
    """The schema with which Iceberg reads a snapshot of the document: the current one if the snapshot names none."""
    schema_id = snapshot.get("schema-id")
    return current_schema(document) if schema_id is None else schemas(document)[schema_id]


def schema_of(document: Document, snapshot_id: int) -> Schema:
    """The same of a listed snapshot by its id."""
    return schema_at(document, next(item for item in document["snapshots"] if item["snapshot-id"] == snapshot_id))


def fields(schema: Schema) -> Sequence[Field]:
    """The fields of a schema or struct."""
    found: Sequence[Field] = schema.get("fields") or ()
    return found


def filterable(own: Schema, current: Schema) -> frozenset[int]:
    """Ids of columns that a read of an old snapshot can be filtered by.

    Iceberg looks the column of a filter up in the current schema as well, by its name: of a column that was dropped or
    renamed since, the read fails, or leaves out files by what another column holds.
    """
    now = {field["name"]: field["id"] for field in fields(current)}
    return frozenset(field["id"] for field in fields(own) if now.get(field["name"]) == field["id"])


def moved_names(document: Document) -> frozenset[int]:
    """Ids of columns of which one has a name now that the other had, where files without field ids are read by names.

    The bounds of such files are those of the column that had the name when they were imported.
    """
    if not (by_name := name_mapping(document.get("properties") or {})):
        return frozenset()  # as nearly always: the schemas of a long history are not gone through for each scan
    called = ((field["name"], field["id"]) for schema in schemas(document).values() for field in fields(schema))
    moved = ((by_name[name], field_id) for name, field_id in called if by_name.get(name, field_id) != field_id)
    return frozenset(field_id for pair in moved for field_id in pair if field_id is not None)


def bounded(own: Schema, document: Document) -> frozenset[int]:
    """Ids of columns by whose bounds files of an old snapshot can be filtered: `filterable` ones whose name stayed."""
    return filterable(own, current_schema(document)) - moved_names(document)


def all_filterable(own: Schema, current: Schema) -> bool:
    """Whether a read of an old snapshot can be filtered by every column."""
    return filterable(own, current).issuperset(field["id"] for field in fields(own))


def columns(schema: Schema) -> tuple[str, ...]:
    """Names of a schema's columns."""
    return tuple(str(field["name"]) for field in fields(schema))


def select(source: Schema, target: Schema) -> list[str]:
    """One SQL expression `… AS name` for each column of `target`, over rows that have the columns of `source`.

    Both are schemas as metadata.json writes them.
    """
    by_id = {field["id"]: field for field in fields(source)}
    return [
        f"{value(by_id.get(field['id']), field)} AS {identifiers.quoted([field['name']])}" for field in fields(target)
    ]


def value(source: Field | None, target: Field) -> str:
    """SQL of the value of a column as another schema tells it; `source` is None where the rows lack the column."""
    return _field(source, target, "", 0)


def spark_schema(source: Source, schema: Schema) -> StructType:
    """A schema of metadata.json, as Spark has it. Cost: analysis of a statement."""
    return source.spark.sql(f"SELECT {', '.join(select({}, schema))}").schema


def spark_type(kind: Type) -> str:
    """The type as Spark's DDL writes it; one that Spark lacks as Iceberg writes it."""
    if isinstance(kind, str):
        name = kind.replace(" ", "")
        return "BINARY" if name.startswith("fixed[") else _SPARK.get(name, name.upper())
    match kind["type"]:
        case "struct":
            inside = (f"{identifiers.quoted([f['name']])}: {spark_type(f['type'])}" for f in fields(kind))
            return f"STRUCT<{', '.join(inside)}>"
        case "list":
            return f"ARRAY<{spark_type(kind['element'])}>"
        case _:
            return f"MAP<{spark_type(kind['key'])}, {spark_type(kind['value'])}>"


def _field(source: Field | None, target: Field, prefix: str, depth: int) -> str:
    if source is None:
        return _default(target)
    return _converted(prefix + identifiers.quoted([source["name"]]), source["type"], target["type"], depth)


def _default(field: Field) -> str:
    """What a reader sees in a file that was written before the field was added."""
    kind, value = field["type"], field.get("initial-default")
    ddl = spark_type(kind)
    if value is None or not isinstance(kind, str):
        return f"CAST(NULL AS {ddl})"
    if ddl == "BINARY":
        return f"X'{value}'"
    return f"CAST({text(str(value))} AS {ddl})"


def _converted(path: str, source: Type, target: Type, depth: int) -> str:
    if _shape(source) == _shape(target):
        return path
    if isinstance(source, str) or isinstance(target, str):
        return f"CAST({path} AS {spark_type(target)})"
    match target["type"]:
        case "struct":
            by_id = {field["id"]: field for field in fields(source)}
            inside = (f"{text(f['name'])}, {_field(by_id.get(f['id']), f, path + '.', depth)}" for f in fields(target))
            return f"IF({path} IS NULL, NULL, named_struct({', '.join(inside)}))"
        case "list":
            item = f"x{depth}"
            return f"transform({path}, {item} -> {_converted(item, source['element'], target['element'], depth + 1)})"
        case _:
            item = f"x{depth}"
            key = _converted(f"{item}.key", source["key"], target["key"], depth + 1)
            value = _converted(f"{item}.value", source["value"], target["value"], depth + 1)
            return f"map_from_entries(transform(map_entries({path}), {item} -> struct({key}, {value})))"


def _shape(kind: Type) -> Any:
    """What two types must share for their values to be read alike: names, ids and types, not documentation."""
    if isinstance(kind, str):
        return kind.replace(" ", "")
    match kind["type"]:
        case "struct":
            return [(f["id"], f["name"], _shape(f["type"])) for f in fields(kind)]
        case "list":
            return "list", _shape(kind["element"])
        case _:
            return "map", _shape(kind["key"]), _shape(kind["value"])


text = identifiers.text  # every statement over rows has literals
