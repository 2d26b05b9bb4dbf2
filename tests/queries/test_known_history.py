"""Two who read of one table at once lose nothing to each other: not in this process, and not in the cache on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Barrier, Event, Thread, current_thread
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

import explorer
from explorer.model.iceberg.inheritance import ListedManifest
from explorer.model.iceberg.unreadable import Unreadable
from explorer.queries.files import storage
from explorer.queries.files.known_history import forget, known_history
from explorer.queries.files.manifest_cache import ManifestCache
from explorer.queries.files.stored_history import ENTRIES, StoredHistory
from explorer.table import Table
from tests.model.made import a_manifest

Read = Mapping[str, bool]
"""Manifests by path that a reader opened, and whether it asked for EXISTING entries too."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ManifestCache:
    monkeypatch.setenv("ICEBERG_EXPLORER_HOME", str(tmp_path))
    monkeypatch.setenv("ICEBERG_EXPLORER_CACHE_MB", "10")
    forget()
    return ManifestCache()


def manifest(path: str) -> ListedManifest:
    counts = {f"{kind}_{what}_count": 1 for kind in ("added", "existing", "deleted") for what in ("files", "rows")}
    numbers = ("length", "sequence_number", "min_sequence_number", "added_snapshot_id", "first_row_id")
    return a_manifest(path, partition_spec_id=0, **dict.fromkeys(numbers, 1), **counts)


def grown(since: StoredHistory, read: Read) -> StoredHistory:
    """What a reader makes of a history in the order in which it meets manifests: each in a list of its own."""
    paths = [row.path for row in since.manifests]
    rows, lists, found = list(since.manifests), dict(since.lists), since.entries.to_pylist()
    done, whole = set(since.read), set(since.whole)
    for path, is_whole in read.items():
        if path not in paths:
            paths.append(path)
            rows.append(manifest(path))
        index = paths.index(path)
        lists[f"list of {path}"] = (index,)
        found = [row for row in found if row["manifest"] != index or index in whole]
        if index not in whole:
            found += [
                {"manifest": index, "status": status, "file_name": f"{path} {status}"}
                for status in ((1, 2, 0) if is_whole else (1, 2))
            ]
            whole |= {index} if is_whole else set()
        done.add(index)
    entries = pa.Table.from_pylist(found, schema=ENTRIES)
    return StoredHistory(rows, lists, entries, frozenset(done), frozenset(whole))


def by_list(stored: StoredHistory) -> dict[str, tuple[list[str], bool, list[str]]]:
    """By list what stands in the manifests that it names: their entries, and whether these are all."""
    by_manifest: dict[int, list[str]] = {i: [] for i in range(len(stored.manifests))}
    for row in stored.entries.to_pylist():
        by_manifest[row["manifest"]].append(row["file_name"])
    return {
        path: (
            [stored.manifests[i].path for i in listed],
            all(i in stored.whole for i in listed),
            sorted(name for i in listed if i in stored.read for name in by_manifest[i]),
        )
        for path, listed in stored.lists.items()
        if not isinstance(listed, str)
    }


def expected(*reads: Read) -> dict[str, tuple[list[str], bool, list[str]]]:
    whole: dict[str, bool] = {}
    for read in reads:
        for path, is_whole in read.items():
            whole[path] = whole.get(path, False) or is_whole
    return {
        f"list of {path}": (
            [path],
            is_whole,
            sorted(f"{path} {status}" for status in ((0, 1, 2) if is_whole else (1, 2))),
        )
        for path, is_whole in whole.items()
    }


reads = st.dictionaries(st.sampled_from("abcdef"), st.booleans(), max_size=6)


@given(reads, reads, reads)
def test_what_two_read_on_from_one_value_is_all_known_after(before: Read, one: Read, other: Read) -> None:
    since = grown(StoredHistory(), before)
    first, second = grown(since, one), grown(since, other)
    assert by_list(first.with_all_of(second)) == expected(before, one, other)
    assert by_list(second.with_all_of(first)) == expected(before, one, other)
    assert by_list(since) == expected(before)
    apart, unmoved = grown(StoredHistory(), one), grown(StoredHistory(), other)
    assert by_list(since.with_all_of(apart, unmoved, second)) == expected(before, one, other)
    assert by_list(StoredHistory().with_all_of(first)) == expected(before, one)


