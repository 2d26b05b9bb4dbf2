"""How long the facts of a small commit take on a table of a million live files, against a narrow scan of `entries`.

    python -m tests.benchmarks.commit [--files 1000000] [--touched 20] [--rounds 5]

The table is real but for its first commit: its one manifest is copied, entry by entry, until it lists a million files
that do not exist. Neither side opens one.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

import click
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from tests.benchmarks import avro_files
from tests.benchmarks.run import measured, started, verdict

AIM = 0.2
NAME = "bench.t.wide"
FILES_IN_A_MANIFEST = 10_000
SCAN = (
    "SELECT status, snapshot_id, sequence_number, file_sequence_number, data_file.content, data_file.file_path,"
    " data_file.record_count, data_file.file_size_in_bytes FROM {name}.entries VERSION AS OF {id}"
)


def build(spark: SparkSession, folder: Path, files: int, touched: int) -> None:
    """A table of `files` files, and a commit that adds `touched` to them."""
    spark.sql(
        f"CREATE TABLE {NAME} (id BIGINT, amount DOUBLE, note STRING) USING iceberg TBLPROPERTIES ("
        "'format-version' = '2', 'commit.manifest-merge.enabled' = 'false')"
    )
    spark.sql(f"INSERT INTO {NAME} VALUES (1, 1.5, 'one')")
    multiply(folder, files)
    spark.range(0, touched, 1, touched).selectExpr("id", "id / 7 AS amount", "'more' AS note").writeTo(NAME).append()


def multiply(folder: Path, files: int) -> None:
    """Make the one manifest of the table many, each of many entries, and list them all."""
    listing = next((folder / "metadata").glob("snap-*.avro"))
    list_schema, list_header, (row,) = avro_files.read(listing)
    manifest = Path(row["manifest_path"].removeprefix("file:"))
    schema, header, (entry,) = avro_files.read(manifest)
    listed = []
    for number, first in enumerate(range(0, files, FILES_IN_A_MANIFEST)):
        count = min(FILES_IN_A_MANIFEST, files - first)
        path = manifest.with_name(f"{manifest.stem}-copy{number}.avro")
        own = [
            entry
            | {"data_file": entry["data_file"] | {"file_path": f"{folder.as_uri()}/data/none-{first + n}.parquet"}}
            for n in range(count)
        ]
        avro_files.write(path, schema, header, own)
        counts = {"manifest_path": f"file:{path}", "manifest_length": path.stat().st_size}
        listed.append(row | counts | {"added_files_count": count, "added_rows_count": count})
    avro_files.write(listing, list_schema, list_header, listed)


@click.command()
@click.option("--files", default=1_000_000, show_default=True)
@click.option("--touched", default=20, show_default=True)
@click.option("--rounds", default=5, show_default=True)
def main(files: int, touched: int, rounds: int) -> None:
    """Time the facts of one commit."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        build(spark, Path(warehouse) / "t" / "wide", files, touched)
        snapshot_id = explorer.table(NAME).metadata.current_snapshot_id
        assert snapshot_id is not None
        scan = SCAN.format(name=NAME, id=snapshot_id)

        def opened() -> int:
            """All that a person waits for who names a table and a commit of it; nothing is kept from before."""
            return explorer.table(NAME).commit(snapshot_id).facts.commit.file_count

        def scanned() -> int:
            return spark.sql(scan).agg({"file_path": "max", "record_count": "sum", "status": "max"}).collect()[0][1]

        assert opened() == touched
        taken = measured({"scan": (scanned, None), "opened": (opened, None)}, rounds)
        ratio = statistics.median(t / s for t, s in zip(taken["opened"], taken["scan"], strict=True))
        shown = Table("asked", "median s", "× the scan", "aim", title=f"{files:,} live files, a commit of {touched}")
        shown.add_row("narrow scan of entries", f"{statistics.median(taken['scan']):.2f}", "1", "")
        seconds = f"{statistics.median(taken['opened']):.2f}"
        shown.add_row("open, and commit()", seconds, f"{ratio:.3f}", verdict(ratio, AIM))
        Console(width=100).print(shown)
        spark.stop()


if __name__ == "__main__":
    main()
