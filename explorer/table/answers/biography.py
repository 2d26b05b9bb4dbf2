"""What became of rows, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql.types import LongType, StringType

from ...engine.memory import read_once
from ...figures.biography import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.biography import facts as model
from ...model.biography import finding
from ...model.biography import notes as biography_notes
from ...model.biography.facts import Biography, Price
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...queries.rows import conditions
from .. import columns, notes
from ..columns import Columns
from ..picture import Picture
from ..readers.biographies import AskedBiography, Question
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd

_WHOLE = ("int", "long")


class BiographyPicture(Picture[Biography]):
    """`Table.biography`."""

    name = "biography"
    cost = "The manifests of the history; the data files that may hold such rows; the deletes that may mask them."

    def __init__(
        self,
        version: TableVersion,
        of: Snapshot,
        condition: str,
        name: str,
        identifier_columns: Sequence[str] | None,
    ) -> None:
        super().__init__(version)
        self._question = Question(conditions.plain(condition), of, name, identifier_columns)

    @read_once
    def price(self) -> Price:
        """What reading takes, told from manifests alone.

        Raises:
            ExplorerError: the condition, or an identifier column, cannot be asked.
        """
        with self._asking():
            self._asked.check()
            return self._asked.price

    @read_once
    def _asked(self) -> AskedBiography:
        return self._version.readers.biography(self._question)

    def _reading(self) -> AbstractContextManager[None]:
        return self._version.asking(rows=True)

    def _read(self) -> Biography:
        self._asked.check()
        return self._asked.facts

    def _title(self, facts: Biography) -> str:
        return finding.title(facts)

    def _rows(self, facts: Biography) -> pd.DataFrame:
        return self._columns(facts).pandas(self._events(facts))

    def _all_rows(self, facts: Biography) -> DataFrame:
        return self._columns(facts).spark(self._version.spark, self._events(facts))

    def _columns(self, facts: Biography) -> Columns:
        """With those that a row is called by: whole numbers as such, all others as text."""
        kinds = {field.path: field.type for field in self._version.metadata.schemas[self._schema_id]}
        keys = (LongType() if kinds.get(facts.columns[i]) in _WHOLE else StringType() for i in facts.called_by)
        return columns.BIOGRAPHY.with_more(dict(zip(self._key_names(facts), keys, strict=True)))

    @property
    def _schema_id(self) -> int:
        return self._version.metadata.current_schema_id or 0

    def _events(self, facts: Biography) -> list[dict[str, Any]]:
        names, found = self._key_names(facts), []
        whole = set(self._columns(facts).whole_numbers)
        for row, event in zip(model.rows(facts), facts.events, strict=True):
            cells = {
                name: None if event.row.same[i] is None else event.row.values[i]
                for name, i in zip(names, facts.called_by, strict=True)
            }
            found.append(row | {name: int(v) if v and name in whole else v for name, v in cells.items()})
        return found

    @staticmethod
    def _key_names(facts: Biography) -> list[str]:
        """Of the columns that a row is called by; one that is called as a column of the answer is `key_NAME`."""
        taken = set(columns.BIOGRAPHY.schema.fieldNames())
        return [f"key_{name}" if name in taken else name for name in (facts.columns[i] for i in facts.called_by)]

    def _draw(self, facts: Biography, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        self.read()
        return self._asked.sql

    def _notes(self, facts: Biography) -> list[Note]:
        without = notes.NO_NAME_FOR_ROWS if self._version.located.relation is None else ""
        return [
            *notes.first_notes(self._version, without),
            *biography_notes.cut(facts),
            *self._version.readers.timelines.notes,
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
