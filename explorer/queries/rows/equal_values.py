"""SQL of what is equal for equal values of a column.

Equality is Spark's own where it has one: null equals null, NaN equals NaN, 0.0 equals -0.0, binary by its bytes. Maps
are equal if they have the same keys with equal values, in any order; variants if their JSON text and types are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DoubleType,
    FloatType,
    MapType,
    NullType,
    StructType,
    TimestampType,
)

from .. import identifiers

_BY_TEXT = "variant"
_NOT_COMPARED = ("geometry", "geography")


def comparable(path: str, kind: DataType, depth: int = 0) -> str | None:
    """An expression that is equal for equal values of a column and can be grouped by; None if there is none."""
    if not holds_values(kind) or kind.typeName().startswith(_NOT_COMPARED):
        return None
    if _is_plain(kind):
        return path
    item = f"x{depth}"
    match kind:
        case StructType():
            inside = (comparable(f"{path}.{identifiers.quoted([f.name])}", f.dataType, depth) for f in kind.fields)
            return f"IF({path} IS NULL, NULL, {struct([part for part in inside if part])})"
        case ArrayType():
            element = comparable(item, kind.elementType, depth + 1)
            return f"size({path})" if element is None else f"transform({path}, {item} -> {element})"
        case MapType():
            key = comparable(f"{item}.key", kind.keyType, depth + 1)
            value = comparable(f"{item}.value", kind.valueType, depth + 1)
            return f"array_sort(transform(map_entries({path}), {item} -> {struct([p for p in (key, value) if p])}))"
        case _:  # a variant
            return f"IF({path} IS NULL, NULL, struct(to_json({path}), schema_of_variant({path})))"


def _is_plain(kind: DataType) -> bool:
    match kind:
        case StructType():
            return all(_is_plain(f.dataType) for f in kind.fields)
        case ArrayType():
            return _is_plain(kind.elementType)
        case MapType() | NullType():
            return False
        case _:
            return not kind.typeName().startswith((_BY_TEXT, *_NOT_COMPARED))


def holds_values(kind: DataType) -> bool:
    """Whether a column can have one: a column of the type `unknown` is null in every row."""
    return not isinstance(kind, NullType)


def struct(parts: Sequence[str]) -> str:
    """A struct of expressions, under names of its own: those of columns may be odd."""
    return f"struct({', '.join(f'{part} AS c{i}' for i, part in enumerate(parts or ['true']))})"


_TIMES = "'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS XXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'"


def exact_text(path: str, kind: DataType) -> str:
    """SQL of a text that is equal for two values of a column exactly where these are; null for null.

    Values of a type that cannot be compared have none.
    """
    found = comparable(path, kind)
    if found is None:
        return "CAST(NULL AS STRING)"
    match kind:
        case BinaryType():
            return f"hex({path})"
        case TimestampType():
            return f"CAST(unix_micros({path}) AS STRING)"
        case FloatType() | DoubleType():
            return f"CAST(IF({path} = 0, abs({path}), {path}) AS STRING)"
        case StructType() | ArrayType() | MapType():
            return f"IF({path} IS NULL, NULL, to_json(struct({found} AS v), map({_TIMES})))"
    plain = kind.typeName() != _BY_TEXT
    return f"CAST({path} AS STRING)" if plain else f"IF({path} IS NULL, NULL, to_json(struct({found} AS v)))"
