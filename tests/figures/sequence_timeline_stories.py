"""Sequence timelines to draw, each written down file by file, so that a picture can be judged by eye and by test.

What is live where, and what each front reaches, is told here anew, plainly, from the commits that added and removed.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.model.evidence import Note
from explorer.model.iceberg.inheritance import ContentKind, Rule, Value
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.partition_order import in_order
from explorer.model.sequence_timeline.facts import (
    Band,
    CommitColumn,
    FileLifetime,
    Front,
    LiveFiles,
    Moment,
    Removal,
    Timeline,
    Window,
)
from tests.figures.snapshot_graph_stories import Story

KINDS: dict[str, ContentKind] = {
    "data": "data", "eq": "equality deletes", "pos": "position deletes", "dv": "deletion vector",
}  # fmt: skip
EU, US = "region=EU", "region=US"
FOLDER = "s3://lake/cdc/users/data/"


@dataclass
class Lifetime:
    """A file in the making; `born` and the removals are numbers of commits in the story."""

    lifetime: FileLifetime
    born: int
    removed: dict[int, Removal] = field(default_factory=dict)


@dataclass
class Lifetimes:
    """A table's files in the making."""

    story: Story = field(default_factory=Story)
    lifetimes: list[Lifetime] = field(default_factory=list)
    expired: tuple[int, ...] = ()
    unknown_live: set[str] = field(default_factory=set)
    notes: tuple[Note, ...] = ()
    global_specs: frozenset[int] = frozenset()

    def commit(self, operation: str | None = "append", *, parent: int | None = -1, **more: Any) -> int:
        return self.story.commit(operation, parent=(self.story.sequence or None) if parent == -1 else parent, **more)

    def add(
        self,
        name: str,
        partition: str = "",
        rows: int = 1000,
        *,
        kind: str = "data",
        counts_as: int | None = None,
        rule: Rule = "inherited",
        target: str | None = None,
        offset: int | None = None,
        spec: int = 0,
        at: int | None = None,
        notes: tuple[str, ...] = (),
    ) -> str:
        """A file of the last commit; its path."""
        born = at or self.story.sequence
        own = 0 if self.story.version == 1 else born
        path = name if "/" in name else f"{FOLDER}{name}.{'puffin' if kind == 'dv' else 'parquet'}"
        scope = None
        if kind != "data":
            scope = (
                "one file" if target else "every file" if kind == "eq" and spec in self.global_specs else "partition"
            )
        rule = "version 1" if self.story.version == 1 else rule
        lifetime = FileLifetime(
            path,
            offset,
            KINDS[kind],
            spec,
            partition,
            rows,
            rows * 120,
            Value(own if counts_as is None else counts_as, rule if counts_as is None else "stored"),
            Value(own, rule),
            self.story.ids[born],
            own,
            referenced_data_file=target,
            equality_ids=(1,) if kind == "eq" else (),
            scope=scope,  # type: ignore[arg-type]
            notes=notes,
        )
        self.lifetimes.append(Lifetime(lifetime, born))
        return path

    def remove(self, *paths: str, at: int | None = None, unknown: str = "") -> None:
        """By the last commit, or by a commit that is not known, up to it."""
        number = at or self.story.sequence
        removal = Removal(self.story.ids[number], 0 if self.story.version == 1 else number)
        if unknown:
            removal = Removal(None, None, "unknown", unknown)
        for path in paths:
            lifetimes = [
                lifetime
                for lifetime in self.lifetimes
                if lifetime.lifetime.file_path == path and lifetime.born <= number
            ]
            for lifetime in lifetimes:
                lifetime.removed[number] = removal

    def timeline(self, as_of: int | None = None, window: Window | None = None, line: str = "main") -> Timeline:
        """What the model is asked for, at a commit's number (else the head of the line)."""
        metadata = TableMetadata.from_json(self.story.document())
        number_of = {snapshot_id: n for n, snapshot_id in self.story.ids.items()}
        heads = {name: number_of[ref["snapshot-id"]] for name, ref in self.story.refs.items()}
        on_line = self._ancestors(heads[line])
        now = self._ancestors(as_of or heads[line])
        files = tuple(self._as_of(lifetime, on_line, now, heads) for lifetime in self.lifetimes)
        inside = [file for file in files if window is None or _is_in(file, window)]
        commits = tuple(
            CommitColumn(
                snapshot,
                number_of[snapshot.snapshot_id] in on_line,
                tuple(name for name, n in heads.items() if n == number_of[snapshot.snapshot_id]),
                live=self._live_after(number_of[snapshot.snapshot_id]),
            )
            for snapshot in sorted(metadata.snapshots, key=lambda s: (s.sequence_number, number_of[s.snapshot_id]))
            if number_of[snapshot.snapshot_id] not in self.expired
        )
        return Timeline(
            metadata.by_id[self.story.ids[as_of or heads[line]]],
            frozenset(self.story.ids[n] for n in on_line if n not in self.expired),
            line,
            commits,
            tuple(inside),
            len(inside),
            len(files),
            bands_of([file for file in files if file.is_on_line]),
            window or Window(),
            self.notes,
        )

    def _ancestors(self, number: int) -> set[int]:
        number_of = {snapshot_id: n for n, snapshot_id in self.story.ids.items()}
        found: set[int] = set()
        at: int | None = number
        while at is not None:
            found.add(at)
            parent = self.story.snapshots[self.story.ids[at]].get("parent-snapshot-id")
            at = None if parent is None else number_of[parent]
        return found

    def _as_of(self, lifetime: Lifetime, line: set[int], now: set[int], heads: dict[str, int]) -> FileLifetime:
        def live(at: set[int]) -> bool:
            return lifetime.born in at and not set(lifetime.removed) & at

        removal = next((removal for n, removal in sorted(lifetime.removed.items()) if n in line), None)
        unsure = lifetime.lifetime.file_path in self.unknown_live
        return replace(
            lifetime.lifetime,
            removals=tuple(removal for _, removal in sorted(lifetime.removed.items())),
            removal=removal,
            live_on=tuple(name for name, n in heads.items() if live(self._ancestors(n))),
            is_live=None if unsure else live(now),
            is_on_line=lifetime.born in line,
        )

    def _live_after(self, number: int) -> dict[ContentKind, int]:
        at = self._ancestors(number)
        return dict(Counter(x.lifetime.kind for x in self.lifetimes if x.born in at and not set(x.removed) & at))


