"""The columns whose values tell which row is which: those that a person gives, else those that the schema names.

Source: Iceberg specification, "Identifier Field IDs".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql.types import StructType

from ...errors import ExplorerError
from ...model.iceberg.document import Schema
from .. import identifiers
from ..source import Source
from .equal_values import comparable
from .schema_mapping import fields, spark_schema


@dataclass(frozen=True, slots=True)
class IdentifierColumn:
    """A column, or a field inside a struct: its name with dots, and SQL that is equal where its values are."""

    name: str
    sql: str


def identifier_columns(source: Source, schema: Schema, given: Sequence[str] | None) -> tuple[IdentifierColumn, ...]:
    """The given columns, else the schema's own; empty if there are none.

    Args:
        source: the table.
        schema: the table's current schema, as metadata.json writes it.
        given: names, or one, as Spark takes them without regard to case; `a.b` for a field of a struct. None for the
            schema's.

    Raises:
        ExplorerError: a name that the schema has not, or a column whose values cannot be compared.
    """
    if given is None and not schema.get("identifier-field-ids"):
        return ()
    known = {name: (field_id, sql) for field_id, name, sql in _named(schema, spark_schema(source, schema))}
    if given is None:
        own = set(schema["identifier-field-ids"])
        return tuple(IdentifierColumn(name, sql) for name, (i, sql) in known.items() if i in own and sql is not None)
    names = [given] if isinstance(given, str) else given  # a text is also a sequence, of its letters
    return tuple(dict.fromkeys(_found(name, known) for name in names))


def _found(asked: str, known: Mapping[str, tuple[int, str | None]]) -> IdentifierColumn:
    plain = asked if asked in known else asked.strip().replace("`", "")
    matching = [name for name in known if name == plain] or [n for n in known if n.lower() == plain.lower()]
    sql = known[matching[0]][1] if len(matching) == 1 else None
    if sql is None:
        names = ", ".join(name for name, (_, comparable) in known.items() if comparable is not None)
        why = "no such column" if not matching else "several of that name" if len(matching) > 1 else "no comparable one"
        raise ExplorerError(
            f"Rows cannot be told apart by {asked}.",
            found=f"The table has {why}; it has {names}.",
            next_step="Name columns whose values no two live rows share.",
        )
    return IdentifierColumn(matching[0], sql)


def _named(schema: Schema, types: StructType, name: str = "", path: str = "") -> Iterator[tuple[int, str, str | None]]:
    """Every column, and every field of a struct, as (id, name with dots, SQL)."""
    for field, known in zip(fields(schema), types, strict=True):
        here = path + identifiers.quoted([known.name])
        yield field["id"], name + known.name, comparable(here, known.dataType)
        if isinstance(known.dataType, StructType):
            yield from _named(field["type"], known.dataType, f"{name}{known.name}.", f"{here}.")
