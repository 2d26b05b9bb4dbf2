"""What each delete reaches, counted over columns of data files: what `queries.deletes.counts` counts in Spark, here.

For snapshots whose data files fit into this process as columns, which is a million of them; the rule is that of
`delete_scope`, and pairs are not made: by sequence number files are counted, and only statistics are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Flags, Longs, codes, distinct, numbers
from ..iceberg.delete_scope import ClauseName
from ..iceberg.key_ranges import KeyColumn, KeyRange, key_ranges
from ..iceberg.statistics import Statistics
from .by_partition import MOST_WITHOUT_DELETES, Place, most_deletes
from .counted import (
    CountedApart,
    CountedFiles,
    CountedMet,
    CountedNamed,
    DeleteCounts,
    ScopedDelete,
)
from .facts import Partition

_INTEGERS = {"int": 4, "long": 8, "date": 4, "time": 8, "timestamp": 8, "timestamptz": 8}


def tally(
    data: pa.Table, deletes: Sequence[ScopedDelete], keys: Sequence[KeyColumn], *, most_in_scope: int
) -> DeleteCounts:
    """Count what deletes reach.

    Args:
        data: a row per live data file: file_path (may be null if no delete names it), spec_id, partition, record_count,
            sequence_number (null if unknown); for each key, by its field id n, lower_n, upper_n (as stored), and unless
            it is required nulls_n, values_n.
        deletes: of `model.deletes.stored.scoped`.
        keys: every key column of an equality delete.
        most_in_scope: pairs of which statistics are compared at most.
    """
    files = _Files(data, deletes)
    met = tuple(found for delete in deletes if (found := files.met(delete)) is not None)
    asked = _with_statistics(data, deletes)
    compares = not asked or sum(found.reached for found in met) <= most_in_scope
    lying = [_place_of(delete) for delete in deletes]
    drawn = most_deletes(lying)
    return DeleteCounts(
        data_files=len(data),
        by_spec={int(spec): int(n) for spec, n in zip(*np.unique(files.spec, return_counts=True), strict=True)},
        partitions=files.partitions(frozenset(lying)),
        partition_count=len(files.places),
        histogram=tuple(files.histogram(drawn)),
        named=tuple(files.named()),
        met=met,
        apart=tuple(_apart(files, asked, keys)) if compares else None,
    )


class _Files:
    """Live data files as columns, and where the deletes that name one find it."""

    def __init__(self, data: pa.Table, deletes: Sequence[ScopedDelete]) -> None:
        self.data, self._deletes = data, deletes
        self.number, self.spec = numbers(data["sequence_number"]), numbers(data["spec_id"])
        partition, texts = codes(data["partition"])
        found, self.place = distinct(self.spec, partition)
        words = texts.to_pylist()
        self.places = [(spec, words[code]) for spec, code in found.tolist()]
        self.at = {at: n for n, at in enumerate(self.places)}
        self._name()
        counted, group = distinct(self.place, self.number, (self.vectors == 1).astype(np.int64))
        self._place, self._number, self._vectored = counted.T
        self._starts = np.searchsorted(self._place, np.arange(len(self.places) + 1)).tolist()
        self._files = np.bincount(group)
        self._rows = np.zeros(len(counted), np.int64)
        np.add.at(self._rows, group, numbers(data["record_count"]))

    def _name(self) -> None:
        """`named_by`: rows and the deletes that name them; `vectors`: how many deletion vectors name each row."""
        by_name: dict[str, list[int]] = defaultdict(list)
        for i, delete in enumerate(self._deletes):
            if delete.names is not None:
                by_name[delete.names].append(i)
        names = pa.array(list(by_name), pa.string())
        found = numbers(pc.index_in(self.data["file_path"], value_set=names))
        rows = np.flatnonzero(found != NULL)
        of_name = list(by_name.values())
        vectors = np.array(
            [sum(self._deletes[i].delete_content == "deletion vector" for i in group) for group in of_name], np.int64
        )
        self.vectors = np.zeros(len(self.data), np.int64)
        if len(rows):
            self.vectors[rows] = vectors[found[rows]]
        self.named_by = {int(row): of_name[int(found[row])] for row in rows}

    def histogram(self, drawn: frozenset[Place]) -> Iterator[CountedFiles]:
        """Files by place, of these, by sequence number (None if unknown) and whether one vector names them."""
        here = np.isin(self._place, [self.at[place] for place in drawn if place in self.at])
        columns = (column[here] for column in (self._place, self._number, self._vectored, self._files))
        for place, number, vectored, files in zip(*(column.tolist() for column in columns), strict=True):
            spec, partition = self.places[place]
            yield CountedFiles(spec, partition, None if number == NULL else number, bool(vectored), files)

    def partitions(self, lying: frozenset[Place]) -> tuple[Partition, ...]:
        """Those in which deletes lie, and those of most files besides."""
        if not self.places:
            return ()
        starts = np.array(self._starts[:-1])
        files, rows = (np.add.reduceat(column, starts).tolist() for column in (self._files, self._rows))
        known = self._number != NULL
        oldest = np.minimum.reduceat(np.where(known, self._number, np.iinfo(np.int64).max), starts).tolist()
        newest = np.maximum.reduceat(self._number, starts).tolist()  # NULL is smaller than every number
        found = [
            Partition(*place, n, rows_, *((None, None) if last == NULL else (first, last)))
            for place, n, rows_, first, last in zip(self.places, files, rows, oldest, newest, strict=True)
        ]
        ordered = sorted(found, key=lambda p: ((p.spec_id, p.partition) not in lying, -p.files, p.spec_id, p.partition))
        return tuple(ordered[: MOST_WITHOUT_DELETES + len(lying)])

    def _of(self, place: int | None) -> slice:
        """Where the counts of a place are, or with None those of all places."""
        return slice(None) if place is None else slice(self._starts[place], self._starts[place + 1])

    def met(self, delete: ScopedDelete) -> CountedMet | None:
        """Files of the delete's scope by what their sequence numbers say; None if there are none, or it names one."""
        if delete.scope == "one file":
            return None
        everywhere = delete.scope == "every file"
        place = None if everywhere else self.at.get(_place_of(delete))
        if place is None and not everywhere:
            return None
        here = self._of(place)
        number, files = self._number[here], self._files[here]
        unknown = number == NULL
        old = np.zeros(len(number), bool)
        own = delete.delete_sequence_number
        if own is None:
            unknown = ~old
        else:
            old = ~unknown & (number < own if delete.delete_content == "equality deletes" else number <= own)
        ignored = (old | unknown) & (self._vectored[here] == 1) & (delete.delete_content == "position deletes")
        return CountedMet(
            delete.id,
            met=int(files.sum()),
            oldest=min(number[number != NULL].tolist(), default=None),
            reached=int(files[old & ~ignored].sum()),
            unknown=int(files[unknown & ~ignored].sum()),
            vectored=int(files[ignored].sum()),
        )

    def named(self) -> Iterator[CountedNamed]:
        """Each delete with the live file that it names: what decides."""
        found: dict[tuple[int, int, str, ClauseName, bool | None], int | None] = {}
        for row, names in self.named_by.items():
            spec, partition = self.places[int(self.place[row])]
            number = None if self.number[row] == NULL else int(self.number[row])
            for i in names:
                delete = self._deletes[i]
                decided_by, applies = _of_named(delete, spec, partition, number, int(self.vectors[row]))
                key = delete.id, spec, partition, decided_by, applies
                found[key] = min((n for n in (found.get(key), number) if n is not None), default=None)
        for (i, spec, partition, decided_by, applies), number in found.items():
            yield CountedNamed(i, spec, partition, number, applies, decided_by)


