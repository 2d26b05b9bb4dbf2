"""Random histories whose old manifests are gone, as far as the table as it is now does not need them: what lives now is
told as Spark's own scan has it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import fastavro
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.model.changelog.facts import Mode
from explorer.model.commit.rows import CommitRows
from explorer.queries.files.known_history import forget
from explorer.table import Table
from tests.oracle.test_lost_data_files import by_commit
from tests.queries.changelog_histories import quick


def history(rng: random.Random, name: str, snapshots: Callable[[], list[int]]) -> Iterator[str]:
    free = 0
    for _ in range(rng.randint(5, 9)):
        match rng.choice(["insert", "insert", "insert", "delete", "update", "data", "manifests", "back"]):
            case "insert":
                rows = ", ".join(f"({free + n}, {rng.randint(0, 1)})" for n in range(rng.randint(1, 3)))
                free += 3
                yield f"INSERT INTO {name} VALUES {rows}"
            case "delete":
                yield f"DELETE FROM {name} WHERE id % {rng.randint(2, 5)} = 0"
            case "update":
                yield f"UPDATE {name} SET id = id + 100 WHERE id % {rng.randint(2, 5)} = 1"
            case "data":
                every = "options => map('rewrite-all', 'true')"
                yield f"CALL lab.system.rewrite_data_files(table => '{name}', {every})"
            case "manifests":
                yield f"CALL lab.system.rewrite_manifests('{name}')"
            case "back" if known := snapshots():
                yield f"CALL lab.system.set_current_snapshot('{name}', {rng.choice(known)})"


@pytest.mark.parametrize("seed", range(13))
def test_what_lives_now_is_told(spark: SparkSession, written_table: Callable[..., str], seed: int) -> None:
    rng = random.Random(seed)
    version = rng.choice("123")
    mode = rng.choice(["merge-on-read", "copy-on-write"]) if version != "1" else "copy-on-write"
    name = written_table(
        "lost",
        "CREATE TABLE {t} (id INT, p INT) USING iceberg PARTITIONED BY (p) TBLPROPERTIES"
        f" ('format-version' = '{version}', 'write.delete.mode' = '{mode}', 'write.update.mode' = '{mode}',"
        f" 'commit.manifest.min-count-to-merge' = '{rng.choice([1, 2, 3, 100])}')",
        "INSERT INTO {t} VALUES (1000, 0), (1001, 1)",
    )

    def ids() -> list[int]:
        return [
            row.snapshot_id
            for row in spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()
        ]

    for statement in history(rng, name, ids):
        spark.sql(statement)
    needed = {row.path for row in spark.sql(f"SELECT path FROM {name}.manifests").collect()}
    every = spark.sql(f"SELECT DISTINCT path, content, added_snapshot_id FROM {name}.all_manifests").collect()
    place = {snapshot_id: n for n, snapshot_id in enumerate(ids())}
    for row in sorted(every, key=lambda row: (place[row.added_snapshot_id], row.content)):
        if row.path not in needed and rng.random() < 0.6:
            Path(urlsplit(row.path).path).unlink()
    table = Table.open(name, spark)
    files = table.sequence_timeline().facts.files
    live = [row.file_path for row in spark.sql(f"SELECT file_path FROM {name}.files").collect()]
    assert sorted(file.file_path for file in files if file.is_live) == sorted(live)
    told = table.biography("id >= 0").facts
    last = told.lines[0].end - 1
    rows = [stretch.row.same[0] for life in told.living() if (stretch := life.at(0, last)) is not None]
    assert sorted(map(int, map(str, rows))) == sorted(row.id for row in spark.sql(f"SELECT id FROM {name}").collect())


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_other_commits_are_told(spark: SparkSession, written_table: Callable[..., str], seed: int) -> None:
    """A scan of a snapshot needs all of its manifests, whatever it is asked for."""
    spark = quick(spark)
    rng = random.Random(seed)
    version, mode = rng.choice("23"), ["merge-on-read", "copy-on-write"][seed % 2]
    name = written_table(
        "lost",
        "CREATE TABLE {t} (id INT, p INT) USING iceberg PARTITIONED BY (p) TBLPROPERTIES"
        f" ('format-version' = '{version}', 'write.delete.mode' = '{mode}', 'write.update.mode' = '{mode}',"
        f" 'commit.manifest.min-count-to-merge' = '{rng.choice([2, 3, 100])}')",
        "INSERT INTO {t} VALUES (1000, 0), (1001, 1)",
        "INSERT INTO {t} VALUES (1002, 0), (1003, 1)",
    )
    for statement in history(rng, name, list):
        spark.sql(statement)
    table = Table.open(name, spark)
    snapshots = {str(s.snapshot_id): s for s in table.metadata.snapshots}
    modes: tuple[Mode, ...] = ("raw", "updates")  # whose rows of a commit depend on no other one
    whole = {asked: by_commit(table.changelog(mode=asked).data) for asked in modes}
    rows = {of: table.commit(of, rows=True).facts.rows for of in snapshots}
    live = Counter(map(tuple, spark.table(name).select("id", "p", "_file").collect()))
    listed = spark.sql(f"SELECT DISTINCT path, added_snapshot_id AS by FROM {name}.all_manifests WHERE content = 0")
    place = {s.snapshot_id: n for n, s in enumerate(table.metadata.snapshots)}
    lost = rng.choice(sorted(listed.collect(), key=lambda row: (place[row.by], row.path)))
    with Path(urlsplit(lost.path).path).open("rb") as manifest:
        held = {entry["data_file"]["file_path"] for entry in fastavro.reader(manifest) if entry["status"] != 2}
    is_listed = bool(spark.sql(f"SELECT 1 FROM {name}.manifests WHERE path = '{lost.path}'").collect())
    Path(urlsplit(lost.path).path).unlink()
    forget()
    table = Table.open(name, spark)
    for asked in modes:
        changelog = table.changelog(mode=asked)
        told = by_commit(changelog.data)
        unknown = {str(one.commit.snapshot.snapshot_id) for one in changelog.facts.unread}
        for commit in whole[asked].keys() | told.keys():
            assert told[commit] == (Counter() if commit in unknown else whole[asked][commit])
        assert all(Path(lost.path).name in one.reason for one in changelog.facts.unread)
        assert table.changelog(mode=asked).frame.count() == len(changelog.data), "asked before anything was read"
        assert not changelog.sql or spark.sql(changelog.sql).count() == len(changelog.data)
        appends = {of for of, s in snapshots.items() if s.operation == "append" and s.snapshot_id != lost.by}
        assert not appends & unknown
    for of, before in rows.items():
        after, refused = _rows_of(table, of)
        if refused:
            assert Path(lost.path).name in refused
            assert snapshots[of].snapshot_id == lost.by or snapshots[of].operation != "append"
        else:
            assert after == before
    if is_listed:
        why = table.why("id >= 0")
        assert why.title.startswith("In the files that can be read: ")
        seen = Counter((*map(int, row.values), row.file_path) for row in why.facts.rows if not row.masked)
        assert seen == Counter({row: count for row, count in live.items() if row[2] not in held})


def _rows_of(table: Table, of: str) -> tuple[CommitRows | None, str]:
    """The rows of a commit, or why they are not told."""
    try:
        return table.commit(of, rows=True).facts.rows, ""
    except ExplorerError as error:
        return None, str(error)


def test_what_a_delete_masked_is_unknown_while_a_lost_manifest_is_listed(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "lost",
        "CREATE TABLE {t} (id INT, p STRING) USING iceberg PARTITIONED BY (p) TBLPROPERTIES ('format-version' = '2',"
        " 'write.update.mode' = 'merge-on-read', 'commit.manifest-merge.enabled' = 'false')",
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'a')",
        "INSERT INTO {t} VALUES (11, 'b')",
        "UPDATE {t} SET p = 'c' WHERE id = 2",
        "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))",
    )
    whole = Table.open(name, spark).biography("id = 2")
    assert [event.kind for event in whole.facts.events] == ["CREATED", "UPDATED", "MOVED"]
    assert whole.title.startswith("The row with id = 2 is there: ")
    first = spark.sql(f"SELECT min_by(snapshot_id, committed_at) AS i FROM {name}.snapshots").collect()[0].i
    paths = spark.sql(f"SELECT DISTINCT path FROM {name}.all_manifests WHERE added_snapshot_id = {first}").collect()
    for row in paths:
        Path(urlsplit(row.path).path).unlink()
    forget()
    told = Table.open(name, spark).biography("id = 2")
    assert [(event.kind, event.certainty) for event in told.facts.events] == [
        ("CREATED", "unknown"),
        ("MOVED", "exact"),
    ]
    assert told.title.startswith("As far as can be read: the row with id = 2 is there: ")


def _lose(spark: SparkSession, name: str, place: int, number: int) -> str:
    """Remove one of the manifests that the commit at a place wrote, both from 0; its name."""
    by = spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()[place].snapshot_id
    paths = spark.sql(f"SELECT DISTINCT path FROM {name}.all_manifests WHERE added_snapshot_id = {by}").collect()
    lost = Path(urlsplit(sorted(row.path for row in paths)[number]).path)
    lost.unlink()
    forget()
    return lost.name


@pytest.mark.parametrize("number", [0, 1], ids=["a manifest", "the other"])  # of what came, or of what went
def test_rows_of_a_lost_compaction_are_told_as_far_as_they_can_be_read(
    spark: SparkSession, written_table: Callable[..., str], number: int
) -> None:
    every = "CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all', 'true'))"
    name = written_table(
        "compacted",
        "CREATE TABLE {t} (id INT, v INT) USING iceberg TBLPROPERTIES"
        " ('format-version' = '2', 'commit.manifest-merge.enabled' = 'false')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ int(id), 0 FROM range(2)",
        every,
        "INSERT INTO {t} VALUES (7, 0)",
        every,
        "DELETE FROM {t} WHERE id = 0",
    )
    assert Table.open(name, spark).biography("id = 1").title.startswith("The row with id = 1 is there: created at 1")
    _lose(spark, name, 1, number)
    assert Table.open(name, spark).biography("id = 1").title.startswith("As far as can be read: ")


@pytest.mark.parametrize("version", [2, 3])
def test_updates_of_commits_that_are_all_unknown(
    spark: SparkSession, written_table: Callable[..., str], version: int
) -> None:
    name = written_table(
        "unknown",
        f"CREATE TABLE {{t}} (id INT) USING iceberg TBLPROPERTIES ('format-version' = '{version}')",
        "INSERT INTO {t} VALUES (1)",
    )
    lost = _lose(spark, name, 0, 0)
    changelog = Table.open(name, spark).changelog(mode="updates")
    assert changelog.title == "The rows of 1 commit are unknown"
    assert len(changelog.data) == 0
    assert any(lost in note.reason for note in changelog.notes)
