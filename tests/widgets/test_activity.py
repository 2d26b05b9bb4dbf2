from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.engine import Progress, Task, Worker
from explorer.errors import TableNotFound
from explorer.model import silence
from explorer.model.silence import Remote
from explorer.widgets import guard
from explorer.widgets.activity import Activity
from explorer.widgets.error_strip import ErrorStrip
from explorer.widgets.guard import guarded
from tests.gate import Gate


def eventually(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        with guard._one_at_a_time:  # not in the middle of an answer
            if condition():
                return
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.02)


@pytest.fixture
def errors() -> ErrorStrip:
    return ErrorStrip()


def shown(errors: ErrorStrip) -> str:
    return "" if errors.layout.display == "none" else errors.children[0].value


def test_a_callback_that_fails_says_so_in_words(errors: ErrorStrip) -> None:
    def fail(_: object) -> None:
        raise TableNotFound("No table <b>x</b>.", next_step="Did you mean y?")

    guarded(errors, fail)(None)
    assert "No table &lt;b&gt;x&lt;/b&gt;." in shown(errors)
    assert "Did you mean y?" in shown(errors)


def test_an_unexpected_error_keeps_its_trace_folded(errors: ErrorStrip) -> None:
    guarded(errors, lambda: 1 / 0)()
    assert "did not expect (ZeroDivisionError)" in shown(errors)
    assert "<details><summary>Details" in shown(errors)


def test_a_late_answer_never_overwrites_a_newer_one(spark: SparkSession, errors: ErrorStrip) -> None:
    activity = Activity(Worker(spark), errors)
    answers: list[str] = []
    release = threading.Event()

    def slow() -> str:
        release.wait(120)
        return "old"

    activity.ask("topic", slow, answers.append, label="old question")
    activity.ask("topic", lambda: "new", answers.append, label="new question")
    release.set()
    eventually(lambda: answers == ["new"])
    assert shown(errors) == "", "a superseded question is no error"
    activity.close()


@pytest.mark.parametrize("cancelled_by", ["a newer question", "the button"])
def test_a_cancellation_waits_for_no_callback_that_asks(errors: ErrorStrip, cancelled_by: str) -> None:
    in_callback, cancelling = threading.Event(), threading.Event()

    class Waiting(Task[str]):
        def cancel(self) -> bool:
            cancelling.set()
            return super().cancel()

    class NeverItsTurn:
        def ask(self, question: Callable[[], str], *, label: str, on_progress: object) -> Waiting:
            return Waiting(question, label, None, lambda: pytest.fail("no question is answered here"))

    activity = Activity(NeverItsTurn(), errors)  # type: ignore[arg-type]  # all that it asks of a worker

    def ask(topic: str) -> None:
        activity.ask(topic, str, lambda _: None, label=topic)

    def callback() -> None:
        in_callback.set()
        cancelling.wait(120)
        ask("another topic")

    ask("topic")
    cancel = activity.cancel if cancelled_by == "the button" else lambda: ask("topic")
    threads = [threading.Thread(target=guarded(errors, callback), daemon=True)]
    threads[0].start()
    in_callback.wait(60)
    threads.append(threading.Thread(target=cancel, daemon=True))
    threads[1].start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"


def test_progress_may_come_before_the_question_is_known_as_a_task(errors: ErrorStrip) -> None:
    class AnsweredAtOnce:
        def ask(self, question: Callable[[], str], *, label: str, on_progress: Callable[[Progress], None]) -> Task[str]:
            on_progress(Progress(label, None, None, None, None, 1.0, 0.0, None))
            task = Task(question, label, None, lambda: pytest.fail("Spark is not needed"))
            task._run_inside_another()
            return task

    answers: list[str] = []
    Activity(AnsweredAtOnce(), errors).ask("topic", lambda: "yes", answers.append, label="Is it?")  # type: ignore[arg-type]
    assert answers == ["yes"]


