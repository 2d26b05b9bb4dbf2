"""Conditions over a table's columns, as after WHERE: one that a person can start from, and what to say of a bad one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import ExplorerError
from ...model.iceberg.document import Schema
from .. import identifiers
from ..source import Source
from . import schema_mapping
from .reading import refuse_reserved, refusing
from .schema_mapping import Type, fields

_WHERE = re.compile(r"^\s*where\s+(?=[\w`(])(?!(is|in|like|between)\b)", re.IGNORECASE)  # and no column of that name
_VALUES = {
    "boolean": "true",
    "int": "42",
    "long": "42",
    "float": "4.2",
    "double": "4.2",
    "decimal": "42",
    "string": "'some text'",
    "uuid": "'f79c3e09-677c-4bbd-a479-3f349cb785e7'",
    "date": "'2026-01-31'",
    "timestamp": "'2026-01-31 12:00:00'",
    "timestamptz": "'2026-01-31 12:00:00'",
    "timestamp_ns": "'2026-01-31 12:00:00'",
    "timestamptz_ns": "'2026-01-31 12:00:00'",
    "fixed": "X'2A'",
    "binary": "X'2A'",
}
"""By type the literal that a column can be compared with, plain enough for partitions and bounds to be compared too."""
ROW_ID = ("_row_id", "long")
"""Name and type of what rows have beside their columns since version 3 of the format."""


def example(schema: Schema) -> str:
    """A condition over the first column that a literal can be compared with: `order_id = 42`, `who.name = 'some text'`.

    Of a table that has none it is one over the position of a row in its file.

    Args:
        schema: as metadata.json writes it.
    """
    return next(_comparisons(schema), "_pos = 42")


def advice(schema: Schema) -> str:
    """What to say of a condition that cannot be asked of the columns of a schema: a sentence."""
    return f"Write a condition over the table's columns as after WHERE, texts in quotes, for example {example(schema)}."


def plain(condition: str) -> str:
    """A condition as it stands in a statement, without the WHERE before it and the semicolon after it."""
    return _WHERE.sub("", condition).strip().rstrip(";").rstrip()


def check(source: Source, schema: Schema, condition: str, what: str, *beside: tuple[str, str]) -> None:
    """Nothing, if a condition can be asked; reads nothing.

    Args:
        source: the table.
        schema: whose columns the rows have, as metadata.json writes it.
        condition: as after WHERE.
        what: one sentence: what was asked and cannot be answered.
        beside: what else the rows have: names and types.

    Raises:
        ExplorerError: it is empty, not one over these columns, or one that differs each time (`rand() < 0.5`); the
            table has a column that is called as one that Iceberg keeps for itself.
    """
    if not condition.strip():
        raise ExplorerError("No row was asked for.", found="The condition is empty.", next_step=advice(schema))
    refuse_reserved(schema_mapping.columns(schema), what)
    known = [*schema_mapping.select({}, schema), *(f"CAST(NULL AS {kind}) AS {name}" for name, kind in beside)]
    try:
        with refusing(what, advice(schema)):
            rows = source.spark.sql(f"SELECT {', '.join(known)}")
            _ = rows.where(condition).schema  # noticed here, over Connect too
            # Alone, `id = 1 or` gives its value a name; and no aggregate takes what differs each time.
            _ = rows.selectExpr(f"bool_and({condition}\n)").schema
    except ExplorerError as error:
        name, _ = ROW_ID
        found = ""
        if "NONDETERMINISTIC" in error.found:
            found = "It gives another answer each time that it is asked, so nothing can be told of its rows."
        elif ROW_ID not in beside and f"no column `{name}`" in error.found:
            found = f"These rows have no {name}: rows have ids since version 3 of the format."
        elif condition.count("'") % 2:
            found = f"A quote is left open. {error.found}"
        if not found:
            raise
        raise ExplorerError(what, found=found, next_step=error.next_step) from error


def _comparisons(struct: Schema, above: tuple[str, ...] = ()) -> Iterator[str]:
    for field in fields(struct):
        place, kind = (*above, str(field["name"])), field["type"]
        if not isinstance(kind, str):
            if kind["type"] == "struct":  # a list or map is compared with no literal
                yield from _comparisons(kind, place)
        elif (value := _VALUES.get(_name(kind))) is not None:
            yield f"{identifiers.quoted(place)} = {value}"


def _name(kind: Type) -> str:
    """`decimal` of `decimal(9, 2)`, `fixed` of `fixed[16]`."""
    return str(kind).partition("(")[0].partition("[")[0].strip()
