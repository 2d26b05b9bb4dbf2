"""Numbers of rows to lengths, the same scale to both sides of a base line."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

_EVEN_AT_LEAST, _EVEN_AT_MOST = 10, 1_000  # rows


@dataclass(frozen=True, slots=True)
class SymmetricLog:
    """Rows to lengths from a base line, both ways alike: even at first, from there on by their logarithm.

    Attributes:
        most: rows of the longest bar, at least 1.
        longest: its length, in pixels or signs.
        even_up_to: rows, a power of ten, up to which lengths are even.
    """

    most: int
    longest: float
    even_up_to: int = _EVEN_AT_MOST

    @property
    def is_log(self) -> bool:
        """Whether any bar is beyond the even part."""
        return self.most > self.even_up_to

    def length(self, rows: int) -> float:
        """The length of a bar."""
        if not self.is_log:
            return rows / self.most * self.longest
        return self.decades(rows) / self.decades(self.most) * self.longest

    def decades(self, rows: int) -> float:
        """How many times the even part is as long: 1 for its end, 2 for ten times as many rows."""
        share = rows / self.even_up_to
        return share if share <= 1 else 1 + math.log10(share)


def even_part(rows: Iterable[int]) -> int:
    """Rows up to which lengths are even, 10, 100 or 1,000: a usual bar is to be seen beside the longest.

    Args:
        rows: of each bar, at least 1.
    """
    usual = float(statistics.median(list(rows) or [1]))
    return min(max(int(10 ** math.ceil(math.log10(usual))), _EVEN_AT_LEAST), _EVEN_AT_MOST)
