"""Rows that cannot be read: what stands in the way, and what can be asked instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastavro
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.queries.rows.readable import readable
from explorer.queries.rows.reading import RESERVED, refusing
from explorer.table import Table
from tests import faults

Make = Callable[[str], Table]


@pytest.fixture
def with_columns(spark: SparkSession, fresh_table: Callable[..., str]) -> Make:
    """A table with an `id` and columns of these names; one row of three is deleted from a file that stays."""

    def make(columns: str) -> Table:
        name = fresh_table("columns")
        spark.sql(
            f"CREATE TABLE {name} (id INT, {columns}) USING iceberg"
            " TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
        )
        values = ", ".join("'x'" for _ in columns.split(","))
        spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ id, {values} FROM range(3)")
        return Table.open(name, spark)

    return make


def rows_asked(table: Table) -> dict[str, Callable[[], Any]]:
    newest = table.metadata.current_snapshot_id
    assert newest is not None
    return {
        "commit": lambda: table.commit(newest, rows=True).facts,
        "changes": lambda: table.changelog().facts,
        "ownership": lambda: table.changelog(mode="ownership").facts,
        "why": lambda: table.why("id = 1").facts,
    }


@pytest.mark.parametrize("reserved", sorted(RESERVED))
def test_a_column_that_iceberg_keeps_for_itself_is_named_with_the_way_out(with_columns: Make, reserved: str) -> None:
    table = with_columns(f"`{reserved}` STRING")
    for question, ask in rows_asked(table).items():
        with pytest.raises(ExplorerError, match=f"a column {reserved}, .*\n.*Rename the column") as refused:
            ask()
        assert "cannot be told" in refused.value.what or "be read" in refused.value.what, question
    assert len(table.commit("main").data) == len(table.entries().data) == 1  # files are told all the same


def test_columns_may_be_called_as_the_questions_call_their_own(spark: SparkSession, with_columns: Make) -> None:
    names = ("_file_there", "_pos_there", "file", "pos", "_read", "here", "there", "key", "outcome", "values")
    table = with_columns(", ".join(f"`{name}` STRING" for name in names))
    spark.sql(f"DELETE FROM {table.name} WHERE id = 1")
    assert table.reload() is True
    rows = table.commit("main", rows=True).facts.rows
    assert rows is not None
    assert rows.totals.deleted == 1
    changed = table.changelog().data
    assert list(changed["_change_type"]) == ["INSERT"] * 3 + ["DELETE"]
    assert list(changed.loc[changed["_change_type"] == "DELETE", "id"]) == [1]
    assert list(table.why("id = 1").data["_deleted"]) == [True]


def test_a_data_file_that_is_gone_is_named(with_columns: Make) -> None:
    table = with_columns("v STRING")
    (gone,) = table.commit("main").data["file_path"]
    Path(gone.removeprefix("file:")).unlink()
    for ask in rows_asked(table).values():
        with pytest.raises(ExplorerError, match=f"{Path(gone).name}") as refused:
            ask()
        assert "py4j" not in str(refused.value).lower()


def test_a_fault_of_our_own_is_not_reported_as_one_of_the_rows() -> None:
    with pytest.raises(KeyError), refusing("The rows cannot be read."):
        raise KeyError("a defect")


@pytest.fixture
def listed_twice(with_columns: Make) -> Table:
    """A table whose second commit lists its one data file twice in its manifest."""
    table = with_columns("v STRING")
    table.spark.sql(f"INSERT INTO {table.name} SELECT /*+ COALESCE(1) */ id + 10, 'y' FROM range(4)")
    table.reload()
    manifest = faults.path(table.commit("main").data["manifest_path"][0])
    with manifest.open("rb") as file:
        reader = fastavro.reader(file)
        records, schema, header = list(reader), reader.writer_schema, reader.metadata
    assert schema is not None
    kept = {key: value for key, value in header.items() if not key.startswith("avro.")}
    with manifest.open("wb") as file:
        fastavro.writer(file, schema, records * 2, metadata=kept)
    (manifest.parent / f".{manifest.name}.crc").unlink(missing_ok=True)
    return Table.open(table.name, table.spark)


def test_rows_of_a_file_that_is_listed_twice_are_counted_once_with_a_note(listed_twice: Table) -> None:
    facts_ = listed_twice.commit("main", rows=True).facts
    assert facts_.rows is not None
    assert facts_.rows.totals.inserted == 4
    assert facts_.rows.totals.unseen == 0
    assert any("says 2, counted are 1" in str(c) for c in facts_.commit.contradictions)
    changes = listed_twice.changelog()
    assert (changes.data["_commit_snapshot_id"] == str(listed_twice.metadata.current_snapshot_id)).sum() == 4
    assert listed_twice.spark.sql(changes.sql).count() == len(changes.data) == 7


def test_rows_of_a_file_that_is_listed_twice_live_as_often_as_readers_see_them(listed_twice: Table) -> None:
    name, spark = listed_twice.name, listed_twice.spark
    spark.sql(f"UPDATE {name} SET v = 'z' WHERE id = 10")
    data = Table.open(name, spark).biography("id = 10").data
    seen = [
        spark.sql(f"SELECT * FROM {name} VERSION AS OF {row.snapshot_id} WHERE id = 10").count()
        for row in spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()
    ]
    moves = data.assign(by=data["event"].map({"CREATED": 1, "RETURNED": 1, "DELETED": -1, "UPDATED": 0}))
    told = [moves.loc[moves["sequence_number"] <= number, "by"].sum() for number in (1, 2, 3)]
    assert told == seen == [0, 2, 2]


def test_of_no_file_none_is_read() -> None:
    """A condition that no file can meet whose manifest is there yet."""

    def read(_: object) -> None:
        pytest.fail("something was read")

    assert readable([], read) == ([], [])
