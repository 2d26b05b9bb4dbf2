"""A standalone cluster of Spark on this machine: a master and workers, each a process of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.servers.components import SPARK_HOME, free_port, running, scripts_environment


@contextmanager
def cluster(folder: Path, workers: int, memory: str = "1g") -> Iterator[str]:
    """The address of a master that so many workers of one core have joined.

    Each has a core of its own while there are enough: what runs in it would start threads for every core it sees.
    """
    deploy, port = "org.apache.spark.deploy", free_port()
    here = ["--host", "127.0.0.1", "--webui-port", "0"]
    start = [SPARK_HOME / "bin" / "spark-class"]
    master = f"spark://127.0.0.1:{port}"
    # Nothing of this package is on the path of the executors: what a task needs must travel with it.
    environment = scripts_environment() | {"PYTHONPATH": ""}
    with ExitStack() as started:
        command = [*start, f"{deploy}.master.Master", *here, "--port", str(port)]
        started.enter_context(running(command, folder / "master", port=port, **environment))
        for number in range(workers):
            own, at = folder / f"worker {number}", free_port()
            command = [*_on_core(number), *start, f"{deploy}.worker.Worker", *here, "--port", str(at)]
            command += ["--cores", "1", "--memory", memory, "--work-dir", own / "work", master]
            joined = own / "printed.log"
            started.enter_context(
                running(
                    command,
                    own,
                    port=at,
                    until=lambda printed=joined: "Successfully registered with master" in printed.read_text(),
                    **environment,
                )
            )
        yield master


def _on_core(number: int) -> list[str]:
    """What a command begins with that runs on one core; nothing where the system cannot do that."""
    if shutil.which("taskset") is None:
        return []
    cores = sorted(os.sched_getaffinity(0))
    return ["taskset", "--cpu-list", str(cores[number % len(cores)])]


def cluster_conf(master: str, workers: int) -> dict[str, str]:
    """Settings of a session on it, whose first job waits for the executors of all workers."""
    return {
        "spark.master": master,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.memory": "512m",
        "spark.cores.max": str(workers),  # without it Spark knows of no cores that are still to come
        "spark.scheduler.minRegisteredResourcesRatio": "1.0",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": "10m",
    }
