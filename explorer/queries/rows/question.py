"""What one commit did to rows: those that are gone and those that are new, by where they lie.

Of the rows of touched data files, a row known by file and position is *gone* if it is visible at the parent and not at
the snapshot, and *new* if it is visible at the snapshot and not at the parent. One definition for copy-on-write,
merge-on-read, deletion vectors, equality deletes and compaction. A carried-over row is in both, at two places.

For one commit::

    stored = commit.read(source, snapshot_id, parent_id)  # queries.files.commit: manifest lists, entries
    files = touched_files.read(source, stored, snapshot_id, reach=model.iceberg.touched_files.reach)
    question = row_question(source, snapshot_id, files)
    question.gone, question.new                                          # lazy; nothing has been read yet

For many commits of one table, say a changelog: give all of them one `schema_id` (the current schema's), so that their
columns are the same and `gone` and `new` of any of them can be put under each other by `unionAll`; give
`touched_files.read` one `decoded` mapping, so that a manifest which several commits need is opened once, and
`row_question` one `loaded`, so that a snapshot is looked up once, though it is after one commit and before the next. A
commit whose operation is `replace` has gone and new rows too (each carried over): leave it out if rows that moved are
not asked for.

Sources: Iceberg specification, "Scan Planning", "Schema Evolution", "Row Lineage".
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...errors import UnknownSnapshot
from ...model.iceberg.document import ListedSnapshot, Schema
from ...model.iceberg.inheritance import StoredEntry
from ...model.iceberg.touched_files import TouchedFiles
from .. import identifiers
from ..source import Source
from . import file_predicates, schema_mapping, table_rows
from .local_rows import local_rows
from .reading import refuse_reserved
from .schema_mapping import current_schema, filterable, schema_at, schemas, text

PLACE = ("_file", "_pos")
LINEAGE = ("_row_id", "_last_updated_sequence_number")
# A longer list of paths makes a plan that takes longer to make than the rows that it saves take to read.
_PATHS_IN_A_CONDITION = 5_000
_EQUALITY_DELETES = 2

Loaded = MutableMapping[int, DataFrame]
"""The rows of a table by snapshot, each looked up in the catalog once."""


@dataclass(frozen=True)
class RowQuestion:
    """The rows that are gone and the rows that are new, of one commit.

    All frames have the columns of the target schema, in its order, with its names and types; then `_file` string and
    `_pos` bigint, which together are unique in each frame; then `_row_id` and `_last_updated_sequence_number` bigint,
    null if `row_ids` is False. They are lazy, and fail as any read of the table does if a data file is missing.

    Attributes:
        gone: visible at the parent and not at the snapshot. Without a parent there are none. None if the parent has
            expired, or its manifest list cannot be read: what was before is unknown.
        new: visible at the snapshot and not at the parent. If what was before is unknown, all visible rows of the files
            that the commit added (of those in `files`), and nothing of kept files.
        kept: visible at the parent in kept files that a delete of the commit can reach, gone or not; None if unknown.
        schema: the target schema, as metadata.json writes it.
        columns: names of its columns.
        row_ids: whether the frames have row ids, as the caller asked.
        schemas: every one of the table.
        gone_sql, new_sql: text with the same answer, for a table that SQL can name; else empty.
    """

    gone: DataFrame | None
    new: DataFrame
    kept: DataFrame | None
    schema: Schema
    columns: tuple[str, ...]
    row_ids: bool
    schemas: tuple[Schema, ...]
    gone_sql: str
    new_sql: str


def row_question(
    source: Source,
    snapshot_id: int,
    files: TouchedFiles,
    *,
    schema_id: int | None = None,
    row_ids: bool = False,
    loaded: Loaded | None = None,
) -> RowQuestion:
    """The row question of one commit.

    Args:
        source: the table.
        snapshot_id: the commit.
        files: of `touched_files.read`.
        schema_id: the schema whose columns the rows shall have: a column is its field id, so it may be called otherwise
            in the files; one that a snapshot lacks is null there, or its initial default. The snapshot's own if None.
        row_ids: whether to give row ids. Only a table of version 3 has them, and only where
            `model.iceberg.row_lineage` trusts them they tell which row is which.
        loaded: keep one mapping for all commits of a table to look each snapshot up once.

    Raises:
        UnknownSnapshot: the metadata does not list the snapshot.
        ExplorerError: a column is called as one that Iceberg keeps for itself.

    Cost: now, analysis only. When a frame is read: files of the parent that hold values inside the bounds of the
    removed files (for `gone`), files of the snapshot inside those of the added files (for `new`), and both for kept
    files that a delete reaches; of these, what Iceberg cannot skip by partition, bounds and row groups.
    """
    document = source.document
    listed = {item["snapshot-id"]: item for item in document.get("snapshots") or ()}
    if snapshot_id not in listed:
        raise UnknownSnapshot(f"The metadata lists no snapshot {snapshot_id}.")
    parent_id = listed[snapshot_id].get("parent-snapshot-id")
    target = schema_at(document, listed[snapshot_id]) if schema_id is None else schemas(document)[schema_id]

    frames = {} if loaded is None else loaded
    refused = f"The rows of {snapshot_id} cannot be told."
    refuse_reserved(schema_mapping.columns(target), refused)

    def side(item: ListedSnapshot) -> _Side:
        return _side(source, item, target, row_ids, refused, frames)

    after = side(listed[snapshot_id])
    about = _about(source, target, row_ids)
    if parent_id in listed and files.parent_readable:
        return _asked(side(listed[parent_id]), after, files, about)
    if parent_id in (None, -1):
        new, nothing = after.rows(files.added if files.complete else None), after.rows(())
        new = new.once() if files.listed_twice else new
        return RowQuestion(nothing.frame, new.frame, nothing.frame, *about, nothing.sql, new.sql)
    new = after.rows(files.added)
    return RowQuestion(None, new.frame, None, *about, "", new.sql)


@dataclass(frozen=True, slots=True)
class Point:
    """A snapshot of a table, whose rows are asked for."""

    source: Source
    snapshot_id: int


def question_between(
    start: Point, end: Point, files: TouchedFiles, target: Schema, *, row_ids: bool = False
) -> RowQuestion:
    """The same between any two points, of one table or of two: rows of the start are gone, rows of the end are new.

    Args:
        start: need not be an ancestor of the end.
        end: the other point.
        files: removed ones are of the start, added ones of the end; kept ones are those of both under other deletes,
            of which two tables have none.
        target: the schema whose columns the rows shall have, as metadata.json writes it.
        row_ids: whether to give row ids.

    Raises, and costs: as `row_question`, with the start for the parent.
    """
    refused = "The rows of these two points cannot be compared."
    refuse_reserved(schema_mapping.columns(target), refused)

    def side(point: Point) -> _Side:
        listed = {item["snapshot-id"]: item for item in point.source.document["snapshots"]}
        return _side(point.source, listed[point.snapshot_id], target, row_ids, refused, {})

    return _asked(side(start), side(end), files, _about(end.source, target, row_ids))


_About = tuple[Schema, tuple[str, ...], bool, tuple[Schema, ...]]


def _about(source: Source, target: Schema, row_ids: bool) -> _About:
    return target, schema_mapping.columns(target), row_ids, tuple(schemas(source.document).values())


def _side(source: Source, item: ListedSnapshot, target: Schema, row_ids: bool, refused: str, frames: Loaded) -> _Side:
    own, at = schema_at(source.document, item), item["snapshot-id"]
    refuse_reserved(schema_mapping.columns(own), refused)
    if at not in frames:
        frames[at] = table_rows.at(source, at)
    filters = filterable(own, current_schema(source.document))
    return _Side(source, at, frames[at], own, target, filters, row_ids)


def _asked(before: _Side, after: _Side, files: TouchedFiles, about: _About) -> RowQuestion:
    gone, new = _differences(before, after, files)
    if files.listed_twice:
        gone, new = gone.once(), new.once()
    kept = before.rows(files.kept)
    return RowQuestion(gone.frame, new.frame, kept.frame, *about, gone.sql, new.sql)


def _differences(before: _Side, after: _Side, files: TouchedFiles) -> tuple[_Rows, _Rows]:
    if not files.complete:
        return before.rows(None).without(after.rows(None)), after.rows(None).without(before.rows(None))
    gone, new = before.rows(files.removed), after.rows(files.added)
    if not files.kept:
        return gone, new
    keys = _keys(before, after, files)
    kept_before, kept_after = before.rows(files.kept, keys(before)), after.rows(files.kept, keys(after))
    if files.masks:
        gone = gone.and_also(kept_before.without(kept_after))
    if files.unmasks:
        new = new.and_also(kept_after.without(kept_before))
    return gone, new


def _keys(before: _Side, after: _Side, files: TouchedFiles) -> Callable[[_Side], str | None]:
    """Of kept files that only equality deletes reach, rows whose keys none of them can hold stay where they are.

    The condition must leave out the same rows on both sides, so it names columns that both can be filtered by.
    """
    deletes = (*files.deletes_added, *files.deletes_removed)
    if files.again or any(delete.content != _EQUALITY_DELETES for delete in deletes):
        return lambda _: None
    keyed = [replace(delete, statistics=delete.statistics.of(delete.equality_ids or ())) for delete in deletes]
    both = before.filters & after.filters
    return lambda side: file_predicates.predicate(keyed, side.own, side.source.specs, only=both)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows of one snapshot, as a frame and as text."""

    frame: DataFrame
    sql: str
    empty: bool = False

    def and_also(self, other: _Rows) -> _Rows:
        if self.empty or other.empty:
            return other if self.empty else self
        return _Rows(self.frame.unionAll(other.frame), f"{self.sql}\nUNION ALL\n{other.sql}")

    def without(self, other: _Rows) -> _Rows:
        """Those that are not in `other`, by file and position."""
        sql = f"SELECT here.* FROM (\n{self.sql}\n) AS here LEFT ANTI JOIN (\n{other.sql}\n) AS there"  # noqa: S608 - quoted
        sql += "\nON here._file = there._file AND here._pos = there._pos"
        places = other.frame.select(F.col("_file").alias("file"), F.col("_pos").alias("pos"))
        # Its columns are named through it: the table may have columns of these names.
        same = (F.col("_file") == places["file"]) & (F.col("_pos") == places["pos"])
        return _Rows(self.frame.join(places, same, "left_anti"), sql if self.sql else "")

    def once(self) -> _Rows:
        """Each place once: of a file that is listed twice readers give the rows twice."""
        names = ", ".join(identifiers.quoted([name]) for name in self.frame.columns)
        numbered = "row_number() OVER (PARTITION BY _file, _pos ORDER BY _pos) AS _time_read"
        sql = f"SELECT {names} FROM (\nSELECT *, {numbered} FROM (\n{self.sql}\n)\n) WHERE _time_read = 1"  # noqa: S608 - quoted
        return _Rows(self.frame.dropDuplicates([*PLACE]), sql if self.sql else "", self.empty)


