"""Every data and delete file from birth to removal, with both its numbers; what is live at a snapshot.

A file is known by its path and, for a deletion vector, its place in the file (`content_offset`). A file that is added
twice, as by a cherry-pick or after its removal, has a lifetime for each time.

Sources: Iceberg specification, "Manifests" (status, snapshot_id), "Sequence Number Inheritance", "Scan Planning" (which
number scopes a delete), "Snapshots" (parent), "Deletion Vectors".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ..evidence import Note
from ..iceberg.delete_scope import Scope
from ..iceberg.inheritance import ContentKind, Value
from ..iceberg.metadata import Snapshot
from ..partition_rows import Naming

Evidence = Literal["entry", "absence", "unknown"]
"""How an event is known. `entry`: an entry ADDED or DELETED by that snapshot says so. `absence`: the snapshot before
lists the file as live, this one does not, and no entry says why. `unknown`: it is known that it happened, but not
where: the snapshots in between are expired, or their manifest lists cannot be read."""


@dataclass(frozen=True, slots=True)
class Removal:
    """A commit that removed the file, on the branches that contain that commit and no other.

    Attributes:
        snapshot_id: None if the evidence is `unknown`; it need not be listed any more if an entry still tells.
        sequence_number: of that snapshot; 0 for version 1; None if unknown.
        reason: for `absence` and `unknown`, a sentence; else empty.
    """

    snapshot_id: int | None
    sequence_number: int | None
    evidence: Evidence = "entry"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileLifetime:
    """A data file, delete file or deletion vector, from birth to removal.

    Attributes:
        content_offset: where a deletion vector starts in its file, bytes; None for every other file.
        partition: `region=EU/day=2026-11-20`; empty if unpartitioned.
        record_count: rows; of position deletes and deletion vectors positions, of equality deletes keys.
        size_in_bytes: of a deletion vector its own part of the file.
        data_sequence_number: decides which deletes reach the file, or which data a delete reaches; with its rule.
        file_sequence_number: of the commit that wrote the file into the table; scopes nothing.
        added_snapshot_id: as its entry says; that snapshot need not be listed any more. None if no entry says it.
        added_sequence_number: number of that snapshot (0 in version 1): the file sequence number, where known.
        removals: every commit that removed it, in sequence order; several where branches each removed it.
        removed_snapshot_id, removed_sequence_number: the removal on the line of the timeline (`Timeline.line`). For a
            file that was never live on that line: None while a ref still holds it, else the first removal. None where
            it is not removed, or where it is unknown by which commit: `removal` tells.
        removal: the removal those two come from; None if it is not removed.
        referenced_data_file: the one data file of a deletion vector or position delete file that names one; also by
            equal path bounds; None for all others.
        equality_ids: field ids of an equality delete; empty for all others.
        scope: what a delete is compared with, as of `delete_scope.DeleteFile`; None for a data file.
        live_on: names of the refs whose heads hold it live, main first.
        is_live: at the timeline's snapshot; None where that cannot be known.
        is_on_line: whether a snapshot of the line ever held it live.
        notes: what is not known of it, and why; sentences.
    """

    file_path: str
    content_offset: int | None
    kind: ContentKind
    spec_id: int
    partition: str
    record_count: int
    size_in_bytes: int
    data_sequence_number: Value
    file_sequence_number: Value
    added_snapshot_id: int | None
    added_sequence_number: int | None
    removals: tuple[Removal, ...] = ()
    removal: Removal | None = None
    referenced_data_file: str | None = None
    equality_ids: tuple[int, ...] = ()
    scope: Scope | None = None
    live_on: tuple[str, ...] = ()
    is_live: bool | None = False
    is_on_line: bool = True
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, int | None]:
        """What tells files apart; two lifetimes of one file have the same."""
        return self.file_path, self.content_offset

    @property
    def removed_snapshot_id(self) -> int | None:
        """The commit that removed it on the line; see `removal`."""
        return self.removal.snapshot_id if self.removal else None

    @property
    def removed_sequence_number(self) -> int | None:
        """The number of that commit."""
        return self.removal.sequence_number if self.removal else None


@dataclass(frozen=True, slots=True)
class CommitColumn:
    """A commit as a column of the timeline.

    Attributes:
        is_on_line: an ancestor of the line's head, or the head: its files are those of the line.
        refs: names of the refs that point here, main first.
        added, removed: files by kind; absent kinds are 0.
        live: files live after it, by kind, counted from the manifests; None where that cannot be known.
        unreadable: why its own files are not known; empty if they are.
    """

    snapshot: Snapshot
    is_on_line: bool
    refs: tuple[str, ...] = ()
    added: Mapping[ContentKind, int] = field(default_factory=dict)
    removed: Mapping[ContentKind, int] = field(default_factory=dict)
    live: Mapping[ContentKind, int] | None = field(default_factory=dict)
    unreadable: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """Files of a band that were added, or removed, by one commit of the line.

    `sequence_number` is None where it is unknown by which; `snapshot_id` is None then too.
    """

    snapshot_id: int | None
    sequence_number: int | None
    kind: ContentKind
    files: int
    record_count: int


@dataclass(frozen=True, slots=True)
class LiveFiles:
    """Live data files of a band with one data sequence number; None if it is unknown."""

    data_sequence_number: int | None
    files: int
    record_count: int


@dataclass(frozen=True, slots=True)
class Front:
    """Live deletes of a band with one kind, scope and data sequence number: data before it is reached.

    Attributes:
        files: so many delete files or deletion vectors.
        reaching: how many of them reach a live data file, by every clause but statistics, which are not read here.
        unknown: of how many that cannot be told, or readers refuse the file. The others are dangling.
    """

    kind: ContentKind
    scope: Scope
    data_sequence_number: int | None
    files: int
    reaching: int
    unknown: int = 0

    @property
    def dangling(self) -> int:
        """Deletes that reach nothing."""
        return self.files - self.reaching - self.unknown


@dataclass(frozen=True)
class Band:
    """One partition of one spec, on the line of the timeline; exact counts, nothing left out.

    Attributes:
        births, deaths: by commit and kind, in sequence order; births of expired commits too.
        live: live data files, by data sequence number.
        fronts: live deletes, by kind, scope and number.
        oldest_live_number: smallest data sequence number of its live data files; None if it has none.
    """

    spec_id: int
    partition: str
    births: tuple[Moment, ...]
    deaths: tuple[Moment, ...]
    live: tuple[LiveFiles, ...]
    fronts: tuple[Front, ...]
    oldest_live_number: int | None

    @cached_property
    def live_data_files(self) -> int:
        """Data files live at the timeline's snapshot."""
        return sum(n.files for n in self.live)

    @cached_property
    def live_delete_files(self) -> int:
        """Delete files and deletion vectors live at the timeline's snapshot."""
        return sum(front.files for front in self.fronts)

    @cached_property
    def dangling(self) -> int:
        """Live deletes that are known to reach nothing."""
        return sum(front.dangling for front in self.fronts)

    @cached_property
    def unknown(self) -> int:
        """Live deletes of which it is not known whether they reach anything."""
        return sum(front.unknown for front in self.fronts)

    @property
    def oldest(self) -> int | None:
        """`oldest_live_number`."""
        return self.oldest_live_number

    @property
    def tells(self) -> bool:
        """Whether deletes lie in it, or more than two data files."""
        return bool(self.fronts) or self.live_data_files > 2

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Every sequence number that it is drawn with."""
        found = {moment.sequence_number for moment in (*self.births, *self.deaths)}
        found |= {of.data_sequence_number for of in self.live} | {of.data_sequence_number for of in self.fronts}
        return frozenset(n for n in found if n is not None)

    @cached_property
    def badness(self) -> tuple[int, ...]:
        """Most deletes that reach nothing, then most deletes of which that is not known, most deletes, most files."""
        return self.dangling, self.unknown, self.live_delete_files, self.live_data_files


@dataclass(frozen=True, slots=True)
class Window:
    """What a person zoomed to: lifetimes that overlap these sequence numbers (inclusive; None: no bound), a partition.

    Attributes:
        through: also lifetimes that only pass through: added before the first number and removed after the last, or
            never, with a data sequence number that is none of these.
    """

    first: int | None = None
    last: int | None = None
    spec_id: int | None = None
    partition: str | None = None
    through: bool = True

    def holds(self, number: int) -> bool:
        """Whether this is one of its sequence numbers."""
        return (self.first is None or self.first <= number) and (self.last is None or number <= self.last)

    def of_place(self, spec_id: int, partition: str) -> bool:
        """Whether files of this partition belong to it."""
        return self.spec_id in (None, spec_id) and self.partition in (None, partition)


@dataclass(frozen=True)
class Timeline:
    """The files of a table over its whole history.

    Attributes:
        as_of: the snapshot at which `is_live`, `live` and fronts are told; None if the table has none.
        line: ids of the snapshots from the oldest known to the head of the line. The head is main's if `as_of` is one
            of its ancestors, else that of the first branch or tag that holds `as_of`, else `as_of` itself.
        line_name: the ref of that head; empty if there is none.
        commits: every listed snapshot, in sequence order; branches and staged ones too.
        files: lifetimes in the window, by partition, then birth; those of the line and of other branches. Bounded.
        file_count: lifetimes in the window, whether or not `files` has them.
        total_files: lifetimes in the whole history.
        bands: every partition that had a file on the line, in the order of `partition_order`; complete, whatever the
            window.
        unreadable: why it is not known what is live at `as_of`, so that bands hold no live file; empty if it is.
        lacks_data_files, lacks_deletes: whether a manifest of them could not be read: there may be more.
        window: what `files` is of.
        notes: what is not known, and why.
    """

    as_of: Snapshot | None
    line: frozenset[int]
    line_name: str
    commits: tuple[CommitColumn, ...]
    files: tuple[FileLifetime, ...]
    file_count: int
    total_files: int
    bands: tuple[Band, ...]
    window: Window = Window()
    notes: tuple[Note, ...] = ()
    unreadable: str = ""
    lacks_data_files: bool = False
    lacks_deletes: bool = False

    @cached_property
    def naming(self) -> Naming:
        """What the partitions are called."""
        return Naming.of(self.bands)

    @cached_property
    def in_window(self) -> tuple[Band, ...]:
        """The bands of the window."""
        return tuple(band for band in self.bands if self.window.of_place(band.spec_id, band.partition))

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Every sequence number that a band of the window is drawn with, as far as it is one of the window's."""
        every = frozenset[int]().union(*(band.numbers for band in self.in_window))
        return frozenset(n for n in every if self.window.holds(n))

    @cached_property
    def deletes_on_oldest(self) -> Mapping[tuple[int, str], int | None]:
        """Live deletes whose scope holds the oldest live data of a partition, by spec and partition: no file has more.

        Those that name one file are left out, since a band does not say which. None without live data of a known
        number.
        """
        everywhere = [front for band in self.bands for front in band.fronts if front.scope == "every file"]
        return {(band.spec_id, band.partition): _on_oldest(band, everywhere) for band in self.bands}

    @property
    def is_complete(self) -> bool:
        """Whether `files` has every lifetime of the window; else the bands tell."""
        return len(self.files) == self.file_count

    @property
    def numbered(self) -> bool:
        """Whether sequence numbers tell the commits apart; False while every commit was made as format version 1."""
        return any(commit.snapshot.sequence_number for commit in self.commits)


def _on_oldest(band: Band, everywhere: Sequence[Front]) -> int | None:
    oldest = band.oldest_live_number
    if oldest is None:
        return None
    count = 0
    for front in (*everywhere, *(front for front in band.fronts if front.scope == "partition")):
        at = front.data_sequence_number
        if at is not None and (oldest < at if front.kind == "equality deletes" else oldest <= at):
            count += front.files
    return count
