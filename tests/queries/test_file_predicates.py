from __future__ import annotations

import struct
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.model.iceberg.inheritance import StoredEntry
from explorer.queries.rows.file_predicates import predicate
from explorer.queries.rows.schema_mapping import spark_type
from tests.model.made import an_entry

TYPES = {
    1: "int",
    2: "long",
    3: "string",
    4: "date",
    5: "timestamp",
    6: "timestamptz",
    7: "decimal(38, 10)",
    8: "double",
    9: "boolean",
}
SCHEMA = {"fields": [{"id": i, "name": f"c{i}", "type": kind} for i, kind in TYPES.items()]}
SPECS = {
    0: [
        {"name": "c3", "transform": "identity", "source-id": 3},
        {"name": "c4", "transform": "identity", "source-id": 4},
    ]
}


def a_file(lower: dict[int, bytes] | None = None, upper: dict[int, bytes] | None = None, **more: Any) -> StoredEntry:
    return an_entry("f", **{"spec_id": 1, "lower_bounds": lower, "upper_bounds": upper} | more)


def asked(*files: StoredEntry, only: Any = TYPES) -> str | None:
    return predicate(files, SCHEMA, SPECS, only=only)


def number(value: int, size: int = 4) -> bytes:
    return value.to_bytes(size, "little", signed=True)


def between(low: int, high: int, **more: Any) -> StoredEntry:
    return a_file({1: number(low)}, {1: number(high)}, **more)


def test_null_is_left_in_unless_the_counts_rule_it_out() -> None:
    assert asked(between(1, 5)) == "(c1 IS NULL OR (c1 >= 1 AND c1 <= 5))"
    assert asked(between(1, 5, null_value_counts={1: 0}, value_counts={1: 9})) == "c1 >= 1 AND c1 <= 5"
    assert asked(a_file(null_value_counts={1: 9}, value_counts={1: 9})) == "c1 IS NULL"
    assert asked(between(5, 5, null_value_counts={1: 0})) == "c1 = 5"


def test_a_bound_may_be_missing_on_one_side_and_nothing_be_known_at_all() -> None:
    assert asked(a_file({3: b"long"}, None, null_value_counts={3: 0})) == "c3 >= 'long'"
    assert asked(a_file()) is None
    assert asked(between(1, 5), a_file()) is None
    assert asked(between(1, 5), only=[2]) is None


def test_floating_point_numbers_and_booleans_are_left_out() -> None:
    assert asked(a_file({8: struct.pack("<d", 1), 9: b"\0"}, {8: struct.pack("<d", 2), 9: b"\1"})) is None


def test_a_bound_of_another_type_or_no_text_is_none() -> None:
    assert asked(a_file({1: number(1, 8), 3: b"\xff"}, {1: number(2, 8), 3: b"\xff\xff"})) is None
    widened = asked(a_file({2: number(-1)}, {2: number(7)}, null_value_counts={2: 0}))
    assert widened == "c2 >= -1L AND c2 <= 7L"


def test_a_partition_bounds_files_without_statistics() -> None:
    odd = a_file(spec_id=0, partition='c3="a/b=c"/c4=2026-11-20')
    assert asked(odd) == "c3 = 'a/b=c' AND c4 = date_from_unix_date(20777)"
    assert asked(a_file(spec_id=0, partition='c3="null"/c4=null')) == "c3 = 'null' AND c4 IS NULL"
    assert asked(a_file(spec_id=0, partition="c3=null/c4=null"), a_file(spec_id=0, partition='c3="it\'s"/c4=null')) == (
        "(c3 IS NULL OR (c3 = CAST(X'69742773' AS STRING))) AND c4 IS NULL"
        " AND ((c3 = CAST(X'69742773' AS STRING)) OR (c3 IS NULL))"
    )


def test_files_that_lie_apart_are_told_apart_and_many_by_their_neighbourhood() -> None:
    known = {"null_value_counts": {1: 0}}
    assert asked(between(1, 5, **known), between(10, 15, **known)) == (
        "c1 >= 1 AND c1 <= 15 AND ((c1 >= 1 AND c1 <= 5) OR (c1 >= 10 AND c1 <= 15))"
    )
    overlapping = asked(between(1, 5, **known), between(5, 15, **known))
    assert overlapping == "c1 >= 1 AND c1 <= 15"
    many = asked(*(between(10 * i, 10 * i + 1, **known) for i in range(1000))) or ""
    assert 30 < many.count(" OR ") < 64


