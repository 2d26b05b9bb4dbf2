"""Which gone row of a commit is which new one: by row id, else by equal values as multisets; updates by identifiers.

Equality is Spark's own where it has one: null equals null, NaN equals NaN, 0.0 equals -0.0, binary by its bytes. Maps
are equal if they have the same keys with equal values, in any order; variants if their JSON text and types are equal.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DoubleType,
    FloatType,
    MapType,
    NullType,
    StructField,
    StructType,
    TimestampType,
)

from .. import identifiers
from .question import RowQuestion

_BY_TEXT = "variant"
_NOT_COMPARED = ("geometry", "geography")


def not_compared(question: RowQuestion) -> tuple[str, ...]:
    """Columns of a type whose values cannot be compared: two rows that differ only there count as equal."""
    return tuple(f.name for f in _fields(question) if comparable("x", f.dataType) is None and _holds_values(f.dataType))


def pairs(question: RowQuestion, gone: DataFrame, *, by_row_id: bool, identity: Sequence[str] = ()) -> DataFrame:
    """Every gone row with the new row that it became, and those without one.

    Columns: source, target struct<_file, _pos, …>, null where the row came from or went nowhere; outcome string
    (`carried over`, `updated`, `deleted`, `inserted`); doubtful boolean: a row id is null or occurs twice on one side;
    or, of `identity`, several gone or new rows share it, so that none of them is told to be an update.

    Args:
        question: of `row_question`.
        gone: its gone rows, which must be known.
        by_row_id: rows are the same if their `_row_id` is. Else if all their values are equal.
        identity: SQL of `identifier_columns`; a deleted and an inserted row that alone share their values are an
            update. Not used with row ids.

    Cost: reads `gone` and `new` once; one shuffle of them, one more of what is left with `identity`.
    """
    values = struct([c for f in _fields(question) if (c := comparable(identifiers.quoted([f.name]), f.dataType))])
    key = "_row_id" if by_row_id else values
    inside = ["_file", "_pos", *([f"{values} AS row"] if by_row_id else [])]
    if identity and not by_row_id:
        inside.append(f"{struct(identity)} AS identity")
    place = f"struct({', '.join(inside)}) AS place"
    rows = gone.selectExpr("true AS gone", f"{key} AS key", place).unionAll(
        question.new.selectExpr("false AS gone", f"{key} AS key", place)
    )
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
    return _with_updates(found) if identity and not by_row_id else found


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


def comparable(path: str, kind: DataType, depth: int = 0) -> str | None:
    """An expression that is equal for equal values of a column and can be grouped by; None if there is none."""
    if not _holds_values(kind) or kind.typeName().startswith(_NOT_COMPARED):
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


def _holds_values(kind: DataType) -> bool:
    """A column of the type `unknown` is null in every row."""
    return not isinstance(kind, NullType)


def _fields(question: RowQuestion) -> Sequence[StructField]:
    return question.new.schema.fields[: len(question.columns)]


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
