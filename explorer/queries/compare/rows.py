"""The rows in which two points differ: counted in Spark, and some of them read, as `model.compare.rows` tells them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import inf

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import StructField

from ...model.compare.rows import KINDS, NetRows, RowPair
from ...model.iceberg.document import Schema
from ...model.iceberg.touched_files import TouchedFiles
from .. import identifiers
from ..rows import equal_values, matching
from ..rows.cells import value_text
from ..rows.identifier_columns import IdentifierColumn
from ..rows.local_rows import local_rows
from ..rows.question import Point, RowQuestion, question_between
from .files import End

MOST_ROWS = 50
"""Rows that differ, of each kind, that are read one by one."""

_KEPT = 100_000  # rows in the data files, up to which Spark keeps what was read of them, in memory or on disk
# A row without an id is no other row; a column's name may be odd, so it is not told apart by its values.
_BY_ROW_ID = "coalesce(CAST(_row_id AS STRING), concat(_file, ' ', _pos))"


def read(
    left: End,
    right: End,
    files: TouchedFiles,
    schema: Schema,
    *,
    row_ids: bool,
    identity: Sequence[IdentifierColumn] = (),
    most: int = MOST_ROWS,
) -> NetRows:
    """Compare the rows of two points.

    Args:
        left: one of the two.
        right: the other.
        files: of `model.compare.files.touched_files`.
        schema: whose columns are compared, as metadata.json writes it.
        row_ids: whether row ids can be trusted from the one to the other, to tell which row was updated; `identity`
            goes before.
        identity: of `identifier_columns`.
        most: rows of each kind that are read one by one.

    Cost: the data files in question, once; those of the sampled rows again, where the files hold many.
    """
    by_row_id = row_ids and not identity
    question = _question(left, right, files, schema, row_ids=by_row_id)
    if _rows_at_most(files) <= _KEPT:  # each reading would have Iceberg fetch the manifests of the snapshots again
        question = replace(question, rows=question.rows.localCheckpoint())
    pairs = _pairs(question, files, [_BY_ROW_ID] if by_row_id else [column.sql for column in identity])
    found = pairs.select("source", "target", "outcome", "doubtful").localCheckpoint()
    counted = (
        found.groupBy("outcome").agg(F.count("*").alias("rows"), F.count_if("doubtful").alias("doubtful")).collect()
    )
    rows = {row.outcome: row.rows for row in counted}
    return NetRows(
        inserted=rows.get("inserted", 0),
        updated=rows.get("updated", 0),
        deleted=rows.get("deleted", 0),
        carried_over=rows.get("carried over", 0),
        pairing="row id" if by_row_id else "identifier columns" if identity else "none",
        identifier_columns=tuple(column.name for column in identity),
        ambiguous=sum(row.doubtful for row in counted),
        not_compared=matching.not_compared(question),
        columns=question.columns,
        sample=_sample(question, found, most) if rows.keys() - {"carried over"} else (),
    )


def _rows_at_most(files: TouchedFiles) -> float:
    return sum(file.record_count for file in (*files.removed, *files.added, *files.kept)) if files.complete else inf


def _question(left: End, right: End, files: TouchedFiles, schema: Schema, *, row_ids: bool) -> RowQuestion:
    """The rows that only one side has, by file and position: the one place that says how they are read."""
    start, end = (Point(side.source, side.snapshot_id, side.listed) for side in (left, right))
    return question_between(start, end, files, schema, row_ids=row_ids)


def _pairs(question: RowQuestion, files: TouchedFiles, identity: Sequence[str]) -> DataFrame:
    """What became of every row; where there are rows on one side only, no two of them need to be compared."""
    assert question.gone is not None  # noqa: S101 - what is before is known of every question between two points
    if files.complete and not files.removed and not (files.kept and files.masks):
        return matching.alone(question.new, gone=False)
    if files.complete and not files.added and not (files.kept and files.unmasks):
        return matching.alone(question.gone, gone=True)
    return matching.pairs(question, by_row_id=False, identity=identity)


def _sample(question: RowQuestion, found: DataFrame, most: int) -> tuple[RowPair, ...]:
    """The first rows of each kind by their place, with their values."""
    order = ("source._file", "source._pos", "target._file", "target._pos")
    chosen = [
        row for kind in KINDS for row in found.where(F.col("outcome") == kind).orderBy(*order).limit(most).collect()
    ]
    places = {(s._file, s._pos) for row in chosen for s in (row.source, row.target) if s is not None}
    values = _values(question, places)
    return tuple(
        RowPair(row.outcome, *(s and values[s._file, s._pos, is_left] for s, is_left in sides))
        for row in chosen
        for sides in [((row.source, True), (row.target, False))]
    )


def _values(
    question: RowQuestion, places: Collection[tuple[str, int]]
) -> Mapping[tuple[str, int, bool], tuple[str | None, ...]]:
    """The values of gone and new rows at these places, as text: by file, position and whether the row is gone."""
    rows = question.rows.where("_before <> _after")
    wanted = local_rows(rows.sparkSession, sorted(places), "wanted_file STRING, wanted_pos BIGINT")
    same = (F.col("_file") == wanted["wanted_file"]) & (F.col("_pos") == wanted["wanted_pos"])
    fields = rows.schema.fields[: len(question.columns)]
    texts = ", ".join(map(_text, fields)) or "CAST(NULL AS STRING)"
    inside = rows.where(F.col("_file").isin(sorted({path for path, _ in places})))
    there = inside.join(F.broadcast(wanted), same, "left_semi")
    found = there.selectExpr("_file", "_pos", "_before", f"array({texts}) AS texts").collect()
    return {(row._file, row._pos, row._before): tuple(row.texts[: len(fields)]) for row in found}


def _text(field: StructField) -> str:
    if equal_values.comparable("x", field.dataType) is None:
        return f"'({field.dataType.simpleString()})'"
    return f"IF({identifiers.quoted([field.name])} IS NULL, NULL, {value_text(field)})"
