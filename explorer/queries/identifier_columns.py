"""The columns whose values tell which row is which: those that a person gives, else those that the schema names.

Source: Iceberg specification, "Identifier Field IDs".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import ExplorerError
from . import row_equality
from .changelog_rows import always_quoted
from .schema_mapping import Type, fields


@dataclass(frozen=True, slots=True)
class IdentifierColumn:
    """A column, or a field inside a struct: its name with dots, and how SQL names it."""

    name: str
    sql: str


def identifier_columns(schema: Mapping[str, Any], given: Sequence[str] | None) -> tuple[IdentifierColumn, ...]:
    """The given columns, else the schema's own; empty if there are none.

    Args:
        schema: the table's current schema, as metadata.json writes it.
        given: names, as Spark takes them without regard to case; `a.b` for a field of a struct. None for the schema's.

    Raises:
        ExplorerError: a name that the schema has not, or a column by which rows cannot be told apart.
    """
    known = {name: (field_id, sql, kind) for field_id, name, sql, kind in _named(schema)}
    if given is None:
        own = set(schema.get("identifier-field-ids") or ())
        return tuple(IdentifierColumn(name, sql) for name, (field_id, sql, _) in known.items() if field_id in own)
    return tuple(_found(name, known) for name in dict.fromkeys(given))


def _found(asked: str, known: Mapping[str, tuple[int, str, Type]]) -> IdentifierColumn:
    plain = asked.strip().replace("`", "") if asked not in known else asked
    matching = [name for name in known if name == plain] or [n for n in known if n.lower() == plain.lower()]
    names = ", ".join(name for name, (_, _, kind) in known.items() if isinstance(kind, str))
    if len(matching) != 1:
        lacks = "several columns of that name" if matching else "no such column"
        raise ExplorerError(
            f"Rows cannot be told apart by {asked}.",
            found=f"The table has {lacks}; it has {names}.",
            next_step="Name columns whose values no two live rows share.",
        )
    _, sql, kind = known[matching[0]]
    if not row_equality.is_its_own_key(kind):
        raise ExplorerError(
            f"Rows cannot be told apart by {asked}.",
            found="It holds a map or a variant, by which Spark neither sorts nor groups.",
            next_step=f"Name other columns, of {names}.",
        )
    return IdentifierColumn(matching[0], sql)


def _named(schema: Mapping[str, Any], name: str = "", sql: str = "") -> Iterator[tuple[int, str, str, Type]]:
    """Every column, and every field of a struct, as (id, name with dots, SQL, type)."""
    for field in fields(schema):
        here = name + str(field["name"]), sql + always_quoted(str(field["name"]))
        yield field["id"], *here, field["type"]
        if not isinstance(field["type"], str) and field["type"]["type"] == "struct":
            yield from _named(field["type"], f"{here[0]}.", f"{here[1]}.")
