"""Attempts, against what really lay in the folder when a commit lost."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.engine import sandbox_warehouse
from explorer.lessons import build_sandbox
from explorer.lessons.stories import concurrent_writers
from explorer.model.retries.facts import Attempt, Retries, asked_first, from_stored, rows
from explorer.model.snapshot_graph.facts import snapshot_graph
from explorer.queries.files.locate import Located, locate
from explorer.queries.retries import read, retries_query
from tests.queries.commit_facts import Opened


def retries_of(table: Opened, **other: Any) -> Retries:
    snapshots = [node.snapshot for node in snapshot_graph(table.metadata).nodes]
    ids, retried = asked_first(snapshots)
    stored = read(table.source, ids, retried, **other)
    return from_stored(snapshots, stored)


class Race:
    """Commits of Iceberg's Java library that are begun, overtaken, and then committed."""

    def __init__(self, spark: SparkSession, name: str) -> None:
        self.spark, self.name = spark, name
        self.jvm: Any = spark._jvm
        self.table = self.loaded()
        self.numbers = itertools.count(1)

    def loaded(self) -> Any:
        return self.jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)

    def file(self) -> Any:
        """A data file that nobody will open."""
        builder = self.jvm.org.apache.iceberg.DataFiles.builder(self.table.spec())
        path = f"{self.table.location()}/data/{next(self.numbers)}.parquet"
        return builder.withPath(path).withFileSizeInBytes(100).withRecordCount(1).build()

    def manifests(self) -> set[str]:
        folder = Path(self.table.location().removeprefix("file:")) / "metadata"
        return {path.name for path in folder.glob("*-m*.avro")}

    def date_exactly(self) -> None:
        """Let no manifest be dated to a whole second, as one of a thousand is: a storage may have cut that time."""
        folder = Path(self.table.location().removeprefix("file:")) / "metadata"
        for path in folder.glob("*-m*.avro"):
            dated = path.stat().st_mtime_ns // 10**6
            if dated % 1_000 == 0:
                os.utime(path, ns=((dated + 1) * 10**6, (dated + 1) * 10**6))

    def overtaken(self, begun: Any, rivals: Sequence[Any]) -> set[str]:
        """Commit what a first attempt was made of, after each rival of it; the manifests that were there by then."""
        begun.apply()
        self.date_exactly()
        for rival in rivals:
            time.sleep(0.01)  # as far apart as clocks of milliseconds can tell
            rival.commit()
        there = self.manifests()
        begun.commit()
        return there


@pytest.fixture
def race(spark: SparkSession, fresh_table: Callable[..., str]) -> Race:
    name = fresh_table("race")
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg TBLPROPERTIES ('commit.manifest.min-count-to-merge'='3')")
    return Race(spark, name)


def agreed(race: Race, there: set[str]) -> Attempt:
    """The last commit as told: it was retried, and each verdict about its manifests is what really was."""
    one = retries_of(Opened(race.spark, race.name)).attempts[-1]
    assert one.was_retried
    assert one.origins
    for origin in one.origins:
        really = origin.manifest.path.rsplit("/", 1)[-1] in there
        assert origin.before in (really, None), origin.reason
    return one


@pytest.mark.usefixtures("reader")
def test_a_manifest_of_added_files_was_there_before_the_attempt_that_succeeded(race: Race) -> None:
    race.table.newFastAppend().appendFile(race.file()).commit()
    other = race.loaded()
    rivals = [other.newFastAppend().appendFile(race.file()) for _ in range(2)]
    there = race.overtaken(race.table.newFastAppend().appendFile(race.file()), rivals)
    one = agreed(race, there)
    assert one.origins is not None
    assert [o.before for o in one.origins] == [True]
    assert "The storage dates it" in one.origins[0].reason
    assert one.attempt == 2
    assert [rival.sequence_number for rival in one.rivals] == [2, 3], "one lost attempt, two commits meanwhile"


def test_a_manifest_merged_anew_is_known_by_the_rivals_file_in_it(race: Race) -> None:
    for _ in range(3):
        race.table.newFastAppend().appendFile(race.file()).commit()
    rival = race.loaded().newFastAppend().appendFile(race.file())
    there = race.overtaken(race.table.newAppend().appendFile(race.file()), [rival])
    one = agreed(race, there)
    assert one.origins is not None
    assert [(o.before, o.manifest.existing_files_count) for o in one.origins] == [(False, 4)]
    assert one.manifests_written_before == ()