def test_an_index_goes_on_naming_the_manifest_that_it_named() -> None:
    since = grown(StoredHistory(), {"a": False})
    one, other = grown(since, {"b": False}), grown(since, {"c": False})
    both = one.with_all_of(other)
    assert [row.path for row in both.manifests] == ["a", "b", "c"]
    assert [row.path for row in other.manifests] == ["a", "c"]


def test_a_list_and_a_manifest_that_one_could_not_read_count_as_the_other_read_them() -> None:
    read = grown(StoredHistory(), {"a": False, "b": False})
    missing = Unreadable("b", "missing", "It is gone.")
    not_read = StoredHistory(
        [manifest("b")], {"list of b": (0,), "list of a": "It is gone."}, unreadable_files={0: missing}
    )
    for both in (read.with_all_of(not_read), not_read.with_all_of(read)):
        assert by_list(both) == expected({"a": False, "b": False})
        assert not both.unreadable_files


def test_threads_that_add_at_once_lose_nothing(cache: ManifestCache) -> None:
    many = 8
    known, at_once = known_history("uuid", "uuid"), Barrier(many)

    def read(number: int) -> None:
        since = known.value
        at_once.wait(60)
        more = grown(since, {f"m{number}": False, "shared": number == 0})
        known.add(more, since)
        known.save()

    threads = [Thread(target=read, args=(number,)) for number in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    everything = expected({f"m{number}": False for number in range(many)} | {"shared": True})
    assert by_list(known.value) == everything
    assert by_list(cache.load("uuid")) == everything


class Turns:
    """Lets one thread open manifests only after another has read everything; all others go their way."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.last: Thread | None = None
        self.is_reading, self.other_is_done = Event(), Event()
        contents = storage.contents

        def in_turn(spark: SparkSession, paths: list[str], options: Any) -> Any:
            if current_thread() is self.last and not any("snap-" in path for path in paths):
                self.is_reading.set()
                assert self.other_is_done.wait(30)
            return contents(spark, paths, options)

        monkeypatch.setattr(storage, "contents", in_turn)


@pytest.mark.parametrize("last", ["opened before the commit", "opened after it"])
def test_a_table_opened_before_a_commit_and_one_after_read_at_once(
    cache: ManifestCache,
    spark: SparkSession,
    fresh_table: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    last: str,
) -> None:
    name = fresh_table("raced")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    spark.sql(f"INSERT INTO {name} VALUES (2)")
    before = explorer.table(name)
    spark.sql(f"CALL lab.system.rewrite_manifests('{name}')")  # the older state alone asks for what was rewritten
    spark.sql(f"INSERT INTO {name} VALUES (3)")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    after = explorer.table(name)
    slow, quick = (before, after) if last == "opened before the commit" else (after, before)
    answers: dict[str, list[str]] = {}

    def ask(who: str, table: Table) -> None:
        answers[who] = sorted(table.sequence_timeline().data["file_path"])

    turns = Turns(monkeypatch)
    turns.last = Thread(target=ask, args=("slow", slow))
    turns.last.start()
    assert turns.is_reading.wait(30)
    ask("quick", quick)
    turns.other_is_done.set()
    turns.last.join(120)

    files = {row.path for row in spark.sql(f"SELECT data_file.file_path AS path FROM {name}.all_entries").collect()}
    old = set(before.commit("main").data["file_path"]) | {
        row.path
        for row in spark.sql(
            f"SELECT file_path AS path FROM {name}.files VERSION AS OF {before.metadata.current_snapshot_id}"
        ).collect()
    }
    assert len(files) == 3
    assert set(answers["slow"]) == (old if slow is before else files)
    assert set(answers["quick"]) == (old if quick is before else files)
    assert sorted(explorer.table(name).sequence_timeline().data["file_path"]) == sorted(files)
    forget()  # from here on from the disk
    opened: list[str] = []
    monkeypatch.setattr(storage, "contents", lambda spark, paths, options: opened.extend(paths) or ({}, {}))
    again = explorer.table(name).sequence_timeline()
    assert sorted(again.data["file_path"]) == sorted(files)
    assert opened == []
