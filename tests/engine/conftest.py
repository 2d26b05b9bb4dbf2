"""A Python of its own for what needs another session, another environment, or none of either."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
# A peer of ZeroMQ begins with 0xff.
STRANGER = re.compile(
    r"-{40}\nException occurred during processing of request from (?:(?!-{40}\n).)*accumulators\.py"
    r"(?:(?!-{40}\n).)*can't decode byte 0xff in position 0: invalid start byte\n-{40}\n",
    re.DOTALL,
)
Python = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def python(tmp_path: Path) -> Python:
    """`python(code, NAME="value")` runs the code in an empty folder, without this run's Spark or Java settings.

    What it says of strangers is no part of its stderr: a kernel's client beside it, which asks at a port that this
    Python has got since, is told of by PySpark's server of accumulators.
    """

    def run(code: str, *, path: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("SPARK", "PYSPARK", "JAVA", "PYTEST"))}
        environment |= {"PYTHONPATH": str(REPOSITORY), "ICEBERG_EXPLORER_HOME": str(tmp_path / "home")}
        environment |= {"ICEBERG_EXPLORER_CONFIG_DIR": str(tmp_path / "config")}
        if path is not None:
            environment["PATH"] = path
        folder = tmp_path / "working folder"
        folder.mkdir(exist_ok=True)
        ran = subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env=environment | variables,
            capture_output=True,
            text=True,
            timeout=300,
        )
        ran.stderr = STRANGER.sub("", ran.stderr)
        return ran

    return run


@pytest.fixture(autouse=True)
def _active(request: pytest.FixtureRequest) -> None:
    if "spark" in request.fixturenames:
        request.getfixturevalue("active_session")
