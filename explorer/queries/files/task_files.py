"""Files that Spark's tasks read: those of the disk of the machine that they run on they open, others Spark brings them.

Spark takes ten times as long to bring many small files of a disk as the tasks take to open them. Functions that run in
tasks get this module by value.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa
from pyspark.sql import DataFrame

from ...model.iceberg.unreadable import Unreadable
from ..pieces import pieces, shares
from ..source import Source
from ..tasks import are_fit
from . import local_files, storage
from .places import Places
from .storage import MISSING

Opened = tuple[str, bytes | Unreadable]
"""The location of a file as it was asked, and its bytes or why they cannot be had."""

# What is opened at a time in a task.
_PIECE_IN_FILES, _PIECE_IN_BYTES = 500, 32_000_000


@dataclass(frozen=True)
class TaskFiles:
    """Files for Spark's tasks to open.

    Attributes:
        frame: what tasks are given, in as many partitions as there are tasks.
        opened: makes of that, in a task, the files in pieces of bounded number and bytes.
        tells_all: whether a task tells of a file that is not there too; else nobody does, see `missing`.
    """

    frame: DataFrame
    opened: Callable[[Iterable[pa.RecordBatch]], Iterator[list[Opened]]]
    tells_all: bool


def for_tasks(source: Source, paths: Sequence[str], tasks: int, *, passing_over: bool = False) -> TaskFiles:
    """These files for so many tasks; `passing_over` as of `storage.files`.

    Cost: nothing for files of a disk that tasks see, but on other machines that of `tasks.are_fit`; else a listing of
    the folders.
    """
    spark, options = source.spark, source.options
    asked = list(paths)
    found = storage.beside_tasks(spark, asked, options)
    # Where no task can run this, this process does, which does not see the disk of another machine.
    if found is not None and (local_files.is_shared_disk(spark) or are_fit(spark)):
        frame = spark.range(0, tasks, 1, tasks)
        return TaskFiles(frame, lambda batches: _on_disk(batches, asked, found, tasks), tells_all=True)
    frame = storage.files(spark, asked, options, partitions=tasks, passing_over=passing_over)
    return TaskFiles(frame.select("path", "content"), lambda batches: _brought(batches, asked), tells_all=False)


def missing(source: Source, files: TaskFiles, paths: Sequence[str]) -> list[Unreadable]:
    """Those of the files of which no task will tell, for who cannot wait for what the tasks tell.

    Cost: nothing if tasks tell of all, else a job that asks the storage for each file, and reads none.
    """
    if files.tells_all:
        return []
    known = Places(paths)
    there = {known.asked(row.path) for row in files.frame.select("path").collect()}
    _, without_rows = storage.again(source.spark, [path for path in paths if path not in there], source.options)
    return list(without_rows.values())


def _on_disk(
    batches: Iterable[pa.RecordBatch], paths: Sequence[str], places: Sequence[str], tasks: int
) -> Iterator[list[Opened]]:
    """Of the n-th of so many tasks its share of the files: stretches from all over, since later lists are longer."""
    count = tasks * math.ceil(len(paths) / (tasks * _PIECE_IN_FILES))
    for number in (number.as_py() for batch in batches for number in batch.column(0)):
        for stretch in islice(shares(range(len(paths)), count), number, None, tasks):
            yield from _in_pieces((paths[i], _read(paths[i], places[i])) for i in stretch)


def _brought(batches: Iterable[pa.RecordBatch], paths: Iterable[str]) -> Iterator[list[Opened]]:
    known = Places(paths)
    rows = (row for batch in batches for row in zip(batch.column(0), batch.column(1), strict=True))
    found = ((known.asked(path.as_py()), content.as_py()) for path, content in rows)
    return _in_pieces((path, content) for path, content in found if path is not None)


def _in_pieces(files: Iterable[Opened]) -> Iterator[list[Opened]]:
    return pieces(files, number=_PIECE_IN_FILES, size=_held, in_bytes=_PIECE_IN_BYTES)


def _held(file: Opened) -> int:
    return len(file[1]) if isinstance(file[1], bytes) else 0


def _read(location: str, place: str) -> bytes | Unreadable:
    try:
        with io.FileIO(place) as file:
            content: bytes = file.readall()
            return content
    except FileNotFoundError:
        return Unreadable(location, "missing", MISSING)
    except (OSError, ValueError) as error:  # a NUL in a name is a ValueError
        return Unreadable(location, "refused", f"It may not be read: {error}.")
