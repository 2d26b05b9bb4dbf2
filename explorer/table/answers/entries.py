"""The entries of a snapshot's manifests as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...figures.entries import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.entries import facts as model
from ...model.entries import words
from ...model.entries.facts import Entries
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...queries.entries import entries_query
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


class EntriesPicture(Picture[Entries]):
    """`Table.entries`."""

    name = "entries"
    cost = "The manifest list, and each manifest once."

    def __init__(
        self, version: TableVersion, of: Snapshot, manifest: str | None, file: tuple[str, int | None] | None
    ) -> None:
        super().__init__(version)
        self._of, self._manifest, self._file = of, manifest, file

    def _read(self) -> Entries:
        return self._version.readers.manifests.entries(self._of, self._manifest, self._file)

    def _title(self, facts: Entries) -> str:
        return words.title(facts)

    def _rows(self, facts: Entries) -> pd.DataFrame:
        return columns.ENTRIES.pandas(model.rows(facts))

    def _all_rows(self, facts: Entries) -> DataFrame:
        return self._version.readers.manifests.frame(facts)

    def _draw(self, facts: Entries, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, width=width)

    def _sql(self) -> str:
        snapshot_id = self._of.snapshot_id
        return sql_of(entries_query(self._version.located, snapshot_id, partitioned=self._version.is_partitioned))

    def _count(self, facts: Entries) -> int | None:
        return facts.entry_count if facts.file is None else None

    def _notes(self, facts: Entries) -> list[Note]:
        listed = [m.manifest for m in facts.manifests]
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ENTRIES, facts.contradictions),
            *notes.refused_sql(self._version, self.sql, listed, has_unreadable=facts.has_unreadable),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
