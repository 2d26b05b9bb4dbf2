"""Each signature: found on a live table that has it, with the right commit; not on a sound one that looks alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import SparkSession

from explorer.model.triage.facts import Triage
from explorer.model.triage.registry import SIGNATURES
from explorer.table import Table
from tests.oracle.conftest import MATRIX
from tests.oracle.incident_tables import INCIDENTS, Maker, rewrite_of_masked, without_counts

UNKNOWN_ID = 4_611_686_018_427_387_904


Told = dict[tuple[str, bool | None], Triage]


@pytest.fixture(scope="module")
def examined(spark: SparkSession, fresh_table: Callable[..., str]) -> Told:
    """By signature, and whether it has the incident; None: it has, and what tells of it is lost."""
    found: Told = {}
    for name, incident in INCIDENTS.items():
        for has_it, build in ((True, incident.build), (False, incident.sound)):
            t = Maker(spark, fresh_table("incident"), incident.columns, incident.more)
            build(t)
            good = (UNKNOWN_ID if has_it else incident.good) if incident.good is not None else None
            found[name, has_it] = Table.open(t.name, spark).triage(good=good, **(incident.asked or {})).facts
            if has_it:
                lost = Table.open(str(without_counts(t)), spark)
                found[name, None] = lost.triage(**(incident.asked or {})).facts
    return found


@pytest.mark.parametrize("name", INCIDENTS)
def test_it_is_found_where_it_is_with_its_commit(examined: Told, name: str) -> None:
    check = next(c for c in examined[name, True].checks if c.signature.name == name)
    assert check.finding is not None, (check.state, check.words)
    since = check.finding.since.snapshot
    if INCIDENTS[name].since is not None:
        assert since is not None
        assert since.sequence_number == INCIDENTS[name].since
    found = check.finding
    assert all((found.title, found.value, found.threshold, found.why, found.reason))
    assert found.question


@pytest.mark.parametrize("name", INCIDENTS)
def test_it_is_not_found_where_it_only_looks_alike(examined: Told, name: str) -> None:
    check = next(c for c in examined[name, False].checks if c.signature.name == name)
    assert check.finding is None, check.finding


@pytest.mark.parametrize("name", INCIDENTS)
def test_it_is_not_clean_where_what_tells_of_it_is_lost(examined: Told, name: str) -> None:
    check = next(c for c in examined[name, None].checks if c.signature.name == name)
    assert check.state != "clean", check.words
    assert check.finding or check.words


@pytest.mark.parametrize(
    ("masks", "added", "lost"),
    [
        ("positions", 7, None),
        ("positions", 8, None),  # a delete may name rows that are gone
        ("positions", 5, "lost 2 rows"),
        ("positions of no one file", 7, None),
        ("keys", 7, None),
    ],
)
def test_a_compaction_does_not_lose_what_deletes_had_masked(
    spark: SparkSession, fresh_table: Callable[..., str], masks: str, added: int, lost: str | None
) -> None:
    t = Maker(spark, fresh_table("masked"))
    rewrite_of_masked(t, masks, added)
    checks = Table.open(t.name, spark).triage().facts.checks
    finding = next(c.finding for c in checks if c.signature.name == "rewrite-changed-rows")
    assert (finding.title if finding else None) == (f"Compaction 3 {lost}" if lost else None)


def test_the_sql_of_each_finding_runs(spark: SparkSession, examined: Told) -> None:
    asked = 0
    for (name, has_it), facts in examined.items():
        check = next(c for c in facts.checks if c.signature.name == name)
        # Rows are not there, and a lost list is what is missing: the text is understood all the same.
        if has_it and check.finding and check.finding.evidence.sql and "<" not in check.finding.evidence.sql:
            assert spark.sql(check.finding.evidence.sql).columns, name
            asked += 1
    assert asked > 30


def test_all_signatures_are_told_apart_in_one_matrix(
    examined: Told, record_property: Callable[[str, object], None]
) -> None:
    record_property(MATRIX, "\n".join(_printed(examined)))
    assert len(SIGNATURES) == len(INCIDENTS) == 44
    assert INCIDENTS.keys() == {s.name for s in SIGNATURES}


def _printed(examined: Told) -> Iterator[str]:
    width = max(map(len, INCIDENTS))
    yield f"{'':<{width}}  with it           looks alike  evidence lost     also found with it"
    for name in INCIDENTS:
        cells = []
        for has_it in (True, False, None):
            check = next(c for c in examined[name, has_it].checks if c.signature.name == name)
            cells.append(check.finding.since.words if check.finding else check.state)
        also = [c.signature.name for c in examined[name, True].found if c.signature.name != name]
        yield f"{name:<{width}}  {cells[0]:<16}  {cells[1]:<11}  {cells[2]:<16}  {', '.join(also)}"
