"""The files that are live at one point and not at another, from the manifests that only one of the two lists.

The two may be snapshots of one table, or of two tables of which one was copied from the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...model.iceberg.inheritance import Status, StoredEntry, sequence_number
from ...model.iceberg.partition_changes import ChangeGroup, counted_sides
from . import boundary_in_tasks, manifests, storage
from .boundary_in_tasks import Side

MOST_FILES = 100_000

_REFUSED = "The files of these two snapshots cannot be compared."

Relisted = Literal["no", "again", "again or renumbered"]


@dataclass(frozen=True, slots=True)
class StoredBoundary:
    """Live entries of which two points have one each.

    Attributes:
        removed: live at the start only. added: live at the end only. Bounded each.
        relisted: of the start and of the end, those of files that both list, but another number of times or under
            another data sequence number: one of each side for a file. Told only where it was asked for, and of
            manifests that only one of the two lists. Bounded.
        complete: whether these are all.
        groups: removed and added files counted, all of them, where `complete` is False; else None.
    """

    removed: tuple[StoredEntry, ...]
    added: tuple[StoredEntry, ...]
    relisted: tuple[tuple[StoredEntry, ...], tuple[StoredEntry, ...]] = ((), ())
    complete: bool = True
    groups: tuple[ChangeGroup, ...] | None = None

    @property
    def counts(self) -> tuple[ChangeGroup, ...]:
        """Removed and added files counted, all of them."""
        if self.groups is not None:
            return self.groups
        return counted_sides(self.removed, self.added)


def read(
    start: Side,
    end: Side,
    *,
    statistics: bool = False,
    relisted: Relisted = "no",
    most: int = MOST_FILES,
    small_in_bytes: int = manifests.SMALL_IN_BYTES,
) -> StoredBoundary:
    """Compare two points by their files.

    A file is one by its path and `content_offset`: several deletion vectors lie in one file.

    Args:
        start: one of the two.
        end: the other.
        statistics: whether the entries shall have them.
        relisted: whether to tell of files that both list, but another number of times, or under other numbers too.
        most: files brought to Python of each side.
        small_in_bytes: manifests larger than this together are decoded, and compared, in Spark tasks.

    Raises:
        UnreadableMetadata: a manifest cannot be read.

    Cost: the manifests that only one of the two lists.
    """
    kept = {m.path for m in start.listed} & {m.path for m in end.listed}
    before, after = (replace(side, listed=tuple(m for m in side.listed if m.path not in kept)) for side in (start, end))
    if manifests.size_together([*before.listed, *after.listed]) > small_in_bytes:
        return _in_tasks(before, after, relisted, statistics, most)
    old, new = (_live(side, statistics) for side in (before, after))
    removed = [entry for key, entries in old.items() if key not in new for entry in entries]
    added = [entry for key, entries in new.items() if key not in old for entry in entries]
    others: list[Hashable] = []
    if relisted != "no":
        by_number = relisted == "again or renumbered"
        others = [
            key
            for key, entries in new.items()
            if key in old and _listings(before, old[key], by_number) != _listings(after, entries, by_number)
        ]
    complete = max(len(removed), len(added), len(others)) <= most
    groups = None if complete else counted_sides(removed, added)
    again = tuple(old[key][-1] for key in others[:most]), tuple(new[key][-1] for key in others[:most])
    return StoredBoundary(tuple(removed[:most]), tuple(added[:most]), again, complete, groups)


def _live(side: Side, statistics: bool) -> dict[Hashable, list[StoredEntry]]:
    stored = manifests.entries_here(side.source, side.listed, statistics=statistics)
    storage.refuse(stored.unreadable_files, _REFUSED)
    found: dict[Hashable, list[StoredEntry]] = defaultdict(list)
    for entry in stored.entries:
        if entry.status != Status.DELETED:
            found[side.key(entry)].append(entry)
    return found


def _listings(side: Side, entries: Sequence[StoredEntry], by_number: bool) -> list[int]:
    """By how many entries a file is listed, each by its data sequence number where that counts; -1 if not known."""
    if not by_number:
        return [0] * len(entries)
    by_path = {m.path: m for m in side.listed}
    numbers = (sequence_number(by_path[e.manifest_path], e.status, e.stored_sequence_number).value for e in entries)
    return sorted(-1 if number is None else number for number in numbers)


def _in_tasks(before: Side, after: Side, relisted: Relisted, statistics: bool, most: int) -> StoredBoundary:
    found = boundary_in_tasks.compare(
        before, after, _REFUSED, statistics=statistics, by_number=relisted == "again or renumbered"
    )
    removed, added = (boundary_in_tasks.some(frame, most + 1) for frame in (found.removed, found.added))
    again = [boundary_in_tasks.some(frame, most + 1) if relisted != "no" else () for frame in found.relisted]
    complete = max(len(removed), len(added), len(again[1])) <= most
    groups = (
        None
        if complete
        else (
            *boundary_in_tasks.counted(found.removed, Status.DELETED),
            *boundary_in_tasks.counted(found.added, Status.ADDED),
        )
    )
    return StoredBoundary(removed[:most], added[:most], (again[0][:most], again[1][:most]), complete, groups)
