"""How much memory an answer takes, of this process and of the driver beside it."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession


class Peaks:
    """The most memory that was used by what was measured, from a `reset` to a `take`, in bytes.

    Attributes:
        python: of this process, as the system counts it.
        driver: of the heap of the driver, garbage included.
    """

    def __init__(self, spark: SparkSession) -> None:
        jvm: Any = spark._jvm
        self._pools = [
            pool
            for pool in jvm.java.lang.management.ManagementFactory.getMemoryPoolMXBeans()
            if pool.getType().toString() == "Heap memory"
        ]
        self.python = self.driver = 0

    def reset(self) -> None:
        """Measure from now on."""
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")
        for pool in self._pools:
            pool.resetPeakUsage()

    def take(self) -> None:
        """Measure until now."""
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        self.python = max(self.python, int(line.split()[1]) * 1024)
        self.driver = max(self.driver, sum(pool.getPeakUsage().getUsed() for pool in self._pools))
