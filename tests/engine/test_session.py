from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING

import pyspark
import pytest

from explorer.engine import SANDBOX_CATALOG, has_sandbox, is_connect, is_embedded, sandbox_warehouse, session
from explorer.engine.connect import connected
from explorer.engine.embedded import _without_iceberg
from explorer.engine.runtime import check_runtime, runtime_version
from explorer.errors import NoSpark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_the_given_session_comes_first_then_the_active_one(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://127.0.0.1:1")  # nobody is there, and nobody may be asked
    other = spark.newSession()
    assert session(other) is other
    assert session() is spark


def test_the_embedded_session_knows_itself_and_the_sandbox(spark: SparkSession) -> None:
    assert is_embedded(spark)
    assert is_embedded(spark.newSession())
    assert not is_connect(spark)
    assert has_sandbox(spark)
    assert spark.conf.get(f"spark.sql.catalog.{SANDBOX_CATALOG}.warehouse") == f"file://{sandbox_warehouse()}"
    elsewhere = spark.newSession()
    elsewhere.conf.set(f"spark.sql.catalog.{SANDBOX_CATALOG}.warehouse", "file:///somebody/elses")
    assert not has_sandbox(elsewhere)


def test_looking_for_the_runtime_runs_no_job_and_sets_nothing(spark: SparkSession) -> None:
    def everything() -> tuple[dict[str, str], list[int]]:
        settings = {row["key"]: row["value"] for row in spark.sql("SET").collect()}
        return settings, spark.sparkContext.statusTracker().getJobIdsForGroup("looking")

    before = everything()
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", "looking")
    try:
        check_runtime(spark)
    finally:
        spark.sparkContext.setLocalProperty("spark.jobGroup.id", None)
    assert everything() == before
    assert runtime_version(spark).split(".")[0] == "1"


STARTED = r"""
import os, sys, pathlib, psutil
from explorer.engine import has_sandbox, is_embedded, session
from explorer.engine.embedded import spark_log
spark = session(conf={"spark.master": "local[1]"})
assert is_embedded(spark) and has_sandbox(spark) and session() is spark
assert "JAVA_HOME" not in os.environ and "SPARK_LOCAL_IP" not in os.environ, "the environment is left as it was"

for name, place in {"lake": "spark-defaults.conf", "pond": "ICEBERG_EXPLORER_CONF"}.items():
    spark.sql(f"CREATE TABLE {name}.db.t USING iceberg AS SELECT '{place}' AS place")
    print(spark.table(f"{name}.db.t").toPandas()["place"][0], spark.table(f"{name}.db.t.snapshots").count())
print(spark.range(2).mapInArrow(lambda batches: batches, "id long").count())
try:
    spark.sql("SELECT nothing")
except Exception as error:
    print(type(error).__name__)

children = [c for c in psutil.Process().children(recursive=True) if c.status() != psutil.STATUS_ZOMBIE]
command_lines = " ".join(word for child in children for word in child.cmdline())
assert "spark.sql.catalog.lake" in command_lines and "SEKRIT" not in command_lines
listening = {c.laddr.ip for child in children for c in child.net_connections() if c.status == "LISTEN"}
assert listening <= {"127.0.0.1", "::ffff:127.0.0.1"}, listening
assert os.listdir() == [], os.listdir()
assert not any(path.endswith(".jar") for path in sys.path), "Python looks for modules in no jar of Iceberg's"
assert "iceberg" in spark_log().read_text()

spark.stop()
again = session(conf={"spark.master": "local[1]"})
assert again is not spark and is_embedded(again) and again.table("lake.db.t").count() == 1
print("again")
"""


def test_an_embedded_session_logs_little_is_local_and_has_the_persons_catalogs(python, tmp_path) -> None:
    (tmp_path / "config").mkdir()
    catalog = "spark.sql.catalog.{0}{1}org.apache.iceberg.spark.SparkCatalog\nspark.sql.catalog.{0}.type{1}hadoop\n"
    (tmp_path / "config" / "spark-defaults.conf").write_text(
        catalog.format("lake", " ")
        + f"spark.sql.catalog.lake.warehouse {tmp_path}/lake\nspark.sql.catalog.lake.s3.secret-access-key SEKRIT\n"
    )
    ran = python(
        STARTED,
        ICEBERG_EXPLORER_CONF=catalog.format("pond", "=") + f"spark.sql.catalog.pond.warehouse={tmp_path}/pond",
    )
    assert ran.stdout.splitlines() == [
        "spark-defaults.conf 1",
        "ICEBERG_EXPLORER_CONF 1",
        "2",
        "AnalysisException",
        "again",
    ], ran.stderr
    assert ran.stderr == ""
    assert ran.returncode == 0


@pytest.mark.parametrize(
    ("chosen", "environment", "running"),
    [
        ("{}", {}, ["16", "100000", "PS"]),
        (
            "{'spark.driver.extraJavaOptions':"
            " '-Diceberg.worker.num-threads=5 -XX:Tier4InvocationThreshold=7000 -XX:+UseSerialGC'}",
            {},
            ["5", "7000", "Copy"],
        ),
        ("{}", {"ICEBERG_WORKER_NUM_THREADS": "3", "JAVA_TOOL_OPTIONS": "-XX:+UseG1GC"}, ["3", "100000", "G1"]),
        (
            "{'spark.driver.defaultJavaOptions': '-XX:+UseSerialGC -Diceberg.worker.num-threads=7'}",
            {},
            ["7", "5000", "Copy"],
        ),
    ],
)
def test_java_has_options_of_ours_unless_the_person_chose_others(
    python, chosen: str, environment: dict[str, str], running: list[str]
) -> None:
    ran = python(
        f"""
from explorer.engine import session
spark = session(conf={{"spark.master": "local[1]"}} | {chosen})
management = spark._jvm.java.lang.management.ManagementFactory
of_java = management.getPlatformMXBean(spark._jvm.Class.forName("com.sun.management.HotSpotDiagnosticMXBean"))
print(spark._jvm.org.apache.iceberg.util.ThreadPools.WORKER_THREAD_POOL_SIZE)
print(of_java.getVMOption("Tier4InvocationThreshold").getValue())
print(management.getGarbageCollectorMXBeans()[0].getName().split()[0])
""",
        **environment,
    )
    assert ran.stdout.split() == running, ran.stderr


def test_python_looks_for_modules_in_what_the_person_named_and_not_in_jars_of_iceberg() -> None:
    iceberg = "/home/.ivy2/jars/org.apache.iceberg_iceberg-spark-runtime-4.1_2.13-1.12.0.jar"
    theirs = "/home/.ivy2/jars/io.graphframes_graphframes.jar", "s3://lake/iceberg_helpers.zip"
    assert _without_iceberg(f"{theirs[0]},{iceberg},{theirs[1]}") == ",".join(theirs)
    assert _without_iceberg(iceberg) == _without_iceberg("") == ""


FOREIGN = """
import sys
from pyspark.sql import SparkSession
from explorer.engine import Worker, is_embedded, session
from explorer.errors import NoRuntime
spark = SparkSession.builder.{builder}.config("spark.ui.enabled", "false").getOrCreate()
try:
    session({given})
except NoRuntime as error:
    print(error)
print("MARK", file=sys.stderr)
task = Worker(spark).ask(lambda: spark.sql("SELECT nothing").collect(), label="fails")
try:
    task.result(60)
except Exception as error:
    print(type(error).__name__)
print("MARK", file=sys.stderr)
print(is_embedded(spark), spark.range(3).count())
"""


@pytest.mark.parametrize(
    ("builder", "given"), [('master("local[1]")', "spark"), ('remote("local[1]")', "")], ids=["classic", "connect"]
)
def test_a_session_without_iceberg_is_refused_with_the_way_out_and_left_alone(python, builder: str, given: str) -> None:
    # SPARK_TESTING lets Spark choose a free port for the Connect server.
    ran = python(FOREIGN.format(builder=builder, given=given), SPARK_TESTING="1", SPARK_LOCAL_IP="127.0.0.1")
    assert ran.returncode == 0, ran.stderr
    *message, error, last = ran.stdout.splitlines()
    assert message[0] == "This Spark session cannot read Iceberg tables."
    assert "spark.jars.packages=org.apache.iceberg:iceberg-spark-runtime-" in message[2]
    assert (error, last) == ("AnalysisException", "False 3")
    assert ran.stderr.split("MARK\n")[1] == "", "pyspark printed the error that the worker hands on"


def test_a_client_that_is_too_old_for_connect_is_reported_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyspark, "__version__", "3.5.9")
    with pytest.raises(NoSpark, match="Install a newer client"):
        connected("sc://127.0.0.1:1")


