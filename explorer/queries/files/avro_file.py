"""One Avro file: its header, and its records as columns. Spark tasks get this module by value, as `avro` too.

Two libraries read it with equal answers. polars gives columns at once, which takes a tenth of the time, but knows the
types alone that writers of Iceberg are asked to use; what it does not take, fastavro reads, which says what is wrong.
"""

from __future__ import annotations

import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import fastavro
from pyspark import TaskContext

from ..pieces import pieces
from .avro_schema import plain_schema, polars_type, without_maps

if TYPE_CHECKING:
    import polars as pl

_TOGETHER_IN_BYTES = 1_000_000  # files that are read as one
# Records of a block, for which polars makes room before it reads them, or ends the process; and bytes of which deflate
# makes one at most: a record takes one of them at least.
_MOST_IN_A_BLOCK, _MOST_DEFLATED = 10_000_000, 1_032
_HEADER = {  # Avro specification, "Object Container Files"
    "type": "record",
    "name": "org.apache.avro.file.Header",
    "fields": [
        {"name": "magic", "type": {"type": "fixed", "name": "Magic", "size": 4}},
        {"name": "meta", "type": {"type": "map", "values": "bytes"}},
        {"name": "sync", "type": {"type": "fixed", "name": "Sync", "size": 16}},
    ],
}
_SCHEMA, _CODEC, _AS_THEY_ARE = "avro.schema", "avro.codec", "null"
_UNCOMPRESS: Mapping[str, Callable[[memoryview], bytes]] = {
    _AS_THEY_ARE: bytes,
    "deflate": lambda stored: zlib.decompress(stored, -zlib.MAX_WBITS),
}

T = TypeVar("T")
Found = TypeVar("Found")


class NotReadable(ValueError):
    """The bytes are no manifest or manifest list that can be read; the message says why, in a sentence."""


