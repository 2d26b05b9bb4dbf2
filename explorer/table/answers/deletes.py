"""What the live deletes of a snapshot reach, as a picture."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
from pyspark.sql import DataFrame

from ...figures.deletes import draw
from ...figures.page.theme import Theme
from ...model.deletes import rows as model
from ...model.deletes import words
from ...model.deletes.facts import Deletes
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..version import TableVersion


class DeletesPicture(Picture[Deletes]):
    """`Table.deletes`."""

    name = "deletes"
    cost = "The manifests of the snapshot; no data file."

    def __init__(
        self, version: TableVersion, of: Snapshot, partition: tuple[int, str] | None, *, ruled_out: bool
    ) -> None:
        super().__init__(version)
        self._of, self._partition, self._ruled_out = of, partition, ruled_out
        self._reader = version.readers.deletes

    def _read(self) -> Deletes:
        return self._reader.deletes(self._of, self._partition)

    def _title(self, facts: Deletes) -> str:
        return words.title(facts)

    def _rows(self, facts: Deletes) -> pd.DataFrame:
        return columns.DELETES.pandas(list(model.rows(facts, ruled_out=self._ruled_out)))

    def _all_rows(self, _: Deletes) -> DataFrame:
        return self._reader.frame(self._of, self._partition, ruled_out=self._ruled_out)

    def _figure(self, facts: Deletes, theme: Theme) -> go.Figure:
        return draw.draw(facts, theme, name=self._version.name)

    def _sql(self) -> str:
        with self._asking():  # its columns are those of the deletes that are there
            return sql_of(self._reader.query(self._of))

    def _count(self, facts: Deletes) -> int | None:
        return facts.reached_pairs

    def _said(self, facts: Deletes) -> list[Note]:
        listed, lost = self._reader.listed(self._of), self._reader.has_unreadable(self._of)
        whole = Note("exact", "The SQL tells of all partitions", "Narrow it as you like.")
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ENTRIES),
            *([whole] if self.sql and self._partition is not None else []),
            *notes.refused_sql(self._version, self.sql, listed, lost=lost),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
