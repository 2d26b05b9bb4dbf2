"""Random histories of files as manifests would record them, and the lifetimes that are read from such manifests."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from explorer.model.iceberg import lifetime_plan
from explorer.model.iceberg.inheritance import ListedManifest
from explorer.model.iceberg.lifetimes import Lifetimes
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.snapshot_graph.facts import snapshot_graph
from explorer.queries.files.stored_history import ENTRIES
from tests.model.histories import History
from tests.model.made import a_manifest

PARTITIONS = ((0, "day=2026-11-20"), (0, "day=2026-11-21"), (0, "day=null"), (1, ""), (2, "region=EU/bucket=10"))
UNREADABLE = "The manifest list was not found."


@dataclass(frozen=True)
class File:
    """A file of one commit, as its entry says it."""

    path: str
    place: tuple[int, str]
    content: int
    number: int
    records: int
    size: int
    offset: int | None = None
    part: int | None = None
    target: str | None = None
    bounds: str | None = None

    def entry(self, status: int, snapshot_id: int | None, number: int | None) -> dict[str, Any]:
        bound = None if self.bounds is None else self.bounds.encode()
        return dict.fromkeys(ENTRIES.names) | {
            "status": status,
            "snapshot_id": snapshot_id,
            "sequence_number": number,
            "file_sequence_number": number,
            "content": self.content,
            "folder": self.path.rpartition("/")[0] if "/" in self.path else None,
            "file_name": self.path.rpartition("/")[2],
            "file_format": "PARQUET" if self.offset is None else "PUFFIN",
            "spec_id": self.place[0],
            "partition": self.place[1],
            "record_count": self.records,
            "file_size_in_bytes": self.size,
            "referenced_data_file": self.target,
            "content_offset": self.offset,
            "content_size_in_bytes": self.part,
            "lower_path": bound,
            "upper_path": bound,
        }


@dataclass
class FileHistory(History):
    """A history whose commits add and remove files; `live` and `lists` are by snapshot."""

    manifests: list[ListedManifest] = field(default_factory=list)
    entries: list[list[tuple[int, int | None, File]]] = field(default_factory=list)  # status, who added it, file
    lists: dict[int, tuple[int, ...]] = field(default_factory=dict)
    live: dict[int, frozenset[File]] = field(default_factory=dict)

    def commit(self, parent: int | None, **summary: str) -> int:
        own = super().commit(parent, **summary)
        before = self.live.get(parent, frozenset())
        ordered = sorted(before, key=lambda file: (file.path, file.offset or 0))
        removed = set(self.random.sample(ordered, self.random.randint(0, min(3, len(ordered)))))
        added = [self._file(own, n, [f for f in ordered if not f.content]) for n in range(self.random.randint(0, 4))]
        listed = []
        for index in self.lists.get(parent, ()) if parent is not None else ():
            if removed.isdisjoint(file for status, _, file in self.entries[index] if status != 2):
                listed.append(index)
            else:
                kept = [(status, by, file) for status, by, file in self.entries[index] if status != 2]
                rewritten = [(2, own, f) if f in removed else (0, by or self._adder[f], f) for _, by, f in kept]
                listed.append(self._manifest(own, rewritten))
        for content in (0, 1):
            some = [(1, None, file) for file in added if bool(file.content) == bool(content)]
            if some:
                self._adder |= {file: own for _, _, file in some}
                listed.append(self._manifest(own, some))
        self.lists[own], self.live[own] = tuple(listed), before - removed | set(added)
        return own

    def __post_init__(self) -> None:
        super().__post_init__()
        self._adder: dict[File, int] = {}

    def _file(self, own: int, n: int, data: list[File]) -> File:
        content = self.random.choice([0, 0, 0, 1, 1, 2])
        place = self.random.choice(PARTITIONS)
        records, size = self.random.randint(1, 9), self.random.randint(100, 999)
        path = f"f-{self.random.randint(0, 3)}" if content == 0 and n == 0 else f"{own}-{n}"
        if content == 0 and path in {file.path for file in data}:
            path = f"{own}-{n}"
        file = File(path, place, content, self.sequence, records, size)
        target = self.random.choice(data).path if data and self.random.random() < 0.7 else None
        match self.random.choice(["vector", "bounds", "named", "partition"]) if content == 1 else "":
            case "vector" if target:
                return File(path, place, 1, self.sequence, records, size, 4 + n, 40 + n, target)
            case "named" if target:
                return File(path, place, 1, self.sequence, records, size, target=target)
            case "bounds" if target:
                return File(path, place, 1, self.sequence, records, size, bounds=target)
        return file

    def _manifest(self, own: int, entries: list[tuple[int, int | None, File]]) -> int:
        counts = [sum(status == wanted for status, _, _ in entries) for wanted in (1, 0, 2)]
        self.manifests.append(
            a_manifest(
                f"m{len(self.manifests)}",
                content=int(bool(entries[0][2].content)),
                sequence_number=self.sequence,
                added_snapshot_id=own,
                added_files_count=counts[0],
                existing_files_count=counts[1],
                deleted_files_count=counts[2],
            )
        )
        self.entries.append(entries)
        return len(self.manifests) - 1

    def lifetimes(self, unreadable: Collection[int] = ()) -> Lifetimes:
        """As they are read, but for these manifest lists."""
        metadata = TableMetadata.from_json(self.document())
        lists = {i: UNREADABLE if i in unreadable else self.lists[i] for i in self.snapshots}
        steps = lifetime_plan.steps(metadata, lists, self.manifests)
        wanted, whole = lifetime_plan.to_read(steps, self.manifests)
        rows = [
            file.entry(status, by, None if status == 1 else file.number) | {"manifest": index}
            for index in sorted(wanted)
            for status, by, file in self.entries[index]
            if status or index in whole
        ]
        order = [node.snapshot for node in snapshot_graph(metadata).nodes]
        return Lifetimes(metadata, order, self.manifests, steps, pa.Table.from_pylist(rows, schema=ENTRIES), ())
