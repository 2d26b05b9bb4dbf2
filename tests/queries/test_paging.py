from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession

from explorer.errors import ExplorerError
from explorer.queries.rows.paging import count, filtered, page


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> DataFrame:
    return spark.sql(
        "SELECT id, CAST(id AS STRING) AS v, IF(id % 2 = 0, 'INSERT', 'DELETE') AS _change_type,"
        " id DIV 50 AS _commit_snapshot_id FROM range(100)"
    )


def test_pages_follow_one_another_in_order(frame: DataFrame) -> None:
    order = ["-_commit_snapshot_id", "id"]
    ids = [row.id for offset in range(0, 120, 40) for row in page(frame, order, offset=offset, limit=40).collect()]
    assert ids == [*range(50, 100), *range(50)]


def test_filters_are_all_of_them_true(frame: DataFrame) -> None:
    assert filtered(frame) is frame
    assert filtered(frame, change_types=["DELETE"], snapshot_ids=[1], predicate=" id > 96 ").collect()[0].id == 97
    assert filtered(frame, change_types=["DELETE", "INSERT"], snapshot_ids=[0, 1]).count() == 100
    assert filtered(frame, change_types="DELETE", snapshot_ids=0).count() == 25
    assert filtered(frame, change_types="") is frame


@pytest.mark.parametrize(
    ("predicate", "rows"),
    [
        ("`id` > 97 -- the last", 2),
        ("v LIKE '9%' AND NOT _change_type = 'INSERT'", 6),
        ("v = 'select (from x)'", 0),
        ("extract(YEAR FROM DATE'2026-11-20') = 2026 OR (v IS DISTINCT FROM 'a')", 100),
    ],
)
def test_a_condition_over_the_columns_is_asked(frame: DataFrame, predicate: str, rows: int) -> None:
    assert filtered(frame, predicate=predicate).count() == rows


@pytest.mark.parametrize(
    ("predicate", "found"),
    [
        ("id", "is not a boolean"),
        ("id >", "Syntax error at or near end of input."),
        ("id > 1) OR (1 = 1", "Syntax error at or near ')'."),
        ("id > 1 ORDER BY id", "Syntax error at or near 'ORDER'."),
        ("true; DROP TABLE t", "Syntax error at or near ';'."),
        ("ident = 1", "There is no column `ident`"),
        ("count(*) > 1", "count(1)"),
        ("row_number() OVER (ORDER BY id) > 1", "window functions"),
        ("explode(array(true))", "not supported"),
        ("id IN (SELECT 1)", "a query of its own"),
        ("EXISTS(FROM t)", "a query of its own"),
        ("id IN (TABLE t)", "a query of its own"),
        ("id IN (VALUES 1, 2)", "a query of its own"),
        ("(WITH t AS (VALUES 1) FROM t) = 1", "a query of its own"),
        ("id IN (/* a comment */ VALUES (1))", "a query of its own"),
    ],
)
def test_anything_else_is_refused_in_words(frame: DataFrame, predicate: str, found: str) -> None:
    with pytest.raises(ExplorerError) as refused:
        filtered(frame, predicate=predicate)
    assert found in refused.value.found
    assert "SQLSTATE" not in refused.value.found
    assert "such as id IS NOT NULL" in refused.value.next_step


@pytest.mark.parametrize(
    ("predicate", "found"),
    [
        ("id = 'a'", '\'a\' of the type "STRING" cannot be cast to "BIGINT"'),
        ("id / 0 = 1", "Division by zero"),
        ("id + 9223372036854775807 > 1", "overflow"),
        ("CAST(v AS DATE) < DATE'2026-11-21'", 'cannot be cast to "DATE"'),
    ],
)
def test_a_condition_that_fails_on_a_row_is_refused_in_words(frame: DataFrame, predicate: str, found: str) -> None:
    rows = filtered(frame, predicate=predicate)
    with pytest.raises(ExplorerError) as refused:
        count(rows, predicate)
    assert found in refused.value.found
    assert "SQLSTATE" not in refused.value.found
    assert "such as id IS NOT NULL" in refused.value.next_step


def test_another_condition_is_advised_only_where_the_condition_failed(frame: DataFrame) -> None:
    assert count(filtered(frame, predicate="id < 3"), "id < 3") == 3
    predicate = "id >= 0"
    rows = filtered(frame.where("raise_error('the files are gone') IS NULL"), predicate=predicate)
    with pytest.raises(ExplorerError) as refused:
        count(rows, predicate)
    assert "the files are gone" in refused.value.found
    assert refused.value.next_step == ""


@pytest.mark.parametrize(("offset", "limit"), [(-1, 5), (0, -1), (2**31 - 1, 1), (0, 2**31)])
def test_a_page_that_cannot_be_is_refused_in_words(frame: DataFrame, offset: int, limit: int) -> None:
    with pytest.raises(ExplorerError, match=f"The offset is {offset:,}, the limit {limit:,}"):
        page(frame, ["id"], offset=offset, limit=limit)
    assert page(frame, ["id"], offset=2**31 - 1, limit=0).count() == 0
