"""A writer's schema of an Avro file as the readers of its values need it. Spark tasks get this module by value."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple

_MOST_SCHEMAS = 64
_KEPT = ("type", "name", "namespace", "fields", "items", "values", "size", "symbols")
_TYPES = {
    "null": "Null",
    "boolean": "Boolean",
    "int": "Int32",
    "long": "Int64",
    "float": "Float32",
    "double": "Float64",
    "bytes": "Binary",
    "fixed": "Binary",
    "string": "String",
    "enum": "String",
}

Texts = TypeVarTuple("Texts")
T = TypeVar("T")


def once_a_schema(understand: Callable[[*Texts], T]) -> Callable[[*Texts], T]:
    """Remember what was understood: most manifests of a table have one schema, which takes longer than a few entries.

    `lru_cache` cannot be had by value: it would look for the package where the tasks run.
    """
    known: dict[tuple[*Texts], T] = {}

    def understood(*texts: *Texts) -> T:
        if (found := known.get(texts)) is None:  # another thread may forget them all meanwhile
            found = understand(*texts)
            if len(known) >= _MOST_SCHEMAS:
                known.clear()
            known[texts] = found
        return found

    return understood


@dataclass(frozen=True)  # without slots, whose values Spark 3.5 loses on the way to a task
class PlainSchema:
    """A schema without logical types, docs and what else a reader of values does not need.

    Attributes:
        spelled_out: with the definition of each type wherever it is named; json: the same as JSON.
        plain: with each type defined once, as Avro wants it; JSON.
        is_quick: whether polars reads all of it.
        begins_with_text: whether it is one of records of which each begins with a text.
    """

    spelled_out: Any
    json: str
    plain: str
    is_quick: bool
    begins_with_text: bool


@once_a_schema
def plain_schema(text: str) -> PlainSchema:
    """A schema from its JSON; raises whatever it stumbles over if it is none."""
    plain = _plain(json.loads(text))
    schema = _spelled_out(plain, {})
    first = schema.get("fields", ())[:1] if isinstance(schema, dict) else ()
    begins_with_text = any(field["type"] == "string" for field in first)
    return PlainSchema(schema, json.dumps(schema), json.dumps(plain), _is_quick_record(schema), begins_with_text)


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: schema[key] if key == "symbols" else _plain(schema[key]) for key in _KEPT if key in schema}


def _spelled_out(schema: Any, defined: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_spelled_out(s, defined) for s in schema]
    if isinstance(schema, str):
        return defined.get(schema, schema)
    found = schema | {key: _spelled_out(schema[key], defined) for key in ("type", "items", "values") if key in schema}
    if "fields" in schema:
        found["fields"] = [
            field | {"name": field["name"], "type": _spelled_out(field["type"], defined)} for field in schema["fields"]
        ]
    if schema["type"] in ("record", "fixed", "enum"):
        defined[schema["name"]] = found
    return found


def _is_quick_record(schema: Any) -> bool:
    return isinstance(schema, dict) and schema["type"] == "record" and _is_quick(schema)


def _is_quick(schema: Any) -> bool:
    """Whether polars reads all of it: it ends in a panic at maps, and knows no union but that with null."""
    if isinstance(schema, list):
        return len(schema) == 2 and "null" in schema and all(map(_is_quick, schema))
    if isinstance(schema, str):
        return schema in _TYPES
    kind = schema["type"]
    if kind == "record":
        return all(_is_quick(field["type"]) for field in schema["fields"])
    if kind == "array":
        return _is_quick(schema["items"])
    return kind not in ("map", "enum") and _is_quick(kind)


def polars_type(schema: Any) -> Any:
    """As which type of polars fastavro's values of a spelled out schema are kept."""
    import polars as pl

    if isinstance(schema, list):  # of several types the first: no column of Iceberg has them
        return polars_type(next((s for s in schema if s != "null"), "null"))
    if isinstance(schema, str):
        return getattr(pl, _TYPES[schema])
    kind = schema["type"]
    if kind == "record":
        return pl.Struct({field["name"]: polars_type(field["type"]) for field in schema["fields"]})
    if kind == "array":
        return pl.List(polars_type(schema["items"]))
    if kind == "map":
        return pl.List(pl.Struct({"key": pl.String, "value": polars_type(schema["values"])}))
    return polars_type(kind)


def without_maps(value: Any, schema: Any) -> Any:
    """A value with each map in it as a list of (key, value)."""
    if isinstance(value, dict):
        if isinstance(schema, list):
            schema = next((s for s in schema if s != "null"), "null")
        kind = schema["type"] if isinstance(schema, dict) else schema
        if kind == "map":
            return [{"key": key, "value": held} for key, held in value.items()]
        if kind == "record":
            return {f["name"]: without_maps(value.get(f["name"]), f["type"]) for f in schema["fields"]}
        return without_maps(value, kind) if isinstance(kind, dict) else value
    return value
