"""One Avro file: its header, and its records as columns. Spark tasks get this module by value, as `avro` too.

Two libraries read it with equal answers. polars gives columns at once, which takes a tenth of the time, but knows the
types alone that writers of Iceberg are asked to use; what it does not take, fastavro reads, which says what is wrong.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import fastavro

if TYPE_CHECKING:
    import polars as pl

_MOST_SCHEMAS = 64
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
        NotReadable: not Avro; `frame` also if the file is damaged or cut short.
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

        shape = _shape(self.schema_text)
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
            return list(fastavro.reader(self._with_schema(_shape(self.schema_text).plain)))
        except Exception:  # it may know no such codec, where polars does
            return self.frame().rows(named=True)

    def with_records(self, records: Sequence[Any]) -> bytes:
        """The same file with these records; its header, with the writer's schema, is left as it is.

        But for the codec, where fastavro does not know it: then the blocks are deflated.

        Raises:
            NotReadable: the schema has no room for a value.
        """
        codec = self.text(_CODEC) or "null"
        with suppress(Exception):
            return self._written(records, codec)
        try:
            return self._written(records, "deflate")
        except Exception as error:
            raise _damaged(error) from error

    def _written(self, records: Sequence[Any], codec: str) -> bytes:
        written = io.BytesIO()
        fastavro.writer(written, json.loads(_shape(self.schema_text).plain), records, codec)
        written.seek(0)
        header: Any = fastavro.schemaless_reader(written, _HEADER, None)
        out = io.BytesIO()
        meta = {**self._meta, _CODEC: codec.encode()}
        fastavro.schemaless_writer(out, _HEADER, header | {"meta": meta})
        return out.getvalue() + written.read()

    def _with_schema(self, plain: str) -> io.BytesIO:
        """The file with this schema in its header."""
        out = io.BytesIO()
        meta = {_SCHEMA: plain.encode(), _CODEC: self._meta.get(_CODEC, b"null")}
        fastavro.schemaless_writer(out, _HEADER, {"magic": b"Obj\x01", "meta": meta, "sync": self._sync})
        out.write(self._blocks)
        out.seek(0)
        return out


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
        return _Shape(schema, json.dumps(schema), json.dumps(plain), schema["type"] == "record" and _is_quick(schema))
    except Exception as error:
        raise _damaged(error) from error


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
        found["fields"] = [field | {"type": _spelled_out(field["type"], defined)} for field in schema["fields"]]
    if schema["type"] in ("record", "fixed", "enum"):
        defined[schema["name"]] = found
    return found


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
