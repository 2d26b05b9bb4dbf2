"""How long it takes to tell what every delete of a big snapshot reaches, against a scan of `entries`.

    python -m tests.benchmarks.deletes [--files 200000] [--deletes 2000] [--rounds 7]

The table is real but for its last commit, whose manifest list is written anew: data files in fifty partitions with the
bounds of their ids, and deletes of every kind. No such file exists, and neither side opens one. The scan reads the
columns by which the rule decides.
"""

from __future__ import annotations

import json
import statistics
import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import explorer
from tests.benchmarks import avro_files
from tests.benchmarks.run import seconds, started, verdict

AIM = 2.0
NAME = "bench.t.masked"
PARTITIONS = 50
NEWEST = 1_000  # sequence number of the last commit
IDS_IN_A_FILE = 10
FILES_IN_A_MANIFEST = 10_000
SCAN = f"""
SELECT status, sequence_number, data_file.content, data_file.file_path, data_file.spec_id, data_file.partition,
  data_file.referenced_data_file, data_file.equality_ids, data_file.lower_bounds, data_file.upper_bounds
FROM {NAME}.entries
"""
Entry = dict[str, Any]


@dataclass
class Template:
    """A manifest of one entry that Iceberg wrote."""

    listed: Entry
    schema: Any
    header: dict[str, str]
    entry: Entry


def build(spark: SparkSession, folder: Path, files: int, deletes: int) -> None:
    """A table of these files and deletes: a quarter each vectors, position deletes of a file, of a partition, and keys.

    Every tenth of the deletes by key is global: of the unpartitioned spec with which the table began.
    """
    spark.sql(
        f"CREATE TABLE {NAME} (id BIGINT NOT NULL, region STRING) USING iceberg TBLPROPERTIES ("
        "'format-version' = '3', 'write.delete.mode' = 'merge-on-read')"
    )
    for region in ("", "r0"):
        if region:
            spark.sql(f"ALTER TABLE {NAME} ADD PARTITION FIELD region")
        spark.sql(f"INSERT INTO {NAME} SELECT /*+ REPARTITION(1) */ id, '{region}' FROM range(2)")
        spark.sql(f"DELETE FROM {NAME} WHERE id = 0 AND region = '{region}'")
    metadata = folder / "metadata"
    newest = max(metadata.glob("v*.metadata.json"), key=lambda file: int(file.name[1:].split(".")[0]))
    document = json.loads(newest.read_text())
    document["last-sequence-number"] = document["snapshots"][-1]["sequence-number"] = NEWEST
    avro_files.without_checksum(newest)
    newest.write_text(json.dumps(document))
    listing = Path(document["snapshots"][-1]["manifest-list"].removeprefix("file:"))
    list_schema, list_header, rows = avro_files.read(listing)
    templates = {(row["content"], row["partition_spec_id"]): _template(row) for row in rows}
    listed = [
        *_manifests(metadata, templates[0, 1], "data", (_data(folder, n) for n in range(files))),
        *_manifests(
            metadata, templates[1, 1], "deletes", (_delete(folder, n, files) for n in range(deletes) if n % 40)
        ),
        *_manifests(metadata, templates[1, 0], "global", (_delete(folder, n, files) for n in range(0, deletes, 40))),
    ]
    avro_files.write(listing, list_schema, list_header, listed)


def _template(row: Entry) -> Template:
    schema, header, entries = avro_files.read(Path(row["manifest_path"].removeprefix("file:")))
    return Template(row, schema, header, entries[0])


