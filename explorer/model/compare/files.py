"""The files of two points: those that only one of them has, and those that both have under other deletes, in sums.

A file that both have, under an equal set of deletes, holds equal rows at both: it need not be read.

Sources: Iceberg specification, "Manifests" (live entries), "Scan Planning" (which delete applies to which data file).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ..iceberg.commit_checks import live_files
from ..iceberg.document import Specs
from ..iceberg.file_change import Change, FileChange
from ..iceberg.inheritance import ContentKind, ListedManifest, StoredEntry, resolve, sequence_number
from ..iceberg.partition_changes import ChangeGroup, PartitionChange, Tally, counted_sides, partition_changes, total
from ..iceberg.touched_files import Cost, Place, TouchedFiles, cost, newest_reached, place_of, places_of


@dataclass(frozen=True)
class StoredSide:
    """What was read of the files of one point.

    Attributes:
        listed: rows of its manifest list.
        specs: partition fields of its table by spec id.
        only: entries of the data and delete files that the other side has not, once for each listing.
        relisted: of data files that both list, but another number of times or under another data sequence number.
        reached: data files that may lie in the reach of a delete that only one side has, by what both sides know a
            file by.
    """

    listed: Sequence[ListedManifest]
    specs: Specs
    only: tuple[StoredEntry, ...]
    relisted: tuple[StoredEntry, ...]
    reached: Mapping[Hashable, StoredEntry]

    @property
    def data(self) -> list[StoredEntry]:
        """The data files that only it has."""
        return [entry for entry in self.only if entry.content == 0]

    @property
    def deletes(self) -> list[StoredEntry]:
        """The delete files and deletion vectors that only it has."""
        return [entry for entry in self.only if entry.content != 0]


@dataclass(frozen=True)
class StoredDifference:
    """What was read of the files of two points.

    Attributes:
        of_two_tables: whether the sides are of two tables, so that a file of both has two places.
        complete: whether these are all files that differ.
        groups: files of only one side counted, all of them, where they are not.
    """

    left: StoredSide
    right: StoredSide
    of_two_tables: bool
    complete: bool
    groups: tuple[ChangeGroup, ...] | None


@dataclass(frozen=True, slots=True)
class PartitionDifference:
    """The files of one partition of one spec in which two points differ.

    Attributes:
        spec_id, partition: None in the total.
        left, right: files that only this side has, by what they hold; a kind that there is not is absent.
        touched: data files that both have, under other deletes.
        relisted: data files that both have, and that the right one lists more or less often, or again.
    """

    spec_id: int | None
    partition: str | None
    left: Mapping[ContentKind, Tally]
    right: Mapping[ContentKind, Tally]
    touched: int = 0
    relisted: int = 0

    @property
    def files(self) -> int:
        """Files that differ in any way."""
        sides = sum(tally.files for side in (self.left, self.right) for tally in side.values())
        return sides + self.touched + self.relisted


@dataclass(frozen=True)
class FileDifference:
    """The files of two points, in sums.

    Attributes:
        partitions: complete, most files first.
        totals: of all of them.
        shared_data_files, shared_delete_files: that both have; None if a manifest list does not count its files.
        price: of the data files that must be read to compare the rows.
        certain: rows deleted and rows inserted, where metadata alone makes that certain; else None.
        why_unknown: the file that cannot be read, and why, if it is not known which files differ: then nothing else of
            them is known either. Empty if it is.
    """

    partitions: tuple[PartitionDifference, ...]
    totals: PartitionDifference
    shared_data_files: int | None
    shared_delete_files: int | None
    price: Cost
    certain: tuple[int, int] | None
    why_unknown: str = ""

    @classmethod
    def unknown(cls, why: str) -> FileDifference:
        """Where a manifest list, or a manifest that is needed, cannot be read."""
        return cls((), PartitionDifference(None, None, {}, {}), None, None, Cost(0, 0, 0, False), None, why)

    @property
    def are_equal(self) -> bool:
        """Whether both have the same files under the same deletes, listed alike."""
        return not self.partitions and not self.why_unknown


def difference(stored: StoredDifference) -> FileDifference:
    """The sums of what was read."""
    files, places = touched_files(stored), _touched(stored)
    groups = counted_sides(stored.left.only, stored.right.only) if stored.groups is None else stored.groups
    changes = partition_changes(groups)
    by_place = {(change.spec_id or 0, change.partition or ""): change for change in changes}
    touched = Counter((entry.spec_id, entry.partition) for _, entry in places.values())
    relisted = Counter((entry.spec_id, entry.partition) for entry in stored.right.relisted)
    partitions = [
        _partition(place, by_place.get(place), touched[place], relisted[place])
        for place in dict.fromkeys((*by_place, *touched, *relisted))
    ]
    summed = total(changes)
    return FileDifference(
        partitions=tuple(sorted(partitions, key=lambda p: (-p.files, p.spec_id or 0, p.partition or ""))),
        totals=PartitionDifference(None, None, summed.removed, summed.added, touched.total(), relisted.total()),
        shared_data_files=_shared(stored.right.listed, 0, summed),
        shared_delete_files=_shared(stored.right.listed, 1, summed),
        price=cost(files),
        certain=None if places or not stored.complete else _certain(stored),
    )


def touched_files(stored: StoredDifference) -> TouchedFiles:
    """The data files whose rows must be compared.

    One that is listed otherwise counts as removed and as added: its rows are there as often as it is listed. So does
    one of two tables that lies under other deletes.
    """
    touched = _touched(stored).values()
    apart = touched if stored.of_two_tables else ()
    return TouchedFiles(
        removed=(*stored.left.data, *stored.left.relisted, *(there for there, _ in apart)),
        added=(*stored.right.data, *stored.right.relisted, *(here for _, here in apart)),
        kept=() if stored.of_two_tables else tuple(here for _, here in touched),
        deletes_added=tuple(stored.right.deletes),
        deletes_removed=tuple(stored.left.deletes),
        complete=stored.complete,
    )


def _touched(stored: StoredDifference) -> Mapping[Hashable, tuple[StoredEntry, StoredEntry]]:
    """Data files of both that lie under other deletes, as the left and the right side have them."""
    left, right = stored.left, stored.right
    manifests = {m.path: m for m in (*left.listed, *right.listed)}
    taken = {entry.file_path for side in (left, right) for entry in (*side.data, *side.relisted)}
    reaches = [_reaching(side.deletes, side.specs, manifests) for side in (left, right)]
    both = ((key, left.reached[key], right.reached[key]) for key in right.reached if key in left.reached)
    return {
        key: (there, here)
        for key, there, here in both
        if not {there.file_path, here.file_path} & taken and (reaches[0](there) or reaches[1](here))
    }


def _reaching(
    deletes: Iterable[StoredEntry], specs: Specs, manifests: Mapping[str, ListedManifest]
) -> Callable[[StoredEntry], bool]:
    """Whether one of these deletes has a data file in its scope: by spec, partition, path and sequence number.

    A number that is not known is taken for one that reaches.
    """
    youngest: dict[Place, float] = defaultdict(lambda: -math.inf)  # a data file up to this number is reached
    for delete in deletes:
        place, number = place_of(delete, specs), _number(delete, manifests)
        reach = math.inf if number is None else newest_reached(delete.kind, number)
        youngest[place] = max(youngest[place], reach)
    found = dict(youngest)

    def reached(file: StoredEntry) -> bool:
        number = _number(file, manifests)
        return any(place in found and (number is None or number <= found[place]) for place in places_of(file))

    return reached


def _number(entry: StoredEntry, manifests: Mapping[str, ListedManifest]) -> int | None:
    return sequence_number(manifests[entry.manifest_path], entry.status, entry.stored_sequence_number).value


def file_changes(stored: StoredDifference) -> Iterator[FileChange]:
    """The files that only one side has, as changes from left to right."""
    sides: tuple[tuple[Change, StoredSide], ...] = (("removed", stored.left), ("added", stored.right))
    for change, side in sides:
        manifests = {m.path: m for m in side.listed}
        for entry in side.only:
            yield FileChange(change, entry, resolve(manifests[entry.manifest_path], entry))


def _partition(
    place: tuple[int, str], change: PartitionChange | None, touched: int, relisted: int
) -> PartitionDifference:
    nothing: Mapping[ContentKind, Tally] = MappingProxyType({})
    left, right = (change.removed, change.added) if change is not None else (nothing, nothing)
    return PartitionDifference(*place, left, right, touched, relisted)


def _shared(listed: Sequence[ListedManifest], content: int, totals: PartitionChange) -> int | None:
    """Files of both, of data (0) or deletes (1)."""
    live = live_files(listed, content)
    only = sum(tally.files for kind, tally in totals.added.items() if (kind != "data") == bool(content))
    return None if live is None else live - only


def _certain(stored: StoredDifference) -> tuple[int, int] | None:
    """Rows of the left side alone and of the right one, where no row can be in both and no delete hides one."""
    left, right = stored.left, stored.right
    if left.relisted or right.relisted or (left.data and right.data):
        return None
    if not all(_is_unmasked(side) for side in (left, right)):
        return None
    rows = [sum(entry.record_count for entry in side.data) for side in (left, right)]
    return rows[0], rows[1]


def _is_unmasked(side: StoredSide) -> bool:
    """Whether every data file that only this side has is younger than every delete of this side."""
    data = side.data
    deletes = [m.sequence_number for m in side.listed if m.content != 0]
    if not data or not deletes:
        return True
    manifests = {m.path: m for m in side.listed}
    numbers = [_number(entry, manifests) for entry in data]
    oldest = min((-1 if number is None else number for number in numbers), default=-1)
    return all(number is not None and number < oldest for number in deletes)
