"""The round numbers that name the lengths of bars."""

from __future__ import annotations

import math

from ....model.snapshot_graph.symmetric_log import SymmetricLog
from ...page.scale import nice_steps

_NEAREST = 13.0  # pixels from one label to the next


def ticks(scale: SymmetricLog, most: int) -> list[int]:
    """Round numbers above 0 for a side whose longest bar is `most` rows, as many as have room."""
    if not scale.is_log:
        return [step for step in nice_steps(scale.most, 2) if 0 < step <= most]
    every = math.ceil(_NEAREST / scale.length(scale.even_up_to))
    tens = int(scale.decades(most)) if most >= scale.even_up_to else 0
    return [scale.even_up_to * 10**ten for ten in range(every - 1, tens, every)]
