"""Histories made from a seed: the same seed the same story, sound ones without a finding, each incident where it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from pyspark.sql import SparkSession

from explorer.lessons import build_sandbox
from explorer.lessons.scenarios import INCIDENTS, NOT_HERE, Scenario, Written
from explorer.model.drill.repairs import kinds
from explorer.model.triage.facts import Triage
from explorer.model.triage.registry import SIGNATURES, SYMPTOMS
from explorer.table import Table

# What an incident is found as besides, since it is that too.
ALSO: Mapping[str, set[str]] = {
    "raced-delete": {"dangling-deletes"},  # a delete that missed its file reaches nothing
    "file-re-added": {"dangling-deletes"},  # so does one that is older than its file
    "delete-never-applied": {"dangling-deletes", "equality-delete-flood"},  # and one in a partition of nulls
    # Nobody removes an equality delete in these histories; after a week that is a finding of its own.
    "upsert-missed-old-row": {"equality-delete-flood"},
    "upsert-in-one-commit": {"equality-delete-flood"},
}
# Statements that would read what cannot be read.
UNREADABLE = {"path-reused"}

Written_ = tuple[Written, Table]


@pytest.fixture(scope="module")
def write(spark: SparkSession) -> Callable[[Scenario], Written_]:
    """A function that writes a scenario's table and opens it."""

    def write(scenario: Scenario) -> Written_:
        told: list[Written] = []
        build_sandbox(spark, lessons=[scenario.lesson(told.append)], anew=True)
        return told[0], Table.open(f"sandbox.{scenario.name}", spark)

    return write


def findings(facts: Triage) -> dict[str, int | None]:
    """By signature, the number of the commit since which it is so."""
    return {
        check.signature.name: check.finding.since.snapshot.sequence_number if check.finding.since.snapshot else None
        for check in facts.found
        if check.finding
    }


def test_every_signature_is_an_incident_or_says_why_not() -> None:
    assert INCIDENTS.keys() | NOT_HERE.keys() == {signature.name for signature in SIGNATURES}
    assert not INCIDENTS.keys() & NOT_HERE.keys()
    assert {incident.symptom for incident in INCIDENTS.values()} <= SYMPTOMS.keys()


def test_a_sound_history_has_no_finding(write: Callable[[Scenario], Written_]) -> None:
    for seed, weeks, oddity in ((0, 3, False), (1, 1, True), (2, 1, True), (3, 1, True)):
        written, table = write(Scenario("drills.sound", seed, weeks, with_oddity=oddity))
        assert findings(table.triage().facts) == {}, (seed, written.oddity)
        assert bool(written.oddity) == oddity


def test_equal_seeds_tell_equal_stories(write: Callable[[Scenario], Written_]) -> None:
    def story(scenario: Scenario) -> object:
        written, table = write(scenario)
        commits = [
            (
                s.operation,
                f"{s.committed_at:%m-%d %H:%M}",
                s.summary["app-name"],
                s.count("added-records"),
                s.count("deleted-records"),
            )
            for s in sorted(table.metadata.snapshots, key=lambda s: s.sequence_number)
        ]
        return commits, written.history.rows(), written.told

    first, again = (story(Scenario("drills.seed", 7, 1, "same-load-twice")) for _ in range(2))
    assert first == again
    assert first != story(Scenario("drills.seed", 8, 1, "same-load-twice"))


@pytest.mark.parametrize("cause", INCIDENTS)
def test_an_incident_is_found_at_its_commit_and_nothing_else_is(
    write: Callable[[Scenario], Written_], cause: str
) -> None:
    seed = list(INCIDENTS).index(cause)
    check_incident(write, Scenario("drills.incident", seed, 1, cause))


def test_commits_are_under_pressure_since_a_writer_loses_again_and_again_not_since_another_lost_once(
    write: Callable[[Scenario], Written_],
) -> None:
    check_incident(write, Scenario("drills.incident", 1, 3, "commit-pressure", with_oddity=True))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10))
def test_other_sound_histories_have_none_either(write: Callable[[Scenario], Written_], seed: int) -> None:
    _, table = write(Scenario("drills.sound", seed, 3, with_oddity=True))
    assert findings(table.triage().facts) == {}


@pytest.mark.thorough
@pytest.mark.parametrize("cause", INCIDENTS)
@pytest.mark.parametrize("seed", range(10))
def test_so_it_is_with_other_seeds(write: Callable[[Scenario], Written_], cause: str, seed: int) -> None:
    check_incident(write, Scenario("drills.incident", seed, 2 + seed % 2, cause, with_oddity=seed % 2 == 1))


def check_incident(write: Callable[[Scenario], Written_], scenario: Scenario) -> None:
    written, table = write(scenario)
    told, cause = written.told, scenario.cause
    assert told is not None
    assert cause is not None
    facts = table.triage().facts
    found = findings(facts)
    assert found.pop(cause) == told.number
    finding = next(check.finding for check in facts.checks if check.signature.name == cause)
    assert finding is not None
    assert kinds(finding.fixes)  # so that a drill knows a right repair
    assert found.keys() <= ALSO.get(cause, set())
    commit = next(s for s in table.metadata.snapshots if s.sequence_number == told.number)
    assert commit.snapshot_id == written.snapshot_id
    if cause not in UNREADABLE:
        counted = table.spark.sql(f"SELECT order_id, count(*) FROM {table.name} GROUP BY order_id").collect()
        assert Counter(dict(tuple(row) for row in counted)) == written.history.counted()
    if told.probe:
        bad = table.bisect(told.probe, told.good).facts.first_bad
        assert bad is not None
        assert bad.sequence_number == told.number
