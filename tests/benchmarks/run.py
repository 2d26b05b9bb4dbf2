"""How long the first picture of a big table takes, against the bare SQL question for the same snapshots.

    python -m tests.benchmarks.run [--snapshots 10000] [--rounds 7]

Every answer is asked once uncounted (imports, JIT), then in rounds, each round beginning with another answer, so that
none always runs on a machine that the same neighbour has just warmed or filled. The catalog's table cache is off:
whoever asks reads the metadata file anew, the bare SQL too. Ratios are medians of the ratios within one round.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import click
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from explorer.engine import session
from explorer.queries.files.manifest_cache import LIMIT
from tests.benchmarks.generate import Shape, generate

NAME = "bench.t.big"
BARE = "SELECT * FROM t.snapshots, collected"
Answer = tuple[Callable[[], object], float | None]


def started(warehouse: Path) -> SparkSession:
    """A session with the catalog `bench`; what is read is not kept on disk, so that a first opening is one."""
    os.environ[LIMIT] = "0"
    return session(conf=conf_of(warehouse))


def conf_of(warehouse: Path) -> dict[str, str]:
    """Settings of a session with the catalog `bench`."""
    catalog = "spark.sql.catalog.bench"
    return {
        "spark.master": "local[2]",
        catalog: "org.apache.iceberg.spark.SparkCatalog",
        f"{catalog}.type": "hadoop",
        f"{catalog}.warehouse": warehouse.as_uri(),
        f"{catalog}.cache-enabled": "false",
    }


def answers(spark: SparkSession, folder: Path) -> dict[str, Answer]:
    """What is asked, each with the most it may take, as a share of the bare SQL."""
    opened = explorer.table(str(folder))
    return {
        BARE: (lambda: spark.sql(f"SELECT * FROM {NAME}.snapshots").collect(), None),
        "facts, by path": (lambda: explorer.table(str(folder)).snapshot_graph().facts, 0.8),
        "facts, by name": (lambda: explorer.table(NAME).snapshot_graph().facts, 0.8),
        "drawn figure, by path": (lambda: explorer.table(str(folder)).snapshot_graph().figure, 1.5),
        "drawn figure, by name": (lambda: explorer.table(NAME).snapshot_graph().figure, 1.5),
        "board of Health, by path": (lambda: explorer.table(str(folder)).board, 1.5),
        "board of Health, by name": (lambda: explorer.table(NAME).board, 1.5),
        "second drawing of an open table": (lambda: opened.snapshot_graph().figure, 0.5),
    }


def seconds(ask: Callable[[], object]) -> float:
    """How long one answer takes."""
    gc.collect()
    before = time.perf_counter()
    ask()
    return time.perf_counter() - before


def verdict(ratio: float, aim: float) -> str:
    """Whether a ratio is within its aim."""
    return f"≤ {aim} {'met' if ratio <= aim else 'MISSED'}"


def measured(asked: dict[str, Answer], rounds: int) -> dict[str, list[float]]:
    """Seconds of each answer in each round."""
    taken: dict[str, list[float]] = {name: [] for name in asked}
    names = list(asked)
    for turn in range(-1, rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            one = seconds(asked[name][0])
            if turn >= 0:
                taken[name].append(one)
    return taken


def table_of(asked: dict[str, Answer], taken: dict[str, list[float]], title: str) -> Table:
    table = Table("asked", "median s", "fastest", "slowest", "× bare SQL", "aim", title=title, title_justify="left")
    for name, (_, aim) in asked.items():
        times = taken[name]
        ratio = statistics.median(own / bare for own, bare in zip(times, taken[BARE], strict=True))
        numbers = (f"{number:.2f}" for number in (statistics.median(times), min(times), max(times), ratio))
        table.add_row(name, *numbers, "" if aim is None else verdict(ratio, aim))
    return table


@click.command()
@click.option("--snapshots", type=click.IntRange(min=200), default=10_000, show_default=True)
@click.option("--rounds", default=7, show_default=True)
def main(snapshots: int, rounds: int) -> None:
    """Time the snapshot graph of a generated table."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        folder = Path(warehouse) / "t" / "big"
        size = generate(folder, Shape(snapshots=snapshots)).stat().st_size
        spark = started(Path(warehouse))
        asked = answers(spark, folder)
        title = f"{snapshots:,} snapshots, metadata file {size / 1e6:.1f} MB, {rounds} rounds"
        Console(width=100).print(table_of(asked, measured(asked, rounds), title))
        spark.stop()


if __name__ == "__main__":
    main()
