"""The rows of data files as a reader of one snapshot sees them, as a frame and as text: how every picture scans them.

Asked for `_deleted`, Iceberg gives the rows too that deletes mask there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.document import Schema
from ...model.iceberg.inheritance import StoredEntry
from .. import identifiers
from ..source import Source
from . import chosen_files, file_predicates, schema_mapping, table_rows
from .chosen_files import ChosenFile
from .local_rows import local_rows
from .reading import refuse_reserved
from .schema_mapping import all_filterable, bounded, current_schema, schema_of, text

# A longer list of paths makes a plan that takes longer to make than the rows that it saves take to read.
_PATHS_IN_A_CONDITION = 1_000
# Each alternative of a condition takes Spark milliseconds to plan: as long as it takes to read what these say.
_FILES_OF_AN_ALTERNATIVE, _BYTES_OF_AN_ALTERNATIVE = 32, 8 * 2**20
# So many other files, or bytes of them, take longer to be opened than it takes to make the tasks of some.
_MANY_FILES, _MANY_BYTES = 256, 2**28
# Iceberg makes a task of every four small files, and a task takes longer to start than they take to read.
_LEAST_TASKS, _BYTES_A_TASK = 8, 32 * 2**20


def own_schema(source: Source, snapshot_id: int) -> Schema:
    """The schema with which a listed snapshot is read.

    Raises:
        ExplorerError: a column is called as one that Iceberg keeps for itself.
    """
    own = schema_of(source.document, snapshot_id)
    refuse_reserved(schema_mapping.columns(own), "The rows cannot be told.")
    return own


@dataclass(frozen=True, eq=False)
class FileRows:
    """Rows of data files in a snapshot.

    Attributes:
        run: SELECT of them, as Spark is asked; empty where it takes more than text.
        shown: the same for the person, without what is hidden; empty where SQL cannot name the table.
        scans: whether the snapshot is scanned, which takes every manifest of it; else the files are read by themselves.
    """

    run: str
    shown: str
    _made: Callable[[], DataFrame]
    scans: bool = True

    @cached_property
    def frame(self) -> DataFrame:
        """The rows, lazy."""
        return self._made()


def file_rows(
    source: Source,
    snapshot_id: int,
    files: Sequence[StoredEntry] | None,
    selected: Sequence[str],
    *,
    hidden: Sequence[str] = (),
    keys: Sequence[StoredEntry] = (),
    known: str = "",
    condition: str = "",
    chosen: Sequence[ChosenFile] = (),
    row_ids: bool = False,
) -> FileRows:
    """Rows of these files in a snapshot, or of all if None.

    Args:
        source: the table.
        snapshot_id: listed; in which the files are live.
        files: entries, with statistics if the rows are to be found by them.
        selected: SQL expressions over the columns of the snapshot and Iceberg's metadata columns.
        hidden: more of these, which the frame has and the text has not.
        keys: equality deletes, each with the statistics of its keys alone: rows that none of them can hold may be left
            out.
        known: SQL that is true of each of these rows, by which Iceberg can skip others; it has no OR outside brackets.
        condition: SQL over what is selected, which the rows meet.
        chosen: the same files as `chosen_files` reads them, each of which the snapshot lists once; none if not all that
            it takes is known.
        row_ids: whether `_row_id` is among what is selected.

    Raises:
        ExplorerError: as of `own_schema`.

    Cost: now, at most analysis; when the frame is read, those of the files that Iceberg cannot skip by partition,
        bounds and row groups, nor by the condition where it may (`all_filterable`); of other files inside their bounds
        the rows are read too, and left out by `_file`; not where `chosen` files lie among many others.
    """
    own, current = own_schema(source, snapshot_id), current_schema(source.document)
    filters = bounded(own, source.document)
    worth = alternatives(source, snapshot_id, files or ())
    bounds = [  # none has an OR outside brackets
        predicate
        for entries, most in ((files, worth), (keys, file_predicates.MOST_ALTERNATIVES))
        if entries
        and (predicate := file_predicates.predicate(entries, own, source.specs, only=filters, alternatives=most))
    ]
    bounds += [known] if known else []
    conditions, relation = list(bounds), source.located.relation
    paths = list(dict.fromkeys(file.file_path for file in files or ()))
    if files is not None:
        conditions.append(f"_file IN ({', '.join(map(text, paths))})" if paths else "false")
    few, is_filtered_right = len(paths) <= _PATHS_IN_A_CONDITION, all_filterable(own, current)
    by_itself = None
    if chosen and (source.alone or _are_among_many(source, snapshot_id, files or ())):
        by_itself = chosen_files.rows(source, own, chosen, row_ids=row_ids)
    if by_itself is not None:
        rows = by_itself.selectExpr(*selected, *hidden)
    elif relation is not None and few and is_filtered_right:  # a plan is analysed anew for each call, and a text once
        run, shown = (
            _meeting(_select(columns, relation, snapshot_id, conditions), condition)
            for columns in ([*selected, *hidden], selected)
        )
        return FileRows(run, shown, lambda: source.spark.sql(run))
    else:
        rows = _scanned(source, snapshot_id, paths if not few else (), conditions if few else bounds).selectExpr(
            *selected, *hidden
        )
        if not is_filtered_right:  # whoever has the frame, or the text, may filter it
            rows = table_rows.read_whole(rows)
    shown = ""
    if relation is not None and is_filtered_right:
        shown = _meeting(_select(selected, relation, snapshot_id, conditions), condition)
    elif relation is not None:
        inside = _select([*selected, table_rows.READ_WHOLE], relation, snapshot_id, conditions)
        outside = [identifiers.quoted([name]) for name in rows.columns[: len(selected)]]
        shown = table_rows.read_whole_sql(inside, outside, condition)
    if condition:
        rows = rows.where(condition)
    return FileRows("", shown, lambda: rows, scans=by_itself is None)


def _scanned(source: Source, snapshot_id: int, paths: Sequence[str], conditions: Sequence[str]) -> DataFrame:
    """The rows of a snapshot that meet conditions; of these files alone, if there are any."""
    frame = table_rows.at(source, snapshot_id)
    if paths:
        wanted = F.broadcast(local_rows(source.spark, [(path,) for path in paths], "file STRING"))
        frame = frame.join(wanted, F.col("_file") == wanted["file"], "left_semi")
    return frame.where(" AND ".join(conditions)) if conditions else frame


def in_few_tasks(size_in_bytes: int) -> str:
    """The hint of a SELECT that reads files of so many bytes."""
    return f"/*+ COALESCE({max(_LEAST_TASKS, size_in_bytes // _BYTES_A_TASK)}) */"


def _select(columns: Sequence[str], relation: str, snapshot_id: int, conditions: Sequence[str]) -> str:
    select = f"SELECT {', '.join(columns)}\n    FROM {relation} VERSION AS OF {snapshot_id}"  # noqa: S608 - quoted
    return select + (f"\n    WHERE {' AND '.join(conditions)}" if conditions else "")


def _meeting(select: str, condition: str) -> str:
    """Those of the rows that meet a condition; all, if it is empty."""
    if not condition:
        return select
    return f"SELECT * FROM (\n    {select}\n)\nWHERE {condition}"  # noqa: S608 - quoted


@dataclass(frozen=True, slots=True)
class Others:
    """Data files of a snapshot beside given ones: how many, and their bytes together."""

    files: int
    size_in_bytes: int

    @property
    def are_many(self) -> bool:
        """Whether opening them for nothing takes longer than finding out how not to."""
        return self.files >= _MANY_FILES or self.size_in_bytes >= _MANY_BYTES


def others(source: Source, snapshot_id: int, files: Sequence[StoredEntry]) -> Others | None:
    """What a snapshot has beside these of its data files; None if its writer did not count them."""
    snapshot = source.metadata.by_id[snapshot_id]
    count, size = snapshot.count("total-data-files"), snapshot.count("total-files-size")
    if count is None or size is None:
        return None
    own = {file.file_path: file.file_size_in_bytes for file in files}
    return Others(count - len(own), size - sum(own.values()))


def _are_among_many(source: Source, snapshot_id: int, files: Sequence[StoredEntry]) -> bool:
    beside = others(source, snapshot_id, files)
    return beside is not None and beside.are_many


def alternatives(source: Source, snapshot_id: int, files: Sequence[StoredEntry]) -> int:
    """How many alternatives a condition on these files is worth, by what the snapshot has beside them."""
    beside = others(source, snapshot_id, files)
    if beside is None:
        return file_predicates.MOST_ALTERNATIVES
    return max(beside.files // _FILES_OF_AN_ALTERNATIVE, beside.size_in_bytes // _BYTES_OF_AN_ALTERNATIVE)
