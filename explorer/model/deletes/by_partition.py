"""The deletes of a snapshot by partition, where pairs are too many to be told one by one: a row for each.

A delete counts once, in the partition in which it lies, by what it comes to as a whole: one of every file lies in its
own, unpartitioned spec, and reaches what lies elsewhere.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..iceberg.delete_scope import Scope
from ..iceberg.inheritance import ContentKind
from ..partition_order import Place as Placed
from ..partition_order import in_order
from .facts import DeleteFront, Deletes, LiveDelete, Partition, PartitionDeletes, State, WhyNothing

DETAIL = (30, 20)
"""So many deletes and data files are told pair by pair, each with what decides."""
DRAWN = 1_000
"""Of so many partitions, those of most deletes, data files are counted by number."""
MOST_WITHOUT_DELETES = 20_000
"""So many partitions without a delete are told, those of most data files; the others are counted."""

Place = tuple[int, str]
Numbers = Mapping[Place, Mapping[int | None, int]]
"""By partition, data files by data sequence number."""


def most_deletes(places: Iterable[Place]) -> frozenset[Place]:
    """The partitions, `DRAWN` of them at most, in which most deletes lie; `places` are those of the deletes."""
    counted = Counter(places)
    return frozenset(sorted(counted, key=lambda place: (-counted[place], place))[:DRAWN])


def place_of(file: Placed) -> Place:
    """The partition in which a file lies."""
    return file.spec_id, file.partition


def is_by_partition(deletes: Deletes) -> bool:
    """Whether it is told by partition: it is of several, and of too many pairs to tell what decides each."""
    several = deletes.partition is None and deletes.partition_count > 1 and len(deletes.by_partition) > 0
    few = deletes.delete_count <= DETAIL[0] and deletes.data_file_count <= DETAIL[1]
    return several and not (few and len(deletes.pairs) == deletes.pair_count)


def by_partition(
    live: Sequence[LiveDelete], partitions: Iterable[Partition], numbers: Numbers
) -> tuple[PartitionDeletes, ...]:
    """A row for each partition with a delete, and for each of those with data files that are given.

    Args:
        live: every delete that was read, with what it comes to.
        partitions: of live data files; each in which a delete lies is among them.
        numbers: of `most_deletes`.
    """
    if not live:
        return ()
    lying: dict[Place, list[LiveDelete]] = defaultdict(list)
    for delete in live:
        lying[place_of(delete.file)].append(delete)
    data = {(p.spec_id, p.partition): p for p in partitions}
    drawn = most_deletes(place_of(delete.file) for delete in live)
    rows = [
        _row(
            place,
            data.get(place) or Partition(*place, 0, 0, None, None),
            numbers.get(place, {}) if place in drawn else None,
            lying.get(place, ()),
        )
        for place in sorted(data.keys() | lying.keys())
    ]
    return tuple(in_order(rows))


def why_nothing(delete: LiveDelete) -> WhyNothing:
    """Why a dangling delete reaches nothing."""
    out = delete.ruled_out
    if "deletion vector" in out:
        return "vector"
    if "statistics" in out:
        return "bounds"
    if "sequence" in out:
        return "number"
    return "file gone" if delete.file.scope == "one file" else "no data"


def _row(
    place: Place, data: Partition, numbers: Mapping[int | None, int] | None, deletes: Sequence[LiveDelete]
) -> PartitionDeletes:
    return PartitionDeletes(
        *place,
        data.files,
        data.rows,
        data.oldest,
        data.newest,
        None if numbers is None else tuple(sorted(numbers.items(), key=_by_number)),
        tuple(_fronts(deletes)),
        Counter(why_nothing(delete) for delete in deletes if delete.state == "dangling"),
    )


def _fronts(deletes: Iterable[LiveDelete]) -> Iterator[DeleteFront]:
    alike: dict[tuple[int | None, ContentKind, Scope], Counter[State]] = defaultdict(Counter)
    for delete in deletes:
        file = delete.file
        alike[file.data_sequence_number.value, file.kind, file.scope][delete.state] += 1
    for number, kind, scope in sorted(alike, key=lambda key: (key[0] is None, key[0] or 0, *key[1:])):
        states = alike[number, kind, scope]
        reaching = states["reaches"] + states["reaches everything"]
        yield DeleteFront(kind, scope, number, reaching, states["dangling"], states["corrupt"], states["unknown"])


def _by_number(counted: tuple[int | None, int]) -> tuple[bool, int]:
    return counted[0] is None, counted[0] or 0
