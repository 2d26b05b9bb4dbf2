"""The lines between snapshots, as `git log --graph` draws them: newest first, one column per line that is alive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAIN = 0  # the column that only main and its ancestors stand in


@dataclass(frozen=True, slots=True)
class Rails:
    """What stands left of one snapshot.

    Attributes:
        join: the row above it, where lines of several children become one; empty if they need none.
        before, after: what is left and right of the snapshot's own symbol.
        below: what is left of every further row of this snapshot.
        end: the same for a row that says where the line ends.
        is_cut: the line to its parent is not drawn, for want of room.
    """

    join: str
    before: str
    after: str
    below: str
    end: str
    is_cut: bool


class Drawing:
    """The columns while the snapshots are walked from the newest to the oldest, each child before its parent."""

    def __init__(self, most: int) -> None:
        self._awaited: list[int | None] = [None]  # the snapshot that each column's line leads to
        self._most = most

    @property
    def passing(self) -> str:
        """The rails of a row that belongs to no snapshot."""
        return "".join("│ " if awaited is not None else "  " for awaited in self._awaited)

    def place(self, snapshot_id: int, parent_id: int | None, *, on_main: bool) -> Rails:
        """Take the next snapshot; `parent_id` is None where no line goes on below it."""
        waiting = [column for column, awaited in enumerate(self._awaited) if awaited == snapshot_id]
        column = MAIN if on_main else waiting[0] if waiting else self._free()
        join = self._join(column, [other for other in waiting if other != column])
        for other in waiting:
            self._awaited[other] = None
        is_cut = column >= self._most
        if is_cut:
            before, after = self.passing.ljust(2 * self._most), ""
        else:
            self._awaited += [None] * (column + 1 - len(self._awaited))
            before, after = self.passing[: 2 * column], self.passing[2 * column + 2 :]
            self._awaited[column] = parent_id
        below = self.passing
        while len(self._awaited) > 1 and self._awaited[-1] is None:
            self._awaited.pop()
        end = f"{below[: 2 * column]}┆ {below[2 * column + 2 :]}"
        return Rails(join, before, after, below, end, is_cut and parent_id is not None)

    def _free(self) -> int:
        free = (column for column, awaited in enumerate(self._awaited) if column != MAIN and awaited is None)
        return next(free, len(self._awaited))

    def _join(self, column: int, others: Sequence[int]) -> str:
        if not others:
            return ""
        last = max(others)
        signs = []
        for at, awaited in enumerate(self._awaited):
            if at < column or at > last:
                signs.append("│ " if awaited is not None else "  ")
            elif at == column:
                signs.append("├─" if awaited is not None else "╭─")
            elif at == last:
                signs.append("╯ ")
            else:
                signs.append("┴─" if at in others else "┼─" if awaited is not None else "──")
        return "".join(signs)
