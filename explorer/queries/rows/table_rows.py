"""The rows of a table, or of one of its metadata tables, whether it was opened by its name or by its metadata file."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from ..files.locate import Located


def load(spark: SparkSession, table: Located, metadata_table: str = "", **options: str) -> DataFrame:
    """The rows as they are now, or as options of Iceberg's reader say."""
    reader = spark.read.format("iceberg").options(**options)
    if table.relation is None:
        return reader.load(f"{table.metadata_file}#{metadata_table}" if metadata_table else table.metadata_file)
    return reader.table(_name(table, metadata_table))


def at(spark: SparkSession, table: Located, snapshot_id: int, metadata_table: str = "") -> DataFrame:
    """The rows as they were at a snapshot. Metadata columns (`_file`, `_pos`) can be selected from it."""
    if table.relation is None:
        return load(spark, table, metadata_table, versionAsOf=str(snapshot_id))
    # As SQL, since Spark 3.5 takes no notice of the option where a table is read by its name.
    return spark.sql(f"SELECT * FROM {_name(table, metadata_table)} VERSION AS OF {snapshot_id}")  # noqa: S608 - quoted


def _name(table: Located, metadata_table: str) -> str:
    return table.metadata_table(metadata_table) if metadata_table else str(table.relation)
