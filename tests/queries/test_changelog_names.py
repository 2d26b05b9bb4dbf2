from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.queries.changelog.names import TAKEN
from explorer.queries.rows import row_lifetimes_sql
from explorer.table import Table
from tests.queries.changelog_facts import OpenedChangelog

# No one has a column of these names: Spark reads no such table.
ICEBERGS_OWN = {"_file", "_pos", "_deleted", "_spec_id", "_partition", "_row_id", "_last_updated_sequence_number"}


@pytest.mark.parametrize(("version", "how"), [(2, "copy-on-write"), (2, "merge-on-read"), (3, "merge-on-read")])
def test_every_column_that_the_sql_makes_is_known_by_name(
    spark: SparkSession, fresh_table: Callable[..., str], version: int, how: str
) -> None:
    name = fresh_table("made")
    spark.sql(
        f"CREATE TABLE {name} (id INT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='{version}',"
        f" 'write.update.mode'='{how}')"
    )
    for statement in ("INSERT INTO {} VALUES (1, 'a'), (2, 'b')", "UPDATE {} SET v = 'c' WHERE id = 1") * 2:
        spark.sql(statement.format(name))
    if how == "merge-on-read":  # so that an equality delete's part of the SQL is read too
        delete_equal(spark, name, spark.sql("SELECT 2 AS id"))
    opened = OpenedChangelog(spark, name)
    for mode, identifiers in [*((mode, None) for mode in TAKEN), ("updates", ["id"])]:
        _, query = opened.query(mode, identifiers=identifiers)
        texts = [value for value in vars(query).values() if isinstance(value, str)]
        made = {word for text in texts for word in re.findall(r"\b_[a-z_]+", text)}
        of_masks = {"_masks", "_keys"} if how == "copy-on-write" else set()
        assert made - ICEBERGS_OWN == TAKEN[mode] - of_masks, mode


@pytest.mark.parametrize("how", ["copy-on-write", "merge-on-read"])
def test_columns_may_be_called_as_what_the_sql_calls_its_own_tables_and_columns(
    spark: SparkSession, fresh_table: Callable[..., str], how: str
) -> None:
    parts = [value for key, value in vars(row_lifetimes_sql).items() if key.isupper() and isinstance(value, str)]
    words = {word.lower() for part in parts for word in re.findall(r"\b[a-z][a-z_]*\b", part)}
    words |= {column for column, _ in (*row_lifetimes_sql.LIFE, *row_lifetimes_sql.MASK)}
    name, columns = fresh_table("words"), sorted(words | {"key", "events", "copies", "changed", "versions"})
    listed = ", ".join(f"`{column}` INT" for column in columns)
    spark.sql(
        f"CREATE TABLE {name} (id INT, {listed}) USING iceberg TBLPROPERTIES"
        f" ('write.delete.mode'='{how}', 'write.update.mode'='{how}')"
    )
    for number in (1, 2):
        first, last = (f"{2 * number - 1}, {', '.join(str(n) for n in range(len(columns)))}" for _ in "12")
        spark.sql(f"INSERT INTO {name} VALUES ({first}), ({last.replace(str(2 * number - 1), str(2 * number), 1)})")
    spark.sql(f"UPDATE {name} SET `{columns[0]}` = -1 WHERE id = 1")
    spark.sql(f"DELETE FROM {name} WHERE id = 3")
    table = Table.open(name, spark)
    net = table.changelog(mode="net").data
    assert sorted(net["id"]) == [1, 2, 4]
    assert net.sort_values("id")[columns[0]].tolist() == [-1, 0, 0]
    for mode, rows in (("raw", None), ("changes", 7), ("updates", 7)):
        told = table.changelog(mode=mode, identifier_columns=["id"] if mode == "updates" else None).data
        assert rows is None or len(told) == rows
    assert table.commit("main", rows=True).facts.rows.totals.deleted == 1
    assert len(table.compare(table.metadata.snapshots[0].snapshot_id, "main", rows=True).data)
    assert list(table.biography("id = 1").data["event"]) == ["CREATED", "UPDATED"]
