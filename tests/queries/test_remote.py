"""Where files and catalogs are, from settings alone: no credential is ever in it, and nothing is claimed of a disk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.model.silence import Remote
from explorer.queries.files import remote
from explorer.table import Table

FILE = "t/people/metadata/v1.metadata.json"


def session(spark: SparkSession, settings: Mapping[str, str], **catalog: str) -> SparkSession:
    """A session beside the shared one, with a catalog `far`; a name with `_` for `.` and `__` for `-`."""
    other = spark.newSession()
    other.conf.set("spark.sql.catalog.far", "org.apache.iceberg.spark.SparkCatalog")
    for name, value in catalog.items():
        other.conf.set(f"spark.sql.catalog.far.{name.replace('__', '-').replace('_', '.')}", value)
    for key, value in settings.items():
        other.conf.set(key, value)
    return other


@pytest.mark.parametrize(
    ("location", "settings", "catalog", "files"),
    [
        (f"s3://lake/{FILE}", {}, {"s3_endpoint": "http://127.0.0.1:9000/api"}, "127.0.0.1:9000"),
        (f"s3://lake/{FILE}", {}, {"s3_endpoint": "https://[::1]:9000"}, "[::1]:9000"),
        (f"s3://lake/{FILE}", {}, {}, "s3://lake"),
        (f"s3a://lake/{FILE}", {"spark.hadoop.fs.s3a.endpoint": "minio:9000"}, {}, "minio:9000"),
        (
            f"s3a://lake/{FILE}",
            {"spark.hadoop.fs.s3a.endpoint": "minio", "spark.hadoop.fs.s3a.bucket.lake.endpoint": "other"},
            {},
            "other",
        ),
        (f"s3a://lake/{FILE}", {}, {"hadoop_fs_s3a_endpoint": "own:9000"}, "own:9000"),
        (f"s3a://KEY:SEKRIT@lake/{FILE}", {}, {}, "s3a://lake"),
        (f"s3a://KEY:SEK/RIT@lake/{FILE}", {}, {}, ""),
        (f"abfss://box@account.dfs.core.windows.net/{FILE}", {}, {}, "account.dfs.core.windows.net"),
        (f"gs://lake/{FILE}", {}, {}, "gs://lake"),
        (f"hdfs://namenode:8020/{FILE}", {}, {}, "namenode:8020"),
        (f"file:///lake/{FILE}", {"spark.hadoop.fs.s3a.endpoint": "minio"}, {"s3_endpoint": "minio"}, ""),
        (f"/lake/{FILE}", {}, {}, ""),
    ],
)
def test_where_the_files_of_a_found_table_lie(
    spark: SparkSession, location: str, settings: Mapping[str, str], catalog: Mapping[str, str], files: str
) -> None:
    assert remote.of_table(session(spark, settings, **catalog), "far.t.people", location) == Remote(files=files)
    if not catalog:
        assert remote.of_name(session(spark, settings), location) == Remote(files=files)


@pytest.mark.parametrize(
    ("uri", "catalog"),
    [
        ("https://me:SEKRIT@rest.example.com/api?token=SEKRIT", "rest.example.com"),
        ("jdbc:postgresql://db:5432/lake?user=me&password=SEKRIT", "db:5432"),
        ("jdbc:mysql://me:12/SEKRIT@db/lake", "db"),
        ("jdbc:sqlserver://db:1433;password=SEKRIT", "db:1433"),
        ("jdbc:sqlite:/home/me/catalog.db", ""),
        ("thrift://one:9083,thrift://two:9083", "one:9083"),
    ],
)
def test_where_the_catalog_is(spark: SparkSession, uri: str, catalog: str) -> None:
    asked = session(spark, {}, uri=uri, warehouse="s3://lake/warehouse")
    assert remote.of_name(asked, "far.t.people") == Remote("s3://lake", catalog)
    assert remote.of_table(asked, "far.t.people", f"s3://lake/{FILE}") == Remote("s3://lake", catalog)


def test_a_name_without_its_catalog_is_of_the_default_one(spark: SparkSession) -> None:
    asked = session(spark, {"spark.sql.defaultCatalog": "far"}, type="rest", uri="http://rest", s3_endpoint="http://s3")
    assert remote.of_name(asked, "t.people") == remote.of_name(asked, "people") == Remote("s3", "rest")


@pytest.mark.parametrize("name", ["lab.t.people", "a..b", "nobody.t.people"])
def test_of_a_local_catalog_or_none_nothing_is_claimed(spark: SparkSession, name: str) -> None:
    assert remote.of_name(spark, name) == Remote()


def test_of_a_session_that_is_lost_nothing_is_known_and_nothing_fails() -> None:
    lost: Any = object()
    assert remote.of_name(lost, "far.t.people") == remote.of_name(lost, f"s3a://lake/{FILE}") == Remote()
    assert remote.of_table(lost, "far.t.people", f"s3://lake/{FILE}") == Remote()


def test_an_opened_table_of_this_disk_waits_for_nobody(written_table: Any, spark: SparkSession) -> None:
    name = written_table("near", "CREATE TABLE {t} (id INT) USING iceberg")
    assert Table.open(name, spark).remote == Remote()
