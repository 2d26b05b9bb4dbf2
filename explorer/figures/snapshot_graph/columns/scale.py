"""Numbers to heights, and the round numbers that name them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

LINEAR_UP_TO = 1_000  # rows; a bar of a hundred is to be seen beside one of a million
_NEAREST = 13.0  # pixels from one label to the next


def nice_steps(most: int, count: int) -> Iterator[int]:
    """0 and round numbers up to `most`, evenly apart: one to `count` of them besides 0; `count` is 2 or more."""
    tenfold = (10**power for power in itertools.count())
    step = next(nice * ten for ten in tenfold for nice in (1, 2, 5) if most // (nice * ten) <= count)
    return iter(range(0, most + 1, step))


@dataclass(frozen=True, slots=True)
class SymmetricLog:
    """Rows to pixels from a base line, up and down alike: even up to 1,000, from there on by their logarithm.

    Attributes:
        most: rows of the longest bar, at least 1.
        tallest: its pixels.
    """

    most: int
    tallest: float

    @property
    def is_log(self) -> bool:
        """Whether any bar is beyond the even part."""
        return self.most > LINEAR_UP_TO

    def pixels(self, rows: int) -> float:
        """The length of a bar."""
        if not self.is_log:
            return rows / self.most * self.tallest
        return _decades(rows) / _decades(self.most) * self.tallest

    def ticks(self, most: int) -> list[int]:
        """Round numbers above 0 for a side whose longest bar is `most` rows, as many as have room."""
        if not self.is_log:
            return [step for step in nice_steps(self.most, 2) if 0 < step <= most]
        every = math.ceil(_NEAREST / self.pixels(LINEAR_UP_TO))
        decades = int(_decades(most)) if most >= LINEAR_UP_TO else 0
        return [LINEAR_UP_TO * 10**decade for decade in range(every - 1, decades, every)]


def _decades(rows: int) -> float:
    return rows / LINEAR_UP_TO if rows <= LINEAR_UP_TO else 1 + math.log10(rows / LINEAR_UP_TO)
