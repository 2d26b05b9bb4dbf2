"""Any two snapshots of random histories of real tables: rows against the whole snapshots, files against Spark's tables.

Histories are of copy-on-write, merge-on-read, vectors, equality deletes, branches, rollbacks, compactions and columns
that come and go; some list a file twice at the end, or take it out and put it in again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.model.compare.facts import Comparison
from explorer.table import Table
from tests.oracle.row_histories import REFUSED, RowHistory
from tests.queries.changelog_histories import plain, quick

ALWAYS, THOROUGH, AT_ONCE = 10, 300, 5  # histories
STEPS, PAIRS = 6, 3

Rows = Counter[tuple[Any, ...]]


class Relisting(RowHistory):
    """A history that ends with a live file listed once more, or taken out and put in again under a new number."""

    def relist(self) -> None:
        jvm: Any = self.spark._jvm
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)
        planned = table.newScan().planFiles().iterator()
        # beside a vector that names it, a file under a newer number is corrupt
        tasks = [task for task in planned if not any(d.format().name() == "PUFFIN" for d in task.deletes())]
        if not tasks:
            return
        file = self.pick.choice(tasks).file().copy()
        kind = self.pick.choice(["again", "out and in", "nothing"])
        self.done.append(f"{file.location()} listed {kind}")
        try:
            if kind == "out and in":
                table.newDelete().deleteFile(file).commit()
            if kind != "nothing":
                table.newAppend().appendFile(file).commit()
        except REFUSED as error:
            self.done.append(f"refused: {str(error)[:200]}")


def whole(table: Table, snapshot_id: int, columns: list[int]) -> Rows:
    """All rows of a snapshot as tuples of columns, by field id; None for a column that it lacks."""
    document = table._version.source.document
    schemas = {schema["schema-id"]: schema for schema in document["schemas"]}
    own = schemas[table.metadata.by_id[snapshot_id].schema_id or 0]
    places = {field["id"]: i for i, field in enumerate(own["fields"])}
    read = table.spark.read.format("iceberg").option("versionAsOf", str(snapshot_id)).table(table.name)
    return Counter(tuple(plain(row[places[i]]) if i in places else None for i in columns) for row in read.collect())


def live_files(table: Table, snapshot_id: int) -> Counter[tuple[str, int | None, int]]:
    """By Iceberg's own table: path, offset and content of each listing of a live file."""
    rows = table.spark.sql(
        "SELECT data_file.file_path AS path, data_file.content_offset AS at, data_file.content"
        f" FROM {table.name}.entries VERSION AS OF {snapshot_id} WHERE status < 2"
    ).collect()
    return Counter((row.path, row.at, row.content) for row in rows)


def check_files(table: Table, facts: Comparison) -> None:
    """What only one side has, and what both have, by the paths that Spark lists at each."""
    left, right = (live_files(table, point.snapshot.snapshot_id) for point in (facts.left, facts.right))
    totals = facts.files.totals
    for side, here, there in ((totals.left, left, right), (totals.right, right, left)):
        data = sum(n for key, n in here.items() if key not in there and key[2] == 0)
        found = sum(tally.files for kind, tally in side.items() if kind == "data")
        # a second listing in another manifest may be told as a file of one side alone, until rows are read
        extra = sum(n for key, n in here.items() if key in there and key[2] == 0 and n != there[key])
        assert data <= found <= data + extra, (data, found, extra)
    sums = {figure.name: (figure.left, figure.right) for figure in facts.figures}
    assert sums["data files"] == tuple(sum(n for key, n in side.items() if key[2] == 0) for side in (left, right))
    assert sums["delete files"] == tuple(sum(n for key, n in side.items() if key[2] != 0) for side in (left, right))
    if facts.files.are_equal:
        assert left == right


def check_rows(table: Table, left: int, right: int) -> None:
    facts = table.compare(left, right, rows=True).facts
    assert facts.rows is not None
    document = table._version.source.document
    schema = next(s for s in document["schemas"] if s["schema-id"] == facts.right.schema_id)
    ids = [field["id"] for field in schema["fields"]]
    before, after = (whole(table, point.snapshot.snapshot_id, ids) for point in (facts.left, facts.right))
    rows = facts.rows
    assert rows.inserted + rows.updated == (after - before).total()
    assert rows.deleted + rows.updated == (before - after).total()
    assert rows.net == after.total() - before.total()
    for kind in ("inserted", "updated", "deleted"):
        sampled = [pair for pair in rows.sample if pair.kind == kind]
        assert len(sampled) == (min(rows.count(kind), 50) if rows.read else 0)
        assert all((pair.left is None) == (kind == "inserted") for pair in sampled)
        assert all((pair.right is None) == (kind == "deleted") for pair in sampled)
    check_files(table, facts)


def check_order(table: Table, one: int, other: int) -> None:
    """Whichever is named first, and without rows what is certain is what reading tells."""
    pictures = [table.compare(one, other), table.compare(other, one)]
    first, second = (picture.facts for picture in pictures)
    assert (first.left.snapshot, first.right.snapshot) == (second.left.snapshot, second.right.snapshot)
    assert first.files == second.files
    assert first.fields == second.fields
    assert pictures[0].title == pictures[1].title
    assert pictures[0].data.equals(pictures[1].data)
    back = table.compare(one, other, swap=True).facts
    assert (back.left.snapshot, back.right.snapshot) == (first.right.snapshot, first.left.snapshot)
    assert (back.files.totals.left, back.files.totals.right) == (first.files.totals.right, first.files.totals.left)
    if first.rows is not None:
        read = table.compare(one, other, rows=True).facts.rows
        assert read is not None
        listed_twice = any(
            n > 1 for p in (first.left, first.right) for n in live_files(table, p.snapshot.snapshot_id).values()
        )
        if not listed_twice:
            assert (read.inserted, read.updated, read.deleted) == (first.rows.inserted, 0, first.rows.deleted)


def play(spark: SparkSession, name: str, seed: int) -> int:
    session = quick(spark)
    session.conf.unset("spark.sql.iceberg.compression-codec")  # ORC knows no "uncompressed"
    history = Relisting(session, name, seed)
    history.play(STEPS)
    history.relist()
    table = Table.open(name, session)
    ids = [snapshot.snapshot_id for snapshot in table.metadata.snapshots]
    pairs = [(history.pick.choice(ids), history.pick.choice(ids)) for _ in range(PAIRS - 1)] + [(ids[0], ids[-1])]
    pair = pairs[0]
    try:
        for pair in pairs:
            check_rows(table, *pair)
        check_order(table, *pairs[0])
    except BaseException as error:
        happened = "\n  ".join(history.done)
        numbers = [table.metadata.by_id[i].sequence_number for i in pair]
        raise AssertionError(f"seed {seed}, snapshots {numbers}:\n  {happened}\n{error!r}") from error
    return len(pairs)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.thorough] if first >= ALWAYS else [])
        for first in range(0, THOROUGH, AT_ONCE)
    ],
)
def test_two_points_of_random_histories_differ_as_their_whole_snapshots_do(
    spark: SparkSession, fresh_table: Callable[..., str], first: int
) -> None:
    seeds = range(first, first + AT_ONCE)
    names = [fresh_table("compared") for _ in seeds]
    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(lambda name, seed: play(spark, name, seed), names, seeds)) == PAIRS * AT_ONCE
