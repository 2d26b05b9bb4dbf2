"""What a dry run tells is what the procedure then does: each is run on a table that is put back afterwards."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from pyspark.sql import Row, SparkSession

from explorer.cli import main
from explorer.model.dry_run.facts import Kind, What
from explorer.table import Table
from explorer.table.answers.dry_run import DryRunPicture

FILES: tuple[Kind, ...] = ("data", "position deletes", "deletion vector", "equality deletes")


def folder_of(table: Table) -> Path:
    """The folder of a table on this disk."""
    return Path(urlsplit(table.metadata.location).path)


@contextmanager
def put_back(table: Table) -> Iterator[None]:
    """Within the block a table may be changed; afterwards it is byte for byte what it was."""
    folder = folder_of(table)
    copy = folder.with_name(f"{folder.name}.copy")
    shutil.copytree(folder, copy, copy_function=shutil.copy2)
    try:
        yield
    finally:
        shutil.rmtree(folder)
        copy.rename(folder)


def run(table: Table, picture: DryRunPicture) -> Row:
    """Run the statement that the picture tells; the first row of what it gives."""
    return table.spark.sql(picture.sql).collect()[0]


def told(picture: DryRunPicture, what: What, *kinds: Kind) -> set[str]:
    """The paths, ids or names of the things of which this becomes."""
    found = (e for e in picture.facts.effects if e.what == what and e.kind in kinds)
    return {
        e.file_path or (e.name if e.kind in ("branch", "tag", "schema", "partition spec") else str(e.snapshot_id))
        for e in found
    }


def now(table: Table) -> Table:
    """The table as it is now."""
    return Table.open(table.name, table.spark)


def live(table: Table) -> set[str]:
    """Live data and delete files, as Iceberg lists them."""
    return {row.file_path for row in table.spark.sql(f"SELECT file_path FROM {table.name}.files").collect()}


def count(table: Table, snapshot_id: int) -> int:
    return int(table.spark.sql(f"SELECT count(*) FROM {table.name} VERSION AS OF {snapshot_id}").collect()[0][0])


def stored(table: Table) -> set[str]:
    """Every file below the table that Hadoop shows."""
    folder = folder_of(table)
    return {f"file:{path}" for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")}


@pytest.fixture(scope="module")
def history(spark: SparkSession, written_table: Callable[..., str]) -> Table:
    """Seven commits: main 1, 2, 3 (masks a row), 5, 7; branch `audit` 4; 6 rolled back; tag `two`."""
    name = written_table(
        "dry_run",
        "CREATE TABLE {t} (id INT, region STRING) USING iceberg PARTITIONED BY (region)"
        " TBLPROPERTIES ('write.delete.mode' = 'merge-on-read', 'format-version' = '2')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'EU' FROM range(10)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'US' FROM range(10)",
        "ALTER TABLE {t} CREATE TAG two",
        "DELETE FROM {t} WHERE id = 3",
        "ALTER TABLE {t} CREATE BRANCH audit",
        "INSERT INTO {t}.branch_audit VALUES (100, 'EU')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'AS' FROM range(5)",
        "DELETE FROM {t} WHERE region = 'EU'",
    )
    rolled_back = Table.open(name, spark).snapshot(5).snapshot_id
    spark.sql(f"CALL lab.system.rollback_to_snapshot('{name.removeprefix('lab.')}', {rolled_back})")
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ id, 'US' FROM range(7)")
    return Table.open(name, spark)


# --- moving main ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("procedure", "to"),
    [
        ("rollback_to_snapshot", {"snapshot_id": 1}),
        ("rollback_to_snapshot", {"snapshot_id": "two"}),
        ("rollback_to_snapshot", {"snapshot_id": 3}),
        ("set_current_snapshot", {"snapshot_id": 6}),
        ("set_current_snapshot", {"ref": "audit"}),
        ("set_current_snapshot", {"snapshot_id": 7}),
    ],
)
def test_moving_main_loses_and_brings_back_what_is_told(history: Table, procedure: str, to: dict[str, Any]) -> None:
    picture = getattr(history.dry_run, procedure)(**to)
    facts = picture.facts
    before, head = live(history), history.metadata.current_snapshot_id or 0
    line = {node.snapshot_id for node in _ancestors(history)}
    with put_back(history):
        run(history, picture)
        moved = now(history)
        assert facts.target is not None
        assert moved.metadata.current_snapshot_id == facts.target.snapshot_id
        after = live(moved)
        assert told(picture, "lost", *FILES) == before - after
        assert told(picture, "returned", *FILES) == after - before
        assert facts.net_rows == count(moved, facts.target.snapshot_id) - count(moved, head)
        line_then = {node.snapshot_id for node in _ancestors(moved)}
        assert told(picture, "lost", "snapshot") == {str(i) for i in line - line_then}
        assert told(picture, "returned", "snapshot") == {str(i) for i in line_then - line}
        if picture.undo_sql:
            history.spark.sql(picture.undo_sql)
            assert live(now(history)) == before


def _ancestors(table: Table) -> Iterator[Any]:
    """By the `parent_id` of Iceberg's own table of snapshots."""
    rows = {row.snapshot_id: row for row in table.spark.sql(f"SELECT * FROM {table.name}.snapshots").collect()}
    at = table.metadata.current_snapshot_id
    while at in rows:
        yield rows[at]
        at = rows[at].parent_id


