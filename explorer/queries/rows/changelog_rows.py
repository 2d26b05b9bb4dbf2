"""The raw rows of a changelog: what the files of each commit gave up and brought, from the sources that can tell.

Neighbouring commits are told together by the lifetimes of their rows (`row_lifetimes`); where that cannot be, the row
question is asked of each (`question`). Both give rows in the table's current schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql.types import BinaryType, DataType

from ...model.iceberg.document import Schema
from .. import identifiers
from ..source import Source
from . import schema_mapping
from .equal_values import comparable
from .question import RowQuestion
from .row_lifetimes import RowLifetimes
from .row_lifetimes_sql import replaced

ASKED = "_change_ordinal IS NOT NULL"
"""What is true of the raw rows of commits whose rows are asked for."""
METADATA = ("_change_type", "_change_ordinal", "_commit_snapshot_id")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the rows as SQL.

    Attributes:
        name: quoted.
        key: of `equal_values.comparable`: Spark can group and sort by it. None if values cannot be compared.
        text: an expression that gives the value as text; null for null.
    """

    name: str
    key: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """What brings rows of equal keys together in one task: a hint after SELECT where names do, else a clause."""

    hint: str
    clause: str

    @classmethod
    def of(cls, tasks: int, keys: Sequence[str]) -> Meeting:
        """By SQL expressions, nothing if there are none; in so many tasks if they are names, else in as Spark likes."""
        if not keys:
            return cls("", "")
        if all(re.fullmatch(r"(\w+|`[^`]+`)", key) for key in keys):
            return cls(f"/*+ REPARTITION({tasks}, {', '.join(keys)}) */ ", "")
        return cls("", f"\n    DISTRIBUTE BY {', '.join(keys)}")


@dataclass(frozen=True, slots=True)
class Versions:
    """A SELECT of row versions and what their events are made of, as text; as `RowLifetimes` has them.

    Attributes:
        shown: for the person; empty where SQL cannot name the table.
        run: the same with `{name}` for each frame.
        told: SELECT of the raw rows of a relation `together` of these: their columns; `_is_new` boolean, whether it
            came; `_change_ordinal` int, null where it is not `ASKED`.
    """

    shown: str
    run: str
    told: str


@dataclass(frozen=True, slots=True)
class RawRows:
    """A SELECT of raw rows, as text.

    Attributes:
        shown: for the person; empty where SQL cannot name the table, or the scan.
        run: the same with `{name}` for each of `frames`.
        versions: what they are told from, so that a version is moved once, and not once for its coming and once for
            its leaving. None where they are told as they are read.
    """

    shown: str
    run: str
    frames: Mapping[str, DataFrame]
    versions: Versions | None = None


def columns(source: Source, schema: Schema) -> tuple[Column, ...]:
    """The columns of a schema, as metadata.json writes it."""
    return tuple(
        _column(identifiers.quoted([field.name]), field.dataType)
        for field in schema_mapping.spark_schema(source, schema)
    )


def _column(name: str, kind: DataType) -> Column:
    text = f"hex({name})" if isinstance(kind, BinaryType) else f"CAST({name} AS STRING)"
    return Column(name, comparable(name, kind), text)


def asked(selected: Sequence[Column], question: RowQuestion, *, snapshot_id: int, ordinal: int) -> RawRows:
    """The rows of one commit by the row question; with `_row_id` if the question has row ids.

    A question without a before (its parent has expired) is taken for one of a commit that only added.
    """
    names = ", ".join([column.name for column in selected] + ["_row_id"] * question.row_ids)
    text = (
        f"SELECT {names}, IF(_before, 'DELETE', 'INSERT') AS _change_type,\n"
        f"  {ordinal} AS _change_ordinal, {snapshot_id}L AS _commit_snapshot_id\nFROM (\n<<rows>>\n)\n"
        "WHERE _before <> _after"
    )
    name = f"rows_{ordinal}"
    run = replaced(identifiers.escaped(text), {"rows": f"SELECT * FROM {{{name}}}"})  # noqa: S608 - a placeholder
    return RawRows(replaced(text, {"rows": question.sql}) if question.sql else "", run, {name: question.rows})


def of_line(
    selected: Sequence[Column],
    line: RowLifetimes,
    commits: Sequence[tuple[int, int] | None],
    *,
    row_ids: bool,
    odd: bool,
) -> RawRows:
    """The rows of neighbouring commits by their lifetimes.

    Args:
        selected: the columns of the current schema.
        line: told in these columns, with row ids if `row_ids`.
        commits: ordinal and snapshot id by place in the line; None of a place of whose rows nothing is asked.
        row_ids: with `_row_id`.
        odd: whether the line is: then all rows of its files are told, most of which do not change: no versions.
    """
    names = ", ".join([column.name for column in selected] + ["_row_id"] * row_ids)
    ordinals = ", ".join("CAST(NULL AS INT)" if one is None else str(one[0]) for one in commits)
    ids = ", ".join("CAST(NULL AS BIGINT)" if one is None else f"{one[1]}L" for one in commits)
    ordinal = f"get(array({ordinals}), _event.at)"

    def told(values: str, rows: str, events: str) -> str:
        return (
            f"  SELECT {names}, {values}\n  FROM {rows}\n"  # noqa: S608 - of quoted names
            f"  LATERAL VIEW explode({events}) events AS _event"
        )

    def whole(select: str) -> tuple[str, str]:
        """With the parts before it, as it is shown and as it is run."""
        around = "SELECT * FROM (\nWITH {steps}\n{select}\n)"
        shown = around.format(steps=line.shown, select=select) if line.shown else ""
        return shown, around.format(steps=line.run, select=identifiers.escaped(select))

    change = (
        f"IF(_event.came, 'INSERT', 'DELETE') AS _change_type,\n    {ordinal} AS _change_ordinal,\n"
        f"    get(array({ids}), _event.at) AS _commit_snapshot_id"
    )
    rows = f"SELECT *\nFROM (\n{told(change, line.last, '_events')}\n)\nWHERE {ASKED}"
    part, held, events = line.compact or (line.last, "_events", "_events")
    compared = told(f"_event.came AS _is_new, {ordinal} AS _change_ordinal", "together", events)
    versions = Versions(*whole(f"SELECT {names}, {held}\nFROM {part}"), compared)
    return RawRows(*whole(rows), line.frames, None if odd else versions)


def nothing(source: Source, schema: Schema, *, row_ids: bool) -> RawRows:
    """No rows, of the columns of a schema."""
    values = ", ".join([*schema_mapping.select({}, schema), *(["0L AS _row_id"] if row_ids else [])])
    text = f"SELECT {values}, '' AS _change_type, 0 AS _change_ordinal, 0L AS _commit_snapshot_id WHERE false"
    return RawRows(text, "SELECT * FROM {nothing}", {"nothing": source.spark.sql(text)})


def union(selects: Iterable[str]) -> str:
    """The rows of all, duplicates kept."""
    return "\nUNION ALL\n".join(selects)
