from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from explorer.engine import Progress, Worker
from explorer.errors import Cancelled, ExplorerError
from explorer.queries.rows.reading import refusing
from tests.gate import Gate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def worker(spark: SparkSession) -> Iterator[Worker]:
    worker = Worker(spark)
    yield worker
    worker.close()


def endless(spark: SparkSession) -> int:
    """A job of 100 tasks that sleep a minute each."""
    spark.range(0, 100, 1, 100).rdd.foreach(lambda _: time.sleep(60))
    return 0


def wait_until(condition) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def active_jobs(spark: SparkSession) -> list[int]:
    return spark.sparkContext.statusTracker().getActiveJobsIds()


def test_questions_are_answered_in_turn_on_one_thread(worker: Worker, spark: SparkSession) -> None:
    threads = []

    def question(number: int) -> int:
        threads.append((number, threading.current_thread()))
        return spark.range(number).count()

    tasks = [worker.ask(lambda n=n: question(n), label=f"{n}") for n in range(5)]
    assert [task.result(120) for task in tasks] == [0, 1, 2, 3, 4]
    assert [number for number, _ in threads] == [0, 1, 2, 3, 4]
    assert {thread for _, thread in threads} != {threading.current_thread()}
    assert len({thread for _, thread in threads}) == 1


def test_an_error_is_raised_unchanged_and_ends_nothing(worker: Worker) -> None:
    error = LookupError("nothing there")

    def question() -> None:
        raise error

    task = worker.ask(question, label="fails")
    with pytest.raises(LookupError) as raised:
        task.result(120)
    assert raised.value is error
    assert (task.done, task.cancelled) == (True, False)
    assert worker.ask(lambda: 5, label="works").result(120) == 5


def test_cancel_answers_at_once_and_stops_the_job(worker: Worker, spark: SparkSession) -> None:
    wait_until(lambda: not active_jobs(spark))  # what a test before cancelled is stopped by and by
    running = worker.ask(lambda: endless(spark), label="all rows")
    never = []
    queued = worker.ask(lambda: never.append(1), label="later")
    wait_until(lambda: active_jobs(spark))

    began = time.monotonic()
    assert queued.cancel()
    assert running.cancel()
    with pytest.raises(Cancelled, match="“all rows” was cancelled"):
        running.result()
    with pytest.raises(Cancelled, match="“later” was cancelled"):
        queued.result()
    assert time.monotonic() - began < 30, "a task of the job takes a minute"
    assert running.cancelled
    assert running.done

    wait_until(lambda: not active_jobs(spark))
    assert worker.ask(lambda: spark.range(3).count(), label="next").result(120) == 3
    assert never == []
    assert not running.cancel()


def test_a_question_of_many_jobs_starts_no_more_of_them(worker: Worker, spark: SparkSession) -> None:
    """Spark stops only jobs that run, and this question goes on after each."""
    ended = threading.Event()

    def stubborn() -> None:
        for _ in range(3):
            try:
                endless(spark)
            except Exception:  # what Spark says when it stops a job
                continue
        ended.set()

    task = worker.ask(stubborn, label="stubborn")
    wait_until(lambda: active_jobs(spark))
    task.cancel()
    assert ended.wait(120)


def test_a_question_that_reads_around_what_fails_asks_nothing_more_once_it_is_cancelled(
    worker: Worker, spark: SparkSession
) -> None:
    asked, ended = [], threading.Event()

    def around() -> None:
        for number in range(1_000):
            with suppress(ExplorerError), refusing("It cannot be read."):
                asked.append(number)
                endless(spark)
        ended.set()

    task = worker.ask(around, label="around")
    wait_until(lambda: active_jobs(spark))
    task.cancel()
    assert ended.wait(120)
    assert asked == [0]
    assert worker.ask(lambda: spark.range(3).count(), label="next").result(120) == 3


def test_only_the_cancelled_question_is_stopped(worker: Worker, spark: SparkSession, gate: Gate) -> None:
    """A person's own job goes on."""
    wait_until(lambda: not active_jobs(spark))
    with ThreadPoolExecutor(1) as person:
        theirs = person.submit(spark.range(0, 2, 1, 2).mapInArrow(gate.batches(0), "id long").count)
        wait_until(lambda: active_jobs(spark))
        task = worker.ask(lambda: endless(spark), label="mine")
        wait_until(lambda: len(active_jobs(spark)) == 2)
        task.cancel()
        wait_until(lambda: len(active_jobs(spark)) == 1)
        gate.open()
        assert theirs.result(120) == 2


def test_progress_counts_stages_and_tasks(worker: Worker, spark: SparkSession, gate: Gate) -> None:
    reports: list[Progress] = []

    def question() -> int:
        return spark.range(0, 8, 1, 8).mapInArrow(gate.batches(7), "id long").repartition(3).count()

    def progressed(progress: Progress) -> None:
        reports.append(progress)
        if progress.tasks_done:
            gate.open()

    began = time.monotonic()
    assert worker.ask(question, label="count", on_progress=progressed).result(120) == 8
    taken = time.monotonic() - began

    last = reports[-1]
    # 8 tasks write the shuffle, 3 read it; the count of those adds one.
    assert (last.stages_done, last.stages_total, last.tasks_done, last.tasks_total) == (3, 3, 12, 12)
    assert last.label == "count"
    middle = [p for p in reports if p.tasks_done not in (None, p.tasks_total)]
    assert middle, "never seen under way"
    assert all(p.tasks_done <= p.tasks_total for p in middle if p.tasks_done is not None and p.tasks_total)
    seconds = [p.seconds for p in reports]
    assert seconds == sorted(seconds)
    assert len(reports) <= 4 * taken + 3, "four times a second, when its turn comes and at its end"


