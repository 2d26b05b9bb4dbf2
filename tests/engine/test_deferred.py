"""A session that starts when first asked, and only where it surely reads this machine's disk."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pyspark.sql import SparkSession

from explorer.engine import answering, is_connect, is_not_started, session, session_when_asked
from explorer.engine.deferred import DeferredSession, reads_this_disk
from explorer.queries.files import local_files


def test_it_starts_once_whoever_asks_first_and_then_has_all_of_the_session() -> None:
    starts, together = [], threading.Barrier(4)

    def start() -> SparkSession:
        starts.append(1)
        return cast("SparkSession", SimpleNamespace(version="4.1"))

    deferred = DeferredSession(start)
    assert is_not_started(deferred)
    with pytest.raises(AttributeError):
        deferred.__deepcopy__  # noqa: B018 - Python itself looks for such a name
    assert starts == []

    def ask(_: int) -> str:
        together.wait()
        return str(deferred.version)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ask, range(4))) == ["4.1"] * 4
    assert starts == [1]
    assert not is_not_started(deferred)


def test_finding_files_and_looking_whether_it_was_lost_do_not_start_it(spark: SparkSession) -> None:
    def start() -> SparkSession:
        raise AssertionError("it was started")

    deferred = cast("SparkSession", DeferredSession(start))
    assert session(deferred) is deferred
    assert not is_connect(deferred)
    with answering(deferred):
        here, there = local_files.finder(deferred), local_files.finder(spark)
    for location in (
        "/a/b",
        "file:/a/b",
        "file:///a/b",
        "a/b",
        "s3://a/b",
        "file://host/a",
        "/a/../b",
        "//a",
        "hdfs:/a",
    ):
        assert here(location) == there(location), location
    with pytest.raises(AssertionError, match="it was started"):
        _ = deferred.version


def test_a_session_that_runs_is_taken(spark: SparkSession) -> None:
    assert session_when_asked() is spark


@pytest.mark.parametrize(
    "conf",
    [
        {"spark.master": "spark://host:7077"},
        {"spark.hadoop.fs.defaultFS": "hdfs://host"},
        {"spark.driver.extraClassPath": "/etc/hadoop"},
    ],
)
def test_a_spark_that_may_take_a_path_otherwise_is_not_put_off(
    monkeypatch: pytest.MonkeyPatch, conf: dict[str, str]
) -> None:
    for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert reads_this_disk({"spark.master": "local[2]", "spark.driver.memory": "1g"})
    assert not reads_this_disk(conf)


@pytest.mark.parametrize("name", ["HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME"])
def test_nor_is_one_with_hadoops_own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    for other in ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, str(tmp_path))
    for folder in (tmp_path, tmp_path / "conf"):
        folder.mkdir(exist_ok=True)
        (folder / "core-site.xml").touch()
    assert not reads_this_disk({})