def test_a_manifest_written_over_from_one_that_is_still_listed_is_used_again(race: Race) -> None:
    files = [race.file() for _ in range(2)]
    race.table.newFastAppend().appendFile(files[0]).appendFile(files[1]).commit()
    rival = race.loaded().newFastAppend().appendFile(race.file())
    there = race.overtaken(race.table.newDelete().deleteFile(files[0]), [rival])
    one = agreed(race, there)
    assert one.origins is not None
    assert [(o.before, o.manifest.deleted_files_count) for o in one.origins] == [(True, 1)]


def test_the_lesson_of_concurrent_writers_has_retried_commits_every_time(spark: SparkSession) -> None:
    for anew in (False, True):
        (built,) = build_sandbox(spark, lessons=[concurrent_writers.LESSON], anew=anew)
        table = Opened(spark, built.name)
        all_of_them = retries_of(table)
        appends = [a for a in all_of_them.retried if a.snapshot.operation == "append"]
        assert appends
        for a in appends:
            assert a.origins is not None
            assert a.manifests_added == a.manifests_written_before
            assert [o.manifest.sequence_number for o in a.origins] == [a.snapshot.sequence_number]
            assert len(a.rivals) >= len(a.lost_lists) > 0
            assert a.rivals[-1].sequence_number == a.snapshot.sequence_number - 1
            names = {path.name for path in (sandbox_warehouse() / "lessons/concurrent_writers/metadata").iterdir()}
            assert not names & set(a.lost_lists), "deleted after the success"
            assert str(a.snapshot.manifest_list).rsplit("/", 1)[-1] in names
        days = [s for s in spark.table(built.name).groupBy("day").count().collect() if s.day > 0]
        assert [(row.day, row["count"]) for row in days] == [(len(table.metadata.snapshots) // 4, 3)], "no sale is lost"


def test_the_query_a_person_can_paste_says_the_same(spark: SparkSession, race: Race) -> None:
    race.table.newFastAppend().appendFile(race.file()).commit()
    race.overtaken(
        race.table.newFastAppend().appendFile(race.file()), [race.loaded().newFastAppend().appendFile(race.file())]
    )
    query = retries_query(locate(spark, race.name))
    assert query is not None
    same = "snapshot_id", "attempt", "manifests_added", "manifests_written_before"
    theirs = [tuple(row[column] for column in same) for row in query.run(spark).collect()]
    assert theirs == [tuple(row[column] for column in same) for row in rows(retries_of(Opened(spark, race.name)))]
    assert [len(row[3]) for row in theirs] == [0, 0, 1]
    assert retries_query(Located("/t/v1.metadata.json", None, "/t/v1.metadata.json")) is None


def test_other_writers_count_otherwise_or_not_at_all(spark: SparkSession, real_tables: dict[str, Any]) -> None:
    import table_paths

    def attempts(name: str) -> tuple[Retries, list[int | None]]:
        found = retries_of(Opened(spark, f"real.t.{name}", table_paths.metadata_path(name)))
        return found, [a.attempt for a in found.attempts]

    duckdb, counted = attempts("duckdb_v1_to_v3")
    assert counted == [None, None, None]
    assert ["attempt 0" in a.notes[0].reason for a in duckdb.attempts] == [True, True, False]
    assert "not named" in duckdb.attempts[2].notes[0].reason
    assert [a.manifests_written_before for a in duckdb.attempts] == [None] * 3
    assert [len(a.manifests_added or ()) for a in duckdb.attempts] == [1, 1, 2]

    flink, counted = attempts("duckdb_eq_deletes_hole")
    assert counted == [1, 1, 2, 2, 1, 1]
    assert flink.attempts[1].manifests_added is None, "its manifest list is missing"
    assert [[r.sequence_number for r in a.rivals] for a in flink.attempts] == [[], [], [2], [3], [], []]
    assert [a.manifests_written_before == a.manifests_added for a in flink.retried] == [True, True]


def test_of_many_commits_the_retried_ones_are_read_first(race: Race) -> None:
    for _ in range(3):
        race.table.newFastAppend().appendFile(race.file()).commit()
    rival = race.loaded().newFastAppend().appendFile(race.file())
    race.overtaken(race.table.newFastAppend().appendFile(race.file()), [rival])
    race.table.newFastAppend().appendFile(race.file()).commit()
    found = retries_of(Opened(race.spark, race.name), most=2)
    assert [a.manifests_added is not None for a in found.attempts] == [False, False, False, False, True, True]
    assert "2 of 6 manifest lists" in found.notes[-1].reason
