"""The tables that every component answers about, and what the session of this run says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.table import Table
from tests.servers.components import SMALL_QUERIES
from tests.servers.every_picture import answers
from tests.servers.s3 import S3, bucket, copy
from tests.servers.tables import BUILT

Answers = Mapping[str, Any]


@pytest.fixture(scope="session")
def lake_conf(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The catalog `lake`, with the tables of `people` and `vectors`; its files are read by several sessions."""
    return {
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        # Written as Iceberg writes the locations of files, so that all of them have one beginning.
        "spark.sql.catalog.lake.warehouse": f"file:{tmp_path_factory.mktemp('lake')}",
        "spark.sql.catalog.lake.cache-enabled": "false",
    }


def beside(spark: SparkSession, conf: Mapping[str, str]) -> SparkSession:
    """A new session of the same Spark, for small queries, with settings that no other session sees."""
    new = spark.newSession()
    for key, value in (SMALL_QUERIES | conf).items():
        new.conf.set(key, value)
    return new


@pytest.fixture(scope="session")
def lake(spark: SparkSession, lake_conf: dict[str, str]) -> SparkSession:
    """A session beside the one of the run, with settings of its own, once the tables are built."""
    lake = beside(spark, lake_conf)
    lake.sql("CREATE NAMESPACE lake.t")
    for name, build in BUILT.items():
        build(lake, f"lake.t.{name}")
    return lake


@pytest.fixture(scope="session")
def plain(lake: SparkSession) -> dict[str, Answers]:
    """By table every picture as the plain session answers it: what a component must answer too."""
    return {name: answers(Table.open(f"lake.t.{name}", lake)) for name in BUILT}


@pytest.fixture(scope="session")
def metadata_files(lake: SparkSession) -> dict[str, str]:
    """By table the location of its current metadata file."""
    return {name: Table.open(f"lake.t.{name}", lake).metadata_location for name in BUILT}


@pytest.fixture(scope="session")
def warehouse(lake_conf: dict[str, str]) -> str:
    """What the locations of all files of the tables begin with."""
    return lake_conf["spark.sql.catalog.lake.warehouse"]


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3]:
    """An S3 with one bucket."""
    with bucket() as server:
        yield server


@pytest.fixture(scope="session")
def s3(s3_server: S3) -> Any:
    """A client of it."""
    return s3_server.client


@pytest.fixture(scope="session")
def on_s3(s3: Any, lake: SparkSession, warehouse: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By table the location of its metadata file in the bucket."""
    return {name: copy(s3, lake, name, warehouse, tmp_path_factory.mktemp("staging")) for name in BUILT}


def assert_same(found: Answers, plain: Answers) -> None:
    """Hold what a component answered about a table against the plain session, picture by picture."""
    assert found.keys() == plain.keys()
    for picture, answer in found.items():
        for part, value in answer.items():
            assert value == plain[picture][part], (picture, part)
