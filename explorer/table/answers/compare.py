"""Two points of a table, or two tables, compared, as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from ...engine import answering
from ...engine.memory import read_once
from ...figures.compare import draw
from ...figures.page.scene import Scene
from ...figures.page.theme import Theme
from ...model.compare import data, words
from ...model.compare.facts import Comparison
from ...model.evidence import Note
from ...model.iceberg.relation import Relation, relation
from ...model.iceberg.touched_files import Cost
from ...queries.compare.sql import files_query
from ...queries.query import sql_of
from .. import columns, notes
from ..picture import Picture
from ..points import OtherTable, Standpoint
from ..readers import comparisons
from ..readers.comparisons import Read
from ..version import TableVersion

if TYPE_CHECKING:
    import pandas as pd

_FILES_ALONE = "Schema, settings and figures are told by the metadata files and manifest lists."
_TWO_TABLES = "SQL cannot tell by itself which files of two tables are the same."


class ComparePicture(Picture[Comparison]):
    """`Table.compare`."""

    name = "compare"

    def __init__(
        self,
        version: TableVersion,
        left: Standpoint,
        right: Standpoint | OtherTable,
        *,
        rows: bool,
        identifier_columns: Sequence[str] | None,
        swap: bool,
    ) -> None:
        super().__init__(version)
        self._asked_left, self._asked_right = left, right
        self._with_rows, self._identifiers, self._swap = rows, identifier_columns, swap
        if rows and identifier_columns is not None and isinstance(right, Standpoint):
            with answering(version.spark):
                comparisons.identity_of(self._told[1].asked, identifier_columns)

    @property
    def cost(self) -> str | Cost:
        """In words for files; for rows what must be read of data files, told from manifests alone."""
        if self._with_rows:
            return self._of_files.facts.files.price
        return (
            "Two manifest lists, and the manifests that only one of them lists; where deletes differ, the data"
            " manifests of one, and those of both where they take less than 2 MB; two older metadata files at most."
        )

    @read_once
    def _told(self) -> tuple[Standpoint, Standpoint, Relation | None]:
        """Both points in the order in which they are told."""
        left, right = self._asked_left, self._asked_right
        if isinstance(right, OtherTable):
            right = right.open()
        ids = left.point.snapshot.snapshot_id, right.point.snapshot.snapshot_id
        metadata = left.version.metadata
        is_other = right.version is not left.version and right.version.metadata.table_uuid != metadata.table_uuid
        if is_other or ids[1] not in metadata.by_id:
            return (right, left, None) if self._swap else (left, right, None)
        found = relation(metadata, *ids)
        if found.swapped:
            left, right = right, left
        return (right, left, found.turned()) if self._swap else (left, right, found)

    @read_once
    def _of_files(self) -> Read:
        left, right, found = self._told
        with self._asking_both(rows=False):
            return comparisons.compare(left.asked, right.asked, found)

    @contextmanager
    def _asking_both(self, *, rows: bool) -> Iterator[None]:
        """Within it both tables are asked."""
        with ExitStack() as stack:
            for version in dict.fromkeys((self._version, *(side.version for side in self._told[:2]))):
                stack.enter_context(version.asking(rows=rows))
            yield

    def _asking(self) -> AbstractContextManager[None]:
        return self._asking_both(rows=False)

    def _reading(self) -> AbstractContextManager[None]:
        _ = self._of_files  # before, and not within: each asks the catalog of a failure
        return self._asking_both(rows=self._with_rows)

    def _read(self) -> Comparison:
        left, right, _ = self._told
        if not self._with_rows:
            return self._of_files.facts
        return comparisons.with_rows(self._of_files, left.asked, right.asked, self._identifiers).facts

    def _title(self, facts: Comparison) -> str:
        return words.title(facts)

    def _rows(self, facts: Comparison) -> pd.DataFrame:
        return columns.COMPARE.pandas(list(islice(data.rows(facts), notes.ROWS_IN_PYTHON)))

    def _all_rows(self, facts: Comparison) -> DataFrame:
        return columns.COMPARE.spark(self._version.spark, list(data.rows(facts)))

    def _draw(self, facts: Comparison, theme: Theme, width: int) -> Scene:
        return draw.draw(facts, theme, width=width)

    def _count(self, facts: Comparison) -> int:
        return sum(1 for _ in data.rows(facts))

    def _sql(self) -> str:
        left, right, found = self._told
        if found is None:
            return ""
        ids = (side.point.snapshot.snapshot_id for side in (left, right))
        return sql_of(files_query(self._version.located, *ids, partitioned=self._version.is_partitioned))

    def _notes(self, facts: Comparison) -> list[Note]:
        hidden = _TWO_TABLES if facts.relation is None else notes.NO_NAME_FOR_ENTRIES
        files_alone = Note("exact", "The SQL gives the files", _FILES_ALONE)
        return [
            *notes.first_notes(self._version, "" if self.sql else hidden),
            *notes.refused_sql(
                self._version, self.sql, self._of_files.listed, has_unreadable=bool(facts.files.why_unknown)
            ),
            *([files_alone] if self.sql else []),
            *notes.cut(self._count(facts)),
            *self._version.readers.commits.notes,
            *facts.notes,
        ]
