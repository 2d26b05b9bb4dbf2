"""The changelog as the face gives it, of tables and questions that are not what one expects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

import explorer
from explorer import Table
from explorer.errors import ExplorerError
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.commit.rows import Outcomes


@pytest.fixture(scope="module")
def table(spark: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., Table]:
    """A table of these columns with these rows, inserted by one commit."""

    def make(columns: str, rows: str = "", version: int = 2) -> Table:
        name = fresh_table("asked")
        spark.sql(f"CREATE TABLE {name} ({columns}) USING iceberg TBLPROPERTIES ('format-version'='{version}')")
        if rows:
            spark.sql(f"INSERT INTO {name} {rows}")
        return explorer.table(name)

    return make


def both(table: Table, column: str) -> tuple[list[Any], list[Any]]:
    """A column as `.data` and as a page give it."""
    asked = table.changelog()
    return tuple(
        [None if value is pd.NA else value for value in rows[column]] for rows in (asked.data, asked.page().rows)
    )


def test_times_that_python_has_not_are_exact_text(table: Callable[..., Table]) -> None:
    made = table(
        "id INT, day DATE, at TIMESTAMP, past STRUCT<of: TIMESTAMP_NTZ>",
        "VALUES (1, DATE'+10000-01-01', TIMESTAMP'9999-12-31 23:59:59 America/New_York', NULL),"
        " (2, DATE'2026-11-21', NULL, struct(TIMESTAMP_NTZ'-0044-03-15 12:00:00'))",
    )
    assert both(made, "day") == (["+10000-01-01", "2026-11-21"],) * 2
    assert both(made, "at") == (["+10000-01-01 04:59:59Z", None],) * 2
    assert both(made, "past") == ([None, {"of": "-0044-03-15 12:00:00"}],) * 2
    assert made.changelog().frame.schema["day"].dataType.simpleString() == "date"
    assert made.changelog().data["id"].dtype == "Int64"


def test_variants_are_json_text_and_null_is_null(table: Callable[..., Table]) -> None:
    made = table("id INT, v VARIANT", 'SELECT 1, parse_json(\'{"a": [1, "b"]}\') UNION ALL SELECT 2, NULL', version=3)
    assert both(made, "v") == (['{"a":[1,"b"]}', None],) * 2


def test_a_table_without_a_commit_has_no_changelog_yet(table: Callable[..., Table]) -> None:
    with pytest.raises(ExplorerError, match="Nothing has been committed"):
        table("id INT").changelog(mode="net")


def test_a_page_refuses_what_cannot_be_asked_and_takes_one_name_for_one(table: Callable[..., Table]) -> None:
    made = table("id INT, v STRING", "VALUES (1, 'a'), (2, 'b')")
    asked = made.changelog(mode="updates", identifier_columns="id")
    assert asked.known.identifier_columns == ("id",)
    assert made.commit("main", rows=True, identifier_columns="id").facts.rows.identifier_columns == ("id",)
    assert asked.page(change_types="INSERT", where="id > 1").total == 1
    assert asked.page(change_types="DELETE").total == 0
    for wrong in ({"where": "id = 'a'"}, {"where": "id / 0 = 1"}, {"offset": -1}, {"limit": -1}):
        with pytest.raises(ExplorerError):
            asked.page(**wrong)
    assert asked.page(where="v = 'a'").rows["id"].tolist() == [1]


@pytest.mark.parametrize(
    ("column", "mode", "others"),
    [
        ("_change_type", "changes", ""),
        ("_Commit_Sequence_Number", "ownership", ""),
        ("_gone", "updates", "in the mode ownership or "),
        (
            "_balance",
            "net",
            "in the mode raw or in the mode changes or in the mode updates or in the mode ownership or ",
        ),
        (
            "_owned_path",
            "ownership",
            "in the mode raw or in the mode changes or in the mode updates or in the mode net or ",
        ),
    ],
)
def test_a_column_named_as_one_of_the_changelogs_is_named_with_ways_out_that_work(
    spark: SparkSession, table: Callable[..., Table], column: str, mode: Any, others: str
) -> None:
    made = table(f"id INT, {column} STRING", "VALUES (1, 'a'), (2, 'b')")
    with pytest.raises(ExplorerError, match=f"the mode {mode} of a table with a column {column}") as refused:
        made.changelog(mode=mode)
    assert refused.value.next_step.startswith(f"Ask {others}for the rows of each commit, by commit(")
    rows = made.commit("main", rows=True).facts.rows
    assert rows is not None
    assert rows.totals.inserted == 2
    for other in ("raw", "changes", "updates", "net", "ownership"):
        if other in others:
            assert made.changelog(mode=other).facts.row_count == 2
    spark.sql(f"ALTER TABLE {made.name} RENAME COLUMN {column} TO other")
    assert explorer.table(made.name).changelog(mode=mode).facts.row_count == 2


@pytest.mark.parametrize("mode", ["raw", "changes", "updates", "net", "ownership"])
def test_columns_that_connectors_add_are_told_as_all_others(table: Callable[..., Table], mode: Any) -> None:
    made = table("_row INT, _path STRING, _line INT", "VALUES (1, 'a', 7), (2, 'b', 7)")
    assert sorted(made.changelog(mode=mode).data["_path"]) == ["a", "b"]


def test_a_row_that_was_masked_before_is_not_deleted_by_the_next_delete_of_its_key(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    """As upserts of one key do it: each delete of the key masks all older rows, those too that another one masks."""
    name = fresh_table("twice")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('format-version'='2')")
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES (1), (2), (3)")
    delete_equal(spark, name, spark.sql("SELECT 1 AS id"))
    start = explorer.table(name, spark=spark).metadata.current_snapshot_id
    spark.sql(f"INSERT INTO {name} VALUES (4)")
    delete_equal(spark, name, spark.sql("SELECT * FROM VALUES (1), (2) AS keys(id)"))
    spark.sql(f"INSERT INTO {name} VALUES (5)")
    changed = explorer.table(name, spark=spark).changelog(start=start).data
    assert sorted(zip(changed["_change_type"], changed["id"], strict=True)) == [
        ("DELETE", 2),
        ("INSERT", 4),
        ("INSERT", 5),
    ]


def test_a_delete_that_is_removed_gives_back_no_row_that_another_delete_masks(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("both")
    spark.sql(
        f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('format-version'='2',"
        " 'write.delete.mode'='merge-on-read')"
    )
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES (1), (2), (3)")
    spark.sql(f"DELETE FROM {name} WHERE id IN (1, 2)")
    delete_equal(spark, name, spark.sql("SELECT 1 AS id"))
    start = explorer.table(name, spark=spark).metadata.current_snapshot_id
    jvm: Any = spark._jvm
    java = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    (positions,) = (d for d in java.newScan().planFiles().iterator().next().deletes() if d.equalityFieldIds() is None)
    java.newRowDelta().removeDeletes(positions).commit()
    spark.sql(f"REFRESH TABLE {name}")
    opened = explorer.table(name, spark=spark)
    assert {row.id for row in spark.table(name).collect()} == {2, 3}
    changed = opened.changelog(start=start).data
    assert list(zip(changed["_change_type"], changed["id"], strict=True)) == [("INSERT", 2)]
    assert opened.commit("main", rows=True).facts.rows.totals == Outcomes(inserted=1)
