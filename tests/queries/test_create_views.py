"""The views with sequence numbers hold what PyIceberg reads, and answer what Iceberg's own tables refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pyiceberg.table import StaticTable
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from explorer.queries.create_views import create_views
from explorer.queries.files.locate import Located, locate
from tests.queries.sources import source_of


@pytest.fixture(scope="module")
def merged(written_table: Callable[..., str]) -> str:
    """An append, a merge-on-read delete of one of its rows, another append, and all rows in one compacted file."""
    return written_table(
        "numbered",
        "CREATE TABLE {t} (id INT) USING iceberg TBLPROPERTIES ('write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} VALUES (1), (2)",
        "DELETE FROM {t} WHERE id = 1",
        "INSERT INTO {t} VALUES (3)",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
    )


def by_pyiceberg(path: str) -> tuple[set[tuple[str, int, int]], set[tuple[int, int]]]:
    table = StaticTable.from_metadata(path)
    current = table.metadata.current_snapshot()
    assert current is not None
    entries = [
        (entry.data_file.file_path, entry.sequence_number, entry.file_sequence_number)
        for manifest in current.manifests(table.io)
        for entry in manifest.fetch_manifest_entry(table.io, discard_deleted=True)
    ]
    return set(entries), {(s.snapshot_id, s.sequence_number) for s in table.metadata.snapshots}


@pytest.mark.parametrize("named", [True, False], ids=["by name", "by file"])
def test_the_views_hold_both_numbers_of_files_and_those_of_snapshots(
    spark: SparkSession, merged: str, named: bool
) -> None:
    found = locate(spark, merged)
    located = found if named else Located(found.metadata_file, None, found.metadata_file)
    texts = create_views(replace(source_of(spark, merged), located=located))
    assert bool(texts["explorer_files"]) is named
    files, snapshots = by_pyiceberg(found.metadata_file)
    rows = spark.sql("SELECT file_path, data_sequence_number, file_sequence_number FROM explorer_files").collect()
    assert {tuple(row) for row in rows} == files
    assert any(data < file for _, data, file in files)  # the compacted one: the query is worth asking
    rows = spark.sql("SELECT snapshot_id, sequence_number FROM explorer_snapshots").collect()
    assert {tuple(row) for row in rows} == snapshots


def test_a_join_of_the_two_tells_which_commit_wrote_a_file(spark: SparkSession, merged: str) -> None:
    create_views(source_of(spark, merged))
    rows = spark.sql(
        "SELECT s.operation FROM explorer_files f JOIN explorer_snapshots s "
        "ON s.sequence_number = f.file_sequence_number WHERE f.content = 0"
    ).collect()
    assert [row.operation for row in rows] == ["replace"]


def test_the_files_of_an_earlier_snapshot(spark: SparkSession, merged: str) -> None:
    first = spark.sql(f"SELECT snapshot_id FROM {merged}.snapshots ORDER BY committed_at").collect()[0][0]
    create_views(source_of(spark, merged), first)
    rows = spark.sql(
        "SELECT data_sequence_number, file_sequence_number, added_snapshot_id FROM explorer_files"
    ).collect()
    assert {tuple(row) for row in rows} == {(1, 1, first)}


def test_icebergs_own_tables_have_no_such_columns(spark: SparkSession, merged: str) -> None:
    for table in ("files", "snapshots"):
        with pytest.raises(AnalysisException, match="sequence_number"):
            spark.sql(f"SELECT sequence_number FROM {merged}.{table}").collect()
