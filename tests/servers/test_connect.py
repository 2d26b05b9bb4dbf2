"""Every picture through a Spark Connect server: a process of its own, asked by a process without a JVM."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from explorer.engine.runtime import EXTENSIONS, runtime_coordinate
from tests.servers.components import EMBEDDED, SPARK_HOME, free_port, options, ran, running, scripts_environment
from tests.servers.conftest import Answers, assert_same
from tests.servers.s3 import KEY, PACKAGES, SECRET, assert_same_on_s3, s3_catalog

_SERVER = [SPARK_HOME / "bin" / "spark-submit", "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]


@pytest.fixture(scope="module")
def remote(s3: Any, lake_conf: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that knows the catalogs `lake` and `s3`."""
    folder, port = tmp_path_factory.mktemp("connect"), free_port()
    conf = EMBEDDED | lake_conf | s3_catalog(s3, folder)
    conf |= {
        "spark.jars.packages": ",".join([runtime_coordinate(), *PACKAGES]),
        "spark.sql.extensions": EXTENSIONS,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.catalog.lake.hadoop.fs.s3a.secret.key": SECRET,  # the client may not ask for it
        "spark.ui.enabled": "false",
    }
    with running([*_SERVER, *options(conf), "spark-internal"], folder, port=port, **scripts_environment()):
        yield f"sc://127.0.0.1:{port}"


def test_every_picture_is_the_same_through_a_connect_server_from_disk_and_from_s3(
    remote: str, plain: dict[str, Answers], on_s3: dict[str, str], warehouse: str, tmp_path: Path
) -> None:
    asked = ["lake.t.people", f"s3.t.vectors={on_s3['vectors']}"]
    credentials = {"AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}  # a server gives none away
    printed = ran(["-m", "tests.servers.every_picture", *asked], tmp_path, SPARK_REMOTE=remote, **credentials)
    assert SECRET not in printed
    found = json.loads(printed)
    assert_same(found["lake.t.people"], plain["people"])
    assert_same_on_s3(found["s3.t.vectors"], plain["vectors"], warehouse)


WATCHED = """
import sys, time, psutil, explorer
from pyspark import SparkContext
from explorer.engine import Worker, is_connect, session
from explorer.errors import Cancelled
from explorer.queries import tasks
spark = session()
assert is_connect(spark)
assert tasks.at_once(spark) == 2
table, seen, worker = explorer.table(sys.argv[1]), [], Worker(spark)
rows = worker.ask(lambda: len(table.changelog(mode="net").data), label="changelog", on_progress=seen.append).result()
print(rows, any(p.tasks_total for p in seen), any(p.tasks_done for p in seen))

def slowly(batches):
    import time
    for batch in batches:
        time.sleep(600)
        yield batch

positions = table.entries().frame.select("position")
endless = worker.ask(lambda: positions.mapInArrow(slowly, "position long").count(), label="slow")
time.sleep(4)
began = time.monotonic()
endless.cancel()
try:
    endless.result()
except Cancelled:
    print(time.monotonic() - began < 60)
print(worker.ask(lambda: len(table.entries().data), label="next").result(300))
assert SparkContext._gateway is None and SparkContext._jvm is None
assert not any("java" in child.name() for child in psutil.Process().children(recursive=True))
"""


def test_a_question_to_a_server_tells_progress_and_is_cancelled_without_a_gateway(
    remote: str, plain: dict[str, Answers], tmp_path: Path
) -> None:
    expected = plain["people"]
    printed = ran(["-c", WATCHED, "lake.t.people"], tmp_path, SPARK_REMOTE=remote).splitlines()
    assert printed == [
        f"{len(expected['changelog net']['rows'])} True True",
        "True",
        str(len(expected["entries"]["rows"])),
    ]


SERVER_LOST = """
import os, signal, sys, threading, time, pathlib
import explorer
from explorer.engine import session
from explorer.errors import NoSpark
from tests.servers.components import running

command, folder, port = sys.argv[1:-2], pathlib.Path(sys.argv[-2]), int(sys.argv[-1])
server = lambda: running(command, folder, port=port, SPARK_HOME=command[0][:-17], SPARK_LOCAL_IP="127.0.0.1")

def print_refusal(ask):
    began = time.monotonic()
    try:
        ask()
    except NoSpark as error:
        print(error.found, time.monotonic() - began < 120, flush=True)

def slowly(batches):
    import time
    for batch in batches:
        time.sleep(600)
        yield batch

with server() as process:
    session().sql("CREATE TABLE lake.t.lost USING iceberg AS SELECT 1 AS id")
    table = explorer.table("lake.t.lost")
    def endless():
        with table.asking():
            table.entries().frame.select("position").mapInArrow(slowly, "position long").count()
    asked = threading.Thread(target=print_refusal, args=[endless])
    asked.start()
    time.sleep(4)
    os.killpg(process.pid, signal.SIGKILL)
    asked.join()
print_refusal(lambda: table.entries().read())
print_refusal(table.reload)
with server():
    print(table.reload(), len(table.entries().data), flush=True)
print(time.monotonic(), flush=True)  # the same clock in every process
"""


def test_a_server_that_dies_is_not_waited_for_and_a_reload_goes_on_with_the_next(tmp_path: Path) -> None:
    port = free_port()
    conf = EMBEDDED | {
        "spark.jars.packages": runtime_coordinate(),
        "spark.sql.extensions": EXTENSIONS,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": (tmp_path / "lost").as_uri(),
        "spark.ui.enabled": "false",
    }
    command = [*_SERVER, *options(conf), "spark-internal"]
    environment = {"SPARK_REMOTE": f"sc://127.0.0.1:{port}"}
    printed = ran(["-c", SERVER_LOST, *map(str, command), str(tmp_path / "server"), str(port)], tmp_path, **environment)
    gone = "Nobody answers at the address of the Spark Connect server. True"
    *refusals, reload, again, end = printed.splitlines()
    assert time.monotonic() - float(end) < 120, "pyspark holds up the end by what it wants to tell a server that died"
    assert refusals == [gone, gone]
    assert reload.startswith("[Errno 111] Connection refused.")
    assert again == "False 1"