def _is_in(file: FileLifetime, window: Window) -> bool:
    numbers = (file.added_sequence_number, file.removed_sequence_number, file.data_sequence_number.value)
    touched = any(number is not None and window.holds(number) for number in numbers)
    return window.of_place(file.spec_id, file.partition) and (window.through or touched)


def bands_of(files: list[FileLifetime]) -> tuple[Band, ...]:
    """Partitions in sums."""
    by_partition: dict[tuple[int, str], list[FileLifetime]] = defaultdict(list)
    for file in files:
        by_partition[file.spec_id, file.partition].append(file)
    live_data = [file for file in files if file.kind == "data" and file.is_live]
    bands = []
    for (spec, partition), inside in by_partition.items():
        births = Counter((f.added_snapshot_id, f.added_sequence_number, f.kind) for f in inside)
        deaths = Counter((f.removed_snapshot_id, f.removed_sequence_number, f.kind) for f in inside if f.removal)
        here = [f for f in inside if f.kind == "data" and f.is_live]
        numbers = Counter(f.data_sequence_number.value for f in here)
        fronts: dict[tuple[Any, ...], list[bool | None]] = defaultdict(list)
        for delete in inside:
            if delete.kind != "data" and delete.is_live:
                fronts[delete.kind, delete.scope, delete.data_sequence_number.value].append(reaches(delete, live_data))
        bands.append(
            Band(
                spec,
                partition,
                tuple(Moment(i, n, kind, count, count) for (i, n, kind), count in births.items()),
                tuple(Moment(i, n, kind, count, count) for (i, n, kind), count in deaths.items()),
                tuple(LiveFiles(n, count, count) for n, count in numbers.items()),
                tuple(
                    Front(kind, scope, n, len(reached), sum(map(bool, reached)), reached.count(None))
                    for (kind, scope, n), reached in fronts.items()
                ),
                min((n for n in numbers if n is not None), default=None),
            )
        )
    return tuple(in_order(bands))


