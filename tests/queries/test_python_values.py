from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.queries.rows import python_values


@pytest.fixture(params=["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"])
def anywhere(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield spark
    spark.conf.set("spark.sql.session.timeZone", before or "UTC")


def values(spark: SparkSession, *rows: str) -> list[Any]:
    """A column of these values."""
    _, found = python_values.read(spark.sql(" UNION ALL ".join(f"SELECT {row} AS `a column`" for row in rows)))
    return found["a column"]


def test_what_python_can_hold_stays_what_it_is(anywhere: SparkSession) -> None:
    ends = ["'0001-01-01 00:00:00Z'", "'9999-12-31 23:59:59.999999Z'"]  # in one zone or another of years 0 and 10000
    utc = [dt.datetime(1, 1, 1, tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)]
    assert values(anywhere, *(f"TIMESTAMP{end}" for end in ends), "NULL") == [*utc, None]
    assert values(anywhere, "DATE'0001-01-01'", "DATE'9999-12-31'") == [dt.date.min, dt.date.max]
    assert values(anywhere, "named_struct('d', array(DATE'2026-11-21'))") == [{"d": [dt.date(2026, 11, 21)]}]


@pytest.mark.parametrize(
    ("kind", "rows", "expected"),
    [
        ("DATE", ["+10000-01-01", "2026-11-21", "-0044-03-15"], ["+10000-01-01", "2026-11-21", "-0044-03-15"]),
        (
            "TIMESTAMP_NTZ",
            ["+200000-01-01 02:30:00.000001", "2026-03-29 02:30:00"],
            ["+200000-01-01 02:30:00.000001", "2026-03-29 02:30:00"],
        ),
        (
            "TIMESTAMP",
            [
                "9999-12-31 23:59:59 America/New_York",
                "2026-03-29 02:30:00Z",  # a time of day that Berlin passed over,
                "2026-10-25 00:30:00Z",  # and two that it calls by one name
                "2026-10-25 01:30:00Z",
                "+294247-01-10 04:00:54.775807Z",
            ],
            [
                "+10000-01-01 04:59:59Z",
                "2026-03-29 02:30:00Z",
                "2026-10-25 00:30:00Z",
                "2026-10-25 01:30:00Z",
                "+294247-01-10 04:00:54.775807Z",
            ],
        ),
    ],
)
def test_a_column_with_a_time_out_of_range_comes_as_exact_text(
    anywhere: SparkSession, kind: str, rows: list[str], expected: list[str]
) -> None:
    assert values(anywhere, *(f"{kind}'{row}'" for row in rows), "NULL") == [*expected, None]


def test_only_the_column_that_needs_it_is_text_however_deep_its_times_are(spark: SparkSession) -> None:
    frame = spark.sql(
        "SELECT *, 1L AS n FROM VALUES"
        " (DATE'2026-11-21', named_struct('it''s', array(map(DATE'+10000-01-01', named_struct('n', 1))))),"
        " (NULL, named_struct('it''s', array(NULL, map()))), (NULL, NULL) AS t(plain, `de``ep`)"
    )
    schema, columns = python_values.read(frame)
    assert columns["plain"] == [dt.date(2026, 11, 21), None, None]
    assert columns["de`ep"] == [
        {"it's": [[("+10000-01-01", {"n": 1})]]},
        {"it's": [None, []]},
        None,
    ]
    assert schema["plain"].dataType.simpleString() == "date"
    assert schema["de`ep"].dataType.simpleString() == "struct<it's:array<map<string,struct<n:int>>>>"


def test_a_struct_with_required_fields_may_be_null(spark: SparkSession) -> None:
    deep = "named_struct('n', 1, 's', array(named_struct('k', map('a', 2))))"  # no field may be null
    assert values(spark, deep, "NULL") == [{"n": 1, "s": [{"k": [("a", 2)]}]}, None]
    _, columns = python_values.read(spark.sql("SELECT IF(id = 1, struct(id), NULL) AS s FROM range(2)"))
    assert columns["s"] == [None, {"id": 1}]


def test_a_variant_is_json_text_and_null_is_null(spark: SparkSession) -> None:
    expected = ['{"a":1.5}', "null", None]
    assert values(spark, "parse_json('{\"a\": 1.5}')", "parse_json('null')", "CAST(NULL AS VARIANT)") == expected
    deep = "named_struct('v', array(parse_json('[1]'), NULL), 'm', map('k', parse_json('\"t\"'), 'n', NULL))"
    assert values(spark, deep, "NULL") == [{"v": ["[1]", None], "m": [("k", '"t"'), ("n", None)]}, None]
