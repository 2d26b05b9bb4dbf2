"""What snapshots' summaries count, commit by commit: totals after each commit of main, rows added, removed and masked.

Sources: Iceberg specification, Appendix F "Optional Snapshot Summary Fields". They are what the writer says it did; a
writer may leave all of them out, and a total that is left out is unknown, never 0.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ..iceberg.metadata import Snapshot, long_from_text
from ..iceberg.summary import masked
from .facts import Node, SnapshotGraph

TotalName = Literal["rows", "data files", "delete files", "bytes"]


@dataclass(frozen=True, slots=True)
class Counter:
    """The fields of a summary that count one thing: how many there are after the commit, and what it changed."""

    total: str
    added: str
    removed: str


COUNTERS: Mapping[TotalName, Counter] = MappingProxyType(
    {
        "rows": Counter("total-records", "added-records", "deleted-records"),
        "data files": Counter("total-data-files", "added-data-files", "deleted-data-files"),
        "delete files": Counter("total-delete-files", "added-delete-files", "removed-delete-files"),
        "bytes": Counter("total-files-size", "added-files-size", "removed-files-size"),
    }
)


@dataclass(frozen=True, slots=True)
class RunningTotal:
    """A total after each commit of main.

    Attributes:
        name: of what is counted: rows (in data files, masked ones too), files, or bytes of both kinds of files.
        stretches: runs of commits that record it, each a column and the total from there on, in commit order. Commits
            of one stretch follow each other; a commit between two of them does not record the total.
    """

    name: TotalName
    stretches: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def last(self) -> int | None:
        """The total after the last commit that records it; None if none does."""
        return self.stretches[-1][-1][1] if self.stretches else None

    @property
    def most(self) -> int:
        """The largest of the totals; 0 if none is recorded."""
        return max((total for stretch in self.stretches for _, total in stretch), default=0)


@dataclass(frozen=True, slots=True)
class RowChange:
    """Rows of a commit as its summary counts them; None where it does not.

    Attributes:
        added: in data files that it added, rows carried over from rewritten files included.
        removed: in data files that it removed.
        masked: newly marked by position deletes or deletion vectors; None if none were. Equality deletes are not
            counted: nobody knows how many rows one reaches.
    """

    added: int | None
    removed: int | None
    masked: int | None


def total(snapshot: Snapshot, name: TotalName) -> int | None:
    """A total after the commit; None if it is not recorded, or is no number that a total can be."""
    recorded = long_from_text(snapshot.summary.get(COUNTERS[name].total, ""))
    return recorded if recorded is not None and recorded >= 0 else None


def running_totals(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> tuple[RunningTotal, ...]:
    """Every total over a part of the history, and over the commit of main before it, whose totals still hold there.

    Args:
        graph: the whole history.
        nodes: neighbours of it, in commit order.

    Returns:
        Totals in the order of `COUNTERS`; empty if main was nowhere by then.
    """
    line = [*_main_before(graph, nodes), *(node for node in nodes if _is_on_main(node))]
    return tuple(RunningTotal(name, _stretches(line, name)) for name in COUNTERS) if line else ()


def row_change(snapshot: Snapshot) -> RowChange:
    """What the commit did to rows, as its summary counts them."""
    counter = COUNTERS["rows"]
    return RowChange(snapshot.count(counter.added), snapshot.count(counter.removed), masked(snapshot))


def carries_over(snapshot: Snapshot) -> bool:
    """Whether the row counters may include rows written again unchanged: files were replaced by rewritten ones."""
    rewrites = snapshot.operation in ("overwrite", "replace")
    return rewrites and bool(snapshot.count("added-records")) and bool(snapshot.count("deleted-records"))


def _is_on_main(node: Node) -> bool:
    return node.state in ("current", "main")


def _main_before(graph: SnapshotGraph, nodes: tuple[Node, ...]) -> Iterator[Node]:
    """The last commit of main before the first of these nodes; none if there is none."""
    start = bisect_left(graph.nodes, nodes[0].column, key=lambda node: node.column) if nodes else len(graph.nodes)
    return itertools.islice((graph.nodes[i] for i in range(start - 1, -1, -1) if _is_on_main(graph.nodes[i])), 1)


def _stretches(line: list[Node], name: TotalName) -> tuple[tuple[tuple[int, int], ...], ...]:
    recorded = ((node.column, total(node.snapshot, name)) for node in line)
    runs = itertools.groupby(recorded, key=lambda at: at[1] is not None)
    return tuple(tuple((column, n) for column, n in run if n is not None) for is_known, run in runs if is_known)
