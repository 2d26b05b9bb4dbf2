"""Histories that look like an incident and are none, and incidents among them that must be found: held against rows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.model.triage.facts import Check
from explorer.queries.files import manifests as stored_manifests
from explorer.table import Table

Written = Callable[..., str]

_MERGE_ON_READ = "'write.delete.mode'='merge-on-read'"


def created(columns: str, properties: str = "'format-version'='2'", partitioned: str = "") -> str:
    return f"CREATE TABLE {{t}} ({columns}) USING iceberg {partitioned} TBLPROPERTIES ({properties})"


_GONE = (  # the delete is of a file that the UPDATE, copy-on-write, replaces
    f"CREATE TABLE {{t}} (id BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version'='2', {_MERGE_ON_READ})",
    "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'a' FROM range(0, 100)",
    "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'a' FROM range(100, 150)",
    "DELETE FROM {t} WHERE id BETWEEN 100 AND 129",
    "UPDATE {t} SET v = 'b' WHERE id >= 100",
)


def inserted(first: int, end: int, values: str = "'a'") -> str:
    return f"INSERT INTO {{t}} SELECT /*+ COALESCE(1) */ id, {values} FROM range({first}, {end})"


def check(spark: SparkSession, name: str, signature: str) -> Check:
    checks = Table.open(name, spark).triage().facts.checks
    return next(check for check in checks if check.signature.name == signature)


def title(spark: SparkSession, name: str, signature: str) -> str:
    """Of the finding; empty if there is none."""
    finding = check(spark, name, signature).finding
    return finding.title if finding else ""


def counts(spark: SparkSession, name: str) -> list[int]:
    """Rows at each snapshot."""
    rows = spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()
    return [spark.sql(f"SELECT * FROM {name} VERSION AS OF {row.snapshot_id}").count() for row in rows]


@pytest.mark.parametrize("version", [2, 3])
def test_rows_that_were_masked_before_do_not_leave_with_their_file(
    spark: SparkSession, written_table: Written, version: int
) -> None:
    name = written_table(
        "masked",
        created("id BIGINT, v STRING", f"'format-version'='{version}', {_MERGE_ON_READ}"),
        inserted(0, 100),
        "DELETE FROM {t} WHERE id < 80",
        "UPDATE {t} SET v = 'b' WHERE id = 90",
        "ALTER TABLE {t} SET TBLPROPERTIES ('write.delete.mode'='copy-on-write')",
        "DELETE FROM {t} WHERE id <> 85",
    )
    assert counts(spark, name) == [100, 20, 20, 1]
    finding = check(spark, name, "mass-removal").finding
    assert finding is not None
    assert finding.title == "Commit 2 removed 80% of the table: 80 rows, the most of 2 such commits"
    assert [row[0::3] for row in finding.evidence.rows] == [("2", "100"), ("4", "20")]
    assert [row[-1] for row in finding.evidence.rows] == ["80", "19"]


def test_a_delete_of_several_files_may_go_when_the_files_of_its_rows_went(
    spark: SparkSession, written_table: Written
) -> None:
    properties = f"'format-version'='2', {_MERGE_ON_READ}, 'write.delete.granularity'='partition'"
    name = written_table(
        "several",
        created("id BIGINT, v STRING", properties),
        *(inserted(first, first + 10) for first in (0, 10, 20)),
        "DELETE FROM {t} WHERE id IN (1, 2, 11)",
        "CALL lab.system.rewrite_data_files(table => '{t}', where => 'id < 20', options => map('rewrite-all', 'true'))",
        "CALL lab.system.rewrite_position_delete_files(table => '{t}', options => map('rewrite-all', 'true'))",
    )
    assert set(counts(spark, name)[-3:]) == {27}
    finding = check(spark, name, "applicable-delete-removed").finding
    assert finding is None or (finding.severity, finding.certainty) == ("information", "inferred")


def test_positions_in_files_that_are_gone_are_not_thrown_away_by_any_reader(
    spark: SparkSession, written_table: Written
) -> None:
    name = written_table("gone", *_GONE)
    assert spark.sql(f"SELECT * FROM {name} WHERE _deleted").count() == 0
    assert spark.sql(f"SELECT * FROM {name}.delete_files").count() == 1
    assert title(spark, name, "delete-pressure") == ""
    assert "deleted row" not in check(spark, name, "deleted-but-stored").words


@pytest.mark.parametrize("by_spark", [False, True])
def test_a_rollback_loses_the_rows_that_a_reader_would_no_longer_see(
    spark: SparkSession, written_table: Written, monkeypatch: pytest.MonkeyPatch, by_spark: bool
) -> None:
    if by_spark:
        monkeypatch.setattr(stored_manifests, "SMALL_IN_BYTES", -1)
    name = written_table("rolled", *_GONE, "DELETE FROM {t} WHERE id < 5")
    table, now = Table.open(name, spark), counts(spark, name)[-1]
    for snapshot, then in zip(table.metadata.snapshots, counts(spark, name), strict=True):
        if snapshot.snapshot_id != table.metadata.current_snapshot_id:
            dry_run = table.dry_run.rollback_to_snapshot(snapshot.snapshot_id).facts
            assert dry_run.net_rows == then - now, snapshot.sequence_number


def test_a_schema_that_was_set_back_has_no_stale_writer(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "back",
        created("id BIGINT, v STRING"),
        inserted(0, 1),
        "ALTER TABLE {t} RENAME COLUMN v TO w",
        inserted(1, 2),
        "ALTER TABLE {t} RENAME COLUMN w TO v",
        inserted(2, 3),
        "ALTER TABLE {t} ADD COLUMN z STRING",
        inserted(3, 4, "'a', 'z'"),
    )
    ids = [snapshot.schema_id for snapshot in Table.open(name, spark).metadata.snapshots]
    assert ids == [0, 1, 0, 2], "an id of a schema that was there before is used again"
    assert title(spark, name, "stale-schema-writer") == ""


def test_a_name_that_was_freed_by_a_rename_hides_no_values(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "renamed",
        created("id BIGINT, v STRING"),
        inserted(0, 2),
        "ALTER TABLE {t} RENAME COLUMN v TO w",
        "ALTER TABLE {t} ADD COLUMN v STRING",
    )
    assert spark.sql(f"SELECT w FROM {name}").distinct().collect()[0].w == "a"
    assert title(spark, name, "column-reborn") == ""


def test_each_column_with_an_old_name_is_looked_at(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "reborn",
        created("id BIGINT, a STRING, `odd name` STRING"),
        inserted(0, 2, "'a', 'b'"),
        "ALTER TABLE {t} DROP COLUMN a",
        "ALTER TABLE {t} ADD COLUMN a STRING",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
        "ALTER TABLE {t} DROP COLUMN `odd name`",
        "ALTER TABLE {t} ADD COLUMN `odd name` STRING",
        inserted(2, 3, "'x', 'y'"),
    )
    assert spark.sql(f"SELECT * FROM {name} WHERE `odd name` IS NULL").count() == 2
    finding = check(spark, name, "column-reborn").finding
    assert finding is not None
    assert finding.title == "`odd name` is a new column with an old name: 2 rows in 1 older file read as null"
    (fix,) = finding.fixes
    for statement in (fix.statement, fix.verify):
        parsed = spark.sql(f"EXPLAIN {statement.replace('<key>', 'id')}").collect()[0][0]
        assert "PARSE_SYNTAX_ERROR" not in parsed


def test_values_by_name_are_not_told_to_be_lost(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "mapped",
        created("id BIGINT, v STRING"),
        inserted(0, 2),
        "ALTER TABLE {t} SET TBLPROPERTIES ('schema.name-mapping.default'='[]')",
        "ALTER TABLE {t} DROP COLUMN v",
        "ALTER TABLE {t} ADD COLUMN v STRING",
    )
    found = check(spark, name, "column-reborn")
    assert (found.state, "name mapping" in found.words) == ("cannot say", True)


def test_a_dropped_partition_field_is_no_partition_of_nulls(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "void",
        created("id BIGINT, p STRING", "'format-version'='1'", "PARTITIONED BY (p)"),
        inserted(0, 3),
        "ALTER TABLE {t} DROP PARTITION FIELD p",
        inserted(3, 33),
    )
    assert spark.sql(f"SELECT * FROM {name} WHERE p IS NULL").count() == 0
    assert "nulls" not in title(spark, name, "partition-layout")


def test_avro_files_are_not_asked_for_bounds(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "avro",
        created("id BIGINT, v STRING", "'write.format.default'='avro', 'write.metadata.metrics.default'='full'"),
        inserted(0, 3),
    )
    assert spark.sql(f"SELECT * FROM {name}.files WHERE lower_bounds IS NOT NULL").count() == 0
    assert title(spark, name, "stats-absent") == ""


def test_a_table_without_partitions_leaves_no_question_about_them(spark: SparkSession, written_table: Written) -> None:
    name = written_table("flat", created("id BIGINT, v STRING"), inserted(0, 10))
    found = check(spark, name, "partition-contradicts-bounds")
    assert (found.state, found.words) == ("clean", "no live file in a partition")
