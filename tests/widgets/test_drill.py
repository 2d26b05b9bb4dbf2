"""A drill without a browser: its fields, what is said of an answer, and what the last level hides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.lessons import drills
from explorer.table.drill import Drill
from explorer.widgets import DrillWidget
from tests.widgets.tabs import until


@pytest.fixture(scope="module")
def seed() -> int:
    return drills.seed_with("abandoned-commits", 1)


@pytest.fixture
def drilled(spark: SparkSession, seed: int) -> Iterator[DrillWidget]:
    widget = explorer.drill(seed, spark=spark)
    yield widget
    widget.close()


def values(field: object) -> list[str | None]:
    """What can be chosen in a field."""
    return [value for _, value in field.children[1].options]  # type: ignore[attr-defined]


def test_an_answer_by_the_fields_is_judged_and_turns_faint_when_it_changes(drilled: DrillWidget) -> None:
    case = drilled.drill.case
    drilled._commit.children[1].value = str(case.snapshot_id)
    drilled._cause.children[1].value = "mass-removal"
    drilled._check.click()
    until(lambda: "Not yet: the commit is right, the cause is not" in drilled._said.value)
    assert "iceberg-right" in drilled._commit._dom_classes
    assert "iceberg-wrong" in drilled._cause._dom_classes
    drilled._cause.children[1].value = case.cause
    assert "iceberg-outdated" in drilled._said.value
    assert "iceberg-wrong" not in drilled._cause._dom_classes


def test_each_hint_adds_one_and_then_there_is_none(drilled: DrillWidget) -> None:
    for taken in (1, 2, 3):
        drilled._hint.click()
        until(lambda taken=taken: drilled._hints.value.count("<li>") == taken)
    assert drilled._hint.disabled
    assert drilled.drill.hints_taken == 3


def test_the_path_is_shown_to_whoever_gives_up(drilled: DrillWidget) -> None:
    drilled._give_up.click()
    until(lambda: "The path that a practised person takes" in drilled._said.value)
    assert drilled.drill.has_given_up
    assert f"<b>commit</b> {drilled.drill.case.number}" in drilled._said.value


def test_at_the_first_level_the_causes_are_those_of_the_symptom_and_health_is_open(drilled: DrillWidget) -> None:
    assert values(drilled._cause)[1] == "mass-removal"
    assert "small-files" not in values(drilled._cause)
    drilled._open.click()
    assert drilled.explorer is not None
    assert "Health" in drilled.explorer._titles


def test_at_the_last_level_all_causes_are_there_and_health_is_closed(drilled: DrillWidget) -> None:
    table = drilled.table
    last = DrillWidget(Drill(table, table, replace(drilled.drill.case, level=3)))
    try:
        assert "small-files" in values(last._cause)
        assert "Health calls" not in last.children[0].children[1].value
        last._open.click()
        assert last.explorer is not None
        assert "Health" not in last.explorer._titles
        assert "Health is closed here" in last.explorer._attention.value
        last.explorer.state.front = "triage"  # what a button elsewhere might ask for
        assert last.explorer._tabs.value == "History"
    finally:
        last.close()
