"""Every picture that manifests answer, on histories of three sizes, against Spark's bare query and PyIceberg.

    python -m tests.benchmarks.pictures [--snapshots 100 --snapshots 1000 --snapshots 10000] [--files 10]

An answer is asked from the table's name on and drawn: first by a process that has read nothing of the table, then
again by the same; the cache on this machine is off. The bare query reads what the picture reads, by Iceberg's own
tables. Peaks are of Python's memory as the system counts it, and of the driver's heap; bytes are those of the figure as
JSON, as the browser receives it beside plotly.
"""

from __future__ import annotations

import math
import shutil
import statistics
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import plotly.graph_objects as go
from pyiceberg.table import StaticTable
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table as Shown

import explorer
from explorer import Picture, Table
from explorer.figures.page import layers
from explorer.queries.files.known_history import forget
from tests.benchmarks.commit import SCAN
from tests.benchmarks.peaks import Peaks
from tests.benchmarks.run import seconds, started
from tests.benchmarks.sequence_timeline import grown, scan

MOST_FOR_PYICEBERG = 20_000  # entries: it makes a Python object of each
COUNTED = "SELECT count(*), max(file_path), max(sequence_number), max(status) FROM ({scan})"


@dataclass(frozen=True)
class Size:
    """A generated table.

    Attributes:
        snapshots: that it lists; files: data files added by each.
        name: in SQL; file: its metadata file.
        ends: ids of its first and its last snapshot.
    """

    snapshots: int
    files: int
    name: str
    file: Path
    ends: tuple[int, int]


@dataclass
class Measured:
    """What one picture of one table cost: seconds, bytes."""

    first: float
    second: float
    bare: float
    pyiceberg: float | None
    sent: int
    python: int
    driver: int


Ask = Callable[[Table], Picture[Any]]
PICTURES: Mapping[str, Ask] = {
    "snapshot graph": lambda table: table.snapshot_graph(),
    "commit": lambda table: table.commit("main"),
    "boundary": lambda table: table.boundary(_ids(table)[0], _ids(table)[-1]),
    "compare": lambda table: table.compare(_ids(table)[0], _ids(table)[-1]),
    "entries": lambda table: table.entries(),
    "deletes": lambda table: table.deletes(),
    "retries": lambda table: table.retries(),
    "timeline": lambda table: table.sequence_timeline(),
    "partitions": lambda table: table.partitions(),
    "triage": lambda table: table.triage(),
}


def _ids(table: Table) -> list[int]:
    return [snapshot.snapshot_id for snapshot in table.metadata.snapshots]


def bare(spark: SparkSession, size: Size, picture: str) -> None:
    """What Iceberg's own tables take for what the picture reads."""

    def entries(snapshot_id: int) -> None:
        spark.sql(COUNTED.format(scan=SCAN.format(name=size.name, id=snapshot_id))).collect()

    if picture == "snapshot graph":
        spark.sql(f"SELECT * FROM {size.name}.snapshots").collect()
    elif picture == "retries":
        spark.sql(f"SELECT count(*), max(path), max(length) FROM {size.name}.all_manifests").collect()
    elif picture in ("timeline", "partitions", "triage"):
        scan(spark, size.name, partitioned=True)
    elif picture in ("boundary", "compare"):
        for snapshot_id in size.ends:
            entries(snapshot_id)
    else:
        entries(size.ends[1])


def by_pyiceberg(size: Size, picture: str) -> Callable[[], object] | None:
    """The same by PyIceberg's `inspect`, where it can answer."""
    table = StaticTable.from_metadata(str(size.file))
    if picture == "snapshot graph":
        return lambda: table.inspect.snapshots()
    if picture in ("commit", "entries", "deletes") and size.snapshots * size.files <= MOST_FOR_PYICEBERG:
        return lambda: table.inspect.entries()
    return None


def measured(spark: SparkSession, size: Size, picture: str, rounds: int) -> Measured:
    """One picture of one table."""
    ask, sent = PICTURES[picture], 0

    def drawn() -> None:
        nonlocal sent
        sent = len(go.Figure(layers.spec(ask(explorer.table(size.name)).scene)).to_json())  # as a browser gets it

    first, second, scanned, other = [], [], [], []
    pyiceberg = by_pyiceberg(size, picture)
    for turn in range(-1, rounds):  # the first one warms Spark up
        forget()
        peaks = Peaks(spark)
        peaks.reset()
        taken = [seconds(drawn), seconds(drawn)]
        peaks.take()
        taken.append(seconds(lambda: bare(spark, size, picture)))
        if turn >= 0:
            for column, value in zip((first, second, scanned), taken, strict=True):
                column.append(value)
            if pyiceberg:
                other.append(seconds(pyiceberg))
    times = (statistics.median(column) if column else None for column in (first, second, scanned, other))
    return Measured(*times, sent, peaks.python, peaks.driver)  # type: ignore[arg-type]  # only the last can be None


def exponent(costs: Mapping[int, float]) -> float:
    """How seconds grow with snapshots: of the line through both as logarithms, by least squares."""
    points = [(math.log(n), math.log(cost)) for n, cost in costs.items()]
    x, y = (statistics.mean(column) for column in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def build(spark: SparkSession, warehouse: Path, snapshots: int, files: int) -> Size:
    name = f"history_{snapshots}"
    table = grown(spark, warehouse / "t" / name, f"bench.t.{name}", snapshots, files)
    return Size(snapshots, files, f"bench.t.{name}", table.file, table.ids)


@click.command()
@click.option("--snapshots", default=[100, 1_000, 10_000], multiple=True, show_default=True)
@click.option("--files", default=10, show_default=True, help="added by each")
@click.option("--picture", "pictures", multiple=True, type=click.Choice(list(PICTURES)), help="all if none is named")
@click.option("--rounds", default=1, show_default=True)
def main(snapshots: tuple[int, ...], files: int, pictures: tuple[str, ...], rounds: int) -> None:
    """Time every picture on growing histories."""
    warehouse = Path(tempfile.mkdtemp(prefix="iceberg-explorer-benchmark-"))
    try:
        spark = started(warehouse)
        columns = ("picture", "snapshots", "first s", "second s", "first ×", "second ×", "× PyIceberg")
        shown = Shown(*columns, "sent MB", "Python MB", "driver MB", "grows as n^", title=f"{files} files a commit")
        sizes = [build(spark, warehouse, n, files) for n in snapshots]
        for picture in pictures or PICTURES:
            costs: dict[int, float] = {}
            for size in sizes:
                found = measured(spark, size, picture, rounds)
                costs[size.snapshots] = found.first
                last = len(costs) == len(sizes) > 1
                shown.add_row(
                    picture if len(costs) == 1 else "",
                    f"{size.snapshots:,}",
                    f"{found.first:.2f}",
                    f"{found.second:.2f}",
                    f"{found.first / found.bare:.2f}",
                    f"{found.second / found.bare:.2f}",
                    "" if found.pyiceberg is None else f"{found.first / found.pyiceberg:.2f}",
                    *(f"{number / 1e6:.1f}" for number in (found.sent, found.python, found.driver)),
                    f"{exponent(costs):.2f}" if last else "",
                )
        Console(width=140).print(shown)
        spark.stop()
    finally:
        shutil.rmtree(warehouse)


if __name__ == "__main__":
    main()
