"""Snapshots to draw with all their entries, each written down entry by entry, so that a picture can be judged by eye.

What is stored is written down here; what it is read as, counted and contradicted is the model's.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from explorer.model.entries.facts import Entries, entries
from explorer.model.entries.stored import EntryGroup
from explorer.model.iceberg.inheritance import ListedManifest, Status, StoredEntry
from explorer.model.iceberg.metadata import Snapshot
from tests.figures.snapshot_graph_stories import BIG_ID

OWN = BIG_ID + 6633
FOLDER = "s3://lake/cdc/devices"
A, E, D = Status.ADDED, Status.EXISTING, Status.DELETED
CONTENT = {"data": (0, "PARQUET"), "pos": (1, "PARQUET"), "dv": (1, "PUFFIN"), "eq": (2, "PARQUET")}


class Listing:
    """A snapshot in the making, with its manifest list."""

    def __init__(self, number: int = 10, *, manifest_list: str | None = "", attempt: int = 2) -> None:
        if manifest_list == "":
            manifest_list = f"{FOLDER}/metadata/snap-{OWN}-{attempt}-a1b2.avro"
        at = datetime(2026, 11, 20, 12, 5, 1, 218_000, tzinfo=UTC) + timedelta(minutes=number)
        self.snapshot = Snapshot(OWN, OWN - 7, number, at, "overwrite", {"operation": "overwrite"}, manifest_list, 0)
        self.listed: list[ListedManifest] = []
        self.stored: list[StoredEntry] = []
        self.groups: list[EntryGroup] | None = None
        self.unreadable: dict[str, str] = {}
        self.unreadable_list = ""
        self.numbers = itertools.count(1)

    def manifest(
        self,
        name: str,
        *,
        by: int | None = OWN,
        number: int | None = 10,
        least: int | None = None,
        content: int = 0,
        **more: Any,
    ) -> str:
        """A row of the list; counts of entries are filled in by `done`."""
        path = name if "/" in name else f"{FOLDER}/metadata/{name}.avro"
        row = ListedManifest(
            path=path, length=7_104, partition_spec_id=0, content=content, sequence_number=number,
            min_sequence_number=number if least is None else least, added_snapshot_id=by,
            added_files_count=None, existing_files_count=None, deleted_files_count=None,
            added_rows_count=None, existing_rows_count=None, deleted_rows_count=None, first_row_id=None,
        )  # fmt: skip
        self.listed.append(replace(row, **more))
        return path

    def entry(
        self,
        manifest: str,
        status: Status,
        data: int | None = None,
        file: int | None = None,
        *,
        name: str = "",
        kind: str = "data",
        rows: int = 1_236,
        snapshot: int | None = OWN,
        **more: Any,
    ) -> None:
        """One entry; data and file are its two numbers as stored."""
        n = next(self.numbers)
        content, file_format = CONTENT[kind]
        path = (
            name if "/" in name else f"{FOLDER}/data/{name or f'{n:05d}-{n * 7 % 100}-{n * 7919 % 65536:04x}'}.parquet"
        )
        before = [e for e in self.stored if e.manifest_path == manifest]
        unassigned = sum(e.record_count for e in before if e.status != D and e.stored_first_row_id is None)
        made = StoredEntry(
            manifest_path=manifest, position=len(before), status=status, stored_snapshot_id=snapshot,
            stored_sequence_number=data, stored_file_sequence_number=file, stored_first_row_id=None,
            content=content, file_path=path, file_format=file_format, spec_id=0, partition="region=EU",
            record_count=rows, file_size_in_bytes=rows * 255, unassigned_rows_before=unassigned,
        )  # fmt: skip
        self.stored.append(replace(made, **more))

    def group(self, manifest: str, status: Status, count: int, data: int | None, file: int | None = None) -> None:
        """Entries that are only counted; with them the entries that are written down are but the first ones."""
        self.groups = self.groups or []
        self.groups.append(EntryGroup(manifest, int(status), data, file, count, count * 1_000))

    def done(self) -> Entries:
        """The model's answer; rows of the list that say no counts get those of the entries."""
        listed = [self._counted(m) for m in self.listed]
        return entries(
            self.snapshot,
            listed=listed,
            stored=[e for e in self.stored if e.manifest_path not in self.unreadable],
            groups=self.groups,
            unreadable=self.unreadable,
            unreadable_list=self.unreadable_list,
        )

    def _counted(self, m: ListedManifest) -> ListedManifest:
        if m.added_files_count is not None:
            return m
        of = [e for e in self.stored if e.manifest_path == m.path]
        counted = [g for g in self.groups or () if g.manifest_path == m.path]
        counts: dict[str, int] = {}
        for word, status in (("added", A), ("existing", E), ("deleted", D)):
            files = [e.record_count for e in of if e.status == status]
            counts[f"{word}_files_count"] = sum(g.count for g in counted if g.status == status) or len(files)
            counts[f"{word}_rows_count"] = sum(g.rows for g in counted if g.status == status) or sum(files)
        return replace(m, **counts)


