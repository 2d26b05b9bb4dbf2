"""Every picture in sessions whose workers have a Python that cannot run what the explorer gives them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.engine import conf_to_env
from tests.servers.components import EMBEDDED, ran
from tests.servers.conftest import Answers, assert_same

# One process with one Java asks with the workers' Python of its environment, then with the others: what Spark makes of
# `PYSPARK_PYTHON` is `pythonExec`. Nothing is small there, so that tasks decode every manifest of a small table.
# What SQL alone answers needs no Python.
ASKED = """
import json, sys
from explorer.engine import session
from explorer.queries.files import manifests as stored_manifests
from explorer.table import Table
from tests.servers.every_picture import answers
stored_manifests.SMALL_IN_BYTES, set_in = -1, set()
for module in [m for name, m in sys.modules.items() if name.startswith("explorer.queries.")]:
    for function in (f.__init__ if isinstance(f, type) else f for f in vars(module).values()):
        if "small_in_bytes" in (defaults := getattr(function, "__kwdefaults__", None) or {}):
            defaults["small_in_bytes"] = -1
            set_in.add(function.__module__.rpartition(".")[2])
assert set_in >= {"boundary", "commit", "live_files", "entries", "changed_entries"}, set_in
spark, asked = session(), {}
for python in [spark.sparkContext.pythonExec, *sys.argv[2:]]:
    spark.sparkContext.pythonExec = python
    table = Table.open(sys.argv[1], spark.newSession())
    notes = [str(note) for note in table.snapshot_graph().notes]
    asked[python] = {"people": answers(table, of_sql=False), "graph": notes}
json.dump(asked, sys.stdout)
"""
ABOUT = "Manifests are decoded in this process, not in Spark's tasks"
OTHER_MINOR = f"3.{sys.version_info.minor + 1}"


def bare(folder: Path) -> Path:
    """A Python of this version that has nothing but its own library."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder / "bin" / "python"


def other_minor(folder: Path) -> Path:
    """A Python that tells Spark another minor version: one of pyenv, else this one with another number.

    The number is all that Spark's worker looks at before it refuses.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    if real := sorted(pyenv.glob(f"versions/{OTHER_MINOR}.*/bin/python")):
        return real[0]
    python = bare(folder)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "sitecustomize.py").write_text(
        "import sys\nfrom collections import namedtuple\n"
        "version_info = namedtuple('version_info', 'major minor micro releaselevel serial')\n"
        f"sys.version_info = version_info(3, {sys.version_info.minor + 1}, 0, 'final', 0)\n",
        "utf-8",
    )
    return python


PYTHONS = {"bare": (bare, "No module named 'pyarrow'"), "other minor": (other_minor, OTHER_MINOR)}


@pytest.fixture(scope="module")
def by_python(
    lake: SparkSession, lake_conf: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Any]:
    """What is answered, by the workers' Python: `here` for the one of this run, else a name of `PYTHONS`."""
    made = {name: str(make(tmp_path_factory.mktemp("python") / "own")) for name, (make, _) in PYTHONS.items()}
    pythons = made | {"here": sys.executable}
    first, *others = pythons.values()
    env = {"ICEBERG_EXPLORER_CONF": conf_to_env(EMBEDDED | lake_conf), "PYSPARK_PYTHON": first}
    printed = json.loads(ran(["-c", ASKED, "lake.t.people", *others], tmp_path_factory.mktemp("asked"), **env))
    return {name: printed[python] for name, python in pythons.items()}


@pytest.mark.timeout(1200)  # all pictures are asked three times
@pytest.mark.parametrize("name", PYTHONS)
def test_every_picture_is_the_same_with_workers_that_cannot_run_our_tasks(
    name: str, by_python: Mapping[str, Any]
) -> None:
    here, there = by_python["here"], by_python[name]
    assert ABOUT not in json.dumps(here)
    answers, with_note = without_the_note(there["people"], PYTHONS[name][1])
    assert with_note >= {"boundary", "entries", "retries", "deletes", "why"} | {p for p in answers if "commit " in p}
    assert_same(answers, here["people"])
    assert not any(ABOUT in note for note in there["graph"])  # it needs no manifest


def without_the_note(answers: Answers, found: str) -> tuple[Answers, set[str]]:
    """The answers without the note that the workers were not asked, and which had it."""
    left, noted = {}, set()
    for picture, answer in answers.items():
        notes = answer.get("notes", [])
        of_workers = [note for note in notes if note["about"] == ABOUT]
        for note in of_workers:
            assert note["certainty"] == "exact"
            assert found in note["reason"]
            assert "PYSPARK_PYTHON" in note["reason"]
            noted.add(picture)
        left[picture] = answer | ({"notes": [n for n in notes if n not in of_workers]} if "notes" in answer else {})
    return left, noted