def test_a_remote_that_is_not_there_is_reported_at_once(python) -> None:
    began = time.monotonic()
    ran = python(
        "from explorer.engine import session\nfrom explorer.errors import NoSpark\n"
        "try: session()\nexcept NoSpark as error: print(error)",
        SPARK_REMOTE="sc://127.0.0.1:1/;token=SEKRIT",
    )
    assert time.monotonic() - began < 120, "pyspark itself would try for ten minutes"
    assert "sc://127.0.0.1:1, and it cannot be reached" in ran.stdout
    assert "unset SPARK_REMOTE" in ran.stdout
    assert "SEKRIT" not in ran.stdout + ran.stderr


def test_a_remote_that_accepts_and_says_nothing_is_given_up(python) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ran = python(
            "from explorer.engine import session as s\nimport explorer.engine.connect as module\n"
            "from explorer.errors import NoSpark\nmodule._TIMEOUT = 3.0\n"
            "try: s()\nexcept NoSpark as error: print(error)",
            SPARK_REMOTE=f"sc://127.0.0.1:{silent.getsockname()[1]}",
        )
    assert "no gRPC server spoke within 3 seconds" in ran.stdout, ran.stderr


@pytest.mark.parametrize("remote", ["127.0.0.1:15002", "http://127.0.0.1:15002", "sc://127.0.0.1:port"])
def test_an_address_that_is_none_is_reported(monkeypatch: pytest.MonkeyPatch, remote: str) -> None:
    from explorer.engine.connect import connected

    with pytest.raises(NoSpark, match="correct the address"):
        connected(remote)


