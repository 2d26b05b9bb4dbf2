"""What Spark's tasks make of the files that they read, sent as compressed tables.

Between a task and this process Spark moves these as they are: a row for each entry would take it longer than reading.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import pyarrow as pa
from pyspark import cloudpickle

from ...model.iceberg import file_paths, inheritance, sequence_number_inheritance, unreadable
from .. import pieces, tasks
from ..pieces import shares
from ..rows import arrow
from ..source import Source
from . import avro, avro_fields, avro_file, avro_schema, list_rows, manifest_records, partition_text, places, task_files
from .avro_file import cores
from .task_files import Opened, for_tasks

_TASK_IN_FILES, _TASK_IN_BYTES = 5_000, 64_000_000
# What a job sends the driver holds at once, and takes no more than `spark.driver.maxResultSize`, by itself 1 GB.
_JOB_IN_BYTES = 400_000_000
_IN_ONE_THREAD = pa.ipc.IpcReadOptions(use_threads=False)  # what others made room for, Arrow does not give back
Tables = Mapping[str, pa.Table]


def sent(
    source: Source,
    paths: Sequence[str],
    size: int,
    names: Sequence[str],
    read: Callable[[Iterable[Opened]], Tables],
) -> Iterator[dict[str, pa.Table]]:
    """The tables that tasks make of files, a piece of bounded number and bytes at a time.

    Args:
        source: the table.
        paths: of the files. No task tells of one that is not there or fails.
        size: bytes of them together.
        names: of the tables that `read` makes.
        read: needs nothing of this package where it runs but what `by_value` names.

    Cost: a Spark job for each 400 MB; the bytes of the files.
    """
    ddl = ", ".join(f"`{name}` BINARY" for name in names)
    jobs = math.ceil(size / _JOB_IN_BYTES) or 1
    for some in shares(paths, jobs):
        wanted = tasks.number(
            source.spark, len(some), size // jobs, most_files=_TASK_IN_FILES, most_bytes=_TASK_IN_BYTES
        )
        files = for_tasks(source, some, wanted, passing_over=True)
        found = arrow.collected(tasks.mapped(files.frame, _sender(files.opened, tuple(names), read), ddl))
        for row in found.to_batches(max_chunksize=1):
            streams = {name: pa.ipc.open_stream(row[name][0].as_buffer(), options=_IN_ONE_THREAD) for name in names}
            yield {name: stream.read_all() for name, stream in streams.items()}


def by_value(*modules: str) -> None:
    """Send these modules, by name, and those that open and decode files, to the tasks that use something of them.

    What tasks run takes classes and functions of other modules, never the modules: these would come with all that they
    import.
    """
    of_files = (
        avro,
        avro_fields,
        avro_file,
        avro_schema,
        list_rows,
        manifest_records,
        partition_text,
        places,
        task_files,
    )
    of_others = (file_paths, inheritance, sequence_number_inheritance, unreadable, pieces)
    for module in (*of_files, *of_others, *map(sys.modules.__getitem__, modules)):
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]


def _sender(
    opened: Callable[[Iterable[pa.RecordBatch]], Iterator[list[Opened]]],
    names: tuple[str, ...],
    read: Callable[[Iterable[Opened]], Tables],
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does, as a function that needs nothing of this package where it runs."""
    by_value(__name__)

    def send(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for files in opened(batches):
            tables = read(files)
            yield pa.RecordBatch.from_pydict({name: [_compressed(tables[name])] for name in names})

    return send


def _compressed(table: pa.Table) -> bytes:
    out = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd", use_threads=cores() > 1)
    with pa.ipc.new_stream(out, table.schema, options=options) as stream:
        stream.write_table(table)
    content: bytes = out.getvalue().to_pybytes()
    return content
