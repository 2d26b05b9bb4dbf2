"""How many bytes of files were read so far: by this process, and by the Spark that runs in it."""

from __future__ import annotations

import io
import threading
from pathlib import Path
from typing import Any, BinaryIO

from pyspark.sql import SparkSession

from ...engine import is_not_started
from .local_files import is_shared_disk

_counting = threading.Lock()
_read_here = 0


def so_far(spark: SparkSession) -> int:
    """All that was read since both began. Where Spark runs elsewhere, only what this process read itself is known.

    Of Spark it is what Hadoop's file systems count: planning, checksums, and what it reads meanwhile for others too.
    What Spark's tasks hand to Python by its path, manifests of more than some megabytes, is in nobody's count.
    """
    if is_not_started(spark) or not is_shared_disk(spark):
        return _read_here
    jvm: Any = spark._jvm
    of_spark: list[int] = [each.getBytesRead() for each in jvm.org.apache.hadoop.fs.FileSystem.getAllStatistics()]
    return _read_here + sum(of_spark)


def content(path: Path) -> bytes:
    """What is in a file. Raises: as `Path.read_bytes`."""
    return _counted(path.read_bytes())


def opened(path: Path) -> BinaryIO:
    """A file to look into. Raises: OSError."""
    return io.BufferedReader(_File(path))


class _File(io.FileIO):
    def readinto(self, buffer: Any, /) -> int:
        count = super().readinto(buffer) or 0
        _count(count)
        return count

    def readall(self) -> bytes:
        return _counted(super().readall())


def _counted(read: bytes) -> bytes:
    _count(len(read))
    return read


def _count(size: int) -> None:
    global _read_here
    with _counting:
        _read_here += size
