"""What work of Spark waits for until a test has seen it under way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class Gate:
    """What a task of Spark, in a process of its own, waits for until it is opened here."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def open(self) -> None:
        self.file.touch()

    def batches(self, number: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
        """For `mapInArrow`: batches of which those with an id from `number` on wait."""
        file = self.file

        def held(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                end = time.monotonic() + 120
                while batch.column(0)[0].as_py() >= number and not file.exists() and time.monotonic() < end:
                    time.sleep(0.05)
                yield batch

        return held
