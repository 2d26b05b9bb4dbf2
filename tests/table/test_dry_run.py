"""What a dry run tells is what the procedure then does: each is run on a table that is put back afterwards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from pyspark.sql import Row, SparkSession

from explorer.cli import main
from explorer.errors import ExplorerError
from explorer.model.dry_run.facts import Effect, Kind, What, sums
from explorer.model.dry_run.orphans import place
from explorer.queries.dry_run import listing, reachable
from explorer.queries.files import manifests
from explorer.table import Table
from explorer.table.answers.dry_run import DryRunPicture, DryRuns

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
        ("rollback_to_snapshot", {"snapshot_id": "two"}),
        ("rollback_to_snapshot", {"snapshot_id": 3}),
        ("set_current_snapshot", {"snapshot_id": 6}),
        ("set_current_snapshot", {"ref": "audit"}),
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
        {"snapshot_ids": [6, 3]},
    ],
    ids=str,
)
def test_expiring_removes_the_snapshots_refs_and_files_that_are_told(history: Table, arguments: dict[str, Any]) -> None:
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


def test_specs_and_schemas_that_nothing_needs_go_where_that_is_asked_for(history: Table) -> None:
    with put_back(history):
        for change in (
            "ADD COLUMN extra INT",
            "ADD PARTITION FIELD bucket(2, id)",
            "DROP PARTITION FIELD bucket(2, id)",
            "DROP COLUMN extra",
        ):
            history.spark.sql(f"ALTER TABLE {history.name} {change}")
        table = now(history)
        nothing = table.dry_run.expire_snapshots()
        assert not told(nothing, "removed", "partition spec", "schema")
        picture = table.dry_run.expire_snapshots(clean_expired_metadata=True)
        run(table, picture)
        cleaned = now(table).metadata
        assert told(picture, "removed", "partition spec") == ids(table.metadata.specs) - ids(cleaned.specs) != set()
        assert told(picture, "removed", "schema") == ids(table.metadata.schemas) - ids(cleaned.schemas) != set()


def ids(of: Iterable[int]) -> set[str]:
    return {str(one) for one in of}


# --- rewriting --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scattered(spark: SparkSession, written_table: Callable[..., str]) -> Table:
    """Files of two sizes in two specs: small ones, one with most of its rows masked, one with few, and a big one."""
    name = written_table(
        "scattered",
        "CREATE TABLE {t} (id INT, region STRING, word STRING) USING iceberg"
        " TBLPROPERTIES ('write.delete.mode' = 'merge-on-read', 'format-version' = '2',"
        " 'write.distribution-mode' = 'none', 'write.delete.granularity' = 'file')",
        "INSERT INTO {t} SELECT /*+ REPARTITION(2) */ id, 'old', 'w' FROM range(6)",
        "ALTER TABLE {t} ADD PARTITION FIELD region",
        "INSERT INTO {t} SELECT /*+ REPARTITION(3) */ id, 'EU', 'w' FROM range(12)",
        "INSERT INTO {t} SELECT /*+ REPARTITION(2) */ 100 + id, 'US', 'w' FROM range(8)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ 1000 + id, 'AS', sha2(CAST(id AS STRING), 512) FROM range(400)",
        "DELETE FROM {t} WHERE id IN (1001, 1002)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ 2000 + id, 'AF', sha2(CAST(id AS STRING), 512) FROM range(300)",
        "DELETE FROM {t} WHERE id BETWEEN 2000 AND 2149",
        "DELETE FROM {t} WHERE region = 'EU' AND id IN (1, 6, 11)",
    )
    return Table.open(name, spark)


SMALL = {"target-file-size-bytes": "20000", "min-file-size-bytes": "8000", "max-file-size-bytes": "120000"}


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"options": SMALL},
        {"options": SMALL | {"min-input-files": "3", "delete-ratio-threshold": "0.9"}},
        {"options": SMALL | {"delete-file-threshold": 1, "min-input-files": 9, "target-file-size-bytes": "90000"}},
        {"options": {"rewrite-all": True}, "where": "id >= 100 AND id < 2000"},
        {"options": {"min-input-files": "2", "max-file-group-input-files": "2"}},
        {"options": {"min-input-files": "2"}, "sort_order": "id DESC", "where": "region IN ('US', 'old')"},
    ],
    ids=str,
)
def test_compacting_chooses_the_files_that_are_told(scattered: Table, arguments: dict[str, Any]) -> None:
    picture = scattered.dry_run.rewrite_data_files(**arguments)
    facts = picture.facts
    before = live(scattered)
    with put_back(scattered):
        done = run(scattered, picture)
        after = live(now(scattered))
        gone, new = before - after, after - before
        assert told(picture, "rewritten", "data") == gone
        assert done.rewritten_data_files_count == len(gone)
        assert done.rewritten_bytes_count == facts.sum_of("rewritten", "data").size_in_bytes
        assert not told(picture, "kept", "data") & gone
        assert bool(facts.expected_files) == bool(new)
        assert len(new) <= (facts.expected_files or 0), "masked rows, which are not written, were planned for"
        if picture.undo_sql:
            scattered.spark.sql(picture.undo_sql)
            assert live(now(scattered)) == before


@pytest.mark.parametrize(
    "arguments",
    [
        {"options": {"min-input-files": "0"}},
        {"options": {"target-file-size-bytes": "5", "min-file-size-bytes": "7"}},
        {"options": {"delete-ratio-threshold": "1.5"}},
        {"options": {"output-spec-id": "9"}},
        {"options": {"min-files": "9"}},
        {"options": {"min-input-files": "many"}},
        {"strategy": "shuffle"},
        {"strategy": "sort"},
        {"branch": "nope"},
    ],
    ids=str,
)
def test_compacting_is_refused_as_iceberg_refuses_it(scattered: Table, arguments: dict[str, Any]) -> None:
    picture = scattered.dry_run.rewrite_data_files(**arguments)
    assert picture.facts.refusal
    with pytest.raises(Exception, match=r".") as refused:
        run(scattered, picture)
    assert picture.facts.refusal in str(refused.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"options": {"min-input-files": "2"}},
        {"options": {"rewrite-all": True}, "where": "region = 'EU' AND id > 5"},
    ],
    ids=str,
)
def test_rewriting_positions_chooses_the_files_that_are_told(scattered: Table, arguments: dict[str, Any]) -> None:
    picture = scattered.dry_run.rewrite_position_delete_files(**arguments)
    before = live(scattered)
    with put_back(scattered):
        done = run(scattered, picture)
        after = live(now(scattered))
        assert told(picture, "rewritten", "position deletes") == before - after
        assert done.rewritten_delete_files_count == len(before - after)
        assert (picture.facts.expected_files or 0) == len(after - before) == done.added_delete_files_count


def test_positions_become_vectors_and_vectors_are_left_alone(scattered: Table) -> None:
    with put_back(scattered):
        scattered.spark.sql(f"ALTER TABLE {scattered.name} SET TBLPROPERTIES ('format-version' = '3')")
        upgraded = now(scattered)
        picture = upgraded.dry_run.rewrite_position_delete_files({"rewrite-all": True})
        before = live(upgraded)
        run(upgraded, picture)
        vectors = now(scattered)
        assert told(picture, "rewritten", "position deletes") == before - live(vectors)
        nothing = vectors.dry_run.rewrite_position_delete_files({"rewrite-all": True})
        assert nothing.facts.changes_nothing
        assert told(nothing, "kept", "deletion vector")
        assert run(vectors, nothing).rewritten_delete_files_count == 0
        compaction = vectors.dry_run.rewrite_data_files("region = 'AF'", {"rewrite-all": "true"})
        before = live(vectors)
        run(vectors, compaction)
        gone = before - live(now(vectors))
        assert told(compaction, "rewritten", "data") == {path for path in gone if path.endswith("parquet")}
        assert len(told(compaction, "lost", "deletion vector")) == 1


@pytest.mark.parametrize(
    ("spec_id", "properties"), [(None, ""), (0, ""), (1, "'commit.manifest.target-size-bytes' = '9000'")]
)
def test_rewriting_manifests_replaces_those_that_are_told(
    scattered: Table, spec_id: int | None, properties: str
) -> None:
    def manifests(table: Table) -> set[str]:
        return {row.path for row in table.spark.sql(f"SELECT path FROM {table.name}.manifests").collect()}

    with put_back(scattered):
        if properties:
            scattered.spark.sql(f"ALTER TABLE {scattered.name} SET TBLPROPERTIES ({properties})")
        table = now(scattered)
        picture = table.dry_run.rewrite_manifests(spec_id)
        before = manifests(table)
        done = run(table, picture)
        after = manifests(table)
        assert told(picture, "rewritten", "manifest") == before - after
        assert told(picture, "kept", "manifest") == before & after
        assert done.rewritten_manifests_count == len(before - after)
        assert len(after - before) <= (picture.facts.expected_files or 0)
        assert bool(after - before) == bool(picture.facts.expected_files)


# --- picking ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def branches(spark: SparkSession, written_table: Callable[..., str]) -> Table:
    """Commits beside main: 2 an append, 3, 4 and 5 dynamic overwrites of EU, US and ZZ, 6 an update, 9 the next one."""
    spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    overwrite = "INSERT OVERWRITE {t}.branch_%s SELECT /*+ COALESCE(1) */ id, '%s' FROM range(3)"
    name = written_table(
        "branches",
        "CREATE TABLE {t} (id INT, region STRING) USING iceberg PARTITIONED BY (region)",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, substr('EUUSZZ', CAST(id % 3 * 2 + 1 AS INT), 2) FROM range(12)",
        *(f"ALTER TABLE {{t}} CREATE BRANCH {branch}" for branch in "abcde"),
        "INSERT INTO {t}.branch_a SELECT /*+ COALESCE(1) */ id, 'AS' FROM range(5)",
        *(overwrite % pair for pair in (("b", "EU"), ("c", "US"), ("d", "ZZ"))),
        "UPDATE {t}.branch_e SET id = 100 WHERE id = 1",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, 'US' FROM range(2)",
        "DELETE FROM {t} WHERE region = 'ZZ'",
        "ALTER TABLE {t} CREATE BRANCH f",
        "INSERT INTO {t}.branch_f SELECT /*+ COALESCE(1) */ id, 'AS' FROM range(4)",
    )
    spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
    return Table.open(name, spark)


def test_compacting_a_branch_chooses_its_files_and_a_tag_is_refused(branches: Table) -> None:
    def of_branch() -> set[str]:
        at = "SELECT file_path FROM {}.files VERSION AS OF 'a'"
        return {row.file_path for row in branches.spark.sql(at.format(branches.name)).collect()}

    options = {"min-input-files": "2", "rewrite-all": "true"}
    picture = branches.dry_run.rewrite_data_files(branch="a", options=options)
    before, main = of_branch(), live(branches)
    assert before != main
    assert not picture.undo_sql
    at = branches.metadata.refs["a"].snapshot_id
    try:
        run(branches, picture)
        assert told(picture, "rewritten", "data") == before - of_branch() != set()
        assert live(now(branches)) == main
    finally:
        branches.spark.sql(f"ALTER TABLE {branches.name} CREATE OR REPLACE BRANCH a AS OF VERSION {at}")
    with put_back(branches):
        branches.spark.sql(f"ALTER TABLE {branches.name} CREATE TAG tagged")
        tagged = now(branches).dry_run.rewrite_data_files(branch="tagged", options=options)
        with pytest.raises(Exception, match="tagged is a tag, not a branch"):
            run(branches, tagged)
        assert tagged.facts.refusal == "tagged is a tag, not a branch"


@pytest.mark.parametrize("sort_by", [["region"], ["nope"], []])
def test_manifests_are_sorted_by_fields_of_the_spec_alone(branches: Table, sort_by: list[str]) -> None:
    picture = branches.dry_run.rewrite_manifests(sort_by=sort_by)
    if sort_by == ["region"]:
        with put_back(branches):
            assert run(branches, picture).rewritten_manifests_count == len(told(picture, "rewritten", "manifest"))
        return
    with pytest.raises(Exception, match=r".") as refused:
        run(branches, picture)
    assert picture.facts.refusal in str(refused.value)


@pytest.mark.parametrize("which", ["a", "b", "f"])
def test_picking_brings_the_files_that_are_told(branches: Table, which: str) -> None:
    picture = branches.dry_run.cherrypick_snapshot(which)
    before, head = live(branches), branches.metadata.current_snapshot_id or 0
    with put_back(branches):
        run(branches, picture)
        picked = now(branches)
        after = live(picked)
        assert told(picture, "added", "data") == after - before
        assert told(picture, "lost", "data") == before - after
        now_head = picked.metadata.current_snapshot_id or 0
        assert picture.facts.net_rows == count(picked, now_head) - count(picked, head)
        is_new = now_head not in branches.metadata.by_id
        assert is_new == (which != "f")
        again = picked.dry_run.cherrypick_snapshot(which)
        assert "already" in again.facts.refusal
        assert again.facts.refusal in refusal_of(picked, again)


@pytest.mark.parametrize("which", ["c", "d", "e", "main", 1, 77])
def test_a_pick_is_refused_as_iceberg_refuses_it(branches: Table, which: str | int) -> None:
    picture = branches.dry_run.cherrypick_snapshot(which)
    assert picture.facts.refusal
    assert picture.facts.refusal in refusal_of(branches, picture)


def refusal_of(table: Table, picture: DryRunPicture) -> str:
    """What Iceberg says when it refuses a statement."""
    with pytest.raises(Exception, match=r".") as refused:
        run(table, picture)
    return str(refused.value)


# --- orphans ----------------------------------------------------------------------------------------------------------


def aged(path: Path, at: datetime) -> None:
    os.utime(path, (at.timestamp(), at.timestamp()))


def litter(table: Table, at: datetime) -> None:
    """Leave things in the folder of a table that nothing names, of several ages, and some that are passed over."""
    for key, value in (("write.metadata.previous-versions-max", "2"), ("a", "b")):
        table.spark.sql(f"ALTER TABLE {table.name} SET TBLPROPERTIES ('{key}' = '{value}')")
    folder = folder_of(table)
    for name, days in (
        ("data/region=EU/old.parquet", 10),
        ("data/region=EU/empty.parquet", 10),
        ("data/odd name #1 %41.parquet", 5),
        ("data/_temporary/0/x.parquet", 10),
        ("data/.hidden.parquet", 10),
        ("data/new.parquet", 0),
        ("notes/älter.txt", 2),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"" if "empty" in name else b"x")
        aged(folder / name, at - timedelta(days=days))
    for path in folder.glob("metadata/v[1-4].*"):
        aged(path, at - timedelta(days=9))


def test_the_files_that_nothing_names_are_those_that_are_told(history: Table) -> None:
    at = datetime.now(UTC)
    with put_back(history):
        litter(history, at)
        table = now(history)
        data = f"{table.metadata.location}/data"
        found = []
        for arguments in (
            {"older_than": at - timedelta(days=1.5), "location": data},
            {},
        ):
            picture = table.dry_run.remove_orphan_files(**arguments)
            only_look = ",\n  dry_run => true\n)" if arguments else "\n)"
            removed = table.spark.sql(picture.sql.replace("\n)", only_look)).collect()
            assert told(picture, "removed", "file") == {row.orphan_file_location for row in removed}
            assert any("new.parquet" in path for path in told(picture, "kept", "file"))
            found.append(len(removed))
        assert found == [3, 7], "the metadata files that fell off the log are among them, of which there are four"
        assert not told(picture, "removed", "file") & stored(table), "the last was no dry run"


def test_orphans_younger_than_a_day_are_refused_and_so_is_a_table_that_must_not_be_cleaned(history: Table) -> None:
    young = history.dry_run.remove_orphan_files(older_than=datetime.now(UTC) - timedelta(hours=23))
    assert young.facts.refusal in refusal_of(history, young)
    with put_back(history):
        history.spark.sql(f"ALTER TABLE {history.name} SET TBLPROPERTIES ('gc.enabled' = 'false')")
        table = now(history)
        for picture in (table.dry_run.remove_orphan_files(), table.dry_run.expire_snapshots()):
            assert picture.facts.refusal
            assert picture.facts.refusal in refusal_of(table, picture)


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


# --- many files, and files elsewhere ----------------------------------------------------------------------------------


@pytest.mark.thorough  # the other paths to tasks have their own tests; this one waits for workers of Python
def test_what_is_read_in_spark_tasks_is_what_this_process_reads(
    scattered: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_now() -> list[frozenset[Any]]:
        asked = DryRuns(now(scattered)._version, datetime(2100, 1, 1, tzinfo=UTC))
        pictures = asked.rewrite_data_files(options=SMALL), asked.remove_orphan_files()
        return [frozenset(picture.facts.effects) for picture in pictures]

    here = told_now()
    monkeypatch.setattr(manifests, "SMALL_IN_BYTES", 0)
    assert told_now() == here


@pytest.mark.parametrize(
    "how", [{"most": 1}, pytest.param({"small_in_bytes": 0, "most": 1}, marks=pytest.mark.thorough)], ids=str
)
def test_files_that_expire_are_counted_where_they_are_too_many(history: Table, how: dict[str, int]) -> None:
    source = history._version.source
    ids = {snapshot.snapshot_id for snapshot in history.metadata.snapshots}
    gone = {history.snapshot(which).snapshot_id for which in (5, 6, 7)}
    here = reachable.only_of(source, gone, ids - gone)
    every = sums([Effect.of_file("removed", entry, "") for entry in here.entries])
    assert sum(of.count for of in every) == len(here.entries) > 1
    found = reachable.only_of(source, gone, ids - gone, **how)
    assert len(found.entries) == 1
    assert sums([Effect.of_file("removed", entry, "") for entry in found.entries], found.unlisted) == every
    assert (found.manifests, found.lists) == (here.manifests, here.lists)


def test_spark_lists_what_this_process_lists(history: Table) -> None:
    with put_back(history):
        litter(history, datetime.now(UTC))
        location = history.metadata.location
        here = [file for file in listing._on_this_disk(folder_of(history), []) if file.size_in_bytes]
        there = list(listing._by_spark(history._version.source, location))
        assert {replace(file, path=place(file.path).path) for file in there} == {
            replace(file, path=place(file.path).path) for file in here
        }


@pytest.mark.parametrize(
    ("text", "procedure", "arguments"),
    [
        ("rollback_to_snapshot(3)", "rollback_to_snapshot", {"snapshot_id": 3}),
        ("CALL lab.system.rollback_to_snapshot('{t}', 3)", "rollback_to_snapshot", {"snapshot_id": 3}),
        (
            "expire_snapshots(older_than => TIMESTAMP '2100-01-01', retain_last => 3)",
            "expire_snapshots",
            {"older_than": LATER, "retain_last": 3},
        ),
        (
            "CALL lab.system.rewrite_data_files(table => '{t}', options => map('min-input-files', '2', 'rewrite-all',"
            " true), where => 'region = ''US''');",
            "rewrite_data_files",
            {"options": {"min-input-files": "2", "rewrite-all": "true"}, "where": "region = 'US'"},
        ),
    ],
)
def test_a_call_is_read_as_it_is_written(history: Table, text: str, procedure: str, arguments: dict[str, Any]) -> None:
    by_text = history.dry_run.call(text.replace("{t}", history.name.removeprefix("lab."))).facts
    by_name = getattr(history.dry_run, procedure)(**arguments)
    assert (by_text.call, by_text.sums) == (by_name.facts.call, by_name.facts.sums)
    assert history.dry_run.call(by_name.sql).facts.call == by_name.facts.call, "the statement that is shown is read"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("DROP TABLE x", "is no procedure that can be run dry"),
        ("rollback_to_snapshot(now())", "is no number, text"),
        ("rollback_to_snapshot(1) DROP TABLE x", "stands after its end"),
        ("rollback_to_snapshot()", "takes snapshot_id, which is not given"),
        ("expire_snapshots(retain_last => 'x')", "retain_last cannot be 'x'"),
        ("remove_orphan_files(file_list_view => 'x')", "is not known here"),
        ("CALL lab.system.expire_snapshots('another.table')", "of another table"),
        ("", "is no procedure"),
    ],
)
def test_what_is_no_call_of_this_table_is_refused(history: Table, text: str, said: str) -> None:
    with pytest.raises(ExplorerError) as refused:
        history.dry_run.call(text)
    assert said in str(refused.value)
