"""The partitions of a table told the slow way: Iceberg's own entries of every snapshot of the line, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from pyspark.sql import SparkSession

from explorer.table import Table

PATH = 2147483546
SUMS = (
    "data_files",
    "delete_files",
    "record_count",
    "masked_records",
    "size_in_bytes",
    "equality_delete_files",
    "delete_size_in_bytes",
)
Place = tuple[int, str]
State = Mapping[Place, tuple[int, ...]]


@dataclass(frozen=True)
class Live:
    """A live file as Iceberg's entries say it; its place is the spec and the partition as JSON."""

    key: tuple[str, int | None, int | None]
    place: Place
    content: int
    number: int
    records: int
    size: int
    target: str | None


def line(spark: SparkSession, name: str) -> list[int]:
    """Ids of the current snapshot and its listed ancestors, oldest first, by PyIceberg."""
    from pyiceberg.table import StaticTable

    from explorer.queries.files.locate import locate

    metadata = StaticTable.from_metadata(locate(spark, name).metadata_file).metadata
    by_id = {s.snapshot_id: s for s in metadata.snapshots}
    found, at = [], metadata.current_snapshot_id
    while at in by_id:
        found.append(at)
        at = by_id[at].parent_snapshot_id
    return found[::-1]


def live_files(spark: SparkSession, name: str, snapshot_id: int) -> list[Live]:
    partitioned = "partition" in spark.table(f"{name}.files").columns
    struct = "to_json(data_file.partition)" if partitioned else "'{}'"
    bounds = ", ".join(f"CAST(data_file.{side}_bounds[{PATH}] AS STRING) AS {side}" for side in ("lower", "upper"))
    rows = spark.sql(
        f"SELECT sequence_number, file_sequence_number, {struct} AS place, {bounds}, data_file.content,"
        " data_file.file_path, data_file.content_offset, data_file.content_size_in_bytes, data_file.file_size_in_bytes,"
        " data_file.record_count, data_file.referenced_data_file, data_file.spec_id"
        f" FROM {name}.entries VERSION AS OF {snapshot_id} WHERE status < 2"
    ).collect()
    return [
        Live(
            (r.file_path, r.content_offset, r.file_sequence_number),
            (r.spec_id, r.place),
            r.content,
            r.sequence_number,
            r.record_count,
            r.file_size_in_bytes if r.content_size_in_bytes is None else r.content_size_in_bytes,
            (r.referenced_data_file or (r.lower if r.lower == r.upper else None)) if r.content == 1 else None,
        )
        for r in rows
    ]


def state(files: list[Live]) -> dict[Place, tuple[int, ...]]:
    """In the order of `SUMS`."""
    found = {}
    for place in {f.place for f in files}:
        here = [f for f in files if f.place == place]
        data, deletes = [f for f in here if f.content == 0], [f for f in here if f.content]
        masked = 0
        for f in (f for f in deletes if f.content == 1):
            aims = [d for d in files if d.content == 0 and d.key[0] == f.target and d.number <= f.number]
            masked += f.records * (1 if f.target is None else len(aims))
        found[place] = (
            len(data),
            len(deletes),
            sum(f.records for f in data),
            masked,
            sum(f.size for f in data),
            sum(f.content == 2 for f in deletes),
            sum(f.size for f in deletes),
        )
    return found


def check(spark: SparkSession, name: str) -> pd.DataFrame:
    """Compare every row of the picture, and the states it leaves, with what each snapshot says."""
    data = Table.open(name, spark).partitions().data
    ids = line(spark, name)
    assert list(dict.fromkeys(data["snapshot_id"])) == [str(i) for i in ids if str(i) in set(data["snapshot_id"])]
    before: list[Live] = []
    held: dict[Place, tuple[int, ...]] = {}
    for snapshot_id in ids:
        files = live_files(spark, name, snapshot_id)
        expected = state(files)
        rows = data[data["snapshot_id"] == str(snapshot_id)]
        assert not rows.duplicated(["spec_id", "partition"]).any()
        for row in rows.itertuples():
            held[int(row.spec_id), str(row.partition)] = tuple(int(getattr(row, column)) for column in SUMS)
        now = {place: sums for place, sums in held.items() if sums[0] or sums[1]}
        told, said = (Counter((spec, sums) for (spec, _), sums in of.items()) for of in (now, expected))
        assert (told - said, said - told) == (Counter(), Counter()), snapshot_id
        was, gone = state(before), {f.key for f in before} ^ {f.key for f in files}
        changed = {f.place for f in (*before, *files) if f.key in gone}
        changed |= {place for place in expected if place in was and expected[place] != was[place]}
        assert len(rows) == len(changed), snapshot_id
        before = files
    return data


def by_name(data: pd.DataFrame) -> dict[str, list[tuple[Any, ...]]]:
    """By partition, its rows in order: data files, delete files, records, masked records."""
    columns = ["data_files", "delete_files", "record_count", "masked_records"]
    return {
        str(name): [tuple(map(int, row)) for row in rows[columns].itertuples(index=False)]
        for name, rows in data.groupby("partition", sort=False)
    }


def sql_rows(spark: SparkSession, sql: str) -> Counter[tuple[int, ...]]:
    """Rows of the picture's SQL: snapshot, number, spec, sums."""
    found = spark.sql(sql).collect()
    return Counter(
        (r.snapshot_id, r.sequence_number, r.spec_id, *(getattr(r, column) for column in SUMS)) for r in found
    )


def data_rows(data: pd.DataFrame) -> Counter[tuple[int, ...]]:
    """The same of the picture's data."""
    return Counter(
        (int(r.snapshot_id), int(r.sequence_number), int(r.spec_id), *(int(getattr(r, c)) for c in SUMS))
        for r in data.itertuples()
    )
