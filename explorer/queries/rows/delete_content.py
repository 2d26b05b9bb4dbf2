"""What delete files hold: the positions of position delete files and deletion vectors, each file read once.

Sources: Iceberg specification, "Position Delete Files" (`file_path`, `pos`), "Deletion Vectors", Puffin
specification (`deletion-vector-v1`).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import fastavro
import pyarrow as pa
from pyarrow import orc, parquet
from pyspark import cloudpickle
from pyspark.sql import DataFrame

from ...errors import UnreadableMetadata
from ...model.iceberg.inheritance import StoredEntry
from .. import tasks
from ..files import storage
from ..files.places import Places
from ..source import Source
from .local_rows import local_rows, local_table

# As for manifests: up to this the driver is done before Python workers have started.
_SMALL_IN_BYTES = 8_000_000
_TASK_IN_BYTES, _ROWS_A_TASK = 16_000_000, 200_000
_REFUSED = "The rows that deletes mask cannot be told."

_POSITIONS = pa.schema(
    {"file_path": pa.string(), "pos": pa.int64(), "delete_file_path": pa.string(), "content_offset": pa.int64()}
)
_DDL = "file_path STRING, pos BIGINT, delete_file_path STRING, content_offset BIGINT"


def positions(source: Source, deletes: Iterable[StoredEntry], *, small_in_bytes: int = _SMALL_IN_BYTES) -> DataFrame:
    """The positions that delete files and deletion vectors hold.

    Columns: file_path string, of the data file; pos bigint, of the row in it, from 0; delete_file_path string;
    content_offset bigint, bytes, of the vector in its Puffin file. Never null, but for the offset of other files.

    Args:
        source: the table.
        deletes: entries with content 1. Of a Puffin file all vectors are given, those of other entries too.
        small_in_bytes: files larger than this together are decoded in Spark tasks.

    Raises:
        UnreadableMetadata: a file is missing, refused or damaged; in tasks the last two show when the frame is read.

    Cost: the bytes of the files, each read once: by this process, or by one Spark job, before which another asks the
    storage which of them are there.
    """
    unique = {delete.file_path: delete for delete in deletes}
    if not are_small(unique.values(), small_in_bytes):
        formats = {path: delete.file_format.upper() for path, delete in unique.items()}
        files = storage.files(source.spark, formats, _options(source)).select("path", "content")
        places = Places(formats)
        there = {places.asked(row.path) for row in files.select("path").collect()}  # of one that is missing is no row
        _, lost = storage.again(source.spark, [path for path in formats if path not in there], _options(source))
        storage.refuse(lost.values(), _REFUSED)
        size = sum(delete.file_size_in_bytes for delete in unique.values())
        parts = tasks.number(source.spark, len(unique), size, most_bytes=_TASK_IN_BYTES)
        return tasks.mapped(files.coalesce(parts), _decoder(formats), _DDL)
    together = positions_here(source, unique.values())
    frame = local_table(source.spark, together, local_rows(source.spark, [], _DDL).schema)
    return frame.coalesce(max(1, len(together) // _ROWS_A_TASK))  # Spark makes one of every 10,000 rows


def are_small(deletes: Iterable[StoredEntry], small_in_bytes: int = _SMALL_IN_BYTES) -> bool:
    """Whether these files are so small together that this process decodes them."""
    return sum({delete.file_path: delete.file_size_in_bytes for delete in deletes}.values()) <= small_in_bytes


def positions_here(source: Source, deletes: Iterable[StoredEntry]) -> pa.Table:
    """The same of files that are small together, decoded by this process; raises, and costs, as `positions`."""
    formats = {delete.file_path: delete.file_format.upper() for delete in deletes}
    contents, unreadable_files = storage.contents(source.spark, list(formats), _options(source))
    storage.refuse(unreadable_files.values(), _REFUSED)
    found = [_POSITIONS.empty_table()]
    for path, content in contents.items():
        try:
            found.append(_decoded(path, content, formats[path]))
        except Exception as error:  # whatever a decoder makes of bytes that are no such file
            raise UnreadableMetadata(_REFUSED, found=f"{path}: {error}") from error
    return pa.concat_tables(found).combine_chunks()


def _options(source: Source) -> storage.ReadOptions:
    return replace(source.options, cache=None)  # which is for manifests


def _decoder(formats: Mapping[str, str]) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    for module in (sys.modules[Places.__module__], sys.modules[__name__]):
        cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]

    def decode(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        places = Places(formats)
        for batch in batches:
            for path, content in zip(batch.column(0), batch.column(1), strict=True):
                asked = places.asked(path.as_py())
                if asked is not None:
                    yield from _decoded(asked, content.as_py(), formats[asked]).to_batches()

    return decode


def _decoded(path: str, content: bytes, file_format: str) -> pa.Table:
    found = _READERS[file_format](content)
    if "content_offset" not in found.column_names:
        found = found.append_column("content_offset", pa.nulls(len(found), pa.int64()))
    found = found.append_column("delete_file_path", _repeated(path, pa.string(), len(found)))
    return found.select(_POSITIONS.names).cast(_POSITIONS)


def _repeated(value: Any, kind: pa.DataType, times: int) -> pa.Array:
    return pa.array([value], kind).take(pa.array([0] * times, pa.int32()))


def _of_avro(content: bytes) -> pa.Table:
    rows: list[Any] = list(fastavro.reader(io.BytesIO(content)))
    names = ("file_path", "pos")
    return pa.table({name: pa.array([row[name] for row in rows], _POSITIONS.field(name).type) for name in names})


def _of_puffin(content: bytes) -> pa.Table:
    # PyIceberg takes seconds to import, and few questions need it.
    from pyiceberg.table.deletion_vector import deletion_vectors_from_puffin_file
    from pyiceberg.table.puffin import PuffinFile

    file, tables = PuffinFile(content), []
    for vector, blob in zip(deletion_vectors_from_puffin_file(file), file.footer.blobs, strict=True):
        found = pa.chunked_array(vector.to_vector(), pa.int64())
        paths = _repeated(vector.referenced_data_file, pa.string(), len(found))
        offsets = _repeated(blob.offset, pa.int64(), len(found))
        tables.append(pa.table({"file_path": paths, "pos": found, "content_offset": offsets}))
    return pa.concat_tables(tables)


_READERS: Mapping[str, Callable[[bytes], pa.Table]] = {
    "PARQUET": lambda content: parquet.read_table(io.BytesIO(content), columns=["file_path", "pos"]),
    "ORC": lambda content: orc.read_table(io.BytesIO(content)),
    "AVRO": _of_avro,
    "PUFFIN": _of_puffin,
}
