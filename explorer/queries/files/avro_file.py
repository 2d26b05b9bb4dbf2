"""One Avro file: its header and its records. Spark tasks get this module by value, as `avro` too."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, TypeVarTuple

import fastavro

_MOST_SCHEMAS = 64

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
        schema: of the writer, as fastavro parsed it; schema_text: the same as JSON.

    Raises:
        NotReadable: not Avro; `records` also if the file is damaged or cut short.
    """

    def __init__(self, content: bytes) -> None:
        if content[:4] == b"PAR1":
            raise NotReadable("It is a Parquet file, as format version 4 writes; versions 1 to 3 are read here.")
        if content[:4] != b"Obj\x01":
            raise NotReadable("It is empty." if not content else "It is not an Avro file.")
        try:
            self._blocks = fastavro.block_reader(io.BytesIO(content))
        except Exception as error:  # fastavro raises whatever it stumbles over
            raise _damaged(error) from error
        self.schema: Any = self._blocks.writer_schema
        self._header: Mapping[str, str] = self._blocks.metadata
        self.schema_text = self._header["avro.schema"]

    def text(self, key: str) -> str | None:
        """A value of the header; None if it has none of that name."""
        return self._header.get(key)

    def number(self, key: str) -> int | None:
        """The same as a whole number; None if it is none."""
        value = self._header.get(key, "")
        return int(value) if value.isdecimal() else None

    def records(self, keep: Any = None, keep_inside: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """Records with the named fields; of the fields in `keep_inside` only those named there. The rest is skipped.

        With all fields for None, which is faster where hardly one would be skipped.
        """
        inside = frozenset((name, frozenset(kept)) for name, kept in (keep_inside or {}).items())
        try:
            writer, reader = _schemas(self.schema_text, None if keep is None else frozenset(keep), inside)
            for block in self._blocks:
                for _ in range(block.num_records):
                    yield fastavro.schemaless_reader(block.bytes_, writer, reader)  # type: ignore[attr-defined]
        except Exception as error:
            raise _damaged(error) from error


@once_a_schema
def _schemas(
    text: str, keep: frozenset[str] | None, keep_inside: frozenset[tuple[str, frozenset[str]]]
) -> tuple[Any, Any]:
    """What the file holds, and what of it is kept (None: all of it), for fastavro."""
    plain = _without_logical_types(json.loads(text))
    if keep is None:
        return fastavro.parse_schema(plain), None
    reduced = _reduced(plain, set(keep), dict(keep_inside))
    return fastavro.parse_schema(plain), fastavro.parse_schema(reduced)


def _damaged(error: Exception) -> NotReadable:
    reason = str(error).strip().rstrip(".") or type(error).__name__
    if isinstance(error, EOFError):
        return NotReadable("It is cut short: the file ends in the middle of a block.")
    return NotReadable(f"It is a damaged Avro file: {reason}.")


def _without_logical_types(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_logical_types(s) for s in schema]
    if not isinstance(schema, dict):
        return schema
    nested = ("type", "items", "values", "fields")
    return {k: _without_logical_types(v) if k in nested else v for k, v in schema.items() if k != "logicalType"}


def _reduced(record: Mapping[str, Any], keep: set[str], keep_inside: Mapping[str, Any]) -> dict[str, Any]:
    fields = [
        field | {"type": _reduced(field["type"], set(keep_inside[field["name"]]), {})}
        if field["name"] in keep_inside
        else field
        for field in record["fields"]
        if field["name"] in keep
    ]
    return {**record, "fields": fields}
