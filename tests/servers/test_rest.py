"""Every picture through an Iceberg REST catalog, with namespaces of several levels; and what is said once it died."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.engine import doctor
from explorer.engine.java import find_java
from explorer.errors import TableNotFound, Unreachable
from explorer.table import Table
from tests.servers.components import JARS, free_port, running, stop
from tests.servers.conftest import Answers, assert_same, beside
from tests.servers.every_picture import answers, register

IVY = Path(__file__).with_name("rest_server.xml")
IVY_SETTINGS = Path(doctor.__file__).with_name("ivysettings.xml")
NAMESPACE = "rest.sales.eu.daily"


@dataclass(frozen=True)
class Server:
    """A REST catalog server, and a session that asks it as its catalog `rest`."""

    process: subprocess.Popen[bytes]
    spark: SparkSession


@pytest.fixture(scope="module")
def classpath(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The jars of Iceberg's own test server, in Ivy's cache: Spark's packages take no classifiers, its Ivy does."""
    listed = tmp_path_factory.mktemp("ivy") / "classpath"
    ivy = [find_java().home / "bin" / "java", "-jar", next(JARS.glob("ivy-*.jar")), "-error"]
    cache = Path.home() / ".ivy2.5.2" / "cache"
    subprocess.run(
        [*map(str, ivy), "-settings", IVY_SETTINGS, "-cache", cache, "-ivy", IVY, "-cachepath", listed],
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=300,
    )
    hadoop = JARS.glob("hadoop-client-*.jar")
    return ":".join([listed.read_text().strip(), *map(str, hadoop)])


@pytest.fixture
def server(classpath: str, lake: SparkSession, tmp_path: Path) -> Iterator[Server]:
    """A server of its own for each test, in whose catalog the tables are registered."""
    port = free_port()
    command = [find_java().home / "bin" / "java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"]
    settings = {
        "CATALOG_REST_PORT": str(port),
        "CATALOG_WAREHOUSE": (tmp_path / "warehouse").as_uri(),
        "CATALOG_URI": f"jdbc:sqlite:{tmp_path}/catalog.db",
        "CATALOG_JDBC_USER": "user",
        "CATALOG_JDBC_PASSWORD": "password",
    }
    main = "org.apache.iceberg.rest.RESTCatalogServer"
    with running([*command, classpath, main], tmp_path / "rest", port=port, **settings) as process:
        catalog = {
            "spark.sql.catalog.rest": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.rest.type": "rest",
            "spark.sql.catalog.rest.uri": f"http://127.0.0.1:{port}",
            "spark.sql.catalog.rest.cache-enabled": "false",
        }
        spark = beside(lake, catalog)
        yield Server(process, spark)


def opened(spark: SparkSession, metadata_files: Mapping[str, str]) -> Table:
    """Make a table of the lake one of the REST catalog too, and open it there."""
    register(spark, f"{NAMESPACE}.people", metadata_files["people"])
    return Table.open(f"{NAMESPACE}.people", spark)


def test_every_picture_is_the_same_through_a_rest_catalog(
    server: Server, plain: dict[str, Answers], metadata_files: dict[str, str]
) -> None:
    found = json.dumps(answers(opened(server.spark, metadata_files)))
    assert_same(json.loads(found.replace(NAMESPACE, "lake.t")), plain["people"])


def test_an_unknown_table_is_refused_with_what_is_there(server: Server, metadata_files: dict[str, str]) -> None:
    opened(server.spark, metadata_files)
    with pytest.raises(TableNotFound) as error:
        Table.open(f"{NAMESPACE}.peopl", server.spark)
    assert error.value.next_step == f"Did you mean {NAMESPACE}.people?"
    with pytest.raises(TableNotFound, match="holds the namespaces"):
        Table.open("rest.sales.us.people", server.spark)


def test_a_server_that_dies_is_reported_and_the_answers_so_far_stay(
    server: Server, metadata_files: dict[str, str]
) -> None:
    table = opened(server.spark, metadata_files)
    entries, graph = table.entries(), table.snapshot_graph()
    shown = entries.data
    stop(server.process)
    with pytest.raises(Unreachable, match="does not answer"):
        table.reload()
    with pytest.raises(Unreachable, match="does not answer"):
        Table.open(f"{NAMESPACE}.vectors", server.spark)
    lazy = (table.why("id = 2"), table.changelog(), table.commit("main", rows=True))
    for ask in (picture.read for picture in lazy):
        with pytest.raises(Unreachable, match="does not answer"):
            ask()
    assert entries.data is shown
    assert len(graph.data) == len(table.metadata.snapshots)
    assert len(table.sequence_timeline().data) > 0  # the files are there still, and need no catalog
