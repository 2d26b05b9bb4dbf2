"""The files that may hold some rows, and the deletes that can apply to them: with their lives on each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...model.arrays import NULL, Flags, Longs
from ...model.biography.facts import Line, Price
from ...model.iceberg.file_lives import FileLife, applies
from ...model.iceberg.file_paths import with_whole
from ...model.iceberg.inheritance import Status, StoredEntry, resolve
from ...model.iceberg.lifetime_events import Events
from ...model.iceberg.line_lives import lives
from ...model.iceberg.statistics import Statistics
from ...model.iceberg.touched_files import PATH_OF_POSITION_DELETE
from ...model.sequence_timeline.bands import SCOPES
from ...queries.files.candidates import Filter, candidates
from ...queries.source import Source
from .timelines import Timelines

Entries = Mapping[int, StoredEntry]
"""Entries of data files by their lifetimes."""
_EVERY_FILE, _PARTITION, _ONE_FILE = (SCOPES.index(scope) for scope in ("every file", "partition", "one file"))
_DATA = 0  # index of the kind


@dataclass(frozen=True, slots=True)
class LineFiles:
    """Data files on a line, and the deletes that can apply to them; with their lives."""

    data: tuple[FileLife, ...]
    deletes: tuple[FileLife, ...]


class RowFiles:
    """Files of a history, asked for the rows that they may hold.

    Args:
        source: the table, with the manifests that are kept of it.
        timelines: its files from birth to removal, and what is kept decoded.
        lines: of the table, the one that is asked about first.
    """

    def __init__(self, source: Source, timelines: Timelines, lines: Sequence[Line]) -> None:
        self._decoded = timelines.decoded
        self._source, self._lines = replace(source, decoded=self._decoded), lines
        self._lifetimes, self._columns = timelines.history.lifetimes, timelines.history.columns
        self._first_row_ids: dict[int, int | None] = {}
        self._ids = [[None if s is None else s.snapshot_id for s in line.snapshots] for line in lines]

    @cached_property
    def data(self) -> Longs:
        """Lifetimes of all data files."""
        found: Longs = np.flatnonzero(self._columns.kind == _DATA)
        return found

    def admitted(self, by: Filter) -> Entries:
        """The data files that may hold a row; one whose manifest cannot be read may.

        Cost: the data manifests of the history, with statistics.
        """
        lifetimes = self._lifetimes
        manifest_of = lifetimes.manifest[lifetimes.rows[self.data]]
        manifests = [lifetimes.manifests[i] for i in np.unique(manifest_of).tolist()]
        paths = [lifetimes.manifests[i].path for i in manifest_of.tolist()]
        told_by = list(zip(paths, lifetimes.paths(self.data).to_pylist(), strict=True))
        found = candidates(self._source, manifests, by.admits, by.field_ids, among=set(told_by))
        self._decoded.forget_much()
        known = {(entry.manifest_path, entry.file_path): entry for entry in found.entries}
        by_path = {manifest.path: manifest for manifest in manifests}
        unread = {unreadable.path for unreadable in found.unreadable_files}
        entries: dict[int, StoredEntry] = {}
        without: list[int] = []
        for lifetime, entry in zip(self.data.tolist(), told_by, strict=True):
            if entry in known:
                entries[lifetime] = known[entry]
                self._first_row_ids[lifetime] = resolve(by_path[entry[0]], known[entry]).first_row_id.value
            elif entry[0] in unread:
                without.append(lifetime)
        return entries | self.entries(without)

    def entries(self, lifetimes: Iterable[int]) -> dict[int, StoredEntry]:
        """The entries of these lifetimes, without statistics but for the paths that position deletes name."""
        chosen = np.fromiter(lifetimes, np.int64)
        rows = with_whole(self._lifetimes.entries.take(pa.array(self._lifetimes.rows[chosen]))).to_pylist()
        found = {}
        for lifetime, row in zip(chosen.tolist(), rows, strict=True):
            lower, upper = (
                {} if row[name] is None else {PATH_OF_POSITION_DELETE: row[name]}
                for name in ("lower_path", "upper_path")
            )
            found[lifetime] = StoredEntry(
                manifest_path=self._lifetimes.manifests[row["manifest"]].path,
                position=0,
                status=row["status"],
                stored_snapshot_id=row["snapshot_id"],
                stored_sequence_number=row["sequence_number"],
                stored_file_sequence_number=row["file_sequence_number"],
                stored_first_row_id=None,
                content=row["content"],
                file_path=row["file_path"],
                file_format=row["file_format"],
                spec_id=row["spec_id"],
                partition=row["partition"],
                record_count=row["record_count"],
                file_size_in_bytes=row["file_size_in_bytes"],
                equality_ids=None if row["equality_ids"] is None else tuple(row["equality_ids"]),
                referenced_data_file=row["referenced_data_file"],
                content_offset=row["content_offset"],
                content_size_in_bytes=row["content_size_in_bytes"],
                statistics=Statistics(lower_bounds=lower, upper_bounds=upper),
            )
        return found

    def are_listed_again(self, data: Sequence[FileLife]) -> bool:
        """Whether one of some files has several entries in its manifest: a scan gives its rows as often."""
        paths = {(self._index[life.entry.manifest_path], life.entry.file_path) for life in data}
        entries = self._lifetimes.entries
        names = pa.array(sorted({path.rpartition("/")[2] for _, path in paths}), pa.string())
        is_named = pc.is_in(entries["file_name"], names)  # few of them, before their paths are put together
        told = with_whole(entries.filter(pc.and_(is_named, pc.not_equal(entries["status"], int(Status.DELETED)))))
        each = zip(told["manifest"].to_pylist(), told["file_path"].to_pylist(), strict=True)
        return any(count > 1 for place, count in Counter(each).items() if place in paths)

    @cached_property
    def _index(self) -> dict[str, int]:
        """The index of each manifest, by its path."""
        return {manifest.path: index for index, manifest in enumerate(self._lifetimes.manifests)}

    def added_at(self, paths: Collection[str]) -> dict[str, int]:
        """By path of a data file the sequence number of the commit that first added it, where it has one."""
        wanted = pc.is_in(self._lifetimes.paths(self.data), pa.array(sorted(paths), pa.string()))
        chosen = self.data[np.asarray(wanted, dtype=bool)]
        numbers = self._lifetimes.file_sequence_number[chosen].tolist()
        names = self._lifetimes.paths(chosen).to_pylist()
        known = ((name, number) for name, number in zip(names, numbers, strict=True) if number not in (NULL, 0))
        return dict(sorted(known, key=lambda pair: -pair[1]))

    def deletes_of(self, entries: Entries) -> dict[int, StoredEntry]:
        """The deletes of the history in whose scope these data files lie; numbers are not looked at."""
        if not entries:
            return {}
        every = np.flatnonzero(self._columns.kind != _DATA)
        deletes, _ = self._in_scope(every, np.fromiter(entries, np.int64))
        return self.entries(every[deletes].tolist())

    def _in_scope(self, deletes: Longs, data: Longs) -> tuple[Flags, Flags]:
        """Which of these deletes have one of these data files in their scope, and which files lie in that of one.

        `touched_files.place_of` and `places_of` for columns: sequence numbers are not looked at.
        """
        columns = self._columns
        scope, place = columns.scope[deletes], columns.place
        named, paths = columns.target.take(pa.array(deletes)), self._lifetimes.paths(data)
        everywhere, in_partition = scope == _EVERY_FILE, scope == _PARTITION
        hit: Flags = everywhere & bool(len(data))
        hit = hit | (in_partition & np.isin(place[deletes], place[data]))
        hit = hit | ((scope == _ONE_FILE) & np.asarray(pc.is_in(named, paths, skip_nulls=True), dtype=bool))
        reached: Flags = np.isin(place[data], place[deletes[in_partition]]) | bool(everywhere.any())
        return hit, reached | np.asarray(pc.is_in(paths, named, skip_nulls=True), dtype=bool)

    def on_line(self, index: int, entries: Entries, deletes: Entries) -> LineFiles:
        """The files with their lives on a line; on a fork only those to whose rows its commits did something."""
        line, ids = self._lines[index], self._ids[index]
        data = lives(self._lifetimes, entries, ids, self._first_row_ids)
        masking = lives(self._lifetimes, deletes, ids)
        if index and line.begins != "expired":
            moving = [life for life in masking if life.since or life.until < line.end]
            specs = self._source.specs
            touched = {
                life.entry.file_path
                for life in data
                if life.since or life.until < line.end or any(applies(delete, life, specs) for delete in moving)
            }
            data = tuple(life for life in data if life.entry.file_path in touched)
        return LineFiles(data, masking if data else ())

    def lines_of(self, lifetimes: Iterable[int]) -> set[int]:
        """Indices of the lines on which one of these files came or went, or was found, and of the first."""
        wanted = np.fromiter(lifetimes, np.int64)
        owner = {
            i: index for index, ids in enumerate(self._ids) for place, i in enumerate(ids) if place and i is not None
        }
        order = self._lifetimes.order
        found = {0}
        for index, line in enumerate(self._lines):
            oldest = line.snapshots[0]
            if line.begins != "expired" or oldest is None:
                continue
            if self._lifetimes.live_at(self._lifetimes.place[oldest.snapshot_id])[wanted].any():
                found.add(index)
        for events in (self._lifetimes.begins, self._lifetimes.ends):
            places = np.unique(events.place[np.isin(events.lifetime, wanted)]).tolist()
            found |= {owner[order[p].snapshot_id] for p in places if order[p].snapshot_id in owner}
        return found

    def came(self, snapshot_id: int) -> set[int]:
        """Lifetimes of the data files that came with a commit."""
        return self._at(self._lifetimes.begins, snapshot_id)

    def takes(self, snapshot_id: int) -> bool:
        """Whether a commit removed data files or added deletes."""
        return bool(self._at(self._lifetimes.ends, snapshot_id) or len(self._deletes_at(snapshot_id)))

    def went(self, snapshot_id: int) -> set[int]:
        """Lifetimes of the data files that went with a commit, and of those that its deletes can reach."""
        return self._at(self._lifetimes.ends, snapshot_id) | self._reached(self._deletes_at(snapshot_id), snapshot_id)

    def _deletes_at(self, snapshot_id: int) -> Longs:
        begins = self._lifetimes.begins
        own = begins.lifetime[begins.place == self._lifetimes.place[snapshot_id]]
        found: Longs = own[self._columns.kind[own] != _DATA]
        return found

    def _at(self, events: Events, snapshot_id: int) -> set[int]:
        own = events.lifetime[events.place == self._lifetimes.place[snapshot_id]]
        return set(own[self._columns.kind[own] == _DATA].tolist())

    def _reached(self, deletes: Longs, snapshot_id: int) -> set[int]:
        is_live = self._lifetimes.live_at(self._lifetimes.place[snapshot_id])
        live = np.flatnonzero(is_live & (self._columns.kind == _DATA))
        return set(live[self._in_scope(deletes, live)[1]].tolist())

    def price(self, entries: Entries, deletes: Entries, pruned: bool, reason: str) -> Price:
        """What reading takes."""
        data = {entry.file_path: entry.file_size_in_bytes for entry in entries.values()}
        content = {
            (entry.file_path, entry.content_offset): entry.content_size_in_bytes or entry.file_size_in_bytes
            for entry in deletes.values()
        }
        every = len(pc.unique(self._lifetimes.paths(self.data)))
        size = sum(data.values()) + sum(content.values())
        return Price(len(data), every, len(content), size, pruned, reason)