# Values as SQL, with what a manifest stores for them.
VALUES: dict[str, list[tuple[str, int | str]]] = {
    "int": [("int('-2147483648')", -(2**31)), ("2147483647", 2**31 - 1)],
    "long": [("bigint('-9223372036854775808')", -(2**63)), ("9223372036854775807L", 2**63 - 1)],
    "string": [("''", ""), ("unbase64('w6knXA==')", "é'\\"), ("decode(X'F09F9880', 'utf-8')", "\U0001f600")],
    "date": [("DATE'1969-12-31'", -1), ("DATE'9999-12-31'", 2932896)],
    "timestamp": [
        ("TIMESTAMP_NTZ'1969-12-31 23:59:59.5'", -500_000),
        ("TIMESTAMP_NTZ'0001-01-01'", -62135596800_000_000),
        ("TIMESTAMP_NTZ'9999-12-31 23:59:59.999999'", 253402300799_999_999),
    ],
    "timestamptz": [("timestamp_micros(-1)", -1), ("timestamp_micros(253402300799999999)", 253402300799_999_999)],
    "decimal(38, 10)": [
        ("-9999999999999999999999999999.9999999999BD", -(10**38) + 1),
        ("1234567890123456789012345678.0123456789BD", 12345678901234567890123456780123456789),
    ],
}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu"])
def test_a_value_and_no_other_is_inside_its_own_bounds_in_every_type(spark: SparkSession, kind: str, zone: str) -> None:
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", zone)
    field_id = next(i for i, name in TYPES.items() if name == kind)
    conditions = []
    for _, value in VALUES[kind]:
        if isinstance(value, str):
            bound = value.encode()
        elif kind.startswith("decimal"):
            bound = value.to_bytes(16, "big", signed=True)
        else:
            bound = number(value, 4 if kind in ("int", "date") else 8)
        condition = asked(a_file({field_id: bound}, {field_id: bound}, null_value_counts={field_id: 0}))
        conditions.append(f"count_if({condition})")
    values = ", ".join(f"CAST({sql} AS {spark_type(kind)})" for sql, _ in VALUES[kind])
    rows = session.sql(f"SELECT explode(array({values})) AS c{field_id}")
    assert set(rows.selectExpr(*conditions).collect()[0]) == {1}


def test_orc_gets_no_bound_of_a_text_that_it_orders_in_another_way() -> None:
    """UTF-16 puts U+E000 to U+FFFF after what it writes as surrogates; code points put them before."""

    def texts(low: str, high: str, **more: Any) -> StoredEntry:
        return a_file({3: low.encode()}, {3: high.encode()}, null_value_counts={3: 0}, value_counts={3: 9}, **more)

    assert asked(texts("a", "z", file_format="ORC")) == "c3 >= 'a' AND c3 <= 'z'"
    assert asked(texts("\uff01", "\U0001f600")) is not None
    assert asked(texts("\uff01", "\U0001f600", file_format="ORC")) is None
    assert asked(texts("a", "\uffff", file_format="orc")) is None
    assert asked(texts("a", "z", file_format="ORC"), texts("a", "\U0001f600")) is None, "one condition for both"


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_a_timestamp_far_away_is_bounded_all_the_same(spark: SparkSession, ansi: str) -> None:
    far = 6_249_223_180_800_000_000  # in the year 200,000
    condition = asked(a_file({5: number(far, 8)}, {5: number(far, 8)}, null_value_counts={5: 0}, value_counts={5: 1}))
    assert condition is not None
    before = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        found = spark.sql(
            f"SELECT {condition.replace('c5', 'at')} AS held FROM VALUES (TIMESTAMP_NTZ'+200000-01-01') AS v (at)"
        )
        assert [row.held for row in found.select("held").collect()] == [True]
        assert found.where("held IS NULL").count() == 0
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)
