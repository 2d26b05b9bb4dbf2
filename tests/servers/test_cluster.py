"""Every picture on a standalone cluster: a master and two workers, each a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same
from tests.servers.standalone import cluster, cluster_conf

WORKERS = 2


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
    conf = EMBEDDED | lake_conf | cluster_conf(master)
    settings = {"ICEBERG_EXPLORER_CONF": conf_to_env(conf), "SPARK_LOCAL_IP": "127.0.0.1"}
    found = json.loads(ran(["-c", ASKED, "lake.t.people"], tmp_path, **settings))
    assert found["master"] == master
    assert found["stages"] > 0
    assert len(found["tasks"]) == WORKERS
    assert all(done > 0 for done in found["tasks"].values())
    assert_same(found["answers"], plain["people"])
