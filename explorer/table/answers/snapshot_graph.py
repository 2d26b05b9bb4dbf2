"""The snapshot graph of a table as a picture."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...figures.snapshot_graph import draw
from ...model.evidence import Note
from ...model.snapshot_graph import evidence, findings
from ...model.snapshot_graph import facts as model
from ...model.snapshot_graph.facts import SnapshotGraph
from ...queries.files.snapshots import snapshots_query
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture

if TYPE_CHECKING:
    import pandas as pd


class SnapshotGraphPicture(Picture[SnapshotGraph]):
    """`Table.snapshot_graph`."""

    name = "snapshot_graph"
    first = "bottom"
    cost = "Nothing beyond the metadata, which was read."

    def _asking(self) -> AbstractContextManager[None]:
        return nullcontext()  # this picture alone needs no Spark but for its frame

    def _read(self) -> SnapshotGraph:
        return self._version.graph

    def _title(self, facts: SnapshotGraph) -> str:
        return findings.title(facts)

    def _rows(self, facts: SnapshotGraph) -> pd.DataFrame:
        return columns.SNAPSHOT_GRAPH.pandas(model.rows(facts)[-notes.ROWS_IN_PYTHON :])

    def _all_rows(self, facts: SnapshotGraph) -> DataFrame:
        with self._version.asking():
            return columns.SNAPSHOT_GRAPH.spark(self._version.spark, model.rows(facts))

    def _draw(self, facts: SnapshotGraph, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, name=self._version.name, read_at=self._version.read_at, width=width)

    def _sql(self) -> str:
        return sql_of(snapshots_query(self._version.located, self._version.file, wide_ids=not self._version.ids_fit))

    def _count(self, facts: SnapshotGraph) -> int:
        return len(facts.metadata.snapshots)

    def _notes(self, facts: SnapshotGraph) -> list[Note]:
        return [
            *notes.first_notes(self._version, "" if self.sql else self._version.file.hidden_from_sql),
            *notes.cut(len(facts.metadata.snapshots), "the newest "),
            *evidence.notes(facts),
        ]
