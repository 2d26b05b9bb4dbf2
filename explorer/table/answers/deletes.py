"""What the live deletes of a snapshot reach, as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...figures.deletes import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.deletes import rows as model
from ...model.deletes import words
from ...model.deletes.facts import Deletes
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..readers.live_deletes import LiveDeletes
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


class DeletesPicture(Picture[Deletes]):
    """`Table.deletes`."""

    name = "deletes"
    cost = "The manifests of the snapshot; no data file."

    def __init__(
        self, version: TableVersion, of: Snapshot, partition: tuple[int, str] | None, *, ruled_out: bool
    ) -> None:
        super().__init__(version)
        self._of, self._partition, self._ruled_out = of, partition, ruled_out

    @property
    def _reader(self) -> LiveDeletes:
        return self._version.readers.deletes

    def _read(self) -> Deletes:
        reader, of = self._reader, self._of
        # Of the whole snapshot, which may be forgotten once a part of it is read.
        self._of_snapshot = sql_of(reader.query(of)), reader.listed(of), reader.has_unreadable(of)
        return reader.deletes(of, self._partition)

    def _title(self, facts: Deletes) -> str:
        return words.title(facts)

    def _rows(self, facts: Deletes) -> pd.DataFrame:
        return columns.DELETES.pandas(list(model.rows(facts, ruled_out=self._ruled_out)))

    def _all_rows(self, _: Deletes) -> DataFrame:
        return self._reader.frame(self._of, self._partition, ruled_out=self._ruled_out)

    def _draw(self, facts: Deletes, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        return self.read()._of_snapshot[0]  # its columns are those of the deletes that are there

    def _count(self, facts: Deletes) -> int | None:
        return facts.reached_pairs

    def _notes(self, facts: Deletes) -> list[Note]:
        _, listed, has_unreadable = self._of_snapshot
        whole = Note("exact", "The SQL tells of all partitions", "Narrow it as you like.")
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ENTRIES),
            *([whole] if self.sql and self._partition is not None else []),
            *notes.refused_sql(self._version, self.sql, listed, has_unreadable=has_unreadable),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
