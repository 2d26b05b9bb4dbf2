"""The columns of a heat map: a commit each, or a stretch of the clock, or as many commits each where no clock tells."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import numpy as np

from ...model import formats
from ...model.arrays import Longs
from ...model.iceberg.metadata import Snapshot

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MONDAY = date(1969, 12, 29).toordinal()


@dataclass(frozen=True, slots=True)
class Column:
    """Commits that share a column: those from `first` to `last`, indices; none where `last` is before `first`.

    `start` is where its stretch of the clock begins, UTC; None where columns are not by time.
    """

    first: int
    last: int
    start: datetime | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """All columns, from the oldest commit to the newest.

    Attributes:
        unit: what one column is: `commit`, `hour`, `day`, …, or `37 commits`.
        backwards: commits that are earlier, by their clock, than one before them; they stand where the latest one does.
    """

    items: tuple[Column, ...]
    unit: str
    backwards: int = 0

    @property
    def ends(self) -> Longs:
        """The last commit up to the end of each column."""
        return np.array([column.last for column in self.items], dtype=np.int64)

    def of(self, commit: int) -> int:
        """The column of a commit."""
        return int(np.searchsorted(self.ends, commit))


def _seconds(seconds: int) -> Callable[[datetime], int]:
    return lambda at: int((at - _EPOCH).total_seconds()) // seconds


def _start_after(seconds: int) -> Callable[[int], datetime]:
    return lambda n: _EPOCH + timedelta(seconds=n * seconds)


def _midnight(ordinal: int) -> datetime:
    return datetime.combine(date.fromordinal(ordinal), datetime.min.time(), UTC)


_UNITS: tuple[tuple[str, Callable[[datetime], int], Callable[[int], datetime]], ...] = (
    ("second", _seconds(1), _start_after(1)),
    ("10 seconds", _seconds(10), _start_after(10)),
    ("minute", _seconds(60), _start_after(60)),
    ("10 minutes", _seconds(600), _start_after(600)),
    ("hour", _seconds(3_600), _start_after(3_600)),
    ("6 hours", _seconds(21_600), _start_after(21_600)),
    ("day", _seconds(86_400), _start_after(86_400)),
    ("week", lambda at: (at.toordinal() - _MONDAY) // 7, lambda n: _midnight(n * 7 + _MONDAY)),
    ("month", lambda at: at.year * 12 + at.month - 1, lambda n: datetime(n // 12, n % 12 + 1, 1, tzinfo=UTC)),
    ("year", lambda at: at.year, lambda n: datetime(n, 1, 1, tzinfo=UTC)),
)
"""Name, number of the stretch that a time lies in, and where a stretch begins; from fine to coarse."""


def columns(commits: Sequence[Snapshot], most: int, *, place: int = 0) -> Columns:
    """The finest columns that are at most so many.

    A column each where commits are few; else by their clocks, stretches without a commit too; as many commits each
    where one has no time, or the coarsest stretches are too many.

    Args:
        commits: in their order.
        most: columns.
        place: index of the first of the commits, which the columns count from.
    """
    found = _columns(commits, most)
    items = tuple(Column(c.first + place, c.last + place, c.start) for c in found.items)
    return Columns(items, found.unit, found.backwards)


def _columns(commits: Sequence[Snapshot], most: int) -> Columns:
    if len(commits) <= most:
        return Columns(tuple(Column(n, n) for n in range(len(commits))), "commit")
    times = [snapshot.committed_at for snapshot in commits if snapshot.committed_at is not None]
    if len(times) == len(commits):
        latest = list(itertools.accumulate(times, max))
        backwards = sum(at < last for at, last in zip(times, latest, strict=True))
        for unit, number, start in _UNITS:
            if 1 < number(latest[-1]) - number(latest[0]) + 1 <= most:
                return Columns(tuple(_by_time([number(at) for at in latest], start)), unit, backwards)
    each = math.ceil(len(commits) / most)
    found = [Column(first, min(first + each, len(commits)) - 1) for first in range(0, len(commits), each)]
    return Columns(tuple(found), formats.count(each, "commit"))


def _by_time(numbers: Sequence[int], start: Callable[[int], datetime]) -> Iterator[Column]:
    ends = np.searchsorted(numbers, np.arange(numbers[0], numbers[-1] + 1), side="right").tolist()
    for n, (first, end) in enumerate(itertools.pairwise([0, *ends])):
        yield Column(first, end - 1, start(numbers[0] + n))
