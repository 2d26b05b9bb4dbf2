"""Which partitions a heat map shows, in which rows, at which commits, and where: told before anything is drawn."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...model.arrays import Flags, Longs
from ...model.partition_order import matching
from ...model.partitions.facts import Partitions, Sums
from ...model.partitions.grid import Grid, Measure, grid, measured
from ...model.partitions.groups import Group, groups
from ...model.partitions.words import finding
from ..page.fold import Part
from ..page.scene import Box, Type
from ..page.sheet import Sheet
from .columns import Columns, columns

MOST_ROWS = 300  # partitions; more are told together
WIDE = 900  # pixels of a page, from where on there is room for more words
SMALL = 10.5
_MARGIN, _NARROW_MARGIN = 124.0, 96.0  # pixels right of the cells
_NARROWEST, _WIDEST = 4.5, 44.0  # pixels of a column
_LOWEST, _HIGHEST, _HEAP = 4.0, 20.0, 900.0  # pixels of a row, and of all rows if each is high enough
_HEADING = 24.0  # pixels above the rows of a spec
_NAMES, _LONG_NAMES = 150.0, 230.0  # pixels at most, and where the page is wide
_MOST_TARGETS = 3_000  # cells that answer the pointer each by itself


@dataclass(frozen=True)
class Shown:
    """Which partitions are shown, in their order, and as which rows.

    Attributes:
        part: what was opened of them; the whole if there is no such part.
        places: indices into `Partitions.partitions`, of all that was searched for.
        rows: groups of the part, as places in `places`.
    """

    part: Part
    places: tuple[int, ...]
    rows: tuple[Group, ...]

    @classmethod
    def of(cls, facts: Partitions, search: str, view: str) -> Shown:
        """What a search and a click leave of all partitions."""
        found = matching(facts.partitions, search)
        part = Part.parse(view)
        first, end = part.range or (0, 0)
        if not 0 <= first < end <= len(found):
            part, first, end = Part(), 0, len(found)
        chosen = [facts.partitions[place] for place in found[first:end]]
        rows = (Group(row.name, row.first + first, row.end + first) for row in groups(chosen, MOST_ROWS))
        return cls(part, tuple(found), tuple(rows))

    def members(self, row: Group) -> tuple[int, ...]:
        """Indices into `Partitions.partitions`."""
        return self.places[row.first : row.end]

    def row_of(self, partition: int) -> int | None:
        """The row that tells of a partition; None if none does."""
        place = int(np.searchsorted(self.places, partition))
        if self.places[place : place + 1] != (partition,):
            return None
        return next((n for n, row in enumerate(self.rows) if row.first <= place < row.end), None)


@dataclass(frozen=True, eq=False)
class Layout:
    """The rows and columns of a heat map.

    Attributes:
        told: the facts of what is shown alone: of these partitions, up to the last of these commits.
        until: of all partitions, up to the last of these commits.
        odd: the row with the finding; None if there is none.
        span: the first and the last commit that have a column, indices.
        names: what stands beside the rows.
        known: by column, the last commit up to its end after which it is known what lives; -1 if that lies before the
            column and a commit of it cannot be read.
        found: what the rows hold, by column; `before` the first column.
        left, right: page pixels between which columns are; margin: where the bars right of them end.
        step, height: pixels of a column, and of a row.
        tops: of each row, pixels from where the first one would begin; `bottom` of the last one.
        specs: by place among the rows, the spec that begins there; not the only one of a table, if it has no fields.
    """

    facts: Partitions
    measure: Measure
    shown: Shown
    told: Partitions
    until: Partitions
    odd: int | None
    span: tuple[int, int]
    columns: Columns
    names: tuple[str, ...]
    known: Longs
    found: Grid
    before: Sums
    left: float
    right: float
    margin: float
    step: float
    height: float
    tops: tuple[float, ...]
    specs: dict[int, int]

    @classmethod
    def of(cls, facts: Partitions, measure: Measure, shown: Shown, width: int, span: tuple[int, int]) -> Layout:
        """The layout of what is shown, on a page of this width."""
        names = tuple(row.name + (f" ({row.count:,})" if row.count > 1 else "") for row in shown.rows)
        most_wide = _LONG_NAMES if width >= WIDE else _NAMES
        left = 20 + min(max([Type(SMALL, "").width(name) for name in names] + [90.0]), most_wide) + 8
        margin = width - 20.0
        right = margin - (_MARGIN if width >= WIDE else _NARROW_MARGIN)
        of = columns(facts.commits[span[0] : span[1] + 1], int((right - left) // _NARROWEST), place=span[0])
        every = grid(facts, [shown.members(row) for row in shown.rows], np.append(span[0] - 1, of.ends))
        found, before = _columns_of(every, slice(1, None)), _columns_of(every, slice(0, 1)).sums
        step = min((right - left) / max(len(of.items), 1), _WIDEST)
        places = [place for row in shown.rows for place in shown.members(row)]
        every_place = range(len(facts.partitions))
        until = facts if span[1] == len(facts.commits) - 1 else facts.within(every_place, span[1])
        told = until if len(places) in (0, len(every_place)) else facts.within(places, span[1])
        most = finding(told, measure, until) if places else None
        odd = None if most is None else shown.row_of(places[most.partition])
        right = left + step * len(of.items)
        specs = _specs(facts, shown)
        height = min(max(_HEAP / max(len(names), 1), _LOWEST), _HIGHEST)
        tops, y = [], 0.0
        for row in range(len(names)):
            y += _HEADING if row in specs or not row else 0.0
            tops.append(y)
            y += height
        return cls(
            facts, measure, shown, told, until, odd, span, of, names, _known(facts, of), found, before, left, right,
            min(margin, right + (_MARGIN if width >= WIDE else _NARROW_MARGIN)), step, height, tuple(tops), specs,
        )  # fmt: skip

    @property
    def bottom(self) -> float:
        """Pixels from the first row's top to the last one's bottom."""
        return self.tops[-1] + self.height if self.tops else 0.0

    @property
    def values(self) -> Longs:
        """Of the measure, by row and column."""
        return self.found.values(self.measure)

    @property
    def change(self) -> Longs:
        """How much more, or less, of the measure all rows hold after each column than before it."""
        start = measured(self.before, self.measure).sum(axis=0)
        change: Longs = np.diff(self.values.sum(axis=0), prepend=start)
        return change

    @property
    def since_unknown(self) -> Flags:
        """By column, whether what lived before it is not known: its change is that of commits before it too."""
        first = self.span[0]
        begins = bool(self.facts.before) if first == 0 else first - 1 in self.facts.unreadable
        return np.append(begins, self.known < 0)[:-1]

    @property
    def columns_of_a_target(self) -> int:
        """Columns that answer the pointer together: more than one where a browser were slow with so many cells."""
        is_slow = np.count_nonzero(self.found.changed_by >= 0) > _MOST_TARGETS
        return math.ceil(self.found.changed_by.size / _MOST_TARGETS) if is_slow else 1

    def x(self, column: float) -> float:
        """Where a column begins."""
        return self.left + column * self.step


def _columns_of(every: Grid, some: slice) -> Grid:
    sums = Sums(**{name: values[:, some] for name, values in every.sums.columns().items()})
    return Grid(sums, every.changed_by[:, some])


def _known(facts: Partitions, of: Columns) -> Longs:
    """As `Layout.known`."""
    readable = np.array([n for n in range(len(facts.commits)) if n not in facts.unreadable], dtype=np.int64)
    place = np.searchsorted(readable, of.ends, side="right")
    known = np.append(-1, readable)[place]
    lost = np.array([any(n in facts.unreadable for n in range(c.first, c.last + 1)) for c in of.items], dtype=bool)
    without = np.array([c.last < c.first for c in of.items], dtype=bool)
    is_hole = lost & (known < np.array([c.first for c in of.items], dtype=np.int64))
    for column in np.flatnonzero(without):  # nothing happened there, so it is known as the one before
        is_hole[column] = column > 0 and is_hole[column - 1]
    return np.where(is_hole, -1, known)


def _specs(facts: Partitions, shown: Shown) -> dict[int, int]:
    """Where the rows of a spec begin."""
    first = [facts.partitions[shown.places[row.first]] for row in shown.rows]
    if not any(partition for _, partition in first):
        return {}
    return {n: spec for n, (spec, _) in enumerate(first) if not n or first[n - 1].spec_id != spec}


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A heat map while it is drawn; `top` is the page pixel from which its rows count."""

    layout: Layout
    top: float = 0.0

    def row(self, number: int) -> Box:
        """The cells of a row."""
        return row_box(self.layout, self.top, number)


def row_box(layout: Layout, top: float, row: int) -> Box:
    """The cells of a row, where the rows count from a page pixel."""
    y = top + layout.tops[row]
    return Box(layout.left, y, layout.right, y + layout.height)


def runs(flags: Flags) -> list[tuple[int, int]]:
    """From where to before where a flag is set without a break."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
