"""Every exercise: its solution is accepted, typical wrong answers are refused for what the table holds; so is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.lessons.exercises import EXERCISES, Attempt, Verdict, named, progress
from tests.lessons.exercise_answers import WRONG, filled, nonsense, query, solution, truth


@pytest.fixture(scope="module")
def begin(spark: SparkSession, own_course: None) -> Callable[..., Attempt]:
    """A function that gives an exercise, with its table as a learner gets it."""

    def begin(name: str, variant: int = 0) -> Attempt:
        attempt = Attempt(named(name), spark)
        attempt.variant = variant - 1 if variant else named(name).variants - 1
        attempt.again()
        return attempt

    return begin


@pytest.fixture(autouse=True)
def forgotten(own_course: None) -> Iterator[None]:
    progress.forget()
    yield
    progress.forget()


def test_every_kind_is_there_and_every_exercise_of_doing_has_wrong_answers() -> None:
    assert {one.kind for one in EXERCISES} == {"predict", "do", "find"}
    assert {one.name for one in EXERCISES if one.kind == "do"} == WRONG.keys()
    assert len({one.table for one in EXERCISES}) == len(EXERCISES)
    for one in EXERCISES:
        assert 1 <= len(one.hints) <= 3, one.name
        assert bool(one.solution) == (one.kind == "do" and one.name != "undo-rollback"), one.name


@pytest.mark.parametrize("name", WRONG)
def test_doing_nothing_and_wrong_things_is_refused_with_the_reason_and_the_solution_is_accepted(
    begin: Callable[..., Attempt], name: str
) -> None:
    attempt = begin(name)
    assert attempt.check().title == "Not yet: nothing was committed to your table yet"
    for wrong, reason in WRONG[name]:
        if not attempt.exercise.anew:
            attempt.again()
        verdict = attempt.check(filled(attempt, wrong))
        assert not verdict.passed, wrong
        assert reason in repr(verdict), wrong
    assert progress.passed() == {}
    if not attempt.exercise.anew:
        attempt.again()
    verdict = attempt.check(solution(attempt))
    assert verdict.passed, verdict
    assert list(progress.passed()) == [name]
    assert verdict.picture is not None
    assert "data:image/svg+xml" in verdict._repr_mimebundle_()["text/html"]
    proved(attempt)


def proved(attempt: Attempt) -> None:
    """What the accepted answer left behind, in plain SQL."""
    match attempt.exercise.name:
        case "no-carry-over":
            assert query(attempt, "SELECT id, value FROM {t} ORDER BY id") == [(1, "a"), (2, "b"), (3, "d")]
            kept = (
                "SELECT count(*) FROM (SELECT _file FROM {t} WHERE id < 3) r JOIN {t}.entries VERSION AS OF 'start' e"
            )
            assert query(attempt, kept + " ON e.data_file.file_path = r._file") == [(2,)]
        case "lost-race":
            lists = query(attempt, "SELECT manifest_list FROM {t}.snapshots WHERE summary['app'] = 'till'")
            assert Path(lists[0][0]).name.split("-")[2] == "2"
        case "delete-and-add":
            assert query(attempt, "SELECT * FROM {t} ORDER BY id") == [(12345, "Alice"), (67890, "Caroline")]
        case "dangling-delete":
            named_file = "SELECT cast(upper_bounds[2147483546] AS string) FROM {t}.delete_files"
            live = query(attempt, "SELECT file_path FROM {t}.data_files")
            assert query(attempt, named_file)[0] not in live
        case "compact-no-return":
            assert query(attempt, "SELECT content FROM {t}.files") == [(0,)]
            assert query(attempt, "SELECT id FROM {t} ORDER BY id") == [(1,), (3,), (5,), (6,), (7,)]
        case "undo-rollback":
            assert query(attempt, "SELECT id FROM {t} ORDER BY id") == [(1,), (2,), (3,), (4,)]
            assert query(attempt, "SELECT count(*) FROM {t}.all_data_files")[0][0] >= 4
        case "load-once":
            orders = query(attempt, "SELECT order_id FROM {t} ORDER BY order_id")
            assert orders == [(11,), (12,), (21,), (22,), (23,), (31,), (32,)]
        case "branch-without-copy":
            [(shared,)] = query(
                attempt,
                "SELECT count(*) FROM {t}.data_files VERSION AS OF 'audit' b JOIN {t}.data_files m USING (file_path)",
            )
            assert shared == 2
            assert query(attempt, "SELECT item FROM {t}.branch_audit WHERE id = 3") == [("plum",)]
        case "publish-staged":
            assert query(attempt, "SELECT id FROM {t} ORDER BY id") == [(1,), (2,), (3,), (4,)]
            assert query(attempt, "SELECT count(DISTINCT file_path) FROM {t}.all_data_files") == [(3,)]


ASKED = [
    pytest.param(one.name, variant, marks=[pytest.mark.thorough] * (variant > 0))
    for one in EXERCISES
    if one.kind != "do"
    for variant in range(one.variants)
]


@pytest.mark.parametrize(("name", "variant"), ASKED)
def test_what_happens_is_what_was_to_be_said_and_nothing_else_is_accepted(
    begin: Callable[..., Attempt], name: str, variant: int
) -> None:
    attempt = begin(name, variant)
    fields = {field.name: field for field in attempt.exercise.fields}
    assert "no answer to" in attempt.check().title
    guess = nonsense(attempt)
    first = attempt.check(**guess)
    right = {field: str(value) for field, value in truth(attempt).items()}
    assert not first.passed
    assert [line.holds for line in first.checked] == [guess[field] == right[field] for field in fields]
    if attempt.exercise.kind == "predict":
        assert first.title.startswith("Not as you said: ")
        assert first.why.endswith("Start again to predict another one.")  # nothing else leads on
        assert all(right[field] in line.words for field, line in zip(fields, first.checked, strict=True))
        assert "has run already" in attempt.check(**right).title, "a guess after the fact is none"
        attempt = begin(name, variant)
    else:
        for field in fields:  # each wrong alone
            assert not attempt.check(**(right | {field: guess[field]})).passed or guess[field] == right[field]
    verdict = attempt.check(**right)
    assert verdict.passed, verdict
    assert "Start again" not in verdict.why
    assert list(progress.passed()) == [name]
    assert verdict.picture is not None


def test_the_variants_of_a_prediction_have_other_answers() -> None:
    for one in EXERCISES:
        if one.kind == "predict":
            assert one.variants > 1
            told = one.statement
            assert told is not None
            assert len({told(variant) for variant in range(one.variants)}) == one.variants


def test_who_counts_commits_from_0_is_told_where_numbers_begin(begin: Callable[..., Attempt]) -> None:
    assert "sequence numbers begin with 1" in begin("owner-and-last-change").check(owner="0", changed="1").why


def test_the_words_are_of_the_learners_table(begin: Callable[..., Attempt]) -> None:
    """Another table, other words: nothing of a verdict is written down beforehand."""
    attempt = begin("no-carry-over")
    attempt._live().spark.sql(
        f"INSERT INTO {attempt.table} SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'x' FROM range(4, 9)"
    )
    attempt._live().spark.sql(f"UPDATE {attempt.table} SET value = 'y' WHERE id = 5")
    verdict = attempt.check()
    assert "4 rows carried over" in verdict.title
    assert "! row 3 reads c; aim: d" in repr(verdict)
    assert "4 x, 5 y, 6 x" in repr(verdict)
    assert "! your commits: 2; aim: one" in repr(verdict)


def test_the_words_about_a_load_are_of_the_learners_table(begin: Callable[..., Attempt]) -> None:
    attempt = begin("load-once")
    assert attempt.check(attempt.solution).passed
    for _ in range(2):
        attempt._live().spark.sql(f"INSERT INTO {attempt.table} VALUES (22, 2)")
    verdict = attempt.check()
    assert verdict.title == "Not yet: 1 order there more than once"
    assert "! night 2, whose first attempt never arrived: 2 of 3 orders once, 1 there 3 times; aim:" in repr(verdict)
    numbers = query(attempt, "SELECT sequence_number FROM {t}.entries WHERE status < 2 ORDER BY sequence_number")
    assert f"The commits {numbers[1][0]}, {numbers[-2][0]} and {numbers[-1][0]} have each added" in verdict.why
    attempt._live().spark.sql(f"DELETE FROM {attempt.table} WHERE night = 2")
    assert "of night 2 no attempt has written all" in attempt.check().why.lower()


def test_a_table_that_is_gone_or_lost_its_mark_says_so_and_starts_again(begin: Callable[..., Attempt]) -> None:
    attempt = begin("no-carry-over")
    attempt._live().spark.sql(f"ALTER TABLE {attempt.table} DROP TAG start")
    with pytest.raises(ExplorerError, match="Start again"):
        attempt.check()
    attempt._live().spark.sql(f"DROP TABLE {attempt.table}")
    assert "nothing was committed" in attempt.check().title, "it was built anew"
    assert "Spark refused statement 2 of 2: [PARSE_SYNTAX_ERROR]" in refusal(attempt, "SELECT ';' -- ; \n; SELEKT 1;")


def refusal(attempt: Attempt, sql: str) -> str:
    verdict: Verdict = attempt.check(sql)
    assert not verdict.passed
    return verdict.title


def test_a_field_that_is_not_there_and_a_number_that_is_none_are_refused(begin: Callable[..., Attempt]) -> None:
    attempt = Attempt(named("what-an-update-rewrites"))
    with pytest.raises(ExplorerError, match=r"check\(files=…, rows=…\)"):
        attempt.check(3)
    with pytest.raises(ExplorerError, match="no field owner"):
        attempt.check(owner=3)
    with pytest.raises(ExplorerError, match="no-carry-over"):
        named("nonsense")
    attempt = begin("files-of-an-insert")
    assert "“many” is no whole number" in attempt.check("many").title
    assert "“9” is none of null" in begin("stored-numbers").check(added="9", read="4", removed="1").title


def test_progress_is_kept_and_a_broken_file_is_none() -> None:
    progress.record("no-carry-over")
    first = progress.passed()["no-carry-over"]
    progress.record("no-carry-over")
    progress.record("lost-race")
    assert progress.passed()["no-carry-over"] == first
    assert list(json.loads(progress.progress_file().read_text())) == ["no-carry-over", "lost-race"]
    progress.progress_file().write_text("[1]")
    assert progress.passed() == {}


def test_hints_come_one_by_one_and_the_solution_last() -> None:
    attempt = Attempt(named("no-carry-over"))
    told = [attempt.hint() for _ in range(5)]
    assert len(set(told)) == 4
    assert told[3] == told[4] == attempt.solution
    assert attempt.table in attempt.solution
