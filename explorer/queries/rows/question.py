"""What became of rows between two snapshots, a commit and its parent or any two.

A row is known by file and position. It is *gone* if it is visible before and not after, and *new* if it is visible
after and not before; a carried-over row is in both, at two places. One definition for copy-on-write, merge-on-read,
deletion vectors, equality deletes and compaction: the lifetimes of the rows of a line of these two places. Only where
these cannot be told, of too many files or of a key that Iceberg alone can find, both snapshots are read and compared.

Sources: Iceberg specification, "Scan Planning", "Schema Evolution", "Row Lineage".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import DataFrame

from ...errors import UnknownSnapshot
from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.touched_files import TouchedFiles
from .. import identifiers
from ..source import Source
from . import line_files, schema_mapping
from .changed_entries import Manifests
from .equality_keys import NoKeyColumn
from .file_rows import file_rows, own_schema
from .line_files import Line
from .reading import refuse_reserved
from .row_lifetimes import row_lifetimes
from .row_lifetimes_sql import replaced
from .schema_mapping import schema_at, schemas


@dataclass(frozen=True)
class RowQuestion:
    """The rows that are seen before or after, of files whose rows can differ.

    Attributes:
        rows: lazy; fails as any read of the table does if a data file is missing. The columns of the target schema, in
            its order, with its names and types; `_file` string and `_pos` bigint, never null; `_row_id` bigint, with
            `row_ids` alone; `_before`, `_after` boolean, never null, one of them true. A place is in one row, but for
            two tables, and for a file that a snapshot lists several times: then in one for each.
        before_known: False if the parent has expired, or its manifest list cannot be read. Then `rows` are all visible
            ones of the files that the commit added, each told to be new.
        schema: the target schema, as metadata.json writes it.
        columns: names of its columns.
        row_ids: whether the rows have their ids, as the caller asked.
        sql: text with the same answer, for a table that SQL can name; else empty.
    """

    rows: DataFrame
    before_known: bool
    schema: Schema
    columns: tuple[str, ...]
    row_ids: bool
    sql: str

    @property
    def gone(self) -> DataFrame | None:
        """Rows that are seen before and not after; None if what was before is not known."""
        return self.rows.where("_before AND NOT _after") if self.before_known else None

    @property
    def new(self) -> DataFrame:
        """Rows that are seen after and not before."""
        return self.rows.where("_after AND NOT _before")


def row_question(
    source: Source,
    line: Line,
    files: TouchedFiles,
    *,
    schema_id: int | None = None,
    row_ids: bool = False,
    unchanged: bool = False,
) -> RowQuestion:
    """What one commit did to rows.

    Args:
        source: the table.
        line: of `line_files.read`, of the commit alone.
        files: of `line_files.touched_files`.
        schema_id: the schema whose columns the rows shall have: a column is its field id, so it may be called otherwise
            in the files; one that a snapshot lacks is null there, or its initial default. The snapshot's own if None.
        row_ids: whether to give row ids. Only a table of version 3 has them, and only where
            `model.iceberg.row_lineage` trusts them they tell which row is which.
        unchanged: with every row of the touched files; else rows that stay where they are may be left out.

    Raises:
        UnknownSnapshot: the metadata does not list the snapshot.
        UnreadableMetadata: a delete file cannot be read.
        ExplorerError: a column is called as one that Iceberg keeps for itself.

    Cost: as `row_lifetimes`.
    """
    document = source.document
    listed = {item["snapshot-id"]: item for item in document.get("snapshots") or ()}
    parent_id, snapshot_id = line.snapshots
    if snapshot_id not in listed:
        raise UnknownSnapshot(f"The metadata lists no snapshot {snapshot_id}.")
    target = schema_at(document, listed[snapshot_id]) if schema_id is None else schemas(document)[schema_id]
    asked = _Asked(target, row_ids=row_ids, unchanged=unchanged)
    refused = f"The rows of {snapshot_id} cannot be told."
    refuse_reserved(asked.columns, refused)
    for item in (snapshot_id, parent_id):
        if item is not None:
            refuse_reserved(schema_mapping.columns(schema_at(document, listed[item])), refused)
    before_known = parent_id is not None or listed[snapshot_id].get("parent-snapshot-id") in (None, -1)
    if parent_id is None:  # of files that the commit kept it is not known, or there are none
        line, files = _begun(line), replace(files, kept=())
    if line.complete:
        rows = asked.on_line(source, line, files)
    elif before_known:
        rows = asked.compared(source, line, None, None)
    else:
        rows = asked.compared(source, line, (), files.added)
    return asked.question(rows, before_known=before_known)


def _begun(line: Line) -> Line:
    """The same of the files alone that begin in it."""
    data = tuple(life for life in line.data if life.since)
    read_at = {place: [life for life in lives if life.since] for place, lives in line.read_at.items()}
    return replace(line, data=data, read_at={place: lives for place, lives in read_at.items() if lives})


@dataclass(frozen=True, slots=True)
class Point:
    """A snapshot of a table, whose rows are asked for; `listed` are the rows of its manifest list."""

    source: Source
    snapshot_id: int
    listed: Sequence[ListedManifest]


def question_between(
    start: Point, end: Point, files: TouchedFiles, target: Schema, *, row_ids: bool = False
) -> RowQuestion:
    """The same between any two points, of one table or of two: the start is before, the end is after.

    Args:
        start: need not be an ancestor of the end.
        end: the other point.
        files: removed ones are of the start, added ones of the end; one that is among them twice is listed otherwise
            or several times; kept ones are those of both under other deletes, of which two tables have none.
        target: the schema whose columns the rows shall have, as metadata.json writes it.
        row_ids: whether to give row ids.

    Raises, and costs: as `row_question`.
    """
    asked = _Asked(target, row_ids=row_ids)
    refused = "The rows of these two points cannot be compared."
    refuse_reserved(asked.columns, refused)
    for point in (start, end):
        listed = next(i for i in point.source.document["snapshots"] if i["snapshot-id"] == point.snapshot_id)
        refuse_reserved(schema_mapping.columns(schema_at(point.source.document, listed)), refused)

    def apart(removed: Sequence[StoredEntry] | None, added: Sequence[StoredEntry] | None) -> _Rows:
        before = asked.seen(start.source, start.snapshot_id, removed, before=True)
        return before.and_also(asked.seen(end.source, end.snapshot_id, added, before=False))

    if not files.complete:
        return asked.question(asked.by_place(apart(None, None)))
    if start.source.metadata.location != end.source.metadata.location:
        return asked.question(apart(files.removed, files.added))
    listed = Counter(entry.file_path for entry in (*files.removed, *files.added))
    otherwise = {path for path, times in listed.items() if times > 1}
    once_each = replace(files, removed=_without(otherwise, files.removed), added=_without(otherwise, files.added))
    snapshots, lists = (start.snapshot_id, end.snapshot_id), (start.listed, end.listed)
    line = line_files.between(end.source, snapshots, lists, once_each, Manifests(end.source))
    # Of the deletes that are there all along some may have been left out: what they mask is not known of a line then.
    rows = (asked.on_line if line.complete else asked.of_files)(end.source, line, once_each)
    if otherwise:
        twice = [[e for e in side if e.file_path in otherwise] for side in (files.removed, files.added)]
        rows = rows.and_also(apart(*twice))
    return asked.question(rows)


def _without(paths: set[str], entries: Iterable[StoredEntry]) -> tuple[StoredEntry, ...]:
    return tuple(entry for entry in entries if entry.file_path not in paths)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows with `_before` and `_after`, as a frame and as text."""

    frame: DataFrame
    sql: str

    def and_also(self, other: _Rows) -> _Rows:
        sql = f"{self.sql}\nUNION ALL\n{other.sql}" if self.sql and other.sql else ""
        return _Rows(self.frame.unionAll(other.frame), sql)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of rows: the columns of a schema, with row ids or without, and whether of all rows."""

    target: Schema
    row_ids: bool
    unchanged: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        return schema_mapping.columns(self.target)

    def question(self, rows: _Rows, *, before_known: bool = True) -> RowQuestion:
        return RowQuestion(rows.frame, before_known, self.target, self.columns, self.row_ids, rows.sql)

    def on_line(self, source: Source, line: Line, files: TouchedFiles) -> _Rows:
        """By the lifetimes of the rows of a line of two places."""
        if not line.read_at:
            return self.compared(source, line, (), ())
        try:
            lifetimes = row_lifetimes(
                source, line, self.target, row_ids=self.row_ids, unchanged=self.unchanged, name="_between"
            )
        except NoKeyColumn:
            return self.of_files(source, line, files)
        select = (
            f"SELECT {self._names}, exists(_events, event -> event.at = 0 AND event.came) AS _before,\n"
            f"  exists(_events, event -> event.at = 2 AND NOT event.came) AS _after\n"
            f"FROM {lifetimes.last}\nWHERE size(_events) > 0"
        )
        frames: dict[str, Any] = dict(lifetimes.frames)
        frame = source.spark.sql(f"WITH {lifetimes.run}\n{identifiers.escaped(select)}", **frames)
        rows = _Rows(frame, f"WITH {lifetimes.shown}\n{select}" if lifetimes.shown else "")
        return self.by_place(rows) if line.odd else rows

    def of_files(self, source: Source, line: Line, files: TouchedFiles) -> _Rows:
        """By reading these files in both snapshots."""
        there = [*files.kept, *(e for e in (*files.removed, *files.added) if e.file_path in files.listed_too)]
        return self.compared(source, line, (*files.removed, *there), (*files.added, *there))

    def compared(
        self, source: Source, line: Line, before: Sequence[StoredEntry] | None, after: Sequence[StoredEntry] | None
    ) -> _Rows:
        """By reading these files, or all if None, in both snapshots."""
        parent_id, snapshot_id = line.snapshots
        assert snapshot_id is not None  # noqa: S101 - only what was before the first place can be unknown
        rows = self.seen(source, snapshot_id, after, before=False)
        if parent_id is not None:
            rows = self.seen(source, parent_id, before, before=True).and_also(rows)
        return self.by_place(rows)

    def seen(self, source: Source, snapshot_id: int, files: Sequence[StoredEntry] | None, *, before: bool) -> _Rows:
        """Visible rows of these files in one snapshot, or of all if None."""
        own = own_schema(source, snapshot_id)
        names = ["_row_id"] if self.row_ids else []
        selected = [*schema_mapping.select(own, self.target), "_file", "_pos", *names]
        sides = (f"{str(before).lower()} AS _before", f"{str(not before).lower()} AS _after")
        scan = file_rows(source, snapshot_id, files, [*selected, *sides])
        return _Rows(scan.frame, scan.shown)

    def by_place(self, rows: _Rows) -> _Rows:
        """Both sides of each place in one row, as often as it is read on the side on which it is more often."""
        names = [*map(_quoted, self.columns), *(["_row_id"] if self.row_ids else [])]
        values = ", ".join(f"any_value({name}) AS {name}" for name in names)
        text = (
            f"SELECT {self._names}, sides._before, sides._after\n"  # noqa: S608 - quoted
            f"FROM (\n"
            f"  SELECT {values}, _file, _pos, count_if(_before) AS _before, count_if(_after) AS _after\n"
            f"  FROM (\n<<rows>>\n)\n"
            f"  WHERE _before OR _after\n"
            f"  GROUP BY _file, _pos\n"
            f") AS place\n"
            f"LATERAL VIEW inline(transform(sequence(1, greatest(place._before, place._after)), nth ->\n"
            f"  named_struct('b', nth <= place._before, 'a', nth <= place._after))) sides AS _before, _after"
        )
        run = replaced(identifiers.escaped(text), {"rows": "SELECT * FROM {rows}"})
        frame = rows.frame.sparkSession.sql(run, rows=rows.frame)
        return _Rows(frame, replaced(text, {"rows": rows.sql}) if rows.sql else "")

    @property
    def _names(self) -> str:
        return ", ".join([*map(_quoted, self.columns), "_file", "_pos", *(["_row_id"] if self.row_ids else [])])


def _quoted(name: str) -> str:
    return identifiers.quoted([name])
