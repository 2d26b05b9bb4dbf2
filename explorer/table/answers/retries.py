"""The attempts of every commit as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...figures.retries import draw
from ...model.evidence import Note
from ...model.retries import facts as model
from ...model.retries import words
from ...model.retries.facts import Retries
from ...queries.query import sql_of
from ...queries.retries import retries_query
from .. import columns, notes
from ..picture import Picture

if TYPE_CHECKING:
    import pandas as pd


class RetriesPicture(Picture[Retries]):
    """`Table.retries`."""

    name = "retries"
    cost = "The manifest lists of retried commits, then of the newest others, a thousand at most."

    def _read(self) -> Retries:
        return self._version.readers.manifests.retries

    def _title(self, facts: Retries) -> str:
        return words.title(facts)

    def _rows(self, facts: Retries) -> pd.DataFrame:
        return columns.RETRIES.pandas(model.rows(facts))

    def _all_rows(self, facts: Retries) -> DataFrame:
        return columns.RETRIES.spark(self._version.spark, model.rows(facts))

    def _draw(self, facts: Retries, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return sql_of(retries_query(self._version.located))

    def _notes(self, facts: Retries) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ENTRIES),
            *notes.refused_sql(self._version, self.sql, facts.manifests, has_unreadable=facts.has_unreadable),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
