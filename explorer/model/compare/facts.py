"""Two points of a table, or two tables, compared: relation first, then schema, settings, files, figures and rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ..evidence import Note
from ..iceberg.metadata import Snapshot
from ..iceberg.relation import Relation
from .columns import ColumnFigures
from .fields import FieldChange
from .figures import Figure
from .files import FileDifference
from .rows import NetRows
from .settings import NoState, Setting, TableState
from .ways import Way

Named = Literal["id", "branch", "tag", "time", "table"]
Verdict = Literal["equal", "other layout", "different", "not read"]


@dataclass(frozen=True, slots=True)
class Point:
    """One of the two points.

    Attributes:
        table: how SQL names its table.
        asked: how the person named it.
        named: whether as an id, a branch, a tag, a time, or a table, whose current snapshot is meant.
        snapshot: that was meant.
        since: when `main` came to this snapshot (UTC), if a time was named.
        at: the time that was named (UTC).
        is_head: whether a branch or main stands here now, so that a reader sees the current schema and properties.
        schema_id: of the schema that a reader of this point sees; None if the metadata does not say.
    """

    table: str
    asked: str
    named: Named
    snapshot: Snapshot
    schema_id: int | None
    is_head: bool = False
    at: datetime | None = None
    since: datetime | None = None


@dataclass(frozen=True)
class Comparison:
    """Two points, as they are told.

    Attributes:
        left, right: along the ancestry; of two tables as they were asked.
        relation: None of two tables.
        fields: of the schema, those that differ. field_count: of the right one.
        hidden: columns of the right side that older schemas had too and the left one has not: files of both may hold
            values that only a reader of the right side gets.
        states: what tells the settings of each side.
        settings: that differ; empty where a state is not known.
        specs: ids of partition specs by which live files lie, of each side; empty if one side's are not known.
        files: in sums.
        figures: side by side.
        columns: what the statistics of live data files say of each column, those that differ first; or why that is not
            told.
        rows: net; None until they are read or certain.
        ways: to bring to main what it has not, where the two have diverged.
        notes: what is not known, and how sure the rest is.
    """

    left: Point
    right: Point
    relation: Relation | None
    fields: tuple[FieldChange, ...]
    field_count: int
    hidden: tuple[str, ...]
    states: tuple[TableState | NoState, TableState | NoState]
    settings: tuple[Setting, ...]
    specs: tuple[frozenset[int], frozenset[int]]
    files: FileDifference
    figures: tuple[Figure, ...]
    columns: tuple[ColumnFigures, ...] | str
    rows: NetRows | None
    ways: tuple[Way, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Whether a reader of the two gets the same.

        `equal`: the same files under the same deletes, and the same columns. `other layout`: equal rows in equal
        columns, in other files. `different`: other rows or other columns. `not read`: files differ, and nobody has
        compared the rows; or it is not known which files do.
        """
        if any(set(field.changes) & _SEEN_BY_READERS for field in self.fields):
            return "different"
        if self.files.are_equal:
            return "equal"
        if self.rows is not None and self.rows.differing:
            return "different"
        return "not read" if self.rows is None or self.rows.not_compared else "other layout"


_SEEN_BY_READERS = {"added", "dropped", "renamed", "widened", "narrowed", "another type", "moved"}
