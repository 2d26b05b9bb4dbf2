"""Why rows are deleted or are not, as a picture."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
from pyspark.sql import DataFrame

from ...engine.memory import read_once
from ...figures.page.theme import Theme
from ...figures.why import draw
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...model.why import facts as model
from ...model.why import words
from ...model.why.facts import RowOutcome
from .. import columns, notes
from ..picture import Picture
from ..version import TableVersion


class WhyPicture(Picture[RowOutcome]):
    """`Table.why`."""

    name = "why"
    cost = "The manifests; the data files that can hold such rows; the content of the deletes in question."

    def __init__(self, version: TableVersion, of: Snapshot, condition: str) -> None:
        super().__init__(version)
        self._of, self._condition = of, condition

    @read_once
    def _outcome(self) -> tuple[RowOutcome, str]:
        with self._version.asking(rows=True):
            return self._version.readers.deletes.outcome(self._of, self._condition)

    def _read(self) -> RowOutcome:
        return self._outcome[0]

    def _title(self, facts: RowOutcome) -> str:
        return words.title(facts)

    def _rows(self, facts: RowOutcome) -> pd.DataFrame:
        return columns.WHY.pandas(model.rows(facts))

    def _all_rows(self, facts: RowOutcome) -> DataFrame:
        return columns.WHY.spark(self._version.spark, model.rows(facts))

    def _figure(self, facts: RowOutcome, theme: Theme) -> go.Figure:
        return draw.draw(facts, theme, name=self._version.name)

    def _sql(self) -> str:
        return self._outcome[1]

    def _said(self, facts: RowOutcome) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ROWS),
            *words.cut(facts),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