@pytest.mark.parametrize(
    ("procedure", "to"),
    [
        ("rollback_to_snapshot", {"snapshot_id": 6}),
        ("rollback_to_snapshot", {"snapshot_id": "audit"}),
        ("rollback_to_snapshot", {"snapshot_id": 4242}),
        ("set_current_snapshot", {"snapshot_id": 4242}),
        ("set_current_snapshot", {"ref": "nobody"}),
        ("set_current_snapshot", {}),
        ("set_current_snapshot", {"ref": "two", "snapshot_id": 1}),
        ("expire_snapshots", {"retain_last": 0}),
        ("expire_snapshots", {"snapshot_ids": [7]}),
        ("expire_snapshots", {"snapshot_ids": ["two"]}),
    ],
)
def test_a_refusal_is_told_in_the_words_in_which_iceberg_refuses(
    history: Table, procedure: str, to: dict[str, Any]
) -> None:
    picture = getattr(history.dry_run, procedure)(**to)
    refusal = picture.facts.refusal
    assert refusal
    assert picture.title == f"{procedure} would be refused: {refusal}"
    assert len(picture.data) == 0
    with put_back(history), pytest.raises(Exception, match=r".") as refused:
        run(history, picture)
    assert refusal in str(refused.value)


# --- expiring ---------------------------------------------------------------------------------------------------------

LATER = datetime(2100, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "arguments",
    [
        {"older_than": LATER},
        {"older_than": LATER, "retain_last": 3},
        {"older_than": LATER, "retain_last": 99},
        {"snapshot_ids": [6]},
        {"snapshot_ids": [3, 1]},
        {"older_than": "third"},
        {},
    ],
    ids=str,
)
def test_expiring_removes_the_snapshots_refs_and_files_that_are_told(history: Table, arguments: dict[str, Any]) -> None:
    if arguments.get("older_than") == "third":
        arguments = {"older_than": history.snapshot(3).committed_at}
    picture = history.dry_run.expire_snapshots(**arguments)
    before = stored(history)
    with put_back(history):
        done = run(history, picture)
        expired = now(history)
        left = {str(i) for i in expired.metadata.by_id}
        assert told(picture, "removed", "snapshot") == {str(i) for i in history.metadata.by_id} - left
        assert told(picture, "kept", "snapshot") == left
        assert told(picture, "removed", "branch", "tag") == history.metadata.refs.keys() - expired.metadata.refs.keys()
        gone = {path for path in before - stored(history) if not path.endswith("metadata.json")}
        assert told(picture, "removed", *FILES, "manifest", "manifest list", "statistics file") == gone
        assert done.deleted_data_files_count == picture.facts.sum_of("removed", "data").count
        assert done.deleted_manifest_files_count == picture.facts.sum_of("removed", "manifest").count
        assert done.deleted_manifest_lists_count == picture.facts.sum_of("removed", "manifest list").count


# --- as it is asked and told ------------------------------------------------------------------------------------------


def test_asking_reads_nothing_and_writes_nothing(history: Table) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder_of(history).rglob("*")}
    pictures = [history.dry_run.rollback_to_snapshot(1), history.dry_run.expire_snapshots(older_than=LATER)]
    assert all("facts" not in vars(picture) for picture in pictures)
    for picture in pictures:
        assert picture.title
        assert picture.to_static_html()
        assert set(picture.data.columns) == set(picture.frame.columns)
        assert picture.frame.count() == len(picture.data) == len(picture.facts.effects)
    assert {path: path.stat().st_mtime_ns for path in folder_of(history).rglob("*")} == before


def test_a_table_opened_by_its_file_is_told_without_a_statement(history: Table) -> None:
    table = Table.open(history.metadata_location, history.spark)
    picture = table.dry_run.rollback_to_snapshot(2)
    assert picture.title == "Rolling back to 2 would lose 3 commits and 10 net rows"
    assert (picture.sql, picture.undo_sql) == ("", "")
    assert any(note.about == "SQL for these rows" for note in picture.notes)


def test_the_terminal_tells_the_same(history: Table) -> None:
    asked = ["dry-run", history.name, "expire_snapshots", "older_than=2100-01-01", "retain_last=3", "--limit", "2"]
    told_there = CliRunner().invoke(main, asked)
    assert told_there.exit_code == 0, told_there.output
    picture = history.dry_run.expire_snapshots(older_than=LATER, retain_last=3)
    assert told_there.output.startswith(f"{picture.title}\n")
    assert "and 4 more things" in told_there.output
    assert "  retain_last => 3" in told_there.output
    wrong = CliRunner().invoke(main, ["dry-run", history.name, "expire_snapshots", "older=1"])
    assert "it takes older_than, retain_last, snapshot_ids, clean_expired_metadata." in wrong.output
