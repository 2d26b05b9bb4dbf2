"""What each delete reaches, counted over columns of data files: for snapshots whose pairs are too many to be made.

Data files come a part at a time, and only counts of them are kept; the rule is that of `delete_scope`, by number as
`iceberg.reach_columns` counts it, and only statistics are compared file by file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Flags, Longs, codes, distinct, numbers
from ..iceberg.bounds_columns import as_whole, decoded_once
from ..iceberg.key_ranges import KeyColumn, KeyRange
from ..iceberg.reach_columns import DataByPlace, of_named
from .by_partition import MOST_WITHOUT_DELETES, Place, most_deletes
from .counted import CountedApart, CountedNamed, DeleteCounts, ScopedDelete
from .facts import Partition
from .stored_deletes import StoredDeletes

MOST_COMPARED = 100_000_000
"""Up to so many pairs that meet by place and sequence number have their statistics compared."""


def without_deletes(stored: StoredDeletes) -> DeleteCounts:
    """The counts of a snapshot without a live delete: data files as the manifest list counts them."""
    by_spec: Counter[int] = Counter()
    for manifest in stored.listed:
        if not manifest.content:
            files = (manifest.added_files_count or 0) + (manifest.existing_files_count or 0)
            by_spec[manifest.partition_spec_id or 0] += files
    return DeleteCounts(by_spec.total(), by_spec, (), 0, {}, {}, {}, {})


class Tally:
    """Counts what deletes reach.

    Args:
        deletes: of `model.deletes.stored.scoped`.
        keys: the key columns of equality deletes whose statistics data files have.
        most_compared: pairs of which statistics are compared at most; of more they are not.
    """

    def __init__(
        self, deletes: Sequence[ScopedDelete], keys: Sequence[KeyColumn], *, most_compared: int = MOST_COMPARED
    ) -> None:
        self._deletes, self._keys, self._most_compared = deletes, keys, most_compared
        known = {key.field_id for key in keys}
        self._by_key = [d for d in deletes if d.keys and not d.lost_keys and known.issuperset(d.keys)]
        self._by_name: dict[str, list[ScopedDelete]] = defaultdict(list)
        for delete in deletes:
            if delete.names is not None:
                self._by_name[delete.names].append(delete)
        self._names = pa.array(list(self._by_name), pa.string())
        vectors = [sum(d.delete_content == "deletion vector" for d in named) for named in self._by_name.values()]
        self._vectors_of = np.array([*vectors, 0], np.int64)  # the last is of a file that nothing names
        self._places: dict[Place, int] = {}
        self._parts: list[DataByPlace] = []
        self._named: dict[int, CountedNamed] = {}
        self._apart: dict[int, CountedApart] = {}
        self._compared = 0

    def add(self, data: pa.Table) -> None:
        """Count more data files.

        Args:
            data: a row per live data file: file_path (may be null if no delete names it), spec_id, partition,
                record_count, sequence_number (null if unknown); for each key, by its field id n, lower_n, upper_n (as
                stored), nulls_n, values_n.
        """
        number, place = numbers(data["sequence_number"]), self._place(data)
        name = numbers(pc.index_in(data["file_path"], value_set=self._names))
        name = np.where(name == NULL, len(self._names), name)
        vectors = self._vectors_of[name]
        one, records = np.ones(len(place), np.int64), numbers(data["record_count"])
        self._parts.append(DataByPlace.of(place, number, vectors, one, records))
        self._add_named(place, number, vectors, name)
        if self._by_key and self._compared <= self._most_compared:
            self._add_apart(data, place, number)

    def _place(self, data: pa.Table) -> Longs:
        """A code for the partition of each file, the same in every part."""
        partition, texts = codes(data["partition"])
        found, place = distinct(numbers(data["spec_id"]), partition)
        words = texts.to_pylist()
        own = [self._places.setdefault((spec, words[code]), len(self._places)) for spec, code in found.tolist()]
        return np.array(own, np.int64)[place]

    def _add_named(self, place: Longs, number: Longs, vectors: Longs, name: Longs) -> None:
        """What decides about the files that deletes name; of a path that is live twice, about one of the two."""
        places, named = list(self._places), list(self._by_name.values())
        for row in np.flatnonzero(name < len(named)).tolist():
            spec, partition = places[place[row]]
            of_file = int(number[row])
            for delete in named[name[row]]:
                decided_by, applies = of_named(
                    delete.delete_content,
                    _number(delete),
                    of_file,
                    int(vectors[row]),
                    same_spec=delete.delete_spec_id == spec,
                    same_partition=delete.delete_partition == partition,
                )
                known = None if of_file == NULL else of_file
                self._named[delete.id] = CountedNamed(known, applies, decided_by)

    def _add_apart(self, data: pa.Table, place: Longs, number: Longs) -> None:
        """Files that are old enough for an equality delete, but hold none of its keys by their statistics."""
        # by place, and within it by number with the unknown ones first: what is old enough for a delete is one slice
        order = np.lexsort((number, place))
        place, number = place[order], number[order]
        columns = {key.field_id: _Key(key, data, order, self._by_key) for key in self._keys}
        for delete in self._by_key:
            own, everywhere = _number(delete), delete.scope == "every file"
            first, last = 0, len(place)
            if not everywhere:
                at = self._places.get(_place_of(delete), NULL)
                first, last = map(int, np.searchsorted(place, (at, at + 1)))
                if own != NULL:
                    last = first + int(np.searchsorted(number[first:last], own))
            rows = slice(first, last)
            self._compared += last - first
            if self._compared > self._most_compared:
                return
            found = np.zeros(last - first, bool)
            for field_id in delete.keys:
                found |= columns[field_id].apart(delete.ranges.get(field_id) or KeyRange(), rows)
            if everywhere and own != NULL:
                found &= number < own
            untold = int(np.count_nonzero(found if own == NULL else found & (number[rows] == NULL)))
            known = self._apart.get(delete.id, CountedApart(0, 0))
            files = int(np.count_nonzero(found)) - untold
            self._apart[delete.id] = CountedApart(known.files + files, known.unknown + untold)

    def counts(self) -> DeleteCounts:
        """The counts of all that was added."""
        nothing = DataByPlace(*np.zeros((5, 0), np.int64))
        data = DataByPlace.together(self._parts or [nothing])
        met = {}
        for delete in self._deletes:
            at = None if delete.scope == "every file" else self._places.get(_place_of(delete), NULL)
            found = None if delete.scope == "one file" else data.met(delete.delete_content, _number(delete), at)
            if found is not None:
                met[delete.id] = found
        lying = [_place_of(delete) for delete in self._deletes]
        partitions = self._partitions(data)
        by_spec: Counter[int] = Counter()
        for partition in partitions:
            by_spec[partition.spec_id] += partition.files
        # Those in which deletes lie, and those of most files besides.
        first = frozenset(lying)
        partitions.sort(key=lambda p: ((p.spec_id, p.partition) not in first, -p.files, p.spec_id, p.partition))
        return DeleteCounts(
            data_files=by_spec.total(),
            by_spec=by_spec,
            partitions=tuple(partitions[: MOST_WITHOUT_DELETES + len(first)]),
            partition_count=len(partitions),
            numbers=self._numbers(data, most_deletes(lying)),
            named=self._named,
            met=met,
            apart=None if self._compared > self._most_compared else self._apart,
        )

    def _partitions(self, data: DataByPlace) -> list[Partition]:
        count = len(self._places)
        files, records, oldest, newest = np.zeros((4, count), np.int64)
        oldest += np.iinfo(np.int64).max
        newest += NULL  # which is smaller than every number
        np.add.at(files, data.place, data.files)
        np.add.at(records, data.place, data.records)
        known = data.number != NULL
        np.minimum.at(oldest, data.place[known], data.number[known])
        np.maximum.at(newest, data.place, data.number)
        columns = np.stack((files, records, oldest, newest), axis=1).tolist()
        return [
            Partition(spec, partition, n, rows, None if last == NULL else first, None if last == NULL else last)
            for (spec, partition), (n, rows, first, last) in zip(self._places, columns, strict=True)
        ]

    def _numbers(self, data: DataByPlace, drawn: frozenset[Place]) -> dict[Place, Counter[int | None]]:
        """Data files of these partitions by data sequence number."""
        here = np.isin(data.place, [self._places[place] for place in drawn if place in self._places])
        columns = (column[here].tolist() for column in (data.place, data.number, data.files))
        found: dict[Place, Counter[int | None]] = defaultdict(Counter)
        places = list(self._places)
        for place, number, files in zip(*columns, strict=True):
            found[places[place]][None if number == NULL else number] += files
        return found


def _place_of(delete: ScopedDelete) -> Place:
    return delete.delete_spec_id, delete.delete_partition


def _number(delete: ScopedDelete) -> int:
    return int(NULL) if delete.delete_sequence_number is None else delete.delete_sequence_number


class _Key:
    """What statistics of data files say of a key column, in numbers that are ordered as its values are."""

    def __init__(self, key: KeyColumn, data: pa.Table, order: Longs, deletes: Sequence[ScopedDelete]) -> None:
        i = key.field_id
        counts = () if key.required else (f"nulls_{i}", f"values_{i}")
        self._counts = [numbers(data[name])[order] for name in counts]
        bounds = [as_whole(key.type, data[f"{side}_{i}"]) for side in ("lower", "upper")]
        self._rank: dict[Any, int] = {}
        if any(side is None for side in bounds):
            decoded = [decoded_once(key.type, data[f"{side}_{i}"]) for side in ("lower", "upper")]
            own = (getattr(d.ranges.get(i), side, None) for d in deletes for side in ("lower", "upper"))
            values = {v for v in (*decoded[0][1], *decoded[1][1], *own) if v is not None}
            self._rank = {value: rank for rank, value in enumerate(sorted(values))}
            bounds = [self._ranked(*side) for side in decoded]
        self._lower, self._upper = (side[order] for side in bounds if side is not None)

    def _ranked(self, places: Longs, values: list[Any]) -> Longs:
        return np.array([NULL if v is None else self._rank[v] for v in values] or [NULL], np.int64)[places]

    def apart(self, keys: KeyRange, rows: slice) -> Flags:
        """Whether no key of a delete can be among the values of these files; as `key_ranges.no_common_key`."""
        found = np.zeros(rows.stop - rows.start, bool)
        may_share_null = np.zeros(len(found), bool)
        if self._counts:
            nulls, values = (counts[rows] for counts in self._counts)
            known = nulls != NULL
            none, every = known & (nulls <= 0), known & (nulls == values)
            if keys.nulls is not None:
                found = (every & (keys.nulls <= 0)) | (none & (keys.nulls == keys.values))
            if keys.nulls is None or keys.nulls > 0:
                may_share_null = ~none
        if keys.bounded:
            low, high = (self._rank.get(v, v) for v in (keys.lower, keys.upper))
            lower, upper = self._lower[rows], self._upper[rows]
            found |= (lower != NULL) & (upper != NULL) & ((lower > high) | (low > upper))
        return found & ~may_share_null