def reaches(delete: FileLifetime, live: list[FileLifetime]) -> bool | None:
    """Whether a live delete reaches any of some live data files; None where a number is unknown."""
    found: list[bool | None] = [False]
    own = delete.data_sequence_number.value
    for data in live:
        if delete.scope == "one file" and data.file_path != delete.referenced_data_file:
            continue
        if delete.scope == "partition" and (data.spec_id, data.partition) != (delete.spec_id, delete.partition):
            continue
        number = data.data_sequence_number.value
        if own is None or number is None:
            found.append(None)
        else:
            found.append(number < own if delete.kind == "equality deletes" else number <= own)
    return True if True in found else None if None in found else False


def path(name: str) -> str:
    return f"{FOLDER}{name}.parquet"


# --- the stories -----------------------------------------------------------------------------------------------------


_USERS = (
    ("append", "09:00", [("00001-a1", EU, 120_431, "stored"), ("00001-h3", US, 140_220, "stored")]),
    ("append", "09:10", [("00002-b7", EU, 98_112, "stored")]),
    ("overwrite", "09:20", [("00003-c2", EU, 2_114, "stored"), ("eq-3b", EU, 2_114, "eq")]),
    ("overwrite", "09:24", [("00004-j8", US, 1_305, ""), ("eq-4c", US, 1_305, "eq")]),
    ("delete", "09:31", [("pos-5", US, 8, "00001-h3")]),
    ("append", "09:40", [("00006-d9", EU, 101_003, "stored")]),
    ("overwrite", "09:44", [("00007-e4", EU, 1_870, ""), ("eq-7d", EU, 1_870, "eq")]),
    ("replace", "09:52", [("compact-f0", EU, 318_920, "counts as 6")]),
    ("append", "10:00", [("00009-k1", US, 122_004, "")]),
    ("delete", "10:05", [("pos-10", EU, 41, "compact-f0")]),
    ("overwrite", "10:12", [("00011-m6", US, 990, ""), ("eq-11", US, 990, "eq")]),
    ("overwrite", "10:20", [("00012-g5", EU, 2_020, ""), ("pos-12", EU, 15, "00012-g5")]),
)


def users() -> Lifetimes:
    """The table of the mock: equality deletes around a compaction, in two regions."""
    t = Lifetimes()
    for operation, at, files in _USERS:
        number = t.commit(operation, at=f"11-20 {at}", tail=5120 if at == "10:20" else None)
        for name, partition, rows, how in files:
            if name.startswith(("eq", "pos")):
                target = None if how == "eq" else path(how)
                t.add(name, partition, rows, kind=name.split("-")[0], target=target)
            else:
                counts_as = 6 if how == "counts as 6" else None
                t.add(name, partition, rows, rule="stored" if how == "stored" else "inherited", counts_as=counts_as)
        if number == 8:
            t.remove(*(path(name) for name in ("00001-a1", "00002-b7", "00003-c2", "00006-d9")))
    return t


def phantom() -> Lifetimes:
    """Alice is deleted by key 12345; the key is given to Bob."""
    t = Lifetimes(Story())
    t.commit(at="11-20 09:00")
    t.add("data-1-alice", "", 1)
    t.commit("delete", at="11-20 09:05")
    t.add("delete-2", "", 1, kind="eq", spec=0)
    t.lifetimes[-1].lifetime = replace(t.lifetimes[-1].lifetime, scope="every file")
    t.commit(at="11-20 09:10")
    t.add("data-3-bob", "", 1)
    return t


def one_file() -> Lifetimes:
    t = Lifetimes()
    t.commit()
    t.add("00000-0-only", "", 12)
    return t


def without_files() -> Timeline:
    t = Lifetimes()
    t.commit()
    t.commit("delete")
    return t.timeline()


def without_lists() -> Timeline:
    """Every manifest list is gone."""
    timeline = without_files()
    reason = "Its manifest list: The file does not exist."
    return replace(
        timeline,
        commits=tuple(replace(c, live=None, unreadable="The file does not exist.") for c in timeline.commits),
        notes=tuple(Note("unknown", f"Files of snapshot {c.snapshot.snapshot_id}", reason) for c in timeline.commits),
    )


def without_snapshots() -> Timeline:
    return Timeline(None, frozenset(), "", (), (), 0, 0, ())