def mock() -> Entries:
    """The snapshot of the mock: a retry, a rewritten manifest, one that was reused, an equality delete."""
    w = Listing()
    new = w.manifest("a1b2-m1")
    w.entry(new, A, name="00010-x1")
    w.entry(new, A, name="00010-x2")
    old = w.manifest("a1b2-m0", least=4)
    w.entry(old, E, 4, 4, name="00004-j8", snapshot=OWN - 20)
    w.entry(old, E, 6, 8, name="compact-f0", snapshot=OWN - 21)
    w.entry(old, D, 5, 5, name="00005-k3")
    kept = w.manifest("77c9-m0", by=OWN - 30, number=6)
    w.entry(kept, A, name="00006-d9", snapshot=OWN - 30)
    deletes = w.manifest("a1b2-m2", content=1)
    w.entry(deletes, A, name="eq-10b", kind="eq", rows=3)
    return w.done()


def one() -> Entries:
    w = Listing(1, attempt=1)
    w.entry(w.manifest("a1b2-m0", number=1), A)
    return w.done()


def version_1() -> Entries:
    """Nothing is stored, in the list neither."""
    w = Listing(0)
    new = w.manifest("a1b2-m0", number=None)
    w.listed[-1] = replace(w.listed[-1], min_sequence_number=None)
    w.entry(new, A)
    w.entry(new, D)
    kept = w.manifest("77c9-m0", number=None, by=OWN - 9)
    w.listed[-1] = replace(w.listed[-1], min_sequence_number=None)
    w.entry(kept, A, snapshot=OWN - 9)
    return w.done()


def upgraded() -> Entries:
    """Written as version 1, then as version 2: EXISTING entries without a number are right there, and read as 0."""
    w = Listing(1)
    w.entry(w.manifest("a1b2-m0", number=1), A)
    old = w.manifest("77c9-m0", number=0, by=OWN - 9)
    w.entry(old, E, snapshot=OWN - 10)
    w.entry(old, A, snapshot=OWN - 9)
    return w.done()


def inline() -> Entries:
    """Version 1 without a manifest list: the metadata file names the manifests, and nothing else about them."""
    w = Listing(0, manifest_list=None)
    m = w.manifest("a1b2-m0", number=None, by=None, partition_spec_id=None, length=None)
    w.listed[-1] = replace(w.listed[-1], min_sequence_number=None)
    w.entry(m, A)
    return w.done()


def version_3() -> Entries:
    """First row ids: assigned in order, stored, and none for deletes."""
    w = Listing(12)
    new = w.manifest("a1b2-m1", number=12, first_row_id=1_204_560)
    w.entry(new, A, rows=4_100)
    w.entry(new, A, rows=3_900)
    old = w.manifest("a1b2-m0", number=12, least=3, first_row_id=1_212_560)
    w.entry(old, E, 3, 3, rows=9_000, stored_first_row_id=0, snapshot=OWN - 4)
    w.entry(old, E, 5, 5, rows=8_000, snapshot=OWN - 5)
    w.entry(old, D, 4, 4, rows=100, snapshot=OWN)
    upgraded_ = w.manifest("77c9-m0", number=2, by=OWN - 6)
    w.entry(upgraded_, A, snapshot=OWN - 6)
    vectors = w.manifest("a1b2-m2", number=12, content=1)
    for i, offset in enumerate((4, 48, 92)):
        w.entry(vectors, A, name="00000-1-deletes", kind="dv", rows=7 + i, content_offset=offset,
                content_size_in_bytes=44, referenced_data_file=f"{FOLDER}/data/{i}.parquet")  # fmt: skip
    return w.done()


