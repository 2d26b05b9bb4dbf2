"""Commits to draw, each written down file by file, so that a picture of one can be judged by eye and by test.

The commit is understood by the model from manifests, as everywhere; what became of its rows is written down here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from explorer.model.commit.rows import CommitRows, FileRows, Masking, Outcomes, Pairing, PartitionRows, Ribbon, RowCell
from explorer.model.evidence import Note
from explorer.model.iceberg.commit import Commit, commit
from explorer.model.iceberg.inheritance import ListedManifest, Status, StoredEntry
from explorer.model.iceberg.metadata import TableMetadata
from tests.figures.snapshot_graph_stories import BIG_ID

OWN, PARENT = BIG_ID + 9118, BIG_ID + 462
CONTENT = {"data": (0, "PARQUET"), "pos": (1, "PARQUET"), "dv": (1, "PUFFIN"), "eq": (2, "PARQUET")}
BYTES_PER_ROW = 255


@dataclass
class File:
    """A file in the making; `outcomes` is what became of its rows."""

    path: str
    change: str
    kind: str
    partition: str
    rows: int
    outcomes: Outcomes | None = None
    spec_id: int = 0
    target: str | None = None
    offset: int | None = None
    masks: list[tuple[File, int]] = field(default_factory=list)  # of a data file: deletes, and rows each masks


class Work:
    """A commit in the making."""

    def __init__(self, operation: str | None = "overwrite", *, version: int = 2, parent: str = "present") -> None:
        self.operation, self.version, self.parent = operation, version, parent
        self.files: list[File] = []
        self.kept: list[tuple[int, int, int]] = []  # content, live files, rows of a manifest that the commit kept
        self.dropped: list[tuple[int, ...]] = []  # live files, rows (content) of a manifest of the parent that is gone
        self.existing = 0  # files carried on by the manifest that has the removed ones
        self.summary: dict[str, str] = {}
        self.unreadable: dict[str, str] = {}
        self.list_is_unreadable = False
        self.ribbons: list[Ribbon] = []
        self.cells: list[RowCell] = []
        self.notes: tuple[Note, ...] = ()
        self.number = itertools.count(1)

    def file(
        self, change: str, rows: int, partition: str = "", kind: str = "data", name: str = "", **more: Any
    ) -> File:
        n = next(self.number)
        ending = "puffin" if kind == "dv" else "parquet"
        folder = "" if name.startswith("s3:") else "s3://lake/sales/orders/data/"
        path = f"{folder}{name or f'{n:05d}-{n * 7 % 100}-8a6bd0c0-4f1e-{n * 7919 % 65536:04x}'}"
        file = File(path if name else f"{path}.{ending}", change, kind, partition, rows, **more)
        self.files.append(file)
        return file

    def removed(self, rows: int, partition: str = "", **more: Any) -> File:
        return self.file("removed", rows, partition, **more)

    def added(self, rows: int, partition: str = "", **more: Any) -> File:
        return self.file("added", rows, partition, **more)

    def masked(self, rows: int, outcomes: Outcomes, partition: str = "", *by: tuple[File, int], name: str = "") -> File:
        """A kept file that deletes reach."""
        file = self.file("kept", rows, partition, name=name)
        file.outcomes, file.masks = outcomes, list(by)
        return file

    def flow(
        self, source: File, target: File, rows: int, outcome: str = "carried over", certainty: str = "proved"
    ) -> None:
        self.ribbons.append(Ribbon(source.path, target.path, outcome, rows, certainty))  # type: ignore[arg-type]

    def cell(self, file: File, side: str, outcome: str | None, text: str) -> None:
        position = sum(c.path == file.path and c.side == side for c in self.cells)
        self.cells.append(RowCell(file.path, position, side, outcome, text))  # type: ignore[arg-type]

    def commit(self) -> Commit:
        metadata = TableMetadata.from_json(self._document())
        manifests, entries = self._manifests()
        kept = [self._listed(f"kept-{i}", content, PARENT - 1, existing=n, rows=rows)
                for i, (content, n, rows) in enumerate(self.kept)]  # fmt: skip
        dropped = [self._listed(f"old-{i}", sum(content), PARENT, existing=n, rows=rows)
                   for i, (n, rows, *content) in enumerate(self.dropped)]  # fmt: skip
        return commit(
            metadata,
            OWN,
            listed=None if self.list_is_unreadable else [*manifests, *kept],
            parent_listed=[*dropped, *kept] if self.parent == "present" else None,
            entries=() if self.list_is_unreadable else [e for e in entries if e.manifest_path not in self.unreadable],
            existing_left_out=True,
            unreadable=self.unreadable,
        )

    def rows(self, *, pairing: Pairing = "row id", identifier: tuple[str, ...] = ()) -> CommitRows:
        data = [f for f in self.files if f.kind == "data"]
        known = self.parent != "expired"
        shown = data if known else [f for f in data if f.change == "added"]
        added = [f for f in data if f.change == "added"]
        gone = sum(((f.outcomes or Outcomes()) for f in data if f.change != "added"), Outcomes())
        new = sum(((f.outcomes or Outcomes()) for f in data if f.change == "added"), Outcomes())
        back = sum((f.outcomes or Outcomes()).inserted for f in data if f.change == "kept")
        totals = Outcomes(
            carried_over=new.carried_over,
            inserted=new.inserted + back,
            updated=new.updated,
            deleted=gone.deleted,
            unseen=gone.unseen + new.unseen,
        )
        places = dict.fromkeys((f.spec_id, f.partition) for f in data)
        return CommitRows(
            before_known=known,
            files=tuple(self._file_rows(f) for f in shown),
            file_count=len(shown),
            totals=totals,
            by_partition=tuple(self._partition_rows(place, data) for place in places),
            ribbons=tuple(self.ribbons),
            cells=tuple(self.cells),
            pairing=pairing,
            identifier_columns=identifier,
            rows_written=sum(f.rows for f in added),
            bytes_written=sum(f.rows for f in added) * BYTES_PER_ROW,
            notes=self.notes,
        )

    def _file_rows(self, f: File) -> FileRows:
        kinds = {"pos": "position deletes", "dv": "deletion vector", "eq": "equality deletes"}
        masked = tuple(Masking(d.path, d.offset, kinds[d.kind], n) for d, n in f.masks)  # type: ignore[arg-type]
        return FileRows(f.path, f.change, f.spec_id, f.partition, f.rows, f.rows * BYTES_PER_ROW,
                        f.outcomes or Outcomes(), masked)  # type: ignore[arg-type]  # fmt: skip

    @staticmethod
    def _partition_rows(place: tuple[int, str], data: list[File]) -> PartitionRows:
        here = [f for f in data if (f.spec_id, f.partition) == place and f.outcomes]
        gone = sum((f.outcomes for f in here if f.change != "added"), Outcomes())  # type: ignore[misc]
        new = sum((f.outcomes for f in here if f.change == "added"), Outcomes())  # type: ignore[misc]
        return PartitionRows(*place, gone, new)

    def _document(self) -> dict[str, Any]:
        snapshot = {
            "snapshot-id": OWN, "sequence-number": 6, "timestamp-ms": 1_795_009_207_218,
            "manifest-list": f"s3://lake/sales/orders/metadata/snap-{OWN}-1-8a6bd0c0.avro",
            "summary": ({"operation": self.operation} if self.operation else {}) | (self.summary or self._counters()),
        }  # fmt: skip
        parent = {**snapshot, "snapshot-id": PARENT, "sequence-number": 5, "summary": {"operation": "append"}}
        if self.parent != "none":
            snapshot["parent-snapshot-id"] = PARENT
        return {
            "format-version": self.version, "location": "s3://lake/sales/orders", "last-sequence-number": 6,
            "current-snapshot-id": OWN, "snapshots": [*([parent] if self.parent == "present" else []), snapshot],
        }  # fmt: skip

    def _counters(self) -> dict[str, str]:
        def of(change: str, *kinds: str) -> list[File]:
            return [f for f in self.files if f.change == change and f.kind in kinds]

        counts = {
            "added-data-files": len(of("added", "data")),
            "deleted-data-files": len(of("removed", "data")),
            "added-delete-files": len(of("added", "pos", "dv", "eq")),
            "removed-delete-files": len(of("removed", "pos", "dv", "eq")),
            "added-records": sum(f.rows for f in of("added", "data")),
            "deleted-records": sum(f.rows for f in of("removed", "data")),
            "added-position-deletes": sum(f.rows for f in of("added", "pos", "dv")),
        }
        return {key: str(n) for key, n in counts.items() if n} | {"changed-partition-count": "1"}

    def _manifests(self) -> tuple[list[ListedManifest], list[StoredEntry]]:
        manifests, entries = [], []
        for name, change, kinds in (
            ("rewritten", "removed", ("data",)),
            ("new-data", "added", ("data",)),
            ("removed-deletes", "removed", ("pos", "dv", "eq")),
            ("new-deletes", "added", ("pos", "dv", "eq")),
        ):
            files = [f for f in self.files if f.change == change and f.kind in kinds]
            existing = self.existing if name == "rewritten" else 0
            if not files and not existing:
                continue
            added, gone = (len(files), 0) if change == "added" else (0, len(files))
            m = self._listed(name, int(kinds != ("data",)), OWN, added, existing, gone, existing * 100_000)
            manifests.append(m)
            entries += [self._entry(m, i, f) for i, f in enumerate(files)]
        return manifests, entries

    @staticmethod
    def _listed(
        name: str, content: int, by: int, added: int = 0, existing: int = 0, gone: int = 0, rows: int = 0
    ) -> ListedManifest:
        return ListedManifest(
            path=f"s3://lake/sales/orders/metadata/{name}-m0.avro", length=7_000, partition_spec_id=0, content=content,
            sequence_number=6 if by == OWN else 5, min_sequence_number=1, added_snapshot_id=by,
            added_files_count=added, existing_files_count=existing, deleted_files_count=gone,
            added_rows_count=0, existing_rows_count=rows, deleted_rows_count=0, first_row_id=None,
        )  # fmt: skip

    @staticmethod
    def _entry(m: ListedManifest, i: int, f: File) -> StoredEntry:
        content, file_format = CONTENT[f.kind]
        return StoredEntry(
            manifest_path=m.path, position=i, status=Status.ADDED if f.change == "added" else Status.DELETED,
            stored_snapshot_id=OWN, stored_sequence_number=None if f.change == "added" else 5,
            stored_file_sequence_number=None if f.change == "added" else 5, stored_first_row_id=None,
            content=content, file_path=f.path, file_format=file_format, spec_id=f.spec_id, partition=f.partition,
            record_count=f.rows, file_size_in_bytes=f.rows * BYTES_PER_ROW, referenced_data_file=f.target,
            content_offset=f.offset, content_size_in_bytes=None if f.offset is None else 40,
        )  # fmt: skip


DAYS = ("ordered_on=2026-11-18", "ordered_on=2026-11-19", "ordered_on=2026-11-20")


def copy_on_write() -> Work:
    """The commit of the mock: few changed rows in four large files of three days."""
    w = Work(version=3)
    w.kept, w.dropped, w.existing = [(0, 5, 2_100_000), (0, 4, 1_800_000), (0, 3, 900_000)], [(15, 6e6), (13, 5e6)], 24
    a = w.removed(412_300, DAYS[0], outcomes=Outcomes(carried_over=411_200, updated=1_100), name="00000-8c1e.parquet")
    b = w.removed(
        398_120, DAYS[1], outcomes=Outcomes(carried_over=397_170, updated=640, deleted=310), name="00000-27b4.parquet"
    )
    c = w.removed(401_544, DAYS[2], outcomes=Outcomes(carried_over=401_334, updated=210), name="00000-b930.parquet")
    d = w.removed(436_247, DAYS[2], outcomes=Outcomes(carried_over=435_807, updated=440), name="00001-e61d.parquet")
    x = w.added(412_300, DAYS[0], outcomes=Outcomes(carried_over=411_200, updated=1_100), name="00000-f0a1.parquet")
    y = w.added(
        399_010,
        DAYS[1],
        outcomes=Outcomes(carried_over=397_170, updated=640, inserted=1_200),
        name="00000-f0a2.parquet",
    )
    z = w.added(
        841_691,
        DAYS[2],
        outcomes=Outcomes(carried_over=837_141, updated=650, inserted=3_900),
        name="00000-f0a3.parquet",
    )
    for source, target in ((a, x), (b, y), (c, z), (d, z)):
        assert source.outcomes
        w.flow(source, target, source.outcomes.carried_over)
        w.flow(source, target, source.outcomes.updated, "updated")
    return w


def sequence_a() -> Work:
    """The article's: three files of one row, of which the second MERGE rewrites one."""
    w = Work()
    w.kept = [(0, 2, 2)]
    w.dropped = [(1, 1)]
    old = w.removed(1, outcomes=Outcomes(updated=1), name="00000-0.parquet")
    new = w.added(3, outcomes=Outcomes(updated=1, inserted=2), name="00000-3.parquet")
    w.flow(old, new, 1, "updated", "inferred")
    w.cell(old, "before", "updated", "1 a")
    for outcome, text in (("updated", "1 d"), ("inserted", "5 e"), ("inserted", "6 f")):
        w.cell(new, "after", outcome, text)
    return w


