"""The rows that meet a condition at a snapshot, masked ones too, and which deletes hold them by content."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ..errors import ExplorerError
from ..model.deletes.stored_deletes import StoredDeletes
from ..model.iceberg.delete_scope import DeleteKey
from ..model.iceberg.document import Schema
from ..model.iceberg.file_lives import FileLife
from ..model.iceberg.inheritance import StoredEntry
from ..model.iceberg.touched_files import Cost, deletes_of
from ..model.iceberg.unreadable import Unreadable
from ..model.why.facts import MOST_ELSEWHERE
from ..model.why.facts import Row as MatchingRow
from . import identifiers
from .files import manifests as stored_manifests
from .files.candidates import Candidates, Filter, candidates, condition_filter
from .files.live_files import data_manifests, live_entries, live_rows
from .rows import cells as row_cells
from .rows import chosen_files, conditions, schema_mapping
from .rows.chosen_files import ChosenFile
from .rows.file_rows import FileRows, file_rows, own_schema
from .rows.holding import DeleteContents, Held
from .rows.local_rows import local_rows
from .rows.readable import readable
from .rows.reading import as_nothing, is_of_files, refusing
from .rows.schema_mapping import all_filterable, current_schema, fields
from .source import Source

ROWS = 50
_DATA, _KEYS = 0, 2  # content of a data file, and of an equality delete file
_PLACE = ("_file", "_pos")
_BESIDE = (("_file", "string"), ("_pos", "long"), ("_deleted", "boolean"))
_ABOUT = "-- Rows that meet a condition, masked ones too: asking for _deleted makes Iceberg give them\n"


@dataclass(frozen=True)
class Matching:
    """Rows that meet a condition.

    Attributes:
        columns: names, of the schema in which the rows are told: of the current snapshot the table's, else its own.
        rows: with their values in the order of `columns`; by file and position, the first ones.
        live: rows that can be read, of all that meet the condition; masked: rows that deletes mask.
        frame: the rows at hand with their own columns, `_file`, `_pos` and `_deleted`, to be joined with what deletes
            hold.
        sql: a statement that a person can run; empty if the table has no name.
        unreadable: data files whose rows are not known, and why.
        lacks_manifests: whether files of a manifest are not known that cannot be read.
    """

    columns: tuple[str, ...]
    rows: tuple[MatchingRow, ...]
    live: int
    masked: int
    frame: DataFrame
    sql: str
    unreadable: tuple[Unreadable, ...] = ()
    lacks_manifests: bool = False


def matching(source: Source, snapshot_id: int, condition: str, stored: StoredDeletes, *, most: int = ROWS) -> Matching:
    """The rows that meet a condition, live and masked: Iceberg gives masked ones where `_deleted` is asked for.

    Args:
        source: the table.
        snapshot_id: listed in the table's metadata.
        condition: SQL over the columns of `Matching` and, from version 3 on, `_row_id`; as after WHERE: `id = 12345`.
        stored: the snapshot's live deletes.
        most: rows that are brought here; all are counted.

    Raises:
        ExplorerError: the condition is not one over these columns, or the rows cannot be read.

    Cost: a scan of the data files whose partition and bounds can meet the condition; a second one if there are more
        rows than `most`. Where one of the files cannot be read, several more.
    """
    asked = _Asked(source, snapshot_id, condition, _schema(source, snapshot_id, condition))
    try:
        with refusing(_refused(condition), of_data=conditions.advice(asked.told)):
            return asked.told_from(asked.rows(None), most)
    except ExplorerError as error:
        if not is_of_files(error) or (files := asked.files(stored)) is None:
            raise
        with refusing(_refused(condition)):
            found, lost = readable(files.entries, lambda some: as_nothing(asked.rows(some).frame))
            if not found:
                raise
            told = asked.told_from(asked.rows(found), most)
            return replace(told, unreadable=tuple(lost), lacks_manifests=files.lacks_manifests)


@dataclass(frozen=True)
class _Files:
    """The data files that can hold rows, and whether they lack those of a manifest that cannot be read."""

    entries: Sequence[ChosenFile]
    lacks_manifests: bool


@dataclass(frozen=True)
class _Asked:
    """A condition that is asked of a snapshot.

    Attributes:
        told: the schema in which the rows are told.
    """

    source: Source
    snapshot_id: int
    condition: str
    told: Schema

    def rows(self, files: Sequence[ChosenFile] | None) -> FileRows:
        """Those that meet the condition: of these files by themselves, or by a scan if None."""
        own = own_schema(self.source, self.snapshot_id)
        values = [identifiers.quoted([name]) for name in schema_mapping.columns(self.told)]
        if self.told != own:
            values = schema_mapping.select(own, _with_dropped(self.told, own))
        ids = [name for name, _ in _row_id(self.source, self.snapshot_id)]
        if files is not None and not self._names_row_ids:  # which cannot be read of every file by itself
            ids = []
        return file_rows(
            replace(self.source, alone=files is not None),
            self.snapshot_id,
            None if files is None else [file.entry for file in files],
            [*values, *_PLACE, "_deleted", *ids],
            condition=self.condition,
            chosen=files or (),
            row_ids=bool(ids),
        )

    @property
    def _names_row_ids(self) -> bool:
        return conditions.ROW_ID[0] in self.condition.lower()

    def told_from(self, scan: FileRows, most: int) -> Matching:
        """The first of these rows, brought here, and how many there are."""
        columns, found = schema_mapping.columns(self.told), scan.frame
        cells = ", ".join(row_cells.value_text(field) for field in found.schema.fields[: len(columns)])
        texts = found.selectExpr(*_PLACE, "_deleted", f"array({cells}) AS values").orderBy(*_PLACE)
        rows = [MatchingRow(r._file, r._pos, tuple(r["values"]), r._deleted) for r in texts.limit(most + 1).collect()]
        masked = sum(row.masked for row in rows)
        live = len(rows) - masked
        if len(rows) > most:
            counts = {r["_deleted"]: r["count"] for r in found.groupBy("_deleted").count().collect()}
            live, masked = counts.get(False, 0), counts.get(True, 0)
        rows = rows[:most]
        places = [(row.file_path, row.position) for row in rows]
        here = F.broadcast(local_rows(self.source.spark, places, "_file STRING, _pos BIGINT"))
        sql = f"{_ABOUT}{scan.shown}\nORDER BY _file, _pos" if scan.shown else ""
        return Matching(columns, tuple(rows), live, masked, found.join(here, [*_PLACE], "left_semi"), sql)

    def files(self, stored: StoredDeletes) -> _Files | None:
        """The data files that can hold such rows; None if not all deletes are known, or none can be read by itself."""
        if not chosen_files.can_read(self.source) or stored.delete_count > len(stored.deletes):
            return None
        found = self.candidates(stored)
        by_path = {manifest.path: manifest for manifest in stored.listed}
        lost = {file.path for file in (*found.unreadable_files, *stored.unreadable_files)}
        if any(by_path[path].content != _DATA for path in lost):
            return None
        data, deletes = (
            [FileLife.of(entry, by_path[entry.manifest_path], 0, 1) for entry in entries]
            for entries in (live_entries(found.entries), stored.deletes)
        )
        return _Files(chosen_files.at(0, data, deletes, self.source.specs), bool(lost))

    def candidates(self, stored: StoredDeletes) -> Candidates:
        """The entries of data files that can hold such rows, by partition and statistics."""
        own = own_schema(self.source, self.snapshot_id)
        by: Filter | str = ""
        if all_filterable(own, current_schema(self.source.document)):
            by = condition_filter(self.condition, self.told, self.source.specs)
        admits, field_ids = (by.admits, by.field_ids) if isinstance(by, Filter) else (lambda _: True, ())
        return candidates(self.source, data_manifests(stored.listed), admits, field_ids)


def _refused(condition: str) -> str:
    """What to say where the rows cannot be read."""
    return f"The rows with {condition} could not be read."


def _schema(source: Source, snapshot_id: int, condition: str) -> Schema:
    """The schema in which rows are told, of whose columns the condition can be asked; else it is refused."""
    told = _told_schema(source, snapshot_id)
    conditions.check(source, told, condition, _refused(condition), *_BESIDE, *_row_id(source, snapshot_id))
    return told


def _told_schema(source: Source, snapshot_id: int) -> Schema:
    """Of the current snapshot that of the table, as whoever reads the table sees it; else that of the snapshot."""
    if snapshot_id == source.metadata.current_snapshot_id:
        return current_schema(source.document)
    return own_schema(source, snapshot_id)


def _with_dropped(told: Schema, own: Schema) -> Schema:
    """The schema with those columns of a snapshot that it has no longer: deletes may name them as keys."""
    kept = {field["id"] for field in fields(told)}
    dropped = (field for field in fields(own) if field["id"] not in kept)
    return {**told, "fields": [*fields(told), *({**field, "name": f"_dropped_{field['id']}"} for field in dropped)]}


def _row_id(source: Source, snapshot_id: int) -> list[tuple[str, str]]:
    """The row id, where rows of the snapshot have one."""
    return [] if source.metadata.by_id[snapshot_id].first_row_id is None else [conditions.ROW_ID]


def cost(source: Source, snapshot_id: int, condition: str, stored: StoredDeletes) -> Cost:
    """What `matching` and `holding` read at most, told by partitions and statistics.

    Args:
        source: the table.
        snapshot_id: listed in the table's metadata.
        condition: as of `matching`.
        stored: the snapshot's live deletes.

    Raises:
        ExplorerError: the condition is not one over these columns.

    Cost: the data manifests.
    """
    asked = _Asked(source, snapshot_id, condition, _schema(source, snapshot_id, condition))
    found = asked.candidates(stored)
    data = live_entries(found.entries)
    in_scope = deletes_of(stored.deletes, source.specs)
    keys = [delete for delete in stored.deletes if delete.content == _KEYS]
    elsewhere = keys if data and sum(delete.file_size_in_bytes for delete in keys) <= MOST_ELSEWHERE else []
    content = {
        (delete.file_path, delete.content_offset): delete.content_size_in_bytes or delete.file_size_in_bytes
        for delete in (*elsewhere, *(delete for file in data for delete in in_scope(file)))
    }
    return Cost(
        len(data),
        sum(file.file_size_in_bytes for file in data) + sum(content.values()),
        sum(file.record_count for file in data),
        bool(found.unreadable_files) or stored.delete_count > len(stored.deletes),
    )


def data_entries(source: Source, stored: StoredDeletes, paths: Iterable[str]) -> tuple[StoredEntry, ...]:
    """The live entries of these data files, with statistics.

    Cost: nothing if `stored` holds them, else the data manifests.
    """
    wanted = set(paths)
    if stored.data is not None:
        return tuple(entry for entry in stored.data if entry.file_path in wanted)
    manifests = data_manifests(stored.listed)
    found = live_rows(stored_manifests.entries(source, manifests, statistics=True))
    return stored_manifests.stored_entries(found.where(F.col("file_path").isin(list(wanted))).collect())


def holding(
    source: Source,
    snapshot_id: int,
    matched: Matching,
    deletes: Sequence[StoredEntry],
) -> tuple[frozenset[Held], dict[DeleteKey, str]]:
    """Which of these deletes hold which of the rows, and why the content of some is not known.

    Args:
        source: the table.
        snapshot_id: whose schema the rows have.
        matched: of `matching`.
        deletes: entries of those in question.

    Cost: the content of these deletes, and the rows once more.
    """
    if not matched.rows:
        return frozenset(), {}
    contents = DeleteContents(source, deletes)
    told, own = _told_schema(source, snapshot_id), own_schema(source, snapshot_id)
    rows = matched.frame.persist()  # whole: without its `_deleted` Iceberg leaves masked rows out
    try:
        asked = rows.selectExpr(*_PLACE, contents.keys.of_rows(_with_dropped(told, own)))
        places = [(row.file_path, row.position) for row in matched.rows]
        return contents.holding(places, lambda: F.broadcast(asked)), contents.unreadable
    finally:
        rows.unpersist()
