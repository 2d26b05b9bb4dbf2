"""Every picture on a standalone cluster, a master and two workers, each a process of its own; and who does the work."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.engine import conf_to_env
from explorer.table import Table
from tests.benchmarks.sequence_timeline import Grown
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same
from tests.servers.driver_and_tasks import Work, answered, of_history, of_rows
from tests.servers.standalone import cluster, cluster_conf

WORKERS = 2
COMMITS = 1_600  # so many that their manifest lists are read in tasks too
GROWN, FEW, MANY = "lake.work.grown", "lake.work.few", "lake.work.many"
ROWS, TIMES_MORE = 4_000, 10  # more than a picture draws


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a master that two workers have joined."""
    with cluster(tmp_path_factory.mktemp("cluster"), WORKERS) as master:
        yield master


ASKED = """
import json, sys
import explorer
from explorer.engine import session
from tests.servers.every_picture import answers
spark = session()
answered = answers(explorer.table(sys.argv[1]))
store = spark.sparkContext._jsc.sc().statusStore()
executors = store.executorList(True)
found = [executors.apply(i) for i in range(executors.size())]
tasks = {executor.id(): executor.completedTasks() for executor in found if executor.id() != "driver"}
tracker = spark.sparkContext.statusTracker()
stages = {stage for job in tracker.getJobIdsForGroup() for stage in tracker.getJobInfo(job).stageIds}
json.dump({"answers": answered, "tasks": tasks, "stages": len(stages), "master": spark.sparkContext.master}, sys.stdout)
"""


def test_every_picture_is_the_same_on_a_cluster_whose_executors_do_the_work(
    master: str, plain: dict[str, Answers], lake_conf: dict[str, str], tmp_path: Path
) -> None:
    conf = EMBEDDED | lake_conf | cluster_conf(master, WORKERS)
    settings = {"ICEBERG_EXPLORER_CONF": conf_to_env(conf), "SPARK_LOCAL_IP": "127.0.0.1"}
    found = json.loads(ran(["-c", ASKED, "lake.t.people"], tmp_path, **settings))
    assert found["master"] == master
    assert found["stages"] > 0
    assert len(found["tasks"]) == WORKERS
    assert all(done > 0 for done in found["tasks"].values())
    assert_same(found["answers"], plain["people"])


@pytest.fixture(scope="module")
def grown(lake: SparkSession, warehouse: str) -> Path:
    """The metadata folder of a table with many commits; beside it are two of three commits, with few and many rows."""
    lake.sql("CREATE NAMESPACE lake.work")
    table = Grown(lake, Path(warehouse.removeprefix("file:")) / "work" / "grown", GROWN)
    for _ in range(COMMITS - 1):
        table.commit(10)
    table.save()
    for name, rows in ((FEW, ROWS), (MANY, ROWS * TIMES_MORE)):
        lake.sql(
            f"CREATE TABLE {name} (id BIGINT, name STRING, region STRING) USING iceberg PARTITIONED BY (region)"
            " TBLPROPERTIES ('write.update.mode'='copy-on-write')"
        )
        written = f"INSERT INTO {name} SELECT id, concat('n', hash(id)), concat('r', id % 2) FROM range"
        lake.sql(f"{written}({rows})")
        lake.sql(f"UPDATE {name} SET name = concat('u', hash(id)) WHERE id % 4 < 2")
        lake.sql(f"{written}({rows}, {2 * rows})")
    return table.metadata


@pytest.fixture(scope="module")
def asked(
    master: str, grown: Path, lake_conf: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Answers]:
    """What the cluster did and answered, by table and question."""
    conf = EMBEDDED | lake_conf | cluster_conf(master, WORKERS)
    settings = {"ICEBERG_EXPLORER_CONF": conf_to_env(conf), "SPARK_LOCAL_IP": "127.0.0.1"}
    asked = ["-m", "tests.servers.driver_and_tasks", GROWN, FEW, MANY]
    return json.loads(ran(asked, tmp_path_factory.mktemp("work"), **settings))


def test_a_long_history_is_read_once_in_the_tasks_of_all_executors(asked: dict[str, Answers], grown: Path) -> None:
    work = Work(**asked[f"{GROWN} timeline"]["work"])
    every = sum(file.stat().st_size for file in grown.glob("*.avro"))
    assert work.tasks == [1, WORKERS, WORKERS]  # of the Python of the workers; of the lists; of the manifests
    assert work.executors == ["0", "1"]
    assert work.read == 0  # tasks open what lies on their own disk
    assert work.sent < every / 20
    assert work.opened_by_driver == []
    assert work.read_by_driver == 0


@pytest.mark.parametrize("question", ["changelog", "commit"])
def test_ten_times_the_rows_are_read_by_tasks_and_no_more_of_them_reach_the_driver(
    asked: dict[str, Answers], question: str
) -> None:
    few, many = (Work(**asked[f"{name} {question}"]["work"]) for name in (FEW, MANY))
    assert few.tasks == many.tasks
    assert many.executors == ["0", "1"]
    assert many.read > TIMES_MORE / 2 * few.read
    assert many.sent < 1.05 * few.sent
    # Lists and manifests of few commits, but no rows.
    assert len(many.opened_by_driver) == len(few.opened_by_driver)


def test_what_the_work_of_a_cluster_answers_is_what_one_process_answers(
    asked: dict[str, Answers], lake: SparkSession
) -> None:
    history = Table.open(GROWN, lake)
    here = {f"{GROWN} {question}": answered(history, ask()) for question, ask in of_history(history).items()}
    rows = Table.open(FEW, lake)
    here |= {f"{FEW} {question}": answered(rows, ask()) for question, ask in of_rows(rows).items()}
    assert here == {question: asked[question]["answered"] for question in here}
