"""How long a changelog of 50 commits takes, against Iceberg's own procedure for the same range.

    python -m tests.benchmarks.changelog [--rows 200000] [--commits 50] [--rounds 7]
    python -m tests.benchmarks.changelog --how merge-on-read --rows 1000000 --commits 1000 --rounds 1 [--mode changes]

The table is in eight partitions; every commit updates some rows of one of them. Copy-on-write rewrites the one file of
the partition for a twenty-fifth of its rows; merge-on-read adds a file of a thousand rows and a delete, and as the
procedure refuses delete files, one scan of each data and delete file is what the changelog is held against. An answer
is asked from the table's name on and read to its last row, but not brought to Python. Rounds as in
`tests.benchmarks.run`.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from explorer.model.changelog.facts import Mode
from tests.benchmarks.real_commits import RealCommits
from tests.benchmarks.run import measured, started, verdict

NAME = "bench.t.changed"
PARTITIONS, UPDATED = 8, 1_000
PROCEDURE: dict[Mode, tuple[str, list[str] | None]] = {
    "changes": ("", None),
    "updates": (", identifier_columns => array('id')", ["id"]),
    "net": (", net_changes => true", None),
}
AIM = {"copy-on-write": 0.7, "merge-on-read": 2.0}


def build(spark: SparkSession, rows: int, commits: int, how: str) -> None:
    """The table; merge-on-read not as Spark updates it, which a thousand times takes too long."""
    spark.sql(
        f"CREATE TABLE {NAME} (id BIGINT, name STRING, amount DOUBLE, part INT) USING iceberg PARTITIONED BY (part)"
        f" TBLPROPERTIES ('format-version'='2', 'write.update.mode'='{how}')"
    )
    if how == "merge-on-read":
        merge_on_read(spark, rows, commits)
        return
    spark.sql(
        f"INSERT INTO {NAME} SELECT /*+ REPARTITION(1) */ id, concat('customer ', id), rand(1),"
        f" int(id % {PARTITIONS}) FROM range({rows})"
    )
    for number in range(1, commits):
        spark.sql(
            f"UPDATE {NAME} SET name = concat('changed ', id), amount = {number}"
            f" WHERE part = {number % PARTITIONS} AND id % 100 = {number % 100}"
        )


def merge_on_read(spark: SparkSession, rows: int, commits: int) -> None:
    """Commits that each update a thousand rows of a partition, most of them several times in the end."""
    real = RealCommits(spark, NAME)
    in_partition = rows // PARTITIONS
    files = [real.data_file(customers(np.arange(in_partition), part, 0), f"part={part}") for part in range(PARTITIONS)]
    real.append(*files)
    paths = [[str(file.location())] for file in files]
    file_of = np.zeros((PARTITIONS, in_partition), np.int64)
    position_of = np.tile(np.arange(in_partition), (PARTITIONS, 1))
    apart = in_partition // UPDATED
    for number in range(1, commits):
        part, turn = number % PARTITIONS, number // PARTITIONS
        chosen = np.arange(UPDATED) * apart + turn % max(1, apart // 5)
        held = [paths[part][file] for file in file_of[part, chosen]]
        deletes = real.position_deletes(held, position_of[part, chosen].tolist(), f"part={part}")
        file = real.data_file(customers(chosen, part, number), f"part={part}")
        real.row_delta(file, deletes)
        paths[part].append(str(file.location()))
        file_of[part, chosen], position_of[part, chosen] = len(paths[part]) - 1, np.arange(UPDATED)
    spark.sql(f"REFRESH TABLE {NAME}")
    assert spark.table(NAME).agg({"id": "count"}).collect()[0][0] == in_partition * PARTITIONS


def customers(numbers: NDArray[np.int64], part: int, commit: int) -> pa.Table:
    """Rows of a partition as a commit leaves them."""
    ids = numbers * PARTITIONS + part
    names = [f"{'changed' if commit else 'customer'} {i}" for i in ids]
    columns = [ids, names, np.where(commit, commit, ids / 7), np.full(len(ids), part, np.int32)]
    return pa.table(dict(zip(("id", "name", "amount", "part"), map(pa.array, columns), strict=True)))


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


def by_scan(spark: SparkSession) -> None:
    """Each data and delete file once, as plain Parquet."""
    files = spark.sql(
        f"SELECT DISTINCT file_path FROM {NAME}.all_data_files"
        f" UNION SELECT DISTINCT file_path FROM {NAME}.all_delete_files"
    )
    by_content: dict[bool, list[str]] = {False: [], True: []}
    for row in files.collect():
        by_content[row.file_path.endswith("deletes.parquet")].append(row.file_path)
    for paths in filter(None, by_content.values()):
        consumed(spark.read.parquet(*paths))


def ours(mode: Mode) -> Callable[[], None]:
    identifiers = PROCEDURE[mode][1]
    return lambda: consumed(explorer.table(NAME).changelog(mode=mode, identifier_columns=identifiers).frame)


@click.command()
@click.option("--rows", default=200_000, show_default=True)
@click.option("--commits", default=50, show_default=True)
@click.option("--rounds", default=7, show_default=True)
@click.option("--how", type=click.Choice(list(AIM)), default="copy-on-write", show_default=True)
@click.option("--mode", "modes", type=click.Choice(list(PROCEDURE)), multiple=True, default=list(PROCEDURE))
def main(rows: int, commits: int, rounds: int, how: str, modes: tuple[Mode, ...]) -> None:
    """Time the changelog of a table."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        build(spark, rows, commits, how)
        against = "procedure" if how == "copy-on-write" else "scan"
        table = Table("asked", "median s", f"{against} s", f"× {against}", "aim", title_justify="left")
        table.title = f"{commits} {how} commits on {rows:,} rows, {rounds} rounds"
        for mode in modes:
            other = by_procedure(spark, mode) if against == "procedure" else partial(by_scan, spark)
            taken = measured({against: (other, None), "ours": (ours(mode), None)}, rounds)
            ratio = statistics.median(a / b for a, b in zip(taken["ours"], taken[against], strict=True))
            medians = (f"{statistics.median(taken[name]):.2f}" for name in ("ours", against))
            table.add_row(mode, *medians, f"{ratio:.2f}", verdict(ratio, AIM[how]))
        Console(width=100).print(table)
        spark.stop()


if __name__ == "__main__":
    main()