FAILS = """
from explorer.engine import session
from explorer.errors import NoSpark
try:
    session(conf={"spark.master": "local[1]", "spark.jars.packages": "no.such:package:1"})
except NoSpark as error:
    print(error)
"""


def test_a_start_that_fails_says_why_and_names_the_log(python) -> None:
    ran = python(FAILS)
    assert ran.stdout.startswith("Spark did not start.\nA package named in spark.jars.packages"), (
        ran.stdout + ran.stderr
    )
    assert "Its log: " in ran.stdout
    assert ran.stderr == ""


CONNECT = """
import sys, time
from explorer.engine import Worker, is_connect, is_embedded, session
from explorer.engine.runtime import runtime_version
from explorer.errors import Cancelled
spark = session(conf={"spark.sql.shuffle.partitions": "2"})
assert is_connect(spark) and not is_embedded(spark) and session() is spark
print(runtime_version(spark))
worker = Worker(spark)

def sleeping(seconds):
    def sleep(batches):
        import time
        for batch in batches:
            time.sleep(seconds)
            yield batch
    return sleep

reports = []
def question():
    # Twice the time in which a Connect server reports.
    return spark.range(0, 8, 1, 8).mapInArrow(sleeping(1.5), "id long").repartition(2).count()
print(worker.ask(question, label="count", on_progress=reports.append).result(120))
last = reports[-1]
print(last.stages_done, last.stages_total, last.tasks_done, last.tasks_total)
print(any(p.tasks_done is not None and p.tasks_done < p.tasks_total for p in reports))

endless = worker.ask(lambda: spark.range(0, 50, 1, 50).mapInArrow(sleeping(60), "id long").count(), label="endless")
time.sleep(3)
began = time.monotonic()
endless.cancel()
try:
    endless.result()
except Cancelled as error:
    print(error.what)
print(time.monotonic() - began < 30)
# The worker is free again only when the server stopped the 25 minutes of work.
print(worker.ask(lambda: spark.range(5).count(), label="next").result(300))
print(spark.sql("SHOW CATALOGS LIKE 'none'").count())
"""


def test_a_connect_session_tells_progress_and_really_stops(python) -> None:
    ran = python(CONNECT, SPARK_REMOTE="local[2]", SPARK_TESTING="1")
    assert ran.stdout.splitlines()[1:] == [
        "8",
        "3 3 11 11",
        "True",
        "“endless” was cancelled before it was answered.",
        "True",
        "5",
        "0",
    ], ran.stdout + ran.stderr
    assert ran.stderr == ""
