"""Numbers of rows to lengths, the same scale to both sides of a base line."""

from __future__ import annotations

import math
from dataclasses import dataclass

LINEAR_UP_TO = 1_000  # rows; a bar of a hundred is to be seen beside one of a million


@dataclass(frozen=True, slots=True)
class SymmetricLog:
    """Rows to lengths from a base line, both ways alike: even up to 1,000, from there on by their logarithm.

    Attributes:
        most: rows of the longest bar, at least 1.
        longest: its length, in pixels or signs.
    """

    most: int
    longest: float

    @property
    def is_log(self) -> bool:
        """Whether any bar is beyond the even part."""
        return self.most > LINEAR_UP_TO

    def length(self, rows: int) -> float:
        """The length of a bar."""
        if not self.is_log:
            return rows / self.most * self.longest
        return decades(rows) / decades(self.most) * self.longest


def decades(rows: int) -> float:
    """How many times the first 1,000 rows are as long: 1 for 1,000, 2 for 10,000."""
    return rows / LINEAR_UP_TO if rows <= LINEAR_UP_TO else 1 + math.log10(rows / LINEAR_UP_TO)
