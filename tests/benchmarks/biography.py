"""How long the biography of a key takes on a table of many commits, against one SELECT of that key at one snapshot.

    python -m tests.benchmarks.biography [--rows 1000000] [--commits 1000] [--updates 10] [--rounds 5]
    python -m tests.benchmarks.biography --mode merge-on-read --rounds 1

Each commit appends its share of the rows as one file; some, in between, update the row that is asked about,
copy-on-write or merge-on-read. The biography is asked from the table's name on, by a reader that has read nothing
before; `again` by one that has.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from explorer.queries.files.known_history import forget
from tests.benchmarks.real_commits import RealCommits
from tests.benchmarks.run import measured, started, verdict

AIM = 5.0
MODES = ("copy-on-write", "merge-on-read")


def build(spark: SparkSession, name: str, mode: str, rows: int, commits: int, updates: int) -> int:
    """A table of so many rows and commits; the key that was updated."""
    spark.sql(
        f"CREATE TABLE {name} (id BIGINT, status STRING, amount DOUBLE) USING iceberg"
        f" TBLPROPERTIES ('write.update.mode'='{mode}', 'write.distribution-mode'='none')"
    )
    appends = commits - updates
    share, key = rows // appends, rows // appends // 2
    real = RealCommits(spark, name)
    for number in range(appends):
        ids = np.arange(number * share, (number + 1) * share)
        real.append(real.data_file(pa.table({"id": ids, "status": ["new"] * share, "amount": ids / 7})))
        if number % (appends // updates) == 0 and number // (appends // updates) < updates:
            spark.sql(f"UPDATE {name} SET status = 'changed {number}' WHERE id = {key}")
    return key


def asked(name: str, key: int, updates: int) -> None:
    biography = explorer.table(name).biography(f"id = {key}")
    assert len(biography.facts.lives) == 1
    assert list(biography.data["event"]) == ["CREATED"] + ["UPDATED"] * updates
    _ = biography.figure


@click.command()
@click.option("--rows", default=1_000_000, show_default=True)
@click.option("--commits", default=1_000, show_default=True)
@click.option("--updates", default=10, show_default=True, help="of the row that is asked about")
@click.option("--rounds", default=5, show_default=True)
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, default=MODES, show_default=True)
def main(rows: int, commits: int, updates: int, rounds: int, modes: tuple[str, ...]) -> None:
    """Time the biography of a row."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        title = f"one key of {rows:,} rows, {commits:,} commits, {updates} updates of it, {rounds} rounds"
        table = Table("table", "asked", "median s", "SELECT s", "× SELECT", "aim", title=title, title_justify="left")
        for number, mode in enumerate(modes):
            name = f"bench.t.lived_{number}"
            key = build(spark, name, mode, rows, commits, updates)

            def first(name: str = name, key: int = key) -> None:
                forget()
                asked(name, key, updates)

            taken = measured(
                {
                    "SELECT": (lambda: spark.sql(f"SELECT * FROM {name} WHERE id = {key}").collect(), None),  # noqa: B023
                    "first": (first, None),
                    "again": (lambda: asked(name, key, updates), None),  # noqa: B023 - asked before the next table
                },
                rounds,
            )
            for which in ("first", "again"):
                ratio = statistics.median(a / b for a, b in zip(taken[which], taken["SELECT"], strict=True))
                medians = (f"{statistics.median(taken[name]):.2f}" for name in (which, "SELECT"))
                table.add_row(mode, which, *medians, f"{ratio:.2f}", verdict(ratio, AIM))
        Console(width=110).print(table)
        spark.stop()


if __name__ == "__main__":
    main()
