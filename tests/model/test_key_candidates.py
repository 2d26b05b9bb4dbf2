"""Columns that are proposed as keys: never one that the stored counts and bounds rule out, and always with a reason."""

from __future__ import annotations

import struct
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.model.iceberg.key_candidates import KeyCandidate, key_candidates
from explorer.model.iceberg.schema import SchemaField, fields
from tests.model.made import an_entry


def long(value: int) -> bytes:
    return struct.pack("<q", value)


def field(field_id: int, path: str, kind: str = "long", *, required: bool = False) -> SchemaField:
    return SchemaField(field_id, path, kind, required)


def file(rows: int, bounds: dict[int, tuple[bytes, bytes]], nulls: dict[int, int] | None = None, **more: Any) -> Any:
    return an_entry(
        "f",
        record_count=rows,
        value_counts=more.pop("values", dict.fromkeys(bounds, rows)),
        null_value_counts=dict.fromkeys(bounds, 0) | (nulls or {}),
        lower_bounds={i: b[0] for i, b in bounds.items()},
        upper_bounds={i: b[1] for i, b in bounds.items()},
        **more,
    )


def names(found: list[KeyCandidate]) -> list[tuple[str, ...]]:
    return [candidate.columns for candidate in found]


def test_identifier_fields_come_first_and_together_under_their_names_of_today() -> None:
    schema = [field(1, "id_new"), field(2, "region", "string"), field(3, "n")]
    files = [file(10, {i: (long(0), long(99)) for i in (1, 3)})]
    found = key_candidates(schema, [2, 1], files, deletes=False)
    assert found[0] == KeyCandidate(("region", "id_new"), "identifier fields, together", declared=True)
    assert names(found) == [("region", "id_new"), ("id_new",), ("n",)]
    alone = key_candidates(schema, [1], files, deletes=False)
    assert names(alone) == [("id_new",), ("n",)]
    assert alone[0].reason == "identifier field"
    assert names(key_candidates(schema, [1, 77], [], deletes=False)) == [("id_new",)]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.lists(st.one_of(st.none(), st.integers(-40, 40)), min_size=0, max_size=20)),
        max_size=4,
    ),
    st.booleans(),
)
def test_a_column_with_different_values_is_never_missed_and_one_without_room_never_proposed(
    data: list[tuple[int, list[int | None]]], unique: bool
) -> None:
    """Files are made of rows; `unique` gives each row another value, so that the column is a key indeed."""
    rows = [values for _, values in data]
    if unique:
        numbers = iter(range(-50, 1000))
        rows = [[next(numbers) for _ in values] for values in rows]
    files = []
    for values in rows:
        known = [v for v in values if v is not None]
        bounds = {1: (long(min(known)), long(max(known)))} if known else {}
        files.append(file(len(values), bounds, {1: len(values) - len(known)}, values={1: len(values)}))
    found = names(key_candidates([field(1, "k")], [], files, deletes=False))
    every = [v for values in rows for v in values]
    if unique and every:
        assert found == [("k",)]
    if None in every or not every:
        assert found == []
    elif found:
        numbers_only = [v for v in every if v is not None]
        assert len(every) <= max(numbers_only) - min(numbers_only) + 1


def test_columns_without_counts_or_bounds_are_not_proposed() -> None:
    schema = [field(1, "a"), field(2, "b", required=True), field(3, "c", "double"), field(4, "d", "boolean")]
    assert key_candidates(schema, [], [an_entry("f", record_count=5)], deletes=False) == []
    full = {i: (long(1), long(9)) for i in range(1, 5)}
    assert names(key_candidates(schema, [], [file(5, full), an_entry("g", record_count=5)], deletes=False)) == []
    without_counts = an_entry(
        "g", record_count=5, lower_bounds={1: long(1), 2: long(1)}, upper_bounds={1: long(9), 2: long(9)}
    )
    assert names(key_candidates(schema, [], [without_counts], deletes=False)) == [("b",)]  # required, so no nulls
    assert names(key_candidates(schema, [], [file(5, full), an_entry("empty", record_count=0)], deletes=False)) == [
        ("a",),
        ("b",),
    ]


def test_deletes_let_old_versions_be_and_files_not() -> None:
    files = [file(10, {1: (long(1), long(10))}), file(8, {1: (long(1), long(10))})]
    assert key_candidates([field(1, "id")], [], files, deletes=False) == []
    (found,) = key_candidates([field(1, "id")], [], files, deletes=True)
    assert found.reason == "no nulls, and as many values in each file as rows could be"
    assert key_candidates([field(1, "id")], [], [file(11, {1: (long(1), long(10))})], deletes=True) == []


def test_the_densest_numbers_come_first_then_uuids_then_texts() -> None:
    schema = [
        field(1, "text", "string"),
        field(2, "sparse"),
        field(3, "uuid", "uuid"),
        field(4, "dense"),
        field(5, "one", "string"),
        field(6, "decimal", "decimal(9, 0)"),
        field(7, "price", "decimal(9, 2)"),
    ]
    bounds = {
        1: (b"a", b"b"),
        2: (long(0), long(10**12)),
        3: (b"\x00" * 16, b"\xff" * 16),
        4: (long(1), long(100)),
        5: (b"EU", b"EU"),
        6: ((-5).to_bytes(2, "big", signed=True), (300).to_bytes(2, "big", signed=True)),
        7: (b"\x00", b"\x7f"),
    }
    found = key_candidates(schema, [], [file(100, bounds)], deletes=False, of_files=7)
    assert names(found) == [("dense",), ("decimal",), ("sparse",), ("uuid",), ("text",)]
    assert found[0].reason == (
        "no nulls, and as many values as rows could be: 100 rows in 100, in the 1 of 7 files looked at"
    )
    assert all(candidate.reason for candidate in found)


def test_fields_of_structs_are_proposed_and_elements_are_not() -> None:
    nested = {
        "fields": [
            {"id": 1, "name": "o", "required": False, "type": {"type": "struct", "fields": [
                {"id": 2, "name": "id", "required": True, "type": "long"}]}},
            {"id": 3, "name": "l", "required": True, "type": {
                "type": "list", "element-id": 4, "element": "long", "element-required": True}},
            {"id": 5, "name": "m", "required": True, "type": {
                "type": "map", "key-id": 6, "key": "long", "value-id": 7, "value": "long", "value-required": True}},
        ]
    }  # fmt: skip
    schema = tuple(fields(nested))
    bounds = {i: (long(1), long(10)) for i in (2, 4, 6, 7)}
    assert names(key_candidates(schema, [], [file(10, bounds)], deletes=False)) == [("o.id",)]
    unknown = an_entry("f", record_count=10, lower_bounds={2: long(1)}, upper_bounds={2: long(10)})
    assert key_candidates(schema, [], [unknown], deletes=False) == []  # a struct that is null has no id
