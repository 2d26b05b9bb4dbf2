"""Live tables with an incident in them, and sound ones that look alike: Iceberg's own library commits, files are named.

Nothing of a triage reads a data file, so that data and delete files are entries alone, with the counts, sizes, bounds
and paths that a test needs. What no library call writes is edited into the metadata file.
"""

from __future__ import annotations

import json
import os
import struct
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pyspark.sql import SparkSession


class Maker:
    """One table, and what is committed to it. Commits are counted from 1, as sequence numbers are."""

    def __init__(self, spark: SparkSession, name: str, columns: str = "id BIGINT, day STRING", more: str = "") -> None:
        self.spark, self.name = spark, name
        properties = "'format-version' = '2', 'write.metadata.compression-codec' = 'none'"
        spark.sql(f"CREATE TABLE {name} ({columns}) USING iceberg {more or f'TBLPROPERTIES ({properties})'}")
        self._load(spark)

    @classmethod
    def of(cls, spark: SparkSession, name: str) -> Maker:
        """Of a table that is there."""
        maker = cls.__new__(cls)
        maker.spark, maker.name = spark, name
        maker._load(spark)
        return maker

    def _load(self, spark: SparkSession) -> None:
        self.jvm: Any = spark._jvm
        self.table = self.jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, self.name)
        self.files = 0

    # files

    def data(
        self,
        rows: int = 10,
        size: int = 1_000,
        *,
        partition: str | None = None,
        path: str | None = None,
        bounds: tuple[int, int] | None = None,
        spec: int | None = None,
        values: dict[int, int] | None = None,
    ) -> Any:
        """A data file; bounds are of the first column, values are value counts by field id."""
        self.files += 1
        own = self.table.spec() if spec is None else self.table.specs().get(spec)
        builder = (
            self.jvm.org.apache.iceberg.DataFiles.builder(own)
            .withPath(path or f"{self.table.location()}/data/f{self.files}.parquet")
            .withFormat("parquet")
            .withFileSizeInBytes(size)
        )
        if partition:
            builder = builder.withPartitionPath(partition)
        ids = [field.fieldId() for field in self.table.schema().columns()]
        counts = values if values is not None else dict.fromkeys(ids, rows)
        low, high = bounds or (1, rows)
        return builder.withMetrics(self._metrics(rows, counts, ids, low, high)).build()

    def _metrics(self, rows: int, counts: dict[int, int], ids: list[int], low: int, high: int) -> Any:
        jvm = self.jvm
        lower, upper = jvm.java.util.HashMap(), jvm.java.util.HashMap()
        # Py4J sends a small number as an Integer, unless the method that takes it says long.
        counters = jvm.org.apache.hadoop.thirdparty.com.google.common.util.concurrent.AtomicLongMap
        longs, nulls = counters.create(), counters.create()
        for field_id, count in counts.items():
            longs.put(field_id, count)
            nulls.put(field_id, 0)
        for bound, value in ((lower, low), (upper, high)):
            for field in self.table.schema().columns():
                if field.fieldId() in counts:
                    text = field.type().toString() == "string"
                    stored = b"2026" if text else struct.pack("<q", value)
                    if field.type().toString() in ("int", "date"):
                        stored = struct.pack("<i", value)
                    bound.put(field.fieldId(), jvm.java.nio.ByteBuffer.wrap(bytearray(stored)))
        return jvm.org.apache.iceberg.Metrics(rows, None, longs.asMap(), nulls.asMap(), None, lower, upper)

    def keys(self, rows: int = 1, *, partition: str | None = None, spec: int | None = None, field: int = 1) -> Any:
        """An equality delete file by one column."""
        self.files += 1
        own = self.table.spec() if spec is None else self.table.specs().get(spec)
        ids = self.spark.sparkContext._gateway.new_array(self.jvm.int, 1)  # type: ignore[union-attr]
        ids[0] = field
        builder = self.jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(own).ofEqualityDeletes(ids)
        return self._delete(builder, rows, partition)

    def positions(self, of: Any, rows: int = 1) -> Any:
        """A position delete file of one data file; of None, one that may name any of its partition."""
        self.files += 1
        builder = self.jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(self.table.spec()).ofPositionDeletes()
        return self._delete(builder.withReferencedDataFile(of.location()) if of else builder, rows, None)

    def vector(self, of: Any, rows: int = 1) -> Any:
        """A deletion vector of one data file."""
        self.files += 1
        builder = self.jvm.org.apache.iceberg.FileMetadata.deleteFileBuilder(self.table.spec()).ofPositionDeletes()
        builder = builder.withReferencedDataFile(of.location()).withContentOffset(4).withContentSizeInBytes(40)
        builder = builder.withPath(f"{self.table.location()}/data/v{self.files}.puffin").withFormat("puffin")
        return builder.withFileSizeInBytes(500).withRecordCount(rows).build()

    def _delete(self, builder: Any, rows: int, partition: str | None) -> Any:
        builder = (
            builder.withPath(f"{self.table.location()}/data/d{self.files}.parquet")
            .withFormat("parquet")
            .withFileSizeInBytes(500)
            .withRecordCount(rows)
        )
        return (builder.withPartitionPath(partition) if partition else builder).build()

    # commits

    def append(self, *files: Any, **summary: str) -> None:
        change = self.table.newAppend()
        for file in files or (self.data(),):
            change.appendFile(file)
        self._commit(change, summary)

    def delete(self, *files: Any, **summary: str) -> None:
        change = self.table.newDelete()
        for file in files:
            change.deleteFile(file)
        self._commit(change, summary)

    def overwrite(self, old: list[Any], new: list[Any], **summary: str) -> None:
        change = self.table.newOverwrite()
        for file in old:
            change.deleteFile(file)
        for file in new:
            change.addFile(file)
        self._commit(change, summary)

    def rewrite(
        self, old: list[Any], new: list[Any], number: int | None = None, deletes: list[Any] | None = None
    ) -> None:
        change = self.table.newRewrite().validateFromSnapshot(self.table.currentSnapshot().snapshotId())
        for file in (*old, *(deletes or ())):
            change.deleteFile(file)
        for file in new:
            change.addFile(file)
        if number is not None:
            change.dataSequenceNumber(number)
        self._commit(change, {})

    def row_delta(
        self, added: Sequence[Any] = (), deletes: Sequence[Any] = (), removed: Sequence[Any] = (), **summary: str
    ) -> None:
        change = self.table.newRowDelta()
        for file in added:
            change.addRows(file)
        for file in deletes:
            change.addDeletes(file)
        for file in removed:
            change.removeDeletes(file)
        self._commit(change, summary)

    def _commit(self, change: Any, summary: dict[str, str]) -> None:
        for key, value in summary.items():
            change.set(key, value)
        change.commit()
        self.table.refresh()

    def rollback(self, number: int) -> None:
        self.table.manageSnapshots().setCurrentSnapshot(self.id(number)).commit()
        self.table.refresh()

    def id(self, number: int) -> int:
        return int(next(s.snapshotId() for s in self.table.snapshots() if s.sequenceNumber() == number))

    # what no library writes

    def document(self) -> dict[str, Any]:
        """The metadata file of a Hadoop table."""
        folder = Path(urlsplit(self.table.location()).path) / "metadata"
        version = int((folder / "version-hint.text").read_text())
        return dict(json.loads((folder / f"v{version}.metadata.json").read_text()))

    def edit(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Write the next metadata file of a Hadoop table, changed."""
        document = self.document()
        change(document)
        folder = Path(urlsplit(self.table.location()).path) / "metadata"
        version = int((folder / "version-hint.text").read_text())
        (folder / f"v{version + 1}.metadata.json").write_text(json.dumps(document))
        (folder / "version-hint.text").write_text(str(version + 1))
        (folder / ".version-hint.text.crc").unlink(missing_ok=True)
        self.table.refresh()


def _snapshot(document: dict[str, Any], number: int) -> dict[str, Any]:
    return next(s for s in document["snapshots"] if s["sequence-number"] == number)


def spread(t: Maker, hours: float, until: datetime | None = None) -> None:
    """Put the commits so many hours apart, the last of them now, or at a time."""
    end = until or datetime.now(UTC)

    def change(document: dict[str, Any]) -> None:
        ordered = sorted(document["snapshots"], key=lambda s: s["sequence-number"])
        for n, s in enumerate(reversed(ordered)):
            s["timestamp-ms"] = int((end - timedelta(hours=hours * n)).timestamp() * 1000)
        at = {s["snapshot-id"]: s["timestamp-ms"] for s in ordered}
        for entry in document["snapshot-log"]:
            entry["timestamp-ms"] = at.get(entry["snapshot-id"], entry["timestamp-ms"])

    t.edit(change)


def without_counts(t: Maker) -> Path:
    """Its metadata file without what tells of most incidents: every manifest list, and all of summaries but operations.

    It is a table of its own, of which nothing was read before.
    """
    document = t.document()
    document["table-uuid"] = str(uuid.uuid4())
    for s in document["snapshots"]:
        s["summary"] = {"operation": s["summary"]["operation"]}
        s["manifest-list"] += ".lost"
    path = Path(urlsplit(t.table.location()).path) / "metadata" / "lost.metadata.json"
    path.write_text(json.dumps(document))
    return path


@dataclass(frozen=True)
class Incident:
    """An incident, where it begins, and a sound table that looks alike.

    Attributes:
        build: makes it. since: the sequence number from which on it is so; None where no commit can be named.
        sound: makes a table on which it is not found.
        columns, more: of both tables. good: the last point known good of the sound one; with it the other is asked
            by an id that is not listed. asked: what else the triage is asked.
    """

    build: Callable[[Maker], None]
    since: int | None
    sound: Callable[[Maker], None]
    columns: str = "id BIGINT, day STRING"
    more: str = ""
    good: int | None = None
    asked: Mapping[str, Any] | None = None


_V2 = "TBLPROPERTIES ('format-version' = '2', 'write.metadata.compression-codec' = 'none'"
BY_DAY = f"PARTITIONED BY (day) {_V2})"


def _plain(t: Maker) -> None:
    for _ in range(3):
        t.append()


def _mass_removal(t: Maker) -> None:
    big, small = t.data(900), t.data(100)
    t.append(big, small)
    t.append()
    t.delete(big)
    t.append()


def _retention(t: Maker) -> None:
    """The same writer removes as much every time."""
    files = [t.data(100) for _ in range(4)]
    t.append(*files)
    for n in range(4):
        t.overwrite([files[n]], [])
        t.append(t.data(100))


def _abandoned(t: Maker) -> None:
    _plain(t)
    t.rollback(1)
    t.append()


def _broken_chain(t: Maker) -> None:
    _plain(t)

    def change(document: dict[str, Any]) -> None:
        last = _snapshot(document, 3)
        last.pop("parent-snapshot-id")
        alone = _snapshot(document, 1)  # a list that names the manifests of one commit alone
        last["manifest-list"] = alone["manifest-list"].replace(str(alone["snapshot-id"]), str(last["snapshot-id"]))
        source, target = (Path(urlsplit(s).path) for s in (alone["manifest-list"], last["manifest-list"]))
        target.write_bytes(_relisted(source, Path(urlsplit(_before(document, last)).path)))

    t.edit(change)


def _before(document: dict[str, Any], last: dict[str, Any]) -> str:
    """The location of the list that the last commit wrote itself."""
    folder = Path(urlsplit(last["manifest-list"]).path).parent
    return next(str(f) for f in folder.glob(f"snap-{last['snapshot-id']}-*.avro") if not f.name.startswith("."))


def _relisted(_source: Path, own: Path) -> bytes:
    """The newest commit's list with the manifests alone that it wrote."""
    import io

    import fastavro

    with own.open("rb") as file:
        reader = fastavro.reader(file)
        rows, schema, meta = list(reader), reader.writer_schema, reader.metadata
    newest = max(row["sequence_number"] for row in rows)
    out = io.BytesIO()
    header = {key: value for key, value in meta.items() if not key.startswith("avro.")}
    fastavro.writer(out, schema, [row for row in rows if row["sequence_number"] == newest], metadata=header)
    return out.getvalue()


def _forked(t: Maker) -> None:
    _plain(t)
    t.edit(lambda d: _snapshot(d, 3).update({"sequence-number": 2}))


def _rewrite_changed(t: Maker) -> None:
    a, b = t.data(10), t.data(10)
    t.append(a, b)
    t.rewrite([a, b], [t.data(15)])


def _rewrite_deleted(t: Maker) -> None:
    """A compaction that applied deletes."""
    a = t.data(10)
    t.append(a)
    mask = t.positions(a, 3)
    t.row_delta(deletes=[mask])
    t.rewrite([a], [t.data(7)], deletes=[mask])


def rewrite_of_masked(t: Maker, masks: str, added: int) -> None:
    """A compaction of one of two files of ten rows, three of which deletes had masked."""
    a, b = t.data(10), t.data(10)
    t.append(a, b)
    mask = {"positions": lambda: t.positions(a, 3), "positions of no one file": lambda: t.positions(None, 3)}
    t.row_delta(deletes=[mask.get(masks, lambda: t.keys(3))()])
    t.rewrite([a], [t.data(added)])


def _raced_writes(t: Maker) -> None:
    a, b = t.data(10), t.data(20)
    t.append(a)
    t.append(b)
    t.overwrite([a, b], [t.data(5)])
    t.edit(_tried_again(3, 2))


def _tried_again(number: int, attempt: int) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        s = _snapshot(document, number)
        old = Path(urlsplit(s["manifest-list"]).path)
        new = old.with_name(old.name.replace(f"{s['snapshot-id']}-1-", f"{s['snapshot-id']}-{attempt}-"))
        new.write_bytes(old.read_bytes())
        s["manifest-list"] = s["manifest-list"].replace(old.name, new.name)

    return change


def _retried_append(t: Maker) -> None:
    _plain(t)
    t.edit(_tried_again(3, 2))


def _staged(t: Maker) -> None:
    t.append()
    change = t.table.newAppend().appendFile(t.data(12))
    change.set("wap.id", "w1").stageOnly().commit()
    t.table.refresh()
    t.append()


def _published(t: Maker) -> None:
    _staged(t)
    t.table.manageSnapshots().cherrypick(t.id(2)).commit()


def _flink(t: Maker, *checkpoints: int) -> None:
    for n in checkpoints:
        t.append(**{"flink.job-id": "j", "flink.max-committed-checkpoint-id": str(n)})


def _listed_twice(t: Maker) -> None:
    a = t.data(100)
    t.append(a)
    t.append()
    t.append(a)


def _same_load(t: Maker) -> None:
    t.append(t.data(7, 701), t.data(8, 802), t.data(9, 903))
    t.append()
    t.append(t.data(7, 701), t.data(8, 802), t.data(9, 903))


def _alike_loads(t: Maker) -> None:
    t.append(t.data(7, 701), t.data(8, 802), t.data(9, 903))
    t.append(t.data(7, 701), t.data(8, 802), t.data(9, 904, bounds=(2, 10)))
    for n in range(5):  # of equal sizes, but of other rows
        t.append(*(t.data(6, 600, bounds=(10 * n, 10 * n + 5)) for _ in range(3)))


def _upsert_missed(t: Maker) -> None:
    t.append(t.data(partition="day=1"))
    t.row_delta(added=[t.data(partition="day=2")], deletes=[t.keys(partition="day=2")])


def _upsert_whole(t: Maker) -> None:
    t.append(t.data(partition="day=1"))
    t.row_delta(added=[t.data(partition="day=1")], deletes=[t.keys(partition="day=1", field=2)])


def _upsert_one_commit(t: Maker) -> None:
    _flink(t, 1)
    t.row_delta(
        added=[t.data(), t.data()],
        deletes=[t.keys()],
        **{"flink.job-id": "j", "flink.max-committed-checkpoint-id": "4"},
    )


def _delete_removed(t: Maker) -> None:
    mask = t.keys(5)
    t.append()
    t.row_delta(deletes=[mask])
    t.row_delta(removed=[mask])


def _delete_replaced(t: Maker) -> None:
    a = t.data(10)
    t.append(a)
    one, two = t.positions(a, 1), t.positions(a, 2)
    t.row_delta(deletes=[one])
    t.row_delta(deletes=[two], removed=[one])


def _never_applied(t: Maker) -> None:
    t.append(t.data(partition="day=1"))
    t.row_delta(deletes=[t.keys(3)])


def _new_keys(t: Maker) -> None:
    t.append(t.data(partition="day=1"))
    t.row_delta(added=[t.data(partition="day=2")], deletes=[t.keys(3, partition="day=2")])


def _raced_delete(t: Maker) -> None:
    a = t.data(10)
    t.append(a)
    t.row_delta(deletes=[t.positions(a, 2)])
    t.rewrite([a], [t.data(10)], number=1)


def _applied_delete(t: Maker) -> None:
    a = t.data(10)
    t.append(a)
    t.row_delta(deletes=[t.positions(a, 2)])
    t.rewrite([a], [t.data(8)], number=2)


def _re_added(t: Maker) -> None:
    a = t.data(10)
    t.append(a)
    t.row_delta(deletes=[t.keys()])
    t.delete(a)
    t.append(a)


def _reborn(t: Maker) -> None:
    t.append()
    t.spark.sql(f"ALTER TABLE {t.name} DROP COLUMN day")
    t.spark.sql(f"ALTER TABLE {t.name} ADD COLUMN day STRING")
    t.table.refresh()
    t.append()


def _renamed(t: Maker) -> None:
    t.append()
    t.spark.sql(f"ALTER TABLE {t.name} RENAME COLUMN day TO date")
    t.table.refresh()
    t.append()


def _stale_schema(t: Maker) -> None:
    t.append()
    t.spark.sql(f"ALTER TABLE {t.name} ADD COLUMN more STRING")
    t.table.refresh()
    t.append()
    t.append()
    t.edit(lambda d: _snapshot(d, 3).update({"schema-id": 0}))


def _dropped_again(t: Maker) -> None:
    """A column that comes and goes leaves the first schema, under its old id."""
    t.append()
    t.spark.sql(f"ALTER TABLE {t.name} ADD COLUMN more STRING")
    t.table.refresh()
    t.append()
    t.spark.sql(f"ALTER TABLE {t.name} DROP COLUMN more")
    t.table.refresh()
    t.append()


_BY_NUMBER = f"PARTITIONED BY (id) {_V2})"
_BY_DATE = f"PARTITIONED BY (months(id)) {_V2})"


def _contradicts(t: Maker) -> None:
    t.append(t.data(partition="id=5", bounds=(5, 5)))
    t.append(t.data(partition="id=5", bounds=(4, 4)))


def _small_files(t: Maker, count: int = 120) -> None:
    t.append(t.data(1_000_000, 600_000_000))
    t.append(*(t.data(10, 100_000) for _ in range(count)))


def _pressure(t: Maker, masked: int) -> None:
    a = t.data(1_000)
    t.append(a)
    t.row_delta(deletes=[t.positions(a, masked)])


def _flood(t: Maker, rows: int) -> None:
    t.append()
    t.row_delta(deletes=[t.keys(rows)])


def _no_effect(t: Maker, count: int) -> None:
    old = [t.data() for _ in range(4)]
    t.append(*old)
    for _ in range(count):
        new = [t.data() for _ in range(4)]
        t.rewrite(old, new)
        old = new
    spread(t, 48)


_UNMERGED = f"{_V2}, 'commit.manifest-merge.enabled' = 'false', 'commit.manifest.min-count-to-merge' = '4')"


def _many(t: Maker, count: int) -> None:
    for _ in range(count):
        t.append()


def _clustering(t: Maker, *, overlap: bool) -> None:
    t.append(*(t.data(bounds=(0, 999) if overlap else (n * 10, n * 10 + 9)) for n in range(30)))


def _sorted(t: Maker) -> None:
    t.spark.sql(f"ALTER TABLE {t.name} WRITE ORDERED BY id")
    t.table.refresh()


def _no_stats(t: Maker) -> None:
    t.append()
    file = (
        t.jvm.org.apache.iceberg.DataFiles.builder(t.table.spec())
        .withPath(f"{t.table.location()}/data/bare.parquet")
        .withFormat("parquet")
        .withFileSizeInBytes(10)
        .withRecordCount(5)
        .build()
    )
    t.append(file)


def _old_spec(t: Maker, hours: float) -> None:
    t.append(t.data(100))
    t.spark.sql(f"ALTER TABLE {t.name} ADD PARTITION FIELD day")
    t.table.refresh()
    t.append(t.data(10, partition="day=1"))
    t.append(t.data(10, partition="day=1"))
    spread(t, hours)


def _retries(t: Maker, *, often: bool) -> None:
    for _ in range(10):
        t.append()
    for number in (3, 5, 7, 9) if often else (3,):
        t.edit(_tried_again(number, 3))


def _amplified(t: Maker, size: int) -> None:
    old = t.data(1_000_000, size)
    t.append(old)
    for _ in range(4):
        new = t.data(1_000_000, size)
        t.overwrite([old], [new])
        old = new


def _hoard(t: Maker, hours: float) -> None:
    old = t.data(10, 5_000_000_000)
    t.append(old)
    for _ in range(3):
        new = t.data(10, 5_000_000_000)
        t.overwrite([old], [new])
        old = new
    spread(t, hours)


def _bloat(t: Maker, count: int) -> None:
    t.append()

    def change(document: dict[str, Any]) -> None:
        first = document["snapshots"][0]
        copies = [first | {"snapshot-id": first["snapshot-id"] - n, "sequence-number": 0} for n in range(1, count)]
        document["snapshots"] = [*copies, first]

    t.edit(change)


def _recount(number: int, total: str) -> Callable[[dict[str, Any]], None]:
    return lambda d: _snapshot(d, number)["summary"].update({"total-records": total})


def _counts(t: Maker) -> None:
    t.append()
    t.append()
    t.edit(_recount(2, "1000"))
    t.append()


def _dangling(t: Maker) -> None:
    a = t.data(10)
    t.append(a)
    t.row_delta(deletes=[t.keys()])
    t.rewrite([a], [t.data(9)])


def _skewed(t: Maker) -> None:
    _plain(t)
    spread(t, 1)
    t.edit(lambda d: _snapshot(d, 2).update({"timestamp-ms": _snapshot(d, 1)["timestamp-ms"] - 50_000}))


def _ordered(t: Maker) -> None:
    _plain(t)
    spread(t, 1)


def _lost_list(t: Maker) -> None:
    _plain(t)
    lists = [Path(urlsplit(s.manifestListLocation()).path) for s in t.table.snapshots()]
    lists[-1].unlink()


def _reused(t: Maker) -> None:
    path = f"{t.table.location()}/data/again.parquet"
    t.append(t.data(10, 100, path=path))
    t.append(t.data(12, 130, path=path))


def _elsewhere(t: Maker) -> None:
    t.append(t.data(path="file:/elsewhere/data/x.parquet"))


def _version(t: Maker, version: str) -> None:
    t.append(t.data(), **{"kafka.connect.task-id": "1"})

    def change(document: dict[str, Any]) -> None:
        for s in document["snapshots"]:
            s["summary"]["iceberg-version"] = f"Apache Iceberg {version} (commit abc)"

    t.edit(change)


def _imported(t: Maker) -> None:
    t.append()
    t.append(t.data(path="file:/elsewhere/data/x.parquet", values={}))


def _ids_reused(t: Maker) -> None:
    _plain(t)

    def change(document: dict[str, Any]) -> None:
        document["next-row-id"] -= 5

    t.edit(change)


def _vectors(t: Maker, of_one_file: int) -> None:
    a, b = t.data(), t.data()
    t.append(a, b)
    t.row_delta(deletes=[t.vector(a)])
    # A writer that does not merge its vector with the one that it has seen: Iceberg refuses only what it has not.
    change = t.table.newRowDelta().validateFromSnapshot(t.table.currentSnapshot().snapshotId())
    change.addDeletes(t.vector(a if of_one_file == 2 else b)).commit()
    t.table.refresh()


def _strayed(t: Maker, days: int) -> None:
    """A file that no snapshot knows, so old."""
    t.append()
    stray = Path(urlsplit(t.table.location()).path) / "data" / "stray.parquet"
    stray.parent.mkdir(exist_ok=True)
    stray.write_bytes(bytes(2_000))
    then = time.time() - days * 86_400
    os.utime(stray, (then, then))


def _masked(t: Maker, deleted: int) -> None:
    """A row that is deleted and lies in a live file, the only one of 7 and 8."""
    rows = f"SELECT /*+ COALESCE(1) */ id, '2026' FROM range(40) WHERE id = {deleted} OR id NOT IN (7, 8)"
    for statement in (f"INSERT INTO {t.name} {rows}", f"DELETE FROM {t.name} WHERE id = {deleted}"):
        t.spark.sql(statement)
    t.table.refresh()


_MERGED = f"{_V2}, 'write.delete.mode' = 'merge-on-read')"
_VERSION_3 = "TBLPROPERTIES ('format-version' = '3', 'write.metadata.compression-codec' = 'none')"
INCIDENTS: dict[str, Incident] = {
    "mass-removal": Incident(_mass_removal, 3, _retention),
    "abandoned-commits": Incident(_abandoned, 1, _plain),
    "broken-chain": Incident(_broken_chain, 3, _plain),
    "forked-metadata": Incident(_forked, 2, _plain),
    "rewrite-changed-rows": Incident(_rewrite_changed, 2, _rewrite_deleted),
    "raced-writes": Incident(_raced_writes, 3, _retried_append),
    "unpublished-stage": Incident(_staged, 2, _published),
    "writer-gap": Incident(lambda t: _flink(t, 1, 2, 3, 47), 4, lambda t: _flink(t, 1, 2, 3, 4)),
    "file-listed-twice": Incident(_listed_twice, 3, _same_load),
    "same-load-twice": Incident(_same_load, 3, _alike_loads),
    "upsert-missed-old-row": Incident(_upsert_missed, 2, _upsert_whole, more=BY_DAY),
    "upsert-in-one-commit": Incident(_upsert_one_commit, 2, lambda t: _flink(t, 1, 2)),
    "applicable-delete-removed": Incident(_delete_removed, 3, _delete_replaced),
    "delete-never-applied": Incident(_never_applied, 2, _new_keys, more=BY_DAY),
    "raced-delete": Incident(_raced_delete, 3, _applied_delete),
    "file-re-added": Incident(_re_added, 4, _plain),
    "column-reborn": Incident(_reborn, 2, _renamed),
    "stale-schema-writer": Incident(_stale_schema, 3, _dropped_again),
    "partition-contradicts-bounds": Incident(
        _contradicts, 2, lambda t: t.append(t.data(partition="id=5", bounds=(5, 5))), more=_BY_NUMBER
    ),
    "small-files": Incident(_small_files, 2, lambda t: _small_files(t, 20)),
    "delete-pressure": Incident(lambda t: _pressure(t, 400), 2, lambda t: _pressure(t, 20)),
    "equality-delete-flood": Incident(lambda t: _flood(t, 2_000_000), 2, lambda t: _flood(t, 2_000)),
    "compaction-without-effect": Incident(lambda t: _no_effect(t, 3), 2, lambda t: _no_effect(t, 1)),
    "manifest-fragmentation": Incident(lambda t: _many(t, 12), 8, lambda t: _many(t, 3), more=_UNMERGED),
    "clustering-lost": Incident(
        lambda t: (_sorted(t), _clustering(t, overlap=True))[1],
        1,
        lambda t: (_sorted(t), _clustering(t, overlap=False))[1],
    ),
    "stats-absent": Incident(_no_stats, 2, _plain),
    "partition-layout": Incident(lambda t: _old_spec(t, 24 * 40), 2, lambda t: _old_spec(t, 1)),
    "commit-pressure": Incident(lambda t: _retries(t, often=True), 3, lambda t: _retries(t, often=False)),
    "write-amplification": Incident(lambda t: _amplified(t, 2_000_000_000), 2, lambda t: _amplified(t, 2_000_000)),
    "history-hoard": Incident(lambda t: _hoard(t, 24 * 30), 1, lambda t: _hoard(t, 1)),
    "metadata-json-bloat": Incident(lambda t: _bloat(t, 1_100), None, lambda t: _bloat(t, 50)),
    "counts-disagree": Incident(_counts, 2, _plain),
    "dangling-deletes": Incident(_dangling, 3, lambda t: _flood(t, 2)),
    "clock-skew": Incident(_skewed, 2, _ordered),
    "expired-under-consumer": Incident(_plain, None, _plain, good=1),
    "known-bad-writer": Incident(lambda t: _version(t, "1.10.1"), 1, lambda t: _version(t, "1.12.0")),
    "missing-file": Incident(_lost_list, None, _plain),
    "path-reused": Incident(_reused, 2, _plain),
    "foreign-location": Incident(_elsewhere, 1, _plain),
    "unmapped-columns": Incident(_imported, 2, _plain),
    "row-ids-damaged": Incident(_ids_reused, 3, _plain, more=_VERSION_3),
    "dv-broken": Incident(lambda t: _vectors(t, 2), 3, lambda t: _vectors(t, 1), more=_VERSION_3),
    "orphan-files": Incident(lambda t: _strayed(t, 10), None, lambda t: _strayed(t, 1), asked={"until": "listing"}),
    "deleted-but-stored": Incident(
        lambda t: _masked(t, 7),
        2,
        lambda t: _masked(t, 8),
        more=_MERGED,
        asked={"prove": ("deleted-but-stored",), "where": "id = 7"},
    ),
}
"""By name of the signature."""
