"""Partitions to draw, each written down commit by commit, so that a picture can be judged by eye and by test."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType

import numpy as np

from explorer.model.evidence import Note
from explorer.model.iceberg.metadata import Snapshot
from explorer.model.partition_order import in_order
from explorer.model.partitions.facts import Partition, Partitions, Sums
from tests.figures.snapshot_graph_stories import BIG_ID

SUMS = tuple(column.name for column in fields(Sums))


@dataclass
class Told:
    """A line in the making: commits, and what each partition holds after them."""

    version: int = 2
    at: datetime = datetime(2026, 1, 1, 6, 0, tzinfo=UTC)
    commits: list[Snapshot] = field(default_factory=list)
    held: dict[Partition, dict[str, int]] = field(default_factory=dict)
    rows: dict[tuple[int, Partition], dict[str, int]] = field(default_factory=dict)

    def commit(self, operation: str | None = "append", step: timedelta = timedelta(hours=7, minutes=23)) -> int:
        """Another commit; its number."""
        n = len(self.commits) + 1
        parent = self.commits[-1].snapshot_id if self.commits else None
        number = n if self.version > 1 else 0
        nothing: Mapping[str, str] = MappingProxyType({})
        own = BIG_ID + n * 10_000 + n * 617 % 10_000
        self.commits.append(Snapshot(own, parent, number, self.at, operation, nothing, f"l{n}", 0))
        self.at += step
        return n

    def add(self, partition: str, rows: int = 0, files: int = 1, *, spec: int = 0, **more: int) -> None:
        """By the last commit; what is taken away is below 0."""
        place = Partition(spec, partition)
        changes = {"data_files": files, "record_count": rows, "size_in_bytes": rows * 118} | more
        if "delete_files" in more:
            changes |= {"delete_size_in_bytes": more["delete_files"] * 4_100}
        before = self.held.get(place, dict.fromkeys(SUMS, 0))
        self.held[place] = {name: before[name] + changes.get(name, 0) for name in SUMS}
        self.rows[len(self.commits) - 1, place] = self.held[place]

    def remove(self, partition: str, *, spec: int = 0) -> None:
        """Everything in it."""
        place = Partition(spec, partition)
        self.held[place] = self.rows[len(self.commits) - 1, place] = dict.fromkeys(SUMS, 0)

    def facts(
        self, unreadable: Mapping[int, str] | None = None, before: str = "", notes: tuple[Note, ...] = ()
    ) -> Partitions:
        """The rows, without those of commits that are not known; their numbers count from 1."""
        lost = {n - 1: why for n, why in (unreadable or {}).items()}
        ordered = in_order({p for n, p in self.rows if n not in lost})
        place = {partition: n for n, partition in enumerate(ordered)}
        known = sorted(
            ((n, place[p], sums) for (n, p), sums in self.rows.items() if n not in lost), key=lambda row: row[:2]
        )
        columns = {name: np.array([sums[name] for _, _, sums in known], dtype=np.int64) for name in SUMS}
        return Partitions(
            "main", tuple(self.commits), tuple(ordered),
            np.array([p for _, p, _ in known], dtype=np.int64), np.array([n for n, _, _ in known], dtype=np.int64),
            Sums(**columns), lost, before, notes=notes,
        )  # fmt: skip


def mock() -> Partitions:
    """The table of the mock: a partition a day, a finding on 2026-03-13 since 241, masked rows that come back."""
    told, pick = Told(), random.Random(5)
    day = date(2025, 12, 28)
    for n in range(292):
        at = datetime(2026, 1, 1, 6, tzinfo=UTC) + timedelta(days=n * 90 / 292)
        told.at = at
        operation = "replace" if n % 7 == 5 else "overwrite" if n % 3 == 0 else "append"
        number = told.commit(operation)
        if number == 1:
            for past in range(4):
                told.add(f"ordered_at_day={day + timedelta(past)}", 17_000 + pick.randint(0, 2_000), 2)
        today = at.date()
        if operation != "replace":
            told.add(f"ordered_at_day={today}", pick.randint(4_000, 8_500), 1)
        if operation == "overwrite" and n > 6:
            past = today - timedelta(pick.randint(1, 4))
            told.add(f"ordered_at_day={past}", 0, 0, delete_files=1, masked_records=pick.randint(5, 90))
        if number == 241:
            told.add("ordered_at_day=2026-03-13", 15_356, 6)
    return told.facts()


def one() -> Partitions:
    """Not partitioned."""
    told, pick = Told(), random.Random(1)
    for n in range(14):
        told.commit(["append", "append", "delete", "overwrite"][n % 4])
        if n % 4 == 2:
            told.add("", 0, 0, delete_files=1, masked_records=pick.randint(1, 300))
        else:
            told.add("", pick.randint(100, 4_000), 1)
    return told.facts()


def regions(count: int = 12, commits: int = 30) -> Partitions:
    """A handful of partitions, all changed all the time; deletes pile up in one."""
    told, pick = Told(), random.Random(2)
    names = ["AT", "BR", "CH", "DE", "ES", "FR", "GB", "IN", "IT", "JP", "US", "null"][:count]
    for n in range(commits):
        told.commit(["append", "overwrite", "append", "delete"][n % 4])
        for k, name in enumerate(names):
            if pick.random() < 0.3 + 0.6 * (n == 0):
                told.add(f"region={name}", pick.randint(400, 900) * (1 + k % 4), 1)
        if n % 4 == 3:
            told.add("region=DE", 0, 0, delete_files=2, masked_records=40)
    return told.facts()


def equality() -> Partitions:
    """Global equality deletes, of a spec without fields: a row of their own."""
    told = Told()
    told.commit()
    for name in ("EU", "US"):
        told.add(f"region={name}", 5_000, 3)
    for _ in range(5):
        told.commit("delete")
        told.add("", 0, 0, spec=1, delete_files=1, equality_delete_files=1)
        told.add("region=EU", 0, 0, delete_files=1, equality_delete_files=1)
    note = Note("unknown", "How many rows equality deletes mask", "No metadata says it.")
    return told.facts(notes=(note,))


def specs() -> Partitions:
    """Two specs after each other; the files of the first go bit by bit."""
    told, pick = Told(), random.Random(3)
    for n in range(40):
        told.commit("append" if n % 5 else "replace")
        region = ["EU", "US", "APAC"][n % 3]
        if n < 16:
            told.add(f"region={region}", pick.randint(300, 900), 2)
        else:
            told.add(f"region={region}/day={date(2026, 2, 1) + timedelta(n // 4)}", pick.randint(300, 900), 1, spec=1)
        if n == 30:
            told.remove("region=EU")
    return told.facts()


def holes() -> Partitions:
    """Manifest lists are missing: two in the middle and the last one; and a manifest of another."""
    told, pick = Told(), random.Random(4)
    for _ in range(20):
        told.commit()
        for name in "abcdef":
            if pick.random() < 0.5:
                told.add(f"k={name}", pick.randint(50, 400))
    gone = "The manifest list was not found: it was deleted."
    notes = tuple(Note("unknown", f"What lives after snapshot {n}", gone) for n in (7, 8, 20))
    return told.facts({7: gone, 8: gone, 20: gone, 12: "m7.avro: it is damaged."}, notes=notes)


def lost() -> Partitions:
    """Not one manifest list can be read."""
    told = Told()
    for _ in range(3):
        told.commit()
    gone = "Denied."
    return told.facts({1: gone, 2: gone, 3: gone}, notes=(Note("unknown", "What lives after snapshot 1", gone),))


def expired() -> Partitions:
    told = Told()
    told.commit("overwrite")
    for n in range(9):
        told.add(f"day={date(2026, 1, 1) + timedelta(n)}", 1_000 + 10 * n, 4)
    for n in range(4):
        told.commit()
        told.add(f"day={date(2026, 1, 9) + timedelta(n)}", 1_400, 1)
    why = "its parent 77 is no longer listed"
    return told.facts(before=why, notes=(Note("unknown", "What was before the oldest commit", f"{why}."),))


def version_1() -> Partitions:
    told = Told(version=1)
    for n in range(7):
        told.commit()
        told.add(f"bucket={n % 3}", 10 * n + 1)
    return told.facts()


def emptied() -> Partitions:
    told = Told()
    for n in range(6):
        told.commit()
        told.add(f"region={'EU' if n % 2 else 'US'}", 100)
    told.commit("delete")
    told.remove("region=EU")
    told.remove("region=US")
    return told.facts()


def skewed() -> Partitions:
    """One partition holds nearly everything."""
    told = Told()
    for n in range(30):
        told.commit()
        told.add(f"customer={n % 15}", 10 + n)
        told.add("customer=99", 900_000 + n)
    return told.facts()


def hours() -> Partitions:
    """Two thousand partitions, an hour each, and as many commits."""
    told, pick = Told(), random.Random(6)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for n in range(2_000):
        told.at = start + timedelta(hours=n, minutes=pick.randint(0, 20))
        told.commit()
        told.add(f"at_hour={start + timedelta(hours=n):%Y-%m-%d-%H}", pick.randint(800, 1_200), 2)
    return told.facts()


def buckets() -> Partitions:
    """Two thousand partitions that nothing but their number puts in order, under two regions."""
    told, pick = Told(), random.Random(7)
    for n in range(400):
        told.commit("append" if n % 9 else "overwrite", timedelta(minutes=90))
        for _ in range(30):
            told.add(f"region={pick.choice(['EU', 'US'])}/id_bucket={pick.randint(0, 999)}", pick.randint(50, 90))
    return told.facts()


def regions_by_day() -> Partitions:
    """Six regions times sixty days."""
    told, pick = Told(), random.Random(8)
    for n in range(180):
        told.at = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=8 * n)
        told.commit()
        for region in ("AT", "CH", "DE", "ES", "FR", "IT"):
            told.add(f"region={region}/day={told.at.date() - timedelta(hours=8)}", pick.randint(100, 300))
    return told.facts()


def busy() -> Partitions:
    """Ten thousand commits, each of which changes many of 94 partitions."""
    told, pick = Told(), random.Random(9)
    names = [f"shop={n}" for n in range(94)]
    for n in range(10_000):
        told.commit("append" if n % 11 else "delete", timedelta(minutes=13))
        for name in pick.sample(names, 3):
            told.add(name, pick.randint(1, 20))
    return told.facts()


def burst() -> Partitions:
    """A thousand commits without a time."""
    told = Told()
    for n in range(1_000):
        told.commit(step=timedelta(0))
        told.add(f"k={n % 7}", 3)
    facts = told.facts()
    return replace(facts, commits=tuple(replace(s, committed_at=None) for s in facts.commits))


def backwards() -> Partitions:
    """Clocks of writers that disagree."""
    told, pick = Told(), random.Random(10)
    for n in range(500):
        told.commit(step=timedelta(hours=pick.choice([2, 2, 2, -3])))
        told.add(f"k={n % 5}", 30)
    return told.facts()


def hostile() -> Partitions:
    told = Told()
    for n, name in enumerate(["<script>alert(1)</script>", "$x$ & \u202e", '"a/b"', "long-" * 60, '"null"', "\t"]):
        told.commit("<b>odd</b>" if n % 2 else None)
        told.add(f"k={name}", 10 + n)
    told.at = datetime(9999, 12, 31, tzinfo=UTC)
    told.commit(step=timedelta(0))
    told.add("k=null", 2**52)
    return told.facts({2: "<i>Denied</i> & $x$ \u202e" + "why " * 60})


def never() -> Partitions:
    told = Told()
    told.commit()
    return told.facts()


def empty() -> Partitions:
    return Told().facts()


STORIES: dict[str, Callable[[], Partitions]] = {
    "mock": mock,
    "one": one,
    "regions": regions,
    "equality": equality,
    "specs": specs,
    "holes": holes,
    "lost": lost,
    "expired": expired,
    "version 1": version_1,
    "emptied": emptied,
    "skewed": skewed,
    "hours": hours,
    "buckets": buckets,
    "regions by day": regions_by_day,
    "busy": busy,
    "burst": burst,
    "backwards": backwards,
    "hostile": hostile,
    "never": never,
    "empty": empty,
}
