"""What groups of partitions hold after some of the commits: a matrix that a heat map draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import Longs
from .facts import Partitions, Sums

Measure = Literal["live rows", "bytes", "data files", "delete files"]


@dataclass(frozen=True, eq=False)
class Grid:
    """A row for each group of partitions, a column for each commit that was asked for, and the commits before it.

    Attributes:
        sums: what the group holds after the commit of the column.
        changed_by: the last commit up to that one, and after the one of the column before, that changed the group: an
            index into `Partitions.commits`; -1 if none did.
    """

    sums: Sums
    changed_by: Longs

    def values(self, measure: Measure) -> Longs:
        """Of one measure; bytes are those of data files."""
        return measured(self.sums, measure)


def measured(sums: Sums, measure: Measure) -> Longs:
    """Of several measures the one that was asked for."""
    match measure:
        case "live rows":
            return sums.live_rows
        case "bytes":
            return sums.size_in_bytes
        case "data files":
            return sums.data_files
        case "delete files":
            return sums.delete_files


def grid(facts: Partitions, groups: Sequence[Sequence[int]], commits: Longs) -> Grid:
    """The matrix of some groups after some commits; exact, whatever was left out.

    Args:
        facts: of the table.
        groups: indices into `Partitions.partitions`, each in one group at most.
        commits: indices into `Partitions.commits`, rising; what comes after the last one counts for nothing.
    """
    row_of: Longs = np.full(len(facts.partitions), -1, dtype=np.int64)
    for number, members in enumerate(groups):
        row_of[list(members)] = number
    row, column = row_of[facts.partition], np.searchsorted(commits, facts.commit)
    asked = (row >= 0) & (column < len(commits))
    place = row[asked], column[asked]
    shape = len(groups), len(commits)

    def summed(change: Longs) -> Longs:
        found = np.zeros(shape, dtype=np.int64)
        np.add.at(found, place, change[asked])
        return np.cumsum(found, axis=1)

    changed_by = np.full(shape, -1, dtype=np.int64)
    np.maximum.at(changed_by, place, facts.commit[asked])
    return Grid(Sums(**{name: summed(change) for name, change in facts.changes.columns().items()}), changed_by)


def latest(facts: Partitions) -> Sums:
    """What each partition holds after the last commit that is known."""
    last = np.zeros(len(facts.partitions), dtype=np.int64)
    np.maximum.at(last, facts.partition, np.arange(facts.row_count))
    return Sums(**{name: values[last] for name, values in facts.sums.columns().items()})