class AvroFile:
    """One Avro file: its header, its writer's schema, and its records without logical types.

    Attributes:
        schema_text: of the writer, as JSON.

    Raises:
        NotReadable: not Avro, or its schema is none; `frame` also if the file is damaged or cut short.
    """

    def __init__(self, content: bytes) -> None:
        if content[:4] == b"PAR1":
            raise NotReadable("It is a Parquet file, as format version 4 writes; versions 1 to 3 are read here.")
        if content[:4] != b"Obj\x01":
            raise NotReadable("It is empty." if not content else "It is not an Avro file.")
        stream = io.BytesIO(content)
        try:
            header: Any = fastavro.schemaless_reader(stream, _HEADER, None)
            self._meta: Mapping[str, bytes] = header["meta"]
            self.schema_text = self._meta[_SCHEMA].decode()
        except Exception as error:  # fastavro raises whatever it stumbles over
            raise NotReadable("It is a damaged Avro file: its header cannot be read.") from error
        self._sync, self._blocks = header["sync"], memoryview(content)[stream.tell() :]
        try:
            self._schema = plain_schema(self.schema_text)
        except Exception as error:
            raise NotReadable("It is a damaged Avro file: its schema cannot be understood.") from error

    @property
    def codec(self) -> str:
        """What its blocks are compressed with."""
        return self.text(_CODEC) or _AS_THEY_ARE

    def text(self, key: str) -> str | None:
        """A value of the header; None if it has none of that name."""
        found = self._meta.get(key)
        return None if found is None else found.decode()

    def number(self, key: str) -> int | None:
        """The same as a whole number; None if it is none."""
        value = self.text(key) or ""
        return int(value) if value.isdecimal() else None

    def frame(self) -> pl.DataFrame:
        """All records, in the file's order: a column for each field, named as the writer names it.

        Values are as stored: a date is a number of days, a decimal is bytes. A map is a list of (key, value).
        """
        import polars as pl

        schema = self._schema
        if schema.is_quick:
            with suppress(Exception):  # fastavro says what is wrong
                if (found := _read_blocks(self, self.codec, self._each_block())) is not None:
                    return found
        try:
            reader = fastavro.reader(self._with_schema(schema.plain))
            records = [without_maps(record, schema.spelled_out) for record in reader]
            return pl.DataFrame(records, schema=dict(polars_type(schema.spelled_out)), strict=False)
        except Exception as error:
            raise _damaged(error) from error

    def records(self) -> list[Any]:
        """All records, in the file's order, by the writer's names: what `with_records` writes again.

        Values are as stored; a map of numbers is a list of records.

        Raises:
            NotReadable: the file is damaged or cut short.
        """
        try:
            return list(fastavro.reader(self._with_schema(self._schema.plain)))
        except Exception:  # it may know no such codec, where polars does
            return self.frame().rows(named=True)

    def with_records(self, records: Sequence[Any]) -> bytes:
        """The same file with these records; its header, with the writer's schema, is left as it is.

        But for the codec, where fastavro does not know it: then the blocks are deflated.

        Raises:
            NotReadable: the schema has no room for a value.
        """
        with suppress(Exception):
            return self._written(records, self.codec)
        try:
            return self._written(records, "deflate")
        except Exception as error:
            raise _damaged(error) from error

    def _written(self, records: Sequence[Any], codec: str) -> bytes:
        written = io.BytesIO()
        fastavro.writer(written, json.loads(self._schema.plain), records, codec)
        written.seek(0)
        header: Any = fastavro.schemaless_reader(written, _HEADER, None)
        out = io.BytesIO()
        meta = {**self._meta, _CODEC: codec.encode()}
        fastavro.schemaless_writer(out, _HEADER, header | {"meta": meta})
        return out.getvalue() + written.read()

    def _with_schema(self, plain: str) -> io.BytesIO:
        """The file with this schema in its header."""
        out = self._header_with(plain)
        out.write(self._blocks)
        out.seek(0)
        return out

    def _header_with(self, plain: str, codec: str | None = None) -> io.BytesIO:
        out = io.BytesIO()
        meta = {_SCHEMA: plain.encode(), _CODEC: (codec or self.codec).encode()}
        fastavro.schemaless_writer(out, _HEADER, {"magic": b"Obj\x01", "meta": meta, "sync": self._sync})
        return out

    def _each_block(self) -> Iterator[tuple[int, memoryview]]:
        """How many records a block has, and these, compressed as all of the file are.

        Source: Avro specification, "Object Container Files".

        Raises:
            NotReadable: the file is damaged or cut short.
        """
        start, blocks = 0, self._blocks
        while start < len(blocks):
            count, at = _long(blocks, start)
            size, at = _long(blocks, at)
            end = at + size
            if count < 0 or size < 0 or blocks[end : end + len(self._sync)] != self._sync:
                raise NotReadable("It is a damaged Avro file: a block does not end where it says.")
            if count > min(_MOST_IN_A_BLOCK, (size + 1) * _MOST_DEFLATED):
                raise NotReadable(
                    f"It is a damaged Avro file: a block of {size:,} bytes says it has {count:,} records."
                )
            yield count, blocks[at:end]
            start = end + len(self._sync)

    def _uncompressed(self) -> tuple[int, bytes]:
        """How many records it has, and all of them as Avro writes them.

        Raises:
            KeyError: its codec is none of `_UNCOMPRESS`.
            NotReadable, zlib.error: the file is damaged or cut short.
        """
        uncompress = _UNCOMPRESS[self.codec]
        blocks = [(count, uncompress(stored)) for count, stored in self._each_block()]
        if any(records for count, records in blocks if not count):
            raise NotReadable("It is a damaged Avro file: a block says that it has no records.")
        return sum(count for count, _ in blocks), b"".join(records for _, records in blocks)


def read_together(files: Sequence[AvroFile]) -> tuple[pl.DataFrame, list[int]] | None:
    """All records of files of one schema and one codec, as `AvroFile.frame` has them, and how many each file has.

    Their blocks are read as those of one file: to open each takes ten times what a few records do. None where each has
    to be read alone: one of them is damaged, polars does not read such a schema, or there may be no record at all.
    """
    if not files[0]._schema.is_quick:
        return None
    with suppress(Exception):  # read alone, it is told which one it is, and why
        blocks = [list(file._each_block()) for file in files]
        found = _read_blocks(files[0], files[0].codec, chain.from_iterable(blocks))
        return None if found is None else (found, [sum(count for count, _ in own) for own in blocks])
    return None


