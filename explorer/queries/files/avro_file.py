"""One Avro file: its header, and its records as columns. Spark tasks get this module by value, as `avro` too.

Two libraries read it with equal answers. polars gives columns at once, which takes a tenth of the time, but knows the
types alone that writers of Iceberg are asked to use; what it does not take, fastavro reads, which says what is wrong.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import fastavro
from pyspark import TaskContext

from ..pieces import pieces

if TYPE_CHECKING:
    import polars as pl

_MOST_SCHEMAS = 64
_TOGETHER_IN_BYTES = 1_000_000  # files that are read as one
_HEADER = {  # Avro specification, "Object Container Files"
    "type": "record",
    "name": "org.apache.avro.file.Header",
    "fields": [
        {"name": "magic", "type": {"type": "fixed", "name": "Magic", "size": 4}},
        {"name": "meta", "type": {"type": "map", "values": "bytes"}},
        {"name": "sync", "type": {"type": "fixed", "name": "Sync", "size": 16}},
    ],
}
_SCHEMA, _CODEC = "avro.schema", "avro.codec"
_KEPT = ("type", "name", "namespace", "fields", "items", "values", "size", "symbols")
_TYPES = {
    "null": "Null",
    "boolean": "Boolean",
    "int": "Int32",
    "long": "Int64",
    "float": "Float32",
    "double": "Float64",
    "bytes": "Binary",
    "fixed": "Binary",
    "string": "String",
    "enum": "String",
}

Texts = TypeVarTuple("Texts")
T = TypeVar("T")
Found = TypeVar("Found")


class NotReadable(ValueError):
    """The bytes are no manifest or manifest list that can be read; the message says why, in a sentence."""


def once_a_schema(understand: Callable[[*Texts], T]) -> Callable[[*Texts], T]:
    """Remember what was understood: most manifests of a table have one schema, which takes longer than a few entries.

    `lru_cache` cannot be had by value: it would look for the package where the tasks run.
    """
    known: dict[tuple[*Texts], T] = {}

    def understood(*texts: *Texts) -> T:
        if (found := known.get(texts)) is None:  # another thread may forget them all meanwhile
            found = understand(*texts)
            if len(known) >= _MOST_SCHEMAS:
                known.clear()
            known[texts] = found
        return found

    return understood


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
        self._shape = _shape(self.schema_text)

    @property
    def codec(self) -> str:
        """What its blocks are compressed with."""
        return self.text(_CODEC) or "null"

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

        shape = self._shape
        if shape.is_quick:
            with suppress(Exception, pl.exceptions.PanicException):  # fastavro says what is wrong
                return pl.read_avro(self._with_schema(shape.json))
        try:
            reader = fastavro.reader(self._with_schema(shape.plain))
            records = [_without_maps(record, shape.schema) for record in reader]
            return pl.DataFrame(records, schema=dict(_type(shape.schema)), strict=False)
        except Exception as error:
            raise _damaged(error) from error

    def records(self) -> list[Any]:
        """All records, in the file's order, by the writer's names: what `with_records` writes again.

        Values are as stored; a map of numbers is a list of records.

        Raises:
            NotReadable: the file is damaged or cut short.
        """
        try:
            return list(fastavro.reader(self._with_schema(self._shape.plain)))
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
        fastavro.writer(written, json.loads(self._shape.plain), records, codec)
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

    def _header_with(self, plain: str) -> io.BytesIO:
        out = io.BytesIO()
        meta = {_SCHEMA: plain.encode(), _CODEC: self.codec.encode()}
        fastavro.schemaless_writer(out, _HEADER, {"magic": b"Obj\x01", "meta": meta, "sync": self._sync})
        return out

    def _each_block(self) -> Iterator[tuple[int, memoryview]]:
        """How many records a block has, and the block without the marker that ends it.

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
            yield count, blocks[start:end]
            start = end + len(self._sync)


def read_together(files: Sequence[AvroFile]) -> tuple[pl.DataFrame, list[int]] | None:
    """All records of files of one schema and one codec, as `AvroFile.frame` has them, and how many each file has.

    Their blocks are read as those of one file: to open each takes ten times what a few records do. None where each has
    to be read alone: one of them is damaged, polars does not read such a schema, or there may be no record at all.
    """
    import polars as pl

    shape = files[0]._shape
    if not shape.is_quick:
        return None
    one, counts = files[0]._header_with(shape.json), []
    try:
        for file in files:
            counts.append(0)
            for count, block in file._each_block():
                one.write(block)
                one.write(files[0]._sync)
                counts[-1] += count
        one.seek(0)
        found = pl.read_avro(one)
    except (Exception, pl.exceptions.PanicException):  # read alone, it is told which one it is, and why
        return None
    return (found, counts) if len(found) == sum(counts) else None


