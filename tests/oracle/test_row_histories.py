"""What a commit did to rows, on random histories of real tables, against the whole snapshots before and after it.

With `--thorough` a thousand are played; a failure names the seed and what happened in its history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.model.iceberg.row_lineage import row_ids
from explorer.model.iceberg.touched_files import TouchedFiles
from explorer.queries.rows import chosen_files, file_rows, line_files, rewritten_files
from explorer.queries.rows.file_rows import Others
from explorer.queries.source import Source
from tests.oracle.row_histories import RowHistory
from tests.queries.changelog_facts import OpenedChangelog
from tests.queries.changelog_histories import plain, quick
from tests.queries.row_facts import OpenedRows

ALWAYS, THOROUGH, AT_ONCE = 20, 1000, 10  # histories
STEPS = 5

Rows = Counter[tuple[Any, ...]]


@pytest.fixture(autouse=True)
def _among_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a table that has very many files: of every other history the touched ones are read by themselves.

    Of the others the rows of rewritten files are looked for where they were, as where only a scan can read them.
    """
    for module in (rewritten_files, file_rows, line_files):
        monkeypatch.setattr(module, "others", lambda *_: Others(10**6, 10**12))
    monkeypatch.setattr(rewritten_files, "alternatives", lambda *_: 64)
    can_read = chosen_files.can_read
    monkeypatch.setattr(chosen_files, "can_read", lambda source: _is_even(source) and can_read(source))


def _is_even(source: Source) -> bool:
    return int(str(source.located.relation).strip("`")[-1]) % 2 == 0


def whole(table: OpenedRows, snapshot_id: int | None, columns: list[int]) -> Rows:
    """All rows of a snapshot as tuples of the given columns, by field id; None for a column that it lacks."""
    if snapshot_id is None:
        return Counter()
    schemas = {schema["schema-id"]: schema for schema in table.document["schemas"]}
    own = schemas[table.metadata.by_id[snapshot_id].schema_id]
    places = {field["id"]: i for i, field in enumerate(own["fields"])}
    read = table.spark.read.format("iceberg").option("versionAsOf", str(snapshot_id)).table(table.name)
    return Counter(tuple(plain(row[places[i]]) if i in places else None for i in columns) for row in read.collect())


def check_commit(table: OpenedRows, snapshot_id: int, whole_snapshots: dict[Any, Rows]) -> None:
    """Gone and new rows are the difference of the snapshots, and every file holds as many rows as it says."""
    metadata = table.metadata
    snapshot = metadata.by_id[snapshot_id]
    usable = row_ids(metadata, table.commit(snapshot_id)).usable
    files = table.touched(snapshot_id)
    question = table.question(snapshot_id, row_ids=usable)
    ids = [field["id"] for field in question.schema["fields"]]

    def of(which: int | None) -> Rows:
        key = which, tuple(ids)
        if key not in whole_snapshots:
            whole_snapshots[key] = whole(table, which, ids)
        return whole_snapshots[key]

    before, after = of(snapshot.parent_id), of(snapshot_id)
    assert question.gone is not None
    rows = question.gone.selectExpr("true AS gone_here", "*").unionAll(question.new.selectExpr("false", "*")).collect()
    gone = Counter(tuple(map(plain, row[1 : len(ids) + 1])) for row in rows if row[0])
    new = Counter(tuple(map(plain, row[1 : len(ids) + 1])) for row in rows if not row[0])
    assert (gone - new, new - gone) == (before - after, after - before)
    places = [(row[0], row[len(ids) + 1], row[len(ids) + 2]) for row in rows]
    assert len(set(places)) == len(places)
    check_sums(table, snapshot_id, files, Counter((gone_here, path) for gone_here, path, _ in places))


def check_sums(table: OpenedRows, snapshot_id: int, files: TouchedFiles, rows: Counter[tuple[bool, str]]) -> None:
    """Without deletes in the snapshot every row of its files is visible; with them no more than are stored."""
    metadata = table.metadata
    for gone, of, entries in (
        (True, metadata.by_id[snapshot_id].parent_id, files.removed),
        (False, snapshot_id, files.added),
    ):
        if entries:
            assert of is not None
            summary = metadata.by_id[of].summary
            deletes = summary["total-delete-files"] != "0"
            for entry in entries:
                seen, stored = rows[gone, entry.file_path], entry.record_count
                assert seen <= stored if deletes else seen == stored


