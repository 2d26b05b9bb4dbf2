"""Counts over rows that commits added or took away, for what was inferred of them to be proved or withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Compared:
    """Two multisets of rows: how many rows each has, and how many of these both have."""

    one: int
    other: int
    common: int

    @property
    def differing(self) -> int:
        """How many rows only one of both has."""
        return self.one + self.other - 2 * self.common


def compared(one: DataFrame, other: DataFrame) -> Compared:
    """Rows of two frames beside each other, in one query."""
    sides = one.select("row", F.lit(1).alias("a"), F.lit(0).alias("b")).unionAll(
        other.select("row", F.lit(0).alias("a"), F.lit(1).alias("b"))
    )
    counted = sides.groupBy("row").agg(F.sum("a").alias("a"), F.sum("b").alias("b"))
    found = counted.agg(F.sum("a"), F.sum("b"), F.sum(F.least("a", "b"))).first()
    return Compared(*(int(value or 0) for value in found or (0, 0, 0)))


def keys_several_times(rows: DataFrame, key: Sequence[str]) -> tuple[int, int]:
    """How many keys several inserted rows have, and how many rows there are; null is a key, as in equality deletes."""
    columns = [F.col(identifiers.quoted([name])) for name in key]
    counted = rows.where(F.col("_change_type") == "INSERT").groupBy(*columns).count()
    found = counted.agg(F.count_if(F.col("count") > 1), F.sum("count")).first()
    several, inserted = found or (0, 0)
    return int(several or 0), int(inserted or 0)
