"""Lifetimes summed up by partition: births, deaths, what is live by number, and what each front of deletes reaches.

Nothing is left out, and no lifetime costs a Python object: the counts are exact for a million files.

Sources: Iceberg specification, "Scan Planning" (scope and sequence number of a delete), "Deletion Vectors" (they stand
for the position deletes of their data file).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import NULL, Flags, Indices, Longs, codes, numbers
from ..iceberg.delete_scope import Scope
from ..iceberg.inheritance import KINDS
from ..iceberg.lifetime_events import IN_BETWEEN
from ..iceberg.lifetimes import Lifetimes
from ..iceberg.reach_columns import DataByPlace, Met, of_named
from ..iceberg.touched_files import is_unpartitioned
from ..partition_order import in_order
from .facts import Band, Front, LiveFiles, Moment

SCOPES: tuple[Scope, ...] = ("every file", "partition", "one file")
_EVERY_FILE, _PARTITION, _ONE_FILE = range(3)
_Place = tuple[int, str]
_Keys = Callable[[slice], Sequence[Longs]]
"""By which lifetimes are grouped: the keys of those in this part of them."""
_COUNTS = ("files", "records")
_GROUPED_AT_ONCE = 100_000


@dataclass(frozen=True)
class Columns:
    """What bands and files are told from, by lifetime.

    Attributes:
        kind, scope: indices into `KINDS`, `SCOPES`; scope is -1 for a data file.
        spec, partition: the partition as an index into `partitions`.
        target: the path of the one data file that a delete names; null for all others.
    """

    kind: Indices
    scope: Indices
    spec: Indices
    partition: Indices
    partitions: list[str]
    records: Longs
    target: pa.Array

    @property
    def place(self) -> Longs:
        """Spec and partition as one code."""
        found: Longs = self.spec.astype(np.int64) * (len(self.partitions) + 1) + self.partition
        return found

    @classmethod
    def of(cls, lifetimes: Lifetimes) -> Columns:
        """The columns of these lifetimes."""
        kind, spec = lifetimes.kinds, np.asarray(lifetimes.column("spec_id"))
        partition, partitions = codes(lifetimes.column("partition"))
        target = lifetimes.targets
        global_specs = [i for i in np.unique(spec).tolist() if is_unpartitioned(lifetimes.metadata.specs.get(i, ()))]
        scope = np.where((kind == 2) & np.isin(spec, global_specs), _EVERY_FILE, _PARTITION)
        scope = np.where(np.asarray(pc.is_valid(target)), _ONE_FILE, np.where(kind == 0, -1, scope))
        records = numbers(lifetimes.column("record_count"))
        scope, partition = scope.astype(np.int8), partition.astype(np.int32)
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


def _grouped(columns: Columns, rows: Longs, keys: _Keys) -> Iterator[tuple[_Place, tuple[int | None, ...], int, int]]:
    """Place, keys (None for `NULL`), files and records, of each group of these lifetimes, in the order of the keys.

    In pieces, which then are put together: what is grouped by takes more memory than lifetimes do.
    """
    if not len(rows):
        return
    pieces = [slice(at, at + _GROUPED_AT_ONCE) for at in range(0, len(rows), _GROUPED_AT_ONCE)]
    counted = pa.concat_tables(_counted(columns, rows[piece], keys(piece)) for piece in pieces)
    names = counted.column_names[: -len(_COUNTS)]
    found = _together(counted).sort_by([(name, "ascending") for name in names])
    *numbers_found, specs, partitions = (np.asarray(found[name]) for name in names)
    keys_found = zip(*(_or_none(key) for key in numbers_found), strict=True)
    places = zip(specs.tolist(), map(columns.partitions.__getitem__, partitions.tolist()), strict=True)
    counts = (found[name].to_pylist() for name in _COUNTS)
    yield from zip(places, keys_found, *counts, strict=True)


def _counted(columns: Columns, rows: Longs, keys: Sequence[Longs]) -> pa.Table:
    by = [*keys, columns.spec[rows], columns.partition[rows]]
    names = map(str, range(len(by)))
    return _together(pa.table([*by, np.ones_like(rows), columns.records[rows]], [*names, *_COUNTS]))


def _together(counted: pa.Table) -> pa.Table:
    """Each group once."""
    names = counted.column_names[: -len(_COUNTS)]
    found = counted.group_by(names, use_threads=False).aggregate([(count, "sum") for count in _COUNTS])
    return found.select([*names, *(f"{count}_sum" for count in _COUNTS)]).rename_columns(counted.column_names)


def _or_none(key: Longs) -> list[int | None]:
    return [None if value == NULL else value for value in key.tolist()]


def _births(lifetimes: Lifetimes, columns: Columns, rows: Longs) -> dict[_Place, list[Moment]]:
    found: dict[_Place, list[Moment]] = defaultdict(list)

    def keys(some: slice) -> tuple[Longs, ...]:
        of = rows[some]
        return lifetimes.added_number[of], lifetimes.added_id[of], columns.kind[of]

    for place, (number, adder, kind), files, records in _grouped(columns, rows, keys):
        found[place].append(Moment(adder, number, KINDS[kind or 0], files, records))
    return found


def _deaths(lifetimes: Lifetimes, columns: Columns, head: int) -> dict[_Place, list[Moment]]:
    found: dict[_Place, list[Moment]] = defaultdict(list)
    ends = lifetimes.ends
    here = lifetimes.on_line(ends.place, head)
    rows, place_of, evidence = ends.lifetime[here], ends.place[here], ends.evidence[here]

    def keys(some: slice) -> tuple[Longs, ...]:
        return np.where(evidence[some] == IN_BETWEEN, NULL, place_of[some]), columns.kind[rows[some]]

    for place, (at, kind), files, records in _grouped(columns, rows, keys):
        by_whom = None if at is None else lifetimes.order[at]
        remover, number = (by_whom.snapshot_id, by_whom.sequence_number) if by_whom else (None, None)
        found[place].append(Moment(remover, number, KINDS[kind or 0], files, records))
    return found


def _live_data(lifetimes: Lifetimes, columns: Columns, rows: Longs) -> dict[_Place, list[LiveFiles]]:
    found: dict[_Place, list[LiveFiles]] = defaultdict(list)
    numbers_of = lifetimes.data_sequence_number
    for place, (number,), files, records in _grouped(columns, rows, lambda some: (numbers_of[rows[some]],)):
        found[place].append(LiveFiles(number, files, records))
    return found


def _fronts(lifetimes: Lifetimes, columns: Columns, live: Flags) -> dict[_Place, list[Front]]:
    rows = np.flatnonzero(live & (columns.kind != 0))
    reaches = _reaches(lifetimes, columns, live, rows)

    def keys(some: slice) -> tuple[Longs, ...]:
        of = rows[some]
        return columns.kind[of], columns.scope[of], lifetimes.data_sequence_number[of], reaches[some]

    counted: dict[_Place, dict[tuple[int | None, ...], list[int]]] = defaultdict(dict)
    for place, (kind, scope, number, verdict), files, _ in _grouped(columns, rows, keys):
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
    data, own, place = np.flatnonzero(live & (columns.kind == 0)), lifetimes.data_sequence_number, columns.place
    paths = lifetimes.paths(data)
    named = numbers(pc.index_in(columns.target.filter(pa.array(live & (columns.kind == 3))), paths))
    vectors = np.bincount(named[named != NULL], minlength=len(data))
    targets = numbers(pc.index_in(columns.target.take(pa.array(deletes)), paths, skip_nulls=True))
    by_place = DataByPlace.of(place[data], own[data], vectors, np.ones_like(data), columns.records[data])
    known = {field.field_id for schema in lifetimes.metadata.schemas.values() for field in schema}
    keys = lifetimes.column("equality_ids", deletes).to_pylist()
    for n, lifetime in enumerate(deletes.tolist()):
        kind, number, scope = KINDS[columns.kind[lifetime]], int(own[lifetime]), columns.scope[lifetime]
        if scope != _ONE_FILE:
            met = by_place.met(kind, number, None if scope == _EVERY_FILE else int(place[lifetime]))
            found[n] = 0 if met is None else _of_met(met, lost_keys=not known.issuperset(keys[n] or ()))
        elif targets[n] != NULL:
            file, together = data[targets[n]], bool(place[lifetime] == place[data[targets[n]]])
            _, applies = of_named(
                kind,
                number,
                int(own[file]),
                int(vectors[targets[n]]),
                same_spec=together,
                same_partition=together,
            )
            is_corrupt = applies is False and kind == "deletion vector"  # a vector older than its file
            found[n] = NULL if applies is None or is_corrupt else applies
    if lifetimes.lacks(0):
        found[found == 0] = NULL
    return found


def _of_met(met: Met, *, lost_keys: bool) -> int:
    if met.reached and not lost_keys:
        return 1
    return int(NULL) if met.reached or met.unknown or met.refused else 0
