"""The round numbers that name the heights of a scale."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from ....model.snapshot_graph.symmetric_log import SymmetricLog

_NEAREST = 13.0  # pixels from one label to the next


def nice_steps(most: int, count: int) -> Iterator[int]:
    """0 and round numbers up to `most`, evenly apart: one to `count` of them besides 0; `count` is 2 or more."""
    tenfold = (10**power for power in itertools.count())
    step = next(nice * ten for ten in tenfold for nice in (1, 2, 5) if most // (nice * ten) <= count)
    return iter(range(0, most + 1, step))


def ticks(scale: SymmetricLog, most: int) -> list[int]:
    """Round numbers above 0 for a side whose longest bar is `most` rows, as many as have room."""
    if not scale.is_log:
        return [step for step in nice_steps(scale.most, 2) if 0 < step <= most]
    every = math.ceil(_NEAREST / scale.length(scale.even_up_to))
    tens = int(scale.decades(most)) if most >= scale.even_up_to else 0
    return [scale.even_up_to * 10**ten for ten in range(every - 1, tens, every)]
