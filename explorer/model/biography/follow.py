"""Where a row was before it met the condition, or went after it did: which commits to look into, and for what.

A row that ends where rows were written too may be one of these, and one that begins where rows were taken may be one of
those: with another value in the column that the condition is about, or another key.

Sources: Iceberg specification, "Row Lineage" (a commit gives ids from its first row id on; a smaller one is older).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from .facts import Event, Life, RowVersion
from .line_rows import LineRows

Cells = tuple[tuple[int, Hashable], ...]
"""Columns by their index, each with what is equal where its values are."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Rows to look for in what came or went with one commit: those with one of these row ids, or such cells.

    Attributes:
        place: of the commit on the line.
        came: whether they are sought among the rows that came with it; else among those that went.
    """

    line: int
    place: int
    came: bool
    row_ids: frozenset[int]
    cells: frozenset[Cells]


def leads(lives: Iterable[Life], lines: Sequence[LineRows], key: Sequence[int], *, fixed: bool) -> tuple[Lead, ...]:
    """What to look for, line by line and commit by commit.

    Args:
        lives: as far as they are known.
        lines: with the rows that they were told from.
        key: indices of the columns that tell which row is which.
        fixed: whether the condition is about these columns alone, so that every row with an equal key is known.
    """
    ids: dict[tuple[int, int, bool], set[int]] = defaultdict(set)
    cells: dict[tuple[int, int, bool], set[Cells]] = defaultdict(set)
    for event in (event for life in lives for event in life.events if event.move is None and event.place):
        rows = lines[event.line]
        came = event.kind == "DELETED"
        if event.place not in (rows.writes if came else rows.takes) or not (came or _begins(event)):
            continue
        at, trust = (event.line, event.place, came), rows.trust.get(event.place, "none")
        row_id, first = event.row.row_id, event.snapshot.first_row_id
        if row_id is not None and trust != "none":
            if came or first is None or row_id < first:
                ids[at].add(row_id)
            if trust == "all":
                continue
        if key:
            others = [i for i in range(len(event.row.same)) if i not in set(key)]
            for some in (() if fixed else key, others):
                if some:  # where every column is of the key, no other one is left to look by
                    cells[at].add(_cells(event.row, some))
    return tuple(Lead(*at, frozenset(ids.get(at, ())), frozenset(cells.get(at, ()))) for at in sorted({*ids, *cells}))


def _begins(event: Event) -> bool:
    is_new = event.kind == "CREATED" or event.how == "inserted again"
    return is_new and event.row.copy == 1


def _cells(row: RowVersion, columns: Sequence[int]) -> Cells:
    return tuple((i, row.same[i]) for i in columns)