def sequence_b() -> Work:
    """The article's: one file of three rows, rewritten whole."""
    w = Work()
    w.dropped = [(1, 3)]
    old = w.removed(3, outcomes=Outcomes(carried_over=2, updated=1), name="00000-0.parquet")
    new = w.added(5, outcomes=Outcomes(carried_over=2, updated=1, inserted=2), name="00000-1.parquet")
    w.flow(old, new, 2, "carried over", "inferred")
    w.flow(old, new, 1, "updated", "inferred")
    for outcome, text in (("updated", "1 a"), ("carried over", "2 b"), ("carried over", "3 c")):
        w.cell(old, "before", outcome, text)
    for outcome, text in (("updated", "1 d"), ("carried over", "2 b"), ("carried over", "3 c"),
                       ("inserted", "5 e"), ("inserted", "6 f")):  # fmt: skip
        w.cell(new, "after", outcome, text)
    return w


def merge_on_read(kind: str = "pos") -> Work:
    """The same logical change as `copy_on_write`, by delete files."""
    w = Work(version=3 if kind == "dv" else 2)
    w.kept = [(0, 16, 6_400_000), (0, 12, 4_800_000), (0, 8, 3_200_000), (0, 4, 1_728_211)]
    for i, (day, rows, updated, deleted, name) in enumerate(
        ((DAYS[0], 412_300, 1_100, 0, "8c1e"), (DAYS[1], 398_120, 640, 310, "27b4"),
         (DAYS[2], 401_544, 210, 0, "b930"), (DAYS[2], 436_247, 440, 0, "e61d"))
    ):  # fmt: skip
        path = f"s3://lake/sales/orders/data/{name}.parquet"
        delete = w.added(
            updated + deleted, day, kind=kind, target=path, offset=4 + 44 * i if kind == "dv" else None,
            name="00000-1-deletes.puffin" if kind == "dv" else f"{name[::-1]}-deletes.parquet",
        )  # fmt: skip
        w.masked(
            rows, Outcomes(updated=updated, deleted=deleted), day, (delete, updated + deleted), name=f"{name}.parquet"
        )
    for day, updated, inserted, name in (
        (DAYS[0], 1_100, 0, "f0a1"),
        (DAYS[1], 640, 1_200, "f0a2"),
        (DAYS[2], 650, 3_900, "f0a3"),
    ):
        w.added(updated + inserted, day, outcomes=Outcomes(updated=updated, inserted=inserted), name=f"{name}.parquet")
    return w


