"""Manifest lists and manifests read in tasks, through Spark's file systems: a bad file never fails those beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

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


def moved(*locations: str, back: bool = False) -> None:
    """Put files beside where they were, or back."""
    for location in locations:
        there = Path(location.removeprefix("file:"))
        aside = there.with_name(f"{there.name}.aside")
        (aside if back else there).rename(there if back else aside)
