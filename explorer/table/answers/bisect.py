"""Where the answer of a statement changed, as a picture."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...engine.memory import read_once
from ...figures.bisect import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.bisect import facts as model
from ...model.bisect import words
from ...model.bisect.facts import Bisection, Price
from ...model.evidence import Note
from ...queries import bisect as queries
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..readers.bisections import AskedBisection, BisectQuestion
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


class BisectPicture(Picture[Bisection]):
    """`Table.bisect`."""

    name = "bisect"
    cost = "The manifests of the history; the statement at both ends, and at about log2 of the commits in question."

    def __init__(self, version: TableVersion, question: BisectQuestion) -> None:
        super().__init__(version)
        self._question = question

    @read_once
    def price(self) -> Price:
        """What reading takes at most, told from manifests alone.

        Raises:
            ExplorerError: the statement cannot be asked.
        """
        with self._reading():  # Spark reads the table to understand the statement
            _ = self._asked.statement
            return self._asked.price

    @read_once
    def _asked(self) -> AskedBisection:
        return self._version.readers.bisection(self._question)

    def _reading(self) -> AbstractContextManager[None]:
        return self._version.asking(rows=True)

    def _read(self) -> Bisection:
        return self._asked.facts

    def _title(self, facts: Bisection) -> str:
        return words.title(facts)

    def _rows(self, facts: Bisection) -> pd.DataFrame:
        return columns.BISECT.pandas(model.rows(facts))

    def _all_rows(self, facts: Bisection) -> DataFrame:
        return columns.BISECT.spark(self._version.spark, model.rows(facts))

    def _draw(self, facts: Bisection, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        facts = self.facts
        read = sorted(read.place for read in facts.reads if not read.answer.why_not)
        snapshots = [facts.snapshots[place] for place in read]
        asked = [(snapshot.snapshot_id, snapshot.sequence_number) for snapshot in snapshots]
        return sql_of(queries.answers_query(self._version.source, facts.sql, asked))

    def _notes(self, facts: Bisection) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ROWS),
            *self._version.readers.timelines.notes,
            *self._version.readers.commits.notes,
            *words.notes(facts),
        ]
