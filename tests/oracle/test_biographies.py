"""What became of rows, on random histories of real tables, against Spark's reading of every snapshot of every line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.model.biography.facts import Biography, shown_at
from explorer.table import Table
from tests.oracle.row_histories import RowHistory, quoted
from tests.queries.changelog_histories import quick
from tests.queries.row_facts import OpenedRows

ALWAYS, THOROUGH, AT_ONCE = 20, 400, 10  # histories
STEPS = 6

Rows = Counter[tuple[str, ...]]


def as_text(name: str, kind: Any) -> str:
    """As a biography tells a value: null as `null`, binary in hexadecimal, times in UTC."""
    column = quoted(name)
    shown = f"CAST({column} AS STRING)"
    if kind == "binary":
        shown = f"concat('0x', lower(hex({column})))"
    elif kind == "timestamptz":
        shown = f"CAST(to_utc_timestamp({column}, current_timezone()) AS STRING)"
    elif kind == "double":
        shown = f"CAST(CAST({column} AS DOUBLE) AS STRING)"
    return f"coalesce({shown}, 'null')"


def read(table: OpenedRows, snapshot_id: int, condition: str) -> Rows:
    """The rows of a snapshot that meet a condition on `id`, in the columns of the current schema."""
    schemas = {schema["schema-id"]: schema for schema in table.document["schemas"]}
    current = schemas[table.document["current-schema-id"]]["fields"]
    own = {field["id"]: field for field in schemas[table.metadata.by_id[snapshot_id].schema_id]["fields"]}
    columns = [
        as_text(own[field["id"]]["name"], field["type"]) if field["id"] in own else "'null'" for field in current
    ]
    frame = table.spark.read.format("iceberg").option("versionAsOf", str(snapshot_id)).table(table.name)
    return Counter(map(tuple, frame.where(condition).selectExpr(*columns).collect()))


def check(table: OpenedRows, biography: Biography) -> int:
    """At every snapshot of every line the rows that live there; the number of snapshots."""
    snapshots = 0
    for index, line in enumerate(biography.lines):
        for place, snapshot in enumerate(line.snapshots):
            if snapshot is None or (index and place == 0):
                continue
            told = Counter(row.values for row in shown_at(biography, index, place))
            assert told == read(table, snapshot.snapshot_id, biography.condition), (line.name, place)
            snapshots += 1
    return snapshots


def by_row_lifetimes(table: OpenedRows, opened: Table) -> Counter[tuple[Any, ...]]:
    """The rows that each commit of main gave up and brought, as raw changelogs tell them of the lifetimes of rows."""
    schemas = {schema["schema-id"]: schema for schema in table.document["schemas"]}
    fields = schemas[table.document["current-schema-id"]]["fields"]
    texts = (as_text(field["name"], field["type"]) for field in fields)
    rows = opened.changelog(mode="raw").frame.selectExpr("_commit_snapshot_id", "_change_type", *texts)
    return Counter((i, kind, tuple(values)) for i, kind, *values in rows.collect())


def by_biography(biography: Biography) -> Counter[tuple[Any, ...]]:
    """The same by where and when rows of the biography were seen."""
    found: Counter[tuple[Any, ...]] = Counter()
    before: Counter[tuple[Any, ...]] = Counter()
    for place, snapshot in enumerate(biography.lines[0].snapshots):
        seen = Counter((row.file_path, row.position, row.values) for row in shown_at(biography, 0, place))
        if place and snapshot is not None and snapshot.operation != "replace":
            for kind, changed in (("DELETE", before - seen), ("INSERT", seen - before)):
                found.update((snapshot.snapshot_id, kind, values) for _, _, values in changed.elements())
        before = seen
    return found


def check_events(biography: Biography) -> None:
    """A row is not created twice on a line, nor deleted while it is not seen; what is updated differs."""
    for life in biography.lives:
        for index in range(len(biography.lines)):
            events = [event for event in life.on(index) if event.move is None]
            seen = life.at(index, 0) is not None
            for event in events:
                if event.kind in ("CREATED", "RETURNED"):
                    assert event.place == 0 or not (stretch := life.at(index, event.place - 1)) or not stretch.shown
                else:
                    assert (stretch := life.at(index, event.place - 1)) is not None
                    assert stretch.shown
                after = life.at(index, event.place)
                assert bool(after and after.shown) == (event.kind != "DELETED")
                assert event.kind != "UPDATED" or event.changed or event.row.row_id is not None
                assert event.kind != "MOVED" or not event.changed
                seen = True
            assert seen or not events


def play(spark: SparkSession, name: str, seed: int) -> int:
    session = quick(spark)
    session.conf.unset("spark.sql.iceberg.compression-codec")  # ORC knows no "uncompressed"
    history = RowHistory(session, name, seed).play(STEPS)
    table, snapshots = OpenedRows(session, name), 0
    opened = Table.open(name, session)
    key = history.pick.randint(0, 9)
    conditions = [f"id = {key}", f"id IN ({key}, 3)", "id % 3 = 1", "id IS NULL", f"id IS NULL OR id = {key}"]
    try:
        for condition in (history.pick.choice(conditions), "id >= 0 OR id IS NULL"):
            biography = opened.biography(condition).facts
            snapshots += check(table, biography)
            check_events(biography)
        assert by_biography(biography) == by_row_lifetimes(table, opened)
    except BaseException as error:
        happened = "\n  ".join(history.done)
        raise AssertionError(f"seed {seed}, {condition}:\n  {happened}\n{error}") from error
    return snapshots


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.thorough] if first >= ALWAYS else [])
        for first in range(0, THOROUGH, AT_ONCE)
    ],
)
def test_rows_live_where_spark_reads_them(spark: SparkSession, fresh_table: Callable[..., str], first: int) -> None:
    seeds = range(first, first + AT_ONCE)
    names = [fresh_table("biography") for _ in seeds]
    with ThreadPoolExecutor(2) as pool:
        snapshots = list(pool.map(lambda name, seed: play(spark, name, seed), names, seeds))
    assert min(snapshots) >= 2
