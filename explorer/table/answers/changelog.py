"""The changelog between two snapshots as a picture, some of whose rows can be read at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from ...engine import answering
from ...engine.memory import read_once
from ...figures.changelog import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.changelog import words
from ...model.changelog.facts import Changelog, Mode
from ...model.changelog.price import most_bytes
from ...model.evidence import Note
from ...model.iceberg.commit_range import commit_range
from ...model.iceberg.metadata import TableMetadata
from ...model.iceberg.most_read import MostRead
from .. import notes
from ..picture import Picture
from ..readers.changelogs import AskedChangelog, Page
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


def most_read(metadata: TableMetadata, start: int | None, end: int | None, mode: Mode) -> MostRead:
    """What reading a changelog takes at most, by the summaries of the snapshots; no Spark is asked for it.

    Args:
        metadata: the table's.
        start: as of `Table.changelog`, but ids alone; `end` likewise.
        end: inclusive.
        mode: of the changelog.

    Raises:
        NoSuchRange: `start` is no ancestor of `end`.
    """
    return most_bytes(metadata, commit_range(metadata, start, end), mode)


class ChangelogPicture(Picture[Changelog]):
    """`Table.changelog`; `page` reads some of its rows at a time."""

    name = "changelog"

    def __init__(
        self,
        version: TableVersion,
        start: int | None,
        end: int | None,
        mode: Mode,
        identifier_columns: Sequence[str] | None,
    ) -> None:
        super().__init__(version)
        self._question = mode, start, end, identifier_columns
        with answering(version.spark):
            version.readers.changelogs.check(*self._question)

    @property
    def cost(self) -> str:
        """In words: how many rows there are is not known before."""
        return "The manifests of the commits, and the data files that they touched."

    @property
    def price(self) -> MostRead:
        """What reading takes at most, by the summaries of the snapshots; nothing is read for it."""
        mode, start, end, _ = self._question
        return most_read(self._version.metadata, start, end, mode)

    @property
    def known(self) -> Changelog:
        """What is known before a row is read: everything but counts and rows. Cost: the manifests of the commits."""
        return self._asked.known

    def page(self, **asked: Any) -> Page:
        """Some of the rows; arguments and errors of `AskedChangelog.page`."""
        with self._asking():
            return self._asked.page(**asked)

    @read_once
    def _asked(self) -> AskedChangelog:
        with self._version.asking(rows=True):
            return self._version.readers.changelogs.ask(*self._question)

    def _asking(self) -> AbstractContextManager[None]:
        _ = self._asked  # before, and not within: each asks the catalog of a failure
        return self._version.asking(rows=True)

    def _read(self) -> Changelog:
        return self._asked.facts

    def _title(self, facts: Changelog) -> str:
        return words.title(facts)

    @read_once
    def data(self) -> pd.DataFrame:
        """As of every picture; needs no counts."""
        with self._asking():
            return self._asked.data(notes.ROWS_IN_PYTHON)

    @read_once
    def frame(self) -> DataFrame:
        """As of every picture; reads no row."""
        with self._asking():
            return self._asked.frame

    def _draw(self, facts: Changelog, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return self._asked.sql

    def _count(self, facts: Changelog) -> int | None:
        return facts.row_count

    def _notes(self, facts: Changelog) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else self._hidden),
            *notes.refused_sql(self._version, self.sql, self._asked.listed, has_unreadable=bool(facts.unread)),
            *notes.cut(facts.row_count or 0),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]

    @property
    def _hidden(self) -> str:
        if self._version.located.relation is None:
            return notes.NO_NAME_FOR_ROWS
        return (
            "It would have to name more than 1,000 files, to open equality delete files that only the table's own"
            " catalog can read, or to do without a manifest that cannot be read."
        )