def deletes() -> Entries:
    """Every kind of delete file, and no new data."""
    w = Listing(7)
    m = w.manifest("a1b2-m0", number=7, content=1)
    w.entry(m, A, kind="pos", rows=40)
    w.entry(m, A, kind="eq", rows=3)
    w.entry(m, A, kind="dv", rows=9, name="00000-1-deletes", content_offset=4, content_size_in_bytes=44)
    old = w.manifest("77c9-m1", number=5, by=OWN - 8, content=1)
    w.entry(old, A, kind="eq", rows=12, snapshot=OWN - 8)
    return w.done()


def compaction() -> Entries:
    """A compaction that kept the starting sequence number: one of the two numbers is stored."""
    w = Listing(9)
    m = w.manifest("a1b2-m1", number=9, least=6)
    w.entry(m, A, 6, None, name="compact-f0", rows=80_000)
    old = w.manifest("a1b2-m0", number=9)
    for n in (3, 4, 6):
        w.entry(old, D, n, n, rows=27_000)
    return w.done()


def snapshot_id_inherited() -> Entries:
    w = Listing(3)
    m = w.manifest("a1b2-m0", number=3)
    w.entry(m, A, snapshot=None)
    w.entry(m, A, snapshot=None)
    return w.done()


def forbidden() -> Entries:
    """EXISTING and DELETED without a number."""
    w = Listing()
    m = w.manifest("a1b2-m0", least=4)
    w.entry(m, E, None, None)
    w.entry(m, E, 4, None)
    w.entry(m, D, None, 5)
    w.entry(m, A)
    return w.done()


def unreadable() -> Entries:
    w = Listing()
    new = w.manifest("a1b2-m1")
    w.entry(new, A)
    gone = w.manifest(
        "77c9-m0", by=OWN - 9, number=6, added_files_count=40, existing_files_count=2, deleted_files_count=0
    )
    w.unreadable[gone] = "The file is not there."
    nothing = w.manifest("55aa-m0", by=OWN - 19, number=4)
    w.listed[-1] = replace(w.listed[-1], added_files_count=None, existing_files_count=None, deleted_files_count=None)
    w.unreadable[nothing] = "The server refused: <b>403</b> " + "and said a lot about why this may be, " * 9
    return w.done()


def all_unreadable() -> Entries:
    w = Listing()
    for i in range(3):
        w.unreadable[w.manifest(f"77c9-m{i}", by=OWN - 9, number=6)] = "The file is not there."
    return w.done()


def list_unreadable() -> Entries:
    w = Listing()
    w.unreadable_list = "The file s3://lake/cdc/devices/metadata/snap-1-1-a.avro is not there; snapshots were expired."
    return w.done()


def empty() -> Entries:
    return Listing(1).done()


def empty_manifest() -> Entries:
    w = Listing()
    w.manifest("a1b2-m0")
    return w.done()


def nothing_inherited() -> Entries:
    w = Listing()
    m = w.manifest("a1b2-m0", least=2)
    for n in range(2, 8):
        w.entry(m, E, n, n, snapshot=OWN - n)
    return w.done()


def forty() -> Entries:
    """As many entries as are drawn one by one, in eight manifests."""
    w = Listing(30)
    for i in range(8):
        m = w.manifest(f"{i * 7919 % 65536:04x}-m0", number=30 - i, by=OWN - i)
        for _ in range(5):
            w.entry(m, A, snapshot=OWN - i)
    return w.done()


def forty_manifests() -> Entries:
    w = Listing(1_240)
    for i in range(40):
        w.entry(w.manifest(f"{i * 7919 % 65536:04x}-m0", number=1_240 - i, by=OWN - i), A, snapshot=OWN - i)
    return w.done()


def forty_one() -> Entries:
    """One entry more: a line per manifest."""
    w = Listing(30)
    new = w.manifest("a1b2-m1", number=30)
    for _ in range(18):
        w.entry(new, A)
    old = w.manifest("a1b2-m0", number=30, least=4)
    for n in range(20):
        w.entry(old, E, 4 + n, 4 + n, snapshot=OWN - 2)
    for n in range(2):
        w.entry(old, D, 7 + n, 7 + n)
    kept = w.manifest("77c9-m0", number=6, by=OWN - 3)
    w.entry(kept, A, snapshot=OWN - 3)
    return w.done()


def one_manifest_of_500() -> Entries:
    """Only the first 120 entries are at hand."""
    w = Listing()
    m = w.manifest("a1b2-m0", least=4)
    for _ in range(90):
        w.entry(m, A)
    for n in range(30):
        w.entry(m, E, 4 + n % 3, 4 + n % 5 + 2, snapshot=OWN - 2)
    w.group(m, A, 90, None)
    for n in range(3):
        w.group(m, E, 130, 4 + n, 6 + n)
    w.group(m, D, 20, 4, 4)
    return w.done()


