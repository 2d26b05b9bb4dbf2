"""An exercise that somebody is doing: its table, the hints that were asked for, and the checks."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...engine import SANDBOX_CATALOG, session
from ...errors import TableNotFound
from ..lesson import LiveTable
from ..sandbox import build_sandbox, is_built, lesson_session
from . import progress
from .answer import Answer, Refused
from .learners_table import LearnersTable
from .verdict import Verdict, refused

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .exercise import Exercise


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is to see of a table: rows of a query, by the names of its columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


class Attempt:
    """One person's attempt at an exercise.

    Attributes:
        exercise: what it is.
        table: the name of its table, catalog first.
        variant: the number of the variant that is asked.
        hinted: how many hints were given.
    """

    def __init__(self, exercise: Exercise, spark: SparkSession | None = None) -> None:
        """`spark`: the session that builds and asks; else the one that `explorer.open` would take."""
        self.exercise, self._given = exercise, spark
        self.table = f"{SANDBOX_CATALOG}.{exercise.table}"
        self.variant = self.hinted = 0
        self._own: LiveTable | None = None
        self._has_run = False
        self._predicted: Verdict | None = None
        self._one_at_a_time = threading.RLock()

    @property
    def task(self) -> str:
        """The task, with the table's name in it."""
        return self._filled(self.exercise.task)

    @property
    def statement(self) -> str:
        """What will run, or what is asked about; empty if there is no such thing."""
        told = self.exercise.statement
        return self._filled(told(self.variant)) if told else ""

    def start(self) -> Seen:
        """Build the table if it is not there, or is one whose prediction was made; what to see of it first.

        Raises:
            ExplorerError: as of `build_sandbox`.
        """
        with self._one_at_a_time:
            self._build(anew=False)
            if self.exercise.kind != "do" and not self._read().is_untouched:
                self._build()
            return self.look()

    def again(self) -> Seen:
        """Build the table anew, in the next variant; what to see of it first.

        Raises:
            ExplorerError: as of `build_sandbox`.
        """
        with self._one_at_a_time:
            self.variant = (self.variant + 1) % self.exercise.variants
            self._build()
            return self.look()

    def look(self) -> Seen:
        """What to see of the table; nothing if it is gone."""
        if not is_built(self.exercise.lesson):
            return Seen((), ())
        seen = self._live().query(self.exercise.look)
        return Seen(tuple(seen.columns), tuple(tuple(row) for row in seen.collect()))

    def hint(self) -> str:
        """The next hint; after the last one the solution, if there is one to show, else the last hint again."""
        self.hinted = min(self.hinted + 1, len(self._help))
        return self._filled(self._help[self.hinted - 1])

    @property
    def hints_left(self) -> int:
        """How many were not given yet, the solution among them."""
        return len(self._help) - self.hinted

    @property
    def _help(self) -> list[str]:
        return [*self.exercise.hints, *([self.exercise.solution] if self.exercise.solution else [])]

    @property
    def solution(self) -> str:
        """An answer that is accepted; empty where the table itself has to be asked."""
        return self._filled(self.exercise.solution)

    def _filled(self, words: str) -> str:
        return words.format(table=self.table, short=self.exercise.table)

    def check(self, answer: object = None, **fields: object) -> Verdict:
        """Carry the answer out, read the table, and say what is so.

        Args:
            answer: of an exercise with one field. SQL runs on the table, which is built anew first if an earlier answer
                changed it; without any, the table is read as it is.
            **fields: the answer by the names of the fields, where there are several.

        Raises:
            ExplorerError: no such field; the table cannot be built or read.
        """
        given = Answer.of(self.exercise.fields, answer, fields)
        try:
            with self._one_at_a_time:
                verdict = self._checked(given)
        except Refused as refusal:
            return refused(str(refusal))
        except TableNotFound:
            return refused(f"the table {self.table} is gone", why="Start again: it is built anew.")
        if verdict.passed:
            progress.record(self.exercise.name)
        return verdict

    def _checked(self, answer: Answer) -> Verdict:
        exercise = self.exercise
        self._build(anew=False)
        if exercise.kind == "do":
            if answer and exercise.anew and (self._has_run or not self._read().is_untouched):
                self._build()
            if answer:
                self._has_run = True  # what leaves no commit, a branch or a property, is undone too before the next one
                exercise.run(self._live(), answer, self.variant)
            read = self._read()
            if read.is_untouched:
                return refused("nothing was committed to your table yet", why=self._how)
            return exercise.check(read, answer)
        answer.require(exercise.fields)
        if exercise.kind == "find":
            return exercise.check(self._read(), answer)
        if not self._read().is_untouched:
            again = refused(
                "the statement has run already, and you have seen what it did",
                why="Start again: you get a table on which something else will run.",
            )
            ran = self._predicted or again
            return replace(again, about=ran.about, picture=ran.picture)
        exercise.run(self._live(), Answer({"sql": self.statement}), self.variant)
        self._predicted = verdict = exercise.check(self._read(), answer)
        if verdict.passed:
            return verdict
        why = f"{verdict.why} Start again to predict another one.".strip()
        return replace(verdict, missed="Not as you said", why=why)

    @property
    def _how(self) -> str:
        elsewhere = f", or run it in a cell of your own, on {self.table}" if self.exercise.own_sql else ""
        return f"Write into the field what shall be done{elsewhere}; then check."

    def _build(self, *, anew: bool = True) -> None:
        build_sandbox(self.spark, lessons=[self.exercise.lesson], anew=anew)
        if anew:
            self._own, self._has_run = None, False  # what the learner has set goes with the table
            self._predicted = None

    def _read(self) -> LearnersTable:
        return LearnersTable(self._live(), self.variant)

    def _live(self) -> LiveTable:
        """The table in a session of its own, in which its namespace need not be named."""
        if self._own is None:
            self._own = LiveTable(lesson_session(self.spark), self.table)
            self._own.spark.sql(f"USE {self.table.rpartition('.')[0]}")
        return self._own

    @property
    def spark(self) -> SparkSession:
        """The session that builds and asks."""
        return session(self._given)
