"""Counts over rows that commits added or took away, for what was inferred of them to be proved or withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from . import identifiers
from .rows import schema_mapping, table_rows
from .rows.equal_values import comparable
from .rows.file_rows import file_rows, own_schema
from .rows.local_rows import local_rows
from .source import Source

_PLACE = ("_file", "_pos", "_deleted")


def of_kind(rows: DataFrame, change: str) -> DataFrame:
    """The rows of a changelog that were inserted, or deleted, with one column that is equal for equal rows."""
    return as_values(rows.where(F.col("_change_type") == change))


def as_values(rows: DataFrame) -> DataFrame:
    """One column that is equal for rows whose own columns are."""
    named = [f for f in rows.schema.fields if not f.name.startswith(("_change", "_commit")) and f.name not in _PLACE]
    values = [comparable(identifiers.quoted([field.name]), field.dataType) for field in named]
    columns = [F.expr(value).alias(f"v{n}") for n, value in enumerate(values) if value]
    return rows.select(F.struct(*columns).alias("row"))


def of_files(source: Source, snapshot_id: int, paths: Sequence[str]) -> DataFrame:
    """The rows of some data files at a snapshot, masked ones too, with `_file`, `_pos` and `_deleted`."""
    own = schema_mapping.columns(own_schema(source, snapshot_id))
    rows = file_rows(source, snapshot_id, None, [*(identifiers.quoted([name]) for name in own), *_PLACE]).frame
    wanted = local_rows(source.spark, [(path,) for path in paths], "_file STRING")
    return rows.join(F.broadcast(wanted), "_file", "left_semi")


def seen_again(source: Source, before: int, after: int, paths: Sequence[str]) -> tuple[int, int]:
    """How many rows of some files are masked at one snapshot and not at another, and how many at the first."""
    masked = of_files(source, before, paths).where("_deleted").select("_file", "_pos")
    visible = of_files(source, after, paths).where("NOT _deleted").select("_file", "_pos", F.lit(1).alias("seen"))
    found = masked.join(visible, ["_file", "_pos"], "left").agg(F.count("seen"), F.count("*")).first()
    seen, rows = found or (0, 0)
    return int(seen), int(rows)


def named_by(source: Source, snapshot_id: int, deletes: Sequence[str], rows: DataFrame) -> DataFrame:
    """Those of some rows, as of `of_files`, whose positions these delete files name, which live at a snapshot."""
    held = table_rows.at(source, snapshot_id, "position_deletes").where(F.col("delete_file_path").isin(list(deletes)))
    named = held.select(F.col("file_path").alias("_file"), F.col("pos").alias("_pos")).distinct()
    # Masked rows are there only where `_deleted` is asked for, and Spark drops a column that nobody asks.
    return rows.where("_deleted IN (true, false)").join(named, ["_file", "_pos"], "left_semi")


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