def test_cancel_says_so_and_try_again_asks_again(spark: SparkSession, errors: ErrorStrip) -> None:
    activity = Activity(Worker(spark), errors)
    answers: list[int] = []
    hold = threading.Event()

    def question() -> int:
        hold.wait(120)
        return 7

    activity.ask("topic", question, answers.append, label="Reading the moon")
    activity.cancel()
    eventually(lambda: "Reading the moon” was cancelled" in shown(errors))
    hold.set()
    errors.children[1].click()
    eventually(lambda: answers == [7])
    assert shown(errors) == ""
    activity.close()


def test_what_gave_way_to_a_question_is_asked_again_after_it(spark: SparkSession, errors: ErrorStrip) -> None:
    activity = Activity(Worker(spark), errors)
    asked, answers, hold = list[str](), list[str](), threading.Event()

    def rows() -> str:
        asked.append("rows")
        hold.wait(120)
        return "rows"

    def nothing_found() -> str:
        raise TableNotFound("No such commit.")

    activity.ask("rows", rows, answers.append, label="rows", by_itself=True)
    eventually(lambda: asked == ["rows"])
    activity.ask("search", nothing_found, answers.append, label="search")
    hold.set()
    eventually(lambda: answers == ["rows"])
    assert asked == ["rows", "rows"]
    assert "No such commit" in shown(errors), "of the search alone"
    activity.close()


@pytest.mark.parametrize("how", ["a newer question of its topic", "its topic is dropped", "another tab", "Cancel"])
def test_what_is_wanted_no_more_is_not_asked_again(spark: SparkSession, errors: ErrorStrip, how: str) -> None:
    activity = Activity(Worker(spark), errors)
    answers, hold = list[str](), threading.Event()

    def first() -> str:
        hold.wait(120)
        return "old rows"

    activity.ask("rows", first, answers.append, label="rows", by_itself=True)
    activity.ask("search", lambda: str(hold.wait(120)), answers.append, label="search")
    expected = ["True"]
    if how == "a newer question of its topic":
        activity.ask("rows", lambda: "new rows", answers.append, label="rows")
        expected = ["True", "new rows"]
    elif how == "its topic is dropped":
        activity.drop("rows")
    elif how == "another tab":
        activity.stop_reading_by_itself()
    else:
        activity.cancel()
        expected = []
    hold.set()
    activity.ask("last", lambda: "last", answers.append, label="last")
    eventually(lambda: answers == [*expected, "last"])
    time.sleep(0.3)
    assert answers == [*expected, "last"]
    activity.close()


def test_progress_is_shown_while_spark_works_and_gone_after(
    spark: SparkSession, errors: ErrorStrip, gate: Gate
) -> None:
    activity = Activity(Worker(spark), errors)
    seen: list[str] = []
    activity.children[0].observe(lambda change: seen.append(change["new"]), "value")

    def question() -> int:
        return len(spark.range(0, 8, numPartitions=8).mapInArrow(gate.batches(7), "id long").collect())

    answers: list[int] = []
    activity.ask("topic", question, answers.append, label="Sleeping")
    eventually(lambda: any("of 8 tasks" in text for text in seen))
    assert "iceberg-reading" in activity._dom_classes, "which keeps the line in sight"
    gate.open()
    eventually(lambda: answers == [8])
    assert activity.children[2].layout.display == "none"
    assert "iceberg-reading" not in activity._dom_classes
    activity.close()


def test_progress_goes_on_while_another_question_waits(spark: SparkSession, errors: ErrorStrip) -> None:
    activity = Activity(Worker(spark), errors)
    text, reads, answers = activity.children[0], threading.Event(), list[str]()
    activity.ask("first", lambda: str(reads.wait(120)), answers.append, label="Reading the first")
    eventually(lambda: "Reading the first" in text.value)
    activity.ask("second", lambda: "two", answers.append, label="Reading the second")
    before = text.value
    eventually(lambda: text.value != before and "Reading the first" in text.value)
    reads.set()
    eventually(lambda: answers == ["True", "two"] and not text.value)
    activity.close()


