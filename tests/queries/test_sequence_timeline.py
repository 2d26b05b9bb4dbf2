"""Every file from birth to removal: on tables of other writers, and on random live histories, against slow accounts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import UnreadableMetadata
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.iceberg.delete_scope import DataFile, DeleteFile, verdict
from explorer.model.sequence_timeline.facts import FileLifetime, Window
from explorer.queries.files import history, storage
from explorer.queries.files.known_history import forget
from tests.queries.file_histories import FileHistory
from tests.queries.sequence_timeline_facts import slow_by_expected, slow_by_sql, timelines

REAL = (
    "duckdb_eq_deletes_hole",
    "duckdb_spec1_cow",
    "duckdb_spec2_mor",
    "duckdb_v1_to_v3",
    "icebird_java",
    "icelake_v1_overwrite",
    "impala_dangling_delete",
    "impala_eq_and_pos",
    "impala_multi_eq_ids",
    "impala_multi_location",
    "impala_v3_dv",
    "impala_v3_row_lineage",
    "lithium_branch_tag",
    "lithium_trino_dv",
    "lithium_uuid",
    "pglake_branches_tags",
    "pglake_expired",
    "trino_conflict",
    "trino_mv",
)


@pytest.mark.parametrize("name", REAL)
def test_files_of_real_tables_live_as_the_independent_answer_says(
    spark: SparkSession, real_tables: dict[str, dict[str, Any]], name: str
) -> None:
    import table_paths

    slow = slow_by_expected(Path(table_paths.metadata_path(name)), table_paths.expected(name))
    assert slow.live
    slow.check(timelines(spark, f"real.t.{name}"))


def test_a_table_whose_lists_are_missing_shows_what_is_left(spark: SparkSession, real_tables: Any) -> None:
    timeline_ = timelines(spark, "real.t.lithium_1000_snapshots").timeline()
    assert len(timeline_.commits) == 1000
    assert sum(bool(c.unreadable) for c in timeline_.commits) == 999
    assert all(f.is_live and f.added_snapshot_id for f in timeline_.files)
    assert any(note.certainty == "unknown" for note in timeline_.notes)


def test_a_table_that_no_engine_opens_is_refused_in_words(spark: SparkSession, real_tables: Any) -> None:
    with pytest.raises(UnreadableMetadata, match="9876543210123456789"):
        timelines(spark, "real.t.duckdb_bad_snapshot_id")


@pytest.mark.parametrize("seed", [0, 2, 3, 5])
def test_files_of_a_random_history_live_as_each_snapshot_says(
    spark: SparkSession, fresh_table: Callable[..., str], seed: int
) -> None:
    history = FileHistory(spark, fresh_table("lifetimes"), seed)
    for _ in range(4):
        history.play(3)
        history.attempt(history.publish)
        if seed % 2:
            history.attempt(history.expire)
    slow = slow_by_sql(spark, history.name)
    slow.check(timelines(spark, history.name))


@pytest.fixture(scope="module")
def played(spark: SparkSession, written_table: Callable[..., str]) -> str:
    """A partitioned table with deletes that reach and deletes that dangle."""
    rows = ", ".join(f"({i}, '{'null' if i % 2 else 'E/U='}', DATE'2026-11-2{i % 3}')" for i in range(12))
    name = written_table(
        "reach",
        "CREATE TABLE {t} (id BIGINT, region STRING, day DATE) USING iceberg PARTITIONED BY (region, days(day)) "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')",
        f"INSERT INTO {{t}} VALUES {rows}, (99, NULL, NULL)",
        "DELETE FROM {t} WHERE id = 3",
    )
    delete_equal(spark, name, spark.range(5, 6), partition="region=null/day_day=2026-11-22")
    spark.sql(f"INSERT INTO {name} VALUES (5, 'null', DATE'2026-11-22')")
    spark.sql(
        f"CALL lab.system.rewrite_data_files(table => '{name}', where => \"region = 'null'\", "
        "options => map('rewrite-all', 'true'))"
    )
    spark.sql(f"CALL lab.system.rewrite_manifests('{name}')")
    spark.sql(f"DELETE FROM {name} WHERE id = 4")
    return name


def test_what_is_stored_is_what_icebergs_reader_sees(spark: SparkSession, played: str) -> None:
    forget()
    told = timelines(spark, played).table()
    columns = ["file_path", "partition", "record_count", "file_size_in_bytes", "data_sequence_number"]
    columns += ["file_sequence_number", "added_snapshot_id"]
    rows = spark.sql(
        "SELECT data_file.file_path, data_file.record_count, data_file.file_size_in_bytes, sequence_number,"
        f" file_sequence_number, snapshot_id FROM {played}.all_entries WHERE status = 1"
    ).collect()
    added = {tuple(row) for row in rows}
    assert {tuple(row[c] for c in columns if c != "partition") for row in told.to_pylist()} == added
    assert any("E/U=" in partition for partition in told["partition"].to_pylist())
    forget()


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("name", ["played", "real.t.pglake_expired", "real.t.impala_v3_dv"])
def test_what_tasks_send_is_what_this_process_reads(
    spark: SparkSession, played: str, real_tables: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    asked = played if name == "played" else name
    forget()
    here = timelines(spark, asked)
    expected = here.timeline(), here.table()
    forget()
    monkeypatch.setattr(history, "_MOST_HERE", -1)
    in_tasks = timelines(spark, asked)
    assert in_tasks.timeline() == expected[0]
    assert in_tasks.table() == expected[1]
    assert in_tasks.has_unreadable == here.has_unreadable == (name == "real.t.pglake_expired")
    forget()


def test_manifests_that_a_task_cannot_read_are_named(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_MOST_HERE", -1)
    name = fresh_table("holes")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for number in range(3):
        spark.sql(f"INSERT INTO {name} VALUES ({number})")
    rows = spark.sql(f"SELECT path FROM {name}.manifests ORDER BY added_snapshot_id").collect()
    gone, damaged, _ = (Path(row.path.removeprefix("file:")) for row in rows)
    gone.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-30])
    forget()
    told = timelines(spark, name).timeline()
    assert told.total_files == 1
    reasons = {note.about: note.reason for note in told.notes}
    assert [reason for about, reason in reasons.items() if gone.name in about] == ["The file does not exist."]
    assert ["cut short" in reason for about, reason in reasons.items() if damaged.name in about] == [True]
    forget()


def test_a_second_reading_opens_only_what_is_new(
    spark: SparkSession, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget()
    timelines(spark, played).timeline()
    spark.sql(f"INSERT INTO {played} VALUES (100, 'new', DATE'2026-11-30')")
    opened: list[str] = []
    contents = storage.contents

    def counted(spark: SparkSession, paths: list[str], options: Any) -> Any:
        opened.extend(paths)
        return contents(spark, paths, options)

    monkeypatch.setattr(storage, "contents", counted)
    assert any(f.partition.startswith("region=new") for f in timelines(spark, played).timeline().files)
    assert len(opened) == 2, opened  # a manifest list and a manifest


def test_what_fronts_reach_is_what_the_rule_for_a_pair_says(spark: SparkSession, played: str) -> None:
    """At every snapshot, by `delete_scope`, which shares no line with the bands."""
    reader = timelines(spark, played)
    seen = set()
    for commit in reader.timeline().commits:
        at = reader.timeline(commit.snapshot.snapshot_id)
        live = [f for f in at.files if f.is_live]
        reaching: dict[Any, int] = {}
        for delete in live:
            if delete.scope is None:
                continue
            reached = any(applies(delete, data) for data in live if data.kind == "data")
            key = delete.spec_id, delete.partition, delete.kind, delete.data_sequence_number.value
            reaching[key] = reaching.get(key, 0) + reached
            seen.add(reached)
        fronts = {
            (b.spec_id, b.partition, f.kind, f.data_sequence_number): f.reaching for b in at.bands for f in b.fronts
        }
        assert fronts == reaching, commit.snapshot.sequence_number
    assert seen == {True, False}


def applies(delete: FileLifetime, data: FileLifetime) -> bool:
    assert delete.scope is not None
    by_rule = verdict(
        DeleteFile(
            **of_either(delete),
            content_offset=delete.content_offset,
            kind=delete.kind,
            scope=delete.scope,
            data_file=delete.referenced_data_file,
        ),
        DataFile(**of_either(data)),
    )
    return bool(by_rule.applies)


def of_either(file: FileLifetime) -> dict[str, Any]:
    """What the rule looks at in deletes and data alike."""
    same = ("file_path", "spec_id", "partition", "record_count", "size_in_bytes", "data_sequence_number")
    return {name: getattr(file, name) for name in same}


def touches(file: FileLifetime, first: int, last: int) -> bool:
    """Whether a file came, went or counts among these numbers."""
    numbers = (file.added_sequence_number, file.removed_sequence_number, file.data_sequence_number.value)
    return any(number is not None and first <= number <= last for number in numbers)


def test_a_window_lists_the_lifetimes_that_overlap_it(spark: SparkSession, played: str) -> None:
    reader = timelines(spark, played)
    whole = reader.timeline()
    for first, last in ((1, 1), (2, 3), (4, 9)):
        found = reader.timeline(window=Window(first, last))
        assert {f.key for f in found.files} == {
            f.key
            for f in whole.files
            if (f.added_sequence_number or 0) <= last
            and (f.removed_sequence_number is None or f.removed_sequence_number >= first)
        }
        assert found.total_files == whole.total_files
        assert found.bands == whole.bands
        here = reader.timeline(window=Window(first, last, through=False))
        assert {f.key for f in here.files} == {f.key for f in found.files if touches(f, first, last)}
        assert here.file_count < found.file_count or first == 1
    since = reader.timeline(window=Window(3, through=False))
    assert {f.key for f in since.files} == {f.key for f in whole.files if touches(f, 3, 1_000_000)}
    assert since.file_count < whole.file_count
    partitions = [f.partition for f in whole.files]
    some = max(whole.files, key=lambda f: partitions.count(f.partition))
    found = reader.timeline(window=Window(spec_id=some.spec_id, partition=some.partition), most=1)
    assert found.file_count == sum(f.partition == some.partition for f in whole.files)
    assert len(found.files) == 1
    assert not found.is_complete
