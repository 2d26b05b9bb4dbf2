"""How far a question is: its Spark jobs, and how long nothing was heard of them."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from .jobs import Counts, jobs_of
from .logging import silenced_errors
from .storage_tries import failed_tries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

    from .jobs import Jobs

INTERVAL = 0.25
"""Seconds between two reports of progress, and between two attempts to stop a job."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """How far a question is.

    Attributes:
        label: the question, in words.
        stages_done: Spark stages that ended; None, like the three counts below, while nothing is known.
        stages_total: stages known so far. It grows: Spark plans a job when the one before has ended.
        tasks_done: tasks that ended.
        tasks_total: tasks known so far.
        seconds: since the question was put to Spark; while it waits for its turn, since it was asked.
        silent: seconds since anything was heard of what is answered now: since it began, or a stage or task of it
            ended or was planned.
        failed_tries: requests to the storage that failed in that time and were tried again, of the whole session;
            None where they are not counted.
        behind: label of the question that is answered before it, which may be one that was cancelled and does not end;
            empty once its turn has come.
    """

    label: str
    stages_done: int | None
    stages_total: int | None
    tasks_done: int | None
    tasks_total: int | None
    seconds: float
    silent: float
    failed_tries: int | None
    behind: str = ""

    def of_one_behind(self, label: str, seconds: float) -> Progress:
        """The progress of a question that has waited so many seconds for this one to end."""
        return Progress(label, None, None, None, None, seconds, self.silent, self.failed_tries, behind=self.label)


class SparkWork:
    """What Spark does for one question, which is answered on some thread and looked at from others.

    Args:
        spark: gives the session whose jobs the question starts.
        label: the question, in words.
    """

    def __init__(self, spark: Callable[[], SparkSession], label: str) -> None:
        self.label = label
        self._spark, self._mark = spark, f"iceberg-explorer-{uuid4()}"
        self._began = self._heard = time.monotonic()
        self._counts, self._tries_before = Counts(), 0
        self._lock = threading.Lock()

    @cached_property
    def _session(self) -> SparkSession:
        return self._spark()  # once it is its turn: the session may be lost by then

    @cached_property
    def _jobs(self) -> Jobs:
        return jobs_of(self._session)

    @contextmanager
    def marked(self) -> Iterator[None]:
        """Within the block the question is answered, on this thread."""
        self._began = self._heard = time.monotonic()
        with silenced_errors(), self._jobs.marked(self._mark, self.label):
            self._tries_before = failed_tries(self._session) or 0
            yield

    def progress(self) -> Progress:
        """How far it is now; raises what Spark does."""
        counts, tries = self._jobs.counts(self._mark), failed_tries(self._session)
        with self._lock:  # it is asked for by each question that waits for this one
            now = time.monotonic()
            if counts != self._counts:
                self._counts, self._heard, self._tries_before = counts, now, tries or 0
            return Progress(
                self.label,
                **asdict(counts),
                seconds=now - self._began,
                silent=now - self._heard,
                failed_tries=None if tries is None else tries - self._tries_before,
            )

    def stop_jobs(self) -> None:
        """Stop the jobs of it that run now; it may start others."""
        self._jobs.stop(self._mark)


@contextmanager
def reported(label: str, report: Callable[[], None]) -> Iterator[None]:
    """Within the block `report()` is called four times a second on another thread, and at its end; never fails."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(INTERVAL):
            attempt(label, report)

    watcher = threading.Thread(target=watch, name="iceberg-explorer-progress", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        attempt(label, report)


def attempt(label: str, report: Callable[[], None]) -> None:
    """Report the progress of a question; what goes wrong is logged."""
    try:
        report()
    except Exception:
        _log.exception("Reporting the progress of %r failed", label)
