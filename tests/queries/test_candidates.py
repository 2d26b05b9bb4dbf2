"""Which data files a condition rules out: none that holds a row which Spark finds, and as many others as it can."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from explorer.queries.files.candidates import Filter, candidates, condition_filter
from explorer.queries.files.commits import manifest_lists
from explorer.queries.source import Source
from explorer.table import Table
from tests.model.made import an_entry

TYPES = {1: "int", 2: "long", 3: "string", 4: "date", 5: "decimal(9, 2)", 6: "boolean", 7: "double", 8: "timestamp"}
SCHEMA = {"type": "struct", "schema-id": 0, "fields": [
    {"id": i, "name": f"c{i}", "type": kind, "required": False} for i, kind in TYPES.items()
]}  # fmt: skip
SPECS: dict[int, Any] = {
    0: [],
    1: [{"name": "b", "transform": "bucket[4]", "source-id": 2, "field-id": 1000}],
    2: [{"name": "y", "transform": "year", "source-id": 4, "field-id": 1001}],
    3: [{"name": "s", "transform": "truncate[2]", "source-id": 3, "field-id": 1002}],
    4: [{"name": "c3", "transform": "identity", "source-id": 3, "field-id": 1003}],
    5: [{"name": "m", "transform": "month", "source-id": 4, "field-id": 1004}],
}


def asked(condition: str) -> Filter:
    found = condition_filter(condition, SCHEMA, SPECS)
    assert isinstance(found, Filter), found
    return found


def number(value: int, size: int) -> bytes:
    return value.to_bytes(size, "little", signed=True)


def bounded(field_id: int, lower: bytes, upper: bytes, **more: Any) -> Any:
    return an_entry("f", lower_bounds={field_id: lower}, upper_bounds={field_id: upper}, **more)


@given(st.integers(-50, 50), st.integers(0, 20), st.integers(-60, 60), st.sampled_from(["=", "<", "<=", ">", ">="]))
def test_a_number_is_compared_with_the_bounds(lower: int, wide: int, value: int, sign: str) -> None:
    holds = {
        "=": lower <= value <= lower + wide,
        "<": lower < value,
        "<=": lower <= value,
        ">": lower + wide > value,
        ">=": lower + wide >= value,
    }
    for field_id, size in ((1, 4), (2, 8), (2, 4)):  # a long may have been an int when the file was written
        file = bounded(field_id, number(lower, size), number(lower + wide, size))
        assert asked(f"c{field_id} {sign} {value}").admits(file) == holds[sign]


def test_nulls_are_compared_with_the_counts() -> None:
    without = an_entry("f", null_value_counts={1: 0}, value_counts={1: 9})
    only = an_entry("f", null_value_counts={1: 9}, value_counts={1: 9})
    assert not asked("c1 IS NULL").admits(without)
    assert asked("c1 IS NULL").admits(only)
    assert not asked("c1 IS NOT NULL").admits(only)
    assert not asked("c1 = 3").admits(only)
    assert asked("c1 = 3").admits(an_entry("f"))


def test_truncated_texts_and_other_types_are_outer_bounds() -> None:
    file = bounded(3, b"ap", b"aq")
    assert asked("c3 = 'apple'").admits(file)
    assert not asked("c3 = 'banana'").admits(file)
    day = datetime.date(2026, 3, 14)
    days = (day - datetime.date(1970, 1, 1)).days
    assert asked("c4 = '2026-03-14'").admits(bounded(4, number(days, 4), number(days, 4)))
    assert not asked("c4 > '2026-03-14'").admits(bounded(4, number(days, 4), number(days, 4)))
    cents = int(Decimal("12.50") * 100).to_bytes(2, "big", signed=True)
    assert asked("c5 > 12").admits(bounded(5, cents, cents))
    assert not asked("c5 > 13").admits(bounded(5, cents, cents))
    assert asked("c2 = 7").admits(bounded(2, b"odd", b"odd")), "a bound that cannot be read is none"


def test_a_partition_rules_out_by_its_transform() -> None:
    from pyiceberg.transforms import BucketTransform
    from pyiceberg.types import LongType

    bucket = BucketTransform(4).transform(LongType())(42)
    for n in range(4):
        assert asked("c2 = 42").admits(an_entry("f", spec_id=1, partition=f"b={n}")) == (n == bucket)
    assert asked("c4 = '2026-03-14'").admits(an_entry("f", spec_id=2, partition="y=2026"))
    assert not asked("c4 = '2026-03-14'").admits(an_entry("f", spec_id=2, partition="y=2025"))
    assert asked("c4 = '2026-03-14'").admits(an_entry("f", spec_id=5, partition="m=2026-03"))
    assert not asked("c4 = '2026-03-14'").admits(an_entry("f", spec_id=5, partition="m=2026-04"))
    assert asked("c3 = 'apple'").admits(an_entry("f", spec_id=3, partition="s=ap"))
    assert not asked("c3 = 'apple'").admits(an_entry("f", spec_id=3, partition="s=ba"))
    assert asked("c3 IS NULL").admits(an_entry("f", spec_id=4, partition="c3=null"))
    assert not asked("c3 = 'null'").admits(an_entry("f", spec_id=4, partition="c3=null"))
    assert asked("c3 = 'null'").admits(an_entry("f", spec_id=4, partition='c3="null"'))
    assert asked("c2 = 42").admits(an_entry("f", spec_id=1, partition="in no known form")), "nothing is known of it"


@pytest.mark.parametrize(
    "condition",
    [
        "c7 = 0.5",  # a float is compared as a double by Spark, and as a float by others
        "c1 < 10.5",
        "c5 = 10.55",
        "c1 = '10'",
        "c3 = 10",
        "c3 LIKE 'a_c%'",
        'c3 = "x"',
        r"c3 = 'a\'b'",
        "upper(c3) = 'A'",
        "c4 = DATE'2026-03-14'",
        "c8 = '2026-03-14 00:00:00'",
        "c1 <=> NULL",
        "nothing = 1",
        "true",
        "a.b = 1",
        "",
    ],
)
def test_what_may_be_read_in_two_ways_rules_nothing_out(condition: str) -> None:
    found = condition_filter(condition, SCHEMA, SPECS)
    assert isinstance(found, str)
    assert found


def test_the_columns_of_a_condition_are_told() -> None:
    found = asked("c1 = 3 AND C3 IN ('a', 'b') OR c2 > 4")
    assert found.columns == ("c1", "c3", "c2")
    assert found.field_ids == (1, 3, 2)
    assert found.equal == ()
    assert asked("`c1` = 3").columns == ("c1",)


@pytest.mark.parametrize(
    ("condition", "key"),
    [
        ("c1 = 3", {"c1"}),
        ("c1 IN (3, 4)", {"c1"}),
        ("c1 = 3 AND C3 = 'a'", {"c1", "c3"}),
        ("c1 = 3 OR c1 = 4 OR c1 IN (5, 6)", {"c1"}),
        ("(c1 = 3 AND c3 = 'a') OR (c3 = 'b' AND c1 = 4)", {"c1", "c3"}),
        ("c1 = 3 AND c2 > 4", set()),
        ("c1 = 3 AND c1 > 2", set()),
        ("c1 = 3 OR c3 = 'a'", set()),
        ("c1 = 3 AND c3 IS NULL", set()),
        ("NOT c1 = 3", set()),
        ("c1 <> 3", set()),
        ("c1 NOT IN (3, 4)", set()),
    ],
)
def test_a_condition_gives_a_key_where_it_says_nothing_else(condition: str, key: set[str]) -> None:
    assert set(asked(condition).equal) == key


@pytest.mark.parametrize("small_in_bytes", [8_000_000, 0], ids=["by this process", "in Spark tasks"])
def test_no_file_that_holds_a_row_is_ruled_out(
    spark: SparkSession, written_table: Callable[..., str], small_in_bytes: int
) -> None:
    name = written_table(
        "candidates",
        "CREATE TABLE {t} (id BIGINT, s STRING, d DATE) USING iceberg PARTITIONED BY (bucket(3, id))"
        " TBLPROPERTIES ('format-version' = '2', 'write.metadata.metrics.column.s' = 'truncate(2)')",
        "INSERT INTO {t} SELECT id, concat('name-', id), date_add(DATE'2026-01-01', CAST(id AS INT)) FROM range(20)",
        "ALTER TABLE {t} REPLACE PARTITION FIELD bucket(3, id) WITH months(d)",
        "INSERT INTO {t} SELECT IF(id % 4 = 0, NULL, id), NULL, date_add(DATE'2026-01-01', CAST(id * 9 AS INT))"
        " FROM range(10, 30)",
    )
    table = Table.open(name, spark)
    source: Source = table._version.source
    listed = manifest_lists(source, [table.metadata.current_snapshot_id or 0])[table.metadata.current_snapshot_id or 0]
    assert not isinstance(listed, str)
    document = source.document
    schema = next(s for s in document["schemas"] if s["schema-id"] == document["current-schema-id"])
    every = {row.file_path for row in spark.sql(f"SELECT file_path FROM {name}.files").collect()}
    ruled_out = 0
    conditions = (
        *("id = 7", "id IN (3, 25)", "id IS NULL", "s = 'name-11'", "d = '2026-03-05'", "NOT (id = 7)"),
        *("id < 4 OR d > '2026-08-01'", "s IS NOT NULL AND id >= 15"),
    )
    for condition in conditions:
        known = condition_filter(condition, schema, source.specs)
        assert isinstance(known, Filter), known
        found = candidates(source, listed, known.admits, known.field_ids, small_in_bytes=small_in_bytes)
        admitted = {entry.file_path for entry in found.entries}
        holding = {row[0] for row in spark.sql(f"SELECT DISTINCT _file FROM {name} WHERE {condition}").collect()}
        assert holding <= admitted <= every, condition
        ruled_out += len(every - admitted)
    assert ruled_out > 2 * len(every)
    found = candidates(source, listed, lambda _: True, (), small_in_bytes=small_in_bytes)
    assert {entry.file_path for entry in found.entries} == every, "where nothing rules out, no statistics are asked for"


ZONE = "Europe/Zurich"
TIMES = (
    *("at >= '2026-03-29'", "at = '2026-03-29 02:30:00'", "at < TIMESTAMP '2026-03-28 23:15:00'"),
    *("at >= '2026-03-29 01:00:00Z'", "n >= DATE '2026-03-30'", "n = '2026-03-29 02:30:00' AND at > '2026-03-01'"),
    *("at >= '2026-03-29' AND at < '2026-03-30' OR n < '2026-03-28 12:00:00'", "NOT (at < '2026-03-30')"),
)


def test_no_file_with_a_row_of_a_time_is_ruled_out_whatever_the_zone(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    zone = spark.conf.get("spark.sql.session.timeZone") or ""
    name = written_table(
        "times",
        "CREATE TABLE {t} (id BIGINT, at TIMESTAMP, n TIMESTAMP_NTZ) USING iceberg PARTITIONED BY (days(at))",
        "INSERT INTO {t} SELECT id, TIMESTAMP '2026-03-27 22:30:00Z' + make_interval(0, 0, 0, 0, CAST(id AS INT)),"
        " TIMESTAMP_NTZ '2026-03-27 22:30:00' + make_interval(0, 0, 0, 0, CAST(id AS INT)) FROM range(96)",
    )
    table = Table.open(name, spark)
    source: Source = table._version.source
    listed = manifest_lists(source, [table.metadata.current_snapshot_id or 0])[table.metadata.current_snapshot_id or 0]
    assert not isinstance(listed, str)
    schema = source.document["schemas"][0]
    every, ruled_out = {row.file_path for row in spark.sql(f"SELECT file_path FROM {name}.files").collect()}, 0
    for other in (ZONE, "America/New_York"):
        spark.conf.set("spark.sql.session.timeZone", other)
        try:
            for condition in TIMES:
                known = condition_filter(condition, schema, source.specs, zone=other)
                assert isinstance(known, Filter), (condition, known)
                found = candidates(source, listed, known.admits, known.field_ids)
                admitted = {entry.file_path for entry in found.entries}
                holding = spark.sql(f"SELECT DISTINCT _file FROM {name} WHERE {condition}").collect()
                assert {row[0] for row in holding} <= admitted <= every, (other, condition)
                ruled_out += len(every - admitted)
        finally:
            spark.conf.set("spark.sql.session.timeZone", zone)
    assert ruled_out > 3 * len(every)


@pytest.mark.parametrize(
    "condition",
    [
        "c8 = '2026-03-14T00:00:00+01:00'",
        "c8 IN ('2026-03-14', '2026-03-15')",
        "c8 > 'today'",
        "c3 > DATE '2026-03-14'",
        "c8 > '2026'",
    ],
)
def test_a_time_that_may_be_read_in_two_ways_rules_nothing_out(condition: str) -> None:
    assert isinstance(condition_filter(condition, SCHEMA, SPECS, zone="UTC"), str)
