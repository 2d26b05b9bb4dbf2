"""What a commit changed in each partition: files, rows and bytes, added and removed, by what the files hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from .file_change import FileChange
from .inheritance import ContentKind, Status, StoredEntry, kind_of


@dataclass(frozen=True, slots=True)
class Tally:
    """Files, the rows in them (of deletes: positions or keys) and their bytes (of a deletion vector its own part)."""

    files: int = 0
    records: int = 0
    size_in_bytes: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.files + other.files, self.records + other.records, self.size_in_bytes + other.size_in_bytes)


@dataclass(frozen=True, slots=True)
class PartitionChange:
    """Tallies of one partition of one spec, by kind of content; a kind that did not change is absent.

    `spec_id` and `partition` are None in a total over partitions.
    """

    spec_id: int | None
    partition: str | None
    added: Mapping[ContentKind, Tally]
    removed: Mapping[ContentKind, Tally]

    @property
    def files(self) -> int:
        """Files added and files removed, together."""
        return sum(tally.files for tallies in (self.added, self.removed) for tally in tallies.values())


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """Entries of a commit that are alike, counted.

    Attributes:
        content: 0 data, 1 position deletes, 2 equality deletes.
        files: entries; record_count: rows in their files together (of deletes: positions or keys).
        size_in_bytes: of the files together; of deletion vectors their own part of the file.
    """

    spec_id: int
    partition: str
    content: int
    file_format: str
    status: int
    files: int
    record_count: int
    size_in_bytes: int


def partition_changes(groups: Iterable[ChangeGroup]) -> tuple[PartitionChange, ...]:
    """By partition, most files first."""
    tallies: dict[tuple[int, str], dict[str, dict[ContentKind, Tally]]] = defaultdict(
        lambda: {"added": {}, "removed": {}}
    )
    for group in groups:
        if group.status == Status.EXISTING:
            continue
        of_change = tallies[group.spec_id, group.partition]["added" if group.status == Status.ADDED else "removed"]
        kind = kind_of(group.content, group.file_format)
        tally = Tally(group.files, group.record_count, group.size_in_bytes)
        of_change[kind] = of_change.get(kind, Tally()) + tally
    changes = [
        PartitionChange(*place, MappingProxyType(by["added"]), MappingProxyType(by["removed"]))
        for place, by in tallies.items()
    ]
    return tuple(sorted(changes, key=lambda c: (-c.files, c.spec_id or 0, c.partition or "")))


def counted_changes(files: Sequence[FileChange]) -> tuple[ChangeGroup, ...]:
    """These files by what they have in common."""
    removed, added = ([file.entry for file in files if file.change == change] for change in ("removed", "added"))
    return counted_sides(removed, added)


def counted_sides(removed: Iterable[StoredEntry], added: Iterable[StoredEntry]) -> tuple[ChangeGroup, ...]:
    """The same of files that are told apart already."""
    return (*counted(removed, Status.DELETED), *counted(added, Status.ADDED))


def counted(entries: Iterable[StoredEntry], status: Status) -> list[ChangeGroup]:
    """These files, all taken for added or for removed ones, by what they have in common."""
    sums: dict[tuple[int, str, int, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for e in entries:
        part = e.content_size_in_bytes
        alike = sums[e.spec_id, e.partition, e.content, e.file_format]
        alike[0] += 1
        alike[1] += e.record_count
        alike[2] += e.file_size_in_bytes if part is None else part
    return [ChangeGroup(*alike, int(status), *summed) for alike, summed in sums.items()]


def total(changes: Iterable[PartitionChange]) -> PartitionChange:
    """The sum over partitions."""
    added: dict[ContentKind, Tally] = {}
    removed: dict[ContentKind, Tally] = {}
    for change in changes:
        for into, tallies in ((added, change.added), (removed, change.removed)):
            for kind, tally in tallies.items():
                into[kind] = into.get(kind, Tally()) + tally
    return PartitionChange(None, None, MappingProxyType(added), MappingProxyType(removed))
