"""Manifest entries of a whole history, put together to lifetimes: where each file begins to be live, and where it ends.

No entry of a million costs a Python object here: entries and lifetimes are columns, and a lifetime is a number. It is
live at a snapshot if it begins more often than it ends among the snapshot and its ancestors, so a commit on a branch
removes a file there and nowhere else.

Sources: Iceberg specification, "Manifests" (status, snapshot_id), "Sequence Number Inheritance", "Deletion Vectors".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Flags, Indices, Longs, begins_run, codes, codes_of_texts, numbers
from . import file_paths
from .inheritance import ListedManifest, Status
from .lifetime_events import (
    BY_ABSENCE,
    BY_ENTRY,
    IN_BETWEEN,
    THERE_BEFORE,
    Events,
    by_place,
    each_once,
    events_at,
    of_places,
)
from .lifetime_plan import Step
from .lineage import Forest
from .lost_manifests import LostManifests
from .metadata import Ref, Snapshot, TableMetadata
from .sequence_number_inheritance import listed_numbers, sequence_numbers, snapshot_ids

_NUMBERS = ["manifest", "status", "snapshot_id", "sequence_number", "file_sequence_number"]


class Lifetimes:
    """The lifetimes of all files of a history.

    Args:
        metadata: the table's.
        order: every listed snapshot, in commit order.
        manifests: rows of the manifest lists, one per distinct manifest.
        steps: of `lifetime_plan.steps`.
        entries: the entries of the manifests that `lifetime_plan.to_read` names; columns of `StoredHistory.entries`.
        unread: indices of manifests that could not be read.

    Attributes:
        count: how many there are. `rows[lifetime]` is the entry that tells of it: ADDED if there is one.
        file: by entry, a number for its path and the offset in it.
        data_sequence_number, file_sequence_number: of each lifetime, as a reader sees them; `NULL` if unknown.
        added_id: id of the snapshot that added each lifetime, `NULL` if unknown; added_number: its sequence number.
        begins, ends: where lifetimes begin and end in the listed history.
        steps: by place, how each snapshot is known.
        ended_before: (lifetime, snapshot id, sequence number or `NULL`) of removals by snapshots that are not listed.
    """

    def __init__(
        self,
        metadata: TableMetadata,
        order: Sequence[Snapshot],
        manifests: Sequence[ListedManifest],
        steps: Sequence[Step],
        entries: pa.Table,
        unread: Iterable[int],
    ) -> None:
        self.metadata, self.order, self.manifests, self.entries = metadata, tuple(order), manifests, entries
        self.place = {s.snapshot_id: i for i, s in enumerate(self.order)}
        self.forest = Forest(metadata)
        self._descend()
        self._unread = frozenset(unread)
        self._by_number = {s.sequence_number: s.snapshot_id for s in self.order if s.sequence_number}
        self._resolve()
        self._name()
        self._number_lifetimes()
        self._represent()
        del self.entry_data_number, self.entry_file_number  # of a million entries they take megabytes
        self._correct_removers()
        self._begin_and_end(steps)
        del self.status, self.snapshot_id, self.lifetime

    def _descend(self) -> None:
        """Number the snapshots so that the descendants of each are those from its `_first` to before its `_end`."""
        above = [self.forest.parent[s.snapshot_id] for s in self.order]
        parents = [-1 if parent is None else self.place.get(parent, -1) for parent in above]
        parents = [p if p < i else -1 for i, p in enumerate(parents)]  # a circle, which only a damaged file has
        size = np.ones(len(parents), dtype=np.int64)
        for i in range(len(parents) - 1, -1, -1):
            if parents[i] >= 0:
                size[parents[i]] += size[i]
        first = np.zeros(len(parents), dtype=np.int64)
        free = 0
        following = np.zeros(len(parents), dtype=np.int64)
        for i, parent in enumerate(parents):
            if parent < 0:
                first[i], free = free, free + size[i]
            else:
                first[i] = following[parent]
                following[parent] += size[i]
            following[i] = first[i] + 1
        self._first, self._end = first, first + size

    # Entries ---------------------------------------------------------------------------------------------------------

    def _resolve(self) -> None:
        """What a reader sees of each entry."""
        self.manifest = np.asarray(self.entries["manifest"], dtype=np.int32)
        self.status = np.asarray(self.entries["status"], dtype=np.int8)
        self.snapshot_id, self.entry_data_number, self.entry_file_number = (
            np.empty(len(self.status), np.int64) for _ in range(3)
        )
        every = pa.array(np.arange(len(self.manifests)))
        writers, listed = (
            listed_numbers(self.manifests, name, every) for name in ("added_snapshot_id", "sequence_number")
        )
        at = 0
        # In batches, since what is made on the way to each number takes as much as these.
        for entries in self.entries.select(_NUMBERS).to_batches():
            here = slice(at, at := at + len(entries))
            stored, manifest, number = entries.column, entries["manifest"], listed.take(entries["manifest"])
            self.snapshot_id[here] = numbers(snapshot_ids(stored("snapshot_id"), writers.take(manifest)))
            for name, found in (
                ("sequence_number", self.entry_data_number),
                ("file_sequence_number", self.entry_file_number),
            ):
                found[here] = numbers(sequence_numbers(stored(name), stored("status"), number))

    def _name(self) -> None:
        """A number for each file: its path, and where in it a deletion vector begins."""
        folders, stored = self.entries["folder"].combine_chunks(), self.entries["content_offset"]
        within = np.asarray(pc.fill_null(folders.indices, pa.scalar(len(folders.dictionary), pa.int32())))
        paths = codes_of_texts(self.entries["file_name"], within)
        if stored.null_count < len(stored):
            offsets, distinct = codes(stored)
            paths = np.unique(paths * np.int64(len(distinct)) + offsets, return_inverse=True)[1]
        self.file: Indices = paths.astype(np.int32)

    def _number_lifetimes(self) -> None:
        """A code for each lifetime. Nearly every file has one; only the others are looked at one by one."""
        self.lifetime = self.file.copy()
        self.count = int(self.file.max(initial=-1)) + 1
        again = np.flatnonzero(np.bincount(self.file)[self.file] > 1)
        adder = np.where(self.status[again] == Status.ADDED, self.snapshot_id[again], NULL)
        several = np.zeros(self.count, dtype=bool)
        for column in (adder, self.entry_data_number[again], self.entry_file_number[again]):
            several |= _differ(self.file[again], column, self.count)
        rows: dict[int, list[int]] = defaultdict(list)
        for row in again[several[self.file[again]]].tolist():
            rows[int(self.file[row])].append(row)
        for of_one_file in rows.values():
            self._split(of_one_file)

    def _split(self, rows: list[int]) -> None:
        """Give the entries of a file that was added repeatedly to its lifetimes: by their numbers, else by descent."""
        found: list[tuple[int, int, int, int]] = []  # code of the lifetime, data and file number, who added it
        # Where expired snapshots break the descent, what a commit removed is what others carried along for it.
        carried = Counter(int(self.snapshot_id[row]) for row in rows if self.status[row] == Status.EXISTING)

        def lifetime_of(row: int) -> int:
            own = int(self.entry_data_number[row]), int(self.entry_file_number[row])
            near = [f for f in found if all(NULL in (a, b) or a == b for a, b in zip(f[1:3], own, strict=True))]
            by, status = int(self.snapshot_id[row]), self.status[row]
            if status == Status.ADDED or len(near) > 1:
                if status == Status.DELETED:
                    line = {i: n for n, i in enumerate(self.forest.lineage(by))}
                    near.sort(key=lambda f: (line.get(f[3], len(line)), -carried[f[3]]))
                else:
                    near = [f for f in near if f[3] == by] or ([] if status == Status.ADDED else near)
            if near:
                return near[0][0]
            code = int(self.lifetime[rows[0]]) if not found else self.count
            self.count += bool(found)
            found.append((code, *own, NULL if status == Status.DELETED else by))
            return code

        rank = {Status.ADDED: 0, Status.EXISTING: 1, Status.DELETED: 2}
        ordered = sorted(rows, key=lambda r: (rank[Status(int(self.status[r]))], self.entry_file_number[r], r))
        known = [(row, lifetime_of(row)) for row in ordered]
        for row, lifetime in known:
            self.lifetime[row] = lifetime

    def _represent(self) -> None:
        self.rows: Indices = np.zeros(self.count, dtype=np.int32)
        for status in (Status.DELETED, Status.EXISTING, Status.ADDED):  # what is put down last, counts
            found = np.flatnonzero(self.status == status)[::-1]
            self.rows[self.lifetime[found]] = found
        self.data_sequence_number = self.entry_data_number[self.rows]
        self.file_sequence_number = _or_same(self.data_sequence_number, self.entry_file_number[self.rows])
        ids = self.snapshot_id[self.rows]
        for lifetime in np.flatnonzero(self.status[self.rows] == Status.DELETED):  # its entry names who removed it
            ids[lifetime] = self._by_number.get(int(self.file_sequence_number[lifetime]), NULL)
        self.added_id = ids
        places = self._places(ids)
        listed = np.array([s.sequence_number for s in self.order], dtype=np.int64)
        added = self.file_sequence_number.copy()
        added[places >= 0] = listed[places[places >= 0]]
        self.added_number = _or_same(self.file_sequence_number, added)

    def _correct_removers(self) -> None:
        """Some writers leave the id of who added the file in its DELETED entry: who wrote the manifest removed it."""
        deleted = np.flatnonzero(self.status == Status.DELETED)
        kept = deleted[self.snapshot_id[deleted] == self.added_id[self.lifetime[deleted]]]
        writers = numbers(listed_numbers(self.manifests, "added_snapshot_id", pa.array(self.manifest[kept])))
        self.snapshot_id[kept] = np.where(writers == NULL, self.snapshot_id[kept], writers)

    # Begins and ends -------------------------------------------------------------------------------------------------

    def _places(self, snapshot_ids: Longs) -> Indices:
        """Places in `order`, -1 for a snapshot that is not listed."""
        ids = np.array(sorted(self.place), dtype=np.int64)
        places = np.array([self.place[i] for i in ids.tolist()], dtype=np.int32)
        if not len(ids):
            return np.full(len(snapshot_ids), -1, dtype=np.int32)
        # What one commit wrote stands together mostly, and is looked for once.
        first = np.flatnonzero(begins_run(snapshot_ids))
        asked = snapshot_ids[first]
        at = np.minimum(np.searchsorted(ids, asked), len(ids) - 1)
        found = np.where(ids[at] == asked, places[at], -1)
        return np.repeat(found, np.diff(first, append=len(snapshot_ids)))

    def _begin_and_end(self, steps: Sequence[Step]) -> None:
        self.steps = {self.place[s.snapshot_id]: s for s in steps}
        places = self._places(self.snapshot_id)
        added, deleted = self.status == Status.ADDED, self.status == Status.DELETED
        listed = places >= 0
        begins, ends = (
            events_at(self.lifetime[some], places[some], BY_ENTRY) for some in (added & listed, deleted & listed)
        )
        more_begins, more_ends, after = self._compared([s for s in steps if not s.is_explained])
        self.begins = each_once(begins, *more_begins)
        self.ends = each_once(ends, *more_ends)
        if after:
            self.ends = each_once(ends, *more_ends, *self._gone_between(after))
        self.ended_before = self._ended_before(np.flatnonzero(deleted & ~listed))

    def _ended_before(self, rows: Longs) -> tuple[tuple[int, int, int], ...]:
        """Removals that an expired snapshot left in manifests which are still listed."""
        found = set()
        for row in rows.tolist():
            manifest, by = self.manifests[self.manifest[row]], int(self.snapshot_id[row])
            own = manifest.added_snapshot_id == by and manifest.sequence_number is not None
            found.add((int(self.lifetime[row]), by, manifest.sequence_number if own else int(NULL)))
        return tuple(sorted(found))

    def _compared(self, steps: Sequence[Step]) -> tuple[list[Events], list[Events], list[tuple[Step, Indices]]]:
        """Begins and ends of steps that entries do not explain: live files before and after, by name.

        And what is live after those of the steps that skip snapshots.
        """
        begins, ends, live = list[Events](), list[Events](), list[tuple[Step, Indices]]()
        if not steps:
            return begins, ends, live
        by_manifest = np.argsort(self.manifest, kind="stable")
        sorted_manifests = self.manifest[by_manifest]
        added, deleted = self.status == Status.ADDED, self.status == Status.DELETED

        def rows_of(indices: Iterable[int]) -> Longs:
            asked = np.array(sorted(indices), dtype=np.int64)
            first, end = (np.searchsorted(sorted_manifests, asked, side) for side in ("left", "right"))
            return np.concatenate([by_manifest[:0], *(by_manifest[a:b] for a, b in zip(first, end, strict=True))])

        lost = LostManifests(self._unread)
        for step in steps:
            at = self.place[step.snapshot_id]
            old, new = rows_of(step.dropped), rows_of(step.new)
            left = new[~deleted[new]]
            after, first = np.unique(self.lifetime[left], return_index=True)
            known = np.unique(self.lifetime[old[~deleted[old]]])
            before = np.union1d(known, lost.dropped_with(step, after))
            own = new[np.isin(self.snapshot_id[new], [step.snapshot_id, *step.skipped])]
            born, died = (np.unique(self.lifetime[own[kind[own]]]) for kind in (added, deleted))
            fresh = ~np.isin(after, before) & ~np.isin(after, born)
            places = np.full(int(fresh.sum()), at)
            adders = self._places(self.snapshot_id[left[first[fresh]]])
            if step.dropped & self._unread:  # which may have told of them
                told = (adders >= 0) & self.on_line(adders, at)
                places[told] = adders[told]
            for skipped in step.skipped:
                places[adders == self.place[skipped]] = self.place[skipped]
            begins.append(events_at(after[fresh], places, THERE_BEFORE if step.why_unknown else BY_ABSENCE))
            gone = before[~np.isin(before, after) & ~np.isin(before, died)]
            if lost.brought_by(step, gone):
                continue
            is_certain = np.isin(gone, known) & (not step.skipped)
            for some, evidence in ((is_certain, BY_ABSENCE), (~is_certain, IN_BETWEEN)):
                ends.append(events_at(gone[some], np.full(int(some.sum()), at), evidence))
            # Added and removed again by commits of which one is not known.
            passing = died[~np.isin(died, before) & ~np.isin(died, born)]
            for skipped in step.skipped:
                lifetimes = passing[self.added_id[passing] == skipped]
                begins.append(events_at(lifetimes, np.full(len(lifetimes), self.place[skipped]), BY_ENTRY))
            if step.skipped:
                live.append((step, after))
        return begins, ends, live

    def _gone_between(self, live: Sequence[tuple[Step, Indices]]) -> Iterator[Events]:
        """Ends of what skipped snapshots added, as manifests of other branches say, and what is not live after them."""
        begins, ends = (by_place(events) for events in (self.begins, self.ends))
        for step, after in live:
            between, at = [self.place[i] for i in step.skipped], self.place[step.snapshot_id]
            came, went = of_places(begins, between), of_places(ends, [*between, at])
            gone = np.unique(came[~np.isin(came, after) & ~np.isin(came, went)])
            yield events_at(gone, np.full(len(gone), at), IN_BETWEEN)

    # Questions -------------------------------------------------------------------------------------------------------

    def on_line(self, place: Longs, head: int) -> Flags:
        """Whether the snapshot at each place is the one at `head`, or an ancestor of it."""
        found: Flags = (self._first[place] <= self._first[head]) & (self._first[head] < self._end[place])
        return found

    def live_at(self, head: int) -> Flags:
        """By lifetime, whether the snapshot at this place of `order` holds it live."""
        begins, ends = (self._counted(events, head) for events in (self.begins, self.ends))
        return begins > ends

    def ever_on(self, head: int) -> Flags:
        """By lifetime, whether it began or ended on the line to the snapshot at this place."""
        return (self._counted(self.begins, head) + self._counted(self.ends, head)) > 0

    def has_begun(self, ends: Events) -> Flags:
        """By end, whether the lifetime began in the known history before: not where all that was before is unknown."""
        found = np.ones(len(ends.lifetime), dtype=bool)
        at_start = np.isin(ends.place, [place for place, step in self.steps.items() if step.why_unknown])
        for n in np.flatnonzero(at_start):
            first, end = np.searchsorted(self.begins.lifetime, [ends.lifetime[n], ends.lifetime[n] + 1])
            found[n] = bool(np.any(self.on_line(self.begins.place[first:end], int(ends.place[n]))))
        return found

    def _counted(self, events: Events, head: int) -> Longs:
        return np.bincount(events.lifetime[self.on_line(events.place, head)], minlength=self.count)

    def lacks(self, content: int) -> bool:
        """Whether a manifest of data files (0), or one of deletes (1), could not be read: there may be more files."""
        return any(self.manifests[i].content == content for i in self._unread)

    @cached_property
    def refs(self) -> tuple[Ref, ...]:
        """Refs whose snapshots are listed: main, then branches, then tags."""
        listed = (ref for ref in self.metadata.refs.values() if ref.snapshot_id in self.place)
        return tuple(sorted(listed, key=lambda ref: (ref.name != "main", ref.kind != "branch", ref.name)))

    def column(self, name: str, lifetimes: Longs | slice = slice(None)) -> pa.Array:
        """A column of the entries, or `file_path`, by lifetime; of some lifetimes or all."""
        if name == "file_path":
            return file_paths.whole(*(self.column(part, lifetimes) for part in ("folder", "file_name")))
        found = self.entries[name].take(pa.array(self.rows[lifetimes]))
        return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found

    def paths(self, lifetimes: Longs) -> pa.Array:
        """The paths of the files of some lifetimes."""
        return self.column("file_path", lifetimes)

    @cached_property
    def kinds(self) -> Indices:
        """By lifetime, the index of its kind in `KINDS`."""
        kinds = np.asarray(self.column("content")).astype(np.int8)
        positions = np.flatnonzero(kinds == 1)
        formats = self.column("file_format", positions).cast(pa.string())
        kinds[positions[np.asarray(pc.equal(pc.utf8_upper(formats), "PUFFIN"), dtype=bool)]] = 3
        return kinds

    @cached_property
    def targets(self) -> pa.Array:
        """By lifetime, the one data file that a deletion vector or position delete file names; null for all others.

        A position delete file names one also by equal bounds of its paths.
        """
        positions = np.flatnonzero(np.isin(self.kinds, (1, 3)))
        lower, upper = (self.column(name, positions) for name in ("lower_path", "upper_path"))
        by_bounds = pc.if_else(pc.fill_null(pc.equal(lower, upper), False), lower, pa.scalar(None, lower.type))
        named = pc.coalesce(self.column("referenced_data_file", positions), by_bounds.cast(pa.string()))
        place = np.full(self.count, -1, dtype=np.int32)
        place[positions] = np.arange(len(positions))
        return named.take(pa.array(place, mask=place < 0))


def _or_same(held: Longs, column: Longs) -> Longs:
    """A column that is only read, or the one that is held already where they are the same, as they mostly are."""
    return held if np.array_equal(held, column) else column


def _differ(lifetime: Indices, column: Longs, count: int) -> Flags:
    """By lifetime, whether two of its entries say different numbers."""
    known = column != NULL
    lifetime, column = lifetime[known], column[known]
    said = np.zeros(count, dtype=np.int64)
    said[lifetime] = column
    found = np.zeros(count, dtype=bool)
    found[lifetime[said[lifetime] != column]] = True
    return found