def version_1() -> Lifetimes:
    t = Lifetimes(Story(version=1))
    for i in range(6):
        t.commit("overwrite" if i == 4 else "append")
        t.add(f"0000{i}-v1", f"day=2026-11-{10 + i % 2}", 5_000 * (i + 1))
    t.remove(path("00000-v1"), at=5)
    return t


def upgraded() -> Lifetimes:
    """Made as version 1; numbers begin at 4."""
    t = Lifetimes(Story())
    for i in range(3):
        t.commit(numbered=False)
        t.add(f"0000{i}-v1", "", 5_000)
        t.lifetimes[-1].lifetime = replace(
            t.lifetimes[-1].lifetime,
            data_sequence_number=Value(0, "version 1"),
            file_sequence_number=Value(0, "version 1"),
            added_sequence_number=0,
        )
    t.commit("delete")
    t.add("pos-4", "", 7, kind="pos")
    t.commit()
    t.add("00005-v2", "", 900)
    return t


def busy(rows: int, partitions: int, commits: int, seed: int = 1) -> Lifetimes:
    """Appends, deletes of all kinds and compactions, at random."""
    chance, t = random.Random(seed), Lifetimes()
    live: list[tuple[str, str]] = []
    while len(t.lifetimes) < rows:
        left = commits - t.story.sequence
        new = max(1, min(rows - len(t.lifetimes), (rows - len(t.lifetimes)) // max(left, 1)))
        compacts = t.story.sequence % 7 == 6 and len(live) > 3
        t.commit("replace" if compacts else chance.choice(["append", "append", "overwrite", "delete"]))
        if compacts:
            place = chance.choice(live)[1]
            gone = [name for name, partition in live if partition == place]
            t.remove(*gone)
            live = [one for one in live if one[1] != place]
            start = max(t.story.sequence - 3, 1)
            live.append((t.add(f"{len(t.lifetimes):05d}-c", place, 90_000, counts_as=start), place))
            new -= 1
        for _ in range(new):
            place, n = f"day=2026-11-{10 + chance.randrange(partitions)}", len(t.lifetimes)
            what = chance.choice(["data", "data", "data", "eq", "pos", "dv"] if live else ["data"])
            if what == "data":
                live.append((t.add(f"{n:05d}-f", place, chance.randrange(1, 200_000)), place))
            elif what == "eq":
                t.add(f"{n:05d}-e", place, chance.randrange(1, 900), kind="eq")
            else:
                target, place = chance.choice(live)
                offset = 4 if what == "dv" else None
                t.add(f"{n:05d}-p", place, chance.randrange(1, 90), kind=what, target=target, offset=offset)
    return t


def branches() -> Lifetimes:
    """A branch `audit` with a file of its own, and a file that audit alone removed; a staged commit on no branch."""
    t = Lifetimes()
    t.commit()
    t.add("00001-shared", EU, 4_000)
    kept = t.add("00001-gone-on-audit", EU, 7_000)
    t.commit(branch="audit", main=False)
    t.add("00002-audit-only", EU, 120)
    t.add("eq-audit", EU, 12, kind="eq")
    t.commit("delete", parent=2, branch="audit", main=False)
    t.remove(kept)
    t.commit(parent=1)
    t.add("00004-main", EU, 900)
    t.commit(parent=4, main=False, wap_id="w-1")
    t.add("00005-staged", EU, 55)
    t.commit("delete", parent=4)
    t.add("eq-main", EU, 5, kind="eq")
    return t


def unknown_removal() -> Lifetimes:
    """Snapshots 2 to 4 are expired: what they removed is known only by its absence."""
    t = Lifetimes(expired=(2, 3, 4))
    t.commit()
    first = t.add("00001-gone", EU, 4_000)
    t.add("00001-here", EU, 4_000)
    for _ in range(3):
        t.commit("overwrite")
    t.remove(first, at=4, unknown="snapshots 2 to 4 are expired: one of them removed it")
    unsure = t.add("00003-unsure", EU, 33, at=3, notes=("the manifest list of snapshot 5 cannot be read",))
    t.unknown_live.add(unsure)
    t.commit()
    t.add("00005-new", EU, 10)
    numberless = t.add("00005-numberless", EU, 10)
    lifetime = next(x for x in t.lifetimes if x.lifetime.file_path == numberless)
    lifetime.lifetime = replace(lifetime.lifetime, data_sequence_number=Value(None, "not inherited"))
    t.commit("delete")
    t.add("eq-6", EU, 3, kind="eq")
    t.notes = (Note("unknown", "removals between 2 and 4", "snapshots 2 to 4 are expired"),)
    return t


def expired_birth() -> Lifetimes:
    """The commits that added most files are expired; their numbers stand in the entries."""
    t = Lifetimes(expired=(1, 2, 3, 4, 5))
    for i in range(1, 8):
        t.commit("delete" if i == 4 else "append")
        kind = "eq" if i == 4 else "data"
        t.add(f"0000{i}-{'eq' if i == 4 else 'x'}", US, 100 * i, kind=kind, rule="stored" if i < 6 else "inherited")
    t.remove(path("00002-x"), at=5)
    return t


def two_equality_deletes() -> Lifetimes:
    """One of every spec (global), one of its partition; a position delete of a partition; two specs."""
    t = Lifetimes(global_specs=frozenset({1}))
    t.commit()
    for region in (EU, US):
        t.add("00001-" + region[-2:].lower(), region, 500)
    t.add("00001-plain", "", 40, spec=1)
    t.commit("delete")
    t.add("eq-global", "", 9, kind="eq", spec=1)
    t.commit("overwrite")
    t.add("00003-eu", EU, 20)
    t.add("eq-eu", EU, 20, kind="eq")
    t.commit("delete")
    t.add("pos-eu", EU, 3, kind="pos")
    t.commit()
    t.add("00005-us", US, 70)
    return t


def vectors() -> Lifetimes:
    """Three deletion vectors in one Puffin file; one of them superseded a position delete."""
    t = Lifetimes(Story(version=3))
    t.commit()
    files = [t.add(f"0000{i}-d", "", 1_000 * (i + 1)) for i in range(3)]
    t.commit("delete")
    old = t.add("pos-2", "", 4, kind="pos", target=files[0])
    partition_wide = t.add("pos-2-all", "", 4, kind="pos")
    t.commit("delete")
    for i, file in enumerate(files):
        t.add(f"{FOLDER}shared-vectors.puffin", "", 5 * (i + 1), kind="dv", target=file, offset=4 + 40 * i)
    t.remove(old)
    assert partition_wide
    t.commit()
    t.add("00004-d", "", 12)
    return t


def cherry_picked() -> Lifetimes:
    """Staged at 2, removed nothing, published at 4: the same file has a life for each."""
    t = Lifetimes()
    t.commit()
    t.add("00001-base", EU, 100)
    t.commit(parent=1, main=False, wap_id="w-9")
    staged = t.add("00002-staged", EU, 60)
    t.commit("delete", parent=1)
    t.add("eq-3", EU, 2, kind="eq")
    t.commit(parent=3, published_wap_id="w-9")
    t.add(staged, EU, 60)
    return t


def backwards() -> Lifetimes:
    """The clock of the third commit is an hour behind."""
    t = Lifetimes()
    for i, at in enumerate(["11-20 09:00", "11-20 10:00", "11-20 08:40", "11-20 11:30", "11-21 02:00"], start=1):
        t.commit("delete" if i == 3 else "append", at=at)
        t.add(f"0000{i}-t", EU, 10 * i, kind="eq" if i == 3 else "data")
    return t


def hostile() -> Lifetimes:
    t = Lifetimes()
    odd = "s3://b/<b>bold</b> &amp; $\\alpha$ \u202egnorw " + "x" * 160
    place = 'name=<script>alert("1")</script>/day="a=b/c"' + "/very_long_column_name=" + "y" * 120
    t.commit("<i>merge</i>")
    first = t.add(f"{odd}/<img src=x onerror=alert(1)>.parquet", place, 7)
    t.add(f"{odd}/other-<b>.parquet", place, 2**40)
    t.commit("delete")
    t.add(f"{odd}/delete-<b>-1.parquet", place, 3, kind="eq")
    t.add(f"{odd}/delete-<b>-2.parquet", place, 3, kind="pos", target=first)
    t.commit(None)
    t.remove(first)
    t.story.ref("<b>tag</b>", 1)
    t.notes = (Note("unknown", "<b>lists</b>", "the list <i>s3://x</i> is gone"),)
    return t


def sums(files: int, partitions: int, commits: int, deletes: int, *, seed: int = 7, expired: int = 0) -> Timeline:
    """Partitions in sums, without a file at hand; compacted now and then, so that old deletes dangle."""
    chance, story = random.Random(seed), Story()
    for i in range(1, commits + 1):
        story.commit("replace" if i % 960 == 0 else "overwrite" if i % 3 else "append", parent=i - 1 or None)
    metadata = TableMetadata.from_json(story.document())
    bands, live_now = [], files // partitions
    for p in range(partitions):
        compacted = 960 * chance.randrange(0, max(commits // 960, 1)) or 1
        numbers = Counter(chance.randrange(compacted, commits + 1) for _ in range(200))
        numbers[compacted] += 30
        scale = max(live_now // 230, 1)
        live = tuple(LiveFiles(n, count * scale, count * scale * 900) for n, count in sorted(numbers.items()))
        fronts = []
        for n in sorted({chance.randrange(1, commits + 1) for _ in range(deletes if p % 4 else 0)}):
            reaching = int(any(number < n for number in numbers))
            fronts.append(Front("equality deletes", "partition", n, 1, reaching))
        births = tuple(Moment(story.ids[n], n, "data", count * scale, 0) for n, count in sorted(numbers.items()))
        deaths = (Moment(story.ids[compacted], compacted, "data", 400 * scale, 0),)
        bands.append(
            Band(0, f"day=2026-{1 + p // 28:02d}-{1 + p % 28:02d}", births, deaths, live, tuple(fronts), min(numbers))
        )
    columns = []
    for i, snapshot in enumerate(metadata.snapshots):
        if i >= expired:
            count = int(files * (0.3 + 0.7 * ((i + 1) % 960) / 960) * (i + 1) / commits)
            columns.append(CommitColumn(snapshot, True, live={"data": count}))
    total = sum(band.live_data_files for band in bands) + 9_000
    return Timeline(
        metadata.snapshots[-1],
        frozenset(story.ids.values()),
        "main",
        tuple(columns),
        (),
        total,
        total,
        tuple(in_order(bands)),
    )


def unknown_sums() -> Timeline:
    """Deletes without a known number; a partition without live data."""
    timeline = sums(5_000, 3, 40, 12)
    first, *others = timeline.bands
    odd = replace(
        first,
        live=(LiveFiles(None, 40, 40),),
        fronts=(
            Front("equality deletes", "partition", None, 4, 0, 4),
            Front("deletion vector", "one file", 9, 3, 0, 3),
        ),
        oldest_live_number=None,
    )
    empty = replace(
        first,
        partition="day=empty",
        live=(),
        fronts=(Front("equality deletes", "partition", 9, 2, 0),),
        oldest_live_number=None,
    )
    unlit = tuple(
        replace(c, live=None, unreadable="its list is gone") if 10 < i < 15 else c
        for i, c in enumerate(timeline.commits)
    )
    return replace(timeline, bands=(odd, empty, *others), commits=unlit)


def lacking(timeline: Timeline) -> Timeline:
    """A manifest of data files and one of deletes that cannot be read: nothing dangles for certain."""
    bands = tuple(
        replace(b, fronts=tuple(replace(f, unknown=f.unknown + f.dangling) for f in b.fronts)) for b in timeline.bands
    )
    return replace(timeline, bands=bands, lacks_data_files=True, lacks_deletes=True)


def ninety_four() -> Timeline:
    """Ninety-four days, most of them of one or two files without a delete."""
    timeline = sums(5_000, 94, 292, 3)
    few = [
        replace(band, live=tuple(replace(n, files=1) for n in band.live[: 1 + i % 2]), fronts=()) if i % 10 else band
        for i, band in enumerate(timeline.bands)
    ]
    return replace(timeline, bands=tuple(few))


def unreadable_sums() -> Timeline:
    """The list of the snapshot itself cannot be read: births and deaths are known, what is live is not."""
    timeline = sums(5_000, 30, 40, 12)
    bands = tuple(replace(band, live=(), fronts=(), oldest_live_number=None) for band in timeline.bands)
    return replace(timeline, bands=bands, unreadable="NoSuchKey: the object does not exist.", lacks_data_files=True)


def part_of_sums(first: int, last: int) -> Timeline:
    """The numbers of one partition that a person opened, with too many files still."""
    timeline = sums(201_344, 31, 4_800, 400)
    band = timeline.bands[3]
    window = Window(first, last, band.spec_id, band.partition, through=False)
    return replace(timeline, window=window, file_count=sum(live.files for live in band.live))


def key(lifetimes: Lifetimes, name: str) -> tuple[str, int | None]:
    """The key of the file whose name ends so."""
    return next(
        x.lifetime.key for x in lifetimes.lifetimes if x.lifetime.file_path.removesuffix(".parquet").endswith(name)
    )


_BUSY = busy(300, 1, 40)

STORIES: dict[str, Callable[[], Timeline]] = {
    "users": lambda: users().timeline(),
    "users at 6": lambda: users().timeline(as_of=6),
    "users of one region": lambda: users().timeline(window=Window(spec_id=0, partition=US)),
    "phantom": lambda: phantom().timeline(),
    "no snapshot": without_snapshots,
    "no file": without_files,
    "no list": without_lists,
    "one file": lambda: one_file().timeline(),
    "version 1": lambda: version_1().timeline(),
    "version 1 at 3": lambda: version_1().timeline(as_of=3),
    "upgraded": lambda: upgraded().timeline(),
    "sixty": lambda: busy(60, 4, 25, seed=5).timeline(),
    "sixty of many commits": lambda: busy(60, 3, 400, seed=3).timeline(),
    "three hundred": lambda: _BUSY.timeline(),
    "three hundred of nine": lambda: busy(300, 9, 40).timeline(),
    "three hundred files lacking": lambda: lacking(busy(300, 9, 40).timeline()),
    "ninety-four sums": ninety_four,
    "unreadable sums": unreadable_sums,
    "branches": lambda: branches().timeline(),
    "branch audit": lambda: branches().timeline(line="audit"),
    "unknown removal": lambda: unknown_removal().timeline(),
    "expired birth": lambda: expired_birth().timeline(),
    "two equality deletes": lambda: two_equality_deletes().timeline(),
    "vectors": lambda: vectors().timeline(),
    "cherry-picked": lambda: cherry_picked().timeline(),
    "backwards": lambda: backwards().timeline(),
    "hostile": lambda: hostile().timeline(),
    "200,000 files": lambda: sums(201_344, 31, 4_800, 400),
    "1,000,000 files": lambda: sums(1_000_000, 120, 3_000, 60, expired=600),
    "one part of 200,000 files": lambda: part_of_sums(1_000, 1_100),
    "one part of three hundred": lambda: _BUSY.timeline(window=Window(10, 20, through=False)),
    "unknown sums": unknown_sums,
    "sums without deletes": lambda: sums(9_000, 5, 300, 0),
}

SELECTED: dict[str, tuple[str, int | None]] = {
    "users": key(users(), "eq-7d"),
    "users at 6": key(users(), "00001-a1"),
    "users of one region": key(users(), "eq-11"),
    "phantom": key(phantom(), "delete-2"),
    "one file": key(one_file(), "only"),
    "version 1": key(version_1(), "00002-v1"),
    "version 1 at 3": key(version_1(), "00005-v1"),
    "upgraded": key(upgraded(), "pos-4"),
    "sixty": key(busy(60, 4, 25, seed=5), "-e"),
    "sixty of many commits": key(busy(60, 3, 400, seed=3), "-e"),
    "three hundred": key(_BUSY, "-e"),
    "branches": key(branches(), "eq-main"),
    "branch audit": key(branches(), "eq-audit"),
    "unknown removal": key(unknown_removal(), "eq-6"),
    "expired birth": key(expired_birth(), "00004-eq"),
    "two equality deletes": key(two_equality_deletes(), "eq-global"),
    "vectors": key(vectors(), "pos-2-all"),
    "cherry-picked": key(cherry_picked(), "eq-3"),
    "backwards": key(backwards(), "00003-t"),
    "hostile": key(hostile(), "delete-<b>-1"),
}
"""A delete, or a file, to select in each story that draws files."""
