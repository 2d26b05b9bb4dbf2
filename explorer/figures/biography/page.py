"""The page that lives are drawn on: its columns of commits, and what is drawn so far."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from ...model.biography.facts import Biography, Event, Life, Line
from ...model.iceberg.delete_scope import DeleteKey
from ...model.iceberg.lineage import MainMove
from ...model.iceberg.metadata import Snapshot
from ..page.fold import Part
from ..page.sheet import Sheet
from ..page.theme import Hue, Theme, blend

LEAST_STEP = 86.0  # pixels from column to column
_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)

Order = tuple[int, datetime, int]


@dataclass(frozen=True, slots=True)
class Column:
    """A commit at which something happened to a row that is drawn, or from which on it is not known; or a move of main.

    Attributes:
        order: where it belongs among all commits.
        on_first: whether it is a commit of the line that was asked about.
    """

    order: Order
    snapshot: Snapshot
    move: MainMove | None
    on_first: bool


@dataclass(frozen=True)
class Axis:
    """The columns of a page, and where they stand.

    Attributes:
        columns: that are drawn, in order; before, after: how many are not, at either side.
        x: of each; `now` is where lives end that go on. left, right: where the page's columns begin and end.
    """

    columns: tuple[Column, ...]
    before: int
    after: int
    first: int
    x: tuple[float, ...]
    left: float
    now: float
    orders: Mapping[int, Order]
    lines: Sequence[Line]

    def at(self, line: int, place: int) -> float:
        """The page pixel of a place of a line: of its commit, else of the last column before it."""
        of = self.lines[line]
        if place >= of.end:
            return self._end(line)
        snapshot = of.snapshots[place]
        return self.left if snapshot is None else self._before(self.orders[snapshot.snapshot_id])

    def of(self, event: Event) -> float | None:
        """The page pixel of the column of an event; None if it is not drawn."""
        for column, x in zip(self.columns, self.x, strict=True):
            if column.move == event.move and (event.move or column.snapshot.snapshot_id == event.snapshot.snapshot_id):
                return x
        return None

    def _end(self, line: int) -> float:
        if line == 0:
            return self.now
        own = self.lines[line]
        moves = (x for column, x in zip(self.columns, self.x, strict=True) if own.left and column.move == own.left)
        found = next(moves, None)
        step = min((b - a for a, b in pairwise((*self.x, self.now))), default=LEAST_STEP)
        return self._before(self.orders[own.head.snapshot_id]) + min(0.7 * step, 90) if found is None else found

    def _before(self, order: Order) -> float:
        at = bisect_right([column.order for column in self.columns], order)
        if at:
            return self.x[at - 1]
        return self.left


def axis(biography: Biography, lives: Sequence[Life], part: Part, left: float, right: float) -> Axis:
    """The columns of these lives; where they are too many the last ones, or those from a place on.

    Args:
        biography: whose lines they are on.
        lives: that are drawn.
        part: whose range begins at the first column that is asked for.
        left: page pixel where they begin.
        right: page pixel where they end.
    """
    orders = _orders(biography.lines)
    found = sorted(_columns(biography, lives, orders), key=lambda column: column.order)
    room = max(int((right - left - 64) / LEAST_STEP), 1)
    first = max(len(found) - room, 0)
    if part.range is not None:
        first = min(part.range[0], first)
    shown = tuple(found[first : first + room])
    start, end = left + 50, right - 14
    step = (end - start) / max(len(shown), 1)
    x, now = tuple(start + step * i for i in range(len(shown))), end
    before, after = first, max(len(found) - first - room, 0)
    return Axis(shown, before, after, first, x, left, now if not after else right, orders, biography.lines)


def _orders(lines: Sequence[Line]) -> dict[int, Order]:
    return {
        snapshot.snapshot_id: (snapshot.sequence_number, snapshot.committed_at or _LONG_AGO, 0)
        for line in lines
        for snapshot in line.snapshots
        if snapshot is not None
    }


def _columns(biography: Biography, lives: Sequence[Life], orders: Mapping[int, Order]) -> list[Column]:
    first = biography.lines[0].places
    found: dict[tuple[int, MainMove | None], Column] = {}
    for event in (event for life in lives for event in life.events):
        key = event.snapshot.snapshot_id, event.move
        if key not in found:
            order = orders[event.snapshot.snapshot_id]
            if event.move is not None:
                earlier = [number for number, at, _ in orders.values() if at <= event.move.at]
                order = max(earlier, default=0), event.move.at, 1
            found[key] = Column(order, event.snapshot, event.move, event.snapshot.snapshot_id in first)
    for index, span in (doubt for life in lives for doubt in life.doubts):
        line = biography.lines[index]
        for snapshot in (line.snapshots[place] for place in span if 0 < place < line.end):
            if snapshot is not None:
                column = Column(orders[snapshot.snapshot_id], snapshot, None, snapshot.snapshot_id in first)
                found.setdefault((snapshot.snapshot_id, None), column)
    return list(found.values())


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A biography, and everything drawn of it so far.

    Attributes:
        names: short names of the files.
    """

    biography: Biography
    axis: Axis
    names: Mapping[DeleteKey, str]


def faded(hue: Hue, theme: Theme) -> Hue:
    """The hue of what is not on the line that was asked about."""
    return Hue(blend(hue.fill, theme.page, 0.4), theme.ink_3, theme.ink)
