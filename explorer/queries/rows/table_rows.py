"""The rows of a table, or of one of its metadata tables, whether it was opened by its name or by its metadata file."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame

from .. import identifiers
from ..files.locate import Located
from ..source import Source


def load(source: Source, metadata_table: str = "", **options: str) -> DataFrame:
    """The rows as they are now, or as options of Iceberg's reader say."""
    reader = source.spark.read.format("iceberg").options(**options)
    file = source.located.metadata_file
    if source.located.relation is None:
        return reader.load(f"{file}#{metadata_table}" if metadata_table else file)
    return reader.table(_name(source.located, metadata_table))


def at(source: Source, snapshot_id: int, metadata_table: str = "") -> DataFrame:
    """The rows as they were at a snapshot. Metadata columns (`_file`, `_pos`) can be selected from it."""
    if source.located.relation is None:
        return load(source, metadata_table, versionAsOf=str(snapshot_id))
    # As SQL, since Spark 3.5 takes no notice of the option where a table is read by its name.
    name = _name(source.located, metadata_table)
    return source.spark.sql(f"SELECT * FROM {name} VERSION AS OF {snapshot_id}")  # noqa: S608 - quoted


READ_WHOLE, IS_READ = "monotonically_increasing_id() AS _explorer_read", "_explorer_read >= 0"
"""Selected beside columns, and the condition around that: together they keep every other condition from the scan, since
Spark hands none past a value that it makes anew for each row. A value that nothing asks for it does not make."""


def read_whole(rows: DataFrame) -> DataFrame:
    """The same rows, of which no condition reaches the scan: see `schema_mapping.filterable`."""
    columns = [identifiers.quoted([name]) for name in rows.columns]
    return rows.selectExpr("*", READ_WHOLE).where(IS_READ).selectExpr(*columns)


def read_whole_sql(select: str, columns: Sequence[str], condition: str = "") -> str:
    """The same as text.

    Args:
        select: of the rows and `READ_WHOLE`.
        columns: that are wanted of it, quoted.
        condition: over these, which the rows meet; none if empty.
    """
    asked = f"{IS_READ} AND (\n    {condition}\n)" if condition else IS_READ
    return f"SELECT {', '.join(columns)} FROM (\n    {select}\n)\nWHERE {asked}"  # noqa: S608 - quoted


def _name(table: Located, metadata_table: str) -> str:
    return table.metadata_table(metadata_table) if metadata_table else str(table.relation)
