"""The sheet of an exercise: what it asks, what a check shows, hints one by one, and a new table."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import explorer as face
from explorer.errors import ExplorerError
from explorer.lessons.exercises import EXERCISES
from explorer.widgets import ExerciseSheet
from explorer.widgets.exercise_words import marked
from explorer.widgets.markup import copyable
from tests.widgets.tabs import until


@pytest.fixture(scope="module")
def doing(spark: SparkSession, own_course: None) -> Iterator[ExerciseSheet]:
    sheet = face.exercise("no-carry-over", spark)
    yield sheet
    sheet.close()


@pytest.fixture(scope="module")
def predicting(spark: SparkSession, own_course: None) -> Iterator[ExerciseSheet]:
    sheet = face.exercise("files-of-an-insert", spark)
    yield sheet
    sheet.close()


def settled(sheet: ExerciseSheet) -> None:
    until(lambda: not sheet._check.disabled)


def test_a_wrong_answer_a_hint_the_right_answer_and_again(
    doing: ExerciseSheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(doing)
    assert "Your table now" in doing._left.value
    assert f"of {len(EXERCISES)} exercises passed" in doing._place.value
    table = doing.table
    rested = []
    doing._left.observe(lambda _: rested.append(doing._check.disabled), "value")
    doing._fields["sql"].value = f"UPDATE {table} SET value = 'd' WHERE id = 3"
    doing._check.click()
    settled(doing)
    assert rested == [False], "who reads the answer and presses a key at once is heard"
    assert "<b>Not yet:</b> 2 rows carried over" in doing._left.value
    assert "data:image/svg+xml" in doing._left.value
    assert '<li class="iceberg-fails">! rows carried over: 2; aim: none' in doing._right.value
    assert "iceberg-missed" in doing._dom_classes
    assert "Hint" not in doing._right.value

    for number in (1, 2, 3):
        doing._hint.click()
        assert f"Hint {number} of 3" in doing._right.value
    assert doing._hint.description == "Show a solution"
    doing._hint.click()
    assert "A solution" in doing._right.value
    assert doing._hint.disabled

    doing._fields["sql"].value = doing._attempt.solution
    doing._check.click()
    settled(doing)
    assert "✓ Passed:</b> no row was carried over" in doing._left.value
    assert "iceberg-passed" in doing._dom_classes
    assert "Hint 1" not in doing._right.value, "what was found is told, not how"
    assert "<b>✓</b> Change one row" in doing._place.value

    light = doing._left.value
    doing._state.theme = "dark"
    doing._show()
    assert doing._left.value != light

    built, is_clicked_again = 0, threading.Event()
    build = doing._attempt.again

    def counted() -> object:
        nonlocal built
        built += 1
        is_clicked_again.wait(120)
        return build()

    monkeypatch.setattr(doing._attempt, "again", counted)
    doing._again.click()
    doing._again.click()
    is_clicked_again.set()
    settled(doing)
    assert "Your table now" in doing._left.value
    assert not {"iceberg-passed", "iceberg-missed"} & set(doing._dom_classes)
    assert built == 1, "a second click builds nothing twice"
    assert doing._fields["sql"].value, "what was written stays, to be tried again"


def test_what_spark_refuses_is_shown_as_words_beside_the_table(doing: ExerciseSheet) -> None:
    settled(doing)
    doing._fields["sql"].value = "SELECT <b>"
    doing._check.click()
    settled(doing)
    assert "Spark refused your statement: [PARSE_SYNTAX_ERROR]" in doing._left.value
    assert "Your table now" in doing._left.value
    assert "<b>'" not in doing._left.value
    assert doing._errors.layout.display == "none"


def test_a_prediction_is_asked_for_before_the_statement_runs_and_once(predicting: ExerciseSheet) -> None:
    settled(predicting)
    assert "REPARTITION(2)" in predicting._task.value
    predicting._check.click()
    settled(predicting)
    assert "no answer to “Data files added” yet" in predicting._left.value
    predicting._fields["files"].value = "6"
    predicting._check.click()
    settled(predicting)
    assert "<b>Not as you said:</b> 6 rows made 2 files" in predicting._left.value
    predicting._check.click()
    settled(predicting)
    assert "has run already" in predicting._left.value
    assert "<img" in predicting._left.value, "what it did is still to be seen"
    predicting.again()
    assert "<img" not in predicting._left.value
    assert "REPARTITION(3)" in predicting._task.value
    assert predicting._fields["files"].value == ""
    assert predicting.check(3).passed
    assert "Passed:" in predicting._left.value, "what is checked in code is shown too"
    with pytest.raises(ExplorerError, match="no field rows"):
        predicting.check(rows=3)


def test_what_stands_in_the_fields_when_check_is_pressed_is_judged(predicting: ExerciseSheet) -> None:
    """Whatever was told of them before: the message of a field may come late, or never."""
    predicting.again()
    settled(predicting)
    page = predicting.children[0]
    page._handle_custom_msg({"kind": "submit", "filled": ["7"]}, [])
    settled(predicting)
    assert predicting._fields["files"].value == "7"
    assert "you said 7, it is 1" in predicting._right.value


def test_without_widgets_the_task_is_shown(doing: ExerciseSheet) -> None:
    bundle = doing._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "Change one row, carry nothing over" in bundle["text/html"]
    assert bundle["text/plain"] == repr(doing) == f"<Exercise no-carry-over: .check(…), .again(), on {doing.table}>"


def test_an_exercise_that_is_not_there_is_refused_with_those_that_are(spark: SparkSession) -> None:
    with pytest.raises(ExplorerError, match="no-carry-over"):
        face.exercise("nonsense", spark)


def test_words_of_a_table_stay_words() -> None:
    assert marked("`a` <i> **b**") == "<code>a</code> &lt;i&gt; <b>b</b>"
    assert marked("**`a.b`**") == "<b><code>a.<wbr>b</code></b>"


def test_a_name_may_break_after_a_dot_and_is_copied_whole() -> None:
    assert copyable("a.b").startswith("<code>a.<wbr>b</code>")
    assert 'data-copy="a.b"' in copyable("a.b")
