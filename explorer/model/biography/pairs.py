"""Which row that left a line at a commit is which row that came, and how that is known.

By row id where these tell; else equal values, as multisets; else equal keys; else rows that are equal but for the
key. What only equality tells is inferred, for the format does not record it, but for one case: a `replace` changes no
row, so where one row with these values left and one came, they are the same.

Sources: Iceberg specification, "Row Lineage" (an id stays with its row, an update renews the last updated sequence
number; an equality delete keeps no ids), "Snapshots" (`replace`: files changed, rows did not).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

from .. import formats
from ..evidence import Certainty
from .facts import RowVersion

Trust = Literal["none", "same", "all"]
"""Of row ids at a commit: they tell nothing; equal ones are of one row; and unequal ones are of different rows too."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A row that left and the row that came in its stead: one row, `updated` or only in another place."""

    before: RowVersion
    after: RowVersion
    updated: bool
    certainty: Certainty
    reason: str


def pairs(
    went: Sequence[RowVersion], came: Sequence[RowVersion], key: Sequence[int], trust: Trust, *, replace: bool
) -> list[Pair]:
    """The pairs of one commit; every row is in at most one.

    Args:
        went: visible before and not after, in the order of the lives they belong to.
        came: visible after and not before.
        key: indices of the columns that tell which row is which.
        trust: of row ids.
        replace: whether the commit is a `replace`.
    """
    matching = _Matching(went, came)
    if trust != "none":
        matching.match(lambda row: row.row_id, _by_id)
    if trust == "all":
        return matching.found
    matching.match(lambda row: row.same, lambda *found: _by_values(*found, replace=replace))
    if key:
        matching.match_most_alike(key)
        others = [i for i in range(matching.width) if i not in set(key)]
        if others:
            matching.match(lambda row: tuple(row.same[i] for i in others), _by_others)
    return matching.found


class _Matching:
    """Rows that are not matched yet, and the pairs that are."""

    def __init__(self, went: Sequence[RowVersion], came: Sequence[RowVersion]) -> None:
        self._sides = tuple(went), tuple(came)
        self._taken: set[int] = set()
        self.found: list[Pair] = []
        self.width = max((len(row.same) for side in self._sides for row in side), default=0)

    def match(
        self,
        of: Callable[[RowVersion], Hashable],
        judge: Callable[[RowVersion, RowVersion, int, int], Pair | None],
    ) -> None:
        """Pair rows of which something is equal, in their order; `judge` is told how many share it on each side."""
        for gone, new in self._groups(of):
            for before, after in zip(gone, new, strict=False):
                if (pair := judge(before, after, len(gone), len(new))) is not None:
                    self._take(pair)

    def match_most_alike(self, key: Sequence[int]) -> None:
        """Pair rows of one key: the only ones; of several, those of which most other cells are equal.

        Half of the cells are enough for two of which neither is as much like any other row.
        """
        for gone, new in self._groups(lambda row: tuple(row.same[i] for i in key)):
            if len(gone) == len(new) == 1:
                reason = "the only row with this key that left, and the only one that came"
                self._take(Pair(gone[0], new[0], updated=True, certainty="inferred", reason=reason))
                continue
            least = (self.width - len(key)) / 2
            near = sorted(
                (-others, i, j)
                for i, before in enumerate(gone)
                for j, after in enumerate(new)
                if (others := _equal(before, after) - len(key)) >= max(least, 1)
            )
            partners = Counter(row for _, i, j in near for row in (("left", i), ("right", j)))
            left, right = set(range(len(gone))), set(range(len(new)))
            for negative, i, j in near:
                alone = partners["left", i] == partners["right", j] == 1
                if i in left and j in right and (alone or -negative > least):
                    left.remove(i)
                    right.remove(j)
                    reason = f"{_several(len(gone), len(new))} with this key; these two are most alike"
                    self._take(Pair(gone[i], new[j], updated=True, certainty="inferred", reason=reason))

    def _groups(self, of: Callable[[RowVersion], Hashable]) -> list[tuple[list[RowVersion], list[RowVersion]]]:
        sides: dict[Hashable, tuple[list[RowVersion], list[RowVersion]]] = defaultdict(lambda: ([], []))
        for side, rows in enumerate(self._sides):
            for row in rows:
                if id(row) not in self._taken and (shared := of(row)) is not None:
                    sides[shared][side].append(row)
        return [(gone, new) for gone, new in sides.values() if gone and new]

    def _take(self, pair: Pair) -> None:
        self.found.append(pair)
        self._taken |= {id(pair.before), id(pair.after)}


def _equal(a: RowVersion, b: RowVersion) -> int:
    return sum(x == y for x, y in zip(a.same, b.same, strict=True))


def _several(gone: int, new: int) -> str:
    return f"{formats.count(gone, 'row')} left and {new:,} came"


def _by_id(before: RowVersion, after: RowVersion, gone: int, new: int) -> Pair:
    was, now = before.last_updated, after.last_updated
    equal = before.same == after.same
    certainty: Certainty = "exact"
    if was is None or now is None:
        updated, reason = not equal, "same row id"
    elif was == now:
        updated, reason = not equal, "same row id, same last update"
        if not equal:
            certainty, reason = "inferred", f"same row id; both say {now:,} is their last update, but cells differ"
    elif was < now:
        updated, reason = True, f"same row id, last updated at {now:,}"
    else:
        updated, reason = True, f"same row id; what it was at {now:,} is there again"
    if max(gone, new) > 1:
        certainty, reason = "inferred", f"{reason}; {_several(gone, new)} with this id"
    return Pair(before, after, updated, certainty, reason)


def _by_values(before: RowVersion, after: RowVersion, gone: int, new: int, *, replace: bool) -> Pair:
    if gone == new == 1:
        if replace:
            reason = "a replace changes no row, and one row with these values left and came"
            return Pair(before, after, updated=False, certainty="exact", reason=reason)
        reason = "the only row with these values that left, and the only one that came"
        return Pair(before, after, updated=False, certainty="inferred", reason=reason)
    reason = f"{_several(gone, new)} with equal values; which is which is not recorded"
    return Pair(before, after, updated=False, certainty="inferred", reason=reason)


def _by_others(before: RowVersion, after: RowVersion, gone: int, new: int) -> Pair | None:
    if gone != 1 or new != 1:
        return None
    reason = "the only row that left and the only one that came which are equal but for the key"
    return Pair(before, after, updated=True, certainty="inferred", reason=reason)
