"""The round numbers that name the places of a scale."""

from __future__ import annotations

import itertools
from collections.abc import Iterator


def nice_steps(most: int, count: int) -> Iterator[int]:
    """0 and round numbers up to `most`, evenly apart: one to `count` of them besides 0; `count` is 2 or more."""
    tenfold = (10**power for power in itertools.count())
    step = next(nice * ten for ten in tenfold for nice in (1, 2, 5) if most // (nice * ten) <= count)
    return iter(range(0, most + 1, step))
