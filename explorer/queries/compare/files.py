"""The files of two points, read from the manifests that only one of the two lists, and from more where deletes differ.

The two may be snapshots of one table, or of two tables of which one was copied from the other: then a file is known by
its path below the location of its table, by its length and by its rows.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass

from ...model.compare.files import StoredDifference, StoredSide
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.touched_files import Reach, reach
from ..files import boundary
from ..files import manifests as stored_manifests
from ..files.boundary import StoredBoundary
from ..files.boundary_in_tasks import Side, below
from ..rows.changed_entries import Manifests
from ..source import Source

_DATA = 0


@dataclass(frozen=True, slots=True)
class End:
    """One of the two points: a snapshot of a table, and the rows of its manifest list."""

    source: Source
    snapshot_id: int
    listed: Sequence[ListedManifest]

    def manifests(self, *, of_data: bool) -> list[ListedManifest]:
        """Those of data files, or those of deletes."""
        return [m for m in self.listed if (m.content == _DATA) == of_data]


def read(
    left: End,
    right: End,
    *,
    for_rows: bool = False,
    most: int = boundary.MOST_FILES,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
) -> StoredDifference:
    """Read in which files two points differ.

    Args:
        left: one of the two.
        right: the other, of the same table or of another one.
        for_rows: to read their rows: with the statistics of columns, and with every file that is listed once more by a
            manifest that both list.
        most: files brought to Python of each side.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.

    Raises:
        UnreadableMetadata: a manifest cannot be read, and is not passed over: see `Manifests.reached`.

    Cost: the manifests that only one of the two lists. If they do not have the same deletes, also the data manifests of
    the right side, of two tables those of both; with `for_rows` those that both list.
    """
    asked = _Asked(left, right, for_rows, most, small_in_bytes)
    data, deletes = asked.differing(of_data=True), asked.differing(of_data=False)
    only = (
        (*data.removed, *deletes.removed, *deletes.relisted[0]),  # a delete with another number reaches other files
        (*data.added, *deletes.added, *deletes.relisted[1]),
    )
    shared = asked.shared(only)
    sides = [
        StoredSide(end.listed, end.source.specs, own, (*again, *shared.again), reached)
        for end, own, again, reached in zip((left, right), only, data.relisted, shared.reached, strict=True)
    ]
    all_are_there = data.complete and deletes.complete
    return StoredDifference(
        sides[0],
        sides[1],
        of_two_tables=asked.of_two_tables,
        complete=all_are_there and shared.complete,
        groups=None if all_are_there else (*data.counts, *deletes.counts),
    )


Files = dict[Hashable, StoredEntry]


@dataclass(frozen=True, slots=True)
class _Shared:
    """Data files that both sides have.

    Attributes:
        reached: of each side, those in the reach of a delete that only one side has.
        again: those that were told to be of one side alone, and that a manifest of both lists too.
        complete: whether these are all.
    """

    reached: tuple[Files, Files]
    again: tuple[StoredEntry, ...]
    complete: bool


@dataclass(frozen=True)
class _Asked:
    """What is read of two points; the attributes are the arguments of `read`."""

    left: End
    right: End
    for_rows: bool
    most: int
    small_in_bytes: int

    @property
    def of_two_tables(self) -> bool:
        """Whether files are known by their place in their table alone."""
        return self.left.source.metadata.location != self.right.source.metadata.location

    @property
    def folders(self) -> tuple[str, ...]:
        """Where the files of the two tables lie, the longer one first; empty of one table."""
        locations = [end.source.metadata.location for end in (self.left, self.right)]
        return below(locations) if self.of_two_tables else ()

    def differing(self, *, of_data: bool) -> StoredBoundary:
        """Data files, or deletes, that the two do not share."""
        start, end = (Side(end.source, end.manifests(of_data=of_data), self.folders) for end in (self.left, self.right))
        is_masked = any(m.content != _DATA for m in (*self.left.listed, *self.right.listed))
        return boundary.read(
            start,
            end,
            statistics=self.for_rows or not of_data,
            relisted="again or renumbered" if is_masked else "again",  # numbers tell which delete reaches which file
            most=self.most,
            small_in_bytes=self.small_in_bytes,
        )

    def shared(self, only: tuple[tuple[StoredEntry, ...], tuple[StoredEntry, ...]]) -> _Shared:
        """Data files that both have, as far as `only`, the entries of one side alone, concern them."""
        deletes = [[entry for entry in side if entry.content != _DATA] for side in only]
        paths = frozenset(entry.file_path for side in only for entry in side if entry.content == _DATA)
        if self.of_two_tables and any(deletes):
            # A delete of one table reaches files that the other one has in another place.
            everything = Reach(everywhere=True)
            left, right = (
                self._within(end, end.manifests(of_data=True), everything) for end in (self.left, self.right)
            )
        else:
            reached = reach(itertools.chain(*deletes), self.right.source.specs)
            also = paths if self.for_rows else frozenset()
            left = right = self._within(self.right, self._concerned(any(deletes)), reached, also, elsewhere=paths)
        both = self._listed_by_both
        found = (*left[0], *right[0]) if self.for_rows else ()
        again = {e.file_path: e for e in found if e.manifest_path in both and e.file_path in paths}
        key = Side(self.right.source, (), self.folders).key
        files = [{key(entry): entry for entry in entries} for entries, _ in (left, right)]
        return _Shared((files[0], files[1]), tuple(again.values()), left[1] and right[1])

    @property
    def _listed_by_both(self) -> frozenset[str]:
        return frozenset(m.path for m in self.left.listed) & {m.path for m in self.right.listed}

    def _concerned(self, deletes_differ: bool) -> list[ListedManifest]:
        """Data manifests in which a delete of one side may reach a file, or a file of one side may be once more."""
        manifests, both = self.right.manifests(of_data=True), self._listed_by_both
        if deletes_differ:
            return manifests
        return [m for m in manifests if m.path in both] if self.for_rows else []

    def _within(
        self,
        end: End,
        manifests: Sequence[ListedManifest],
        within: Reach,
        also: frozenset[str] = frozenset(),
        *,
        elsewhere: Collection[str] = (),
    ) -> tuple[tuple[StoredEntry, ...], bool]:
        read = Manifests(end.source, statistics=self.for_rows, most=self.most, small_in_bytes=self.small_in_bytes)
        found = read.reached(manifests, within, also=also, elsewhere=elsewhere)
        return tuple(found), read.complete
