"""What a lesson is: one live table with a story, and the statements that write it."""

from __future__ import annotations

import hashlib
import inspect
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import Cancelled
from . import times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from pyspark.sql import DataFrame, Row, SparkSession


@dataclass(frozen=True)
class LiveTable:
    """The table that a lesson writes, as the lesson sees it.

    Args:
        spark: the session that writes; its settings belong to the build alone.
        name: the whole name, catalog first, for example `sandbox.lessons.rollback`.
        stopped: tells that the person gave up; asked before every statement.
        clock: what time it is in the story.
    """

    spark: SparkSession
    name: str
    stopped: Callable[[], bool] = lambda: False
    clock: times.Clock = field(default_factory=times.Clock)

    def at(self, told: datetime, writer: str = "") -> None:
        """What follows happens at this time in the story (UTC), later than all before.

        By `writer` where it does not sign itself, as what Spark's procedures do.
        """
        self.clock.set(told, writer)

    def sql(self, statement: str, **values: object) -> None:
        """Run one command: Spark carries it out when it is analysed, and what it returns is not fetched.

        `{table}` stands for the table's name, `{system}` for the catalog's procedures (`sandbox.system`), any other
        `{word}` for the value given by that name.

        Raises:
            Cancelled: the person stopped the build.
        """
        self.query(statement, **values)

    def rows(self, query: str, **values: object) -> list[Row]:
        """The rows of a query, written as for `sql`."""
        return self.query(query, **values).collect()

    def query(self, statement: str, **values: object) -> DataFrame:
        """The same as Spark's DataFrame, of which nothing was computed yet."""
        if self.stopped():
            raise Cancelled(f"The building of {self.name} was stopped.")
        system = self.name.split(".", 1)[0] + ".system"
        return self.spark.sql(statement.format(table=self.name, system=system, **values))

    def head(self, ref: str = "main") -> int:
        """Id of the snapshot that the branch or tag points to."""
        return int(self.rows("SELECT snapshot_id FROM {table}.refs WHERE name = '{ref}'", ref=ref)[0][0])

    def staged(self, wap_id: str) -> int:
        """Id of the snapshot that was staged under this `spark.wap.id`."""
        rows = self.rows("SELECT snapshot_id FROM {table}.snapshots WHERE summary['wap.id'] = '{wap}'", wap=wap_id)
        return int(rows[0][0])

    @contextmanager
    def setting(self, key: str, value: str) -> Iterator[None]:
        """`SET key = value` for the statements within, then what was there before."""
        before: Any = self.spark.conf.get(key, None)
        self.spark.conf.set(key, value)
        try:
            yield
        finally:
            if before is None:
                self.spark.conf.unset(key)
            else:
                self.spark.conf.set(key, before)


@dataclass(frozen=True)
class Lesson:
    """One table of the sandbox.

    Args:
        name: the table below the catalog, for example `lessons.rollback`.
        title: what it shows, one line.
        story: what was done to it and what to look for, a short paragraph.
        build: writes the table, which does not exist before, with plain Spark SQL.
        working_days: over how many the commits are spread, the last of them today. None: the story sets the clock
            itself, or is about real time and keeps it.
    """

    name: str
    title: str
    story: str
    build: Callable[[LiveTable], None]
    working_days: int | None = None

    @cached_property
    def version(self) -> str:
        """Changes whenever the story's module or its time does, so that a table built by an older one can be told."""
        source = inspect.getsource(sys.modules[self.build.__module__]) + inspect.getsource(times)
        return hashlib.sha256(source.encode()).hexdigest()[:16]