def masked_cells() -> Work:
    """A delete of one row of a file of three, merge-on-read."""
    w = Work("delete", version=3)
    w.kept = [(0, 2, 6)]
    path = "s3://lake/sales/orders/data/00000-0.parquet"
    vector = w.added(1, kind="dv", target=path, offset=4, name="00000-9-deletes.puffin")
    file = w.masked(3, Outcomes(deleted=1), "", (vector, 1), name="00000-0.parquet")
    for outcome, text in ((None, "1 a"), ("deleted", "2 b"), (None, "3 c")):
        w.cell(file, "before", outcome, text)
    w.cells += [RowCell(file.path, 0, "after", None, "1 a"), RowCell(file.path, 2, "after", None, "3 c")]
    return w


def equality_delete() -> Work:
    """An upsert by Flink: keys, and the new rows; it reaches files of two partitions."""
    w = Work("overwrite")
    w.kept = [(0, 9, 900_000)]
    keys = w.added(12, "region=EU", kind="eq", name="eq-0001.parquet")
    w.masked(120_000, Outcomes(updated=7), "region=EU", (keys, 7), name="a1.parquet")
    w.masked(80_000, Outcomes(updated=3, deleted=1), "region=EU", (keys, 4), name="b2.parquet")
    w.added(10, "region=EU", outcomes=Outcomes(updated=10), name="c3.parquet")
    return w


