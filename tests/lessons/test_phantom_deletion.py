"""The lesson of Alice and Bob, read by the rule, by Spark, and by readers who get it wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.lessons.lesson import LiveTable
from explorer.lessons.stories import phantom_deletion
from explorer.model.why.facts import RowOutcome
from explorer.model.why.what_if import reader_views
from tests.queries.commit_facts import Opened
from tests.queries.deletes_facts import outcome_of


@pytest.fixture(scope="module")
def steps(spark: SparkSession, fresh_table: Callable[..., str]) -> list[RowOutcome]:
    name = fresh_table("phantom")
    phantom_deletion.LESSON.build(LiveTable(spark, name))
    opened = Opened(spark, name)
    outcomes = [outcome_of(opened, snapshot.snapshot_id, "true") for snapshot in opened.metadata.snapshots]
    for outcome in outcomes:  # Spark's own answer, which asks for no masked rows
        seen = spark.sql(f"SELECT name FROM {name} VERSION AS OF {outcome.snapshot.snapshot_id}").collect()
        assert sorted(row.name for row in seen) == sorted(names(outcome, 0))
    return outcomes


def names(outcome: RowOutcome, reading: int) -> list[str]:
    return sorted(seen.row.values[1] for seen in reader_views(outcome)[reading].rows if seen.seen)


def test_bob_is_live_though_the_delete_of_his_key_is_live_too(steps: list[RowOutcome]) -> None:
    assert [names(outcome, 0) for outcome in steps] == [
        ["Alice", "Carol"],
        ["Carol"],
        ["Bob", "Carol"],
        ["Bob", "Caroline"],
    ]
    reasons = {row.values[1]: row.reason for row in steps[2].rows}
    assert "1 < 2" in reasons["Alice"]
    assert "holds its key, but 3 < 2 is false" in reasons["Bob"]


def test_a_reader_without_sequence_numbers_loses_bob(steps: list[RowOutcome]) -> None:
    assert names(steps[2], 1) == ["Carol"]
    reading = reader_views(steps[2])[1]
    assert reading.is_what_if
    assert "What if" in reading.label


def test_an_upsert_would_delete_its_own_row_by_the_articles_rule(steps: list[RowOutcome]) -> None:
    assert names(steps[3], 2) == ["Bob"]
    assert names(steps[2], 2) == ["Bob", "Carol"]
