"""What was asked of a table, and how much was read for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from ..queries.files import read_bytes


class Asked:
    """What was asked of a table, of whatever version.

    Attributes:
        questions: names of the pictures that were read, in order.
        counts_bytes: whether it is counted how much is read for them; two requests to Spark for each.
        bytes_read: of files with metadata or data, as `read_bytes.so_far` counts.
    """

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.counts_bytes = False
        self.bytes_read = 0
        self._lock = threading.Lock()
        self._depth, self._before = 0, 0

    @contextmanager
    def reading(self, spark: SparkSession) -> Iterator[None]:
        """Within the block the table is read; what several blocks read at once is counted once."""
        if not self.counts_bytes:
            yield
            return
        with self._lock:
            if not self._depth:
                self._before = read_bytes.so_far(spark)
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1
                if not self._depth:
                    self.bytes_read += read_bytes.so_far(spark) - self._before
