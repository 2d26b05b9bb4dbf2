"""Random histories of a table as a catalog would write them, and a slow, plain account of what is reachable."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

ID = 3_000_000_000_000_000_001  # above 2^53, like real ids


@dataclass
class History:
    """A table whose metadata changes step by step; `document()` is its metadata.json."""

    seed: int
    snapshots: dict[int, dict[str, Any]] = field(default_factory=dict)
    refs: dict[str, dict[str, Any]] = field(default_factory=dict)
    log: list[dict[str, int]] = field(default_factory=list)
    sequence: int = 0
    clock: int = 1_760_000_000_000

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def commit(self, parent: int | None, **summary: str) -> int:
        self.sequence += 1
        self.clock += self.random.choice([-30_000, 1, 1000, 3_600_000])  # writers' clocks are not one clock
        snapshot_id = ID + self.random.getrandbits(40) * 1000 + self.sequence
        self.snapshots[snapshot_id] = {
            "snapshot-id": snapshot_id,
            "sequence-number": self.sequence,
            "timestamp-ms": self.clock,
            "schema-id": 0,
            "manifest-list": f"metadata/snap-{snapshot_id}-{self.random.choice([1, 1, 1, 3])}-abc.avro",
            "summary": {"operation": self.random.choice(["append", "overwrite", "delete", "replace"]), **summary},
        } | ({"parent-snapshot-id": parent} if parent is not None else {})
        return snapshot_id

    @property
    def main(self) -> int | None:
        return self.refs["main"]["snapshot-id"] if "main" in self.refs else None

    def point_main(self, snapshot_id: int) -> None:
        self.refs["main"] = {"snapshot-id": snapshot_id, "type": "branch"}
        self.log.append({"timestamp-ms": self.clock + 5, "snapshot-id": snapshot_id})

    def step(self) -> None:
        known = list(self.snapshots)
        match self.random.choice(
            ["main"] * 6
            + [
                "branch",
                "branch",
                "new branch",
                "tag",
                "staged",
                "publish",
                "rollback",
                "set",
                "drop ref",
                "root",
                "expire",
            ]
        ):
            case "branch" if names := [n for n in self.refs if n.startswith("b")]:
                ref = self.refs[self.random.choice(names)]
                ref["snapshot-id"] = self.commit(ref["snapshot-id"])
            case "new branch" if known:
                self.refs[f"b{self.sequence}"] = {"snapshot-id": self.random.choice(known), "type": "branch"}
            case "tag" if known:
                self.refs[f"t{self.sequence}"] = {"snapshot-id": self.random.choice(known), "type": "tag"}
            case "staged":
                self.commit(self.main, **{"wap.id": f"w{self.sequence}"})
            case "publish" if staged := [s for s in self.snapshots.values() if "wap.id" in s["summary"]]:
                source = self.random.choice(staged)
                marks = {
                    "published-wap-id": source["summary"]["wap.id"],
                    "source-snapshot-id": str(source["snapshot-id"]),
                }
                self.point_main(self.commit(self.main, **marks))
            case "rollback" if len(lineage := self.lineage(self.main)) > 1:
                self.point_main(self.random.choice(lineage[1:]))
            case "set" if known:
                self.point_main(self.random.choice(known))
            case "drop ref" if names := [n for n in self.refs if n != "main"]:
                del self.refs[self.random.choice(names)]
            case "root":
                self.point_main(self.commit(None))
            case "expire" if known:
                self.expire(self.random.choice(known))
            case _:
                self.point_main(self.commit(self.main))

    def expire(self, snapshot_id: int) -> None:
        if any(ref["snapshot-id"] == snapshot_id for ref in self.refs.values()):
            return
        del self.snapshots[snapshot_id]
        gone = [i for i, entry in enumerate(self.log) if entry["snapshot-id"] == snapshot_id]
        if gone:  # Iceberg drops every entry up to the last of an expired snapshot
            self.log = self.log[gone[-1] + 1 :]

    def lineage(self, snapshot_id: int | None) -> list[int]:
        lineage = []
        while snapshot_id in self.snapshots:
            lineage.append(snapshot_id)
            snapshot_id = self.snapshots[snapshot_id].get("parent-snapshot-id")
        return lineage

    def state(self, snapshot_id: int) -> str:
        """By the words of the design, asked of every ref and log entry, one after the other."""

        def below(ids: list[int | None]) -> bool:
            return any(snapshot_id in self.lineage(start) for start in ids)

        if snapshot_id == self.main:
            return "current"
        if below([self.main]):
            return "main"
        for kind in ("branch", "tag"):
            if below([r["snapshot-id"] for r in self.refs.values() if r["type"] == kind]):
                return kind
        if below([entry["snapshot-id"] for entry in self.log]):
            return "rolled back"
        return "staged" if "wap.id" in self.snapshots[snapshot_id]["summary"] else "unreferenced"

    def document(self, *, version: int = 2) -> dict[str, Any]:
        snapshots = list(self.snapshots.values())
        if version == 1:
            snapshots = [{k: v for k, v in s.items() if k != "sequence-number"} for s in snapshots]
        self.random.shuffle(snapshots)
        return {
            "format-version": version,
            "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
            "location": "file:/tmp/t",
            "last-sequence-number": self.sequence if version > 1 else 0,
            "current-snapshot-id": -1 if self.main is None else self.main,
            "refs": self.refs,
            "snapshots": snapshots,
            "snapshot-log": self.log,
            "schemas": [{"schema-id": 0, "type": "struct", "fields": []}],
            "current-schema-id": 0,
        }


def random_history(seed: int, steps: int) -> History:
    history = History(seed)
    for _ in range(steps):
        history.step()
    return history
