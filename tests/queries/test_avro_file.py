"""Records as columns, whichever library reads them: random files, against fastavro's own records; and damaged ones."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import fastavro
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from explorer.queries.files.avro_file import AvroFile, NotReadable, in_pieces, read_successive, read_together

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


@st.composite
def alike(draw: st.DrawFn) -> list[bytes]:
    """Files of one schema and codec, each in any number of blocks with a marker of its own."""
    drawn = Drawn(draw, maps=False)
    codec, found = draw(st.sampled_from(["null", "deflate"])), []
    for _ in range(draw(st.integers(1, 4))):
        out, records = io.BytesIO(), [drawn.value(drawn.schema) for _ in range(draw(st.integers(0, 4)))]
        fastavro.writer(out, drawn.schema, records, codec, sync_interval=draw(st.sampled_from([1, 16_000])))
        found.append(out.getvalue())
    return found


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
    assert opened._schema.is_quick
    quick = opened.frame()
    opened._schema = replace(opened._schema, is_quick=False)
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


@pytest.mark.parametrize("codec", ["null", "deflate"])
@pytest.mark.parametrize("count", [10_000_001, 2**60])
def test_a_block_that_says_it_has_records_without_end_ends_no_process(count: int, codec: str) -> None:
    """polars makes room for as many as it is told."""
    schema = {"type": "record", "name": "entry", "fields": [{"name": "path", "type": "string"}]}
    fastavro.writer(out := io.BytesIO(), fastavro.parse_schema(schema), [{"path": "a"}], codec)
    content, told = out.getvalue(), io.BytesIO()
    fastavro.schemaless_writer(told, "long", count)
    start = len(content) - len(AvroFile(content)._blocks)
    damaged = AvroFile(content[:start] + told.getvalue() + content[start + 1 :])
    assert read_together([damaged, AvroFile(content)]) is None
    assert read_successive([damaged, AvroFile(content)]) is None
    with pytest.raises(NotReadable, match="cut short"):
        damaged.frame()


@given(alike())
def test_files_that_are_read_together_have_the_records_of_each(contents: list[bytes]) -> None:
    found = read_together([AvroFile(content) for content in contents])
    frames = [AvroFile(content).frame() for content in contents]
    if found is None:  # deflated without a block
        assert not any(map(len, frames))
        return
    assert found[1] == [len(frame) for frame in frames]
    assert found[0].equals(pl.concat(frames), null_equal=True)


@given(alike(), st.data())
def test_where_one_is_damaged_they_are_read_alone_or_as_each_is(contents: list[bytes], data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(contents) - 1))
    start = len(contents[which]) - len(AvroFile(contents[which])._blocks)
    if start == len(contents[which]):
        return
    place, damaged = data.draw(st.integers(start, len(contents[which]) - 1)), bytearray(contents[which])
    damaged[place] ^= 1 << data.draw(st.integers(0, 7))
    contents[which] = bytes(damaged) if data.draw(st.booleans()) else bytes(damaged[:place])
    files = [AvroFile(content) for content in contents]
    if (found := read_together(files)) is not None:
        assert found[0].equals(pl.concat([file.frame() for file in files]), null_equal=True)
        assert found[1] == [len(file.frame()) for file in files]


@pytest.mark.parametrize(("is_so", "is_no_more"), [(b'"name": "n1"', b'"nbme": "n1"'), (b'"fields"', b'"fi3lds"')])
def test_a_schema_that_is_none_is_told(is_so: bytes, is_no_more: bytes) -> None:
    out = io.BytesIO()
    fastavro.writer(out, {"type": "record", "name": "r", "fields": [{"name": "n1", "type": "int"}]}, [{"n1": 1}])
    assert is_so in out.getvalue()
    with pytest.raises(NotReadable, match="schema cannot be understood"):
        AvroFile(out.getvalue().replace(is_so, is_no_more))


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


def threads_of_four_files() -> int:
    """In how many threads four files are read that are too large to be read together."""
    at_once = threading.Barrier(min(4, os.cpu_count() or 1))

    def read(piece: Iterable[int]) -> list[int]:
        with suppress(threading.BrokenBarrierError):
            at_once.wait(1)  # so that no thread reads two while another has none
        return [threading.get_ident()]

    return len(set(in_pieces([0] * 4, lambda _: 2_000_000, read)))


def test_a_task_leaves_the_cores_of_others_alone(spark: SparkSession) -> None:
    def counts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            yield pa.RecordBatch.from_arrays([pa.array([threads_of_four_files()])], ["id"])

    found = spark.range(0, 1, 1, 1).mapInArrow(counts, "id BIGINT").collect()
    assert (threads_of_four_files(), [row.id for row in found]) == (min(4, os.cpu_count() or 1), [1])
