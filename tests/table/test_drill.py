"""A drill as a learner answers it: right, partly right, wrong and why; what was asked, what the trainer gets."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.errors import ExplorerError, UnknownSnapshot
from explorer.lessons import drills
from explorer.model.drill import words
from explorer.model.drill.repairs import BY_NAME, REPAIRS
from explorer.table import Table, drill_results
from explorer.table.drill import Drill

Opened = Callable[[str], Drill]


@pytest.fixture(autouse=True)
def own_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The answers of one test: in the explorer's folder other workers' learners answer too."""
    monkeypatch.setattr(drill_results, "_file", lambda: tmp_path / "drills" / "results.csv")


@pytest.fixture(scope="module")
def opened(spark: SparkSession) -> Opened:
    """A function that opens a drill of level 2 with an incident; each is written once."""

    def opened(cause: str, level: int = 2) -> Drill:
        told = drills.drill(spark, drills.seed_with(cause, level), level)
        return Drill(Table.open(told.table, spark), Table.open(told.table, spark), told.case)

    return opened


def test_the_right_answer_solves_it_and_shows_the_path(opened: Opened) -> None:
    drill = opened("applicable-delete-removed")
    drill.table.commit(3).read()
    verdict = drill.check(drill.case.number, drill.case.cause, "delete-again")
    assert verdict.is_solved
    assert words.title(verdict) == "Solved, first try"
    assert verdict.questions == ("commit",)
    assert "1 question: commit; " in words.plain(drill.case, verdict)
    calls = [step.call for step in verdict.path]
    assert calls[0] == 't.triage("rows came back")'
    assert calls[1].startswith('t.bisect("SELECT count(*) FROM {t} WHERE order_id = ')
    assert calls[2] == f"t.commit({drill.case.number})"
    assert calls[3].startswith("DELETE FROM")
    assert f"{drill.case.number} is the first bad commit" in verdict.path[1].told


def test_what_questions_read_is_counted_in_bytes_and_what_a_check_reads_is_not(
    opened: Opened, spark: SparkSession
) -> None:
    drill = opened("applicable-delete-removed")
    table, number = drill.table, drill.case.number
    drill.check(number, None, None)
    assert table.asked.bytes_read == 0

    of = table.snapshot(number)
    lists = [s.manifest_list for s in table.metadata.snapshots if s.snapshot_id in (of.snapshot_id, of.parent_id)]
    manifests = spark.sql(
        f"SELECT path FROM {table.name}.all_manifests WHERE reference_snapshot_id = {of.snapshot_id} "
        f"AND added_snapshot_id = {of.snapshot_id}"
    ).collect()
    files = [Path(str(path).removeprefix("file:")) for path in (*lists, *(row.path for row in manifests))]
    table.commit(number).read()
    assert table.asked.bytes_read == sum(file.stat().st_size for file in files)

    table.commit(number).read()  # of what was read before, nothing is read again
    assert table.asked.bytes_read == sum(file.stat().st_size for file in files)

    data = spark.sql(f"SELECT sum(file_size_in_bytes) FROM {table.name}.data_files").collect()[0][0]
    before = table.asked.bytes_read
    table.bisect("SELECT max(order_id) IS NULL FROM {t}").read()
    assert table.asked.bytes_read > before
    assert table.asked.bytes_read < before + 50 * data
    *_, last = csv.DictReader(drill_results.results().splitlines())
    assert last["bytes_read"] == "0"
    assert drill.check(number, None, None).bytes_read == table.asked.bytes_read
    *_, last = csv.DictReader(drill_results.results().splitlines())
    assert last["bytes_read"] == str(table.asked.bytes_read)


def test_nothing_is_not_an_answer(opened: Opened) -> None:
    verdict = opened("applicable-delete-removed").check(None, None, None)
    assert [judged.state for judged in verdict.parts] == ["not answered"] * 3
    assert verdict.path == ()


def test_a_wrong_answer_is_refused_for_what_the_table_says(opened: Opened) -> None:
    drill = opened("applicable-delete-removed")
    number = drill.case.number
    verdict = drill.check(number + 2, "file-listed-twice", "roll-back")
    commit, cause, repair = verdict.parts
    assert [judged.state for judged in verdict.parts] == ["not this"] * 3
    after = drill.table.snapshot(number + 2)
    assert commit.words.startswith(f"{number + 2} is an append with {after.count('added-records')} rows added by ")
    assert commit.words.endswith("gives 1.")  # the deleted order was back before it already
    live = len(drill.table.spark.sql(f"SELECT file_path FROM {drill.table.name}.files").collect())
    assert cause.words == f"Not found: the same file twice in one snapshot. Looked at: the paths of {live} live files."
    later = len(drill.table.metadata.snapshots) - number
    assert f"{later} later commits" in repair.words


