"""Which partitions are told together where they are too many to be told one by one: neighbours in their order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from ..partition_order import is_time
from ..words import partition_fields, partition_values
from .facts import Partition

_LEAST = 12  # groups by their fields; where these make fewer, neighbours are told together
_YEAR, _MONTH, _DAY = 4, 7, 10  # letters of a date


@dataclass(frozen=True, slots=True)
class Group:
    """Partitions that are told together: those from the place `first` to before `end` of a list.

    `name` is what they have in common, or the first and the last one of them; of one its values.
    """

    name: str
    first: int
    end: int

    @property
    def count(self) -> int:
        """How many partitions."""
        return self.end - self.first


def groups(partitions: Sequence[Partition], most: int) -> list[Group]:
    """All partitions of a list, in its order, in at most so many groups where there are not more specs than that.

    Of one partition each, if that is enough; else by the leading fields of the spec, and by day, month or year where
    the next one is a time; else of as many neighbours each.
    """
    if len(partitions) <= most:
        return [Group(partition_values(p.partition), n, n + 1) for n, p in enumerate(partitions)]
    values = [(p.spec_id, tuple(value for _, value in partition_fields(p.partition))) for p in partitions]
    found: list[Group] = []
    for level in _levels(values):
        finer = [_group(partitions, first, end) for first, end in _runs(level)]
        if len(finer) > most:
            break
        found = finer
    if len(found) >= _LEAST:
        return found
    size = math.ceil(len(partitions) / max(most - len(found), 1))
    return [
        _group(partitions, first, min(first + size, group.end), is_part=size < group.count)
        for group in found
        for first in range(group.first, group.end, size)
    ]


def _levels(values: Sequence[tuple[int, tuple[str, ...]]]) -> Iterator[list[Hashable]]:
    """What partitions have in common, from the spec alone to all but the whole of the last field."""
    yield [spec for spec, _ in values]
    for depth in range(max(len(own) for _, own in values)):
        if is_time(own[depth] for _, own in values if len(own) > depth):
            for letters in (_YEAR, _MONTH, _DAY):
                yield [(spec, own[:depth], *(v[:letters] for v in own[depth : depth + 1])) for spec, own in values]
        yield [(spec, own[: depth + 1]) for spec, own in values]


def _runs(keys: Sequence[Hashable]) -> Iterator[tuple[int, int]]:
    first = 0
    for _, same in itertools.groupby(keys):
        end = first + sum(1 for _ in same)
        yield first, end
        first = end


def _group(partitions: Sequence[Partition], first: int, end: int, *, is_part: bool = False) -> Group:
    """Named by what its first and last partition have in common; by what differs too, if others share that."""
    one, other = ([v for _, v in partition_fields(partitions[place].partition)] for place in (first, end - 1))
    if end - first == 1:
        return Group(partition_values(partitions[first].partition), first, end)
    common = [a for a, b in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))]
    left, right = one[len(common) :], other[len(common) :]
    if left and right and not is_part and is_time([left[0], right[0]]):
        letters = next((n for n in (_DAY, _MONTH, _YEAR) if left[0][:n] == right[0][:n]), 0)
        common += [left[0][:letters]] if letters else []
    if common and not is_part:
        return Group(", ".join(common), first, end)
    ends = " … ".join(", ".join(rest) or "unpartitioned" for rest in (left, right))
    return Group(", ".join([*common, ends]), first, end)
