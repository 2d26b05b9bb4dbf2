"""The rows of a frame as Arrow, exact: pandas makes floating point numbers of whole ones beside nulls."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import to_arrow_schema


def collected(frame: DataFrame) -> pa.Table:
    """All rows, read now."""
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    asked: Any = frame  # Spark 3.5 has the same inside its `toPandas` alone
    batches, schema = asked._collect_as_arrow(), to_arrow_schema(frame.schema)
    return pa.Table.from_batches(batches).cast(schema) if batches else schema.empty_table()
