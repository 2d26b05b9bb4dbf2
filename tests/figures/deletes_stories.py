"""Deletes to draw, each written down file by file, so that a picture of them can be judged by eye and by test.

What reaches what is found by the model, as everywhere; of what is too much for that the counts are written down here.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from explorer.model.deletes.facts import (
    DeleteFront,
    Deletes,
    Finding,
    LiveDelete,
    PartitionDeletes,
    WhyNothing,
)
from explorer.model.deletes.reach import every_pair
from explorer.model.evidence import Note
from explorer.model.iceberg.delete_scope import DataFile, DeleteFile
from explorer.model.iceberg.inheritance import Value
from explorer.model.iceberg.key_ranges import KeyColumn, KeyRange
from explorer.model.iceberg.metadata import Snapshot
from tests.figures.snapshot_graph_stories import BIG_ID

FOLDER = "s3://lake/prod/cdc/users/data/"
ID = KeyColumn(1, "id", "long", required=True)
KINDS = {"eq": "equality deletes", "pos": "position deletes", "dv": "deletion vector"}


def snapshot(number: int = 19) -> Snapshot:
    """That is asked about."""
    at = datetime(2026, 11, 20, 12, 5, tzinfo=UTC)
    return Snapshot(BIG_ID + 7741, BIG_ID + 462, number, at, "overwrite", {}, None, 0)


def number(n: int | None) -> Value:
    """A data sequence number as read."""
    return Value(n, "not inherited" if n is None else "inherited" if n % 2 else "stored")


@dataclass
class Work:
    """Live files in the making."""

    data: list[DataFile] = field(default_factory=list)
    deletes: list[DeleteFile] = field(default_factory=list)
    notes: tuple[Note, ...] = ()
    at: int = 19

    def file(self, n: int | None, partition: str = "", name: str = "", *, spec_id: int = 1, **more: Any) -> DataFile:
        path = name if "//" in name else f"{FOLDER}{name or f'{len(self.data):05d}-data'}.parquet"
        keys = {1: KeyRange(*more.pop("ids"), 0, 100)} if "ids" in more else {}
        made = DataFile(path, spec_id, partition, 41_000 + 7 * len(self.data), 9_400_000, number(n), keys, **more)
        self.data.append(made)
        return made

    def delete(
        self, kind: str, n: int | None, partition: str = "", name: str = "", *, of: str | None = None, **more: Any
    ) -> DeleteFile:
        ending = "puffin" if kind == "dv" else "parquet"
        path = name if "//" in name else f"{FOLDER}{name or f'{len(self.deletes):05d}-{kind}'}.{ending}"
        everywhere = kind == "eq" and more.get("spec_id") == 0
        scope = "one file" if of is not None or kind == "dv" else "every file" if everywhere else "partition"
        ids = more.pop("ids", None)
        how: dict[str, Any] = {
            "content_offset": None, "spec_id": 1, "record_count": 12 + len(self.deletes), "size_in_bytes": 1_900,
            "keys": (ID,) if kind == "eq" else (), "columns": {1: KeyRange(*ids, 0, 12)} if ids else {},
        }  # fmt: skip
        how |= more
        made = DeleteFile(
            file_path=path, kind=KINDS[kind], partition=partition, data_sequence_number=number(n), scope=scope,
            data_file=of, **how,
        )  # type: ignore[arg-type]  # fmt: skip
        self.deletes.append(made)
        return made

    def all(self) -> Deletes:
        return every_pair(snapshot(self.at), self.data, self.deletes, self.notes)


def mock() -> Work:
    """The table of the mock."""
    w = Work(notes=(Note("inferred", "pairs ruled out by statistics", "Bounds of key columns do not meet."),))
    eu, us, later = "region=EU", "region=US", "region=US/month=2026-11"
    for n, name in ((2, "00001-a1"), (5, "00004-c7"), (6, "compact-f0"), (9, "00009-e4")):
        w.file(n, eu, name, ids=(1, 900))
    first = w.file(1, us, "00001-h3", ids=(1, 99))
    for n, name, ids in ((4, "00004-j8", (500, 900)), (11, "00011-m6", (1, 900))):
        w.file(n, us, name, ids=ids)
    for n, name in ((14, "00014-p2"), (16, "00016-q9"), (19, "00019-s5")):
        w.file(n, later, name, spec_id=2, ids=(1, 900))
    w.delete("eq", 3, eu, "00003-eq-3b", ids=(1, 90))
    w.delete("eq", 7, eu, "00007-eq-7d", ids=(1, 90))
    w.delete("eq", 8, us, "00008-eq-8a", ids=(1, 90))
    w.delete("eq", 1, us, "00001-eq-1f", ids=(1, 90))
    w.delete("eq", 17, "", "00017-eq-17", spec_id=0, ids=(1, 90))
    w.delete("pos", 10, eu, "00010-pos-10", of=w.data[2].file_path)
    w.delete("pos", 12, us, "00012-pos-12")
    w.delete("dv", 18, us, "00018-dv-18", of=first.file_path, content_offset=4)
    w.delete("dv", 19, later, "00019-dv-19", of=w.data[9].file_path, content_offset=4, spec_id=2)
    w.delete("pos", 6, eu, "00006-pos-6", of=f"{FOLDER}00003-c2.parquet")
    return w


def no_deletes() -> Work:
    w = Work()
    for i in range(12):
        w.file(i + 1, f"region={'EU' if i % 2 else 'US'}")
    return w


def one_and_one() -> Work:
    w = Work(at=2)
    w.file(1, spec_id=0)
    w.delete("eq", 2, spec_id=0)
    return w


def no_data() -> Work:
    w = Work()
    w.delete("pos", 4, "region=EU", of=f"{FOLDER}gone.parquet")
    w.delete("eq", 5, "region=EU")
    return w


def crowd(deletes: int, files: int, partitions: int) -> Work:
    """Deletes of all kinds over files of some partitions."""
    w = Work(at=deletes + files)
    places = [f"day=2026-{1 + i // 28:02d}-{1 + i % 28:02d}" for i in range(partitions)]
    for i in range(files):
        w.file(1 + i, places[i % partitions], f"{i:05d}-{i * 7919 % 65536:04x}")
    for i in range(deletes):
        n, place, name = 2 + i * files // deletes, places[i * 3 % partitions], f"{i:05d}-{i * 104729 % 65536:04x}"
        target = w.data[i * 5 % files].file_path
        match i % 5:
            case 0 | 1:
                w.delete("eq", n, place, name)
            case 2:
                w.delete("pos", n, place, name)
            case 3:
                w.delete("pos", files, w.data[i * 5 % files].partition, name, of=target)
            case _:
                w.delete("dv", deletes + files, w.data[i * 5 % files].partition, name, of=target, content_offset=4)
    used: set[str | None] = set()
    kept = []
    for delete in w.deletes:  # one vector for a file
        if delete.kind != "deletion vector" or delete.data_file not in used:
            kept.append(delete)
            used |= {delete.data_file} if delete.kind == "deletion vector" else set()
    w.deletes = kept
    return w


def unknown() -> Work:
    """Numbers that the entries lost, and a key that no schema has."""
    w = Work(notes=(Note("unknown", "2 of 5 delete manifests", "NoSuchKey: the object does not exist."),))
    for n in (2, None, 6):
        w.file(n, "region=EU")
    w.file(8, "region=US")
    w.delete("eq", 7, "region=EU")
    w.delete("eq", None, "region=EU")
    w.delete("eq", 9, "region=US", lost_keys=(99,), keys=())
    w.delete("pos", 6, "region=EU")
    return w


def two_vectors() -> Work:
    """Two vectors for one file, one older than its file, and one of another partition."""
    w = Work()
    files = [w.file(n, "region=EU", f"{n:05d}-f{n}") for n in (2, 3, 12, 14)]
    for n, offset in ((5, 4), (7, 48)):
        w.delete("dv", n, "region=EU", f"vectors-{n}", of=files[0].file_path, content_offset=offset)
    w.delete("dv", 9, "region=EU", "vectors-9", of=files[2].file_path, content_offset=4)
    w.delete("dv", 15, "region=US", "vectors-15", of=files[3].file_path, content_offset=4)
    w.delete("pos", 8, "region=EU", "positions-8")
    return w


def hostile() -> Work:
    """Long and odd names, with what a browser would run."""
    w = Work()
    odd = 's3://lake/<script>alert(1)</script>/"x"='
    place = '"a<b>"="<img src=x onerror=y>"/long_name_of_a_partition_field=' + "v" * 120
    for i in range(4):
        w.file(i + 1, place, f"{odd}/part {i} <b>bold</b> $x^2$ \u202egpj.\n" + "n" * (90 * i) + ".parquet")
    for i in range(3):
        w.delete("eq", i + 2, place, f"{odd}/delete & {i} <i>&lt;</i>" + "d" * (60 * i) + ".parquet")
    w.delete("pos", 9, place, f"{odd}/{'p' * 200}.parquet", of=f"{odd}/<b>gone</b>\t{'g' * 150}.parquet")
    w.notes = (Note("unknown", "manifest <u>x</u>", "java.io.IOException: <a href='x'>$broken$</a> " + "y" * 300),)
    return w


def shared_puffin() -> Work:
    """Twelve vectors in one Puffin file, one for each of twelve files."""
    w = Work()
    for i in range(12):
        file = w.file(i + 1, f"bucket={i // 4}", f"{i:05d}-{i * 31:03d}")
        w.delete("dv", 13, f"bucket={i // 4}", "00013-deletes", of=file.file_path, content_offset=4 + 40 * i)
    return w


def large_numbers() -> Work:
    """Sequence numbers that have no room in a cell."""
    w = Work(at=1_234_600)
    for i in range(14):
        w.file(1_234_500 + i, f"region={'EU' if i < 7 else 'US'}")
    for i in range(6):
        w.delete("eq" if i % 2 else "pos", 1_234_502 + 2 * i, f"region={'EU' if i < 3 else 'US'}")
    return w


def reaches_everything() -> Work:
    w = Work()
    for i in range(8):
        w.file(i + 1, f"day={i}")
    for i in range(3):
        w.delete("eq", 12 + i, spec_id=0)
    return w


def counts(deletes: int, files: int, partitions: int, at_hand: int | None = None) -> Deletes:
    """As many as have to be counted: deletes of every file, in each partition its own, in some vectors; some dangle."""
    told, each, per = at_hand or partitions, files // partitions, deletes // partitions // 2
    fronts = (DeleteFront("equality deletes", "every file", 100, reaching=30, dangling=10),)
    rows = [PartitionDeletes(0, "", 0, 0, None, None, (), fronts, {"number": 10})]
    for i in range(told):
        dangling = per if i % 7 == 5 else 0
        unknown = 4 if i == 3 else 0
        own = [DeleteFront("equality deletes", "partition", 5 + i, per - dangling - unknown, dangling, 0, unknown)]
        if i % 3 == 0:
            own.append(DeleteFront("deletion vector", "one file", 940, per))
        numbers = ((1 + i, each // 2), (900 + i, each - each // 2)) if i < 60 else None
        why: dict[WhyNothing, int] = {"number" if i % 2 else "bounds": dangling} if dangling else {}
        place = f"tenant={i:05d}"
        rows.append(PartitionDeletes(1, place, each, each * 50_000, 1 + i, 900 + i, numbers, tuple(own), why))
    dangling = sum(row.dangling for row in rows)
    count = sum(row.count() for row in rows)
    return Deletes(
        snapshot=snapshot(950), deletes=(), delete_count=count, data_files=(), data_file_count=files, pairs=(),
        pair_count=count * files, reached_pairs=30 * files + 7 * count, by_partition=tuple(rows),
        partition_count=partitions + 1, unknown_pairs=8, statistics_evaluated=False,
        states={"reaches": sum(row.reaching for row in rows), "dangling": dangling, "unknown": 4},
        findings=(Finding("dangling", f"{dangling:,} of {count:,} deletes reach nothing", ()),),
    )  # fmt: skip


def days() -> Deletes:
    """Ninety-four days, in some of which deletes lie; compaction has left a part of them nothing to reach."""
    chance, w = random.Random(5), Work(at=310)
    w.notes = (
        Note("inferred", "statistics", "From counts and bounds of columns; whether a key occurs only rows tell."),
    )
    places = [f"day=2026-{1 + i // 31:02d}-{1 + i % 31:02d}" for i in range(94)]
    for i, place in enumerate(places):
        for k in range(1 + (chance.random() < 0.3) + 6 * (i > 86)):
            w.file(150 + i * 142 // 94 + chance.randint(0, 8) + k, place, ids=(1, 900))
    for i in [*range(60, 94, 3), 92, 91, 90]:
        for _ in range(chance.randint(1, 3)):
            ids = chance.choice([(1, 90), (1_000, 1_100)])
            w.delete("eq", 150 + i * 142 // 94 + chance.randint(-30, 12), places[i], ids=ids)
        if chance.random() < 0.6:
            target = next(file for file in w.data if file.partition == places[i])
            w.delete("dv", 310, places[i], of=target.file_path, content_offset=4)
    return w.all()


def nulls() -> Deletes:
    """Values that are null, the text null, empty, and not recorded: four partitions, none of which is another one."""
    w = crowd(31, 21, 3)
    for n, place in enumerate(("k=null", 'k="null"', 'k=""', "")):
        w.file(4, place)
        w.file(4, place, spec_id=0)
        w.delete("eq", 3 + n, place)
    return w.all()


def lacking() -> Deletes:
    """A manifest of data files, and one of deletes, that cannot be read: what is told is a part."""
    w = crowd(40, 60, 5)
    w.notes = (Note("unknown", "deletes and data files of a manifest", "s3://m.avro: the object does not exist."),)
    return every_pair(snapshot(100), w.data, w.deletes, w.notes, lacks_data_files=True, lacks_deletes=True)


def many() -> Deletes:
    return counts(10_000, 1_000_000, 200)


def few_partitions() -> Deletes:
    return counts(10_000, 1_000_000, 8)


def unpartitioned() -> Deletes:
    """One partition, and more files than are drawn one by one."""
    return crowd(40, 400, 1).all()


def unreadable() -> Deletes:
    reason = "The file does not exist."
    empty = Work().all()
    return replace(empty, unreadable=reason, notes=(Note("unknown", "every delete", reason),))


def bounded() -> Deletes:
    """Only some of the deletes and files are at hand, with the counts of all."""
    base = crowd(60, 150, 5).all()
    some: tuple[LiveDelete, ...] = tuple(itertools.islice(base.deletes, 20))
    return replace(base, deletes=some, data_files=base.data_files[:50], pairs=())


STORIES: dict[str, Callable[[], Deletes]] = {
    "mock": lambda: mock().all(),
    "no deletes": lambda: no_deletes().all(),
    "nothing": lambda: Work().all(),
    "no data": lambda: no_data().all(),
    "one and one": lambda: one_and_one().all(),
    "30 x 20": lambda: crowd(30, 20, 4).all(),
    "30 x 20 scattered": lambda: crowd(30, 20, 20).all(),
    "31 x 12": lambda: crowd(40, 12, 1).all(),
    "100 x 100": lambda: crowd(120, 100, 1).all(),
    "100 x 100 of one": lambda: replace(crowd(120, 100, 9).all(), partition=(1, "day=2026-01-01")),
    "100 x 100 scattered": lambda: crowd(100, 100, 100).all(),
    "400 files": lambda: crowd(60, 400, 6).all(),
    "unpartitioned": unpartitioned,
    "94 days": days,
    "nulls": nulls,
    "lacking": lacking,
    "many": many,
    "few partitions": few_partitions,
    "partitions not at hand": lambda: counts(10_000, 1_000_000, 5_000, 100),
    "unknown": lambda: unknown().all(),
    "two vectors": lambda: two_vectors().all(),
    "hostile": lambda: hostile().all(),
    "shared puffin": lambda: shared_puffin().all(),
    "large numbers": lambda: large_numbers().all(),
    "reaches everything": lambda: reaches_everything().all(),
    "unreadable": unreadable,
    "bounded": bounded,
}
