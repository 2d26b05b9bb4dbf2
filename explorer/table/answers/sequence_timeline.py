"""Files from birth to removal, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...engine.memory import read_once
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...figures.sequence_timeline import draw
from ...model import formats
from ...model.evidence import Note
from ...model.sequence_timeline.facts import Timeline, Window
from ...queries.query import sql_of
from ...queries.sequence_timeline import sequence_timeline_query
from .. import columns, notes
from ..picture import Picture
from ..readers.timelines import Timelines
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


class SequenceTimelinePicture(Picture[Timeline]):
    """`Table.sequence_timeline`."""

    name = "sequence_timeline"

    def __init__(self, version: TableVersion, as_of: int | None, window: Window | None) -> None:
        super().__init__(version)
        self._as_of, self._window = as_of, window

    @property
    def _reader(self) -> Timelines:
        return self._version.readers.timelines

    @property
    def cost(self) -> str:
        """In words: how many manifests there are only the lists say."""
        lists = formats.count(len(self._version.metadata.snapshots), "manifest list")
        return f"At most {lists}, and every manifest that they name once; less what was read before."

    def _read(self) -> Timeline:
        return self._reader.timeline(self._as_of, self._window)

    def _title(self, facts: Timeline) -> str:
        return draw.title(facts)

    @read_once
    def data(self) -> pd.DataFrame:
        """As of every picture; needs nothing of what is drawn."""
        with self._asking():
            table = self._reader.table(self._as_of, self._window, most=notes.ROWS_IN_PYTHON)
            return columns.SEQUENCE_TIMELINE.pandas(table.to_pylist())

    @read_once
    def frame(self) -> DataFrame:
        """As of every picture; needs nothing of what is drawn."""
        with self._asking():
            table = self._reader.table(self._as_of, self._window)
            return columns.SEQUENCE_TIMELINE.spark_from_arrow(self._version.spark, table)

    def _draw(self, facts: Timeline, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return sql_of(sequence_timeline_query(self._version.located, partitioned=self._version.is_partitioned))

    def _count(self, facts: Timeline) -> int:
        return facts.file_count

    def _notes(self, facts: Timeline) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ENTRIES),
            *notes.refused_sql(
                self._version, self.sql, self._reader.listed, has_unreadable=self._reader.has_unreadable
            ),
            *notes.cut(facts.file_count),
            *self._reader.notes,
            *facts.notes,
        ]
