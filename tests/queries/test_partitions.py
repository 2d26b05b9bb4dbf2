"""Partitions after every commit, on live tables: against Iceberg's own entries of every snapshot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.partitions import words
from explorer.queries.files.known_history import forget
from explorer.table import Table
from explorer.terminal.pictures.partitions import lines
from tests.oracle.delete_histories import DeleteHistory
from tests.queries.file_histories import FileHistory
from tests.queries.partitions_facts import SUMS, by_name, check, data_rows, line, sql_rows


class SeenHistory(FileHistory):
    """A history whose partitions Iceberg's tables go on showing: they show none whose column was dropped."""

    def drop_column(self) -> None:
        self.insert()


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_partitions_of_a_random_history_hold_what_each_snapshot_says(
    spark: SparkSession, fresh_table: Callable[..., str], seed: int
) -> None:
    history = SeenHistory(spark, fresh_table("held"), seed)
    for _ in range(3):
        history.play(3)
        history.attempt(history.publish)
        if seed % 2:
            history.attempt(history.expire)
    check(spark, history.name)


@pytest.mark.parametrize("seed", [3, 8, 11])
def test_partitions_of_a_random_history_of_deletes_and_specs_do_so_too_and_the_sql_agrees(
    spark: SparkSession, fresh_table: Callable[..., str], seed: int
) -> None:
    history = DeleteHistory(spark, fresh_table("masked"), seed).play(9)
    data = check(spark, history.name)
    picture = Table.open(history.name, spark).partitions()
    assert sql_rows(spark, picture.sql) == data_rows(data), history.done


def test_icebergs_partitions_table_agrees_where_specs_follow_each_other(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "evolved",
        "CREATE TABLE {t} (id BIGINT, region STRING, day DATE) USING iceberg PARTITIONED BY (region) TBLPROPERTIES "
        "('format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'file')",
        "INSERT INTO {t} VALUES (1, 'EU', DATE'2026-01-01'), (2, 'US', DATE'2026-01-01'), (3, NULL, NULL)",
        "ALTER TABLE {t} ADD PARTITION FIELD days(day)",
        "INSERT INTO {t} VALUES (4, 'EU', DATE'2026-01-02'), (5, 'null', DATE'2026-01-02'), (6, 'E/U=', NULL)",
        "DELETE FROM {t} WHERE id IN (1, 4)",
        "ALTER TABLE {t} DROP PARTITION FIELD region",
        "INSERT INTO {t} VALUES (7, 'EU', DATE'2026-01-02')",
    )
    check(spark, name)
    data = Table.open(name, spark).partitions().data
    for snapshot_id in line(spark, name):
        own = spark.sql(f"SELECT * FROM {name}.partitions VERSION AS OF {snapshot_id}").collect()
        told = data[data["sequence_number"] <= line(spark, name).index(snapshot_id) + 1]
        last = told.groupby(["spec_id", "partition"]).tail(1)
        last = last[last["data_files"] + last["delete_files"] > 0]
        assert sorted(
            (r.spec_id, r.file_count, r.record_count, r.total_data_file_size_in_bytes,
             r.position_delete_file_count, r.position_delete_record_count) for r in own
        ) == sorted(
            (int(r.spec_id), int(r.data_files), int(r.record_count), int(r.size_in_bytes), int(r.delete_files),
             int(r.masked_records)) for r in last.itertuples()
        )  # fmt: skip
    names = set(data["partition"])
    assert {"region=EU", "region=null", 'region="null"/day_day=2026-01-02', 'region="E/U="/day_day=null'} <= names
    assert data.loc[data["partition"] == "day_day=2026-01-02", "spec_id"].tolist() == [2]


