"""How long the timeline of a history takes, against a narrow scan of `all_entries` aggregated to the same columns.

    python -m tests.benchmarks.sequence_timeline [--snapshots 10000] [--files 10] [--fat 200000] [--rounds 3]
    python -m tests.benchmarks.sequence_timeline --only first --files 100 --rounds 1

Two tables: many snapshots, each with one small manifest of its own, merged by the hundred as Iceberg does; and few fat
manifests with the statistics of twenty columns. Each answer is asked by a reader that has read nothing before; then by
one that knows the table as it is, and by one that knows it as it was one commit earlier. Each is asked once uncounted,
unless there is but one round. Peaks are those of all that is asked of a table, as `tests.benchmarks.peaks` counts them.
"""

from __future__ import annotations

import gc
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import click
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from explorer.queries.files.known_history import forget
from explorer.queries.files.locate import locate
from explorer.queries.sequence_timeline import sequence_timeline_query
from tests.benchmarks import avro_files
from tests.benchmarks.commit import multiply
from tests.benchmarks.peaks import Peaks
from tests.benchmarks.run import started, verdict

FIRST_ID = 4_000_000_000_000_000_000
MERGED = 100  # manifests, by the default of commit.manifest.min-count-to-merge
FIRST_AIM, FAT_AIM, AGAIN_AIM, GROWN_AIM = 0.15, 1.1, 0.02, 0.03
PYTHON_AIM, DRIVER_AIM = 0.6, 1.5  # GB

Pair = tuple[float, float]
"""Seconds of an answer, and of what it is held against."""


class Grown:
    """A table of one real commit, to which commits are added that only its metadata knows: no data file exists."""

    def __init__(self, spark: SparkSession, folder: Path, name: str) -> None:
        spark.sql(
            f"CREATE TABLE {name} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) TBLPROPERTIES ("
            "'format-version' = '2')"
        )
        spark.sql(f"INSERT INTO {name} VALUES (1, 'r0')")
        self.folder, self.metadata = folder, folder / "metadata"
        self.list_schema, self.list_header, (self.row,) = avro_files.read(next(self.metadata.glob("snap-*.avro")))
        manifest = Path(self.row["manifest_path"].removeprefix("file:"))
        self.schema, self.header, (self.entry,) = avro_files.read(manifest)
        self.document = json.loads((self.metadata / "v2.metadata.json").read_text())
        self.listed, self.live = [self.row], dict[str, list[dict[str, Any]]]()
        self.version, self.number = 2, 1

    def commit(self, files: int) -> None:
        """Add files; every tenth commit removes those that another one added; every hundredth merges manifests."""
        self.number += 1
        own = FIRST_ID + self.number
        added = [self._entry(own, n) for n in range(files)]
        self.listed = [m for m in self.listed if m["deleted_files_count"] == 0]
        merged = list(self.live) if len(self.live) >= MERGED else []
        kept = [e | {"status": 0} for path in merged for e in self.live.pop(path)]
        self.listed = [m for m in self.listed if m["manifest_path"] not in merged]
        manifest = self._manifest("merged" if merged else "added", [*added, *kept])
        self.listed.insert(0, manifest)
        if not merged:
            numbers = {"sequence_number": self.number, "file_sequence_number": self.number}
            self.live[manifest["manifest_path"]] = [e | numbers for e in added]
        if self.number % 10 == 0 and len(self.live) > 3:
            path = list(self.live)[-3]
            removed = [e | {"status": 2, "snapshot_id": own} for e in self.live.pop(path)]
            self.listed = [m for m in self.listed if m["manifest_path"] != path]
            self.listed.append(self._manifest("removed", removed))
        self._snapshot(own)

    def _entry(self, snapshot_id: int, n: int) -> dict[str, Any]:
        path = f"{self.folder.as_uri()}/data/region=r{n % 5}/{self.number}-{n}.parquet"
        file = self.entry["data_file"] | {"file_path": path, "partition": {"region": f"r{n % 5}"}}
        return self.entry | {"snapshot_id": snapshot_id, "data_file": file}

    def _manifest(self, kind: str, entries: list[dict[str, Any]]) -> dict[str, Any]:
        path = self.metadata / f"{kind}-{self.number}.avro"
        avro_files.write(path, self.schema, self.header, entries)
        counts = [sum(e["status"] == status for e in entries) for status in (1, 0, 2)]
        row = self.row | {"manifest_path": f"file:{path}", "manifest_length": path.stat().st_size}
        row |= {"sequence_number": self.number, "added_snapshot_id": FIRST_ID + self.number, "min_sequence_number": 1}
        for what, count in zip(("added", "existing", "deleted"), counts, strict=True):
            row |= {f"{what}_files_count": count, f"{what}_rows_count": count}
        return row

    def _snapshot(self, own: int) -> None:
        path = self.metadata / f"snap-{own}-1-x.avro"
        header = self.list_header | {"snapshot-id": str(own), "sequence-number": str(self.number)}
        avro_files.write(path, self.list_schema, header, self.listed)
        last = self.document["snapshots"][-1]
        self.document["snapshots"].append(
            last
            | {"snapshot-id": own, "parent-snapshot-id": last["snapshot-id"], "sequence-number": self.number}
            | {"timestamp-ms": last["timestamp-ms"] + 1000, "manifest-list": f"file:{path}"}
        )

    def save(self) -> None:
        """Write the next metadata file."""
        last = self.document["snapshots"][-1]
        own = last["snapshot-id"]
        self.document |= {"current-snapshot-id": own, "last-sequence-number": self.number}
        self.document |= {"refs": {"main": {"snapshot-id": own, "type": "branch"}}, "snapshot-log": []}
        self.document["last-updated-ms"] = last["timestamp-ms"]
        self.version += 1
        (self.metadata / f"v{self.version}.metadata.json").write_text(json.dumps(self.document))
        hint = self.metadata / "version-hint.text"
        avro_files.without_checksum(hint)
        hint.write_text(str(self.version))


