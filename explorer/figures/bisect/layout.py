"""Which commits of a line have a column of their own, and what is folded between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...model.bisect.facts import Bisection


@dataclass(frozen=True, slots=True)
class Slot:
    """A column: the commit at a place of the line, or several that are folded, from `first` to `last`.

    Attributes:
        can: how many of the folded ones can have changed the answer.
    """

    first: int
    last: int
    is_fold: bool
    can: int = 0


def slots(bisection: Bisection, room: int) -> tuple[Slot, ...]:
    """At most so many columns, seven or more, in the order of the line; what was read comes before what was not."""
    chosen: set[int] = set()
    for places in (_read(bisection), _beside(bisection)):
        wanted = dict.fromkeys(places)
        for place in wanted:
            if _count(sorted({*chosen, place})) <= room:
                chosen.add(place)
        if not chosen.issuperset(wanted):
            break
    return tuple(_with_folds(sorted(chosen), bisection))


def _read(bisection: Bisection) -> Iterable[int]:
    """Places that were read, the most telling first: the ends, the change; then those that were asked first.

    These lie far apart, so that what fits tells of the whole line. Where all were read it is the changes that do.
    """
    yield from (bisection.good.place, bisection.bad.place)
    if (change := bisection.change) is not None:
        yield from (change.after.place, change.before.place)
    if bisection.every:
        yield from (read.place for found in bisection.changes for read in (found.after, found.before))
    yield from (read.place for read in bisection.reads)


def _beside(bisection: Bisection) -> Iterable[int]:
    """Others, what lies near the change first."""
    centre = bisection.bad.place if bisection.change is None else bisection.change.after.place
    yield from sorted((candidate.place for candidate in bisection.candidates), key=lambda place: abs(place - centre))
    yield from sorted(range(len(bisection.snapshots)), key=lambda place: abs(place - centre))[:100]


def _count(places: Sequence[int]) -> int:
    return len(places) + sum(b - a > 1 for a, b in pairwise(places))


def _with_folds(places: Sequence[int], bisection: Bisection) -> Iterable[Slot]:
    yield Slot(places[0], places[0], is_fold=False)
    for a, b in pairwise(places):
        if b - a > 1:
            can = sum(a < candidate.place < b for candidate in bisection.candidates)
            yield Slot(a + 1, b - 1, is_fold=True, can=can)
        yield Slot(b, b, is_fold=False)
