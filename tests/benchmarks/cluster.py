"""How long the timeline of a long history takes on a cluster of two workers, against one worker of as many cores.

    python -m tests.benchmarks.cluster [--snapshots 10000] [--files 100] [--rounds 7]

The table is that of `tests.benchmarks.sequence_timeline`. Each cluster is started anew and asked by a process of its
own, each time by a reader that has read nothing before. `collected` is what all tasks of one answer sent to the driver.

On paper, 100,000 snapshots with 50,000,000 files, each commit with a manifest, merged by the hundred: measured on one
core, a list of 150 manifests takes 0.15 ms and one of the thousand that are listed in the end 1 ms, a manifest 0.4 ms
and each of its entries 7 µs. That is 60 s for the lists, 40 s for the manifests and 385 s for 55,000,000 entries: four
minutes on two cores, twelve seconds on forty; as these are tasks, cores are all that it takes. What bounds it is the
process that asks: 25 bytes of an entry are sent to it, 1.4 GB, in jobs of which none sends more than Spark lets
through, and 0.4 kB of a file are held there, 20 GB. With 8 GB the explorer tells some twenty million files; of more it
says how much they take and how much is free.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from explorer.engine import conf_to_env
from tests.benchmarks.run import conf_of, started, verdict
from tests.benchmarks.sequence_timeline import grown
from tests.servers.components import ran
from tests.servers.standalone import cluster, cluster_conf

AIM = 0.6
ASKED = """
import json, resource, sys
from explorer.engine import session
from explorer.queries.files.known_history import forget
from tests.benchmarks.sequence_timeline import opened
from tests.servers.driver_and_tasks import Watch
spark = session()
watch, seconds = Watch(spark), []
for turn in range(int(sys.argv[2]) + 1):
    forget()
    work = watch.work(lambda: seconds.append(opened(spark, sys.argv[1])))
found = {"seconds": seconds[1:], "workers": len(set(work.executors) - {"driver"}), "sent": work.sent}
json.dump(found | {"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}, sys.stdout)
"""


def asked(warehouse: Path, folder: Path, name: str, workers: int, rounds: int) -> dict[str, Any]:
    """What a process says that asks a cluster of so many workers."""
    with cluster(folder, workers) as master:
        conf = conf_of(warehouse) | cluster_conf(master, workers) | {"spark.executor.memory": "1g"}
        settings = {"ICEBERG_EXPLORER_CONF": conf_to_env(conf), "SPARK_LOCAL_IP": "127.0.0.1"}
        answered = json.loads(ran(["-c", ASKED, name, str(rounds)], folder, ICEBERG_EXPLORER_CACHE_MB="0", **settings))
    assert answered["workers"] == workers
    return answered


@click.command()
@click.option("--snapshots", default=10_000, show_default=True)
@click.option("--files", default=100, show_default=True, help="added by each")
@click.option("--rounds", default=7, show_default=True)
def main(snapshots: int, files: int, rounds: int) -> None:
    """Time the timeline of a table on clusters."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as folder:
        warehouse = Path(folder) / "warehouse"
        spark = started(warehouse)
        grown(spark, warehouse / "t" / "grown", "bench.t.grown", snapshots, files)
        spark.stop()
        table = Table("workers", "s", "× one", "aim", "collected MB", "Python MB", title_justify="left")
        table.title = f"timeline of {snapshots:,} snapshots with {files} files each, {rounds} rounds"
        one = 0.0
        for workers in (1, 2):
            found = asked(warehouse, Path(folder) / f"cluster {workers}", "bench.t.grown", workers, rounds)
            taken = statistics.median(found["seconds"])
            one = one or taken
            aim = verdict(taken / one, AIM) if workers > 1 else ""
            sizes = (f"{found['sent'] / 1e6:.1f}", f"{found['peak'] / 1e3:.0f}")
            table.add_row(str(workers), f"{taken:.2f}", f"{taken / one:.2f}", aim, *sizes)
        Console(width=100).print(table)


if __name__ == "__main__":
    main()
