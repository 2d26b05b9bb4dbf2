"""Key candidates of tables that Spark wrote, against the distinct values that Spark counts."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import SparkSession

from explorer.table import Table


def test_what_is_proposed_could_be_a_key_and_the_key_is_proposed_first(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "keys",
        "CREATE TABLE {t} (status STRING, old BIGINT, place STRUCT<id: INT>, amount INT, tags ARRAY<INT>) USING iceberg"
        " TBLPROPERTIES ('format-version' = '2')",
        "INSERT INTO {t} SELECT 'paid', id, named_struct('id', CAST(id * 7 AS INT)), CAST(id % 3 AS INT),"
        " array(1, 2) FROM range(200)",
        "ALTER TABLE {t} RENAME COLUMN old TO order_id",
        "INSERT INTO {t} SELECT 'open', id, named_struct('id', CAST(id * 7 AS INT)), CAST(id % 3 AS INT), array(3)"
        " FROM range(200, 300)",
    )
    found = Table.open(name, spark).key_candidates()
    assert [c.columns for c in found] == [("order_id",), ("place.id",)]
    rows = spark.table(name).count()
    for candidate in found:
        assert spark.table(name).select(candidate.columns[0]).distinct().count() == rows
    spark.sql(f"ALTER TABLE {name} ALTER COLUMN place.id COMMENT 'still there'")
    spark.sql(f"INSERT INTO {name} SELECT 'twice', id, NULL, 1, NULL FROM range(250)")
    assert [c.columns for c in Table.open(name, spark).key_candidates()] == []


def test_identifier_fields_and_tables_without_statistics(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "declared",
        "CREATE TABLE {t} (id BIGINT NOT NULL, name STRING) USING iceberg"
        " TBLPROPERTIES ('write.metadata.metrics.default' = 'none')",
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'b')",
    )
    assert Table.open(name, spark).key_candidates() == []
    spark.sql(f"ALTER TABLE {name} SET IDENTIFIER FIELDS id")
    (found,) = Table.open(name, spark).key_candidates()
    assert (found.columns, found.declared) == (("id",), True)


def test_an_empty_table_has_none(spark: SparkSession, written_table: Callable[..., str]) -> None:
    assert Table.open(written_table("nothing", "CREATE TABLE {t} (id INT) USING iceberg"), spark).key_candidates() == []
