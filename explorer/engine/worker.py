"""One thread that puts an explorer's questions to Spark, one after the other."""

from __future__ import annotations

import logging
import queue
import threading
import time
from concurrent.futures import Future, InvalidStateError
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..errors import Cancelled
from .given_up import giving_up
from .progress import INTERVAL, SparkWork, attempt, reported

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from pyspark.sql import SparkSession

    from .progress import Progress

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Task(Generic[T]):
    """A question that was asked, and its answer once there is one. All of it may be used from any thread."""

    def __init__(
        self,
        question: Callable[[], T],
        label: str,
        on_progress: Callable[[Progress], None] | None,
        spark: Callable[[], SparkSession],
        before: Callable[[], Task[Any] | None] = lambda: None,
    ) -> None:
        self.label = label
        self._question, self._on_progress = question, on_progress
        self._work, self._before, self._asked_at = SparkWork(spark, label), before, time.monotonic()
        self._answer: Future[T] = Future()
        self._is_being_answered = False
        self._started, self._ended = threading.Event(), threading.Event()

    def result(self, timeout: float | None = None) -> T:
        """The answer, waiting for it up to `timeout` seconds (None: as long as it takes).

        Interrupting the wait (the stop button of a notebook) cancels the question.

        Raises:
            Cancelled: the question was cancelled.
            TimeoutError: there is no answer yet.
            Exception: what the question raised, unchanged.
        """
        try:
            return self._answer.result(timeout)
        except KeyboardInterrupt:
            self.cancel()
            raise

    @property
    def done(self) -> bool:
        """Whether there is an answer, an error, or a cancellation."""
        return self._answer.done()

    @property
    def cancelled(self) -> bool:
        """Whether the question was cancelled before it was answered."""
        return self.done and isinstance(self._answer.exception(), Cancelled)

    @property
    def failed(self) -> bool:
        """Whether the question ended without an answer."""
        return self.done and self._answer.exception() is not None

    def add_done_callback(self, callback: Callable[[Task[T]], object]) -> None:
        """Call `callback(task)` when the task is done, at once if it is; on the thread that brought that about."""
        self._answer.add_done_callback(lambda _: callback(self))

    def cancel(self) -> bool:
        """Give the question up, at once, and stop its Spark jobs behind the scenes.

        Returns:
            False if it was done already; its answer stays.
        """
        cancelled = self._settle(self._answer.set_exception, _cancelled(self.label))
        if cancelled and self._started.is_set():
            threading.Thread(target=self._stop_jobs, name="iceberg-explorer-cancel", daemon=True).start()
        return cancelled

    def _stop_jobs(self) -> None:
        # A question may start the next job after one was stopped, and Spark stops only jobs that run.
        while not self._ended.is_set():
            try:
                self._work.stop_jobs()
            except Exception:
                _log.exception("Stopping %r failed", self.label)
            self._ended.wait(INTERVAL)

    def _run(self) -> None:
        self._started.set()
        try:
            if not self.done:
                with self._work.marked(), self._watched(), giving_up(self._refuse_if_cancelled):
                    answer = self._answered()
                self._settle(self._answer.set_result, answer)
        except BaseException as error:
            self._settle(self._answer.set_exception, error)
        finally:
            self._ended.set()

    def _refuse_if_cancelled(self) -> None:
        if self.cancelled:
            raise _cancelled(self.label)

    def _answered(self) -> T:
        self._is_being_answered = True
        try:
            return self._question()
        finally:
            self._is_being_answered = False  # what a callback asks is a question of its own

    def _run_inside_another(self) -> None:
        """Answer a question that another one asks, as a part of that one."""
        try:
            self._settle(self._answer.set_result, self._question())
        except BaseException as error:
            self._settle(self._answer.set_exception, error)

    def _watched(self) -> AbstractContextManager[None]:
        return reported(self.label, self._report) if self._on_progress else nullcontext()

    def _watch_turn(self) -> None:
        """Report, until its turn has come, what it waits for."""

        def watch() -> None:
            while not self._started.wait(INTERVAL) and not self.done:
                attempt(self.label, self._report)

        if self._on_progress:
            threading.Thread(target=watch, name="iceberg-explorer-turn", daemon=True).start()

    def _report(self) -> None:
        answered = self if self._started.is_set() else self._before()
        if answered is None:
            return
        waited = time.monotonic() - self._asked_at  # before Spark is asked how far the other is, which may take long
        progress = answered._work.progress()
        if answered is not self:
            progress = progress.of_one_behind(self.label, waited)
        if self._on_progress and not self.done:  # a late report must not follow a cancellation
            self._on_progress(progress)

    @staticmethod
    def _settle(settle: Callable[[Any], None], outcome: object) -> bool:
        with suppress(InvalidStateError):  # whoever comes first decides
            settle(outcome)
            return True
        return False


class Worker:
    """The one thread on which an explorer's questions to Spark are answered, in the order they were asked.

    Args:
        spark: the session whose jobs the questions start, or what gives it where another one may take its place.
        same_thread: answer each question at once, on the thread that asks it.
    """

    def __init__(self, spark: SparkSession | Callable[[], SparkSession], *, same_thread: bool = False) -> None:
        self._spark: Callable[[], SparkSession] = spark if callable(spark) else lambda: spark
        self._same_thread = same_thread
        self._asked: queue.SimpleQueue[Task[Any] | None] = queue.SimpleQueue()
        self._running: Task[Any] | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(
        self,
        question: Callable[[], T],
        *,
        label: str,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Task[T]:
        """Ask a question: a function that uses Spark and returns the answer.

        Args:
            question: called on the worker's thread. One that is asked by another question is a part of that one.
            label: the question in a few words, for the person and for Spark's own job list.
            on_progress: called on another thread about four times a second while it waits for its turn and while
                Spark works, and once when the question ended; never after it was cancelled. What it raises is logged.

        Returns:
            The task. After `close` it is cancelled already.
        """
        task = Task(question, label, on_progress, self._spark, lambda: self._running)
        if threading.current_thread() is self._thread and self._running and self._running._is_being_answered:
            task._run_inside_another()
            return task
        with self._lock:
            if self._closed:
                task.cancel()
            elif not self._same_thread:
                self._asked.put(task)
                task._watch_turn()
                if self._thread is None:
                    self._start()
        if self._same_thread:
            task._run()
        return task

    def close(self) -> None:
        """Cancel what was asked, and end the thread. A closed worker answers nothing more."""
        waiting = []
        with self._lock:
            self._closed = True
            with suppress(queue.Empty):
                while task := self._asked.get_nowait():
                    waiting.append(task)
            self._asked.put(None)
        for task in waiting:  # without the lock: whoever hears of it may ask again
            task.cancel()
        if running := self._running:
            running.cancel()

    def _start(self) -> None:
        # A daemon: a question that hangs must not keep the kernel from ending.
        self._thread = threading.Thread(target=self._work, name="iceberg-explorer-worker", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while task := self._asked.get():
            self._running = task
            if self._closed:
                task.cancel()
            task._run()
            self._running = None


def _cancelled(label: str) -> Cancelled:
    return Cancelled(f"“{label}” was cancelled before it was answered.", next_step="Ask again to have the answer.")
