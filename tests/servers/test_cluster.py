"""Every picture on a standalone cluster: a master and two workers, each a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, SPARK_HOME, free_port, ran, running, scripts_environment
from tests.servers.conftest import Answers, assert_same

WORKERS = 2


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a master that two workers have joined."""
    deploy, folder, port = "org.apache.spark.deploy", tmp_path_factory.mktemp("cluster"), free_port()
    here = ["--host", "127.0.0.1", "--webui-port", "0"]
    start = [SPARK_HOME / "bin" / "spark-class"]
    master = f"spark://127.0.0.1:{port}"
    # Nothing of this package is on the path of the executors: what a task needs must travel with it.
    environment = scripts_environment() | {"PYTHONPATH": ""}
    with ExitStack() as cluster:
        command = [*start, f"{deploy}.master.Master", *here, "--port", str(port)]
        cluster.enter_context(running(command, folder / "master", port=port, **environment))
        for number in range(WORKERS):
            own, at = folder / f"worker {number}", free_port()
            command = [*start, f"{deploy}.worker.Worker", *here, "--port", str(at), "--cores", "1", "--memory", "1g"]
            command += ["--work-dir", own / "work", master]
            joined = own / "printed.log"
            cluster.enter_context(
                running(
                    command,
                    own,
                    port=at,
                    until=lambda printed=joined: "Successfully registered with master" in printed.read_text(),
                    **environment,
                )
            )
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
    conf = EMBEDDED | lake_conf
    conf |= {
        "spark.master": master,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",  # both executors before the first job
    }
    settings = {"ICEBERG_EXPLORER_CONF": conf_to_env(conf), "SPARK_LOCAL_IP": "127.0.0.1"}
    found = json.loads(ran(["-c", ASKED, "lake.t.people"], tmp_path, **settings))
    assert found["master"] == master
    assert found["stages"] > 0
    assert len(found["tasks"]) == WORKERS
    assert all(done > 0 for done in found["tasks"].values())
    assert_same(found["answers"], plain["people"])
