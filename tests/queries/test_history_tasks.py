"""Manifest lists and manifests read in tasks, through Spark's file systems: a bad file never fails those beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.model.iceberg.unreadable import Unreadable
from explorer.queries.files import history, local_files, sent_tables, storage
from explorer.queries.files.stored_history import StoredHistory
from explorer.queries.files.task_files import TaskFiles
from explorer.queries.source import Source
from tests.queries.sources import source_of


@pytest.fixture
def source(spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> Source:
    """A table of five commits, each of a file, whose metadata tasks get from Spark however little it is."""
    name = fresh_table("in_tasks")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for number in range(5):
        spark.sql(f"INSERT INTO {name} VALUES ({number})")
    monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    monkeypatch.setattr(history, "_FILES_AT_ONCE", -1)
    return source_of(spark, name)


def test_files_that_are_gone_when_their_task_opens_them_are_told_and_the_others_read(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, listed = history.read_lists(source, StoredHistory())
    assert len(stored.manifests) == len(listed) == 5
    gone, back = (manifest.path for manifest in stored.manifests[:2])
    for_tasks, again = sent_tables.for_tasks, storage.again

    def listed_and_gone(source: Source, paths: Sequence[str], tasks: int, **how: Any) -> TaskFiles:
        found = for_tasks(source, paths, tasks, **how)
        moved(gone, back)
        return found

    def there_again(*asked: Any) -> Any:
        moved(back, back=True)
        return again(*asked)

    monkeypatch.setattr(sent_tables, "for_tasks", listed_and_gone)
    monkeypatch.setattr(storage, "again", there_again)
    stored, entries = history.read_entries(source, stored, range(5), ())
    assert list(stored.unreadable_files.values()) == [Unreadable(gone, "missing", storage.MISSING)]
    assert sorted(entries["manifest"].to_pylist()) == [1, 2, 3, 4]


def test_what_one_job_may_not_send_is_read_by_several(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    stored, listed = history.read_lists(source, StoredHistory())
    _, entries = history.read_entries(source, stored, range(5), ())
    jobs, for_tasks = list[Sequence[str]](), sent_tables.for_tasks

    def noted(source: Source, paths: Sequence[str], *about: Any, **how: Any) -> TaskFiles:
        jobs.append(paths)
        return for_tasks(source, paths, *about, **how)

    monkeypatch.setattr(sent_tables, "_JOB_IN_BYTES", sum(m.length or 0 for m in stored.manifests) // 2)
    monkeypatch.setattr(sent_tables, "for_tasks", noted)
    again, same = history.read_entries(source, stored, range(5), ())
    assert len(jobs) > 1
    assert [path for some in jobs for path in some] == [m.path for m in stored.manifests]
    assert same.sort_by("manifest").to_pylist() == entries.sort_by("manifest").to_pylist()
    assert [m.path for m in again.manifests] == [m.path for m in stored.manifests]
    assert len(listed) == 5


@pytest.mark.parametrize(("free", "is_refused"), [(5 * 300 - 1, True), (5 * 300, False), (None, False)])
def test_a_history_that_memory_does_not_hold_is_refused_before_it_ends_the_process(
    source: Source, monkeypatch: pytest.MonkeyPatch, free: int | None, is_refused: bool
) -> None:
    stored, _ = history.read_lists(source, StoredHistory())
    monkeypatch.setattr(history, "free_memory", lambda: free)
    if is_refused:
        with pytest.raises(ExplorerError, match="memory of this process") as refused:
            history.read_entries(source, stored, range(5), ())
        assert "tell of 5 files" in refused.value.found
    else:
        _, entries = history.read_entries(source, stored, range(5), ())
        assert len(entries) == 5


def test_where_a_list_counts_no_entries_they_are_guessed_from_its_bytes(source: Source) -> None:
    stored, _ = history.read_lists(source, StoredHistory())
    manifest = replace(stored.manifests[0], length=7_000, existing_files_count=40)
    assert [history._kept(manifest, whole=whole) for whole in (False, True)] == [1, 41]
    uncounted = replace(manifest, existing_files_count=None)
    assert [history._kept(uncounted, whole=whole) for whole in (False, True)] == [1, 70]


def moved(*locations: str, back: bool = False) -> None:
    """Put files beside where they were, or back."""
    for location in locations:
        there = Path(location.removeprefix("file:"))
        aside = there.with_name(f"{there.name}.aside")
        (aside if back else there).rename(there if back else aside)
