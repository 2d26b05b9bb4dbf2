"""Lifetimes summed up by partition: births, deaths, what is live by number, and what each front of deletes reaches.

Nothing is left out, and no lifetime costs a Python object: the counts are exact for a million files.

Sources: Iceberg specification, "Scan Planning" (scope and sequence number of a delete), "Deletion Vectors" (they stand
for the position deletes of their data file).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Flags, Longs, codes, distinct, numbers
from ..iceberg.delete_scope import Scope
from ..iceberg.inheritance import ContentKind
from ..iceberg.lifetimes import IN_BETWEEN, Lifetimes
from ..iceberg.touched_files import is_unpartitioned, newest_reached
from ..partition_order import in_order
from .facts import Band, Front, LiveFiles, Moment

KINDS: tuple[ContentKind, ...] = ("data", "position deletes", "equality deletes", "deletion vector")
SCOPES: tuple[Scope, ...] = ("every file", "partition", "one file")
_EVERY_FILE, _PARTITION, _ONE_FILE = range(3)
_Place = tuple[int, str]


@dataclass(frozen=True)
class Columns:
    """What bands and files are told from, by lifetime.

    Attributes:
        kind, scope: indices into `KINDS`, `SCOPES`; scope is -1 for a data file.
        spec, partition: the partition as an index into `partitions`.
        target: the path of the one data file that a delete names; null for all others.
    """

    kind: Longs
    scope: Longs
    spec: Longs
    partition: Longs
    partitions: list[str]
    records: Longs
    target: pa.Array

    @classmethod
    def of(cls, lifetimes: Lifetimes) -> Columns:
        """The columns of these lifetimes."""
        kind, spec = lifetimes.kinds, numbers(lifetimes.column("spec_id"))
        partition, partitions = codes(lifetimes.column("partition"))
        target = lifetimes.targets
        global_specs = [i for i in np.unique(spec).tolist() if is_unpartitioned(lifetimes.metadata.specs.get(i, ()))]
        scope = np.where((kind == 2) & np.isin(spec, global_specs), _EVERY_FILE, _PARTITION)
        scope = np.where(np.asarray(pc.is_valid(target)), _ONE_FILE, np.where(kind == 0, -1, scope))
        records = numbers(lifetimes.column("record_count"))
        return cls(kind, scope, spec, partition, partitions.to_pylist(), records, target)


def bands(lifetimes: Lifetimes, columns: Columns, as_of: int, head: int, *, is_known: bool = True) -> tuple[Band, ...]:
    """Every partition that had a file on the line, in the order of `partition_order`.

    Args:
        lifetimes: of the history.
        columns: of these lifetimes.
        as_of: place of the snapshot at which live files and fronts are told.
        head: place of the head of the line.
        is_known: whether it is known what is live at that snapshot; else no live file is told.
    """
    on_line, live = lifetimes.ever_on(head), lifetimes.live_at(as_of) & is_known
    births = _births(lifetimes, columns, np.flatnonzero(on_line))
    deaths = _deaths(lifetimes, columns, head)
    data = _live_data(lifetimes, columns, np.flatnonzero(live & (columns.kind == 0)))
    fronts = _fronts(lifetimes, columns, live)
    found = [
        Band(
            spec_id=place[0],
            partition=place[1],
            births=tuple(births[place]),
            deaths=tuple(deaths[place]),
            live=tuple(data[place]),
            fronts=tuple(fronts[place]),
            oldest_live_number=min(
                (n.data_sequence_number for n in data[place] if n.data_sequence_number is not None), default=None
            ),
        )
        for place in sorted({*births, *deaths, *data, *fronts})
    ]
    return tuple(in_order(found))


def _grouped(columns: Columns, rows: Longs, *keys: Longs) -> Iterator[tuple[_Place, tuple[int | None, ...], int, int]]:
    """Place, keys (None for `NULL`), files and records, of each group of these lifetimes, in the order of the keys."""
    if not len(rows):
        return
    found, group = distinct(*keys, columns.spec[rows], columns.partition[rows])
    files = np.bincount(group).tolist()
    records = np.zeros(len(found), dtype=np.int64)
    np.add.at(records, group, columns.records[rows])
    *numbers_found, specs, partitions = found.T
    keys_found = zip(*(_or_none(key) for key in numbers_found), strict=True)
    places = zip(specs.tolist(), map(columns.partitions.__getitem__, partitions.tolist()), strict=True)
    yield from zip(places, keys_found, files, records.tolist(), strict=True)


def _or_none(key: Longs) -> list[int | None]:
    return [None if value == NULL else value for value in key.tolist()]


def _births(lifetimes: Lifetimes, columns: Columns, rows: Longs) -> dict[_Place, list[Moment]]:
    found: dict[_Place, list[Moment]] = defaultdict(list)
    keys = lifetimes.added_number[rows], lifetimes.added_id[rows], columns.kind[rows]
    for place, (number, adder, kind), files, records in _grouped(columns, rows, *keys):
        found[place].append(Moment(adder, number, KINDS[kind or 0], files, records))
    return found


def _deaths(lifetimes: Lifetimes, columns: Columns, head: int) -> dict[_Place, list[Moment]]:
    found: dict[_Place, list[Moment]] = defaultdict(list)
    ends = lifetimes.ends
    here = lifetimes.on_line(ends.place, head)
    rows, place_of, evidence = ends.lifetime[here], ends.place[here], ends.evidence[here]
    by = np.where(evidence == IN_BETWEEN, NULL, place_of)
    for place, (at, kind), files, records in _grouped(columns, rows, by, columns.kind[rows]):
        by_whom = None if at is None else lifetimes.order[at]
        remover, number = (by_whom.snapshot_id, by_whom.sequence_number) if by_whom else (None, None)
        found[place].append(Moment(remover, number, KINDS[kind or 0], files, records))
    return found


def _live_data(lifetimes: Lifetimes, columns: Columns, rows: Longs) -> dict[_Place, list[LiveFiles]]:
    found: dict[_Place, list[LiveFiles]] = defaultdict(list)
    for place, (number,), files, records in _grouped(columns, rows, lifetimes.data_sequence_number[rows]):
        found[place].append(LiveFiles(number, files, records))
    return found


def _fronts(lifetimes: Lifetimes, columns: Columns, live: Flags) -> dict[_Place, list[Front]]:
    rows = np.flatnonzero(live & (columns.kind != 0))
    reaches = _reaches(lifetimes, columns, live, rows)
    keys = columns.kind[rows], columns.scope[rows], lifetimes.data_sequence_number[rows], reaches
    counted: dict[_Place, dict[tuple[int | None, ...], list[int]]] = defaultdict(dict)
    for place, (kind, scope, number, verdict), files, _ in _grouped(columns, rows, *keys):
        tally = counted[place].setdefault((kind, scope, number), [0, 0, 0])
        tally[verdict if verdict is not None else 2] += files
    found: dict[_Place, list[Front]] = defaultdict(list)
    for place, tallies in counted.items():
        for (kind, scope, number), (no, yes, unknown) in tallies.items():
            files = no + yes + unknown
            found[place].append(Front(KINDS[kind or 0], SCOPES[scope or 0], number, files, yes, unknown))
    return found


def _reaches(lifetimes: Lifetimes, columns: Columns, live: Flags, deletes: Longs) -> Longs:
    """By delete, 1 if it reaches a live data file, 0 if none.

    `NULL` if that is not known: a number is unknown, readers refuse the file, or a manifest that may hold what it
    reaches could not be read. What counts is what `delete_scope` says, but for statistics.
    """
    found = np.zeros(len(deletes), dtype=np.int64)
    if not len(deletes):
        return found
    reach = _Reach(lifetimes, columns, live, deletes)
    for n, lifetime in enumerate(deletes.tolist()):
        scope = columns.scope[lifetime]
        if scope == _ONE_FILE:
            found[n] = reach.of_named(n, lifetime)
        else:
            found[n] = reach.of_scope(n, lifetime, None if scope == _EVERY_FILE else _place(columns, lifetime))
    if lifetimes.lacks(0):
        found[found == 0] = NULL
    return found


class _Reach:
    """What live deletes come to, each by the live data files in its scope."""

    def __init__(self, lifetimes: Lifetimes, columns: Columns, live: Flags, deletes: Longs) -> None:
        self._columns, self._own = columns, lifetimes.data_sequence_number
        self._data = np.flatnonzero(live & (columns.kind == 0))
        paths = lifetimes.paths(self._data)
        named = numbers(pc.index_in(columns.target.filter(pa.array(live & (columns.kind == 3))), paths))
        self._vectors = np.bincount(named[named != NULL], minlength=len(self._data))
        self._at = numbers(pc.index_in(columns.target.take(pa.array(deletes)), paths, skip_nulls=True))
        self._every = _Oldest(columns, self._data, self._own)
        self._without_vector = _Oldest(columns, self._data[self._vectors == 0], self._own)
        self._with_several = _Oldest(columns, self._data[self._vectors > 1], self._own)
        known = {field.field_id for schema in lifetimes.metadata.schemas.values() for field in schema}
        keys = lifetimes.column("equality_ids").take(pa.array(deletes)).to_pylist()
        self._lost_keys = [not known.issuperset(ids or ()) for ids in keys]

    def of_named(self, n: int, lifetime: int) -> int:
        """The n-th delete, which names one data file."""
        if self._at[n] == NULL:
            return 0
        kind, file = self._columns.kind[lifetime], int(self._data[self._at[n]])
        told = _verdict(int(self._own[lifetime]), [int(self._own[file])], KINDS[kind])
        vectors = self._vectors[self._at[n]]
        if not told:
            return int(NULL) if kind == 3 else 0  # a vector that is older than its file is corrupt
        if kind == 1 and vectors == 1:
            return 0
        elsewhere = told == 1 and _place(self._columns, lifetime) != _place(self._columns, file)
        return int(NULL) if elsewhere or vectors > 1 else told

    def of_scope(self, n: int, lifetime: int, place: tuple[int, int] | None) -> int:
        """The n-th delete, which meets the files of a partition, or all for None."""
        number = int(self._own[lifetime])
        if self._columns.kind[lifetime] == 2:
            told = _verdict(number, self._every.of(place), "equality deletes")
            return int(NULL) if told and self._lost_keys[n] else told
        told = _verdict(number, self._without_vector.of(place), "position deletes")
        unclear = not told and _verdict(number, self._with_several.of(place), "position deletes")
        return int(NULL) if unclear else told


def _verdict(number: int, least: list[int], kind: ContentKind) -> int:
    """By the smallest known number in scope, and `NULL` if there are unknown ones too."""
    if number != NULL and any(n != NULL and n <= newest_reached(kind, number) for n in least):
        return 1
    return int(NULL) if NULL in least or (least and number == NULL) else 0


def _place(columns: Columns, lifetime: int) -> tuple[int, int]:
    return int(columns.spec[lifetime]), int(columns.partition[lifetime])


class _Oldest:
    """The smallest known data sequence number of live data files, and `NULL` if one of them is unknown."""

    def __init__(self, columns: Columns, data: Longs, own: Longs) -> None:
        self._found: dict[tuple[int, int] | None, list[int]] = defaultdict(list)
        for some in (data[own[data] == NULL], data[own[data] != NULL]):
            if not len(some):
                continue
            self._found[None].append(int(own[some].min()))
            found, group = distinct(columns.spec[some], columns.partition[some])
            least = np.full(len(found), np.iinfo(np.int64).max)
            np.minimum.at(least, group, own[some])
            for (spec, partition), number in zip(found.tolist(), least.tolist(), strict=True):
                self._found[spec, partition].append(number)

    def of(self, place: tuple[int, int] | None) -> list[int]:
        """Of one partition of a spec; of the whole table for None."""
        return self._found.get(place, [])
