"""Many manifest lists or manifests, each read by a Spark task, which sends what they say as compressed tables.

Between a task and this process Spark moves these as they are: a row for each entry would take it longer than reading.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import cloudpickle

from ...model.iceberg import inheritance, unreadable
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.unreadable import Unreadable
from .. import tasks
from ..rows import arrow
from ..source import Source
from . import avro, avro_fields, avro_file, list_rows, partition_text, places, storage, stored_history, task_files
from .list_rows import as_row
from .manifests import size_together
from .stored_history import TABLES, Manifests, StoredHistory, read_of_lists, read_of_manifests
from .task_files import Opened, for_tasks

_TASK_IN_FILES, _TASK_IN_BYTES = 5_000, 64_000_000
_SENT = ", ".join(f"`{name}` BINARY" for name in TABLES)


def read_lists(source: Source, stored: StoredHistory, owners: Mapping[str, int]) -> StoredHistory:
    """What is known after reading manifest lists in tasks.

    Args:
        source: the table.
        stored: what was read before.
        owners: the lists to read, each with the snapshot whose list it is.

    Cost: one Spark job; the bytes of the lists.
    """
    snapshot_of = dict(owners)

    def read(files: Iterable[Opened]) -> StoredHistory:
        return read_of_lists(
            (path, snapshot_of[path], content.reason if isinstance(content, Unreadable) else content)
            for path, content in files
        )

    parts = {path: part for part in _parts(source, list(owners), 0, read) for path in part.lists}
    manifests, lists = Manifests(stored.manifests), dict(stored.lists)
    for path in owners:  # in this order, whichever task was done first
        found = parts[path].lists[path]
        rows = parts[path].manifests
        lists[path] = found if isinstance(found, str) else tuple(manifests.indices(rows[i] for i in found))
    return replace(stored, manifests=manifests.rows, lists=lists)


def read_manifests(
    source: Source, stored: StoredHistory, manifests: Sequence[ListedManifest], whole: Collection[str]
) -> StoredHistory:
    """What is known after reading manifests in tasks.

    Args:
        source: the table.
        stored: what was read before.
        manifests: those to read.
        whole: paths of those of which EXISTING entries are asked for too.

    Cost: one Spark job; the bytes of the manifests.
    """
    rows = {manifest.path: as_row(manifest) for manifest in manifests}  # Spark 3.5 loses values with slots
    specs = {spec_id: [dict(field) for field in spec] for spec_id, spec in source.specs.items()}
    asked = frozenset(whole)

    def read(files: Iterable[Opened]) -> StoredHistory:
        return read_of_manifests(((ListedManifest(*rows[path]), content) for path, content in files), specs, asked)

    for part in _parts(source, list(rows), size_together(manifests), read):
        stored = stored.with_all_of(part)
    # In the order of the manifests, whichever task was done first.
    return replace(stored, entries=stored.entries.take(pc.sort_indices(stored.entries["manifest"])))


def _parts(
    source: Source, paths: Sequence[str], size: int, read: Callable[[Iterable[Opened]], StoredHistory]
) -> Iterator[StoredHistory]:
    """What tasks read of these files, which have so many bytes together."""
    tasks_wanted = max(2, len(paths) // _TASK_IN_FILES, size // _TASK_IN_BYTES)
    files = for_tasks(source, paths, tasks_wanted, passing_over=True)
    sent = arrow.collected(tasks.mapped(files.frame, _sender(files.opened, read), _SENT))
    told: set[str] = set()
    for row in sent.to_batches(max_chunksize=1):
        part = StoredHistory.of_tables(
            {name: pa.ipc.open_stream(row[name][0].as_buffer()).read_all() for name in TABLES}
        )
        told.update(part.lists, (manifest.path for manifest in part.manifests))
        yield part
    # What no task told of is not asked for beforehand: that would be a request for each of all the files.
    if untold := [path for path in paths if path not in told]:
        found, unreadable_files = storage.again(source.spark, untold, source.options)
        yield read((found | unreadable_files).items())


def _sender(
    opened: Callable[[Iterable[pa.RecordBatch]], Iterator[list[Opened]]],
    read: Callable[[Iterable[Opened]], StoredHistory],
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does, as a function that needs nothing of this package where it runs."""
    own = sys.modules[__name__]
    of_files = (avro, avro_fields, avro_file, list_rows, partition_text, places, stored_history)
    for module in (*of_files, task_files, inheritance, unreadable, own):
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
    names = list(TABLES)

    def send(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for files in opened(batches):
            tables = read(files).tables()
            yield pa.RecordBatch.from_pydict({name: [_compressed(tables[name])] for name in names})

    return send


def _compressed(table: pa.Table) -> bytes:
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(table)
    content: bytes = out.getvalue().to_pybytes()
    return content
