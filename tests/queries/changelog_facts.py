"""A changelog as the face of the house puts it together, with the query behind it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from explorer.model.changelog.facts import Changelog, Mode
from explorer.queries.changelog.rows import ChangelogQuery
from explorer.table.readers.changelogs import Changelogs
from explorer.table.readers.commits import Commits
from tests.queries.sources import source_of


class OpenedChangelog:
    """A table as it is now, whose changelog is asked for."""

    def __init__(self, spark: SparkSession, name: str) -> None:
        self.spark, self.name = spark, name
        self.source = source_of(spark, name)
        self.metadata = self.source.metadata

    @cached_property
    def _changelogs(self) -> Changelogs:
        return Changelogs(Commits(self.source))

    def query(
        self,
        mode: Mode = "changes",
        start: int | None = None,
        end: int | None = None,
        identifiers: Sequence[str] | None = None,
    ) -> tuple[Changelog, ChangelogQuery]:
        asked = self._changelogs.ask(mode, start, end, identifiers)
        return asked.known, asked._query

    def rows(self, mode: Mode = "changes", *range_: int | None, **how: Any) -> DataFrame:
        return self.query(mode, *range_, **how)[1].rows(self.source)
