"""Real components as processes of their own: started on free ports of 127.0.0.1, waited for, and stopped with all
that they started themselves."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark

from explorer.engine.java import find_java

REPOSITORY = Path(__file__).resolve().parents[2]
SPARK_HOME = Path(pyspark.__file__).parent
JARS = SPARK_HOME / "jars"
_TIMEOUT = 300.0  # seconds; a first start downloads jars
_PORTS = range(20_000, 32_000)  # below those that systems give to whoever asks for any, until the server takes its own

SMALL_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
# Tables of a few rows: generating and compiling code takes longer than reading them.
SMALL_QUERIES = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
EMBEDDED = SMALL_QUERIES | {
    "spark.master": "local[2]",
    "spark.driver.memory": "1g",
    "spark.driver.extraJavaOptions": SMALL_JVM,
    "spark.python.authenticate.socketTimeout": "2m",  # a busy machine may take longer than its 15 s to connect
}


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on, nor will before the server that it is meant for."""
    while True:
        port = random.choice(_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@contextmanager
def running(
    command: Sequence[str | Path], folder: Path, *, port: int, until: Callable[[], bool] = lambda: True, **env: str
) -> Iterator[subprocess.Popen[bytes]]:
    """Within the block the command runs, in its own folder, and listens on the port.

    Args:
        command: program and arguments.
        folder: working directory, made if it is not there; it holds what the command prints as `printed.log`.
        port: of 127.0.0.1, waited for.
        until: waited for too.
        env: environment variables on top of `plain_environment`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    printed = folder / "printed.log"
    with printed.open("wb") as log:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env=plain_environment() | env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that what the command starts can be stopped with it
        )
    try:
        _wait(process, port, until, printed)
        yield process
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process of `running`, and all that it started."""
    for number, seconds in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    with suppress(ProcessLookupError):  # a child that the leader did not end
        os.killpg(process.pid, signal.SIGKILL)


def _wait(process: subprocess.Popen[bytes], port: int, until: Callable[[], bool], printed: Path) -> None:
    end = time.monotonic() + _TIMEOUT
    while not (_listens(port) and until()):
        if process.poll() is not None or time.monotonic() > end:
            why = "ended" if process.poll() is not None else f"did not answer within {_TIMEOUT:.0f} seconds"
            raise RuntimeError(f"{process.args} {why}:\n{printed.read_text('utf-8', 'replace')[-4000:]}")
        time.sleep(0.1)


def _listens(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    return False


def plain_environment() -> dict[str, str]:
    """The environment without this run's Spark and without settings of a person."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK", "PYSPARK", "PYTEST", "ICEBERG_EXPLORER"))}
    return kept | {"PYTHONPATH": str(REPOSITORY), "PYSPARK_PYTHON": sys.executable}


def scripts_environment() -> dict[str, str]:
    """What Spark's own scripts need on top: unlike the explorer they look for no Java."""
    return {"SPARK_HOME": str(SPARK_HOME), "SPARK_LOCAL_IP": "127.0.0.1", "JAVA_HOME": str(find_java().home)}


def ran(code: Sequence[str], folder: Path, *, python: str | Path = sys.executable, **env: str) -> str:
    """What a Python of its own prints: `ran(["-m", "module", "argument"], folder, NAME="value")`; without a cache."""
    working = folder / "working folder"
    working.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [python, *code],
        cwd=working,
        env=plain_environment()
        | {"ICEBERG_EXPLORER_HOME": str(folder / "home"), "ICEBERG_EXPLORER_CACHE_MB": "0"}
        | {"PYSPARK_PYTHON": str(python)}
        | env,
        capture_output=True,
        text=True,
        timeout=850,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return done.stdout


def options(conf: Mapping[str, str]) -> list[str]:
    """Settings as options of spark-submit."""
    return [word for key, value in conf.items() for word in ("--conf", f"{key}={value}")]