def five_hundred() -> Entries:
    """500 manifests with 60,000 entries, of which the first of each are at hand."""
    w = Listing(512)
    for i in range(500):
        content, number = int(i % 25 == 24), 512 - i
        least = max(number - 40, 1) if i % 50 == 1 else number
        m = w.manifest(f"{i:03d}{i * 7919 % 65536:04x}-m0", number=number, by=OWN - i, content=content, least=least)
        for _ in range(2):
            w.entry(m, A, snapshot=OWN - i, kind="pos" if content else "data")
        w.group(m, A, 118 if i % 3 else 120, None)
        if i % 50 == 1:
            w.group(m, E, 7, least, least + 10)
    return w.done()


def long_list() -> Entries:
    """Many manifests that say the same, but for a few; a compaction among them kept its starting sequence number."""
    w = Listing(292)
    for number in range(292, 224, -1):
        by = OWN - 292 + number
        if number % 4 == 0:
            w.entry(w.manifest(f"{number}-m1", number=number, by=by, content=1), A, kind="eq", rows=9, snapshot=by)
        data = w.manifest(f"{number}-m0", number=number, by=by, least=248 if number == 251 else number)
        for _ in range(2 if number == 251 else 1 + number % 3):
            w.entry(data, A, 248 if number == 251 else None, snapshot=by)
    for number in range(97, 102):
        again = w.manifest(f"{number}-m0", number=number, by=OWN - 292 + number, least=4)
        for n in range(4, 4 + (104 - number) * 5):
            w.entry(again, E, n, n, snapshot=OWN - 280)
    removed = w.manifest("220-m0", number=220, by=OWN - 72, least=197, content=1)
    w.entry(removed, E, 197, 197, kind="dv", snapshot=OWN - 90)
    for n in range(6):
        w.entry(removed, D, 190 + n, 190 + n, kind="dv", snapshot=OWN - 72)
    return w.done()


def hostile() -> Entries:
    """Names that a page could stumble over."""
    w = Listing(10, manifest_list=f"s3://lake/<script>alert(1)</script>/snap-{OWN}-1-<b>x</b>$y$.avro")
    m = w.manifest("s3://lake/%{customdata}<extra></extra>/<img src=x onerror=y>" + "long-" * 40 + "m0.avro")
    w.entry(
        m, A, name="s3://lake/data/<script>alert(1)</script>" + "very-long-" * 30 + ".parquet", partition='x="<i>a</i>"'
    )
    w.entry(m, A, name="s3://lake/data/$\\alpha$\u202etxt\n.parquet")
    w.entry(m, E, 9_007_199_254_740_993, 9_223_372_036_854_775_807, name="s3://lake/data/&amp;.parquet")
    w.unreadable[w.manifest("s3://lake/<u>broken</u>/m9.avro", by=OWN - 3, number=3)] = "<b>Denied</b> for $x$ & co."
    return w.done()


def big_numbers() -> Entries:
    w = Listing(1_234_567)
    m = w.manifest("a1b2-m0", number=1_234_567, least=88_001, first_row_id=98_765_432_109_876)
    w.entry(m, A, rows=10)
    w.entry(m, E, 88_001, 1_200_000, stored_first_row_id=123_456_789_012, snapshot=OWN - 3)
    w.entry(m, D, 99_001, 99_002)
    return w.done()


STORIES: dict[str, Callable[[], Entries]] = {
    "mock": mock,
    "one": one,
    "version 1": version_1,
    "upgraded": upgraded,
    "inline": inline,
    "version 3": version_3,
    "deletes": deletes,
    "compaction": compaction,
    "snapshot id inherited": snapshot_id_inherited,
    "forbidden": forbidden,
    "unreadable": unreadable,
    "all unreadable": all_unreadable,
    "list unreadable": list_unreadable,
    "empty": empty,
    "empty manifest": empty_manifest,
    "nothing inherited": nothing_inherited,
    "forty": forty,
    "forty manifests": forty_manifests,
    "forty one": forty_one,
    "one manifest of 500": one_manifest_of_500,
    "five hundred": five_hundred,
    "long list": long_list,
    "hostile": hostile,
    "big numbers": big_numbers,
}