def _manifests(folder: Path, template: Template, kind: str, files: Iterator[Entry]) -> Iterator[Entry]:
    """Write entries of these files; gives the rows of the manifest list."""
    rows = list(files)
    for first in range(0, len(rows), FILES_IN_A_MANIFEST):
        path = folder / f"{kind}-{first}.avro"
        part = rows[first : first + FILES_IN_A_MANIFEST]
        numbers = [file.pop("number") for file in part]
        entries = [
            template.entry
            | {"status": 0, "snapshot_id": 1, "sequence_number": number, "file_sequence_number": number}
            | {"data_file": template.entry["data_file"] | file}
            for file, number in zip(part, numbers, strict=True)
        ]
        avro_files.write(path, template.schema, template.header, entries)
        counts = {"added_files_count": 0, "existing_files_count": len(part), "existing_rows_count": len(part)}
        numbered = {"sequence_number": NEWEST, "min_sequence_number": min(numbers)}
        yield (
            template.listed
            | counts
            | numbered
            | {
                "manifest_path": f"file:{path}",
                "manifest_length": path.stat().st_size,
                "first_row_id": 0 if kind == "data" else None,
            }
        )


def _bounds(first: int, last: int) -> Entry:
    return {
        name: [{"key": 1, "value": struct.pack("<q", value)}]
        for name, value in (("lower_bounds", first), ("upper_bounds", last))
    }


def _path(folder: Path, n: int) -> str:
    return f"{folder.as_uri()}/data/region=r{n % PARTITIONS}/{n}.parquet"


def _data(folder: Path, n: int) -> Entry:
    return {
        "number": 1 + n % NEWEST,
        "file_path": _path(folder, n),
        "partition": {"region": f"r{n % PARTITIONS}"},
        "record_count": IDS_IN_A_FILE,
        "first_row_id": n * IDS_IN_A_FILE,
        **_bounds(n * IDS_IN_A_FILE, n * IDS_IN_A_FILE + IDS_IN_A_FILE - 1),
    }


def _delete(folder: Path, n: int, files: int) -> Entry:
    """The n-th delete: of every forty, ten of each kind, and the first by key global."""
    target = n * 97 % files
    is_vector, by_file, by_key = (n % 4 == kind for kind in (1, 2, 0))
    path = f"{folder.as_uri()}/data/{n}-delete.{'puffin' if is_vector else 'parquet'}"
    return {
        "number": 1 + n * 7 % NEWEST if by_key else NEWEST,
        "content": 2 if by_key else 1,
        "file_path": path,
        "file_format": "PUFFIN" if is_vector else "PARQUET",
        "partition": {} if n % 40 == 0 else {"region": f"r{target % PARTITIONS}"},
        "record_count": 5,
        "equality_ids": [1] if by_key else None,
        "referenced_data_file": _path(folder, target) if is_vector or by_file else None,
        "content_offset": 4 if is_vector else None,
        "content_size_in_bytes": 40 if is_vector else None,
        **(_bounds(target * IDS_IN_A_FILE, target * IDS_IN_A_FILE + 500) if by_key else dict.fromkeys(_bounds(0, 0))),
    }


def opened() -> explorer.Picture[Any]:
    """All that a person waits for who names a table and asks for its deletes; nothing is kept from before."""
    picture = explorer.table(NAME).deletes()
    _ = picture.figure
    return picture


@click.command()
@click.option("--files", default=200_000, show_default=True)
@click.option("--deletes", default=2_000, show_default=True)
@click.option("--rounds", default=7, show_default=True)
def main(files: int, deletes: int, rounds: int) -> None:
    """Time the deletes of one snapshot."""
    with tempfile.TemporaryDirectory(prefix="iceberg-explorer-benchmark-") as warehouse:
        spark = started(Path(warehouse))
        build(spark, Path(warehouse) / "t" / "masked", files, deletes)

        def scanned() -> None:
            spark.sql(SCAN).write.format("noop").mode("overwrite").save()

        scanned()
        found = opened().facts
        assert (found.data_file_count, found.delete_count) == (files, deletes)
        pairs = [(seconds(opened), seconds(scanned)) for _ in range(rounds)]
        own, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = statistics.median(a / b for a, b in pairs)
        shown = Table("asked", "median s", "× the scan", "aim", title=f"{files:,} data files, {deletes:,} deletes")
        shown.add_row("scan of entries", f"{bare:.2f}", "1", "")
        shown.add_row("open, and deletes() drawn", f"{own:.2f}", f"{ratio:.2f}", verdict(ratio, AIM))
        Console(width=100).print(shown)
        spark.stop()


if __name__ == "__main__":
    main()