class Elsewhere:
    """A table that grows in a process of its own: what that takes of memory is not what an answer takes.

    Attributes:
        file: of its metadata.
        ids: of its first and its last snapshot.
    """

    def __init__(self, table: Grown) -> None:
        self._process = ProcessPoolExecutor(1, get_context("spawn"), initializer=_hold, initargs=(table,))
        self.file, self.ids = table.metadata, (0, 0)

    def commit(self, files: int, times: int = 1) -> None:
        """So many commits, each of which adds so many files."""
        self.file, *ids = self._process.submit(_committed, files, times).result()
        self.ids = ids[0], ids[1]


_held: Grown


def _hold(table: Grown) -> None:
    global _held
    _held = table


def _committed(files: int, times: int) -> tuple[Path, int, int]:
    for _ in range(times):
        _held.commit(files)
    _held.save()
    first, last = (_held.document["snapshots"][at]["snapshot-id"] for at in (0, -1))
    return _held.metadata / f"v{_held.version}.metadata.json", first, last


def grown(spark: SparkSession, folder: Path, name: str, snapshots: int, files: int) -> Elsewhere:
    """A table of so many snapshots, each of which adds so many files."""
    table = Elsewhere(Grown(spark, folder, name))
    table.commit(files, snapshots - 1)
    return table


def fat(spark: SparkSession, folder: Path, name: str, files: int) -> None:
    columns = ", ".join(f"c{n} {'BIGINT' if n % 2 else 'STRING'}" for n in range(20))
    spark.sql(
        f"CREATE TABLE {name} ({columns}) USING iceberg TBLPROPERTIES ('commit.manifest-merge.enabled' = 'false')"
    )
    spark.sql(f"INSERT INTO {name} VALUES ({', '.join('1' if n % 2 else repr('some text') for n in range(20))})")
    multiply(folder, files)


def scan(spark: SparkSession, name: str, *, partitioned: bool) -> float:
    query = sequence_timeline_query(locate(spark, name), partitioned=partitioned)
    assert query is not None
    before = time.perf_counter()
    unordered = query.sql.rsplit("ORDER BY", 1)[0]
    rows = spark.sql(
        f"SELECT count(*), max(data_sequence_number), max(file_path), max(size(removed_by)) FROM ({unordered})"
    )
    rows.collect()
    return time.perf_counter() - before