@dataclass(frozen=True)
class _Side:
    """One of the two snapshots, read with its own schema and told in the target's."""

    source: Source
    snapshot_id: int
    frame: DataFrame
    own: Schema
    target: Schema
    filters: frozenset[int]
    row_ids: bool

    def rows(self, files: Sequence[StoredEntry] | None, condition: str | None = None) -> _Rows:
        """Visible rows of these files, or of all if None, that meet the condition."""
        conditions = [condition] if condition else []
        paths = [] if files is None else [file.file_path for file in files]
        if files:
            bounded = file_predicates.predicate(files, self.own, self.source.specs, only=self.filters)
            conditions += [bounded] if bounded else []
        frame = self.frame
        for part in conditions:
            frame = frame.where(part)
        in_files = ""
        if files is not None:
            in_files = f"_file IN ({', '.join(map(text, paths))})" if paths else "false"
        if in_files and len(paths) <= _PATHS_IN_A_CONDITION:
            frame = frame.where(in_files)
        elif in_files:
            wanted = F.broadcast(local_rows(self.source.spark, [(path,) for path in paths], "file STRING"))
            frame = frame.join(wanted, F.col("_file") == wanted["file"], "left_semi")
        selected = [*schema_mapping.select(self.own, self.target), *PLACE, *self._lineage()]
        sql = ""
        relation = self.source.located.relation
        if relation is not None:
            where = " AND ".join(
                [*conditions, in_files] if in_files else conditions
            )  # no part has an OR outside brackets
            sql = f"SELECT {', '.join(selected)}\nFROM {relation} VERSION AS OF {self.snapshot_id}"
            sql += f"\nWHERE {where}" if where else ""
        return _Rows(frame.selectExpr(*selected), sql, empty=files is not None and not files)

    def _lineage(self) -> Sequence[str]:
        return LINEAGE if self.row_ids else [f"CAST(NULL AS BIGINT) AS {name}" for name in LINEAGE]
