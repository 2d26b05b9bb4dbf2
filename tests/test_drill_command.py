"""`iceberg-explorer drill` and `drill results`."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pyspark.sql import SparkSession

from explorer import cli
from explorer.jupyter import lab
from explorer.lessons import drills
from explorer.table import drill_results


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments], prog_name="iceberg-explorer")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that write a drill, and that JupyterLab would be started by."""
    commands: list[list[str]] = []
    monkeypatch.setattr(lab, "become_lab", lambda command, _: commands.append(command))

    def write(command: list[str], **_: object) -> int:
        commands.append(command)
        return 0

    monkeypatch.setattr(cli, "_in_its_own_process", write)
    return commands


def test_it_writes_the_table_and_opens_a_notebook_that_does_not_name_the_incident(
    started: list[list[str]], tmp_path: Path
) -> None:
    result = run("drill", "--level", 2, "--incident", "raced-delete", "--folder", tmp_path, "--no-browser")
    assert result.exit_code == 0, result.output
    written, opened = started
    seed = drills.seed_with("raced-delete", 2)
    assert written[:3] == [sys.executable, "-m", "explorer.cli"]
    assert written[3:] == ["drill", "--no-lab", f"--seed={seed}", "--level=2"]
    file = tmp_path / "drills" / f"level-2-seed-{seed}.ipynb"
    assert f"--LabApp.default_url=/lab/tree/drills/{file.name}" in opened
    assert "--no-browser" in opened
    notebook = json.loads(file.read_text())
    words, code = notebook["cells"][:2]
    assert "Which commit did it" in words["source"], "a person who comes new to it is told what to do"
    assert f"explorer.drill(seed={seed}, level=2)" in code["source"]
    assert "raced" not in file.read_text()


def test_a_table_that_cannot_be_written_opens_nothing(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cli, "_in_its_own_process", lambda *_, **__: 1)
    assert run("drill", "--folder", tmp_path).exit_code == 1
    assert started == []


def test_a_folder_that_takes_no_notebook_is_refused_before_the_table_is_written(
    started: list[list[str]], tmp_path: Path
) -> None:
    (tmp_path / "drills").write_text("a file where the notebook's folder should be")
    result = run("drill", "--folder", tmp_path)
    assert result.exit_code == 1
    assert "No notebook for drill 1 can be made in" in result.output
    assert started == []


def test_without_lab_it_says_what_a_person_says(spark: SparkSession) -> None:
    seed = drills.seed_with("abandoned-commits", 1)
    result = run("drill", "--seed", seed, "--no-lab")
    assert result.exit_code == 0, result.output
    told = drills.drill(spark, seed)
    assert f"Drill {seed}, level 1: {told.table}" in result.stdout
    assert told.case.title in result.stdout
    assert told.case.cause not in result.stdout


def test_an_incident_that_there_is_no_drill_of_is_refused_in_words() -> None:
    result = run("drill", "--incident", "gremlins")
    assert result.exit_code == 1
    assert "No drill of level 1 has the incident 'gremlins'" in result.output


def test_results_are_csv(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path))
    rows = list(csv.reader(run("drill", "results").stdout.splitlines()))
    assert rows == [list(drill_results.COLUMNS)]
    result = run("drill", "results", "-o", tmp_path / "results.csv")
    assert "0 answers are in" in result.stdout
    assert (tmp_path / "results.csv").read_text().startswith("checked_at,person,level,seed,try,commit")
