"""Rows of this process as a frame of Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pyarrow as pa
import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ...engine.deferred import is_not_started


def local_rows(spark: SparkSession, rows: Sequence[tuple[Any, ...]], columns: str | StructType) -> DataFrame:
    """Rows as a frame that is read without a Python worker, which takes half a second to start, and may be unable to.

    Args:
        spark: the session to ask.
        rows: values in the order of the columns; a map as pairs.
        columns: their names and types, or these as in `CREATE TABLE`.
    """
    schema = _schema(spark, columns) if isinstance(columns, str) else columns
    arrow = to_arrow_schema(schema)
    values = zip(*rows, strict=True) if rows else [()] * len(arrow)
    arrays = [pa.array(column, field.type) for column, field in zip(values, arrow, strict=True)]
    return local_table(spark, pa.Table.from_arrays(arrays, schema=arrow), schema)


def _schema(spark: SparkSession, columns: str) -> StructType:
    if pyspark.__version__ < "4":  # it cannot read such a text without Spark
        return spark.createDataFrame([], columns).schema
    if is_not_started(spark):
        _ = spark.conf  # it starts: the text is read by Spark
    return cast("StructType", StructType.fromDDL(columns))  # of several columns it gives a struct


def local_table(spark: SparkSession, table: pa.Table, schema: StructType) -> DataFrame:
    """The same of rows that are an Arrow table already."""
    if pyspark.__version__ < "4":  # Spark 3.5 knows no Arrow tables
        rows = table.to_pylist(maps_as_pydicts="strict")
        return spark.createDataFrame([tuple(row.values()) for row in rows], schema)
    return spark.createDataFrame(table.combine_chunks(), schema)  # it loses the rows after an empty chunk
