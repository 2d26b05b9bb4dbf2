"""Entries by Iceberg's own reader, told as the stored ones are."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import SparkSession

from explorer import Table
from explorer.queries.files import all_entries, manifests
from explorer.queries.files.commits import manifest_lists
from explorer.queries.files.live_files import data_manifests
from tests.queries.sources import source_of

KINDS = {
    "flag": ("BOOLEAN", ("true", "false")),
    "day": ("DATE", ("DATE '2026-11-22'", "DATE '0999-01-02'", "DATE '1969-12-31'")),
    "price": ("DECIMAL(12, 4)", ("0.0000", "-7.2500", "12345678.9")),
    "whole": ("DECIMAL(5, 0)", ("0", "-12")),
    "number": ("INT", ("-2147483648", "7")),
    "big": ("BIGINT", ("9007199254740993", "-9223372036854775808L")),
    "word": ("STRING", ("'a/b=\"c\"'", "'null'", "''", "'ü:1'")),
}
OF_TIME = ("years(at)", "months(at)", "days(at)", "bucket(4, big)", "truncate(3, word)")


def test_partitions_of_every_kind_are_the_texts_of_the_stored_ones(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("kinds_of_partition")
    columns = ", ".join(f"{column} {kind}" for column, (kind, _) in KINDS.items())
    spark.sql(f"CREATE TABLE {name} ({columns}, at TIMESTAMP_NTZ) USING iceberg")
    spark.sql(f"INSERT INTO {name} (flag) VALUES (true)")  # of the unpartitioned spec
    for field in (*KINDS, *OF_TIME):
        spark.sql(f"ALTER TABLE {name} ADD PARTITION FIELD {field}")
    for i in range(4):
        values = ", ".join(literals[i % len(literals)] for _, literals in KINDS.values())
        at = "NULL" if i == 2 else f"TIMESTAMP_NTZ '19{i}9-12-31 23:00:00'"
        spark.sql(f"INSERT INTO {name} VALUES ({values}, {at})")
    spark.sql(f"INSERT INTO {name} (word) VALUES (NULL)")
    table = Table.open(name, spark)
    source = source_of(spark, name)
    snapshot_id = table.snapshot("main").snapshot_id
    listed = manifest_lists(source, [snapshot_id])[snapshot_id]
    assert not isinstance(listed, str)
    stored = manifests.entries_here(source, data_manifests(listed))
    found = all_entries.data_entries(source, without=None, snapshot_id=snapshot_id)
    assert found is not None
    by_reader = dict(zip(found["file_path"].to_pylist(), found["partition"].to_pylist(), strict=True))
    assert by_reader == {entry.file_path: entry.partition for entry in stored.entries}
    assert len(by_reader) == 6


def test_only_the_paths_asked_for_are_fetched(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("few_paths")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for i in range(3):
        spark.sql(f"INSERT INTO {name} VALUES ({i})")
    table = Table.open(name, spark)
    source = source_of(spark, name)
    one = table.entries().data["file_path"][0]
    for paths in ([], [one], [one, "file:/it's gone.parquet"]):
        found = all_entries.data_entries(source, without=None, paths=paths)
        assert found is not None
        assert sorted(path for path in found["file_path"].to_pylist() if path) == [one] * (len(paths) > 0)
        assert len(found) == 3
