"""Histories to draw, each written down commit by commit, so that a picture of one can be judged by eye and by test."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import SnapshotGraph, snapshot_graph

BIG_ID = 3_471_902_266_518_400_000  # above 2^53, like real ids


class Story:
    """A metadata file in the making; commits go on top of `parent`, times are UTC."""

    def __init__(self, version: int = 2) -> None:
        self.version = version
        self.snapshots: dict[int, dict[str, Any]] = {}
        self.refs: dict[str, dict[str, Any]] = {}
        self.log: list[dict[str, int]] = []
        self.ids: dict[int, int] = {}
        self.sequence = 0
        self.clock = datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
        self.schemas: list[dict[str, Any]] = [{"schema-id": 0, "type": "struct", "fields": []}]
        self.last_sequence: int | None = None  # where it is not the number of commits

    def commit(
        self,
        operation: str | None = "append",
        *,
        parent: int | None = None,
        at: str | None = None,
        tail: int | None = None,
        attempt: int = 1,
        schema: int | None = 0,
        main: bool = True,
        branch: str | None = None,
        numbered: bool = True,
        **summary: Any,
    ) -> int:
        """One commit; returns its number in the story. Summary keys are written with underscores."""
        self.sequence += 1
        snapshot_id = BIG_ID + self.sequence * 10_000 + (self.sequence * 617 % 10_000 if tail is None else tail)
        self.clock = datetime.fromisoformat(f"2026-{at}:00+00:00") if at else self.clock + timedelta(hours=1, minutes=7)
        counters = {k.replace("_", "-"): str(v) for k, v in summary.items()}
        if any(key.startswith(("added-", "deleted-")) for key in counters):
            counters |= self.totals(parent, counters)
        if "wap-id" in counters:
            counters["wap.id"] = counters.pop("wap-id")
        snapshot: dict[str, Any] = {
            "snapshot-id": snapshot_id,
            "timestamp-ms": int(self.clock.timestamp() * 1000),
            "manifest-list": f"metadata/snap-{snapshot_id}-{attempt}-abc.avro",
            "summary": ({"operation": operation} if operation else {}) | counters,
        }
        if self.version > 1 and numbered:
            snapshot["sequence-number"] = self.sequence
        if schema is not None:
            snapshot["schema-id"] = schema
        if parent is not None:
            snapshot["parent-snapshot-id"] = self.ids[parent]
        self.snapshots[snapshot_id] = snapshot
        self.ids[self.sequence] = snapshot_id
        if branch:
            self.ref(branch, self.sequence, "branch")
        elif main and "wap.id" not in counters:
            self.point_main(self.sequence)
        return self.sequence

    def totals(self, parent: int | None, counters: dict[str, str]) -> dict[str, str]:
        """As writers go on from the totals of the parent; a table begins with 16 million rows, a total is never < 0."""
        before = {"total-records": 16_000_000, "total-data-files": 160, "total-delete-files": 0}
        if parent is not None:
            before = self.snapshots[self.ids[parent]]["summary"]
        kinds = (("records", "deleted"), ("data-files", "deleted"), ("delete-files", "removed"))
        totals = {}
        for kind, removed in kinds:
            if f"total-{kind}" in before:
                counted = int(counters.get(f"added-{kind}", 0)) - int(counters.get(f"{removed}-{kind}", 0))
                totals[f"total-{kind}"] = str(int(before[f"total-{kind}"]) + counted)
        return totals

    def point_main(self, number: int, at: str | None = None) -> None:
        moment = datetime.fromisoformat(f"2026-{at}:00+00:00") if at else self.clock
        self.ref("main", number, "branch")
        self.log.append({"timestamp-ms": int(moment.timestamp() * 1000), "snapshot-id": self.ids[number]})

    def ref(self, name: str, number: int, kind: str = "tag") -> None:
        self.refs[name] = {"snapshot-id": self.ids[number], "type": kind}

    def expire(self, *numbers: int) -> None:
        for number in numbers:
            del self.snapshots[self.ids[number]]
        gone = {self.ids[number] for number in numbers}
        self.log = [entry for entry in self.log if entry["snapshot-id"] not in gone]

    def id(self, number: int) -> str:
        return str(self.ids[number])

    def document(self) -> dict[str, Any]:
        return {
            "format-version": self.version,
            "location": "file:/tmp/t",
            "last-updated-ms": int(self.clock.timestamp() * 1000),
            "last-sequence-number": self.last_sequence or (self.sequence if self.version > 1 else 0),
            "current-snapshot-id": self.refs["main"]["snapshot-id"] if "main" in self.refs else -1,
            "refs": self.refs,
            "snapshots": list(self.snapshots.values()),
            "snapshot-log": self.log,
            "schemas": self.schemas,
            "current-schema-id": self.schemas[-1]["schema-id"],
        }

    def graph(self) -> SnapshotGraph:
        return snapshot_graph(TableMetadata.from_json(self.document()))


def rows(added: int | None = None, removed: int | None = None, masked: int | None = None) -> dict[str, int]:
    """Counters of a summary."""
    wanted = {"added_records": added, "deleted_records": removed, "added_position_deletes": masked}
    files = {"added_data_files": added and 3, "deleted_data_files": removed and 4, "added_delete_files": masked and 1}
    return {key: n for key, n in (wanted | files).items() if n}


def orders() -> Story:
    """The table of the mock: branches, audit, staged and published, rollback, retries, expiry, tags."""
    s = Story(version=3)
    for at in ("11-16 06:05", "11-17 06:05", "11-17 12:05"):
        parent = s.sequence or None
        s.commit(parent=parent, at=at, tail=9940 if parent == 2 else None, **rows(300_000))
    s.commit(parent=3, at="11-18 06:05", tail=7731, schema=3, **rows(318_204))
    s.commit(parent=4, at="11-18 12:05", tail=462, schema=3, **rows(302_110))
    s.commit("overwrite", parent=5, at="11-18 13:40", tail=9118, schema=3, **rows(1_653_001, 1_648_211))
    s.commit("delete", parent=6, at="11-18 21:02", tail=2257, schema=3, **rows(masked=2_390))
    s.commit(parent=7, at="11-19 06:01", tail=6603, schema=3, branch="audit", **rows(12_040))
    s.commit(parent=7, at="11-19 06:05", tail=1408, schema=3, attempt=3, **rows(305_001))
    s.commit("overwrite", parent=8, at="11-19 07:15", tail=5539, schema=3, branch="audit", **rows(31_000, 30_000))
    s.commit("replace", parent=9, at="11-19 09:30", tail=8890, schema=3, **rows(920_000, 920_000))
    s.commit(parent=11, at="11-20 05:40", tail=3316, schema=3, wap_id="load-1120", **rows(287_010))
    s.commit("overwrite", parent=11, at="11-20 06:10", tail=4472, schema=3, **rows(96_000, 640_000))
    s.commit("delete", parent=13, at="11-20 06:12", tail=951, schema=3, **rows(masked=88_012))
    s.point_main(11, at="11-20 06:41")
    s.commit(parent=11, at="11-20 07:05", tail=7204, schema=4, **rows(299_000))
    published = {"published_wap_id": "load-1120", "source_snapshot_id": s.id(12)}
    s.commit(parent=15, at="11-20 07:20", tail=6027, schema=4, **published, **rows(287_010))
    s.commit("delete", parent=10, at="11-20 08:00", tail=2895, schema=4, branch="audit", **rows(masked=41))
    s.commit(parent=16, at="11-20 12:05", tail=2081, schema=4, **rows(311_300))
    s.ref("before-gdpr", 6)
    s.ref("audit-2026-11", 10)
    s.expire(1, 2, 3)
    s.schemas = [
        {"schema-id": 3, "type": "struct", "fields": [{"id": 1, "name": "id", "required": True, "type": "long"}]},
        {
            "schema-id": 4,
            "type": "struct",
            "fields": [
                {"id": 1, "name": "id", "required": True, "type": "long"},
                {"id": 2, "name": "channel", "required": False, "type": "string"},
            ],
        },
    ]
    return s


def empty() -> Story:
    return Story()


def one() -> Story:
    s = Story()
    s.commit(**rows(12))
    return s


def version_1(commits: int = 9) -> Story:
    s = Story(version=1)
    for n in range(commits):
        s.commit(["append", "append", "overwrite", None][n % 4], parent=n or None, **rows(1000 + n * 50, n % 3 * 200))
    return s


def upgraded() -> Story:
    """Four commits as version 1, whose number stays 0, then four with numbers."""
    s = Story(version=2)
    for n in range(8):
        s.commit(parent=n or None, numbered=n > 3, **rows(500 + 50 * n))
    for n in range(5, 9):
        s.snapshots[s.ids[n]]["sequence-number"] = n - 4
    s.last_sequence = 4
    return s


def replaced() -> Story:
    """CREATE OR REPLACE, then main set to a branch, then a clock that ran back."""
    s = Story()
    s.commit(at="11-18 06:00", **rows(100))
    s.commit(parent=1, at="11-18 07:00", **rows(100))
    s.commit(parent=2, at="11-18 08:00", **rows(100))
    s.commit("append", at="11-18 09:00", **rows(250))
    s.commit(parent=4, at="11-18 08:48", **rows(50))
    s.commit("overwrite", parent=4, at="11-18 09:30", branch="fix", **rows(70, 60))
    s.point_main(6, at="11-18 09:45")
    s.commit("append", parent=6, at="11-18 10:00", **rows(80))
    return s


def hostile() -> Story:
    """Names that try to be markup."""
    s = Story()
    s.commit(**rows(10))
    s.commit(parent=1, branch="<script>alert(1)</script>", **rows(10))
    s.commit(parent=1, wap_id="<b>%{x}</b>$\\alpha$", **rows(10))
    s.commit("weird<br>op", parent=1, **rows(10))
    s.ref("\"quoted\" & 'so'", 1)
    s.ref("%{customdata}<extra></extra>", 4)
    s.ref("line\nbreak\u202e", 4)
    return s


def busy(snapshots: int, seed: int = 7, branches: int = 2) -> Story:
    """As several jobs leave a table: appends, merges, deletes, compaction, branches, staging, rollbacks, tags."""
    r = random.Random(seed)
    s = Story(version=2)
    heads: dict[str, int] = {}
    s.commit(**rows(1000))
    main = 1
    while s.sequence < snapshots:
        dice = r.random()
        n = r.randrange(200_000, 400_000)
        attempt = 1 if r.random() > 0.015 else r.randrange(2, 6)
        if dice < 0.86:
            kind = r.random()
            if kind < 0.9:
                main = s.commit(parent=main, attempt=attempt, **rows(n))
            elif kind < 0.95:
                main = s.commit("overwrite", parent=main, attempt=attempt, **rows(n, n - 9000))
            elif kind < 0.98:
                main = s.commit("delete", parent=main, **rows(masked=r.randrange(9000)))
            else:
                main = s.commit("replace", parent=main, **rows(n * 4, n * 4))
        elif dice < 0.96 and branches:
            name = f"job-{r.randrange(branches)}"
            parent = heads.get(name, main)
            heads[name] = s.commit(r.choice(["append", "append", "overwrite"]), parent=parent, branch=name, **rows(n))
        elif dice < 0.985:
            s.commit(parent=main, wap_id=f"load-{s.sequence}", **rows(n))
        elif dice < 0.99 and main > 10:
            back = main
            for _ in range(4):
                main = s.commit(r.choice(["overwrite", "delete"]), parent=main, **rows(n, n))
            main = back
            s.point_main(back)
        else:
            s.ref(f"eod-{s.sequence}", main)
        if r.random() < 0.7:
            s.clock -= timedelta(minutes=55)
    return s


def expired_start(snapshots: int, expired: int) -> Story:
    """A busy table whose first snapshots are gone."""
    s = busy(snapshots)
    s.refs = {name: ref for name, ref in s.refs.items() if ref["snapshot-id"] >= s.ids[expired + 1] or name == "main"}
    s.expire(*range(1, expired + 1))
    return s


def many_lanes(branches: int = 30) -> Story:
    s = Story()
    s.commit(**rows(1000))
    for n in range(branches):
        s.commit(parent=1, branch=f"feature/{n:02d}-a-rather-long-branch-name", **rows(100))
        s.commit("overwrite", parent=s.sequence, branch=f"feature/{n:02d}-a-rather-long-branch-name", **rows(50, 40))
    s.commit(parent=1, **rows(1000))
    return s


def many_refs() -> Story:
    s = Story()
    for n in range(12):
        s.commit(parent=n or None, **rows(1000))
        s.ref(f"release-2026-{n:02d}", n + 1)
    for n in range(13):
        s.ref(f"v{n}", 7)
    for n in range(4):
        s.ref(f"team-{n}", 12, "branch")
        s.ref(f"old-{n}", 3, "branch")
    return s


STORIES: dict[str, Callable[[], SnapshotGraph]] = {
    "orders": lambda: orders().graph(),
    "empty": lambda: empty().graph(),
    "one": lambda: one().graph(),
    "version 1": lambda: version_1().graph(),
    "version 1 of 80": lambda: version_1(80).graph(),
    "upgraded": lambda: upgraded().graph(),
    "replaced": lambda: replaced().graph(),
    "hostile": lambda: hostile().graph(),
    "many lanes": lambda: many_lanes().graph(),
    "many refs": lambda: many_refs().graph(),
    "busy 60": lambda: busy(60).graph(),
    "busy 300": lambda: busy(300).graph(),
    "busy 1000": lambda: busy(1000).graph(),
    "expired start": lambda: expired_start(2600, 400).graph(),
}
