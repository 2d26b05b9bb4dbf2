"""The times and writers that the sandbox tells: plausible, in the order of the commits, and Spark reads by them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from pyiceberg.table import StaticTable
from pyiceberg.table.metadata import TableMetadata
from pyspark.sql import SparkSession

from explorer.engine import sandbox_warehouse
from explorer.lessons import LESSONS, Lesson, build_sandbox
from explorer.lessons.lesson import LiveTable
from explorer.lessons.times import Clock, retold

WRITTEN_TO = [lesson for lesson in LESSONS if lesson.name != "lessons.empty"]
SPREAD = [lesson for lesson in LESSONS if lesson.working_days is not None]


def folder(lesson: Lesson) -> Path:
    return sandbox_warehouse().joinpath(*lesson.name.split("."))


def metadata(lesson: Lesson) -> TableMetadata:
    return StaticTable.from_metadata(str(folder(lesson))).metadata


def instant(millis: int) -> datetime:
    return datetime.fromtimestamp(millis / 1000, UTC)


def built_at(lesson: Lesson) -> datetime:
    newest = max(file.stat().st_mtime for file in (folder(lesson) / "metadata").glob("v*.metadata.json"))
    return datetime.fromtimestamp(newest, UTC)


def told_of(clock: Clock, moments: list[int]) -> list[datetime]:
    return [instant(clock.told(moment)) for moment in moments]


@pytest.mark.parametrize("now", ["2026-11-24 04:20", "2026-11-22 12:00", "2026-11-23 08:01", "2027-01-01 17:59"])
@pytest.mark.parametrize("days", [1, 2, 60])
def test_acts_are_spread_over_office_hours_and_the_last_is_shortly_before_now(now: str, days: int) -> None:
    end = datetime.fromisoformat(now).replace(tzinfo=UTC)
    moments = [1_000_000 + 100 * i for i in range(20)]

    def spread(story: str) -> list[datetime]:
        clock = Clock(end)
        clock.spread(moments, days, story)
        return told_of(clock, moments)

    *early, last = told = spread("a story")
    assert all(earlier < later for earlier, later in pairwise(told))
    assert timedelta(minutes=10) < end - last < timedelta(hours=1)
    assert all(at.weekday() < 5 and 8 <= at.hour < 18 for at in early)
    assert len({at.date() for at in early}) >= min(days, 15) - 1
    assert end - early[0] < timedelta(days=2 * days + 5)
    assert told == spread("a story") != spread("another")


def test_a_snapshot_and_its_metadata_stay_as_close_as_they_were() -> None:
    clock = Clock(datetime(2026, 11, 24, 12, tzinfo=UTC))
    clock.spread([5_000, 5_003, 5_900], 5, "a story")
    assert clock.told(5_003) - clock.told(5_000) == 3
    assert clock.told(5_900) - clock.told(5_003) > 3_600_000


def test_no_commit_lies_in_the_future_where_the_machines_clock_is_behind_the_story() -> None:
    now = datetime(2026, 3, 3, 12, tzinfo=UTC)
    clock = Clock(now)
    thursday = datetime(2026, 4, 2, 17, tzinfo=UTC)
    for at in (thursday - timedelta(days=80), thursday):
        clock.set(at)
    first, last = clock._real
    told = told_of(clock, [first, last + 1])
    assert now - timedelta(weeks=1) < told[-1] <= now
    assert told[-1].strftime("%A %H") == "Thursday 17"


def test_a_clock_that_was_set_back_is_refused() -> None:
    clock = Clock(datetime(2026, 3, 3, tzinfo=UTC))
    clock._set(1_000, 50_000, "")
    clock._set(2_000, 40_000, "")
    document = {"last-updated-ms": 2_100, "metadata-log": [{"timestamp-ms": 1_100, "metadata-file": "v1"}]}
    with pytest.raises(ValueError, match="set back"):
        retold(document, clock)


@pytest.mark.parametrize("lesson", WRITTEN_TO, ids=lambda lesson: lesson.name)
def test_the_logs_run_forward_and_agree_with_the_snapshots(sandbox: SparkSession, lesson: Lesson) -> None:
    table = metadata(lesson)
    log = [(entry.timestamp_ms, entry.snapshot_id) for entry in table.snapshot_log]
    assert all(earlier < later for (earlier, _), (later, _) in pairwise(log))
    files = [entry.timestamp_ms for entry in table.metadata_log]
    assert all(earlier < later for earlier, later in pairwise([*files, table.last_updated_ms]))
    made = {snapshot.snapshot_id: snapshot.timestamp_ms for snapshot in table.snapshots}
    assert all(at >= made[snapshot_id] for at, snapshot_id in log if snapshot_id in made)
    numbered = sorted(table.snapshots, key=lambda snapshot: (snapshot.sequence_number or 0, snapshot.timestamp_ms))
    assert [s.timestamp_ms for s in numbered] == sorted(made.values())
    assert max(made.values()) <= table.last_updated_ms <= built_at(lesson).timestamp() * 1000


@pytest.mark.parametrize("lesson", SPREAD, ids=lambda lesson: lesson.name)
def test_a_story_ends_shortly_before_it_was_built(sandbox: SparkSession, lesson: Lesson) -> None:
    table = metadata(lesson)
    newest = max((snapshot.timestamp_ms for snapshot in table.snapshots), default=table.last_updated_ms)
    assert timedelta() < built_at(lesson) - instant(newest) < timedelta(hours=2)


def test_who_fights_for_a_table_does_so_in_real_time(sandbox: SparkSession) -> None:
    (lesson,) = (lesson for lesson in LESSONS if lesson.name == "lessons.concurrent_writers")
    at = [instant(snapshot.timestamp_ms) for snapshot in metadata(lesson).snapshots]
    assert max(at) - min(at) < timedelta(minutes=30)
    assert built_at(lesson) - max(at) < timedelta(minutes=5)


@pytest.mark.parametrize("name", ["lessons.rollback", "lessons.branches_and_tags", "shop.orders"])
def test_time_travel_gives_the_snapshot_that_the_log_says(sandbox: SparkSession, name: str) -> None:
    (lesson,) = (lesson for lesson in LESSONS if lesson.name == name)
    log = metadata(lesson).snapshot_log
    listed = {snapshot.snapshot_id for snapshot in metadata(lesson).snapshots}
    assert len(log) >= 7
    for entry in [entry for entry in log if entry.snapshot_id in listed][-12:]:
        at = instant(entry.timestamp_ms).strftime("%Y-%m-%d %H:%M:%S.%f") + " UTC"
        files = [
            sandbox.sql(f"SELECT file_path FROM sandbox.{name}.files {travel}").collect()
            for travel in (f"TIMESTAMP AS OF '{at}'", f"VERSION AS OF {entry.snapshot_id}")
        ]
        assert sorted(files[0]) == sorted(files[1]) != []


def test_orders_were_committed_in_the_months_that_they_tell_of(sandbox: SparkSession) -> None:
    """Each order was placed before its commit, and an order of the shop on the same day."""
    rows = sandbox.sql(
        "SELECT s.summary['app-name'] AS writer, s.committed_at, r.ordered_at FROM sandbox.shop.orders.all_entries e "
        "JOIN sandbox.shop.orders.snapshots s ON e.snapshot_id = s.snapshot_id AND e.status = 1 "
        "JOIN (SELECT _file, ordered_at FROM sandbox.shop.orders) r ON r._file = e.data_file.file_path "
        "WHERE s.operation = 'append' AND s.summary['app-name'] IN ('web-checkout', 'mobile-app', 'store-pos')"
    ).collect()
    assert len(rows) > 5
    for row in rows:
        assert timedelta() < row.committed_at - row.ordered_at < timedelta(hours=1), row.writer
    snapshots = sandbox.sql("SELECT committed_at, operation FROM sandbox.shop.orders.snapshots").collect()
    days = {f"{row.committed_at:%Y-%m}" for row in snapshots}
    assert days == {"2026-01", "2026-02", "2026-03", "2026-04"}
    assert {row.committed_at.hour for row in snapshots if row.operation == "replace"} == {2, 3}


def test_files_are_as_old_as_their_commits(sandbox: SparkSession) -> None:
    rows = sandbox.sql("SELECT manifest_list, unix_millis(committed_at) AS at FROM sandbox.shop.orders.snapshots")
    for row in rows.collect():
        written = Path(row.manifest_list.removeprefix("file:")).stat().st_mtime
        assert abs(written - row.at / 1000) < 60


def test_every_commit_of_several_writers_names_one(sandbox: SparkSession) -> None:
    def writers(name: str) -> set[tuple[str, str]]:
        rows = sandbox.sql(f"SELECT operation, summary['app-name'], summary['app'] FROM sandbox.{name}.snapshots")
        assert all(row[2] is None for row in rows.collect())
        return {(row[0], row[1]) for row in rows.collect()}

    shop = writers("shop.orders")
    assert {writer for operation, writer in shop if operation == "replace"} == {"maintenance"}
    assert {writer for operation, writer in shop if operation == "delete"} <= {"privacy"}
    tills = {writer for operation, writer in writers("lessons.concurrent_writers") if operation == "append"}
    assert tills > {"front door", "back door", "online"}


@pytest.fixture
def trial() -> Iterator[Callable[..., Lesson]]:
    def build(table: LiveTable) -> None:
        table.sql("CREATE TABLE {table} (id BIGINT) USING iceberg")
        for number in range(3):
            table.sql("INSERT INTO {table} VALUES ({number})", number=number)

    yield lambda name, days: Lesson(f"told.{name}", "A trial", "Three commits.", build, working_days=days)
    shutil.rmtree(sandbox_warehouse() / "told", ignore_errors=True)


def test_a_person_can_write_on_in_a_table_whose_times_were_told(
    spark: SparkSession, trial: Callable[..., Lesson]
) -> None:
    lesson = trial("written_on", 30)
    build_sandbox(spark, lessons=[lesson])
    spark.sql("INSERT INTO sandbox.told.written_on VALUES (7)")
    snapshots = sorted(metadata(lesson).snapshots, key=lambda snapshot: snapshot.sequence_number or 0)
    at = [snapshot.timestamp_ms for snapshot in snapshots]
    assert at == sorted(at)
    assert at[3] - at[2] < 3_600_000 < at[1] - at[0]
    ids = spark.sql(f"SELECT id FROM sandbox.told.written_on TIMESTAMP AS OF {at[1] // 1000 + 1}").collect()
    assert sorted(row.id for row in ids) == [0, 1]


def test_a_story_without_times_keeps_those_of_its_writing(spark: SparkSession, trial: Callable[..., Lesson]) -> None:
    before = datetime.now(UTC)
    lesson = trial("as_it_was", None)
    build_sandbox(spark, lessons=[lesson])
    at = [instant(snapshot.timestamp_ms) for snapshot in metadata(lesson).snapshots]
    assert before - timedelta(seconds=1) < min(at) < max(at) < datetime.now(UTC)
