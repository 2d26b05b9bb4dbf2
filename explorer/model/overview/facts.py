"""The whole history at a glance, from snapshot summaries alone: totals after each commit, rows changed on each day.

Sources: Iceberg specification, "Snapshots" (summary); the names of the counters are those of Appendix F, "Optional
Snapshot Summary Fields".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arrays import NULL, Flags, Longs
from ..iceberg.metadata import Snapshot, long_from_text
from ..snapshot_graph.facts import SnapshotGraph

Times = NDArray[np.datetime64]

_COUNTERS = ("added-", "deleted-", "removed-", "total-", "manifests-")


@dataclass(frozen=True, eq=False)
class Days:
    """What the commits of the current line changed, by day (UTC); a row per day that has such a commit, in order.

    Attributes:
        day: of the commit; where a writer's clock ran behind, that of the commit before.
        first, last: indices of its first and last commit among all commits.
        inserted: rows that appends added; updated: rows that overwrites added and removed, copies of unchanged rows
            too; deleted: rows that deletes removed or masked by position. Rewriting (`replace`) changes none.
        known: False if a commit of that day does not count its rows: then the numbers are lower bounds.
    """

    day: Times
    first: Longs
    last: Longs
    inserted: Longs
    updated: Longs
    deleted: Longs
    known: Flags

    @property
    def written(self) -> Longs:
        """Rows inserted and updated."""
        return self.inserted + self.updated


@dataclass(frozen=True, eq=False)
class Overview:
    """Every listed commit in commit order, as columns; `NULL` where a number is not recorded.

    Attributes:
        graph: of the table; its nodes are in the same order.
        sequence_number: 0 in version 1.
        committed_at: UTC, milliseconds; NaT if not recorded.
        on_line: whether it is the current snapshot, or one of its listed ancestors.
        records: rows in the table's data files after the commit, those that deletes mask too; data_files: data files;
            delete_files: delete files and deletion vectors.
        days: of the commits on the line.
    """

    graph: SnapshotGraph
    sequence_number: Longs
    committed_at: Times
    on_line: Flags
    records: Longs
    data_files: Longs
    delete_files: Longs
    days: Days

    @property
    def count(self) -> int:
        """Commits."""
        return len(self.sequence_number)

    @cached_property
    def usual_day(self) -> int | None:
        """The median of rows written, of the days that wrote any; None if none did."""
        written = self.days.written[self.days.written > 0]
        return int(np.median(written)) if len(written) else None

    @cached_property
    def _places(self) -> dict[str, int]:
        return {str(node.snapshot.snapshot_id): i for i, node in enumerate(self.graph.nodes)}

    def index(self, snapshot_id: str) -> int | None:
        """The index of a commit by its id as text; None if it is not listed."""
        return self._places.get(snapshot_id)

    def between(self, first: int, last: int) -> tuple[int, int] | None:
        """Indices of the first and last commit with sequence numbers from one to another; None if there is none."""
        chosen = np.flatnonzero((self.sequence_number >= max(first, 1)) & (self.sequence_number <= last))
        return (int(chosen[0]), int(chosen[-1])) if len(chosen) else None

    @cached_property
    def holes(self) -> tuple[tuple[int, int, int], ...]:
        """Sequence numbers, first and last, that no listed commit has; and the index of the commit that follows."""
        columns = np.array([node.column for node in self.graph.nodes], dtype=np.int64)
        return tuple((gap.first, gap.last, int(np.searchsorted(columns, gap.column))) for gap in self.graph.gaps)


def overview(graph: SnapshotGraph) -> Overview:
    """The history of a graph at a glance. Linear in the number of snapshots; nothing is read."""
    snapshots = [node.snapshot for node in graph.nodes]
    on_line = np.array([node.state in ("current", "main") for node in graph.nodes], dtype=bool)
    committed_at = np.array(
        [None if s.committed_at is None else s.committed_at.replace(tzinfo=None) for s in snapshots],
        dtype="datetime64[ms]",
    )
    return Overview(
        graph=graph,
        sequence_number=np.array([s.sequence_number for s in snapshots], dtype=np.int64),
        committed_at=committed_at,
        on_line=on_line,
        records=_total(snapshots, "total-records"),
        data_files=_total(snapshots, "total-data-files"),
        delete_files=_total(snapshots, "total-delete-files"),
        days=_days(snapshots, committed_at, on_line),
    )


def _total(snapshots: Sequence[Snapshot], key: str) -> Longs:
    """A running total; a writer that cannot tell it leaves it out, so that nothing is not 0."""
    return _numbers([s.summary.get(key) for s in snapshots], np.full(len(snapshots), NULL))


def _counted(snapshots: Sequence[Snapshot], key: str, counts: Flags) -> Longs:
    """`Snapshot.count` of every snapshot: 0 where a writer that counts leaves it out."""
    return _numbers([s.summary.get(key) for s in snapshots], np.where(counts, 0, NULL))


def _numbers(texts: Sequence[str | None], missing: Longs) -> Longs:
    found = np.array([NULL if text is None else _number(text) for text in texts], dtype=np.int64)
    without = np.array([text is None for text in texts], dtype=bool)
    return np.where(without, missing, found)


def _number(text: str) -> int:
    number = int(text) if len(text) < 19 and text.isdigit() and text.isascii() else long_from_text(text)
    return int(NULL) if number is None or number < 0 else number


def _days(snapshots: Sequence[Snapshot], committed_at: Times, on_line: Flags) -> Days:
    counts = np.array(
        ["total-records" in s.summary or any(k.startswith(_COUNTERS) for k in s.summary) for s in snapshots], dtype=bool
    )
    operation = np.array([s.operation or "" for s in snapshots], dtype=object)
    added = _counted(snapshots, "added-records", counts)
    removed = _counted(snapshots, "deleted-records", counts)
    masked, unmasked = (_counted(snapshots, f"{kind}-position-deletes", counts) for kind in ("added", "removed"))
    known = (added != NULL) & (removed != NULL) & (masked != NULL) & (unmasked != NULL)
    added, removed = np.where(added == NULL, 0, added), np.where(removed == NULL, 0, removed)
    # A vector that replaces another counts all of its positions as added and the old ones as removed.
    newly_masked = np.where((masked == NULL) | (unmasked == NULL), 0, np.maximum(masked - unmasked, 0))

    chosen = np.flatnonzero(on_line)
    timed = ~np.isnat(committed_at[chosen])
    times = np.where(timed, committed_at[chosen], np.datetime64(0, "ms") - np.timedelta64(2**60, "ms"))
    dated = np.cumsum(timed) > 0  # what comes before the first time belongs to no day
    chosen, days = chosen[dated], np.maximum.accumulate(times)[dated].astype("datetime64[D]")
    starts = np.flatnonzero(np.append(True, np.diff(days) != np.timedelta64(0, "D"))) if len(days) else chosen[:0]

    def by_day(values: Longs) -> Longs:
        sums: Longs = np.add.reduceat(values[chosen], starts) if len(starts) else np.zeros(0, dtype=np.int64)
        return sums

    rewrites = operation == "replace"
    deletes = operation == "delete"
    appends = (operation == "append") | (operation == "")
    updates = ~rewrites & ~deletes & ~appends
    return Days(
        day=days[starts],
        first=chosen[starts],
        last=chosen[np.append(starts[1:], len(chosen)) - 1] if len(starts) else chosen[:0],
        inserted=by_day(np.where(appends, added, 0)),
        updated=by_day(np.where(updates, added + removed + newly_masked, 0)),
        deleted=by_day(np.where(deletes, removed + newly_masked, 0)),
        known=by_day((~known & ~rewrites).astype(np.int64)) == 0,
    )
