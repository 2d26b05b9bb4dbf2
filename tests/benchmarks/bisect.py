"""How many snapshots a bisection asks where few of many commits can have changed the answer.

    python -m tests.benchmarks.bisect [--commits 4000] [--candidates 40]
    python -m tests.benchmarks.bisect --real 200

The change is put at every candidate in turn, with and without replaces among them, and with a tenth of the candidates
that cannot be asked. `--real` writes a table of so many commits too, of which the candidates touch the key that is
asked about, and times its bisection against the statement at every snapshot in a row.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from explorer.model.bisect.facts import Answer, Candidate, bisected, price
from tests.benchmarks.real_commits import RealCommits
from tests.benchmarks.run import started, verdict

AIM = 9
SQL = "SELECT count(id) FROM {t} WHERE id = 7"


def reads(commits: int, places: list[int], late: set[int], lost: set[int]) -> Iterator[int]:
    """How many snapshots are asked, for a change at each of these places."""
    candidates = [Candidate(place, "files", place in late) for place in places]
    for first in places:

        def ask(place: int, first: int = first) -> Answer:
            return Answer(None, "lost") if place in lost else Answer(str(int(place >= first)))

        found = bisected(ask, commits, candidates, every=False, is_boolean=False)
        assert lost or len(found) <= price(candidates, [1] * (commits + 1), every=False).reads
        yield len(found)


def build(spark: SparkSession, name: str, commits: int, candidates: int) -> None:
    """A table of so many appends, of which so many have rows around the key."""
    spark.sql(f"CREATE TABLE {name} (id BIGINT) USING iceberg TBLPROPERTIES ('commit.manifest-merge.enabled'='true')")
    real = RealCommits(spark, name)
    for number in range(commits):
        touches = number % max(commits // candidates, 1) == 0
        ids = [0, 7, 9] if touches and number > commits * 0.6 else [0, 9] if touches else [100, 200]
        real.append(real.data_file(pa.table({"id": np.array(ids)})))
    spark.sql(f"REFRESH TABLE {name}")


def timed(table: Table, commits: int, candidates: int) -> None:
    """A row for a real table."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        build(spark, "bench.t.bisected", commits, candidates)
        opened = explorer.table("bench.t.bisected")
        before = time.perf_counter()
        found = opened.bisect(SQL).facts
        taken = time.perf_counter() - before
        before = time.perf_counter()
        for snapshot in found.snapshots[::20]:
            spark.sql(SQL.replace("{t}", f"bench.t.bisected VERSION AS OF {snapshot.snapshot_id}")).collect()
        row = (time.perf_counter() - before) * 20
        asked, of = len(found.reads), len(found.candidates)
        what = f"real, {of} of {commits:,}: {taken:.1f} s, every snapshot in a row {row:.0f} s"
        table.add_row(what, str(asked), str(asked), verdict(asked, AIM))
        spark.stop()


@click.command()
@click.option("--commits", default=4_000, show_default=True)
@click.option("--candidates", default=40, show_default=True)
@click.option("--real", default=0, show_default=True, help="commits of a table that is written, 0 for none")
def main(commits: int, candidates: int, real: int) -> None:
    """Count the snapshots that are asked."""
    pick = random.Random(1)
    places = sorted(pick.sample(range(1, commits + 1), candidates))
    some = set(pick.sample(places, candidates // 10))
    title = f"{candidates} of {commits:,} commits can have changed the answer: snapshots asked, both ends counted"
    table = Table("candidates", "median", "most", "aim", title=title, title_justify="left")
    for what, late, lost in (
        ("all alike", set[int](), set[int]()),
        ("a tenth are replaces", some, set[int]()),
        ("a tenth cannot be asked", set[int](), some),
    ):
        found = list(reads(commits, places, late, lost))
        table.add_row(what, f"{statistics.median(found):.0f}", str(max(found)), verdict(max(found), AIM))
    if real:
        timed(table, real, candidates)
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
