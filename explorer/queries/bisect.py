"""What a statement answers at a snapshot: one SELECT over `{t}` that gives one value. Nothing else reaches Spark.

The statement is first analysed as the query of a common table expression, where Spark's grammar takes nothing but a
query: what writes, sets or drops something fails there, before anything is done. Sources: Spark SQL grammar,
`namedQuery`; Iceberg, "Spark Queries", time travel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.errors import ParseException, PySparkException
from pyspark.sql import DataFrame
from pyspark.sql.types import BinaryType, BooleanType, DataType

from ..engine.logging import silenced_errors
from ..errors import AccessDenied, Cancelled, ExplorerError, Unreachable
from ..model.bisect.facts import Answer
from ..model.bisect.statement import METADATA_TABLES, TABLE, filled, metadata_tables
from ..model.iceberg.document import Schema
from . import identifiers
from .files import spark_errors
from .query import Query
from .rows import conditions, schema_mapping, table_rows
from .rows.reading import refusing
from .rows.schema_mapping import all_filterable, current_schema, fields, schema_of
from .source import Source

_NEXT_STEP = (
    "Write one SELECT, or WITH … SELECT, over {t} that gives one value, for example"
    " SELECT count(*) FROM {t} WHERE id = 42."
)
_SEVERAL_ROWS = "The statement gives more than one row there."
_NO_TRUTH = "The statement gives NULL there, which is neither true nor false."


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that can be asked.

    Attributes:
        sql: as the person wrote it, without the semicolon at its end.
        kind: of its value.
    """

    sql: str
    kind: DataType

    @property
    def is_boolean(self) -> bool:
        """Whether it answers true or false."""
        return isinstance(self.kind, BooleanType)


def refuse_unnamed(sql: str) -> None:
    """Nothing, if the text names the table.

    Raises:
        ExplorerError: it does not.
    """
    if TABLE not in sql:
        raise ExplorerError(
            "A bisection asks a statement over the table.",
            found=f"It does not name the table, which is {TABLE} in it." if sql.strip() else "The statement is empty.",
            next_step=_NEXT_STEP,
        )


def statement(source: Source, sql: str, snapshot_id: int) -> Statement:
    """The statement, checked by Spark's analysis at a snapshot; no file of data is read.

    Raises:
        AccessDenied, Unreachable: the catalog or the storage refused, or does not answer.
        Cancelled: the question was given up.
        ExplorerError: it is not one query, gives not one column, or cannot be asked of the table at that snapshot.
    """
    refuse_unnamed(sql)
    asked = sql.strip().rstrip("; \t\r\n")
    unknown = [name for name in metadata_tables(asked) if name not in METADATA_TABLES]
    if unknown:
        raise ExplorerError(
            f"A snapshot has no {TABLE}.{unknown[0]} of its own.",
            next_step=f"Ask of {TABLE}, or of one of {', '.join(f'{TABLE}.{name}' for name in METADATA_TABLES)}.",
        )
    try:
        with silenced_errors():
            _run(source, f"WITH statement AS (\n{asked}\n)\nSELECT * FROM statement", snapshot_id)
            schema = _run(source, asked, snapshot_id).schema
    except PySparkException as error:
        if (refused := spark_errors.refused("The table", error)) is not None:
            raise refused from error
        what = "The statement cannot be asked of the table."
        if isinstance(error, ParseException):
            what = "A bisection lets one SELECT through, or WITH … SELECT, and this is none."
        raise ExplorerError(what, found=spark_errors.reason(error), next_step=_NEXT_STEP) from error
    if len(schema) != 1:
        raise ExplorerError(
            "A bisection asks for one value.",
            found=f"The statement gives {len(schema):,} columns: {', '.join(schema.fieldNames()[:10])}.",
            next_step=_NEXT_STEP,
        )
    kind = schema.fields[0].dataType
    if isinstance(kind, BinaryType):
        raise ExplorerError(
            "A bisection asks for a value that can be written as text.",
            found="The statement gives bytes.",
            next_step="Write hex(…) around the value.",
        )
    return Statement(asked, kind)


