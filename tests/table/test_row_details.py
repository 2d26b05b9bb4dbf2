"""What updates changed and which condition finds a row again, against the rows themselves and Spark's own WHERE."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.model.changed_cells import ChangedCell
from explorer.table import Table

KEYS = {
    "flag BOOLEAN": ["true", "false"],
    "small INT": ["-7", "12"],
    "big BIGINT": ["-9223372036854775808", "9007199254740993"],
    "price DECIMAL(38, 4)": ["1234567890123456789012345678901234.5678", "-0.0001"],
    "ratio FLOAT": ["CAST('0.1' AS FLOAT)", "CAST('NaN' AS FLOAT)"],
    "share DOUBLE": ["CAST('0.1' AS DOUBLE)", "CAST('-Infinity' AS DOUBLE)"],
    "name STRING": [r"'O\'Brien \\ \"x\" `y` \n {z} ${w} %s'", "'null'", "''"],
    "day DATE": ["DATE'2026-11-24'", "DATE'0001-01-01'"],
    "old DATE": ["DATE'-0044-03-15'", "DATE'+10000-01-01'"],
    "at TIMESTAMP": ["TIMESTAMP'2026-10-25 02:30:00.123456 Europe/Berlin'", "TIMESTAMP'1969-12-31 23:59:59Z'"],
    "said TIMESTAMP_NTZ": ["TIMESTAMP_NTZ'2026-10-25 02:30:00.000001'", "TIMESTAMP_NTZ'0001-01-01 00:00:00'"],
    "raw BINARY": ["X'00ff'", "X''"],
    "`odd ``name``, {of} it` STRUCT<`a.b`: STRING>": ["named_struct('a.b', 'x')", "named_struct('a.b', 'it''s')"],
}


@pytest.fixture(scope="module")
def made(spark: SparkSession, fresh_table: Callable[..., str]) -> Table:
    """A row for each value of a column, the others null, and one with nulls alone."""
    name = fresh_table("keyed")
    spark.sql(f"CREATE TABLE {name} (nr INT, {', '.join(KEYS)}) USING iceberg")
    kinds = [column.rsplit("it` ", 1)[-1] if "`" in column else column.split(" ", 1)[1] for column in KEYS]
    rows = [["NULL"] * len(KEYS)]
    for place, values in enumerate(KEYS.values()):
        rows += [[value if at == place else "NULL" for at in range(len(KEYS))] for value in values]
    selects = (
        f"SELECT {nr}, " + ", ".join(f"CAST({value} AS {kind})" for value, kind in zip(row, kinds, strict=True))
        for nr, row in enumerate(rows)
    )
    spark.sql(f"INSERT INTO {name} " + " UNION ALL ".join(selects))
    return explorer.table(name)


def test_the_condition_of_a_row_is_true_of_it_alone(made: Table, spark: SparkSession) -> None:
    rows = spark.table(made.name)
    plain = [name for name in rows.columns if name not in ("nr", "odd `name`, {of} it")]
    keys = [*plain, "odd `name`, {of} it.a.b"]
    drawn = made.changelog(mode="raw", identifier_columns=keys).facts.rows
    conditions = [row.condition for row in drawn]
    assert len(set(conditions)) == len(drawn) == rows.count()
    assert all(spark.sql(f"SELECT * FROM {made.name} WHERE {one}").count() == 1 for one in conditions)
    for row in drawn:
        (found,) = spark.sql(f"SELECT name, big FROM {made.name} WHERE {row.condition}").collect()
        assert f"{found.name if found.name is not None else 'null'}" in row.text
    (traced,) = made.biography(conditions[0], identifier_columns=["nr"]).facts.lives
    assert traced.events[0].kind == "CREATED"


def test_a_key_that_has_no_literals_gives_no_condition_and_one_without_columns_neither(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("nested")
    spark.sql(f"CREATE TABLE {name} (id INT, tags ARRAY<STRING>) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, array('a')), (2, NULL)")
    table = explorer.table(name)
    for keys in (["tags"], ["id", "tags"], None):
        assert {row.condition for row in table.changelog(identifier_columns=keys).facts.rows} == {""}
    conditions = [row.condition for row in table.changelog(identifier_columns=["id"]).facts.rows]
    assert conditions == ["id = 1", "id = 2"]


def test_an_update_tells_the_cells_that_differ_also_behind_what_is_cut(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("celled")
    spark.sql(
        f"CREATE TABLE {name} (id INT, status STRING, note STRING, tags MAP<STRING, INT>, x DOUBLE) USING iceberg"
    )
    spark.sql(
        f"INSERT INTO {name} SELECT id, 'paid', repeat('a', 300), map('a', 1, 'b', 2), CAST('NaN' AS DOUBLE)"
        " FROM range(1, 6)"
    )
    spark.sql(
        f"MERGE INTO {name} t"
        " USING (SELECT * FROM VALUES (1, 'shipped', 0), (2, NULL, 1), (3, 'paid', 1) AS s(k, v, n)) ON t.id = k"
        " WHEN MATCHED THEN UPDATE SET status = v, tags = map('b', 2, 'a', 1),"
        " note = IF(n = 1, concat(t.note, 'b'), t.note)"
    )
    spark.sql(f"UPDATE {name} SET tags = map('a', 1) WHERE id = 4")
    spark.sql(f"DELETE FROM {name} WHERE id = 5")
    changelog = explorer.table(name).changelog(mode="updates", identifier_columns=["id"]).facts
    changed = {(row.key, row.ordinal): row.changed for row in changelog.rows if row.changed}
    long = "a" * 200
    assert changed == {
        ("1", 1): (ChangedCell("status", "paid", "shipped"),),
        ("2", 1): (ChangedCell("status", "paid", "null"), ChangedCell("note", long, long)),
        ("3", 1): (ChangedCell("note", long, long),),
        ("4", 2): (ChangedCell("tags", "{a -> 1, b -> 2}", "{a -> 1}"),),
    }
    sides = {(row.key, row.change_type) for row in changelog.rows if row.changed}
    assert sides == {(key, side) for key in "1234" for side in ("UPDATE_BEFORE", "UPDATE_AFTER")}


def test_updates_that_row_ids_pair_tell_their_cells_and_lead_to_the_life_of_the_row(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("numbered")
    spark.sql(f"CREATE TABLE {name} (status STRING, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')")
    spark.sql(f"INSERT INTO {name} VALUES ('paid', 'x'), ('paid', 'y'), ('open', 'z')")
    spark.sql(f"UPDATE {name} SET status = 'shipped' WHERE status = 'paid'")
    spark.sql(f"INSERT INTO {name} VALUES ('paid', 'x')")
    spark.sql(f"UPDATE {name} SET status = 'open', note = 'w' WHERE note = 'y'")
    table = explorer.table(name)
    changelog = table.changelog(mode="updates").facts
    assert (changelog.pairing, changelog.keys) == ("row id", ("_row_id",))
    versions = [
        {
            row._row_id: row
            for row in spark.sql(f"SELECT *, _row_id FROM {name} VERSION AS OF {s.snapshot_id}").collect()
        }
        for s in table.metadata.snapshots
    ]
    expected = {
        (str(key), tuple((c, before[key][c], row[c]) for c in ("status", "note") if before[key][c] != row[c]))
        for before, after in itertools.pairwise(versions)
        for key, row in after.items()
        if key in before and row != before[key]
    }
    assert len(expected) == 3
    updated = [row for row in changelog.rows if row.change_type == "UPDATE_AFTER"]
    assert {(row.key, tuple((c.column, c.before, c.after) for c in row.changed)) for row in updated} == expected
    assert [str(cell) for row in updated for cell in row.changed].count("status: paid → shipped") == 2
    twice = max(changelog.rows, key=lambda row: sum(other.key == row.key for other in updated))
    assert twice.condition == f"_row_id = {twice.key}"
    (life,) = table.biography(twice.condition).facts.lives
    assert [event.kind for event in life.events] == ["CREATED", "UPDATED", "UPDATED"]
