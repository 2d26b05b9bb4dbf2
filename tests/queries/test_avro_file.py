"""Records as columns, whichever library reads them: random files, against fastavro's own records; and damaged ones."""

from __future__ import annotations

import io
from contextlib import suppress
from dataclasses import replace
from typing import Any

import fastavro
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.queries.files import avro_file
from explorer.queries.files.avro_file import AvroFile, NotReadable

PRIMITIVES: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "int": st.integers(-(2**31), 2**31 - 1),
    "long": st.integers(-(2**63), 2**63 - 1),
    "float": st.floats(width=32, allow_nan=False),
    "double": st.floats(allow_nan=False),
    "bytes": st.binary(max_size=5),
    "string": st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
}
LOGICAL = [
    {"type": "int", "logicalType": "date"},
    {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": True},
    {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
]


class Drawn:
    """A random schema of a record, as Iceberg's are: a name is defined once; and values of it."""

    def __init__(self, draw: st.DrawFn, *, maps: bool) -> None:
        self._draw, self._names, self._maps = draw, 0, maps
        self.schema = self._record(2)

    def _named(self) -> str:
        self._names += 1
        return f"n{self._names}"

    def _record(self, depth: int) -> dict[str, Any]:
        fields = [{"name": self._named(), "type": self._type(depth)} for _ in range(self._draw(st.integers(1, 4)))]
        return {"type": "record", "name": self._named(), "fields": fields}

    def _type(self, depth: int) -> Any:
        kinds = ["plain", "logical", "fixed", *(["map"] if self._maps else []), *(["record", "array"] if depth else [])]
        kind: Any = {
            "plain": lambda: self._draw(st.sampled_from(sorted(PRIMITIVES))),
            "logical": lambda: self._draw(st.sampled_from(LOGICAL)),
            "fixed": lambda: {"type": "fixed", "name": self._named(), "size": 4},
            "map": lambda: {"type": "map", "values": "long"},
            "array": lambda: {"type": "array", "items": self._draw(st.sampled_from(["int", "long", "string"]))},
            "record": lambda: self._record(depth - 1),
        }[self._draw(st.sampled_from(kinds))]()
        return self._draw(st.sampled_from([kind, ["null", kind], [kind, "null"]]))

    def value(self, schema: Any) -> Any:
        if isinstance(schema, list):
            (kind,) = (s for s in schema if s != "null")
            return None if self._draw(st.booleans()) else self.value(kind)
        if isinstance(schema, str):
            return self._draw(PRIMITIVES[schema])
        kind = schema["type"]
        if kind == "record":
            return {field["name"]: self.value(field["type"]) for field in schema["fields"]}
        if kind == "array":
            return [self.value(schema["items"]) for _ in range(self._draw(st.integers(0, 3)))]
        if kind == "map":
            return {key: self.value(schema["values"]) for key in self._draw(st.sets(st.sampled_from("abc")))}
        return self._draw(st.binary(min_size=4, max_size=4)) if kind == "fixed" else self.value(kind)


@st.composite
def files(draw: st.DrawFn, *, maps: bool) -> tuple[list[dict[str, Any]], bytes]:
    drawn = Drawn(draw, maps=maps)
    records = [drawn.value(drawn.schema) for _ in range(draw(st.integers(0, 4)))]
    out = io.BytesIO()
    fastavro.writer(out, drawn.schema, records, codec=draw(st.sampled_from(["null", "deflate"])))
    return records, out.getvalue()


def as_lists(value: Any) -> Any:
    """Maps as lists of (key, value), as a frame has them."""
    if isinstance(value, dict) and value.keys() <= set("abc"):
        return [{"key": key, "value": held} for key, held in value.items()]
    if isinstance(value, dict):
        return {key: as_lists(held) for key, held in value.items()}
    return value


@given(files(maps=True))
def test_a_frame_has_the_records(file: tuple[list[dict[str, Any]], bytes]) -> None:
    records, content = file
    assert AvroFile(content).frame().to_dicts() == [as_lists(record) for record in records]


@given(files(maps=False))
def test_both_libraries_give_the_same_frame(file: tuple[list[dict[str, Any]], bytes]) -> None:
    opened = AvroFile(file[1])
    shape = avro_file._shape(opened.schema_text)
    assert shape.is_quick
    quick = opened.frame()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(avro_file, "_shape", lambda _: replace(shape, is_quick=False))
        slow = opened.frame()
    assert quick.schema == slow.schema
    assert quick.equals(slow, null_equal=True)


@given(files(maps=False), st.data())
def test_a_damaged_file_is_told_or_read_never_more(
    file: tuple[list[dict[str, Any]], bytes], data: st.DataObject
) -> None:
    content = bytearray(file[1])
    place = data.draw(st.integers(4, len(content) - 1))
    damaged = bytes(content[:place])
    if data.draw(st.booleans()):
        content[place] ^= 1 << data.draw(st.integers(0, 7))
        damaged = bytes(content)
    with suppress(NotReadable):
        AvroFile(damaged).frame()


def test_types_that_are_named_again_are_read() -> None:
    point = {"type": "record", "name": "point", "fields": [{"name": "x", "type": "int"}]}
    schema = {
        "type": "record",
        "name": "r",
        "fields": [{"name": "a", "type": point}, {"name": "b", "type": ["null", "point"]}],
    }
    records = [{"a": {"x": 1}, "b": {"x": 2}}, {"a": {"x": 3}, "b": None}]
    out = io.BytesIO()
    fastavro.writer(out, schema, records)
    assert AvroFile(out.getvalue()).frame().to_dicts() == records
