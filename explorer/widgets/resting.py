"""Reading that starts by itself: where it costs little, and once the selection rests."""

from __future__ import annotations

import threading
from collections.abc import Callable

from .error_strip import ErrorStrip
from .guard import guarded

READ_BY_ITSELF = 10_000_000
"""Bytes up to which rows are read without being asked for."""

_SECONDS = 0.3  # a person who walks along the commits does not ask for the rows of each


class Resting:
    """Does one thing, the last that was asked for, when nothing else was asked for in the meantime."""

    def __init__(self, errors: ErrorStrip) -> None:
        self._errors = errors
        self._timer: threading.Timer | None = None
        self._newest = 0

    def soon(self, callback: Callable[[], None]) -> None:
        """Call it after a short rest, unless something newer comes before."""
        self.cancel()
        newest = self._newest

        def rested() -> None:
            if newest == self._newest:  # a timer that waits for its turn is cancelled no more
                callback()

        self._timer = threading.Timer(_SECONDS, guarded(self._errors, rested))
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Forget what was asked for."""
        self._newest += 1
        if self._timer is not None:
            self._timer.cancel()
