"""A big Iceberg table, made of nothing but its metadata file: a history as several jobs leave it after months.

    metadata_file = generate(folder, Shape(snapshots=10_000))

`Historian` invents the commits, `metadata_json` tells them as the specification has it ("Table Metadata", Appendix C),
and `generate` lays the file where a Hadoop catalog and a person with a path both find it. The manifest lists that it
names do not exist: what reads snapshots alone never asks for them. The same shape in the same folder always gives the
same bytes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal
from uuid import UUID

STARTED_AT = 1_767_225_600_000  # 2026-01-01 00:00 UTC; all times here are in milliseconds
MINUTE, DAY = 60_000, 86_400_000
METADATA_LOG_LENGTH = 100  # the default of write.metadata.previous-versions-max
COLUMNS = (("order_id", "long"), ("ordered_at", "timestamptz"), ("region", "string"), ("amount", "decimal(12, 2)"))
LATER_COLUMNS = (("currency", "string"), ("channel", "string"), ("discount", "decimal(5, 2)"), ("note", "string"))


@dataclass(frozen=True)
class Shape:
    """How big the table is, and of what.

    Attributes:
        snapshots: how many the metadata file lists.
        expired: how many came first; all of them are listed no more but one, which a tag holds.
        branches: branches besides main, each forked from it at some time and written to since.
        tags: tags on snapshots of main.
        staged: snapshots written to be audited first; some of them are published later.
        rollbacks: how often main was set back by a few commits, which leaves an abandoned tip.
        schema_changes: columns added over time, at most four.
    """

    snapshots: int = 10_000
    expired: int = 2_000
    branches: int = 8
    tags: int = 40
    staged: int = 40
    rollbacks: int = 25
    schema_changes: int = 3
    seed: int = 1


@dataclass(frozen=True)
class Writer:
    """A job that commits: its engine, its share of the commits, what they do, and the library's first attempt."""

    app: str
    engine: str
    version: str
    share: int
    habits: tuple[str, ...]
    first_attempt: int = 1


WRITERS = (
    Writer("orders-stream", "flink", "2.1.0", 45, ("append",)),
    Writer("orders-merge", "spark", "4.1.4", 30, ("merge on read", "merge on read", "copy on write", "delete")),
    Writer("backfill", "spark", "3.5.9", 10, ("append",)),
    Writer("loader", "pyiceberg", "0.12.0", 10, ("append", "append", "copy on write"), first_attempt=0),
    Writer("maintenance", "spark", "4.1.4", 5, ("compaction",)),
)


