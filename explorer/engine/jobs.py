"""The Spark jobs of one question: marked while it is asked, counted and stopped from another thread.

Classic Spark marks jobs by a group, which is a property of the JVM thread; Connect marks operations by a tag. What
works on one does nothing on the other: a classic session has no progress handler, and its `interruptTag` reaches
only tags of the calling thread.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from .connect import is_connect
from .recovery import why_ended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Counts:
    """How far the jobs of a question are; None where nothing is known (yet)."""

    stages_done: int | None = None
    stages_total: int | None = None
    tasks_done: int | None = None
    tasks_total: int | None = None


class Jobs(Protocol):
    """The jobs of a session, by the mark of the question they belong to."""

    def marked(self, mark: str, label: str) -> AbstractContextManager[None]:
        """Within the block, jobs that this thread starts carry the mark."""

    def counts(self, mark: str) -> Counts:
        """How far the marked jobs are, asked from any thread."""

    def stop(self, mark: str) -> None:
        """Stop the marked jobs that run now, from any thread."""


def jobs_of(spark: SparkSession) -> Jobs:
    """The jobs of a classic or a Connect session; of a lost one there are none."""
    if why_ended(spark):
        return _NoJobs()
    return _ConnectJobs(spark) if is_connect(spark) else _ClassicJobs(spark)


class _NoJobs:
    """Of a session that was lost: what is asked may be what goes on without it."""

    def marked(self, mark: str, label: str) -> AbstractContextManager[None]:  # noqa: ARG002
        return nullcontext()

    def counts(self, mark: str) -> Counts:  # noqa: ARG002
        return Counts()

    def stop(self, mark: str) -> None:
        """Nothing runs."""


class _ClassicJobs:
    _PROPERTIES = ("spark.jobGroup.id", "spark.job.description", "spark.job.interruptOnCancel")

    def __init__(self, spark: SparkSession) -> None:
        self._spark, self._context = spark, spark.sparkContext

    @contextmanager
    def marked(self, mark: str, label: str) -> Iterator[None]:
        # The thread may be the person's own, with a group of theirs.
        before = {key: self._context.getLocalProperty(key) for key in self._PROPERTIES}
        self._context.setJobGroup(mark, label, interruptOnCancel=True)
        try:
            yield
        finally:
            for key, value in () if why_ended(self._spark) else before.items():
                self._context.setLocalProperty(key, value)  # type: ignore[arg-type]  # None removes it

    def counts(self, mark: str) -> Counts:
        tracker = self._context.statusTracker()
        ended, stages = set(), {}
        for job_id in tracker.getJobIdsForGroup(mark):
            job = tracker.getJobInfo(job_id)
            for stage_id in job.stageIds if job else ():
                stage = tracker.getStageInfo(stage_id)
                if stage:
                    stages[stage_id] = stage
                if job and job.status != "RUNNING":
                    ended.add(stage_id)
        # A stage that its job never needed, because an earlier shuffle served, is no work that is left.
        run = [s for s in stages.values() if s.numCompletedTasks or s.stageId not in ended]
        if not run:
            return Counts()
        return Counts(
            stages_done=sum(stage.numCompletedTasks >= stage.numTasks for stage in run),
            stages_total=len(run),
            tasks_done=sum(min(stage.numCompletedTasks, stage.numTasks) for stage in run),
            tasks_total=sum(stage.numTasks for stage in run),
        )

    def stop(self, mark: str) -> None:
        self._context.cancelJobGroup(mark)


class _ConnectJobs:
    def __init__(self, spark: SparkSession) -> None:
        self._spark = spark
        self._stages: dict[tuple[str, int], Any] = {}

    @contextmanager
    def marked(self, mark: str, label: str) -> Iterator[None]:  # noqa: ARG002
        asking = threading.current_thread()
        self._stages = {}

        def handler(stages: Any, operation_id: str, done: bool, **_: object) -> None:
            # A handler hears of every operation of the session, the person's own cells too.
            if threading.current_thread() is asking:
                # Once the operation is done, what never ran is no work that is left.
                known = {(operation_id, stage.stage_id): stage for stage in stages}
                never_ran = {key for key, stage in known.items() if done and not stage.num_completed_tasks}
                now = self._stages | known
                self._stages = {key: stage for key, stage in now.items() if key not in never_ran}

        self._spark.addTag(mark)
        self._spark.registerProgressHandler(handler)
        try:
            yield
        finally:
            self._spark.removeTag(mark)
            self._spark.removeProgressHandler(handler)

    def counts(self, mark: str) -> Counts:  # noqa: ARG002
        stages = list(self._stages.values())
        if not stages:
            return Counts()
        return Counts(
            stages_done=sum(bool(stage.done) for stage in stages),
            stages_total=len(stages),
            tasks_done=sum(stage.num_completed_tasks for stage in stages),
            tasks_total=sum(stage.num_tasks for stage in stages),
        )

    def stop(self, mark: str) -> None:
        self._spark.interruptTag(mark)
