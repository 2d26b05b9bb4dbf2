"""One field for every kind of name, asked of real tables: what is answered without reading, and what is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession

import explorer
from explorer.queries.files.known_history import forget
from explorer.table import Table

SCRIPT = "<script>alert('x')</script>"
HOSTILE = 'a b/c="d" ü\' %41'


@pytest.fixture(scope="module")
def name(written_table: Callable[..., str]) -> str:
    return written_table(
        "found",
        "CREATE TABLE {t} (id BIGINT, region STRING, day DATE) USING iceberg PARTITIONED BY (region, day)",
        "INSERT INTO {t} VALUES (1, 'EU', DATE'2026-03-14')",
        "INSERT INTO {t} VALUES (2, 'US', DATE'2026-03-14')",
        f"INSERT INTO {{t}} VALUES (3, '{HOSTILE.replace(chr(39), chr(92) + chr(39))}', DATE'2026-03-15')",
        f"ALTER TABLE {{t}} CREATE TAG `{SCRIPT}`",
        "ALTER TABLE {t} CREATE BRANCH audit",
        "ALTER TABLE {t} CREATE TAG `day=2026-03-15`",
    )


@pytest.fixture
def table(spark: SparkSession, name: str) -> Table:
    forget()
    return Table.open(name, spark)


def is_read(table: Table) -> bool:
    return table._version.every_reader.timelines.is_read


def test_commits_and_conditions_need_no_job_and_no_manifest(spark: SparkSession, table: Table) -> None:
    first, *_, last = sorted(table.metadata.snapshots, key=lambda s: s.sequence_number)
    at = table.metadata.snapshot_log[0].made_current_at
    asked = {
        "main": ("branch", last.snapshot_id),
        "audit": ("branch", last.snapshot_id),
        SCRIPT: ("tag", last.snapshot_id),
        "1": ("sequence number", first.snapshot_id),
        str(first.snapshot_id): ("snapshot id", first.snapshot_id),
        f"…{str(first.snapshot_id)[-5:]}": ("snapshot id", first.snapshot_id),
        at.isoformat(): ("time", first.snapshot_id),
        f"{table.read_at:%Y-%m-%d}": ("time", last.snapshot_id),
        "id = 5": ("condition", None),
        "id > 5 AND upper(region) LIKE 'E%'": ("condition", None),
    }
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup
    before = set(jobs())
    for text, expected in asked.items():
        found = table.find(text)
        assert (found.kind, found.snapshot_id) == expected, text
        assert found.condition == (text if found.kind == "condition" else None)
    assert set(jobs()) == before
    assert not is_read(table)


def test_partitions_and_files_are_those_that_spark_lists(spark: SparkSession, name: str, table: Table) -> None:
    for row in spark.table(f"{name}.files").collect():
        for text in (row.file_path, row.file_path.rpartition("/")[2], row.file_path[-40:]):
            found = table.find(text)
            assert (found.kind, found.file_path) == ("file", row.file_path)
    assert table.find("region=EU/day=2026-03-14").partition == (0, "region=EU/day=2026-03-14")
    assert table.find("region = EU, day = 2026-03-14").partition == (0, "region=EU/day=2026-03-14")
    assert table.find("region=eu").partition == (0, "region=EU/day=2026-03-14")
    told = table.find("region=eu")
    assert table.find(told.words) == replace(told, others=table.find(told.words).others)  # by what it is called here
    part = table.find("2026-03-14")
    assert part.kind == "partition"  # main was nowhere on that day
    assert {p.partition for p in (part, *part.others)} == {
        (0, "region=EU/day=2026-03-14"),
        (0, "region=US/day=2026-03-14"),
    }
    (hostile,) = {row.partition for row in table.commit("main").data.itertuples()}
    assert table.find(hostile).partition == (0, hostile)
    assert table.find("ü' %41").partition == (0, hostile)


def test_a_partition_field_with_a_value_is_a_partition_and_a_condition(table: Table) -> None:
    found = table.find("region = 'EU'")
    assert found.kind == "condition"  # no partition is written with quotes
    day = table.find("day=2026-03-15")
    assert [each.kind for each in (day, *day.others)] == ["tag", "partition"]
    assert table.find("day = 2026-03-14").kind == "partition"


def test_what_was_read_is_offered_beside_a_commit(spark: SparkSession, written_table: Callable[..., str]) -> None:
    name = written_table(
        "offered",
        "CREATE TABLE {t} (id BIGINT, region STRING, day DATE) USING iceberg PARTITIONED BY (region, day)",
        "INSERT INTO {t} VALUES (1, 'EU', DATE'2026-03-14')",
    )
    table = Table.open(name, spark)
    today = f"{table.read_at:%Y-%m-%d}"
    assert {f.kind for f in table.find(today).others} <= {"time"}
    table.sequence_timeline().read()
    assert "file" not in {f.kind for f in table.find("1").others}  # of which it is but a part
    spark.sql(f"INSERT INTO {name} VALUES (9, 'EU', DATE'{today}')")
    table.reload()
    assert table.find(today).partition is None
    table.sequence_timeline().read()
    assert [f.partition for f in table.find(today).others if f.kind == "partition"] == [(0, f"region=EU/day={today}")]


def test_nothing_found_says_what_was_asked_and_what_is_near(table: Table) -> None:
    with pytest.raises(explorer.NothingFound) as raised:
        table.find("audot")
    assert raised.value.what == f"Nothing in {table.name} is called audot."
    assert [near.kind for near in raised.value.nearest] == ["branch", "condition"]
    assert "audit" in raised.value.next_step
    assert table.find(str(raised.value.nearest[1].condition)).condition == "region = 'audot'"
    with pytest.raises(explorer.NothingFound, match="no part of the names of 3 partitions and 3 files") as raised:
        table.find("region=EU/day=2026-03-16")
    assert raised.value.nearest[0].partition == (0, "region=EU/day=2026-03-14")
    with pytest.raises(explorer.NothingFound, match=r"There is no column `nothing`; the nearest are `id`"):
        table.find("nothing = 5")
    with pytest.raises(explorer.NothingFound, match="Sequence numbers go from 1 to 3") as raised:
        table.find("77")
    assert raised.value.nearest[-1].condition == "id = 77"
    with pytest.raises(explorer.NothingFound, match="Nothing was asked for"):
        table.find("  ")


@pytest.mark.parametrize("lesson", ["expired", "rollback", "branches_and_tags", "empty", "format_v1", "compaction"])
def test_every_commit_of_a_lesson_is_found(sandbox: SparkSession, lesson: str) -> None:
    table = Table.open(f"sandbox.lessons.{lesson}", sandbox)
    metadata = table.metadata
    for ref in metadata.refs.values():
        assert table.find(ref.name).snapshot_id == ref.snapshot_id
    for snapshot in metadata.snapshots:
        assert table.find(str(snapshot.snapshot_id)).snapshot_id == snapshot.snapshot_id
        if snapshot.sequence_number:
            assert table.find(str(snapshot.sequence_number)).snapshot_id == snapshot.snapshot_id
    missing = set(range(1, metadata.last_sequence_number)) - {s.sequence_number for s in metadata.snapshots}
    for number in missing:
        with pytest.raises(explorer.NothingFound, match=f"{number} is not in the list: expired"):
            table.find(str(number))
    assert bool(missing) == (lesson == "expired")
