"""Which gone row of a commit is which new one: by row id, else by equal values as multisets; updates by identifiers."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import StructField

from .. import identifiers
from .equal_values import comparable, holds_values, struct
from .question import RowQuestion


def not_compared(question: RowQuestion) -> tuple[str, ...]:
    """Columns of a type whose values cannot be compared: two rows that differ only there count as equal."""
    return tuple(f.name for f in _fields(question) if comparable("x", f.dataType) is None and holds_values(f.dataType))


def pairs(question: RowQuestion, *, by_row_id: bool, identity: Sequence[str] = ()) -> DataFrame:
    """Every gone row with the new row that it became, and those without one.

    Columns: source, target struct<_file, _pos>, null where the row came from or went nowhere; outcome string
    (`carried over`, `updated`, `deleted`, `inserted`); doubtful boolean: a row id is null or occurs twice on one side;
    or, of `identity`, several gone or new rows share it, so that none of them is told to be an update.

    Args:
        question: of `row_question`, of which it is known what was before.
        by_row_id: rows are the same if their `_row_id` is. Else if all their values are equal.
        identity: SQL of `identifier_columns`; a deleted and an inserted row that alone share their values are an
            update. Not used with row ids.

    Cost: reads the rows once; one shuffle of them, one more of what is left with `identity`.
    """
    values = struct([c for f in _fields(question) if (c := comparable(identifiers.quoted([f.name]), f.dataType))])
    key = "_row_id" if by_row_id else values
    inside = ["_file", "_pos", *([f"{values} AS row"] if by_row_id else [])]
    if identity and not by_row_id:
        inside.append(f"{struct(identity)} AS identity")
    place = f"struct({', '.join(inside)}) AS place"
    rows = question.rows.where("_before <> _after").selectExpr("_before AS gone", f"{key} AS key", place)
    rows = rows.repartition("key")  # both steps below need equal keys together; Spark would move the rows for each
    order = Window.partitionBy("key", "gone").orderBy("place._file", "place._pos")
    found = (
        rows.withColumn("copy", F.row_number().over(order))
        .groupBy("key", "copy")
        .agg(
            F.max(F.when(F.col("gone"), F.col("place"))).alias("source"),
            F.max(F.when(~F.col("gone"), F.col("place"))).alias("target"),
        )
    )
    same = "source.row <=> target.row" if by_row_id else "true"
    outcome = (
        f"CASE WHEN source IS NULL THEN 'inserted' WHEN target IS NULL THEN 'deleted'"
        f" WHEN {same} THEN 'carried over' ELSE 'updated' END AS outcome"
    )
    doubtful = "key IS NULL OR copy > 1" if by_row_id else "false"
    found = found.selectExpr("source", "target", outcome, f"{doubtful} AS doubtful")
    found = _with_updates(found) if identity and not by_row_id else found
    # Not their values: Python has no date of the year 12345.
    return found.selectExpr(*map(_place, ("source", "target")), "outcome", "doubtful")


def _place(side: str) -> str:
    return f"IF({side} IS NULL, NULL, named_struct('_file', {side}._file, '_pos', {side}._pos)) AS {side}"


def alone(rows: DataFrame, *, gone: bool) -> DataFrame:
    """The columns of `pairs` where all rows are gone, or all are new. Reads no column of the table; no shuffle."""
    here, nowhere = "struct(_file, _pos)", "CAST(NULL AS STRUCT<_file: STRING, _pos: BIGINT>)"
    source, target, outcome = (here, nowhere, "deleted") if gone else (nowhere, here, "inserted")
    return rows.selectExpr(f"{source} AS source", f"{target} AS target", f"'{outcome}' AS outcome", "false AS doubtful")


def _with_updates(found: DataFrame) -> DataFrame:
    """Of the rows left over, the one gone and the one new row of an identity become one update."""
    same = Window.partitionBy("identity")
    left = (
        found.where("source IS NULL OR target IS NULL")
        .withColumn("identity", F.coalesce("source.identity", "target.identity"))
        .withColumns({"gone": F.count("source").over(same), "new": F.count("target").over(same)})
        .withColumn("alone", F.expr("gone = 1 AND new = 1"))
        .withColumn(
            "place", F.row_number().over(same.orderBy("source._file", "source._pos", "target._file", "target._pos"))
        )
        .groupBy("identity", F.expr("IF(alone, 0, place)"))
        .agg(
            F.max("source").alias("source"),
            F.max("target").alias("target"),
            F.expr("IF(any(alone), 'updated', max(outcome)) AS outcome"),
            F.expr("any(NOT alone AND gone > 0 AND new > 0) AS doubtful"),
        )
        .select("source", "target", "outcome", "doubtful")
    )
    return found.where("source IS NOT NULL AND target IS NOT NULL").unionAll(left)


def _fields(question: RowQuestion) -> Sequence[StructField]:
    return question.rows.schema.fields[: len(question.columns)]
