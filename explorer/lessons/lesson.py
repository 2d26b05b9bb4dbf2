"""What a lesson is: one live table with a story, and the statements that write it."""

from __future__ import annotations

import hashlib
import inspect
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import DataFrame, Row, SparkSession


@dataclass(frozen=True)
class LiveTable:
    """The table that a lesson writes, as the lesson sees it.

    Args:
        spark: the session that writes; its settings belong to the build alone.
        name: the whole name, catalog first, for example `sandbox.lessons.rollback`.
        stopped: tells that the person gave up; asked before every statement.
    """

    spark: SparkSession
    name: str
    stopped: Callable[[], bool] = lambda: False

    def sql(self, statement: str, **values: object) -> None:
        """Run one command: Spark carries it out when it is analysed, and what it returns is not fetched.

        `{table}` stands for the table's name, `{system}` for the catalog's procedures (`sandbox.system`), any other
        `{word}` for the value given by that name.

        Raises:
            Cancelled: the person stopped the build.
        """
        self._run(statement, values)

    def rows(self, query: str, **values: object) -> list[Row]:
        """The rows of a query, written as for `sql`."""
        return self._run(query, values).collect()

    def _run(self, statement: str, values: dict[str, object]) -> DataFrame:
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
    """

    name: str
    title: str
    story: str
    build: Callable[[LiveTable], None]

    @cached_property
    def version(self) -> str:
        """Changes whenever the story's module does, so that a table built by an older one can be told."""
        source = inspect.getsource(sys.modules[self.build.__module__])
        return hashlib.sha256(source.encode()).hexdigest()[:16]
