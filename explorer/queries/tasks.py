"""Functions of this package over the rows of a frame: in Spark's tasks, or in this process where tasks cannot run them.

A session that somebody else started runs whatever `python3` its workers find, which may lack pyarrow and the other
libraries that the functions import, or be of another version than this one, which Spark refuses.
"""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema

from ..engine import is_connect
from ..engine.logging import silenced_errors
from ..errors import ExplorerError
from .files import spark_errors
from .pieces import pieces
from .rows.local_rows import local_rows, local_table

OverBatches = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]

LIBRARIES = ("fastavro", "numpy", "polars", "pyarrow", "pyiceberg")
"""What the Python of the workers must have."""

# Less than so many files and bytes a task reads as soon as another one has started.
_LEAST_TASKS, _LEAST_IN_FILES, _LEAST_IN_BYTES = 2, 500, 4_000_000

# Of what passes through this process, so much is held at a time.
_PIECE_IN_BYTES = 8_000_000
_PIECE_IN_ROWS = 10_000

_found: WeakKeyDictionary[SparkSession, str] = WeakKeyDictionary()
_cores: WeakKeyDictionary[SparkSession, int] = WeakKeyDictionary()
_one_at_a_time = threading.Lock()


def unfit(spark: SparkSession) -> str:
    """Why the workers of this session cannot run our functions, a sentence; empty if they can, or were not needed."""
    with _one_at_a_time:
        return _found.get(spark, "")


def number(spark: SparkSession, files: int, size: int, *, most_files: int | None = None, most_bytes: int) -> int:
    """Among how many tasks to deal files: one for each core, unless that is too little work for a task, or too much.

    Args:
        spark: the session that runs them.
        files: how many there are.
        size: bytes of them together.
        most_files: of one task; None if only bytes count.
        most_bytes: of one task.
    """
    needed = max(_LEAST_TASKS, files // (most_files or max(files, 1)), size // most_bytes)
    return max(needed, min(at_once(spark), max(files // _LEAST_IN_FILES, size // _LEAST_IN_BYTES)))


def at_once(spark: SparkSession) -> int:
    """How many tasks Spark runs at once. Cost: over Connect a small job, once in a session."""
    with _one_at_a_time:
        if spark not in _cores:
            if is_connect(spark):
                parts = spark.sql("SELECT spark_partition_id() AS part FROM range(1000)").collect()
                _cores[spark] = len({row.part for row in parts})
            else:
                _cores[spark] = spark.sparkContext.defaultParallelism
        return _cores[spark]


def are_fit(spark: SparkSession) -> bool:
    """Whether the workers of this session can run our functions. Cost: as the first time of `mapped`."""
    return not _why_not(spark)


def mapped(frame: DataFrame, function: OverBatches, ddl: str) -> DataFrame:
    """The rows that a function makes of those of a frame.

    Lazy where the workers can run the function. Where they cannot, the rows come through this process now, in bounded
    pieces, and Spark keeps what was made of them.

    Args:
        frame: the rows that the function is given.
        function: needs nothing of this package where it runs; of other libraries `LIBRARIES`.
        ddl: names and types of the columns that it makes, as in `CREATE TABLE`.

    Raises:
        ExplorerError: the workers cannot run it, and Spark 3.5 takes no rows from this process without them.

    Cost: the first time in a session whose workers have another Python than this process, a job of one task.
    """
    found = _why_not(frame.sparkSession)
    return _mapped_here(frame, function, ddl, found) if found else frame.mapInArrow(function, ddl)


def _why_not(spark: SparkSession) -> str:
    with _one_at_a_time:
        if spark in _found:
            return _found[spark]
    found = "" if _is_this_python(spark) else _tried(spark)
    with _one_at_a_time:
        return _found.setdefault(spark, found)


def _is_this_python(spark: SparkSession) -> bool:
    """Whether the workers are on this machine, with the very Python of this process."""
    if is_connect(spark) or not str(spark.sparkContext.master).startswith("local"):
        return False
    python = shutil.which(spark.sparkContext.pythonExec)
    return python is not None and Path(python).absolute() == Path(sys.executable).absolute()


def _tried(spark: SparkSession) -> str:
    """What is wrong with the Python of the workers, by a task that imports what ours do; empty if nothing is."""
    needed = LIBRARIES

    def imports(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for library in needed:
            import_module(library)
        yield from batches

    try:
        with silenced_errors():
            spark.range(0, 1, 1, 1).mapInArrow(imports, "id BIGINT").collect()
    except Exception as error:
        if found := spark_errors.unfit_python(error):
            return found
        raise
    return ""


def _mapped_here(frame: DataFrame, function: OverBatches, ddl: str, found: str) -> DataFrame:
    spark = frame.sparkSession
    nothing = local_rows(spark, [], ddl)
    schema, frames = nothing.schema, [nothing]
    arrow = to_arrow_schema(schema)
    for batches in pieces(function(_batches(frame)), size=attrgetter("nbytes"), in_bytes=_PIECE_IN_BYTES):
        made = pa.Table.from_batches(batches).select(arrow.names).cast(arrow)
        try:
            frames.append(local_table(spark, made, schema).localCheckpoint())
        except Exception as error:
            if not spark_errors.unfit_python(error):
                raise
            raise ExplorerError(
                "The manifests cannot be decoded: the Python of Spark's workers cannot do it, and Spark"
                f" {spark.version} takes no rows from this process without them.",
                found=found,
                next_step=f"Start Spark with PYSPARK_PYTHON={sys.executable}, or with Spark 4.",
            ) from error
    return reduce(DataFrame.unionAll, frames[1:] or frames)


def _batches(frame: DataFrame) -> Iterator[pa.RecordBatch]:
    """The rows of a frame, a partition at a time, in batches of bounded size."""
    schema = to_arrow_schema(frame.schema)
    rows: list[Any] = []
    size = 0
    for row in frame.toLocalIterator():
        rows.append(row)
        size += sum(len(value) for value in row if isinstance(value, bytes | bytearray | str))
        if size >= _PIECE_IN_BYTES or len(rows) >= _PIECE_IN_ROWS:
            yield _batch(rows, schema)
            rows, size = [], 0
    if rows:
        yield _batch(rows, schema)


def _batch(rows: Iterable[Any], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    return pa.RecordBatch.from_arrays(
        [
            pa.array([list(v.items()) if isinstance(v, dict) else v for v in values], field.type)
            for values, field in zip(columns, schema, strict=True)
        ],
        schema=schema,
    )