def check_facts(table: OpenedRows, snapshot_id: int, before: Rows, after: Rows) -> None:
    """The sums of the facts, and what changed against the difference of the snapshots."""
    facts = table.rows(snapshot_id)
    gone = new = 0
    for file in facts.files:
        outcomes = file.outcomes
        if file.change == "added":
            assert outcomes.carried_over + outcomes.inserted + outcomes.updated + outcomes.unseen == file.record_count
        elif file.change == "removed":
            assert outcomes.carried_over + outcomes.updated + outcomes.deleted + outcomes.unseen == file.record_count
        assert outcomes.unseen >= 0
        masked = sum(mask.rows for mask in file.masked_by)
        if file.change == "kept":
            assert masked >= outcomes.deleted + outcomes.updated + outcomes.carried_over or outcomes.inserted
    for partition in facts.by_partition:
        gone += partition.gone.carried_over + partition.gone.updated + partition.gone.deleted
        new += partition.new.carried_over + partition.new.updated + partition.new.inserted
    totals = facts.totals
    assert gone == totals.carried_over + totals.updated + totals.deleted
    assert new == totals.carried_over + totals.updated + totals.inserted
    assert gone - new == before.total() - after.total()
    assert sum(r.rows for r in facts.ribbons) == totals.carried_over + totals.updated
    if facts.pairing == "none":
        assert totals.deleted == (before - after).total()
        assert totals.inserted == (after - before).total()
    else:
        assert totals.deleted + totals.updated >= (before - after).total()
    assert facts.changed_by_replace == 0
    if table.metadata.by_id[snapshot_id].operation == "replace":
        assert facts.changed == 0
    assert not [note for note in facts.notes if "counts too few" in note.about]


def check_changelog(opened: OpenedChangelog, table: OpenedRows, whole_snapshots: dict[Any, Rows]) -> None:
    """The changed rows of every commit of the line, told together, are the differences of whole snapshots."""
    facts, query = opened.query("changes")
    schema = next(s for s in table.document["schemas"] if s["schema-id"] == table.document["current-schema-id"])
    ids = tuple(field["id"] for field in schema["fields"])
    found: dict[int, Rows] = {c.snapshot.snapshot_id: Counter() for c in facts.range.numbered}
    for row in query.rows(opened.source).collect():
        sign = {"INSERT": 1, "DELETE": -1}[row._change_type]
        found[row._commit_snapshot_id][tuple(map(plain, row[: len(ids)]))] += sign
    assert facts.unread == ()
    for commit in facts.range.numbered:
        snapshot = commit.snapshot
        for which in (snapshot.parent_id, snapshot.snapshot_id):
            if (which, ids) not in whole_snapshots:
                whole_snapshots[which, ids] = whole(table, which, list(ids))
        expected = Counter(whole_snapshots[snapshot.snapshot_id, ids])
        expected.subtract(whole_snapshots[snapshot.parent_id, ids])
        assert {row: n for row, n in found[snapshot.snapshot_id].items() if n} == {
            row: n for row, n in expected.items() if n
        }, f"changelog at {snapshot.sequence_number}"


def play(spark: SparkSession, name: str, seed: int) -> int:
    """Play a history and check each of its commits; the number of commits."""
    session = quick(spark)
    session.conf.unset("spark.sql.iceberg.compression-codec")  # ORC knows no "uncompressed"
    history = RowHistory(session, name, seed).play(STEPS)
    table = OpenedRows(session, name)
    rows: dict[Any, Rows] = {}
    snapshots = table.metadata.snapshots
    try:
        for snapshot in snapshots:
            check_commit(table, snapshot.snapshot_id, rows)
        chosen = history.pick.choice(snapshots)
        schemas = {schema["schema-id"]: schema for schema in table.document["schemas"]}
        ids = tuple(field["id"] for field in schemas[chosen.schema_id]["fields"])
        check_facts(table, chosen.snapshot_id, rows[chosen.parent_id, ids], rows[chosen.snapshot_id, ids])
        check_changelog(OpenedChangelog(session, name), table, rows)
    except BaseException as error:
        happened = "\n  ".join(history.done)
        raise AssertionError(f"seed {seed}, commit {snapshot.sequence_number}:\n  {happened}\n{error}") from error
    return len(snapshots)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.thorough] if first >= ALWAYS else [])
        for first in range(0, THOROUGH, AT_ONCE)
    ],
)
def test_rows_of_random_histories_are_the_difference_of_whole_snapshots(
    spark: SparkSession, fresh_table: Callable[..., str], first: int
) -> None:
    seeds = range(first, first + AT_ONCE)
    names = [fresh_table("history") for _ in seeds]
    with ThreadPoolExecutor(2) as pool:
        commits = list(pool.map(lambda name, seed: play(spark, name, seed), names, seeds))
    assert min(commits) >= 1
    assert sum(commits) > 2 * len(commits)
