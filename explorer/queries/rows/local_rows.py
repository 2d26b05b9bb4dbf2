"""Rows of this process as a frame of Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pyarrow as pa
import pyspark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType


def local_rows(spark: SparkSession, rows: Sequence[tuple[Any, ...]], ddl: str) -> DataFrame:
    """Rows as a frame that is read without a Python worker, which takes half a second to start.

    Args:
        spark: the session to ask.
        rows: values in the order of the columns.
        ddl: names and types of the columns, as in `CREATE TABLE`.
    """
    if pyspark.__version__ < "4" or not rows:  # Spark 3.5 knows no Arrow tables
        return spark.createDataFrame(rows, ddl)
    schema = cast("StructType", StructType.fromDDL(ddl))  # of several columns it gives a struct
    arrow = to_arrow_schema(schema)
    columns = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), arrow, strict=True)]
    return spark.createDataFrame(pa.Table.from_arrays(columns, schema=arrow), schema)
