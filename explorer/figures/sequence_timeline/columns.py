"""The columns of a sequence timeline: one a commit, all branches, in sequence order; or each at its commit's time."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from ...model import formats
from ...model.iceberg.metadata import Snapshot
from ...model.sequence_timeline.facts import FileLifetime, Timeline
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.sheet import Sheet
from ..page.theme import SYMBOLS
from . import hits

Axis = Literal["sequence number", "commit time"]

_WIDEST = 110.0
_LINE = 18.0
_NEAREST = 6.0  # pixels between two columns that the pointer tells apart
_WITHOUT_TIME = 0.12  # of the axis, for numbers whose commit's time is not known
_TIME_EDGE = 5.0  # pixels from a commit to either side, where columns have no width of their own


@dataclass(frozen=True, slots=True)
class Column:
    """A sequence number on the page.

    Attributes:
        number: 0 for every commit made as format version 1.
        commit: None where no listed snapshot has the number: it is expired.
        x: page pixel of its middle; `left` and `right` of its edges.
    """

    number: int
    commit: Snapshot | None
    x: float
    left: float
    right: float

    @property
    def committed_at(self) -> datetime | None:
        """Of its commit, UTC; None if that is expired or does not say."""
        return self.commit.committed_at if self.commit else None

    @property
    def snapshot_id(self) -> int | None:
        """Of its commit."""
        return self.commit.snapshot_id if self.commit else None


@dataclass(frozen=True, slots=True)
class Heads:
    """The heads of the columns of commits, in page pixels.

    Attributes:
        wide: to either side of a column's middle.
        top, bottom: of all heads.
        reach: where the columns themselves end, above or below their heads.
    """

    columns: tuple[Column, ...]
    wide: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    reach: float = 0.0


def places(heads: Heads, elsewhere_at: tuple[float, float, float]) -> dict[str, Any]:
    """What `selection` needs of a figure: where commits are.

    Args:
        heads: of the commits.
        elsewhere_at: left, y and room of the words about a commit that is not in the picture.
    """
    return {
        "commits": [str(column.snapshot_id) for column in heads.columns],
        "x": [round(column.x, 1) for column in heads.columns],
        "head": [round(edge, 1) for edge in (heads.wide, heads.top, heads.bottom)],
        "reach": round(heads.reach, 1),
        "elsewhere": list(elsewhere_at),
    }


class Columns:
    """Every sequence number that a listed commit of the window or a drawn file has, from left to right.

    Args:
        timeline: whose commits, and whose window.
        numbers: of what is drawn, besides those of the commits; None for unknown ones, which have no column.
        left: page pixel where the columns begin.
        right: page pixel where they end at the latest.
        axis: what the place of a column says.
    """

    def __init__(
        self, timeline: Timeline, numbers: Iterable[int | None], left: float, right: float, axis: Axis
    ) -> None:
        every = _numbers(timeline, numbers)
        times = [commit.committed_at for _, commit in every if commit and commit.committed_at]
        self.axis: Axis = axis if times else "sequence number"
        self.left = left
        if self.axis == "commit time":
            self.all, self.without_time = _by_time(every, times, left, right)
            self.right, self.pitch = right, 2 * _TIME_EDGE
        else:
            self.all, self.pitch = _by_number(every, left, right)
            self.right, self.without_time = self.all[-1].right if self.all else left, left
        self._by_snapshot = {c.snapshot_id: c for c in self.all if c.commit}
        self._by_number = {c.number: c for c in self.all}

    def of(self, number: int | None, snapshot_id: int | None = None) -> Column | None:
        """The column of a sequence number; of that commit, where several have the number, as in version 1."""
        found = self._by_snapshot.get(snapshot_id)
        if found is not None and (number is None or found.number == number):
            return found
        return None if number is None else self._by_number.get(number)

    @property
    def runs_backwards(self) -> int:
        """Commits that are earlier, by their clock, than one before them."""
        latest, count = None, 0
        for column in self.all:
            at = column.committed_at
            if at is not None:
                count += latest is not None and at < latest
                latest = at if latest is None else max(latest, at)
        return count

    @property
    def places_tell_age(self) -> bool:
        """Whether what lies left of a column is older than it by sequence number."""
        return self.axis == "sequence number" or (not self.runs_backwards and self.without_time == self.left)


def numbers_of(files: Iterable[FileLifetime]) -> Iterator[int | None]:
    """Every sequence number that files have."""
    for file in files:
        yield from (file.data_sequence_number.value, file.file_sequence_number.value, file.removed_sequence_number)


def _numbers(timeline: Timeline, numbers: Iterable[int | None]) -> list[tuple[int, Snapshot | None]]:
    """Numbers with their commits, in order; those of version 1, all 0, in the order of the commits."""
    asked = {number for number in numbers if number is not None}
    listed = [(c.snapshot.sequence_number, c.snapshot) for c in timeline.commits]
    expired = [(number, None) for number in asked.difference(number for number, _ in listed)]
    inside = [each for each in listed if timeline.window.holds(each[0]) or each[0] in asked]
    return sorted([*inside, *expired], key=lambda each: each[0])


def _by_number(numbers: Sequence[tuple[int, Snapshot | None]], left: float, right: float) -> tuple[list[Column], float]:
    pitch = min((right - left) / max(len(numbers), 1), _WIDEST)
    columns = [
        Column(number, commit, left + (i + 0.5) * pitch, left + i * pitch, left + (i + 1) * pitch)
        for i, (number, commit) in enumerate(numbers)
    ]
    return columns, pitch


def _by_time(
    numbers: Sequence[tuple[int, Snapshot | None]], times: Sequence[datetime], left: float, right: float
) -> tuple[list[Column], float]:
    """Columns, and the page pixel where those with a time begin."""
    timeless = [number for number, commit in numbers if commit is None or commit.committed_at is None]
    start = left + ((right - left) * _WITHOUT_TIME if timeless else 0.0)
    first, span = min(times), (max(times) - min(times)).total_seconds()
    room, before = right - start - 40, (start - left) / (len(timeless) + 1)
    columns, place = [], left
    for number, commit in numbers:
        if commit is None or commit.committed_at is None:
            place += before
            x = place
        else:
            share = (commit.committed_at - first).total_seconds() / span if span else 0.5
            x = start + 20 + share * room
        columns.append(Column(number, commit, x, x - _TIME_EDGE, x + _TIME_EDGE))
    return columns, start


# --- above the rows --------------------------------------------------------------------------------------------------


def draw(sheet: Sheet, columns: Columns, labels_left: float, top: float) -> tuple[float, Heads]:
    """Number, operation and time of every column, as far as there is room.

    Returns:
        The page pixel where they end, and the heads of the commits.
    """
    theme, room = sheet.theme, columns.left - labels_left - 10
    label, y = Type(12, theme.ink_2), top + 8.0
    days = {at.date() for column in columns.all if (at := column.committed_at)}
    named, thinned = _with_words(columns, days)
    numbered = any(column.number for column in columns.all)
    if numbered:
        sheet.fit(labels_left, y, ["sequence number", "sequence"], label, room)
        _draw_words(sheet, columns, named, y, lambda c: f"{c.number:,}", Type(13, theme.ink, bold=not thinned))
        y += _LINE
    elif columns.pitch >= 44:
        short = formats.short_ids({i for column in columns.all if (i := column.snapshot_id) is not None})
        sheet.fit(labels_left, y, ["commit"], label, room)
        style = Type(12, theme.ink, bold=True, mono=True)
        _draw_words(sheet, columns, named, y, lambda c: short.get(c.snapshot_id or 0, "expired"), style)
        y += _LINE
    if columns.pitch >= 3:
        sheet.fit(labels_left, y, ["operation"], label, room)
        _draw_symbols(sheet, columns, y)
        y += _LINE
    zone = ["committed (UTC)", "UTC"]
    if len(days) == 1:
        (day,) = days
        zone = [f"{formats.day(day)} {day:%Y}, UTC", f"{formats.day(day)} UTC"]
    sheet.fit(labels_left, y, zone, label, room)
    only_days = thinned and len(days) > len(named)
    _draw_words(sheet, columns, named, y, _day if only_days else _clock, Type(11, theme.ink_2))
    if len(days) > 1 and not only_days:
        y += _LINE - 2
        _draw_days(sheet, columns, y)
    y += 10
    return y, _heads(sheet, columns, top, y)


def _with_words(columns: Columns, days: Collection[date]) -> tuple[list[Column], bool]:
    """The columns that have words, and whether others have none: those of round numbers, where not all have room."""
    if columns.axis == "commit time" or not columns.all:
        return columns.all, False
    widest = max(Type(13, "", bold=True).width(f"{column.number:,}") for column in columns.all)
    widest = max(widest, Type(11, "").width("00:00")) + 6
    if widest <= columns.pitch:
        return columns.all, False
    widest = max(widest, Type(11, "").width("20 Nov") if len(days) > 1 else 0.0) + 20
    least = math.ceil(widest / columns.pitch)
    step = next(n * 10**power for power in range(12) for n in (1, 2, 5) if n * 10**power >= least)
    if not columns.all[-1].number:
        return columns.all[::-step][::-1], True
    return [column for column in columns.all if column.number % step == 0 or column is columns.all[-1]], True


def _clock(column: Column) -> str:
    return formats.clock(column.commit.committed_at) if column.commit else "expired"


def _day(column: Column) -> str:
    return formats.day(column.committed_at) if column.committed_at else "expired"


def _draw_words(
    sheet: Sheet, columns: Columns, named: Sequence[Column], y: float, words: Callable[[Column], str], style: Type
) -> None:
    """Words of columns, from the last to the first, where they are not too near another."""
    for column in named[::-1]:
        box = sheet.canvas.box_of(column.x, y, words(column), style)
        if box.left >= columns.left - 14:
            sheet.canvas.try_text([(column.x, y)], words(column), style, plane="page", room=3)


def _draw_symbols(sheet: Sheet, columns: Columns, y: float) -> None:
    theme = sheet.theme
    size = 11.0 if columns.pitch >= 14 or columns.axis == "commit time" else 8.0 if columns.pitch >= 8 else 5.0
    for column in columns.all:
        if column.commit is None:
            sheet.symbols.append(Mark(column.x, y, "x-thin", 5, theme.ink_3, theme.ink_3, 1))
        else:
            operation = column.commit.operation
            sheet.symbols.append(
                Mark(column.x, y, SYMBOLS.get(operation, "hexagon"), size, theme.operation(operation).fill)
            )


def _draw_days(sheet: Sheet, columns: Columns, y: float) -> None:
    """Each day at its first commit, where it has room."""
    style, previous = Type(11, sheet.theme.ink_3), None
    for column in columns.all:
        at = column.committed_at
        if at is not None and at.date() != previous:
            previous = at.date()
            words = formats.day(previous)
            x = max(column.x - style.width(words) / 2, columns.left - 6)
            sheet.canvas.try_text([(x, y)], words, style, "start", plane="page", room=3)


def _heads(sheet: Sheet, columns: Columns, top: float, bottom: float) -> Heads:
    """The places of the commits, which answer the pointer: one by one, or several where they are too near."""
    wide = max(columns.pitch / 2 - 0.5, 2.0) if columns.axis == "sequence number" else 9.0
    many = math.ceil(_NEAREST / columns.pitch) if columns.axis == "sequence number" else 1
    for i in range(0, len(columns.all), many):
        part = columns.all[i : i + many]
        listed = [column for column in part if column.commit is not None]
        meaning = f"commit {listed[-1].snapshot_id}" if listed else ""
        box = Box(part[0].x - wide, top - 4, part[-1].x + wide, bottom - 2)
        hover = hits.column(part[0].number, part[0].commit)
        if many > 1:
            hover = hits.several(part[0].number, part[-1].number, listed[-1].commit if listed else None)
        sheet.cells.append(Rectangle(box, meaning=meaning, hover=hover))
    return Heads(
        tuple(column for column in columns.all if column.commit is not None), wide, top - 4, bottom - 2, bottom
    )


def draw_grid(sheet: Sheet, columns: Columns, top: float, bottom: float) -> None:
    """The edges of the columns, or the commits where columns have no width; not where they would be a grey area."""
    path = sheet.path(Ink(sheet.theme.grid, 1))
    if columns.axis == "commit time":
        for column in columns.all:
            path.move(column.x, top).line(column.x, bottom)
    elif columns.pitch >= 6:
        for x in [columns.left, *(column.right for column in columns.all)]:
            path.move(x, top).line(x, bottom)
