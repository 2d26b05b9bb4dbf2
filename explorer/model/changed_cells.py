"""The cells in which two versions of a row differ, and how they are told: `status: paid → shipped`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from . import formats

_SHORT = (24, 12, 6)  # letters of a value where there is less and less room


@dataclass(frozen=True, slots=True)
class ChangedCell:
    """A cell that changed: its column, and its text before and after."""

    column: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.column}: {self.before} → {self.after}"


def changed_cells(
    columns: Sequence[str], before: Sequence[str], after: Sequence[str], same: tuple[Sequence[Hashable], ...]
) -> tuple[ChangedCell, ...]:
    """The cells in which two versions of a row differ.

    Args:
        columns: names.
        before: text of each value, in their order; `after` likewise.
        after: of the newer version.
        same: of both versions, by column, what is equal exactly where the values are: texts may be cut.
    """
    cells = zip(columns, before, after, *same, strict=True)
    return tuple(ChangedCell(name, was, now) for name, was, now, old, new in cells if old != new)


def summary(cells: Sequence[ChangedCell]) -> str:
    """`status: paid → shipped` of one cell, `2 cells: status, amount` of several; empty of none."""
    if len(cells) == 1:
        return str(cells[0])
    names = ", ".join(cell.column for cell in cells)
    return f"{formats.count(len(cells), 'cell')}: {names}" if cells else ""


def wordings(cells: Sequence[ChangedCell]) -> list[str]:
    """The summary, then shorter and shorter: values keep their beginnings, several cells their number."""
    if len(cells) != 1:
        return [summary(cells), formats.count(len(cells), "cell")] if cells else []
    (cell,) = cells
    shorter = [f"{cell.column}: {_cut(cell.before, n)} → {_cut(cell.after, n)}" for n in _SHORT]
    return list(dict.fromkeys([str(cell), *shorter, f"{cell.column}: → {_cut(cell.after, 12)}"]))


def _cut(value: str, longest: int) -> str:
    return value if len(value) <= longest else f"{value[: longest - 1]}…"
