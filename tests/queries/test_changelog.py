from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from explorer.model.commit_range import commit_range
from tests.queries.changelog_facts import OpenedChangelog
from tests.queries.changelog_histories import LiveHistory, differences, plain, printed, quick

REWRITES = ["insert", "delete", "update", "move", "merge", "overwrite", "put_back", "compact", "rewrite_manifests"]
HISTORIES = [
    (1, "copy-on-write", 1),
    (2, "copy-on-write", 2),
    (2, "copy-on-write", 3),
    (3, "copy-on-write", 4),
    (2, "merge-on-read", 5),
    (3, "merge-on-read", 6),
]


@pytest.fixture(scope="module")
def fast(spark: SparkSession) -> SparkSession:
    return quick(spark)


@pytest.fixture(scope="module")
def lived(fast: SparkSession, fresh_table: Callable[..., str]) -> Callable[..., OpenedChangelog]:
    """Tables with a random past, each made once."""
    made: dict[Any, OpenedChangelog] = {}

    def make(version: int, mode: str, seed: int) -> OpenedChangelog:
        if (version, mode, seed) not in made:
            past = LiveHistory(fast, fresh_table("lived"), seed, version=version, mode=mode)
            past.play(7, REWRITES)
            past.evolve()
            past.play(2, REWRITES)
            made[version, mode, seed] = OpenedChangelog(fast, past.name)
        return made[version, mode, seed]

    return make


def exact(rows: Sequence[Row]) -> Counter[Any]:
    return Counter(tuple(plain(value) for value in row) for row in rows)


def by_iceberg(table: OpenedChangelog, start: int | None, end: int, **arguments: str) -> Counter[Any]:
    """The rows of `create_changelog_view`."""
    options = ("" if start is None else f"'start-snapshot-id', '{start}', ") + f"'end-snapshot-id', '{end}'"
    more = "".join(f", {name} => {value}" for name, value in arguments.items())
    table.spark.sql(
        f"CALL lab.system.create_changelog_view(table => '{table.name}', changelog_view => 'seen',"
        f" options => map({options}){more})"
    )
    return exact(table.spark.table("seen").collect())


def ours(table: OpenedChangelog, mode: Any, start: int | None, end: int, **how: Any) -> Counter[Any]:
    frame = table.rows(mode, start, end, **how)
    assert frame.columns[-1] == "_commit_sequence_number"
    return exact(frame.drop("_commit_sequence_number").collect())


def ranges(table: OpenedChangelog, seed: int) -> list[tuple[int | None, int]]:
    line = [commit.snapshot.snapshot_id for commit in commit_range(table.metadata, None, None).commits]
    start, end = sorted(random.Random(seed).sample(range(len(line)), 2))
    return [(None, line[-1]), (line[start], line[end])]


@pytest.mark.parametrize(("version", "mode", "seed"), HISTORIES)
def test_changes_of_each_commit_are_the_difference_of_two_whole_snapshots(
    lived: Callable[..., OpenedChangelog], version: int, mode: str, seed: int
) -> None:
    table = lived(version, mode, seed)
    facts, query = table.query("changes")
    columns = list(facts.columns)
    commits = [(c.snapshot.parent_id, c.snapshot.snapshot_id) for c in facts.range.numbered]
    rows = query.rows(table.spark).collect()
    assert printed(rows, columns) == differences(table.spark, table.name, commits, columns)
    places = {c.snapshot.snapshot_id: (c.ordinal, c.snapshot.sequence_number) for c in facts.range.numbered}
    assert all(places[r._commit_snapshot_id] == (r._change_ordinal, r._commit_sequence_number) for r in rows)
    assert facts.range.replaced or seed not in (2, 5)
    sources = {stretch.source for stretch in facts.stretches}
    assert ("row question" in sources) == (mode == "merge-on-read")
    assert facts.unread == ()


@pytest.mark.parametrize(("version", "mode", "seed"), [h for h in HISTORIES if h[1] == "copy-on-write"])
def test_every_mode_agrees_with_icebergs_own_procedure(
    lived: Callable[..., OpenedChangelog], version: int, mode: str, seed: int
) -> None:
    table = lived(version, mode, seed)
    for start, end in ranges(table, seed):
        assert ours(table, "changes", start, end) == by_iceberg(table, start, end)
        assert ours(table, "net", start, end) == by_iceberg(table, start, end, net_changes="true")
        assert ours(table, "updates", start, end, identifiers=["ID"]) == by_iceberg(
            table, start, end, identifier_columns="array('id')"
        )
        options = {"end-snapshot-id": str(end)} | ({} if start is None else {"start-snapshot-id": str(start)})
        scan = table.spark.read.format("iceberg").options(**options).table(f"{table.name}.changes")
        assert ours(table, "raw", start, end) == exact(scan.collect())
