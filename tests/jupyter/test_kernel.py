"""The explorer's own kernel starts Spark before anybody asks for it; no other kernel does."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from jupyter_client import BlockingKernelClient, KernelManager
from jupyter_client.kernelspec import KernelSpecManager

import explorer
from explorer.engine import conf_to_env

OURS = Path(explorer.__file__).parent / "jupyter" / "data" / "kernels"
ASK = "import explorer.engine; print(explorer.engine.is_running())"
START_TIMEOUT = 180.0  # seconds: of a machine that has much else to do

Run = Callable[[str], str]


@contextmanager
def kernel(folder: Path, home: Path, **environment: str) -> Iterator[Run]:
    """A function that runs code in a kernel of the specifications of a folder, and gives what it printed.

    What it displays, at first and in the same place later, is in it as HTML, with a `|` behind each.
    """
    specs = KernelSpecManager(kernel_dirs=[str(folder)], ensure_native_kernel=folder != OURS)
    manager = KernelManager(kernel_name="python3", kernel_spec_manager=specs)
    manager.start_kernel(env={**os.environ, "IPYTHONDIR": str(home), **environment}, cwd=str(home))
    client: BlockingKernelClient = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=START_TIMEOUT)

        def run(code: str) -> str:
            printed: list[str] = []

            def hear(message: dict) -> None:
                content = message["content"]
                printed.extend([content.get("text", ""), *content.get("traceback", [])])
                if "display_data" in message["msg_type"]:
                    printed.append(content["data"].get("text/html", "") + "|")

            client.execute_interactive(code, timeout=START_TIMEOUT, output_hook=hear)
            return "".join(printed).strip()

        yield run
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_our_kernel_has_a_session_before_a_cell_asks_for_one(
    spark_conf: dict[str, str], explorer_home: Path, tmp_path: Path
) -> None:
    with kernel(OURS, tmp_path, ICEBERG_EXPLORER_CONF=conf_to_env(spark_conf)) as run:
        for _ in range(int(START_TIMEOUT)):
            if run("import sys; print('pyspark' in sys.modules)") == "True" and (answer := run(ASK)) == "True":
                break
            time.sleep(1)
        assert answer == "True"
        name = "from explorer import engine; print(engine.session().conf.get('spark.sql.catalog.lab.type'))"
        assert run(name) == "hadoop", "with the settings of the command line"


def test_a_start_that_fails_is_told_by_the_first_cell_that_needs_it(explorer_home: Path, tmp_path: Path) -> None:
    with kernel(OURS, tmp_path, ICEBERG_EXPLORER_CONF="no setting") as run:
        assert run("print(1 + 1)") == "2"
        assert "has no key=value" in run("from explorer import engine; engine.session()")


def test_a_kernel_of_others_starts_nothing(spark_conf: dict[str, str], explorer_home: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "no specifications"
    with kernel(nowhere, tmp_path, ICEBERG_EXPLORER_CONF=conf_to_env(spark_conf)) as run:
        run("import explorer")
        time.sleep(10)
        assert run(ASK) == "False"
        assert run("from pyspark import SparkContext; print(SparkContext._gateway)") == "None"
