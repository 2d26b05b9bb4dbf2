"""Equality deletes, which Spark does not write: it writes the file of keys, Iceberg's Java library commits it."""

from __future__ import annotations

import uuid
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it


def delete_equal(
    spark: SparkSession,
    name: str,
    *keys: DataFrame,
    spec_id: int | None = None,
    partition: str | None = None,
    statistics: bool = False,
) -> None:
    """One commit with an equality delete file for each frame of keys.

    Args:
        spark: a classic session.
        name: the table.
        keys: rows to delete, with key columns of the table alone, of the table's own types.
        spec_id: the spec of the deletes; the table's default one if None. An unpartitioned one makes them global.
        partition: `p=a/q=b`, of a partitioned spec.
        statistics: whether the manifest shall hold counts and bounds of the keys, by which readers skip deletes.
    """
    table = _loaded(spark, name)
    delta = table.newRowDelta()
    for frame in keys:
        delta.addDeletes(_delete_file(spark, table, frame, spec_id, partition, statistics=statistics))
    delta.commit()
    spark.sql(f"REFRESH TABLE {name}")


def upsert(spark: SparkSession, name: str, *, keys: DataFrame, rows: DataFrame) -> None:
    """One commit that deletes by key and adds rows, as a streaming writer does it; of an unpartitioned table.

    Args:
        spark: a classic session.
        name: the table.
        keys: rows to delete, as of `delete_equal`.
        rows: rows to add, with all columns of the table.
    """
    jvm: Any = spark._jvm
    table = _loaded(spark, name)
    ids = [table.schema().findField(column).fieldId() for column in rows.columns]
    path, length = _written(spark, f"{table.location()}/data/upsert-{uuid.uuid4()}", rows, ids)
    added = (
        jvm.org.apache.iceberg.DataFiles.builder(table.spec())
        .withPath(path)
        .withFormat("parquet")
        .withFileSizeInBytes(length)
        .withMetrics(_metrics(jvm, table, path))
        .build()
    )
    deleted = _delete_file(spark, table, keys, None, None, statistics=True)
    table.newRowDelta().addRows(added).addDeletes(deleted).commit()
    spark.sql(f"REFRESH TABLE {name}")


def _loaded(spark: SparkSession, name: str) -> Any:
    jvm: Any = spark._jvm
    return jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)


def _delete_file(
    spark: SparkSession, table: Any, keys: DataFrame, spec_id: int | None, partition: str | None, *, statistics: bool
) -> Any:
    """The value of the Java library for a file that Spark has just written."""
    jvm: Any = spark._jvm
    spec = table.spec() if spec_id is None else table.specs().get(spec_id)
    ids = [table.schema().findField(column).fieldId() for column in keys.columns]
    path, length = _written(spark, f"{table.location()}/data/equality-deletes-{uuid.uuid4()}", keys, ids)
    fields = spark.sparkContext._gateway.new_array(jvm.int, len(ids))  # type: ignore[union-attr]
    for i, field_id in enumerate(ids):
        fields[i] = field_id
    builder = (
        jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(spec)
        .ofEqualityDeletes(fields)
        .withPath(path)
        .withFormat("parquet")
        .withFileSizeInBytes(length)
        .withRecordCount(keys.count())
    )
    if statistics:
        builder = builder.withMetrics(_metrics(jvm, table, path))
    return (builder.withPartitionPath(partition) if partition else builder).build()


def _metrics(jvm: Any, table: Any, path: str) -> Any:
    """Counts and bounds as an Iceberg writer would keep them, from the file's footer."""
    config = jvm.org.apache.iceberg.MetricsConfig.getDefault()
    return jvm.org.apache.iceberg.parquet.ParquetUtil.fileMetrics(table.io().newInputFile(path), config)


def _written(spark: SparkSession, folder: str, keys: DataFrame, ids: list[int]) -> tuple[str, int]:
    """Location and length of one Parquet file with these columns under their field ids."""
    named = (F.col(c).alias(c, metadata={"parquet.field.id": i}) for c, i in zip(keys.columns, ids, strict=True))
    keys.select(*named).coalesce(1).write.parquet(folder)
    file = spark.read.format("binaryFile").option("pathGlobFilter", "*.parquet").load(folder).select("path", "length")
    path, length = file.collect()[0]
    return path, length
