"""When two rows are equal, said so that Spark can group and join by it.

Rows are equal if all their values are: null equals null, NaN equals NaN, 0.0 equals -0.0, binary by its bytes, a map by
its entries in any order. (Iceberg's `create_changelog_view` compares binary by reference, #18211, and takes no map.)
"""

from __future__ import annotations

from . import identifiers
from .schema_mapping import Type, fields


def key(expression: str, kind: Type) -> str:
    """An expression that has equal values just where `expression` has; itself where Spark groups and sorts by it.

    Args:
        expression: SQL that gives a value of the type.
        kind: the Iceberg type, as metadata.json writes it.
    """
    return _key(expression, kind, 0)


def is_its_own_key(kind: Type) -> bool:
    """Whether Spark groups and sorts by values of the type as they are: not by a map or variant, nor what holds one."""
    if isinstance(kind, str):
        return kind != "variant"
    match kind["type"]:
        case "struct":
            return all(is_its_own_key(field["type"]) for field in fields(kind))
        case "list":
            return is_its_own_key(kind["element"])
        case _:
            return False


def _key(expression: str, kind: Type, depth: int) -> str:
    if is_its_own_key(kind):
        return expression
    if isinstance(kind, str):
        return f"to_json({expression})"  # its keys are sorted, its numbers written in one way
    item = f"x{depth}"
    match kind["type"]:
        case "struct":
            inside = (_key(f"{expression}.{identifiers.quoted([f['name']])}", f["type"], depth) for f in fields(kind))
            return f"IF({expression} IS NULL, NULL, struct({', '.join(inside)}))"
        case "list":
            return f"transform({expression}, {item} -> {_key(item, kind['element'], depth + 1)})"
        case _:
            entry = (_key(f"{item}.key", kind["key"], depth + 1), _key(f"{item}.value", kind["value"], depth + 1))
            return f"array_sort(transform(map_entries({expression}), {item} -> struct({', '.join(entry)})))"
