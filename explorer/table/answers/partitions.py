"""Partitions after each commit that changed them, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...figures.partitions import draw
from ...model import formats
from ...model.evidence import Note
from ...model.partitions import words
from ...model.partitions.facts import Partitions
from ...model.partitions.table import as_table
from ...queries.partitions import partitions_query
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..readers.timelines import Timelines

if TYPE_CHECKING:
    import pandas as pd


class PartitionsPicture(Picture[Partitions]):
    """`Table.partitions`."""

    name = "partitions"
    first = "bottom"

    @property
    def _reader(self) -> Timelines:
        return self._version.readers.timelines

    @property
    def cost(self) -> str:
        """In words: how many manifests there are only the lists say."""
        lists = formats.count(len(self._version.metadata.snapshots), "manifest list")
        return f"At most {lists}, and every manifest that they name once; less what was read before."

    def _read(self) -> Partitions:
        return self._reader.partitions

    def _title(self, facts: Partitions) -> str:
        return words.title(facts)

    def _rows(self, facts: Partitions) -> pd.DataFrame:
        newest = as_table(facts).slice(max(facts.row_count - notes.ROWS_IN_PYTHON, 0))
        return columns.PARTITIONS.pandas_of(newest.to_pydict())

    def _all_rows(self, facts: Partitions) -> DataFrame:
        return columns.PARTITIONS.spark_from_arrow(self._version.spark, as_table(facts))

    def _draw(self, facts: Partitions, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        version = self._version
        return sql_of(partitions_query(version.located, self.facts.commits, partitioned=version.is_partitioned))

    def _count(self, facts: Partitions) -> int:
        return facts.row_count

    def _notes(self, facts: Partitions) -> list[Note]:
        without_sql = notes.NO_NAME_FOR_ENTRIES if facts.commits else "Nothing has been committed to the current line."
        return [
            *notes.first_notes(self._version, "" if self.sql else without_sql),
            *notes.refused_sql(
                self._version, self.sql, self._reader.listed, has_unreadable=self._reader.has_unreadable
            ),
            *notes.cut(facts.row_count, "the newest "),
            *self._reader.notes,
            *facts.notes,
        ]