FAR = Remote(files="127.0.0.1:9000")


def test_storage_that_is_silent_is_said_until_it_answers(
    spark: SparkSession, errors: ErrorStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "PATIENCE", 1.0)
    activity = Activity(Worker(spark), errors, lambda: FAR)
    text, release, answers = activity.children[0], threading.Event(), list[bool]()
    activity.ask("topic", lambda: release.wait(120), answers.append, label="Reading the <moon>")
    eventually(lambda: "nothing has come for" in text.value)
    assert text.value.startswith("Reading the &lt;moon&gt;, ")
    assert "the files lie at 127.0.0.1:9000; no try failed so far" in text.value
    assert activity.children[2].layout.display == "", "it can be cancelled"
    assert "iceberg-silent" in activity._dom_classes, "in as many lines as it takes"
    before = text.value
    eventually(lambda: text.value != before and "nothing has come for" in text.value)
    release.set()
    eventually(lambda: answers == [True] and not text.value)
    assert "iceberg-silent" not in activity._dom_classes
    activity.close()


def test_of_a_table_of_this_machine_silence_is_not_said(
    spark: SparkSession, errors: ErrorStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "PATIENCE", 0.5)
    activity = Activity(Worker(spark), errors)
    seen: list[str] = []
    activity.children[0].observe(lambda change: seen.append(change["new"]), "value")
    answers: list[None] = []
    release = threading.Event()
    activity.ask("topic", lambda: release.wait(120) and None, answers.append, label="Thinking")
    eventually(lambda: any("Thinking" in text for text in seen))
    time.sleep(1.5)
    release.set()
    eventually(lambda: answers == [None])
    assert not any("nothing has come" in text for text in seen)
    activity.close()


def test_a_person_who_asks_while_a_look_hangs_sees_what_it_waits_for_and_can_cancel(
    spark: SparkSession, errors: ErrorStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "PATIENCE", 1.0)
    activity = Activity(Worker(spark), errors, lambda: FAR)
    text, release, answers, looks = activity.children[0], threading.Event(), list[str](), list[bool]()
    activity.look(lambda: release.wait(120), looks.append, label="Looking for new commits of lake.t")
    time.sleep(0.6)
    assert text.value == "", "nobody asked"
    activity.ask("topic", lambda: "one", answers.append, label="Reading the commit")
    eventually(lambda: "Reading the commit waits for “Looking for new commits of lake.t” to end" in text.value)
    eventually(lambda: "nothing has come for" in text.value and "127.0.0.1:9000" in text.value)
    activity.children[2].click()
    eventually(lambda: "Reading the commit” was cancelled" in shown(errors))
    assert text.value == ""
    errors.children[1].click()
    eventually(lambda: "Reading the commit waits for" in text.value)
    release.set()
    eventually(lambda: answers == ["one"] and looks == [True] and not text.value)
    activity.close()


def test_what_is_read_for_a_tab_that_was_left_gives_way_to_the_next_question_alone(
    spark: SparkSession, errors: ErrorStrip
) -> None:
    activity, answers, release = Activity(Worker(spark), errors), list[str](), threading.Event()

    def slow() -> str:
        release.wait(120)
        return "slow"

    left = activity.ask("deletes", slow, answers.append, label="Reading deletes")
    activity.leave("deletes")
    assert activity.take_back("deletes"), "nothing else was asked: it is read on"
    activity.ask("rows", lambda: "own", answers.append, label="What nobody asked for", by_itself=True)
    assert not left.done
    activity.leave("deletes")
    activity.ask("files", lambda: "files", answers.append, label="Reading files")
    assert left.cancelled
    assert not activity.take_back("deletes")
    release.set()
    eventually(lambda: "files" in answers)
    assert "slow" not in answers
    assert shown(errors) == ""
    activity.close()
