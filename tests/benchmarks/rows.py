"""How long the rows of a small commit take on a table of many files, against the two whole snapshots compared.

    python -m tests.benchmarks.rows [--files 2000] [--touched 20] [--rows-in-a-file 1000] [--rounds 3]

Brute force is one pass: both snapshots under each other, grouped by all columns, groups that do not cancel counted. The
other side is all that the face of the house does for it: manifest lists and manifests, the row question, the facts.
"""

from __future__ import annotations

import statistics
import tempfile
from functools import partial
from pathlib import Path

import click
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

from explorer.model.commit.rows import CommitRows
from tests.benchmarks.run import seconds, started, verdict
from tests.queries.row_facts import OpenedRows

AIM = 0.06
SHAPES = {
    "copy-on-write, clustered by id": ("id", "", "copy-on-write"),
    "copy-on-write, bounds of all files alike": ("xxhash64(id)", "", "copy-on-write"),
    "merge-on-read, a partition a file": ("id", "PARTITIONED BY (p)", "merge-on-read"),
    "merge-on-read, bounds of all files alike": ("xxhash64(id)", "", "merge-on-read"),
}


def build(spark: SparkSession, name: str, key: str, spec: str, mode: str, files: int, touched: int, rows: int) -> None:
    """A table of `files` files, and a commit that updates one row in each of `touched` of them."""
    is_clustered = key == "id"
    spark.sql(
        f"CREATE TABLE {name} (id BIGINT, p INT, amount DOUBLE, note STRING) USING iceberg {spec} TBLPROPERTIES ("
        f"'format-version'='3', 'write.update.mode'='{mode}', 'write.distribution-mode'='none')"
    )
    data = spark.range(0, files * rows, 1, files).selectExpr(
        f"{key} AS id",
        f"int(id DIV {rows}) AS p" if is_clustered else f"int(pmod(xxhash64(id, 1), {files})) AS p",
        "id / 7 AS amount" if is_clustered else "pmod(xxhash64(id, 2), 100000) / 7 AS amount",
        "concat('note ', id % 1000) AS note",
    )
    data.writeTo(name).append()
    numbers = (i * (files // touched) * rows + rows // 2 for i in range(touched))
    ids = ", ".join(key.replace("id", f"{number}L") for number in numbers)
    spark.sql(f"UPDATE {name} SET amount = -1 WHERE id IN ({ids})")


def brute_force(spark: SparkSession, name: str, before: int, after: int) -> int:
    """Rows in one snapshot and not in the other, as multisets."""
    return spark.sql(
        "SELECT sum(abs(n)) FROM (SELECT sum(side) AS n FROM ("
        f"SELECT *, -1 AS side FROM {name} VERSION AS OF {before} UNION ALL"
        f" SELECT *, 1 AS side FROM {name} VERSION AS OF {after})"
        " GROUP BY id, p, amount, note HAVING sum(side) <> 0)"
    ).collect()[0][0]


def rows_of(spark: SparkSession, name: str, snapshot_id: int) -> CommitRows:
    """Nothing is kept from one call to the next."""
    return OpenedRows(spark, name).rows(snapshot_id)


def benchmark(spark: SparkSession, files: int, touched: int, rows: int, rounds: int) -> Table:
    title = f"{touched} of {files:,} files touched, {rows:,} rows a file, {rounds} rounds"
    table = Table("table", "brute force s", "rows of the commit s", "×", "aim", title=title, title_justify="left")
    for number, (shape, (key, spec, mode)) in enumerate(SHAPES.items()):
        name = f"bench.t.rows_{number}"
        build(spark, name, key, spec, mode, files, touched, rows)
        before, after = OpenedRows(spark, name).metadata.snapshots
        by_force = partial(brute_force, spark, name, before.snapshot_id, after.snapshot_id)
        by_rows = partial(rows_of, spark, name, after.snapshot_id)
        changed, facts = by_force(), by_rows()
        slow, quick = ([seconds(ask) for _ in range(rounds)] for ask in (by_force, by_rows))
        assert (changed, facts.totals.updated, facts.changed) == (2 * touched, touched, touched)
        ratio = statistics.median(quick) / statistics.median(slow)
        medians = (f"{statistics.median(times):.2f}" for times in (slow, quick))
        table.add_row(shape, *medians, f"{ratio:.3f}", verdict(ratio, AIM))
    return table


@click.command()
@click.option("--files", default=2_000, show_default=True)
@click.option("--touched", default=20, show_default=True)
@click.option("--rows-in-a-file", default=1_000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(files: int, touched: int, rows_in_a_file: int, rounds: int) -> None:
    """Time the rows of a commit on generated tables."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        spark.sql("CREATE NAMESPACE IF NOT EXISTS bench.t")
        Console(width=120).print(benchmark(spark, files, touched, rows_in_a_file, rounds))
        spark.stop()


if __name__ == "__main__":
    main()