def _of_named(
    delete: ScopedDelete, spec: int, partition: str, number: int | None, vectors: int
) -> tuple[ClauseName, bool | None]:
    """Which clause decides about the file that a vector or a position delete file names, and how."""
    own, content = delete.delete_sequence_number, delete.delete_content
    old_enough = None if own is None or number is None else number <= own
    if old_enough is False:
        return "sequence", False
    if content == "position deletes" and vectors == 1:
        return "deletion vector", False
    if old_enough and delete.delete_spec_id != spec:
        return "spec", None
    if old_enough and delete.delete_partition != partition:
        return "partition", None
    if old_enough is None:
        return "sequence", None
    return ("deletion vector", None) if vectors > 1 else ("path", True)


def _place_of(delete: ScopedDelete) -> Place:
    return delete.delete_spec_id, delete.delete_partition


def _with_statistics(data: pa.Table, deletes: Sequence[ScopedDelete]) -> list[ScopedDelete]:
    """Deletes by key that statistics of data files can rule out."""
    return [
        delete
        for delete in deletes
        if delete.delete_content == "equality deletes"
        and not delete.lost_keys
        and all(f"lower_{i}" in data.column_names for i in delete.keys)
    ]


def _apart(files: _Files, asked: Sequence[ScopedDelete], keys: Sequence[KeyColumn]) -> Iterator[CountedApart]:
    """Files that are old enough for an equality delete, but hold none of its keys by their statistics; by place."""
    if not asked:
        return
    # by place, and within it by number with the unknown ones first: what is old enough for a delete is one slice
    order = np.lexsort((files.number, files.place))
    place, number = files.place[order], files.number[order]
    starts = np.searchsorted(place, np.arange(len(files.places) + 1)).tolist()
    columns = {key.field_id: _Key(key, files.data, order, asked) for key in keys}
    for delete in asked:
        own = delete.delete_sequence_number
        everywhere = delete.scope == "every file"
        if everywhere:
            rows = slice(0, len(place))
        elif (at := files.at.get(_place_of(delete))) is not None:
            first, last = starts[at], starts[at + 1]
            old = last if own is None else first + int(np.searchsorted(number[first:last], own))
            rows = slice(first, old)
        else:
            continue
        found = np.zeros(rows.stop - rows.start, bool)
        for field_id in delete.keys:
            found |= columns[field_id].apart(delete.ranges.get(field_id) or KeyRange(), rows)
        if everywhere and own is not None:
            found &= number < own
        untold = found if own is None else found & (number[rows] == NULL)
        counts = np.bincount(place[rows][found]).tolist()
        unknown = np.bincount(place[rows][untold], minlength=len(counts)).tolist()
        for place_found, (count, of_unknown) in enumerate(zip(counts, unknown, strict=True)):
            if count:
                spec, partition = files.places[place_found]
                yield CountedApart(delete.id, spec, partition, count - of_unknown, of_unknown)


