"""The versions of rows that meet a condition, on one line: each data file read once, and what deletes hold of them.

Each file is read as of a snapshot in which it is live; asked for `_deleted`, Iceberg gives the rows too that deletes
mask there. A row is told in the table's current schema, and so is the condition asked.

Versions of a row that was updated often lie in as many files, of which no two were live at once: as many scans, each of
which is planned and started anew. A few files are therefore read by themselves, all in one job.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...errors import ExplorerError
from ...model.biography.facts import Line
from ...model.biography.visibility import ReadRow
from ...model.iceberg.document import Schema
from ...model.iceberg.file_lives import FileLife, reading_places
from ...model.iceberg.schema import NAME_MAPPING, fields, is_wider
from ...model.iceberg.unreadable import Unreadable
from .. import identifiers
from ..rows import chosen_files, conditions, schema_mapping
from ..rows.cells import value_text
from ..rows.chosen_files import ChosenFile
from ..rows.equal_values import exact_text
from ..rows.file_rows import FileRows, file_rows, own_schema
from ..rows.holding import DeleteContents, ReadKeys
from ..rows.local_rows import local_rows
from ..rows.reading import is_of_files, refusing
from ..rows.schema_mapping import current_schema
from ..source import Source

_FILES_SHOWN = 1_000
# It takes about as long to plan and start a scan as to describe so many files, or to read so many bytes without leaving
# out what the condition rules out.
_FILES_OF_A_SCAN, _BYTES_OF_A_SCAN = 32, 8 * 2**20
_FAILURES = 8  # after so many files that cannot be read the others are not tried one by one
_ABOUT = """\
-- Every version of these rows, each file in one snapshot in which it is live; asking for _deleted gives masked ones too
"""
_IDS = ("_row_id", "_last_updated_sequence_number")
_BESIDE = (("_file", "string"), ("_pos", "long"))


@dataclass(frozen=True)
class Asked:
    """What is asked of rows.

    Attributes:
        condition: SQL over the columns of the current schema, and `_row_id` with `row_ids`.
        order: indices of the columns by which rows are cut where they are too many.
        row_ids: whether the table has row ids.
        most: rows that are brought here.
        meets: whether it is the person's condition that they meet.
        needed: whether it is refused where not one of the files can be read; else these are told to be unreadable.
    """

    condition: str
    order: Sequence[int]
    row_ids: bool
    most: int
    meets: bool = True
    needed: bool = True


@dataclass(frozen=True)
class Found:
    """Rows of one line.

    Attributes:
        rows: by the columns of `Asked.order`; the first ones, if they are more. total: all that there are.
        unreadable: data files and delete files that could not be read, and why.
        sql: a statement that gives these rows; empty if the table has no name, or the files are too many.
    """

    rows: tuple[ReadRow, ...]
    total: int
    unreadable: tuple[Unreadable, ...]
    sql: str


def check(source: Source, condition: str) -> None:
    """Nothing, if the condition can be asked; reads nothing.

    Raises:
        ExplorerError: it is not one over the columns of the current schema, or the table has a column that is called as
            one that Iceberg keeps for itself.
    """
    what = f"The rows with {condition} could not be told."
    ids = [conditions.ROW_ID] if source.metadata.format_version >= 3 else []
    conditions.check(source, current_schema(source.document), condition, what, *_BESIDE, *ids)


def rows(
    source: Source,
    line: Line,
    data: Sequence[FileLife],
    deletes: Sequence[FileLife],
    asked: Asked,
    *,
    unreadable: Collection[int] = (),
    damaged: Collection[int] = (),
    listed_again: bool = False,
) -> Found:
    """The rows of data files on a line that meet a condition, seen or masked.

    Args:
        source: the table.
        line: whose places the lives count.
        data: lives of the data files.
        deletes: lives of the deletes that can apply to them.
        asked: of the rows.
        unreadable: ids of snapshots whose manifest list cannot be read: nothing is read there.
        damaged: ids of those that list a manifest that cannot be read: read only where no other one will do.
        listed_again: whether a commit listed one of the files several times, which is one life: only a scan gives its
            rows as often.

    Raises:
        ExplorerError: the condition fails on a value; or not one of the files can be read.

    Cost: the data files that Iceberg cannot skip by the condition, or all where they are few, each once; twice for the
        row ids of those with deletes. And the content of the deletes.
    """
    contents = DeleteContents(source, (life.entry for life in deletes))
    known = [
        (p, s.snapshot_id) for p, s in enumerate(line.snapshots) if s is not None and s.snapshot_id not in unreadable
    ]
    places, whole = [place for place, _ in known], _shared(data)
    # Files without field ids are read by names: a column that was added since may be one that they have.
    latest = NAME_MAPPING in source.metadata.properties
    at = reading_places(whole, [place for place, snapshot_id in known if snapshot_id not in damaged], latest=latest)
    if damaged:
        at |= reading_places(_beside(whole, at), places, latest=latest)
    nowhere = [life.entry.file_path for life in _beside(whole, at)]
    reading = _Reading(source, line, asked, contents.keys, places, data, deletes, listed_again=listed_again)
    found, total = reading.read(at)
    held = _held(source, contents, found)
    told = tuple(
        ReadRow(
            row._file,
            row._pos,
            tuple(row["values"]),
            tuple(row.same),
            row.row_id,
            row.last_updated,
            reading.place_of[row._file],
            row.deleted,
            frozenset(held.get((row._file, row._pos), ())),
            asked.meets,
        )
        for row in found
    )
    why = "It was live only in snapshots whose manifest lists cannot be read."
    lost = (
        *(Unreadable(path, "missing", why) for path in nowhere),
        *reading.unreadable,
        *(Unreadable(path, "damaged", why) for (path, _), why in contents.unreadable.items()),
    )
    return Found(told, total, lost, reading.sql(at))


def _beside(lives: Sequence[FileLife], at: Mapping[int, Sequence[FileLife]]) -> list[FileLife]:
    """Those that are read at none of these places."""
    here = {id(life) for read in at.values() for life in read}
    return [life for life in lives if id(life) not in here]


def _held(source: Source, contents: DeleteContents, found: Sequence[Row]) -> Mapping[tuple[str, int], set[str]]:
    """By place of a row, the delete files that hold it."""
    held: dict[tuple[str, int], set[str]] = defaultdict(set)
    if found:
        rows = [(row._file, row._pos, row["_keys"]) for row in found]
        columns = "_file STRING, _pos BIGINT, _keys ARRAY<ARRAY<STRING>>"

        def asked() -> DataFrame:
            return F.broadcast(local_rows(source.spark, rows, columns))

        for place, (path, _) in contents.holding([(path, pos) for path, pos, _ in rows], asked):
            held[place].add(path)
    return held


def _shared(data: Iterable[FileLife]) -> list[FileLife]:
    """For each file the time in which most of its lives are shared: read then, it gives the rows of all of them."""
    found = []
    for lives in _by_path(data).values():
        most = max(lives, key=lambda life: sum(other.since <= life.since < other.until for other in lives))
        until = min(life.until for life in lives if life.since <= most.since < life.until)
        found.append(replace(most, until=until))
    return found


def _by_path(data: Iterable[FileLife]) -> dict[str, list[FileLife]]:
    found: dict[str, list[FileLife]] = defaultdict(list)
    for life in data:
        found[life.entry.file_path].append(life)
    return found


def _take_less(at: Mapping[int, Sequence[FileLife]]) -> bool:
    """Whether it takes less to read these files by themselves than by a scan of each place."""
    files = [life.entry for lives in at.values() for life in lives]
    few = len(files) <= len(at) * _FILES_OF_A_SCAN
    return len(at) > 1 and few and sum(file.file_size_in_bytes for file in files) <= len(at) * _BYTES_OF_A_SCAN


class _Reading:
    """The rows of one line, read in the fewest snapshots."""

    def __init__(
        self,
        source: Source,
        line: Line,
        asked: Asked,
        keys: ReadKeys,
        places: Sequence[int],
        data: Sequence[FileLife],
        deletes: Sequence[FileLife],
        *,
        listed_again: bool,
    ) -> None:
        self._source, self._line, self._asked, self._keys, self._places = source, line, asked, keys, places
        self._deletes, self._listed_again = deletes, listed_again
        self._lives = _by_path(data)
        self._refused = f"The rows with {asked.condition} could not be read."
        self._target = current_schema(source.document)
        self.unreadable: list[Unreadable] = []
        self.place_of: dict[str, int] = {}  # by file, where it was read
        self._shown: dict[int, str] = {}

    def read(self, at: Mapping[int, Sequence[FileLife]]) -> tuple[list[Row], int]:
        """The rows of files, by the place at which each is read; and how many there are."""
        if not at:
            return [], 0
        try:
            return self._collected(at)
        except ExplorerError as error:
            if not is_of_files(error):
                apart = {place: why for place in at if (why := self._of_other_types(place))}
                if not apart:
                    raise
                lost = ((life.entry.file_path, why) for place, why in apart.items() for life in at[place])
                self.unreadable += [Unreadable(path, "refused", why) for path, why in lost]
                return self.read({place: lives for place, lives in at.items() if place not in apart})
            found = [row for place, lives in at.items() for row in self._tried(place, lives)]
            if self._asked.needed and len(self.unreadable) == sum(map(len, at.values())):
                raise
        found.sort(
            key=lambda row: ([row.same[i] or "" for i in self._asked.order], row.row_id or 0, row._file, row._pos)
        )
        return found[: self._asked.most], len(found)

    def _of_other_types(self, place: int) -> str:
        """Why rows of a place may not be told in the columns of today, a sentence; empty if they can.

        A replaced table gives the id of a column another type.
        """
        own = self._own(place)
        now = {field.field_id: field for field in fields(self._target)}
        known = [(field, now[field.field_id]) for field in fields(own) if field.field_id in now]
        apart = [
            f"{was.path} was of the type {was.type} and {is_now.path} is of the type {is_now.type} now"
            for was, is_now in known
            if was.type != is_now.type and not is_wider(was.type, is_now.type)
        ]
        return f"Its rows cannot be told in the columns of today: {'; '.join(apart)}." if apart else ""

    def _tried(self, place: int, lives: Sequence[FileLife]) -> Iterator[Row]:
        """What can be read of these files, which some of them do not let be read together."""
        if len(self.unreadable) >= _FAILURES:
            why = "It was not tried, since other files of this snapshot cannot be read."
            self.unreadable += [Unreadable(life.entry.file_path, "missing", why) for life in lives]
            return
        try:
            yield from self._collected({place: lives}, alone=True)[0]
        except ExplorerError as error:
            if len(lives) == 1:
                first = next((p for p in self._places if lives[0].since <= p < lives[0].until), place)
                if first != place:  # where fewer deletes, which may be what cannot be read, apply to it
                    yield from self._tried(first, lives)
                else:
                    self.unreadable.append(Unreadable(lives[0].entry.file_path, "missing", error.found))
                return
            half = len(lives) // 2
            yield from self._tried(place, lives[:half])
            yield from self._tried(place, lives[half:])

    def _collected(self, at: Mapping[int, Sequence[FileLife]], *, alone: bool = False) -> tuple[list[Row], int]:
        with refusing(self._refused, of_data=conditions.advice(self._target)):
            scans = [self._scan(place, lives) for place, lives in at.items()]
            read: Sequence[str | DataFrame] = self._by_themselves(at, anyhow=alone)
            read = read or [rows.run or rows.frame for rows in scans]
            frames: dict[str, Any] = {f"rows_{i}": rows for i, rows in enumerate(read) if not isinstance(rows, str)}
            written = identifiers.escaped if frames else str  # without frames braces mean themselves
            union = "\nUNION ALL\n".join(
                f"SELECT {written(self._texts)}\nFROM "
                + (f"(\n{written(rows)}\n)" if isinstance(rows, str) else f"{{rows_{i}}}")
                for i, rows in enumerate(read)
            )
            order = ", ".join([*(f"same[{i}]" for i in self._asked.order), "row_id", "same", "_file", "_pos"])
            ordered = f"{union}\nORDER BY {order}\nLIMIT {self._asked.most + 1}"
            found = self._source.spark.sql(ordered, **frames).collect()
            total = len(found) if len(found) <= self._asked.most else self._source.spark.sql(union, **frames).count()
        self.place_of |= {life.entry.file_path: place for place, lives in at.items() for life in lives}
        return found[: self._asked.most], total

    @cached_property
    def _texts(self) -> str:
        """Columns: _file, _pos, deleted, row_id, last_updated; values and same, texts; and _keys."""
        columns = schema_mapping.spark_schema(self._source, self._target).fields
        same = [exact_text(identifiers.quoted([field.name]), field.dataType) for field in columns]
        return (
            "_file, _pos, _deleted AS deleted, _row_id AS row_id, _last_updated_sequence_number AS last_updated,"
            f" array({', '.join(map(value_text, columns))}) AS values, array({', '.join(same)}) AS same, _keys"
        )

    def _scan(self, place: int, lives: Sequence[FileLife]) -> FileRows:
        """The rows of files that meet the condition, in the target's columns, and with their keys."""
        snapshot_id = self._snapshot_id(place)
        selected, hidden = self._selected(place)
        files = [life.entry for life in lives]
        condition = self._asked.condition
        rows = file_rows(self._source, snapshot_id, files, selected, hidden=hidden, condition=condition)
        self._shown.setdefault(place, rows.shown)  # later some of these files alone are tried
        return rows

    def _by_themselves(self, at: Mapping[int, Sequence[FileLife]], *, anyhow: bool) -> list[DataFrame]:
        """The same of all these places, in few frames; none where scans are needed, or take less.

        Args:
            at: lives by the place at which they are read.
            anyhow: whether no scan will do, since it would open other files.
        """
        if not (anyhow or (_take_less(at) and not self._listed_again)):
            return []
        alike: dict[tuple[int | None, bool], list[int]] = defaultdict(list)
        for place in at:
            alike[self._own(place).get("schema-id"), self._has_ids(place)].append(place)
        found = []
        for (_, has_ids), places in alike.items():
            own, (selected, hidden) = self._own(places[0]), self._selected(places[0])
            together = [file for place in places for file in self._chosen(place, at[place])]
            rows = chosen_files.rows(self._source, own, together, row_ids=has_ids)
            if rows is None:
                return []
            found.append(rows.selectExpr(*selected, *hidden).where(self._asked.condition))
        return found

    def _chosen(self, place: int, lives: Sequence[FileLife]) -> list[ChosenFile]:
        """Files as they are read at a place: one that two commits list is read twice, as by a scan."""
        listed = [
            life
            for path in {life.entry.file_path for life in lives}
            for life in self._lives[path]
            if life.since <= place < life.until
        ]
        return chosen_files.at(place, listed, self._deletes, self._source.specs)

    def _selected(self, place: int) -> tuple[list[str], list[str]]:
        """What is selected of the rows of a place: the target's columns; and what is not shown, with the keys."""
        own = self._own(place)
        selected = [*schema_mapping.select(own, self._target), "_file", "_pos", "_deleted"]
        ids = [name if self._has_ids(place) else f"CAST(NULL AS BIGINT) AS {name}" for name in _IDS]
        hidden = [self._keys.of_rows(own)]
        (selected if self._asked.row_ids else hidden).extend(ids)
        return selected, hidden

    def _has_ids(self, place: int) -> bool:
        snapshot = self._line.snapshots[place]
        return self._asked.row_ids and snapshot is not None and snapshot.first_row_id is not None

    def _own(self, place: int) -> Schema:
        return own_schema(self._source, self._snapshot_id(place))

    def _snapshot_id(self, place: int) -> int:
        snapshot = self._line.snapshots[place]
        if snapshot is None:
            raise ValueError("nothing is read where there is no snapshot")
        return snapshot.snapshot_id

    def sql(self, at: Mapping[int, Sequence[FileLife]]) -> str:
        """The same as text; empty where SQL cannot name the table, and of too many files."""
        if self._source.located.relation is None or sum(map(len, at.values())) > _FILES_SHOWN or not self._shown:
            return ""
        return _ABOUT + "\nUNION ALL\n".join(self._shown.values())
