"""Which rows deletes hold, in every picture that asks it, against Iceberg's own reading of masked rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pandas as pd
import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.queries.rows import delete_content
from explorer.table import Table


def masked_by_spark(spark: SparkSession, name: str) -> Mapping[int, bool]:
    """By the column `id`, whether readers leave the row out."""
    return {row.id: row._deleted for row in spark.sql(f"SELECT id, _deleted FROM {name}").collect()}


def masked_by_why(table: Table) -> Mapping[int, bool]:
    """The same, by what the content of the deletes says."""
    facts = table.why("true").facts
    place = facts.columns.index("id")
    return {int(row.values[place]): any(delete.masks for delete in row.deletes) for row in facts.rows}


def masked_by_biography(table: Table) -> Mapping[int, bool]:
    """The same, by the last thing that happened to each row of a key."""
    events: pd.DataFrame = table.biography("id > 0", identifier_columns=["id"]).data
    return {int(key): rows["event"].iloc[-1] == "DELETED" for key, rows in events.groupby("id")}


def test_zeros_of_two_signs_are_two_keys_and_nan_is_one(spark: SparkSession, fresh_table: Callable[..., str]) -> None:
    name = fresh_table("zeros")
    spark.sql(f"CREATE TABLE {name} (id INT, k DOUBLE) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, -0.0D), (2, 0.0D), (3, double('NaN')), (4, NULL), (5, 1)")
    delete_equal(spark, name, spark.sql("SELECT 0.0D AS k UNION ALL SELECT double('NaN')"))
    expected, table = masked_by_spark(spark, name), explorer.table(name)
    assert set(expected.values()) == {True, False}
    assert masked_by_why(table) == expected
    assert masked_by_biography(table) == expected
    assert not [note for note in table.biography("id > 0").notes if note.certainty == "unknown"]
    commit = table.commit("main", rows=True).facts.rows
    assert commit is not None
    assert commit.totals.deleted == sum(expected.values())


@pytest.mark.parametrize("changed", ["younger", "renamed", "widened"])
def test_a_key_is_its_field_whatever_became_of_it(
    spark: SparkSession, fresh_table: Callable[..., str], changed: str
) -> None:
    name = fresh_table(changed)
    spark.sql(f"CREATE TABLE {name} (id INT{'' if changed == 'younger' else ', k INT'}) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES {'(1), (2)' if changed == 'younger' else '(1, NULL), (2, 3)'}")
    if changed == "younger":
        spark.sql(f"ALTER TABLE {name} ADD COLUMN k INT")
    spark.sql(f"INSERT INTO {name} VALUES (3, 3), (4, NULL)")
    delete_equal(spark, name, spark.sql("SELECT CAST(NULL AS INT) AS k"))
    delete_equal(spark, name, spark.sql("SELECT 3 AS k"))
    spark.sql(f"INSERT INTO {name} VALUES (5, 3), (6, NULL)")
    if changed == "renamed":
        for change in ("k TO t", "id TO k", "t TO id", "id TO other", "k TO id"):
            spark.sql(f"ALTER TABLE {name} RENAME COLUMN {change}")
    elif changed == "widened":
        spark.sql(f"ALTER TABLE {name} ALTER COLUMN k TYPE BIGINT")
    spark.sql(f"INSERT INTO {name} VALUES (7, 3)")
    expected, table = masked_by_spark(spark, name), explorer.table(name)
    assert expected == {key: key < 5 for key in range(1, 8)}
    assert masked_by_why(table) == expected
    assert masked_by_biography(table) == expected


def test_of_a_key_that_was_dropped_nobody_claims_what_it_holds(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("dropped")
    spark.sql(f"CREATE TABLE {name} (id INT, k INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1, 1), (2, NULL)")
    delete_equal(spark, name, spark.sql("SELECT 1 AS k"))
    delete_equal(spark, name, spark.sql("SELECT CAST(NULL AS INT) AS k"))
    spark.sql(f"ALTER TABLE {name} DROP COLUMN k")
    spark.sql(f"INSERT INTO {name} VALUES (3)")
    table = explorer.table(name)
    assert masked_by_spark(spark, name) == {1: True, 2: True, 3: False}
    changes = table.changelog().data  # for which Iceberg is asked, who knows the key still
    assert {kind: sorted(rows["id"]) for kind, rows in changes.groupby("_change_type")} == {
        "DELETE": [1, 2],
        "INSERT": [1, 2, 3],
    }
    why = table.why("true")
    assert {row.values: {d.holds_row for d in row.deletes} for row in why.facts.rows} == {
        ("1",): {None},
        ("2",): {None},
        ("3",): {None},
    }
    told = table.biography("id > 0")
    for notes in (why.notes, told.notes):
        reasons = {note.reason for note in notes if note.certainty == "unknown"}
        assert reasons
        assert all(reason.startswith("The key column k (field id 2) of ") for reason in reasons)
    assert all(row.open for life in told.facts.lives for row in [life.events[0].row] if row.values != ("3",))


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("in_tasks", [False, True])
def test_one_lost_delete_file_leaves_the_others_known(
    spark: SparkSession,
    fresh_table: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    version: int,
    in_tasks: bool,
) -> None:
    name = fresh_table("lost")
    spark.sql(
        f"CREATE TABLE {name} (id INT, p INT) USING iceberg PARTITIONED BY (p) TBLPROPERTIES"
        f" ('format-version'='{version}', 'write.delete.mode'='merge-on-read')"
    )
    spark.sql(f"INSERT INTO {name} VALUES (1, 1), (2, 1), (3, 2), (4, 2)")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    spark.sql(f"DELETE FROM {name} WHERE id = 3")
    deletes = {
        row.p: row.file_path for row in spark.sql(f"SELECT partition.p, file_path FROM {name}.delete_files").collect()
    }
    Path(deletes[1].removeprefix("file:")).unlink()
    if in_tasks:
        monkeypatch.setattr(delete_content, "are_small", lambda *_: False)
    held = {
        int(row.values[0]): {d.holds_row for d in row.deletes} for row in explorer.table(name).why("p = 2").facts.rows
    }
    assert held == {3: {True}, 4: {False}}
    told = explorer.table(name).biography("id > 0 and p > 0")
    assert [note.about for note in told.notes if note.certainty == "unknown"][:1] == [
        f"What {Path(deletes[1]).name} holds"
    ]
    gone = told.data[told.data["event"] == "DELETED"]
    assert list(gone["delete_path"]) == [deletes[2]]


def test_a_delete_of_a_key_in_another_partition_is_told_where_it_could_have_been_meant(
    spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("elsewhere")
    spark.sql(f"CREATE TABLE {name} (id INT, p STRING) USING iceberg PARTITIONED BY (p)")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'a'), (2, 'a'), (3, 'b')")
    for key, place in ((1, "b"), (2, "a"), (5, "b")):
        delete_equal(spark, name, spark.sql(f"SELECT {key} AS id"), partition=f"p={place}", statistics=key != 5)
    spark.sql(f"INSERT INTO {name} VALUES (5, 'a')")  # after the delete of this key, which cannot have meant it
    expected, table = masked_by_spark(spark, name), explorer.table(name)
    assert expected == {1: False, 2: True, 3: False, 5: False}
    facts = table.why("true").facts
    told = {int(row.values[0]): [d for d in row.deletes if d.is_elsewhere] for row in facts.rows}
    assert {key for key, deletes in told.items() if deletes} == {1}
    assert not any(delete.masks for deletes in told.values() for delete in deletes)
    assert masked_by_why(table) == expected
    missed = table.why("id = 1")
    assert (
        missed.title == "1 row with id = 1: no delete masks it; an equality delete of another partition holds its key"
    )
    assert "holds its key, but it is of partition p=b, the file lies in p=a" in missed.data["reason"][0]
    assert table.why("id = 5").title == "1 row with id = 5: no delete masks it"
    sizes = spark.sql(f"SELECT sum(file_size_in_bytes) AS size FROM {name}.delete_files").collect()
    assert missed.price.size_in_bytes > sizes[0].size
