"""Rows of chosen files, against a scan that reads them among all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.iceberg.file_lives import FileLife
from explorer.queries.dry_run.live import live
from explorer.queries.files.commits import manifest_lists
from explorer.queries.rows import chosen_files
from explorer.queries.rows.chosen_files import ChosenFile
from explorer.queries.rows.file_rows import own_schema
from explorer.table import Table
from tests.queries.row_facts import OpenedRows

Written = Callable[..., str]
_PLACE = ("_file", "_pos", "_deleted")


def chosen(table: OpenedRows, snapshot_id: int) -> list[ChosenFile]:
    """All data files of a snapshot."""
    listed = manifest_lists(table.source, [snapshot_id])[snapshot_id]
    assert not isinstance(listed, str)
    found, by_path = live(table.source, listed, None), {manifest.path: manifest for manifest in listed}
    data, deletes = (
        [FileLife.of(entry, by_path[entry.manifest_path], 0, 1) for entry in entries]
        for entries in (found.data, found.deletes)
    )
    return chosen_files.at(0, data, deletes, table.source.specs)


def rows(frame: DataFrame, *beside: str) -> Counter[str]:
    return Counter(str(tuple(row)) for row in frame.selectExpr("*", *beside).collect())


def read(table: OpenedRows, snapshot_id: int, files: list[ChosenFile], *, row_ids: bool = False) -> DataFrame:
    frame = chosen_files.rows(table.source, own_schema(table.source, snapshot_id), files, row_ids=row_ids)
    assert frame is not None
    return frame


def agrees(spark: SparkSession, name: str) -> None:
    """At every snapshot, the files together and each by itself."""
    table = OpenedRows(spark, name)
    for snapshot in table.metadata.snapshots:
        files = chosen(table, snapshot.snapshot_id)
        frame = spark.read.format("iceberg").option("versionAsOf", str(snapshot.snapshot_id)).table(name)
        expected = rows(frame, *_PLACE)
        assert rows(read(table, snapshot.snapshot_id, files), *_PLACE) == expected
        one = Counter[str]()
        for file in files[:3]:
            one += rows(read(table, snapshot.snapshot_id, [file]), *_PLACE)
        assert one <= expected


@pytest.mark.parametrize("file_format", ["parquet", "orc", "avro"])
@pytest.mark.parametrize(
    ("version", "columns", "partitioned", "values"),
    [
        (1, "p STRING", "PARTITIONED BY (p)", ["'EU'", "NULL", "'a b'", "''"]),
        (2, "p INT, q DATE", "PARTITIONED BY (p, bucket(4, id), days(q))", ["1, NULL", "NULL, DATE'1969-12-31'"]),
        (2, "p DATE, q BOOLEAN", "PARTITIONED BY (p, q)", ["DATE'2026-11-29', true", "NULL, NULL"]),
        (3, "p BIGINT", "PARTITIONED BY (truncate(10, p))", ["-7", "3"]),
    ],
)
def test_partitions_schemas_and_deletes(
    spark: SparkSession,
    written_table: Written,
    version: int,
    columns: str,
    partitioned: str,
    values: list[str],
    file_format: str,
) -> None:
    properties = {
        "format-version": version,
        "write.format.default": file_format,
        "write.delete.mode": "merge-on-read" if version > 1 else "copy-on-write",
        "write.update.mode": "merge-on-read" if version > 1 else "copy-on-write",
    }
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
    name = written_table(
        "chosen",
        f"CREATE TABLE {{t}} (id INT, {columns}) USING iceberg {partitioned} TBLPROPERTIES ({listed})",
        *(f"INSERT INTO {{t}} SELECT int(id), {value} FROM range(6)" for value in values),
        "DELETE FROM {t} WHERE id = 2",
        "ALTER TABLE {t} ALTER COLUMN id TYPE BIGINT",
        "ALTER TABLE {t} RENAME COLUMN p TO renamed",
        "ALTER TABLE {t} ADD COLUMN s STRUCT<a: INT, b: ARRAY<STRING>>",
        "UPDATE {t} SET s = named_struct('a', 1, 'b', array('x')) WHERE id = 4",
        "DELETE FROM {t} WHERE id IN (1, 4)",
    )
    agrees(spark, name)


def test_keys_of_equality_deletes(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "keys",
        "CREATE TABLE {t} (id BIGINT, v STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')",
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (NULL, 'c')",
    )
    delete_equal(spark, name, spark.sql("SELECT 2L AS id"))
    spark.sql(f"INSERT INTO {name} VALUES (2, 'again')")
    assert spark.table(name).count() == 3
    agrees(spark, name)


def test_values_of_imported_partitions_are_not_in_the_files(
    spark: SparkSession, written_table: Written, tmp_path: Path
) -> None:
    spark.sql("SELECT int(id) AS id, IF(id < 3, 'EU', 'US') AS region FROM range(6)").write.partitionBy(
        "region"
    ).parquet(f"file://{tmp_path}/hive")
    name = written_table(
        "imported",
        "CREATE TABLE {t} (id INT, region STRING) USING iceberg PARTITIONED BY (region)",
        f"CALL lab.system.add_files(table => '{{t}}', source_table => '`parquet`.`file://{tmp_path}/hive`')",
    )
    assert {row.region for row in spark.table(name).collect()} == {"EU", "US"}
    agrees(spark, name)


@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_row_ids_inherited_and_stored(spark: SparkSession, written_table: Written, mode: str) -> None:
    name = written_table(
        "ids",
        "CREATE TABLE {t} (id INT) USING iceberg TBLPROPERTIES ('format-version' = '3',"
        f" 'write.update.mode' = '{mode}', 'write.delete.mode' = '{mode}')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ int(id) FROM range(6)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ int(id) + 10 FROM range(6)",
        "UPDATE {t} SET id = 100 WHERE id = 3",
        "DELETE FROM {t} WHERE id IN (4, 100, 11)",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
        "UPDATE {t} SET id = 200 WHERE id = 10",
    )
    table, masked = OpenedRows(spark, name), 0
    for snapshot in table.metadata.snapshots:
        frame = spark.read.format("iceberg").option("versionAsOf", str(snapshot.snapshot_id)).table(name)
        files = chosen(table, snapshot.snapshot_id)
        found = read(table, snapshot.snapshot_id, files, row_ids=True)
        columns = ["id", *_PLACE, "_row_id", "_last_updated_sequence_number"]
        expected = rows(frame.select(*columns))
        assert rows(found.select(*columns)) == expected
        assert rows(read(table, snapshot.snapshot_id, files * 2).select("id", *_PLACE)) == rows(
            frame.select("id", *_PLACE).unionAll(frame.select("id", *_PLACE))
        )
        assert frame.where("_row_id IS NULL OR _last_updated_sequence_number IS NULL").count() == 0
        masked += frame.where("_deleted").count()
    assert bool(masked) == (mode == "merge-on-read")


def test_no_other_file_is_opened(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "alone",
        "CREATE TABLE {t} (id INT) USING iceberg",
        *["INSERT INTO {t} SELECT /*+ COALESCE(1) */ int(id) FROM range(6)"] * 3,
    )
    table = OpenedRows(spark, name)
    snapshot_id = table.metadata.current_snapshot_id or 0
    kept, *others = chosen(table, snapshot_id)
    for other in others:
        Path(urlsplit(other.entry.file_path).path).unlink()
    found: list[Row] = read(table, snapshot_id, [kept]).selectExpr("id", "_file").collect()
    assert sorted((row.id, row._file) for row in found) == [(i, kept.entry.file_path) for i in range(6)]


def test_small_files_are_dealt_among_all_cores(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "dealt", "CREATE TABLE {t} (id INT) USING iceberg", *(f"INSERT INTO {{t}} VALUES ({n})" for n in range(7))
    )
    table, cores = OpenedRows(spark, name), spark.sparkContext.defaultParallelism
    files = chosen(table, table.metadata.snapshots[-1].snapshot_id)
    for count in (1, 2, 7):
        frame = read(table, table.metadata.snapshots[-1].snapshot_id, files[:count])
        assert frame.rdd.getNumPartitions() == min(count, cores)
        assert sum(frame.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect()) == count


def test_a_session_of_its_own_asked_by_a_thread_of_its_own(spark: SparkSession, written_table: Written) -> None:
    """As a widget asks: neither is the active one, nor that of the thread."""
    name = written_table("thread", "CREATE TABLE {t} (id INT) USING iceberg", "INSERT INTO {t} VALUES (1)")
    table = OpenedRows(spark.newSession(), name)
    snapshot_id = table.metadata.current_snapshot_id or 0
    with ThreadPoolExecutor(1) as pool:
        files = chosen(table, snapshot_id)
        found = pool.submit(lambda: read(table, snapshot_id, files).collect()).result()
    assert [row.id for row in found] == [1]


def test_a_day_of_a_year_of_five_digits_is_left_to_a_scan(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "days",
        "CREATE TABLE {t} (id INT, day DATE) USING iceberg PARTITIONED BY (day)",
        "INSERT INTO {t} VALUES (1, date_add(DATE'9999-12-31', 1)), (2, DATE'2026-11-29')",
        "UPDATE {t} SET id = id + 10 WHERE id = 1",
    )
    table = OpenedRows(spark, name)
    snapshot_id = table.metadata.current_snapshot_id or 0
    own = own_schema(table.source, snapshot_id)
    alone = {
        file.entry.partition: chosen_files.rows(table.source, own, [file], row_ids=False)
        for file in chosen(table, snapshot_id)
    }
    assert {day for day, frame in alone.items() if frame is not None} == {"day=2026-11-29"}
    assert len(alone) == 2
    events = Table.open(name, spark).biography("id IN (1, 11)").facts.events
    assert [event.kind for event in events] == ["CREATED", "UPDATED"]


def test_what_cannot_be_read_so_is_left_to_a_scan(spark: SparkSession, written_table: Written) -> None:
    name = written_table(
        "scanned",
        "CREATE TABLE {t} (id INT, at TIMESTAMP) USING iceberg PARTITIONED BY (at)",
        "INSERT INTO {t} VALUES (1, TIMESTAMP'2026-11-29 12:00:00')",
    )
    table = OpenedRows(spark, name)
    snapshot_id = table.metadata.current_snapshot_id or 0
    own, files = own_schema(table.source, snapshot_id), chosen(table, snapshot_id)
    asked: dict[str, Any] = {
        "the value of a partition that its text does not tell": chosen_files.rows(
            table.source, own, files, row_ids=False
        ),
        "row ids where there are none": chosen_files.rows(table.source, own, files, row_ids=True),
        "none": chosen_files.rows(table.source, own, [], row_ids=False),
        "too many": chosen_files.rows(table.source, own, files * (chosen_files.MOST + 1), row_ids=False),
    }
    assert {what: frame for what, frame in asked.items() if frame is not None} == {}
