"""How often the JVM is asked: not more often for a longer history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from py4j.java_gateway import GatewayClient
from pyspark.sql import SparkSession

from explorer.model.iceberg.commit import from_stored
from explorer.queries.files import commits as many_commits
from explorer.queries.files import history, local_files, manifests, storage
from explorer.queries.files.stored_history import StoredHistory
from explorer.queries.source import Source
from tests.queries.changelog_histories import quick
from tests.queries.sources import line_of, source_of


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The commands that are sent to the JVM within the block."""
    sent: list[str] = []
    send = GatewayClient.send_command

    def noted(client: Any, command: str, *about: Any, **more: Any) -> Any:
        if not command.startswith("m\n"):  # the release of objects, whenever Python collects garbage
            sent.append(command)
        return send(client, command, *about, **more)

    with monkeypatch.context() as patched:
        patched.setattr(GatewayClient, "send_command", noted)
        yield sent


def grown(spark: SparkSession, name: str, appends: int, every: int) -> Source:
    """A table of so many appends of ten rows, each `every`th of which a delete of its first row follows."""
    fast = quick(spark)
    fast.sql(f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('write.delete.mode'='merge-on-read')")
    for number in range(appends):
        fast.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ int(id) FROM range({number * 10}, {number * 10 + 10})")
        if number % every == every - 1:
            fast.sql(f"DELETE FROM {name} WHERE id = {number * 10}")
    return source_of(fast, name)


def test_the_files_of_a_longer_line_take_no_more_round_trips(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = grown(spark, fresh_table("line"), 12, 3)
    ids = [s.snapshot_id for s in sorted(source.metadata.snapshots, key=lambda s: s.sequence_number)]
    line_of(source, ids)  # what is asked once in a session
    counts = []
    for length in (5, len(ids)):
        with counted(monkeypatch) as sent:
            line = line_of(source, ids[:length])
        counts.append(len(sent))
        assert len(line.snapshots) == length
        assert line.data
    assert counts[0] == counts[1] > 0


def test_small_manifests_of_a_history_are_read_together_however_large_all_of_them_are(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And those of a commit that are large are read as `commit.read` does; the facts are the same in any way."""
    name = fresh_table("pieces")
    fast = grown(spark, name, 8, 1).spark
    fast.sql(f"CALL lab.system.rewrite_manifests(table => '{name}')")
    source = source_of(fast, name)
    ids = [s.snapshot_id for s in source.metadata.snapshots]
    lists = many_commits.manifest_lists(source, ids)
    opened: list[list[str]] = []
    contents = storage.contents
    monkeypatch.setattr(storage, "contents", lambda *a: (opened.append(list(a[1])), contents(*a))[1])
    each = [manifest for listed in lists.values() for manifest in listed if not isinstance(manifest, str)]
    longest, all_of_them = max(m.length for m in each), sum({m.path: m.length for m in each}.values())
    assert longest < all_of_them / 4
    told = {}
    for limit in (all_of_them, 2 * longest, 1):
        monkeypatch.setattr(manifests, "SMALL_IN_BYTES", limit)
        opened.clear()
        stored, decoded = many_commits.stored_commits(source, lists, ids)
        told[limit] = [from_stored(source.metadata, i, stored[i]) for i in ids]
        if limit > 1:
            paths = [path for piece in opened for path in piece]
            assert sorted(paths) == sorted({m.path for m in each}) == sorted(decoded), "each once"
            assert len(opened) <= 1 + all_of_them / limit
    assert told[all_of_them] == told[2 * longest] == told[1]
    for limit in (all_of_them, 2 * longest):  # of a long history statistics take the most memory
        monkeypatch.setattr(manifests, "SMALL_IN_BYTES", limit)
        stored, decoded = many_commits.stored_commits(source, lists, ids, statistics=False)
        assert bool(decoded) == (limit == all_of_them)
        assert [from_stored(source.metadata, i, stored[i]) for i in ids] == told[1]


def test_the_manifests_of_a_longer_history_take_no_more_round_trips(
    spark: SparkSession, fresh_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where Spark brings them, each by its name, since this process cannot open them itself."""
    name, commits = fresh_table("manifests"), 48
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg TBLPROPERTIES ('commit.manifest-merge.enabled'='false')")
    jvm: Any = spark._jvm
    table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    for number in range(commits):  # of files that are not there: no one reads them
        file = jvm.org.apache.iceberg.DataFiles.builder(table.spec()).withPath(f"{table.location()}/{number}.parquet")
        file = file.withFileSizeInBytes(1).withRecordCount(1).build()
        table.newFastAppend().appendFile(file).commit()
    monkeypatch.setattr(local_files, "finder", lambda _: lambda _: None)
    source = source_of(spark, name)
    for most_in_this_process in (commits, -1):
        monkeypatch.setattr(history, "_FILES_AT_ONCE", most_in_this_process)
        counts = [len(round_trips(source, length, monkeypatch)) for length in (34, 34, commits)]
        assert counts[1] == counts[2] > 0, "the first time asks what is asked once in a session"


def round_trips(source: Source, length: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What reading the lists and manifests of so many commits sends to the JVM."""
    document: Any = {**source.document, "snapshots": source.document["snapshots"][:length]}
    some = replace(source, file=replace(source.file, document=document))
    with counted(monkeypatch) as sent:
        stored, lists = history.read_lists(some, StoredHistory())
        _, entries = history.read_entries(some, stored, range(length), ())
    assert len(lists) == len(stored.manifests) == len(entries) == length
    return sent
