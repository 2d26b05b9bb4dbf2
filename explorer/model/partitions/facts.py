"""Every partition after each commit of a line that changed it: files, rows, positions that are masked, bytes.

Sources: Iceberg specification, "Partition Specs" (a partition is a spec and a tuple), "Scan Planning" (which deletes
apply to a data file), "Deletion Vectors".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays import Longs
from ..evidence import Note
from ..iceberg.metadata import Snapshot


class Partition(NamedTuple):
    """A partition of one spec: `region=EU/day=2026-11-20`, empty if the spec has no fields."""

    spec_id: int
    partition: str


@dataclass(frozen=True, eq=False)
class Sums:
    """What lives in partitions, as columns of one length; bytes of a deletion vector are its own part of the file.

    Attributes:
        data_files: live data files; record_count: their rows, masked or not; size_in_bytes: their bytes.
        delete_files: live delete files and deletion vectors; delete_size_in_bytes: their bytes.
        equality_delete_files: those of them that delete by keys. How many rows they mask no metadata tells.
        partition_delete_files: position delete files among them that name no single data file: by convention all of
            their positions mask a row.
        masked_records: positions that live deletion vectors and position delete files name, less those whose one data
            file is not live, or younger than the delete. Each masks a row, and equality deletes may mask more: a lower
            bound. Only those of `partition_delete_files` can make it too high, where a data file that they name has
            been removed; or a writer that names a position twice.
    """

    data_files: Longs
    delete_files: Longs
    equality_delete_files: Longs
    partition_delete_files: Longs
    record_count: Longs
    masked_records: Longs
    size_in_bytes: Longs
    delete_size_in_bytes: Longs

    @property
    def live_rows(self) -> Longs:
        """Rows less those that are known to be masked: where equality deletes live, at most so many."""
        left: Longs = np.maximum(self.record_count - self.masked_records, 0)
        return left

    @property
    def files(self) -> Longs:
        """Live files of every kind."""
        return self.data_files + self.delete_files

    def columns(self) -> dict[str, Longs]:
        """By name."""
        return {column.name: getattr(self, column.name) for column in fields(self)}


@dataclass(frozen=True, eq=False)
class Partitions:
    """The partitions of a table along a line of history.

    Attributes:
        line_name: the ref of the line's head; empty if it has none.
        commits: the line from the oldest listed snapshot to its head.
        partitions: every one that had a live file after a commit of the line, in the order of `partition_order`.
        partition, commit: of each row of `sums`, an index into `partitions`, `commits`. By commit, then by partition.
        sums: what lives in that partition after that commit.
        unreadable: by index into `commits`, why it is not known what lives after one: its manifest list, or a manifest
            that it names, cannot be read. It has no row, and what it changed is in the row of the next that is known.
        before: why nothing is known of the time before the oldest commit, which has a row for each partition that it
            holds then; empty if it is a root.
        removals_by_absence: files that no entry removes, which the next snapshot does not list.
        notes: what is not known, or inferred, and why.
    """

    line_name: str
    commits: tuple[Snapshot, ...]
    partitions: tuple[Partition, ...]
    partition: Longs
    commit: Longs
    sums: Sums
    unreadable: Mapping[int, str] = field(default_factory=dict)
    before: str = ""
    removals_by_absence: int = 0
    notes: tuple[Note, ...] = ()

    @cached_property
    def changes(self) -> Sums:
        """By row, what became more, or less, since the row of the same partition before."""
        order = np.argsort(self.partition, kind="stable")  # the rows are by commit
        follows = np.append(False, np.diff(self.partition[order]) == 0)[: len(order)]

        def change(values: Longs) -> Longs:
            found = np.empty_like(values)
            before = np.append(0, values[order])[:-1]
            found[order] = values[order] - before * follows
            return found

        return Sums(**{name: change(values) for name, values in self.sums.columns().items()})

    def within(self, places: Sequence[int], last: int) -> Partitions:
        """Some of the partitions, and the commits up to one, as if there were no others.

        Args:
            places: indices into `partitions`, rising.
            last: index of the commit.
        """
        kept = np.isin(self.partition, places) & (self.commit <= last)
        return replace(
            self,
            commits=self.commits[: last + 1],
            partitions=tuple(self.partitions[place] for place in places),
            partition=np.searchsorted(places, self.partition[kept]),
            commit=self.commit[kept],
            sums=Sums(**{name: values[kept] for name, values in self.sums.columns().items()}),
        )

    @property
    def row_count(self) -> int:
        """One for each partition and commit that changed it."""
        return len(self.commit)

    @property
    def numbered(self) -> bool:
        """Whether sequence numbers tell the commits apart; False while every commit was made as format version 1."""
        return any(snapshot.sequence_number for snapshot in self.commits)