def answer(source: Source, asked: Statement, snapshot_id: int) -> Answer:
    """What a statement gives at a snapshot; of a snapshot that cannot be asked, why not.

    Cost: what Spark reads for the statement, of the files of the snapshot.

    Raises:
        AccessDenied, Unreachable: the catalog or the storage refused, or does not answer.
    """
    sql = f"SELECT CAST(answer AS STRING) FROM (\n{asked.sql}\n) AS asked(answer) LIMIT 2"  # noqa: S608 - a query by itself
    try:
        with refusing("The statement cannot be asked there."):
            found = _run(source, sql, snapshot_id).collect()
    except (AccessDenied, Cancelled, Unreachable):
        raise
    except ExplorerError as error:
        return Answer(None, error.found or error.what)
    if len(found) > 1:
        return Answer(None, _SEVERAL_ROWS)
    value = found[0][0] if found else None
    if value is None and asked.is_boolean:
        return Answer(None, _NO_TRUTH)
    return Answer(value)


def examples(schema: Schema, key: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Statements that a person can start from, each after what it asks.

    Args:
        schema: as metadata.json writes it.
        key: columns that tell rows apart; the identifier fields if empty, else the first column whose name ends in id.
    """
    by_id = {field["id"]: str(field["name"]) for field in fields(schema)}
    declared = [by_id[i] for i in schema.get("identifier-field-ids") or () if i in by_id]
    guessed = [name for name in by_id.values() if name.lower().endswith("id")]
    names = list(key) or declared or guessed[:1] or list(by_id.values())[:1]
    columns = ", ".join(identifiers.quoted([name]) for name in names)
    asked = {
        "How many rows?": "SELECT count(*) FROM {t}",
        f"Is every {columns} there once?": "SELECT count(*) = count(DISTINCT COLUMNS) FROM {t}",
        f"Is {columns} ever null?": "SELECT count(COLUMNS) = count(*) FROM {t}",
        "Is every file listed once?": "SELECT count(*) = count(DISTINCT file_path) FROM {t}.data_files",
        "How many such rows?": "SELECT count(*) FROM {t} WHERE CONDITION",
    }
    condition = conditions.example(schema)
    return [
        (question, sql.replace("COLUMNS", columns).replace("CONDITION", condition))
        for question, sql in asked.items()
        if columns or "COLUMNS" not in sql
    ]


def answers_query(source: Source, sql: str, snapshots: Sequence[tuple[int, int]]) -> Query | None:
    """The answers at these snapshots, given by id and sequence number; None where SQL cannot name the table."""
    relation = source.located.relation
    if relation is None:
        return None
    name = "The answer at every snapshot that was read"
    lines = "\nUNION ALL\n".join(
        f"SELECT {snapshot_id} AS snapshot_id, {number} AS sequence_number,"
        f" CAST((\n{_at(source, sql, snapshot_id)}\n) AS STRING) AS answer"
        for snapshot_id, number in snapshots
    )
    return Query(name, f"-- {name}\n{lines}\nORDER BY sequence_number")


def _at(source: Source, sql: str, snapshot_id: int) -> str:
    """The statement over the table of a catalog as it was at a snapshot."""
    at, located = f"VERSION AS OF {snapshot_id}", source.located
    others = {name: f"{located.metadata_table(name)} {at}" for name in metadata_tables(sql)}
    rows, own = f"{located.relation} {at}", schema_of(source.document, snapshot_id)
    if not all_filterable(own, current_schema(source.document)):
        columns = [identifiers.quoted([name]) for name in schema_mapping.columns(own)]
        rows = f"({table_rows.read_whole_sql(f'SELECT *, {table_rows.READ_WHOLE} FROM {rows}', columns)})"  # noqa: S608 - quoted
    return filled(sql, rows, others)


def _run(source: Source, sql: str, snapshot_id: int) -> DataFrame:
    """The frame of a query over the table at a snapshot, analysed and not run."""
    if source.located.relation is not None:
        return source.spark.sql(_at(source, sql, snapshot_id))
    frames: dict[str, Any] = {f"of_{name}": table_rows.at(source, snapshot_id, name) for name in metadata_tables(sql)}
    rows = table_rows.at(source, snapshot_id)
    if not all_filterable(schema_of(source.document, snapshot_id), current_schema(source.document)):
        rows = table_rows.read_whole(rows)
    # Braces of the text itself are doubled, but for those of the names that are filled in.
    parted = filled(sql, "\0rows\1", {name: f"\0of_{name}\1" for name in metadata_tables(sql)})
    text = identifiers.escaped(parted).replace("\0", "{").replace("\1", "}")
    return source.spark.sql(text, rows=rows, **frames)
