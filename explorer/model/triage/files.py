"""The lifetimes of all files seen from one head, as columns that signatures and figures count with."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from ..arrays import NULL, Flags, Indices, Longs, codes, numbers
from ..iceberg.lifetime_events import Events
from ..iceberg.lifetimes import Lifetimes
from ..iceberg.metadata import Snapshot


class Files:
    """Lifetimes of files as columns, seen from one head. A lifetime is a number; each array has one item a lifetime."""

    def __init__(self, lifetimes: Lifetimes, head: int) -> None:
        self.lifetimes, self.head = lifetimes, head
        self.order = lifetimes.order

    @cached_property
    def live(self) -> Flags:
        """Whether the head holds it."""
        return self.lifetimes.live_at(self.head)

    @cached_property
    def kind(self) -> Indices:
        """0 data, 1 position deletes, 2 equality deletes, 3 deletion vectors."""
        return self.lifetimes.kinds

    @cached_property
    def records(self) -> Longs:
        """Rows; 0 where it is not recorded."""
        return np.maximum(numbers(self.lifetimes.column("record_count")), 0)

    @cached_property
    def size(self) -> Longs:
        """Bytes; of a deletion vector its own part of its file."""
        size = numbers(self.lifetimes.column("file_size_in_bytes"))
        part = numbers(self.lifetimes.column("content_size_in_bytes"))
        return np.maximum(np.where(part == NULL, size, part), 0)

    @cached_property
    def spec(self) -> Longs:
        """Id of the partition spec."""
        return numbers(self.lifetimes.column("spec_id"))

    @cached_property
    def _partitions(self) -> tuple[Longs, list[str]]:
        code, names = codes(self.lifetimes.column("partition"))
        return code, [name or "" for name in names.to_pylist()]

    @cached_property
    def place(self) -> Longs:
        """A code for spec and partition together."""
        code, names = self._partitions
        return self.spec * max(1, len(names)) + code

    def partition(self, lifetime: int) -> str:
        """`region=EU`; empty if unpartitioned."""
        code, names = self._partitions
        return names[int(code[lifetime])]

    @cached_property
    def path_of_entry(self) -> Indices:
        """By entry of `Lifetimes.entries`, a code for the path and the offset in it; from 0 without gaps."""
        return self.lifetimes.file

    @cached_property
    def path(self) -> Indices:
        """The same by lifetime: a file that was added twice has one code."""
        return self.path_of_entry[self.lifetimes.rows]

    @cached_property
    def one_of_path(self) -> Longs:
        """By code of `path` one lifetime."""
        found = np.full(int(self.path.max(initial=-1)) + 1, -1)
        found[self.path[::-1]] = np.arange(len(self.path))[::-1]
        return found

    def times(self, lifetimes: Longs | Flags) -> Longs:
        """By code of `path`, how many of some lifetimes have it."""
        return np.bincount(self.path[lifetimes], minlength=len(self.one_of_path))

    @cached_property
    def are_repeated(self) -> Flags:
        """By code of `path`, whether a file was added more than once."""
        return np.bincount(self.path) > 1

    @cached_property
    def path_only(self) -> tuple[Longs, pa.Array]:
        """A code for the path alone, and the paths."""
        return codes(self.lifetimes.column("file_path"))

    @cached_property
    def target(self) -> Longs:
        """Of a delete that names one data file the code of its path in `path_only`; -2 if no file has it.

        -1 of all others.
        """
        named = self.lifetimes.targets
        if named.null_count == len(named):  # most tables: their million paths need no codes
            return np.full(len(named), -1)
        _, paths = self.path_only
        at = pa.compute.index_in(named, value_set=paths)
        found = np.asarray(pa.compute.fill_null(at, -2), dtype=np.int64)
        return np.where(np.asarray(pa.compute.is_valid(named)), found, -1)

    @cached_property
    def masking(self) -> Flags:
        """Whether it is a live position delete file or vector, but for those of one data file that is not live."""
        positions: Flags = self.live & ((self.kind == 1) | (self.kind == 3))
        if not positions.any():
            return positions
        code, paths = self.path_only
        is_live = np.zeros(len(paths) + 2, dtype=bool)  # the last two are of the targets -2 and -1
        is_live[code[self.live & (self.kind == 0)]] = True
        is_live[-1] = True
        found: Flags = positions & is_live[self.target]
        return found

    def on_line(self, events: Events) -> Flags:
        """By event, whether it happened on the line of the head."""
        return self.lifetimes.on_line(events.place, self.head)

    @cached_property
    def begun(self) -> Flags:
        """By lifetime, whether a commit of the line began it."""
        return self._of(self.lifetimes.begins) >= 0

    @cached_property
    def ended_at(self) -> Longs:
        """By lifetime, the place of the commit of the line that ended it; -1 of those that none did."""
        return self._of(self.lifetimes.ends)

    def _of(self, events: Events) -> Longs:
        """By lifetime, the place of its event on the line; -1 if it had none."""
        on_line = self.on_line(events)
        found = np.full(self.lifetimes.count, -1)
        found[events.lifetime[on_line]] = events.place[on_line]
        return found

    def added_by(self, snapshot: Snapshot) -> Longs:
        """Lifetimes that a commit added."""
        return self._at(self.added, snapshot)

    def removed_by(self, snapshot: Snapshot) -> Longs:
        """Lifetimes that a commit removed."""
        return self._at(self._ends, snapshot)

    @cached_property
    def added(self) -> tuple[Longs, Longs]:
        """Where in the order of commits lifetimes begin, rising, and which."""
        return _sorted(self.lifetimes.begins)

    @cached_property
    def _ends(self) -> tuple[Longs, Longs]:
        return _sorted(self.lifetimes.ends)

    def _at(self, events: tuple[Longs, Longs], snapshot: Snapshot) -> Longs:
        places, lifetimes = events
        # numpy makes all places as wide as what it looks for, each time that it looks: ten thousand commits ask
        place = places.dtype.type(self.lifetimes.place.get(snapshot.snapshot_id, -1))
        return lifetimes[slice(*np.searchsorted(places, np.array([place, place + 1])))]

    def born_at(self, lifetime: int) -> Snapshot | None:
        """The listed commit that added it; None if it is not listed."""
        return self.lifetimes.metadata.by_id.get(int(self.lifetimes.added_id[lifetime]))

    def name(self, lifetime: int) -> str:
        """The path."""
        return str(self.lifetimes.paths(np.array([lifetime]))[0].as_py())

    def names(self, lifetimes: Longs, most: int = 200) -> tuple[str, ...]:
        """The paths of some."""
        return tuple(self.lifetimes.paths(lifetimes[:most]).to_pylist())


def _sorted(events: Events) -> tuple[Longs, Longs]:
    order = np.argsort(events.place, kind="stable")
    return events.place[order], events.lifetime[order]
