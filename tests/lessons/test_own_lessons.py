"""Lessons of a trainer's own: the one that the README shows is built, asked and checked; a broken one says where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyspark.sql import SparkSession

import explorer
from explorer.cli import main
from explorer.errors import ExplorerError
from explorer.lessons import build_sandbox, lessons
from explorer.lessons.exercises import Attempt, exercises, named
from explorer.lessons.own import FOLDER, own_lessons
from tests.conftest import REPOSITORY


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the README, with its module."""
    [shown] = re.findall(r"```python\n# lessons/(coffee\.py)\n(.*?)```", (REPOSITORY / "README.md").read_text(), re.S)
    (tmp_path / shown[0]).write_text(shown[1])
    monkeypatch.setenv(FOLDER, str(tmp_path))
    return tmp_path


def test_the_lesson_of_the_readme(spark: SparkSession, own_course: None, folder: Path) -> None:
    [lesson] = own_lessons()
    assert lessons()[-1] is lesson
    assert build_sandbox(spark, lessons=[lesson])[0].name == "sandbox.own.coffee"
    assert spark.table("sandbox.own.coffee").count() == 3
    listed = CliRunner().invoke(main, ["course"]).output
    assert "coffee" in listed
    attempt = Attempt(named("coffee"), spark)
    attempt.again()
    assert not attempt.check(rows=3).passed
    files = spark.sql(f"SELECT sum(record_count) FROM {attempt.table}.data_files").collect()[0][0]
    verdict = attempt.check(rows=files - 1)
    assert verdict.passed
    assert "the update carried 2 rows over" in verdict.title
    assert explorer.exercise("coffee", spark) is not None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("x = 1", "neither a LESSON nor EXERCISES"),
        ("LESSON = 'coffee'", "whose name has a namespace"),
        ("EXERCISES = ['coffee']", "no Exercise"),
    ],
)
def test_a_module_that_cannot_be_read_is_named_with_the_reason(folder: Path, text: str, found: str) -> None:
    (folder / "tea.py").write_text(text)
    with pytest.raises(ExplorerError, match=r"tea\.py cannot be read") as error:
        exercises()
    assert found in str(error.value.found)


def test_a_folder_that_is_none_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "nowhere"))
    with pytest.raises(ExplorerError, match="There are no lessons in"):
        own_lessons()