def test_nothing_is_known_of_a_question_without_jobs(worker: Worker) -> None:
    reports: list[Progress] = []
    worker.ask(lambda: wait_until(lambda: reports), label="think", on_progress=reports.append).result(120)
    assert len(reports) >= 2, "while it is answered, and at its end"
    assert {(p.stages_done, p.stages_total, p.tasks_done, p.tasks_total) for p in reports} == {(None,) * 4}


def test_seconds_without_news_begin_anew_when_a_task_ends(worker: Worker, spark: SparkSession, gate: Gate) -> None:
    reports: list[Progress] = []

    def question() -> int:
        return spark.range(0, 4, 1, 4).mapInArrow(gate.batches(3), "id long").count()

    def progressed(progress: Progress) -> None:
        reports.append(progress)
        if progress.silent > 1 and progress.tasks_done:
            gate.open()

    assert worker.ask(question, label="count", on_progress=progressed).result(120) == 4
    silent = [p.silent for p in reports]
    assert max(silent) > 1
    assert any(later < earlier for earlier, later in pairwise(silent)), "something was heard"
    assert all(p.silent <= p.seconds for p in reports)
    assert {p.failed_tries for p in reports} == {0}


def test_a_question_that_waits_tells_for_which_and_how_long_that_one_is_silent(worker: Worker) -> None:
    reports: list[Progress] = []
    began, release = threading.Event(), threading.Event()

    def look() -> None:
        began.set()
        release.wait(120)

    worker.ask(look, label="Looking for changes")
    assert began.wait(120)
    waiting = worker.ask(lambda: 1, label="Reading", on_progress=reports.append)
    wait_until(lambda: len(reports) > 3)
    assert {(p.label, p.behind) for p in reports} == {("Reading", "Looking for changes")}
    assert all(p.silent >= p.seconds > 0 for p in reports), "that one began before"
    released = time.monotonic()
    release.set()
    waiting.result(120)
    assert reports[-1].behind == ""
    assert reports[-1].seconds <= time.monotonic() - released, "since its turn came"


def test_a_question_behind_one_that_was_cancelled_and_hangs_tells_so_and_can_be_cancelled(worker: Worker) -> None:
    reports: list[Progress] = []
    release = threading.Event()
    hanging = worker.ask(lambda: release.wait(120), label="hangs")
    wait_until(lambda: hanging._started.is_set())
    hanging.cancel()
    waiting = worker.ask(lambda: 1, label="Reading", on_progress=reports.append)
    wait_until(lambda: reports)
    assert reports[-1].behind == "hangs"
    waiting.cancel()
    before = len(reports)
    time.sleep(0.8)
    assert len(reports) <= before + 1  # one may have been on its way
    release.set()
    assert worker.ask(lambda: 2, label="next").result(120) == 2


def test_no_progress_is_reported_after_a_cancellation(worker: Worker, spark: SparkSession) -> None:
    reports: list[Progress] = []
    task = worker.ask(lambda: endless(spark), label="long", on_progress=reports.append)
    wait_until(lambda: reports)
    task.cancel()
    before = len(reports)
    worker.ask(lambda: None, label="after").result(120)
    assert len(reports) <= before + 1  # one may have been on its way


def test_progress_that_fails_is_no_failure_of_the_question(worker: Worker, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: Progress) -> None:
        raise ZeroDivisionError

    assert worker.ask(lambda: 7, label="seven", on_progress=broken).result(120) == 7
    assert "'seven' failed" in caplog.text


def test_callbacks_hear_of_answers_and_of_cancellations(worker: Worker, spark: SparkSession) -> None:
    heard = []
    done = worker.ask(lambda: 1, label="done")
    done.result(120)
    done.add_done_callback(heard.append)
    assert heard == [done]
    task = worker.ask(lambda: endless(spark), label="long")
    task.add_done_callback(heard.append)
    task.cancel()
    assert heard == [done, task]
    assert heard[1].cancelled


def test_a_question_may_ask_another(worker: Worker) -> None:
    assert worker.ask(lambda: worker.ask(lambda: 2, label="inner").result() + 1, label="outer").result(120) == 3


def test_a_closed_worker_answers_nothing_more(spark: SparkSession) -> None:
    before = set(threading.enumerate())
    worker = Worker(spark)
    running = worker.ask(lambda: endless(spark), label="running")
    queued = worker.ask(lambda: 1, label="queued")
    wait_until(lambda: active_jobs(spark))
    worker.close()
    assert running.cancelled
    assert queued.cancelled
    assert worker.ask(lambda: 1, label="late").cancelled
    wait_until(lambda: not active_jobs(spark))
    wait_until(lambda: "iceberg-explorer-worker" not in {thread.name for thread in {*threading.enumerate()} - before})


def test_on_the_same_thread_the_answer_is_there_at_once(spark: SparkSession) -> None:
    worker = Worker(spark, same_thread=True)
    context = spark.sparkContext
    context.setJobGroup("the person's", "their own")
    try:
        threads = []
        task = worker.ask(lambda: threads.append(threading.current_thread()), label="here")
        assert task.done
        assert threads == [threading.current_thread()]
        assert context.getLocalProperty("spark.jobGroup.id") == "the person's"
        assert context.getLocalProperty("spark.job.description") == "their own"
    finally:
        for key in ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel"):
            context.setLocalProperty(key, None)
    worker.close()
    assert worker.ask(lambda: 1, label="late").cancelled
