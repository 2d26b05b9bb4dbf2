"""How long the checks of a table take that need no data file, against the file lifetimes that they look at.

    python -m tests.benchmarks.triage [--snapshots 10000] [--files 100] [--rounds 1]

The table is that of `tests.benchmarks.sequence_timeline`: each commit writes a manifest, and every hundredth merges
them. In each round both are asked by one who has read nothing before: the lifetimes alone, then all checks, which read
the lifetimes too. `tests.benchmarks.run` has the checks of the metadata file.
"""

from __future__ import annotations

import gc
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

import explorer
from explorer.queries.files.known_history import forget
from tests.benchmarks.run import started, verdict
from tests.benchmarks.sequence_timeline import grown

NAME = "bench.t.grown"
AIM = 1.2


def first(ask: Callable[[explorer.Table], object]) -> float:
    """Seconds of an answer to one who has read nothing."""
    forget()
    gc.collect()
    before = time.perf_counter()
    ask(explorer.table(NAME))
    return time.perf_counter() - before


def checked(table: explorer.Table) -> None:
    """All checks."""
    facts = table.triage().facts
    states = Counter(check.state for check in facts.checks)
    assert states["found"] + states["clean"] > 20, f"manifests were not looked at: {states}"


@click.command()
@click.option("--snapshots", default=10_000, show_default=True)
@click.option("--files", default=100, show_default=True, help="added by each")
@click.option("--rounds", default=1, show_default=True)
def main(snapshots: int, files: int, rounds: int) -> None:
    """Time the checks of a table."""
    warehouse = Path(tempfile.mkdtemp(prefix="iceberg-explorer-benchmark-"))
    try:
        spark = started(warehouse)
        grown(spark, warehouse / "t" / "grown", NAME, snapshots, files)
        first(lambda table: table.snapshot_graph().facts)
        alone, whole = [], []
        for _ in range(rounds):
            alone.append(first(lambda table: table.sequence_timeline().facts))
            whole.append(first(checked))
        ratio = statistics.median(w / a for w, a in zip(whole, alone, strict=True))
        title = f"{snapshots:,} snapshots, {snapshots * files:,} files"
        shown = Table("lifetimes alone, s", "all checks, s", "ratio", "aim", title=title, title_justify="left")
        medians = (f"{statistics.median(taken):.2f}" for taken in (alone, whole))
        shown.add_row(*medians, f"{ratio:.2f}", verdict(ratio, AIM))
        Console(width=100).print(shown)
        spark.stop()
    finally:
        shutil.rmtree(warehouse)


if __name__ == "__main__":
    main()