def test_what_another_branch_did_and_what_was_rolled_back_is_not_in_it(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "lines",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region)",
        "INSERT INTO {t} VALUES (1, 'EU')",
        "ALTER TABLE {t} CREATE BRANCH side",
        "INSERT INTO {t}.branch_side VALUES (2, 'EU'), (3, 'side')",
        "INSERT INTO {t} VALUES (4, 'EU'), (5, 'US')",
    )
    first, *_ = line(spark, name)
    assert by_name(check(spark, name)) == {"region=EU": [(1, 0, 1, 0), (2, 0, 2, 0)], "region=US": [(1, 0, 1, 0)]}
    spark.sql(f"CALL lab.system.rollback_to_snapshot('{name}', {first})")
    spark.sql(f"INSERT INTO {name} VALUES (6, 'AP')")
    assert by_name(check(spark, name)) == {"region=EU": [(1, 0, 1, 0)], "region=AP": [(1, 0, 1, 0)]}
    assert Table.open(name, spark).partitions().facts.line_name == "main"


def test_masked_records_are_those_of_deletes_whose_file_is_live(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    """Dangling positions mask nothing; equality deletes are counted as files alone, global ones in their own spec."""
    name = written_table(
        "dangling",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg TBLPROPERTIES "
        "('format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'file')",
        "ALTER TABLE {t} ADD PARTITION FIELD region",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'EU' FROM range(10)",
        "DELETE FROM {t} WHERE id < 3",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
    )
    delete_equal(spark, name, spark.range(5, 6), spec_id=0)
    delete_equal(spark, name, spark.range(6, 7), partition="region=EU")
    picture = Table.open(name, spark).partitions()
    data = check(spark, name)
    assert by_name(data)["region=EU"] == [(1, 0, 10, 0), (1, 1, 10, 3), (1, 1, 7, 0), (1, 2, 7, 0)]
    assert data[["spec_id", "partition", "data_files", "delete_files", "equality_delete_files"]].iloc[-2].tolist() == [
        0, "", 0, 1, 1,
    ]  # fmt: skip
    assert "How many rows equality deletes mask" in {note.about for note in picture.notes}
    assert sql_rows(spark, picture.sql) == data_rows(data)


def test_what_deletes_of_whole_partitions_mask_is_inferred_wherever_it_is_said(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "wide",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) TBLPROPERTIES "
        "('format-version' = '2', 'write.delete.mode' = 'merge-on-read', 'write.delete.granularity' = 'partition')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'EU' FROM range(10)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, IF(id < 15, 'EU', 'US') FROM range(10, 20)",
    )
    assert words.evidence(Table.open(name, spark).partitions().facts) == ("exact", "exact")
    spark.sql(f"DELETE FROM {name} WHERE id IN (3, 12)")
    check(spark, name)
    facts = Table.open(name, spark).partitions().facts
    assert words.evidence(facts) == ("inferred", "inferred which rows deletes of whole partitions mask")
    assert words.title(facts) == "2 partitions hold about 18 rows, 5 to 13 each"
    printed = "\n".join(line.plain for line in lines(facts, name))
    assert "15 rows in 2 data files" in printed
    assert "about 2 rows masked" in printed
    assert "5 rows in 1 data file" in printed
    assert "inferred which rows" in printed
    us = [n for n, partition in enumerate(facts.partitions) if partition.partition == "region=US"]
    assert words.evidence(facts.within(us, len(facts.commits) - 1))[0] == "exact"
    delete_equal(spark, name, spark.range(6, 7), partition="region=US")
    told = words.evidence(Table.open(name, spark).partitions().facts)[1]
    assert told == "inferred which rows deletes of whole partitions mask, but for rows that equality deletes mask"


def test_an_unpartitioned_table_is_one_partition(spark: SparkSession, written_table: Callable[..., str]) -> None:
    name = written_table(
        "plain",
        "CREATE TABLE {t} (id BIGINT) USING iceberg",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id FROM range(5)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id FROM range(7)",
        "DELETE FROM {t}",
    )
    data = check(spark, name)
    assert by_name(data) == {"": [(1, 0, 5, 0), (2, 0, 12, 0), (0, 0, 0, 0)]}
    picture = Table.open(name, spark).partitions()
    assert sql_rows(spark, picture.sql) == data_rows(data)
    assert picture.title == "No partition holds a data file any more; 1 partition held a file"
    names = ["partition", "snapshot_id", *SUMS]
    frame = [(row.partition, str(row.snapshot_id), *row[2:]) for row in picture.frame.select(*names).collect()]
    assert frame == list(data[names].itertuples(index=False, name=None))


