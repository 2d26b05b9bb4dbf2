from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from explorer.engine import Finding, doctor, examine
from explorer.errors import NoSpark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def silent_server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def examined(spark: SparkSession, **catalogs: dict[str, str]) -> dict[str, Finding]:
    """The findings by name, of a session beside the shared one that has these catalogs as well."""
    other = spark.newSession()
    for name, properties in catalogs.items():
        other.conf.set(f"spark.sql.catalog.{name}", "org.apache.iceberg.spark.SparkCatalog")
        for key, value in properties.items():
            other.conf.set(f"spark.sql.catalog.{name}.{key}", value)
    return {finding.name: finding for finding in examine(lambda: other)}


def test_everything_needed_is_looked_at(spark: SparkSession, fresh_table, tmp_path: Path) -> None:
    spark.sql(f"CREATE TABLE {fresh_table('doctor')} (a int) USING iceberg")
    (tmp_path / "shop").mkdir()  # other tests make namespaces of the catalog that they share
    findings = examined(spark, own={"type": "hadoop", "warehouse": str(tmp_path)})
    for name in ("Python", "Java", "pyspark", "jupyterlab", "plotly", "ipywidgets", "memory", "settings", "Spark"):
        assert findings[name].state == "ok", findings[name]
    assert "Iceberg 1." in findings["Spark"].found
    assert findings["catalog own"].found.startswith("1 namespace, answered after")
    assert findings["catalog lab"].state == "ok"
    assert findings["sandbox"].state == "ok"


def test_a_broken_catalog_is_a_problem_with_a_way_out_and_no_credential(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", "spark.sql.catalog.broken.token=SEKRIT")
    rest = {"type": "rest", "uri": "http://127.0.0.1:1/SEKRIT?password=pw", "token": "SEKRIT"}
    findings = examined(spark, broken=rest, good={"type": "hadoop", "warehouse": str(tmp_path)})
    broken = findings["catalog broken"]
    assert broken.state == "problem"
    assert "spark.sql.catalog.broken" in broken.way_out
    assert "refused" in broken.found
    assert findings["catalog good"].state == "ok"
    for finding in findings.values():
        for secret in ("SEKRIT", "=pw"):
            assert secret not in finding.found + finding.way_out


def test_a_catalog_that_is_silent_is_given_up_and_blamed_alone(
    spark: SparkSession, silent_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "_CATALOG_TIMEOUT", 2.0)
    findings = examined(
        spark, silent={"type": "rest", "uri": silent_server}, waits={"type": "hadoop", "warehouse": "/"}
    )
    assert findings["catalog silent"].state == "problem"
    assert findings["catalog silent"].found == "No answer within 2 s."
    assert findings["catalog waits"].state == "warning"
    assert "catalog silent" in findings["catalog waits"].found


def test_a_spark_that_does_not_start_is_a_finding() -> None:
    def no_spark() -> SparkSession:
        raise NoSpark("It did not start.", found="No memory.", next_step="Buy some.")

    findings = {finding.name: finding for finding in examine(no_spark)}
    assert findings["Spark"] == Finding("Spark", "problem", "It did not start. No memory.", "Buy some.")
    assert findings["Python"].state == "ok"
    assert "sandbox" in findings


def test_any_other_error_is_a_finding_too() -> None:
    def broken() -> SparkSession:
        raise ZeroDivisionError("division by zero\nand more")

    findings = {finding.name: finding for finding in examine(broken)}
    assert (findings["Spark"].state, findings["Spark"].found) == ("problem", "division by zero")


@pytest.mark.parametrize(
    ("asked", "state"), [("1g", "ok"), ("512", "ok"), ("9t", "warning"), ("9000000", "warning"), ("lots", "problem")]
)
def test_memory_that_the_machine_does_not_have_is_noticed(
    monkeypatch: pytest.MonkeyPatch, asked: str, state: str
) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_CONF", f"spark.driver.memory={asked}")

    def no_spark() -> SparkSession:
        raise NoSpark("Not now.")

    memory = next(finding for finding in examine(no_spark) if finding.name == "memory")
    assert memory.state == state
    assert (memory.way_out == "") == (state == "ok")