def read_successive(files: Sequence[AvroFile]) -> tuple[pl.DataFrame, list[int], list[bool]] | None:
    """The same of files of which most hold all records of the one before again, as the lists of a history do.

    What is left is read as one block, for each of which polars takes long. So damage of one file may shift the records
    of those after it; but each begins with a text, and those at which a file begins then have not the file's own.

    Returns:
        The records of all files, those left out with which the file before one begins and that one ends; how many each
        file has among them; and whether all records of the file before follow these. None as `read_together`.
    """
    schema = files[0]._schema
    if len(files) == 1 or files[0].codec not in _UNCOMPRESS or not (schema.is_quick and schema.begins_with_text):
        together = read_together(files)
        return together and (*together, [False] * len(files))
    own, repeats, before = list[tuple[int, bytes]](), list[bool](), (0, b"")
    with suppress(Exception):
        for file in files:
            count, records = file._uncompressed()
            repeated, shared = before if records.endswith(before[1]) else (0, b"")
            own.append((count - repeated, records[: len(records) - len(shared)]))
            repeats.append(repeated > 0)
            before = count, records
        counts = [count for count, _ in own]
        found = _read_blocks(files[0], _AS_THEY_ARE, [(sum(counts), b"".join(records for _, records in own))])
        if found is not None and _begin_alike(found.to_series(0).to_list(), own):
            return found, counts, repeats
    return None


def _begin_alike(texts: Sequence[str], files: Sequence[tuple[int, bytes]]) -> bool:
    """Whether the records of each file, by their first texts, begin where the bytes of the file do."""
    start = 0
    for count, records in files:
        if bool(count) != bool(records):
            return False
        if count:
            begin = texts[start].encode()
            if not records.startswith(_as_long(len(begin)) + begin):
                return False
        start += count
    return True


def _read_blocks(like: AvroFile, codec: str, blocks: Iterable[tuple[int, bytes | memoryview]]) -> pl.DataFrame | None:
    """Records of blocks, each with their number, as those of a file with such a schema, which polars reads.

    None if they are damaged.
    """
    import polars as pl

    one, total = like._header_with(like._schema.json, codec), 0
    for count, records in blocks:
        if count:  # at a block without records polars would stop
            one.write(_as_long(count))
            one.write(_as_long(len(records)))
            one.write(records)
            one.write(like._sync)
            total += count
    one.seek(0)
    try:
        found = pl.read_avro(one)
    except pl.exceptions.PanicException:
        return None
    return found if len(found) == total else None


def in_pieces(
    files: Sequence[T], size: Callable[[T], int], read: Callable[[Sequence[T]], Iterable[Found]]
) -> list[Found]:
    """What is read of files of one schema and one codec, of as many at once as are read together.

    Args:
        files: to read.
        size: bytes of each.
        read: a piece of them; others are read meanwhile in other threads, if this process has other cores.
    """
    together = list(pieces(files, size=size, in_bytes=_TOGETHER_IN_BYTES))
    if (threads := min(cores(), len(together))) <= 1:
        return [one for piece in together for one in read(piece)]
    with ThreadPoolExecutor(threads) as pool:
        return [one for found in pool.map(lambda piece: list(read(piece)), together) for one in found]


def cores() -> int:
    """How many may be used: in a task those that Spark gave it, since others have tasks of their own."""
    task = TaskContext.get()
    return (os.cpu_count() or 1) if task is None else task.cpus()


def _long(content: memoryview, at: int) -> tuple[int, int]:
    """A number as Avro writes it, and where it ends.

    Raises:
        NotReadable: the file ends before.
    """
    value = shift = 0
    for place in range(at, len(content)):
        value |= (content[place] & 127) << shift
        if content[place] < 128:
            return (value >> 1) ^ -(value & 1), place + 1
        shift += 7
    raise NotReadable("It is cut short: the file ends in the middle of a block.")


def _as_long(value: int) -> bytes:
    """A number that is not negative, as Avro writes it."""
    found, value = bytearray(), value << 1
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def _damaged(error: Exception) -> NotReadable:
    reason = str(error).strip().rstrip(".") or type(error).__name__
    if isinstance(error, EOFError):
        return NotReadable("It is cut short: the file ends in the middle of a block.")
    return NotReadable(f"It is a damaged Avro file: {reason}.")
