"""Why rows are deleted or are not, as a picture."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...engine.memory import read_once
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...figures.why import draw
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.touched_files import Cost
from ...model.why import facts as model
from ...model.why import words
from ...model.why.facts import RowOutcome
from ...queries.rows import conditions
from .. import columns, notes
from ..picture import Picture
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


class WhyPicture(Picture[RowOutcome]):
    """`Table.why`."""

    name = "why"
    cost = "The manifests; the data files that can hold such rows; the content of the deletes in question."

    def __init__(self, version: TableVersion, of: Snapshot, condition: str) -> None:
        super().__init__(version)
        self._of, self._condition = of, conditions.plain(condition)

    @read_once
    def price(self) -> Cost:
        """What reading takes at most, told from manifests alone.

        Raises:
            ExplorerError: the condition cannot be asked.
        """
        with self._asking():
            return self._version.readers.deletes.price(self._of, self._condition)

    def _reading(self) -> AbstractContextManager[None]:
        return self._version.asking(rows=True)

    def _read(self) -> RowOutcome:
        outcome, self._rows_sql = self._version.readers.deletes.outcome(self._of, self._condition)
        return outcome

    def _title(self, facts: RowOutcome) -> str:
        return words.title(facts)

    def _rows(self, facts: RowOutcome) -> pd.DataFrame:
        return columns.WHY.pandas(model.rows(facts))

    def _all_rows(self, facts: RowOutcome) -> DataFrame:
        return columns.WHY.spark(self._version.spark, model.rows(facts))

    def _draw(self, facts: RowOutcome, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return self.read()._rows_sql  # it names the columns of the rows

    def _notes(self, facts: RowOutcome) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ROWS),
            *words.cut(facts),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