@dataclass(frozen=True)
class Content:
    """Files, rows and bytes: of a whole snapshot, or added or removed by a commit."""

    data_files: int = 0
    records: int = 0
    delete_files: int = 0
    position_deletes: int = 0
    size: int = 0

    def __add__(self, other: Content) -> Content:
        return Content(*(a + b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def __sub__(self, other: Content) -> Content:
        return Content(*(a - b for a, b in zip(self.counts(), other.counts(), strict=True)))

    def counts(self) -> tuple[int, ...]:
        return self.data_files, self.records, self.delete_files, self.position_deletes, self.size

    def part_of(self, data_files: int) -> Content:
        """That many of the data files, with their share of rows and bytes."""
        share = data_files / max(self.data_files, 1)
        return Content(data_files, int(self.records * share), size=int(self.size * share))


@dataclass(frozen=True)
class Commit:
    """One commit, and what lies in the table after it. Its manifest list is named by `attempt` and `uuid`."""

    snapshot_id: int
    parent: Commit | None
    sequence_number: int
    committed_at: int
    writer: Writer
    attempt: int
    uuid: UUID
    operation: Literal["append", "overwrite", "delete", "replace"]
    added: Content
    removed: Content
    content: Content
    schema_id: int
    markers: dict[str, str]


@dataclass
class History:
    """Every commit there ever was, in the order of sequence numbers; where the refs are and where main has been."""

    commits: list[Commit] = field(default_factory=list)
    branches: dict[str, Commit] = field(default_factory=dict)
    tags: dict[str, Commit] = field(default_factory=dict)
    main_log: list[tuple[int, Commit]] = field(default_factory=list)


class Historian:
    """Invents a history of a shape: `Historian(shape).history()`."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.random = Random(shape.seed)
        self.clock = STARTED_AT
        self.past = History()

    def history(self) -> History:
        shape, random, past = self.shape, self.random, self.past
        total = shape.snapshots + shape.expired - (shape.expired > 0)
        # What happens at which commit. The first listed commits are plain ones, so that there is something to fork.
        moments = random.sample(
            range(shape.expired + 5, total), shape.branches + shape.staged + shape.rollbacks + shape.schema_changes
        )
        forks = {moments.pop(): f"experiment-{number + 1}" for number in range(shape.branches)}
        staging = {moments.pop() for _ in range(shape.staged)}
        rollbacks = {moments.pop() for _ in range(shape.rollbacks)}
        schema_changes = moments
        to_publish: list[Commit] = []
        for number in range(total):
            self.schema_id = sum(number >= change for change in schema_changes)
            if number in rollbacks:
                self.set_main_back()
            if number in forks:
                past.branches[forks[number]] = self.commit(past.branches["main"])
            elif number in staging:
                staged = self.commit(past.branches["main"], {"wap.id": f"audit-{number}"}, "append")
                to_publish += [staged] * (len(past.commits) % 2)
            elif to_publish and random.random() < 0.1:
                staged = to_publish.pop()
                self.commit_to_main(
                    {
                        "source-snapshot-id": str(staged.snapshot_id),
                        "published-wap-id": staged.markers["wap.id"],
                    },
                    "append",
                )
            elif len(past.branches) > 1 and random.random() < 0.08:
                name = random.choice(sorted(past.branches.keys() - {"main"}))
                past.branches[name] = self.commit(past.branches[name])
            else:
                self.commit_to_main()
        self.tag_releases()
        return past

    def commit_to_main(self, markers: dict[str, str] | None = None, habit: str | None = None) -> None:
        commit = self.commit(self.past.branches.get("main"), markers, habit)
        self.past.branches["main"] = commit
        self.past.main_log.append((commit.committed_at, commit))

    def commit(self, parent: Commit | None, markers: dict[str, str] | None = None, habit: str | None = None) -> Commit:
        random = self.random
        writers = [writer for writer in WRITERS if habit is None or habit in writer.habits]
        [writer] = random.choices(writers, [writer.share for writer in writers])
        before = parent.content if parent else Content()
        operation, added, removed = self.change(habit or random.choice(writer.habits), before)
        contended = writer.first_attempt and random.random() < 0.08
        commit = Commit(
            snapshot_id=random.randrange(2**53 + 1, 2**63),
            parent=parent,
            sequence_number=len(self.past.commits) + 1,
            committed_at=self.tick(),
            writer=writer,
            attempt=writer.first_attempt + (random.randint(1, 5) if contended else 0),
            uuid=UUID(int=random.getrandbits(128), version=4),
            operation=operation,
            added=added,
            removed=removed,
            content=before + added - removed,
            schema_id=self.schema_id,
            markers=markers or {},
        )
        self.past.commits.append(commit)
        return commit

    def change(
        self, habit: str, before: Content
    ) -> tuple[Literal["append", "overwrite", "delete", "replace"], Content, Content]:
        random = self.random
        if habit == "append" or before.data_files < 10:
            files = random.randint(1, 12)
            return "append", self.written(files, files * random.randint(500, 5_000)), Content()
        if habit == "merge on read":
            files, deletes = random.randint(1, 4), random.randint(10, 900)
            written = self.written(files, deletes + random.randint(0, 200))
            return "overwrite", written + Content(0, 0, files, deletes, 1_100 * files), Content()
        removed = before.part_of(random.randint(1, min(before.data_files - 1, 60)))
        if habit == "copy on write":
            return "overwrite", self.written(removed.data_files, removed.records), removed
        if habit == "delete":
            return "delete", Content(), before.part_of(random.randint(1, 3))
        deletes = Content(0, 0, before.delete_files, before.position_deletes, 1_100 * before.delete_files)
        return "replace", self.written(max(1, removed.data_files // 8), removed.records), removed + deletes

    def written(self, files: int, records: int) -> Content:
        return Content(files, records, size=records * self.random.randint(18, 24) + 900 * files)

    def tick(self) -> int:
        """The time of the next commit. The clock of one client in a hundred is some seconds behind."""
        if self.random.random() < 0.01:
            return self.clock - self.random.randint(1_000, 50_000)
        self.clock += 1_000 + int(self.random.expovariate(1 / (18 * MINUTE)))
        return self.clock

    def set_main_back(self) -> None:
        """Set main back by a few commits, as `rollback_to_snapshot` does."""
        target = self.past.branches["main"]
        for _ in range(self.random.randint(1, 4)):
            if target.parent and target.parent.sequence_number > self.shape.expired:
                target = target.parent
        self.past.branches["main"] = target
        self.past.main_log.append((self.tick(), target))

    def tag_releases(self) -> None:
        on_main = sorted({commit.sequence_number for _, commit in self.past.main_log})
        expired = [number for number in on_main if number <= self.shape.expired]
        listed = [number for number in on_main if number > self.shape.expired]
        named = [(f"release-{n + 1}", at) for n, at in enumerate(sorted(self.random.sample(listed, self.shape.tags)))]
        if expired:
            named.append(("first-audit", expired[len(expired) // 2]))
        self.past.tags = {name: self.past.commits[number - 1] for name, number in named}


def metadata_json(past: History, shape: Shape, location: str) -> dict[str, Any]:
    """The history as a format version 2 metadata file, after the first snapshots were expired."""
    held = {commit.sequence_number for commit in past.tags.values()}
    listed = [c for c in past.commits if c.sequence_number > shape.expired or c.sequence_number in held]
    listed_ids = {commit.snapshot_id for commit in listed}
    # Expiry cuts the log after its last entry that names an expired snapshot.
    gone = [at for at, (_, commit) in enumerate(past.main_log) if commit.snapshot_id not in listed_ids]
    log = past.main_log[gone[-1] + 1 if gone else 0 :]
    columns = COLUMNS + LATER_COLUMNS[: shape.schema_changes]
    version = len(past.commits) + 1
    recent = past.commits[-METADATA_LOG_LENGTH:]
    return {
        "format-version": 2,
        "table-uuid": str(UUID(int=shape.seed, version=4)),
        "location": location,
        "last-sequence-number": len(past.commits),
        "last-updated-ms": max(log[-1][0], recent[-1].committed_at),
        "last-column-id": len(columns),
        "current-schema-id": shape.schema_changes,
        "schemas": [schema_json(schema_id, columns) for schema_id in range(shape.schema_changes + 1)],
        "default-spec-id": 0,
        "partition-specs": [
            {
                "spec-id": 0,
                "fields": [{"name": "ordered_at_day", "transform": "day", "source-id": 2, "field-id": 1000}],
            }
        ],
        "last-partition-id": 1000,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "properties": {"write.wap.enabled": "true", "write.update.mode": "merge-on-read"},
        "current-snapshot-id": past.branches["main"].snapshot_id,
        "refs": refs_json(past),
        "snapshots": [snapshot_json(commit, location) for commit in listed],
        "statistics": [],
        "partition-statistics": [],
        "snapshot-log": [{"timestamp-ms": at, "snapshot-id": commit.snapshot_id} for at, commit in log],
        "metadata-log": [
            {"timestamp-ms": commit.committed_at, "metadata-file": f"{location}/metadata/v{number}.metadata.json"}
            for number, commit in enumerate(recent, version - len(recent))
        ],
    }


def schema_json(schema_id: int, columns: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    return {
        "type": "struct",
        "schema-id": schema_id,
        "fields": [
            {"id": number, "name": name, "required": False, "type": type_}
            for number, (name, type_) in enumerate(columns[: len(COLUMNS) + schema_id], 1)
        ],
    }


def refs_json(past: History) -> dict[str, Any]:
    branches = {name: {"snapshot-id": c.snapshot_id, "type": "branch"} for name, c in past.branches.items()}
    tags = {
        name: {"snapshot-id": c.snapshot_id, "type": "tag", "max-ref-age-ms": 365 * DAY}
        for name, c in past.tags.items()
    }
    return branches | tags


def snapshot_json(commit: Commit, location: str) -> dict[str, Any]:
    parent = {"parent-snapshot-id": commit.parent.snapshot_id} if commit.parent else {}
    manifest_list = f"snap-{commit.snapshot_id}-{commit.attempt}-{commit.uuid}.avro"
    return {
        "sequence-number": commit.sequence_number,
        "snapshot-id": commit.snapshot_id,
        **parent,
        "timestamp-ms": commit.committed_at,
        "summary": summary_json(commit),
        "manifest-list": f"{location}/metadata/{manifest_list}",
        "schema-id": commit.schema_id,
    }


def summary_json(commit: Commit) -> dict[str, str]:
    """The summary as the writer's library writes it: counters that are 0 are left out, totals are not."""
    added, removed, total = commit.added, commit.removed, commit.content
    counters = {
        "added-data-files": added.data_files,
        "deleted-data-files": removed.data_files,
        "added-delete-files": added.delete_files,
        "added-position-delete-files": added.delete_files,
        "removed-delete-files": removed.delete_files,
        "removed-position-delete-files": removed.delete_files,
        "added-records": added.records,
        "deleted-records": removed.records,
        "added-files-size": added.size,
        "removed-files-size": removed.size,
        "added-position-deletes": added.position_deletes,
        "removed-position-deletes": removed.position_deletes,
        "changed-partition-count": min(added.data_files + removed.data_files, 9),
    }
    totals = {
        "total-records": total.records,
        "total-files-size": total.size,
        "total-data-files": total.data_files,
        "total-delete-files": total.delete_files,
        "total-position-deletes": total.position_deletes,
        "total-equality-deletes": 0,
    }
    numbers = {key: str(value) for key, value in counters.items() if value} | {k: str(v) for k, v in totals.items()}
    return {"operation": commit.operation} | writer_json(commit) | commit.markers | numbers


def writer_json(commit: Commit) -> dict[str, str]:
    writer, run = commit.writer, commit.committed_at // DAY  # a job is started anew every day
    library = {"iceberg-version": "Apache Iceberg 1.12.0 (commit 212aa894e919ff9fdf89160da4aadcbe6858ac01)"}
    engine = {"engine-name": writer.engine, "engine-version": writer.version}
    manifests = {"manifests-created": "1", "manifests-kept": "9", "manifests-replaced": "0"}
    if writer.engine == "spark":
        app = f"{writer.app}-{run}"
        return {"spark.app.id": app, "app-id": app, "app-name": writer.app} | engine | manifests | library
    if writer.engine == "flink":
        job = UUID(int=run, version=4).hex
        checkpoint = {"flink.job-id": job, "flink.max-committed-checkpoint-id": str(commit.sequence_number)}
        return checkpoint | engine | manifests | library
    return {}


def generate(folder: Path, shape: Shape | None = None) -> Path:
    """Write the table into a folder, which is `<warehouse>/<namespace>/<table>` for a Hadoop catalog.

    Returns the path of its metadata file.
    """
    shape = shape or Shape()
    past = Historian(shape).history()
    version = len(past.commits) + 1
    metadata = folder / "metadata"
    metadata.mkdir(parents=True)
    file = metadata / f"v{version}.metadata.json"
    file.write_text(json.dumps(metadata_json(past, shape, folder.as_uri()), separators=(",", ":")))
    (metadata / "version-hint.text").write_text(str(version))
    return file
