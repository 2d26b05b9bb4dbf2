"""`Table.commit` and `Table.boundary` on live tables, against the metadata tables of Spark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from pyspark.sql import Row, SparkSession

from explorer.errors import ExplorerError, UnknownSnapshot
from explorer.table import Table
from tests.queries.test_commit import CONTRACT as OF_FILES

CONTRACT = [*OF_FILES, "rows_carried_over", "rows_inserted", "rows_updated", "rows_deleted"]


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    """Six commits: append, copy-on-write update, merge-on-read delete and merge, compaction, append to a branch."""
    return written_table(
        "written",
        "CREATE TABLE {t} (id BIGINT, region STRING, amount INT) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '3')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, IF(id < 6, 'n', 's'), 10 FROM range(10)",
        "UPDATE {t} SET amount = 11 WHERE id IN (1, 7)",
        "ALTER TABLE {t} SET TBLPROPERTIES ('write.delete.mode' = 'merge-on-read')",
        "ALTER TABLE {t} SET TBLPROPERTIES ('write.merge.mode' = 'merge-on-read')",
        "DELETE FROM {t} WHERE id IN (2, 8)",
        "MERGE INTO {t} t USING (SELECT 3L AS id UNION ALL SELECT 30L) s ON t.id = s.id "
        "WHEN MATCHED THEN UPDATE SET amount = 33 "
        "WHEN NOT MATCHED THEN INSERT (id, region, amount) VALUES (s.id, 'n', 30)",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
        "ALTER TABLE {t} CREATE BRANCH side",
        "INSERT INTO {t}.branch_side VALUES (99, 'n', 1)",
    )


@pytest.fixture(scope="module")
def table(spark: SparkSession, written: str) -> Table:
    return Table.open(written, spark)


def ids(table: Table) -> list[int]:
    return [node.snapshot.snapshot_id for node in table.graph.nodes]


def same_rows(data: pd.DataFrame, rows: list[Row]) -> None:
    def key(row: object) -> str:
        return str(row)

    ours = [
        (r.file_path, None if pd.isna(r.content_offset) else int(r.content_offset), r.content, r.change, int(r.spec_id),
         int(r.record_count), int(r.file_size_in_bytes), int(r.data_sequence_number), int(r.file_sequence_number))
        for r in data.itertuples()
    ]  # fmt: skip
    theirs = [
        (r.file_path, r.content_offset, r.content, r.change, r.spec_id,
         r.record_count, r.file_size_in_bytes, r.data_sequence_number, r.file_sequence_number)
        for r in rows
    ]  # fmt: skip
    assert sorted(ours, key=key) == sorted(theirs, key=key)


def test_data_has_the_columns_of_the_contract_and_the_rows_that_its_own_sql_gives(
    spark: SparkSession, table: Table
) -> None:
    kinds = set()
    for snapshot_id in ids(table):
        picture = table.commit(snapshot_id)
        assert list(picture.data.columns)[: len(CONTRACT)] == CONTRACT
        same_rows(picture.data, spark.sql(picture.sql).collect())
        assert picture.frame.count() == len(picture.data)
        assert picture.data[["rows_carried_over", "rows_deleted"]].isna().all().all()
        assert any("were not read" in note.reason for note in picture.notes)
        kinds |= set(zip(picture.data["content"], picture.data["change"], strict=True))
    assert kinds == {
        ("data", "added"), ("data", "removed"), ("deletion vector", "added"), ("deletion vector", "removed"),
    }  # fmt: skip


def test_rows_are_read_on_request_and_add_up(table: Table) -> None:
    append, update, delete, merge, compaction, branch = ids(table)
    rows = {i: table.commit(i, rows=True) for i in ids(table)}
    assert rows[append].facts.rows.totals.inserted == 10
    assert (rows[update].facts.rows.totals.updated, rows[update].facts.rows.totals.carried_over) == (2, 8)
    assert rows[delete].facts.rows.totals.deleted == 2
    assert sorted(rows[delete].data["rows_masked"]) == [1, 1]
    assert (rows[merge].facts.rows.totals.updated, rows[merge].facts.rows.totals.inserted) == (1, 1)
    assert rows[compaction].facts.rows.changed == 0
    assert rows[compaction].facts.rows.totals.carried_over == 9
    assert rows[branch].facts.rows.totals.inserted == 1
    for picture in rows.values():
        added = picture.data.query("change == 'added' and content == 'data'")
        counted = added[["rows_carried_over", "rows_inserted", "rows_updated"]].sum(axis=1)
        assert (counted == added["record_count"]).all()


def test_a_commit_is_named_by_branch_or_tag_too_and_an_unknown_one_is_refused(table: Table) -> None:
    assert table.commit("side").facts.commit.snapshot.snapshot_id == ids(table)[-1]
    assert table.commit(str(ids(table)[0])).facts.commit.snapshot.snapshot_id == ids(table)[0]
    with pytest.raises(UnknownSnapshot, match="side"):
        table.commit("nowhere")
    with pytest.raises(ExplorerError, match="nothing"):
        table.commit("main", rows=True, identifier_columns=["nothing"])


def test_the_cost_of_rows_is_known_before_they_are_read(table: Table) -> None:
    update = ids(table)[1]
    data = table.commit(update).data
    cost = table.commit_cost(update)
    assert (cost.files, cost.rows) == (len(data), data["record_count"].sum())
    assert cost.size_in_bytes == data["file_size_in_bytes"].sum()


def test_the_boundary_between_any_two_snapshots_is_what_its_own_sql_gives(spark: SparkSession, table: Table) -> None:
    every = ids(table)
    for start, end in ((every[0], every[3]), (every[4], every[1]), (every[2], every[2]), ("main", "side")):
        picture = table.boundary(start, end)
        same_rows(picture.data, spark.sql(picture.sql).collect())
        live = spark.sql(
            f"SELECT count(*) FROM {table.name}.data_files VERSION AS OF {table.snapshot(end).snapshot_id}"
        )
        kept = picture.facts.commit.kept.data_files
        assert kept is not None
        assert kept + len(picture.data.query("content == 'data' and change == 'added'")) == live.collect()[0][0]


def test_by_its_metadata_file_the_same_is_answered_without_sql(spark: SparkSession, table: Table) -> None:
    by_path = Table.open(table.metadata_location, spark)
    for snapshot_id in ids(table):
        picture = by_path.commit(snapshot_id, rows=True)
        pd.testing.assert_frame_equal(picture.data, table.commit(snapshot_id, rows=True).data)
        assert picture.sql == ""
        assert any("opened by its file" in note.reason for note in picture.notes)


def test_asking_changes_nothing_in_the_tables_folder(spark: SparkSession, table: Table) -> None:
    folder = Path(table.metadata.location.removeprefix("file:"))

    def content() -> dict[Path, bytes]:
        return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    before = content()
    for snapshot_id in ids(table):
        table.commit(snapshot_id, rows=True).to_static_html()
    table.boundary(ids(table)[0], "main").to_static_html()
    assert content() == before