def in_pieces(
    files: Sequence[T], size: Callable[[T], int], read: Callable[[Sequence[T]], Iterable[Found]]
) -> list[Found]:
    """What is read of files of one schema and one codec, of as many at once as `read_together` shall have.

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


@dataclass(frozen=True)  # without slots, whose values Spark 3.5 loses on the way to a task
class _Shape:
    """A schema without logical types, docs and what else a reader of values does not need.

    Attributes:
        schema: with the definition of each type wherever it is named; json: the same as JSON.
        plain: with each type defined once, as Avro wants it; JSON.
        is_quick: whether polars reads all of it.
    """

    schema: Any
    json: str
    plain: str
    is_quick: bool


@once_a_schema
def _shape(text: str) -> _Shape:
    try:
        plain = _plain(json.loads(text))
        schema = _spelled_out(plain, {})
        return _Shape(schema, json.dumps(schema), json.dumps(plain), _is_quick_record(schema))
    except Exception as error:
        raise NotReadable("It is a damaged Avro file: its schema cannot be understood.") from error


def _plain(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_plain(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: schema[key] if key == "symbols" else _plain(schema[key]) for key in _KEPT if key in schema}


def _spelled_out(schema: Any, defined: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_spelled_out(s, defined) for s in schema]
    if isinstance(schema, str):
        return defined.get(schema, schema)
    found = schema | {key: _spelled_out(schema[key], defined) for key in ("type", "items", "values") if key in schema}
    if "fields" in schema:
        found["fields"] = [
            field | {"name": field["name"], "type": _spelled_out(field["type"], defined)} for field in schema["fields"]
        ]
    if schema["type"] in ("record", "fixed", "enum"):
        defined[schema["name"]] = found
    return found


def _is_quick_record(schema: Any) -> bool:
    return isinstance(schema, dict) and schema["type"] == "record" and _is_quick(schema)


def _is_quick(schema: Any) -> bool:
    """Whether polars reads all of it: it ends in a panic at maps, and knows no union but that with null."""
    if isinstance(schema, list):
        return len(schema) == 2 and "null" in schema and all(map(_is_quick, schema))
    if isinstance(schema, str):
        return schema in _TYPES
    kind = schema["type"]
    if kind == "record":
        return all(_is_quick(field["type"]) for field in schema["fields"])
    if kind == "array":
        return _is_quick(schema["items"])
    return kind not in ("map", "enum") and _is_quick(kind)


def _type(schema: Any) -> Any:
    """As which type of polars fastavro's values of a schema are kept."""
    import polars as pl

    if isinstance(schema, list):  # of several types the first: no column of Iceberg has them
        return _type(next((s for s in schema if s != "null"), "null"))
    if isinstance(schema, str):
        return getattr(pl, _TYPES[schema])
    kind = schema["type"]
    if kind == "record":
        return pl.Struct({field["name"]: _type(field["type"]) for field in schema["fields"]})
    if kind == "array":
        return pl.List(_type(schema["items"]))
    if kind == "map":
        return pl.List(pl.Struct({"key": pl.String, "value": _type(schema["values"])}))
    return _type(kind)


def _without_maps(value: Any, schema: Any) -> Any:
    """A value with each map in it as a list of (key, value)."""
    if isinstance(value, dict):
        if isinstance(schema, list):
            schema = next((s for s in schema if s != "null"), "null")
        kind = schema["type"] if isinstance(schema, dict) else schema
        if kind == "map":
            return [{"key": key, "value": held} for key, held in value.items()]
        if kind == "record":
            return {f["name"]: _without_maps(value.get(f["name"]), f["type"]) for f in schema["fields"]}
        return _without_maps(value, kind) if isinstance(kind, dict) else value
    return value


def _damaged(error: Exception) -> NotReadable:
    reason = str(error).strip().rstrip(".") or type(error).__name__
    if isinstance(error, EOFError):
        return NotReadable("It is cut short: the file ends in the middle of a block.")
    return NotReadable(f"It is a damaged Avro file: {reason}.")
