"""Every picture on the older lines of Spark that the package allows, each in a virtual environment of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from filelock import FileLock
from platformdirs import user_cache_path

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same

# By line the tables it is asked for; the runtime of 4.0 is an older Iceberg, which matters most to version 3.
LINES = {"3.5": ["people", "vectors"], "4.0": ["vectors"]}
ALWAYS = {"3.5": ["people"]}  # what is asked without --thorough
RELEASES = {"3.5": "3.5.9", "4.0": "4.0.5"}
RUNTIMES = {"3.5": "1.12.0", "4.0": "1.11.0"}
ASKED = """
import json, sys
import explorer, pyspark
from explorer.engine import session
from explorer.engine.runtime import runtime_version
from tests.servers.every_picture import answers
found = {name: answers(explorer.table(f"lake.t.{name}")) for name in sys.argv[1:]}
spark = session()
versions = [pyspark.__version__, spark.version, runtime_version(spark)]
json.dump({"answers": found, "versions": versions}, sys.stdout)
"""


@pytest.fixture(scope="module")
def answered(
    plain: dict[str, Answers],
    lake_conf: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Callable[[str], Any]:
    """A function: what a process with that line of pyspark answers, and the versions it has."""
    lines = LINES if request.config.getoption("thorough") else ALWAYS

    @cache
    def ask(line: str) -> Any:
        folder = tmp_path_factory.mktemp("line")
        python = environment(line, folder / "environment")
        settings = conf_to_env(EMBEDDED | lake_conf)
        return json.loads(ran(["-c", ASKED, *lines[line]], folder, python=python, ICEBERG_EXPLORER_CONF=settings))

    return ask


def environment(line: str, folder: Path) -> Path:
    """The Python of a new environment with this line of pyspark, and all else from the one that runs the tests."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    [packages] = folder.glob("lib/python*/site-packages")
    # Python looks into them in this order, so the pyspark of the tests' own environment is behind the other.
    there = f"{installed(f'pyspark=={RELEASES[line]}')}\n{sysconfig.get_path('purelib')}\n"
    (packages / "pyspark_before_the_rest.pth").write_text(there, "utf-8")
    return folder / "bin" / "python"


def installed(requirement: str) -> Path:
    """The folder of a package and what it needs, installed once on this machine: a pyspark is 400 MB."""
    folder = user_cache_path("iceberg-explorer-tests", appauthor=False, ensure_exists=True) / requirement
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            with TemporaryDirectory(dir=folder.parent) as unfinished:
                whole = Path(unfinished) / "packages"
                install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", whole, requirement]
                subprocess.run(install, check=True, timeout=300)
                whole.rename(folder)  # so that there is never half of it under this name
    return folder


@pytest.mark.parametrize("line", ["3.5", pytest.param("4.0", marks=pytest.mark.thorough)])
def test_a_line_is_asked_with_the_runtime_made_for_it(line: str, answered: Callable[[str], Any]) -> None:
    client, server, runtime = answered(line)["versions"]
    assert client == server
    assert client == RELEASES[line]
    assert runtime == RUNTIMES[line]


@pytest.mark.thorough
@pytest.mark.parametrize("name", LINES["4.0"])
def test_every_picture_is_the_same_on_spark_4_0(
    name: str, answered: Callable[[str], Any], plain: dict[str, Answers]
) -> None:
    assert_same(answered("4.0")["answers"][name], plain[name])


@pytest.mark.parametrize("name", ["people", pytest.param("vectors", marks=pytest.mark.thorough)])
def test_every_picture_is_the_same_on_spark_3_5(
    name: str, answered: Callable[[str], Any], plain: dict[str, Answers]
) -> None:
    assert_same(answered("3.5")["answers"][name], plain[name])
