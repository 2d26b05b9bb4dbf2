"""Random histories of which data files are gone: a changelog tells the other commits as when all were there."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from explorer.errors import ExplorerError
from explorer.model.changelog.facts import Mode
from explorer.table import Table
from tests.queries.changelog_histories import quick

BY_COMMIT: tuple[Mode, ...] = ("raw", "updates")  # whose rows of a commit depend on no other one


def history(rng: random.Random, name: str) -> Iterator[str]:
    free = 0
    for _ in range(rng.randint(5, 7)):
        match rng.choice(["insert", "insert", "insert", "delete", "update", "data"]):
            case "insert":
                rows = ", ".join(f"({free + n}, {rng.randint(0, 1)})" for n in range(rng.randint(1, 3)))
                free += 3
                yield f"INSERT INTO {name} VALUES {rows}"
            case "delete":
                yield f"DELETE FROM {name} WHERE id % {rng.randint(3, 5)} = 0"
            case "update":
                yield f"UPDATE {name} SET id = id + 100 WHERE id % {rng.randint(3, 5)} = 1"
            case "data":
                yield f"CALL lab.system.rewrite_data_files(table => '{name}', options => map('rewrite-all', 'true'))"


def by_commit(rows: pd.DataFrame) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows.drop(columns=["_change_ordinal", "_commit_sequence_number"]).to_dict("records"):
        found[str(row.pop("_commit_snapshot_id"))][str(row)] += 1
    return found


@pytest.mark.parametrize("file_format", ["parquet", "avro"])
@pytest.mark.parametrize("seed", range(2))
def test_other_commits_are_told(
    spark: SparkSession, written_table: Callable[..., str], seed: int, file_format: str
) -> None:
    spark = quick(spark)
    rng = random.Random(f"{seed} {file_format}")
    version, mode = rng.choice("23"), rng.choice(["merge-on-read", "copy-on-write"])
    name = written_table(
        "lost",
        "CREATE TABLE {t} (id INT, p INT) USING iceberg PARTITIONED BY (p) TBLPROPERTIES"
        f" ('format-version' = '{version}', 'write.delete.mode' = '{mode}', 'write.update.mode' = '{mode}',"
        f" 'write.format.default' = '{file_format}')",
        "INSERT INTO {t} VALUES (1000, 0), (1001, 1)",
    )
    for statement in history(rng, name):
        spark.sql(statement)
    table = Table.open(name, spark)
    whole = {asked: by_commit(table.changelog(mode=asked).data) for asked in BY_COMMIT}
    entries = spark.sql(
        f"SELECT DISTINCT snapshot_id, status, data_file.file_path FROM {name}.all_entries"
        " WHERE data_file.content = 0 AND status > 0"
    ).collect()
    lost = rng.sample(sorted({row.file_path for row in entries}), rng.randint(1, 2))
    needed = {str(row.snapshot_id) for row in entries if row.file_path in lost}
    for path in lost:
        Path(urlsplit(path).path).unlink()
    untouched = 0
    for asked in BY_COMMIT:
        changelog = Table.open(name, spark).changelog(mode=asked)
        told, unread = by_commit(changelog.data), changelog.facts.unread
        unknown = {str(one.commit.snapshot.snapshot_id) for one in unread}
        assert {commit for commit in needed if whole["raw"][commit]} <= unknown | told.keys()
        for commit in whole[asked].keys() | told.keys():
            assert told[commit] == (Counter() if commit in unknown else whole[asked][commit])
        assert all(any(Path(path).name in one.reason for path in lost) for one in unread)
        assert not unknown or "unknown" in changelog.title
        untouched += len(told)
    assert untouched


@pytest.mark.parametrize("seed", range(3))
def test_the_rows_of_the_other_files_are_told_though_their_bounds_are_the_same(
    spark: SparkSession, written_table: Callable[..., str], seed: int
) -> None:
    """A scan opens the file that is gone for the rows of each other one."""
    spark = quick(spark)
    rng = random.Random(seed)
    name = written_table(
        "among",
        "CREATE TABLE {t} (id INT, n INT) USING iceberg TBLPROPERTIES ('format-version' = '2',"
        " 'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read')",
        *(f"INSERT INTO {{t}} SELECT /*+ COALESCE(1) */ int(id * 7), {n} FROM range(12)" for n in range(5)),
        f"DELETE FROM {{t}} WHERE id % 5 = {rng.randint(0, 4)} AND n <> {rng.randint(0, 4)}",
        f"UPDATE {{t}} SET n = n + 10 WHERE id = {7 * rng.randint(1, 11)}",
    )
    condition = "id % 3 = 1"
    rows = spark.sql(f"SELECT _file, _pos, _deleted FROM {name} WHERE {condition}").collect()
    lost = rng.choice(sorted({row._file for row in rows}))
    Path(urlsplit(lost).path).unlink()
    expected = {(row._file, row._pos, row._deleted) for row in rows if row._file != lost}
    assert len(expected) < len(rows)
    table = Table.open(name, spark)
    why = table.why(condition)
    assert {(row.file_path, row.position, row.masked) for row in why.facts.rows} == expected
    assert why.title.startswith("In the files that can be read: ")
    assert any(Path(lost).name in note.about for note in why.notes)
    facts = table.biography(condition).facts
    last = facts.lines[0].end - 1
    at_last = (at for life in facts.lives if (at := life.at(0, last)) is not None and at.shown)
    alive = {(at.row.file_path, at.row.position) for at in at_last if at.row.meets}
    assert alive == {(path, pos) for path, pos, masked in expected if not masked}


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("mode", ["copy-on-write", "merge-on-read"])
def test_rows_of_what_did_not_touch_the_file_that_is_gone(
    spark: SparkSession, written_table: Callable[..., str], version: int, mode: str
) -> None:
    """A scan opens it, since its bounds are those of the others."""
    spark = quick(spark)
    name = written_table(
        "untouched",
        f"CREATE TABLE {{t}} (id INT, n INT) USING iceberg TBLPROPERTIES ('format-version' = '{version}',"
        f" 'write.delete.mode' = '{mode}', 'write.update.mode' = '{mode}')",
        *(f"INSERT INTO {{t}} SELECT /*+ COALESCE(1) */ int(id), {n} FROM range(12)" for n in range(4)),
        "DELETE FROM {t} WHERE n = 1 AND id = 3",
        "UPDATE {t} SET id = 50 WHERE n = 2 AND id = 7",
    )
    table = Table.open(name, spark)
    ids = [str(snapshot.snapshot_id) for snapshot in table.metadata.snapshots]
    commits = {of: table.commit(of, rows=True).facts.rows for of in ids}
    compared = table.compare(ids[3], ids[5], rows=True).facts.rows
    changes = by_commit(table.changelog(mode="raw").data)
    (lost,) = {row._file for row in spark.sql(f"SELECT _file FROM {name} WHERE n = 3").collect()}
    Path(urlsplit(lost).path).unlink()
    table = Table.open(name, spark)
    for of in ids:
        if of == ids[3]:  # which added it
            with pytest.raises(ExplorerError, match=Path(lost).name):
                _ = table.commit(of, rows=True).data
        else:
            assert table.commit(of, rows=True).facts.rows == commits[of]
    assert table.compare(ids[3], ids[5], rows=True).facts.rows == compared
    changelog = table.changelog(mode="raw")
    assert by_commit(changelog.data) == {of: rows for of, rows in changes.items() if of != ids[3]}
    assert [str(one.commit.snapshot.snapshot_id) for one in changelog.facts.unread] == [ids[3]]
