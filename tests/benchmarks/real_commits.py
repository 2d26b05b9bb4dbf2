"""Many commits of real data and delete files, without a Spark job for each: pyarrow writes, Iceberg's library commits.

A commit takes a tenth of a second so.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import SparkSession

_FIELD_ID = "PARQUET:field_id"
_POSITION_DELETES = pa.schema(
    [
        pa.field("file_path", pa.string(), False, {_FIELD_ID: "2147483546"}),
        pa.field("pos", pa.int64(), False, {_FIELD_ID: "2147483545"}),
    ]
)


class RealCommits:
    """Commits to a table that is there, of a classic session."""

    def __init__(self, spark: SparkSession, name: str) -> None:
        self._jvm: Any = spark._jvm
        self._table: Any = self._jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
        self._location = str(self._table.location())
        self._ids = {str(field.name()): int(field.fieldId()) for field in self._table.schema().columns()}
        self._files = 0

    def data_file(self, rows: pa.Table, partition: str = "") -> Any:
        """A data file with these rows, by the table's names of columns; a value of the Java library."""
        fields = [field.with_metadata({_FIELD_ID: str(self._ids[field.name])}) for field in rows.schema]
        builder = self._jvm.org.apache.iceberg.DataFiles.builder(self._table.spec())
        config = self._jvm.org.apache.iceberg.MetricsConfig.forTable(self._table)
        return self._built(builder, config, rows.cast(pa.schema(fields)), "data", partition)

    def position_deletes(self, paths: Sequence[str], positions: Sequence[int], partition: str = "") -> Any:
        """A delete file of these rows, given by the file of each and their positions; a value of the Java library."""
        rows = pa.table([pa.array(paths), pa.array(positions)], schema=_POSITION_DELETES)
        rows = rows.sort_by([("file_path", "ascending"), ("pos", "ascending")])
        builder = self._jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(self._table.spec()).ofPositionDeletes()
        config = self._jvm.org.apache.iceberg.MetricsConfig.forPositionDelete()
        return self._built(builder, config, rows, "deletes", partition)

    def append(self, *files: Any) -> None:
        """One commit that adds data files."""
        change = self._table.newAppend()
        for file in files:
            change.appendFile(file)
        change.commit()

    def row_delta(self, file: Any, deletes: Any) -> None:
        """One commit that adds a data file and a delete file."""
        self._table.newRowDelta().addRows(file).addDeletes(deletes).commit()

    def _built(self, builder: Any, config: Any, rows: pa.Table, kind: str, partition: str) -> Any:
        self._files += 1
        path = f"{self._location}/data/{self._files:05}-{kind}.parquet"
        place = Path(path.removeprefix("file:"))
        place.parent.mkdir(exist_ok=True)
        parquet.write_table(rows, place, compression="zstd")
        metrics = self._jvm.org.apache.iceberg.parquet.ParquetUtil.fileMetrics(
            self._table.io().newInputFile(path), config
        )
        builder = builder.withPath(path).withFormat("parquet").withFileSizeInBytes(place.stat().st_size)
        if partition:
            builder = builder.withPartitionPath(partition)
        return builder.withMetrics(metrics).build()