class _Key:
    """What statistics of data files say of a key column, in numbers that are ordered as its values are."""

    def __init__(self, key: KeyColumn, data: pa.Table, order: Longs, deletes: Sequence[ScopedDelete]) -> None:
        i = key.field_id
        counts = () if key.required else (f"nulls_{i}", f"values_{i}")
        self._counts = [numbers(data[name])[order] for name in counts]
        bounds = [_as_whole(key, data[f"{side}_{i}"]) for side in ("lower", "upper")]
        self._rank: dict[Any, int] = {}
        if any(side is None for side in bounds):
            decoded = [_decoded(key, data[f"{side}_{i}"]) for side in ("lower", "upper")]
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


def _as_whole(key: KeyColumn, stored: pa.ChunkedArray) -> Longs | None:
    """Bounds of a whole number as numbers, `NULL` where there is none; None if they must be decoded one by one."""
    width = _INTEGERS.get(key.type)
    if width is None or not pc.all(pc.equal(pc.binary_length(stored), width)).as_py():
        return None
    filled = pc.fill_null(stored, pa.scalar(bytes(width), stored.type)).cast(pa.binary(width)).combine_chunks()
    found = np.frombuffer(filled.buffers()[1], f"<i{width}", len(filled), filled.offset * width).astype(np.int64)
    return np.where(np.asarray(pc.is_valid(stored)), found, NULL)


def _decoded(key: KeyColumn, stored: pa.ChunkedArray) -> tuple[Longs, list[Any]]:
    """Bounds as places among the distinct ones, and these decoded."""
    places, distinct = codes(stored)
    ranges = (key_ranges(Statistics(lower_bounds={key.field_id: value}), [key]) for value in distinct.to_pylist())
    return places, [found[key.field_id].lower for found in ranges]
