"""Files that pass through this process on their way to Spark, a bounded piece at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce

from pyspark.sql import DataFrame, SparkSession

from ..rows.local_rows import local_rows

FILE = "path STRING, length BIGINT, content BINARY"
"""Columns of files."""

# So many are asked for together, and so much is held.
_AT_ONCE, _PIECE_IN_BYTES = 32, 32_000_000


def frame(
    spark: SparkSession, paths: Sequence[str], read: Callable[[Sequence[str]], Mapping[str, bytes | Exception]]
) -> DataFrame:
    """A frame of files with the columns `FILE`, read now and kept by Spark; none of what is empty or cannot be read."""
    pieces = [local_rows(spark, rows, FILE).localCheckpoint() for rows in _rows(paths, read)]
    return reduce(DataFrame.unionAll, pieces or [local_rows(spark, [], FILE)])


def _rows(
    paths: Sequence[str], read: Callable[[Sequence[str]], Mapping[str, bytes | Exception]]
) -> Iterator[list[tuple[str, int, bytes]]]:
    piece: list[tuple[str, int, bytes]] = []
    for first in range(0, len(paths), _AT_ONCE):
        found = read(paths[first : first + _AT_ONCE])
        piece += [(path, len(content), content) for path, content in found.items() if isinstance(content, bytes)]
        if sum(length for _, length, _ in piece) >= _PIECE_IN_BYTES:
            yield [row for row in piece if row[1]]
            piece = []
    yield [row for row in piece if row[1]]
