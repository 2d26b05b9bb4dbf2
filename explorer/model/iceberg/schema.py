"""Schemas as flat lists of fields, and what changed between two of them.

Sources: Iceberg specification, "Schemas and Data Types", "Schema Evolution", Appendix C (JSON of types).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .document import Schema

_WIDER = {("int", "long"), ("float", "double"), ("date", "timestamp"), ("date", "timestamp_ns")}
_DECIMAL = re.compile(r"decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)")


NAME_MAPPING = "schema.name-mapping.default"
"""The property by which files without field ids are read; source: "Column Projection"."""


@dataclass(frozen=True, slots=True)
class SchemaField:
    """One column or nested field: stable id, dotted path, type as text, and whether null is forbidden."""

    field_id: int
    path: str
    type: str
    required: bool


def name_mapping(properties: Mapping[str, str]) -> dict[str, int | None]:
    """The id of each top-level column by each of its names, as the property of a table says; none if it cannot be read.

    Args:
        properties: of the table.
    """
    try:
        told = json.loads(properties.get(NAME_MAPPING, ""))
    except ValueError:
        return {}
    items = [item for item in told if isinstance(item, Mapping)] if isinstance(told, list) else []
    return {str(name): item.get("field-id") for item in items for name in item.get("names") or ()}


def fields(struct: Schema, prefix: str = "") -> Iterable[SchemaField]:
    """Every column and nested field of a schema's JSON, outer before inner."""
    members = struct.get("fields")
    for item in members if isinstance(members, list) else []:
        if isinstance(item, Mapping):
            path = prefix + str(item.get("name"))
            yield from _field(_id(item, "id"), path, item.get("type"), bool(item.get("required")))


def _id(item: Mapping[str, Any], key: str) -> int:
    value = item.get(key)
    return value if isinstance(value, int) else -1


def _field(field_id: int, path: str, kind: Any, required: bool) -> Iterable[SchemaField]:
    name = kind.get("type") if isinstance(kind, Mapping) else str(kind)
    yield SchemaField(field_id, path, str(name), required)
    if name == "struct":
        yield from fields(kind, f"{path}.")
    elif name == "list":
        yield from _field(
            _id(kind, "element-id"),
            f"{path}.element",
            kind.get("element"),
            bool(kind.get("element-required")),
        )
    elif name == "map":
        yield from _field(_id(kind, "key-id"), f"{path}.key", kind.get("key"), True)
        yield from _field(_id(kind, "value-id"), f"{path}.value", kind.get("value"), bool(kind.get("value-required")))


def is_wider(narrow: str, wide: str) -> bool:
    """Whether the one type can become the other. Source: specification, "Schema Evolution" (type promotion)."""
    one, other = _DECIMAL.fullmatch(narrow), _DECIMAL.fullmatch(wide)
    if one and other:
        return one[2] == other[2] and int(one[1]) < int(other[1])
    return (narrow, wide) in _WIDER or narrow == "unknown"


def schema_change(old: tuple[SchemaField, ...], new: tuple[SchemaField, ...]) -> tuple[str, ...]:
    """What changed between two schemas, matched by field id, in words: `+ channel string`, `− note`, `a → b`.

    Source: specification, "Schema Evolution": a field is its id; a rename keeps it,
    dropping and adding a name again does not.
    """
    before, after = {f.field_id: f for f in old}, {f.field_id: f for f in new}
    words = [f"+ {f.path} {f.type}" for i, f in after.items() if i not in before]
    words += [f"− {f.path}" for i, f in before.items() if i not in after]
    for field_id, now in after.items():
        was = before.get(field_id)
        if was is None:
            continue
        if was.path != now.path:
            words.append(f"{was.path} → {now.path}")
        if was.type != now.type:
            words.append(f"{now.path}: {was.type} → {now.type}")
        if was.required != now.required:
            words.append(f"{now.path}: {'required' if now.required else 'optional'}")
    return tuple(words)
