"""Equality deletes, which Spark does not write: it writes the file of keys, Iceberg's Java library commits it."""

from __future__ import annotations

import uuid
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it


def delete_equal(
    spark: SparkSession, name: str, *keys: DataFrame, spec_id: int | None = None, partition: str | None = None
) -> None:
    """One commit with an equality delete file for each frame of keys.

    Args:
        spark: a classic session.
        name: the table.
        keys: rows to delete, with key columns of the table alone, of the table's own types.
        spec_id: the spec of the deletes; the table's default one if None. An unpartitioned one makes them global.
        partition: `p=a/q=b`, of a partitioned spec.
    """
    jvm: Any = spark._jvm
    gateway: Any = spark.sparkContext._gateway
    table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    spec = table.spec() if spec_id is None else table.specs().get(spec_id)
    delta = table.newRowDelta()
    for frame in keys:
        ids = [table.schema().findField(column).fieldId() for column in frame.columns]
        folder = f"{table.location()}/data/equality-deletes-{uuid.uuid4()}"
        named = (F.col(c).alias(c, metadata={"parquet.field.id": i}) for c, i in zip(frame.columns, ids, strict=True))
        frame.select(*named).coalesce(1).write.parquet(folder)
        file = (
            spark.read.format("binaryFile").option("pathGlobFilter", "*.parquet").load(folder).select("path", "length")
        )
        path, length = file.collect()[0]
        fields = gateway.new_array(jvm.int, len(ids))
        for i, field_id in enumerate(ids):
            fields[i] = field_id
        builder = (
            jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(spec)
            .ofEqualityDeletes(fields)
            .withPath(path)
            .withFormat("parquet")
            .withFileSizeInBytes(length)
            .withRecordCount(frame.count())
        )
        delta.addDeletes((builder.withPartitionPath(partition) if partition else builder).build())
    delta.commit()
    spark.sql(f"REFRESH TABLE {name}")