def test_an_answer_can_be_right_in_part(opened: Opened) -> None:
    drill = opened("file-re-added")
    erased = drill.case.good
    assert erased is not None
    verdict = drill.check(erased, "dangling-deletes", "compact")
    commit, cause, repair = verdict.parts
    assert [judged.state for judged in verdict.parts] == ["partly right"] * 3
    assert commit.words.startswith(f"{erased} is a delete by ")  # no row was added, so none is counted
    assert "SELECT count(*) FROM the table WHERE" in commit.words  # a number says nothing without its question
    assert "gives 1 before it and 0 after it" in commit.words  # there the order was deleted
    assert "That is so too" in cause.words
    assert repair.words.startswith("It helps")
    assert words.title(verdict) == "Not yet: the commit, the cause and the repair are partly right"
    verdict = drill.check(drill.case.number, "dangling-deletes", "publish")
    assert words.title(verdict) == "Not yet: the commit is right, the cause is partly right, the repair is not"


def test_a_commit_that_main_left_leads_to_the_one_it_went_back_to(opened: Opened) -> None:
    drill = opened("abandoned-commits", 1)
    left = drill.case.number + 1
    commit = drill.check(left, None, None).parts[0]
    assert commit.state == "partly right"
    assert "Main does not have it" in commit.words
    verdict = drill.check(str(drill.case.snapshot_id), "abandoned-commits", drill.repairs[0])
    assert verdict.is_solved
    assert verdict.tries == 2


def test_what_is_no_answer_at_all_is_said(opened: Opened) -> None:
    drill = opened("abandoned-commits", 1)
    with pytest.raises(UnknownSnapshot):
        drill.check(4_000, None, None)
    with pytest.raises(ExplorerError, match="no cause that the explorer knows"):
        drill.check(None, "gremlins", None)
    with pytest.raises(ExplorerError, match="no repair of this drill"):
        drill.check(None, None, "pray")
    assert drill.tries == 0


def test_each_hint_tells_more_and_none_the_number_itself(opened: Opened) -> None:
    drill = opened("abandoned-commits", 1)
    symptom, window, about = drill.hints
    assert "rows vanished" in symptom
    assert str(drill.case.number) not in symptom + about
    assert "one of" in window
    hints = Drill(drill.table, drill.table, replace(drill.case, level=3)).hints
    assert "Health" not in hints[0]
    assert about.removeprefix("Look for ").removesuffix(".") in hints[0]


def test_answers_are_kept_for_the_trainer(opened: Opened) -> None:
    drill = opened("abandoned-commits", 1)
    drill.hints_taken = 2
    drill.check(drill.case.number, "mass-removal", "")
    *_, last = csv.DictReader(drill_results.results().splitlines())
    assert (last["level"], last["seed"], last["hints"]) == ("1", str(drill.case.seed), "2")
    assert (last["commit_is"], last["cause_is"], last["repair_is"]) == ("right", "not this", "not answered")
    assert (last["cause"], last["is_solved"], last["has_given_up"]) == ("mass-removal", "False", "False")


def test_the_widget_asks_the_same(spark: SparkSession) -> None:
    seed = drills.seed_with("abandoned-commits", 1)
    widget = explorer.drill(seed, spark=spark)
    try:
        told = widget.check(widget.drill.case.number, "abandoned-commits", "cherry-pick")
        assert told.verdict.is_solved
        assert repr(told).startswith("Solved, first try\n  ✓ commit: right.")
        assert widget.drill.case.title in widget._repr_mimebundle_()["text/plain"]
    finally:
        widget.close()


def test_health_is_closed_at_the_last_level(opened: Opened) -> None:
    first = opened("abandoned-commits", 1)
    drill = Drill(first.table, first.table, replace(first.case, level=3))
    assert not drill.case.allows_health
    assert all("triage" not in step.call for step in drill.path)


def test_repairs_are_told_apart_by_name() -> None:
    assert len(BY_NAME) == len(REPAIRS)
