"""The rows of a table, or of one of its metadata tables, whether it was opened by its name or by its metadata file."""

from __future__ import annotations

from pyspark.sql import DataFrame

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


READ_WHOLE = "monotonically_increasing_id() AS _explorer_read"
"""Selected beside columns, it keeps conditions on them from their scan: Spark hands none past a value that it makes
anew for each row."""


def _name(table: Located, metadata_table: str) -> str:
    return table.metadata_table(metadata_table) if metadata_table else str(table.relation)
