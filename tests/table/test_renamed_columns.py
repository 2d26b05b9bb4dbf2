"""Rows of files that were written under other column names. Iceberg binds a filter to the names of the table as it is
now, also where an old snapshot is read: what is asked of its columns must not reach its scan."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.table import Table

ROWS = ("INSERT INTO {t} VALUES (1, 10, 20)", "INSERT INTO {t} VALUES (2, 30, 40)")
RENAMED = ("ALTER TABLE {t} RENAME COLUMN a TO c",)
REBORN = ("ALTER TABLE {t} DROP COLUMN b", "ALTER TABLE {t} RENAME COLUMN a TO b")
SWAPPED = tuple(f"ALTER TABLE {{t}} RENAME COLUMN {old} TO {new}" for old, new in ("ax", "ba", "xb"))
CASES = [
    *((RENAMED, condition) for condition in ("c = 10", "c = 30", "c > 0", "c IS NULL")),
    *((REBORN, condition) for condition in ("b = 10", "b = 30", "b > 15")),
    *((SWAPPED, condition) for condition in ("a = 20", "a = 40", "b = 30", "a > 15", "a = 10", "a < 25 OR b = 30")),
]


@pytest.fixture
def renamed(spark: SparkSession, written_table: Callable[..., str]) -> Callable[..., Table]:
    def opened(*changes: str) -> Table:
        created = "CREATE TABLE {t} (id INT, a INT, b INT) USING iceberg"
        return Table.open(written_table("renamed", created, *ROWS, *changes), spark)

    return opened


def rows_now(table: Table, condition: str) -> list[int]:
    """Read whole before they are filtered."""
    sql = f"SELECT id, {condition} AS meets FROM {table.name}"
    return sorted(row.id for row in table.spark.sql(sql).collect() if row.meets)


@pytest.mark.parametrize(("changes", "condition"), CASES)
def test_rows_are_asked_for_by_the_names_of_now(
    renamed: Callable[..., Table], changes: tuple[str, ...], condition: str
) -> None:
    table = renamed(*changes)
    wanted = rows_now(table, condition)
    biography = table.biography(condition)
    assert sorted(int(life.last.same[0]) for life in biography.facts.living()) == wanted
    if wanted:  # else no file is read
        assert sorted(row.id for row in table.spark.sql(biography.sql).collect()) == wanted
    why = table.why(condition)
    assert sorted(int(row.values[0]) for row in why.facts.rows) == wanted
    assert sorted(row.id for row in table.spark.sql(why.sql).collect()) == wanted


@pytest.mark.parametrize("mode", ["raw", "changes", "updates", "net", "ownership"])
@pytest.mark.parametrize(("changes", "condition"), [(RENAMED, "c = 30"), (SWAPPED, "a = 40"), (SWAPPED, "a > 15")])
def test_the_frame_of_a_changelog_can_be_filtered(
    renamed: Callable[..., Table], changes: tuple[str, ...], condition: str, mode: str
) -> None:
    table = renamed(*changes)
    frame = table.changelog(mode=mode).frame
    assert sorted(row.id for row in frame.where(condition).collect()) == rows_now(table, condition)
    assert frame.where(condition).count() == len(rows_now(table, condition))


def test_a_bisection_asks_each_snapshot_by_its_own_names(renamed: Callable[..., Table]) -> None:
    table = renamed(*SWAPPED)
    asked = table.bisect("SELECT count(*) FROM {t} WHERE a = 10 OR a = 30")
    assert list(asked.data["answer"]) == ["1", "2"]
    assert [row.answer for row in table.spark.sql(asked.sql).collect()] == ["1", "2"]
