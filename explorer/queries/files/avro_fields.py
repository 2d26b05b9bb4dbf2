"""Fields of a writer's schema found by their Iceberg field ids. Spark tasks get this module by value, as `avro` too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_OWN_NAMES = {"path": "manifest_path", "length": "manifest_length"}  # of columns that Iceberg's tables call otherwise


def parsed(schema_text: str) -> Any:
    """A schema from its JSON; one without fields if it is no record."""
    try:
        schema = json.loads(schema_text)
    except ValueError:
        schema = None
    return schema if isinstance(schema, dict) else {}


def field_of(record: Mapping[str, Any], name: str, field_id: int) -> Any:
    """A field by its id; by its name where the writer left ids out."""
    fields = record.get("fields", ())
    return next(
        (f for f in fields if f.get("field-id") == field_id),
        next((f for f in fields if "field-id" not in f and f["name"] == name), None),
    )


def names_of(record: Mapping[str, Any], columns: Mapping[str, int]) -> dict[str, str]:
    """What the writer calls each column that the file has."""
    found = {
        column: field_of(record, _OWN_NAMES.get(column, column.removeprefix("stored_")), i)
        for column, i in columns.items()
    }
    return {column: field["name"] for column, field in found.items() if field is not None}
