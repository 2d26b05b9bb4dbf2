"""Python's search for garbage, held back where large answers are built of small values."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused_gc() -> Iterator[None]:
    """Within the block Python looks for no garbage: hundreds of thousands of values are made there and none dropped.

    With 10,000 snapshots the search through all of the process's objects took a third of the time.
    """
    resting = not gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not resting:
            gc.enable()
