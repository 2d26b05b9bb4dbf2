"""A commit, or the net boundary between two snapshots, as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...engine import answering
from ...engine.memory import read_once
from ...figures.commit import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.commit import facts as model
from ...model.commit import findings, words
from ...model.commit.facts import CommitFacts
from ...model.evidence import Note
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.touched_files import Cost
from ...queries.commit.sql import boundary_query, commit_query
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd


class _FilesPicture(Picture[CommitFacts]):
    """What a commit and a boundary have in common."""

    def _title(self, facts: CommitFacts) -> str:
        return words.title(facts.commit, facts.rows)

    def _rows(self, facts: CommitFacts) -> pd.DataFrame:
        return columns.COMMIT.pandas(model.rows(facts))

    def _all_rows(self, facts: CommitFacts) -> DataFrame:
        return columns.COMMIT.spark(self._version.spark, model.rows(facts))

    def _draw(self, facts: CommitFacts, theme: Theme, width: int) -> Scene:
        return draw.draw(facts.commit, facts.rows, theme, name=self._version.name, width=width)

    def _count(self, facts: CommitFacts) -> int:
        return facts.commit.file_count

    def _notes_of(self, facts: CommitFacts, *own: Note, before: bool) -> list[Note]:
        commit = facts.commit
        return [
            *notes.first_notes(self._version, "" if self.sql else notes.NO_NAME_FOR_ENTRIES, commit.contradictions),
            *notes.refused_sql(
                self._version,
                self.sql,
                findings.listed(commit, before=before),
                has_unreadable=findings.has_unreadable(commit),
            ),
            *own,
            *self._version.readers.commits.notes,
            *commit.notes,
            *(facts.rows.notes if facts.rows else ()),
        ]


class CommitPicture(_FilesPicture):
    """`Table.commit`."""

    name = "commit"

    def __init__(
        self, version: TableVersion, of: Snapshot, *, rows: bool, identifier_columns: Sequence[str] | None
    ) -> None:
        super().__init__(version)
        self._of, self._with_rows, self._identifiers = of, rows, identifier_columns
        if rows and identifier_columns is not None:
            with answering(version.spark):
                version.readers.commits.check_identifiers(of, identifier_columns)

    @read_once
    def cost(self) -> str | Cost | None:
        """In words for files; for rows what must be read of data files, told from manifests alone."""
        if not self._with_rows:
            return "Two manifest lists, and the manifests that the commit added."
        with self._version.asking():
            return self._version.readers.commits.cost(self._of)

    def _reading(self) -> AbstractContextManager[None]:
        return self._version.asking(rows=self._with_rows)

    def _read(self) -> CommitFacts:
        commits = self._version.readers.commits
        if not self._with_rows:
            return CommitFacts(commits.commit(self._of))
        return commits.with_rows(self._of, self._identifiers)

    def _sql(self) -> str:
        query = commit_query(self._version.located, self._of.snapshot_id, partitioned=self._version.is_partitioned)
        return sql_of(query)

    def _notes(self, facts: CommitFacts) -> list[Note]:
        unread = facts.rows is None and facts.commit.file_count
        own = [Note("unknown", "What became of rows", "They were not read; commit(…, rows=True) reads them.")]
        return self._notes_of(facts, *(own if unread else ()), before=False)


class BoundaryPicture(_FilesPicture):
    """`Table.boundary`."""

    name = "boundary"
    cost = "Two manifest lists, and the manifests that only one of them lists."

    def __init__(self, version: TableVersion, start: Snapshot, end: Snapshot) -> None:
        super().__init__(version)
        self._start, self._end = start, end

    def _read(self) -> CommitFacts:
        return CommitFacts(self._version.readers.commits.between(self._start, self._end))

    def _sql(self) -> str:
        ids = self._start.snapshot_id, self._end.snapshot_id
        return sql_of(boundary_query(self._version.located, *ids, partitioned=self._version.is_partitioned))

    def _notes(self, facts: CommitFacts) -> list[Note]:
        return self._notes_of(facts, before=True)