def test_the_oldest_commit_that_is_left_has_what_it_holds(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "expired",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region)",
        *[f"INSERT INTO {{t}} VALUES ({n}, '{'EU' if n % 2 else 'US'}')" for n in range(6)],
        "DELETE FROM {t} WHERE region = 'US' AND id < 3",
    )
    kept = line(spark, name)[-3:]
    spark.sql(f"CALL lab.system.expire_snapshots(table => '{name}', older_than => now(), retain_last => 3)")
    assert line(spark, name) == kept
    data = check(spark, name)
    oldest = data[data["snapshot_id"] == str(kept[0])]
    assert oldest["record_count"].tolist() == [2, 3]
    picture = Table.open(name, spark).partitions()
    assert picture.facts.before.endswith("is no longer listed")
    assert sql_rows(spark, picture.sql) == data_rows(data)


def test_a_table_without_a_commit_has_no_row(spark: SparkSession, written_table: Callable[..., str]) -> None:
    picture = Table.open(written_table("none", "CREATE TABLE {t} (id BIGINT) USING iceberg"), spark).partitions()
    assert len(picture.data) == 0
    assert picture.frame.count() == 0
    assert list(picture.data.columns)[:9] == [
        "partition", "spec_id", "snapshot_id", "sequence_number", *SUMS[:5],
    ]  # fmt: skip
    assert picture.sql == ""
    assert "SQL for these rows" in {note.about for note in picture.notes}


@pytest.fixture
def holed(spark: SparkSession, written_table: Callable[..., str]) -> str:
    forget()
    return written_table(
        "holed",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('commit.manifest-merge.enabled' = 'false')",
        *[f"INSERT INTO {{t}} VALUES ({n}, 'EU')" for n in range(5)],
    )


def _path(location: str) -> Path:
    return Path(urlsplit(location).path)


def test_a_commit_whose_list_is_missing_is_a_hole_and_the_next_one_tells(spark: SparkSession, holed: str) -> None:
    table = Table.open(holed, spark)
    lost = table.metadata.snapshots[2]
    assert lost.manifest_list is not None
    _path(lost.manifest_list).unlink()
    picture = table.partitions()
    assert picture.data["sequence_number"].tolist() == [1, 2, 4, 5]
    assert picture.data["record_count"].tolist() == [1, 2, 4, 5]
    [(place, reason)] = picture.facts.unreadable.items()
    assert picture.facts.commits[place] == lost
    assert "does not exist" in reason
    assert any(str(lost.snapshot_id) in note.about and note.certainty == "unknown" for note in picture.notes)


def test_commits_that_list_a_manifest_that_is_missing_are_holes_and_the_rest_is_exact(
    spark: SparkSession, holed: str
) -> None:
    own = spark.sql(f"SELECT path, added_snapshot_id FROM {holed}.manifests").collect()
    table = Table.open(holed, spark)
    third = table.metadata.snapshots[2].snapshot_id
    spark.sql(f"CALL lab.system.rewrite_manifests('{holed}')")
    table.reload()
    [manifest] = [row.path for row in own if row.added_snapshot_id == third]
    _path(manifest).unlink()
    forget()
    picture = table.partitions()
    assert sorted(picture.facts.unreadable) == [2, 3, 4]
    assert picture.data["sequence_number"].tolist() == [1, 2, 6]
    assert picture.data["record_count"].tolist() == [1, 2, 5]
    assert any(manifest.rsplit("/", 1)[-1] in note.reason for note in picture.notes)
