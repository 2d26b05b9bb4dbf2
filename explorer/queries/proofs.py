"""Counts over rows that commits added or took away, for what was inferred of them to be proved or withdrawn."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from . import identifiers
from .rows.equal_values import comparable


def of_kind(rows: DataFrame, change: str) -> DataFrame:
    """The rows of a changelog that were inserted, or deleted, with one column that is equal for equal rows."""
    named = [field for field in rows.schema.fields if not field.name.startswith(("_change", "_commit"))]
    values = [comparable(identifiers.quoted([field.name]), field.dataType) for field in named]
    columns = [F.expr(value).alias(f"v{n}") for n, value in enumerate(values) if value]
    return rows.where(F.col("_change_type") == change).select(F.struct(*columns).alias("row"))


def differing(one: DataFrame, other: DataFrame) -> int:
    """How many rows only one of both has, as multisets."""
    return one.exceptAll(other).count() + other.exceptAll(one).count()


def common(one: DataFrame, other: DataFrame) -> int:
    """How many rows both have, as multisets."""
    return one.intersectAll(other).count()


def keys_several_times(rows: DataFrame, key: Sequence[str]) -> int:
    """How many keys several inserted rows have; null is a key too, as equality deletes have it."""
    columns = [F.col(identifiers.quoted([name])) for name in key]
    inserted = rows.where(F.col("_change_type") == "INSERT")
    return inserted.groupBy(*columns).count().where(F.col("count") > 1).count()