def merge_of_40(days: int = 9) -> Work:
    """A merge into forty files of several days; one day's rows partly move to another."""
    w = Work()
    w.kept, w.dropped, w.existing = [(0, 1_200, 480_000_000)] * 4, [(300, 1e8)] * 3, 860
    for i in range(40):
        day = f"ordered_on=2026-11-{1 + i % days:02d}"
        n = 300_000 + 17_777 * (i % 7)
        changed = 100 + i * 13
        old = w.removed(n, day, outcomes=Outcomes(carried_over=n - changed - 5, updated=changed, deleted=5))
        new = w.added(n + 40, day, outcomes=Outcomes(carried_over=n - changed - 5, updated=changed, inserted=45))
        w.flow(old, new, n - changed - 5, "carried over", "inferred")
        w.flow(old, new, changed, "updated", "inferred")
    return w


def compaction(files: int = 5_000, into: int = 12, days: int = 1) -> Work:
    w = Work("replace", version=3)
    w.kept, w.dropped = [(0, 90, 9_000_000)], [(files // 40, 5_000)] * 40
    w.dropped += [(files % 40, 1)] if files % 40 else []
    new = []
    for i in range(into):
        n = len(range(i, files, into)) * 1_000
        place = f"day=2026-11-{1 + i % days:02d}" if days > 1 else ""
        new.append(w.added(n, place, outcomes=Outcomes(carried_over=n)))
    for i in range(files):
        old = w.removed(1_000, new[i % into].partition, outcomes=Outcomes(carried_over=1_000))
        w.flow(old, new[i % into], 1_000)
    return w


def compaction_that_lost_rows() -> Work:
    w = compaction(6, 2)
    w.files[0].outcomes = Outcomes(carried_over=2_998, inserted=2)
    w.files[2].outcomes = Outcomes(carried_over=998, deleted=2)
    w.ribbons = [Ribbon(f.path, w.files[(i % 2)].path, "carried over", 998 if i == 0 else 1_000, "proved")
                 for i, f in enumerate(w.files[2:])]  # fmt: skip
    return w


def append(files: int = 3) -> Work:
    w = Work("append")
    w.kept = [(0, 37, 15_000_000)]
    for i in range(files):
        w.added(411 + i, f"region={'EU' if i % 2 else 'US'}", outcomes=Outcomes(inserted=411 + i))
    return w


def first_snapshot() -> Work:
    w = Work("append", parent="none")
    for i, n in enumerate((1, 2, 1)):
        w.added(n, outcomes=Outcomes(inserted=n), name=f"00000-{i}.parquet")
    return w


def delete_of_files() -> Work:
    w = Work("delete")
    w.kept, w.dropped, w.existing = [(0, 4, 400_000)], [(7, 700_000)], 5
    w.removed(120_000, "day=2026-11-18", outcomes=Outcomes(deleted=120_000))
    w.removed(90_000, "day=2026-11-18", outcomes=Outcomes(deleted=89_000, unseen=1_000))
    return w


def overwrite() -> Work:
    """A dynamic partition overwrite: nothing carried over."""
    w = Work("overwrite")
    w.kept, w.dropped = [(0, 30, 3_000_000)], [(3, 300_000)]
    for n in (100_000, 100_000, 98_000):
        w.removed(n, "day=2026-11-18", outcomes=Outcomes(deleted=n))
    for n in (150_000, 149_000):
        w.added(n, "day=2026-11-18", outcomes=Outcomes(inserted=n))
    return w


def expired_parent() -> Work:
    w = copy_on_write()
    w.parent = "expired"
    w.ribbons = []
    for f in w.files:
        f.outcomes = Outcomes(inserted=f.rows) if f.change == "added" else None
    w.notes = (
        Note(
            "unknown",
            "The rows before",
            "The parent has expired, so a row written again cannot be told from a new one.",
        ),
    )
    return w


def empty_commit() -> Work:
    w = Work("append")
    w.kept = [(0, 37, 15_000_000), (1, 3, 100)]
    return w


def list_unreadable() -> Work:
    w = copy_on_write()
    w.list_is_unreadable = True
    name = f"s3://lake/sales/orders/metadata/snap-{OWN}-1-8a6bd0c0.avro"
    w.unreadable = {name: f"{name} cannot be read: no such file."}
    return w


def rewritten_manifests() -> Work:
    w = Work("replace")
    w.kept, w.dropped, w.existing = [(0, 12, 1_000_000)] * 4, [(3, 300_000)] * 214, 642
    return w


def contradicting() -> Work:
    w = append()
    w.summary = {"added-data-files": "5", "added-records": "9999", "total-records": "1"}
    return w


def unread_manifest() -> Work:
    w = delete_of_files()
    w.added(5_000, "day=2026-11-18", outcomes=Outcomes(inserted=5_000))
    path = "s3://lake/sales/orders/metadata/rewritten-m0.avro"
    w.unreadable = {path: f"{path} cannot be read: not an Avro file."}
    return w


def many_manifests() -> Work:
    w = append(2)
    w.kept = [(i % 2, 40 + i, 5_000 * i) for i in range(400)]
    return w


def hostile() -> Work:
    """Names and values that try to be markup, or to burst their place."""
    w = Work("overwrite")
    w.kept, w.dropped = [(0, 1_234_567, 999_999_999_999)], [(2, 50_001)]
    place = 'region="<script>alert(1)</script>"/city="line\\nbreak $x$ \\u202e"/' + "deep=" + "x" * 300
    old = w.removed(
        50_000, place, outcomes=Outcomes(carried_over=49_999, deleted=1), name="<img src=x onerror=y>.parquet"
    )
    new = w.added(
        50_000, place, outcomes=Outcomes(carried_over=49_999, inserted=1), name="%{x}<b>" + "y" * 300 + ".parquet"
    )
    w.flow(old, new, 49_999, "carried over", "inferred")
    w.added(3, place, kind="eq", name="e<br>q.parquet")
    w.removed(1, "region=null", outcomes=Outcomes(deleted=1), spec_id=1, name="\n\u202e.parquet")
    w.notes = (Note("inferred", "<b>bold</b>", "A reason with <script>.\nAnd a line break."),)
    return w


def hostile_cells() -> Work:
    w = sequence_b()
    text = "<script>alert('very long value, still going')</script>\n\u202e $a$"
    w.cells = [RowCell(c.path, c.position, c.side, c.outcome, text) for c in w.cells]
    return w


def uneven() -> Work:
    """One huge file beside eleven tiny ones."""
    w = Work("overwrite")
    w.kept, w.dropped = [(0, 3, 30)], [(8, 10**9)]
    w.removed(10**9, outcomes=Outcomes(carried_over=10**9 - 5, deleted=5))
    for n in range(1, 8):
        w.removed(n, outcomes=Outcomes(carried_over=n))
    for n in (10**9 - 5, 7, 21, 0):
        w.added(n, outcomes=Outcomes(carried_over=n))
    w.flow(w.files[0], w.files[8], 10**9 - 5, "carried over", "inferred")
    return w


def many_partitions(partitions: int = 300) -> Work:
    """A merge-on-read merge into every partition, with vectors that replace vectors."""
    w = Work("overwrite", version=3)
    w.kept, w.dropped = [(0, 40_000, 4_000_000_000), (1, 900, 0)], [(partitions, 0, 1)]
    for i in range(partitions):
        place = f"tenant={i:04d}"
        path = f"s3://lake/sales/orders/data/{place}/00000-{i}.parquet"
        vector = w.added(40 + i, place, kind="dv", target=path, offset=4 + i * 50, name=f"vectors-{i // 50}.puffin")
        w.file("removed", 10, place, kind="dv", target=path, offset=4 + i * 50, name=f"old-{i // 50}.puffin")
        w.masked(10_000, Outcomes(updated=30 + i), place, (vector, 30 + i), name=path)
        w.added(30 + i, place, outcomes=Outcomes(updated=30 + i))
    return w


def row_deltas_in_one_file() -> Work:
    """Position deletes without a named target, one of which masks rows of a file written by the same commit."""
    w = Work("overwrite")
    w.kept = [(0, 10, 1_000_000)]
    deletes = [w.added(50 * (i + 1), "region=EU", kind="pos") for i in range(3)]
    w.masked(90_000, Outcomes(deleted=90, carried_over=5), "region=EU", *[(d, 30 + i) for i, d in enumerate(deletes)])
    w.added(500, "region=EU", outcomes=Outcomes(inserted=450, unseen=45, carried_over=5))
    return w


def dangling_removed() -> Work:
    w = Work("replace")
    w.kept, w.dropped = [(0, 20, 2_000_000)], [(5, 0, 1)]
    for _ in range(4):
        w.removed(50, "region=EU", kind="pos")
    w.removed(9, "region=US", kind="eq")
    return w


STORIES: dict[str, Callable[[], Work]] = {
    "copy-on-write": copy_on_write,
    "sequence a": sequence_a,
    "sequence b": sequence_b,
    "merge-on-read": merge_on_read,
    "deletion vectors": lambda: merge_on_read("dv"),
    "masked cells": masked_cells,
    "equality delete": equality_delete,
    "merge of 40": merge_of_40,
    "merge of 40 unpartitioned": lambda: merge_of_40(1),
    "compaction": compaction,
    "compaction of days": lambda: compaction(900, 60, 20),
    "compaction that lost rows": compaction_that_lost_rows,
    "append": append,
    "append of 300": lambda: append(300),
    "first snapshot": first_snapshot,
    "delete of files": delete_of_files,
    "overwrite": overwrite,
    "expired parent": expired_parent,
    "empty commit": empty_commit,
    "list unreadable": list_unreadable,
    "rewritten manifests": rewritten_manifests,
    "contradicting": contradicting,
    "unread manifest": unread_manifest,
    "many manifests": many_manifests,
    "hostile": hostile,
    "hostile cells": hostile_cells,
    "uneven": uneven,
    "many partitions": many_partitions,
    "row deltas in one file": row_deltas_in_one_file,
    "dangling removed": dangling_removed,
}
INFERRED = {"sequence a", "sequence b", "merge of 40", "hostile", "uneven", "merge of 40 unpartitioned"}


def rows_of(name: str, work: Work) -> CommitRows:
    """Its rows, paired as the story has it."""
    if name in ("merge-on-read", "equality delete"):
        return work.rows(pairing="identifier columns", identifier=("order_id",))
    return work.rows(pairing="none" if name in INFERRED else "row id")
