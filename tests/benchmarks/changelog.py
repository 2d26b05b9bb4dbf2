"""How long a changelog of 50 commits takes, against Iceberg's own procedure for the same range.

    python -m tests.benchmarks.changelog [--rows 200000] [--commits 50] [--rounds 7]

The table is copy-on-write, in eight partitions of one file each; every commit rewrites one of them. An answer is asked
from the table's name on and read to its last row, but not brought to Python. Rounds as in `tests.benchmarks.run`.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

import click
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from explorer.model.changelog.facts import Mode
from tests.benchmarks.run import measured, started, verdict

NAME = "bench.t.changed"
PARTITIONS = 8
PROCEDURE: dict[Mode, tuple[str, list[str] | None]] = {
    "changes": ("", None),
    "updates": (", identifier_columns => array('id')", ["id"]),
    "net": (", net_changes => true", None),
}
AIM: dict[Mode, float] = {"changes": 1.0, "updates": 1.0, "net": 1.0}


def build(spark: SparkSession, rows: int, commits: int) -> None:
    spark.sql(
        f"CREATE TABLE {NAME} (id BIGINT, name STRING, amount DOUBLE, part INT) USING iceberg PARTITIONED BY (part)"
    )
    spark.sql(
        f"INSERT INTO {NAME} SELECT /*+ REPARTITION(1) */ id, concat('customer ', id), rand(1),"
        f" int(id % {PARTITIONS}) FROM range({rows})"
    )
    for number in range(1, commits):
        spark.sql(
            f"UPDATE {NAME} SET name = concat('changed ', id), amount = {number}"
            f" WHERE part = {number % PARTITIONS} AND id % 100 = {number}"
        )


def consumed(frame: DataFrame) -> None:
    frame.write.format("noop").mode("overwrite").save()


def by_procedure(spark: SparkSession, mode: Mode) -> Callable[[], None]:
    arguments = PROCEDURE[mode][0]

    def ask() -> None:
        spark.sql(
            f"CALL bench.system.create_changelog_view(table => '{NAME}', changelog_view => 'changes_seen'{arguments})"
        )
        consumed(spark.table("changes_seen"))

    return ask


def ours(mode: Mode) -> Callable[[], None]:
    identifiers = PROCEDURE[mode][1]
    return lambda: consumed(explorer.table(NAME).changelog(mode=mode, identifier_columns=identifiers).frame)


@click.command()
@click.option("--rows", default=200_000, show_default=True)
@click.option("--commits", default=50, show_default=True)
@click.option("--rounds", default=7, show_default=True)
def main(rows: int, commits: int, rounds: int) -> None:
    """Time the changelog of a copy-on-write table."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        build(spark, rows, commits)
        table = Table("asked", "median s", "procedure s", "× procedure", "aim", title_justify="left")
        table.title = f"{commits} commits on {rows:,} rows, {rounds} rounds"
        for mode in PROCEDURE:
            taken = measured({"procedure": (by_procedure(spark, mode), None), "ours": (ours(mode), None)}, rounds)
            ratio = statistics.median(a / b for a, b in zip(taken["ours"], taken["procedure"], strict=True))
            medians = (f"{statistics.median(taken[name]):.2f}" for name in ("ours", "procedure"))
            table.add_row(mode, *medians, f"{ratio:.2f}", verdict(ratio, AIM[mode]))
        Console(width=100).print(table)
        spark.stop()


if __name__ == "__main__":
    main()
