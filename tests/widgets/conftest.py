"""Small live tables and an explorer of one; a file of tests with another table has a `written` of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.table import Table
from explorer.widgets import TableExplorer


@pytest.fixture(scope="session")
def written(written_table: Callable[..., str]) -> str:
    """Three commits: an append, a copy-on-write update of one of its rows, and another append."""
    return written_table(
        "seen",
        "CREATE TABLE {t} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, '<b>&' FROM range(3)",
        "UPDATE {t} SET note = 'other' WHERE id = 1",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'late' FROM range(100, 170)",
    )


@pytest.fixture(scope="session")
def masked(spark: SparkSession, written_table: Callable[..., str]) -> str:
    """Three rows, an equality delete of one, the same key again, and a vector that masks another."""
    name = written_table(
        "scoped",
        "CREATE TABLE {t} (id BIGINT, note STRING) USING iceberg "
        "TBLPROPERTIES ('format-version' = '3', 'write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, '<b>&' FROM range(1, 4)",
    )
    delete_equal(spark, name, spark.sql("SELECT 2L AS id"))
    spark.sql(f"INSERT INTO {name} VALUES (2, 'again')")
    spark.sql(f"DELETE FROM {name} WHERE id = 3")
    return name


@pytest.fixture
def explorer(spark: SparkSession, written: str) -> Iterator[TableExplorer]:
    made = TableExplorer(Table.open(written, spark))
    yield made
    made.close()