def opened(spark: SparkSession, name: str) -> float:
    """Seconds that a person waits who names a table and asks for its timeline."""
    gc.collect()
    before = time.perf_counter()
    picture = explorer.table(name, spark).sequence_timeline()
    _ = picture.figure
    taken = time.perf_counter() - before
    assert picture.facts.file_count > len(picture.facts.commits), "its manifests were not read"
    return taken


def pairs(spark: SparkSession, name: str, rounds: int, peaks: Peaks, *, partitioned: bool) -> Iterator[Pair]:
    """Seconds of the first opening, of which `peaks` are taken, and of the scan, in each round."""
    for turn in range(-1 if rounds > 1 else 0, rounds):
        forget()
        peaks.reset()
        own = opened(spark, name)
        peaks.take()
        bare = scan(spark, name, partitioned=partitioned)
        if turn >= 0:
            yield own, bare


class Shown:
    """The table that is printed."""

    def __init__(self) -> None:
        self.table = Table("asked", "s", "against", "s", "ratio", "aim", title="timeline, to the drawn picture")

    def line(self, what: str, aim: float, taken: list[Pair]) -> None:
        own, bare = (statistics.median(column) for column in zip(*taken, strict=True))
        ratio = statistics.median(a / b for a, b in taken)
        self.table.add_row(what, f"{own:.2f}", "all_entries", f"{bare:.2f}", f"{ratio:.3f}", verdict(ratio, aim))

    def peaks(self, peaks: Peaks) -> None:
        for what, size, aim in (("Python", peaks.python, PYTHON_AIM), ("driver", peaks.driver, DRIVER_AIM)):
            self.table.add_row(f"peak of {what}", f"{size / 1e9:.2f} GB", "", "", "", verdict(size / 1e9, aim))


def many_snapshots(spark: SparkSession, folder: Path, shown: Shown, snapshots: int, files: int, rounds: int) -> None:
    """The first opening of many snapshots, the second one, and one after one commit more."""
    name = "bench.t.grown"
    table = grown(spark, folder, name, snapshots, files)
    peaks = Peaks(spark)
    first = list(pairs(spark, name, rounds, peaks, partitioned=True))
    again, later = [], []
    for _, bare in first:
        again.append((opened(spark, name), bare))
        table.commit(files)
        later.append((opened(spark, name), bare))
    shown.line(f"{snapshots:,} snapshots, {files} files each, first", FIRST_AIM, first)
    shown.line("opened again", AGAIN_AIM, again)
    shown.line("one commit later", GROWN_AIM, later)
    shown.peaks(peaks)


def fat_manifests(spark: SparkSession, folder: Path, shown: Shown, files: int, rounds: int) -> None:
    """The first opening of few snapshots with manifests full of statistics."""
    fat(spark, folder, "bench.t.fat", files)
    peaks = Peaks(spark)
    taken = list(pairs(spark, "bench.t.fat", rounds, peaks, partitioned=False))
    shown.line(f"{files:,} files, fat manifests", FAT_AIM, taken)
    shown.peaks(peaks)


@click.command()
@click.option("--snapshots", default=10_000, show_default=True)
@click.option("--files", default=10, show_default=True, help="added by each")
@click.option("--fat", "fat_files", default=200_000, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--only", type=click.Choice(["first", "fat"]), help="ask the one table alone")
def main(snapshots: int, files: int, fat_files: int, rounds: int, only: str | None) -> None:
    """Time the timeline of two tables."""
    warehouse = Path(tempfile.mkdtemp(prefix="iceberg-explorer-benchmark-"))
    try:
        spark = started(warehouse)
        shown = Shown()
        if only != "fat":
            many_snapshots(spark, warehouse / "t" / "grown", shown, snapshots, files, rounds)
        if only != "first":
            fat_manifests(spark, warehouse / "t" / "fat", shown, fat_files, rounds)
        Console(width=120).print(shown.table)
        spark.stop()
    finally:
        shutil.rmtree(warehouse)


if __name__ == "__main__":
    main()
