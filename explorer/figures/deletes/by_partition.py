"""Too many pairs to be drawn one by one: a row for each partition, data by number and the fronts of deletes over it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...model.deletes import partition_words
from ...model.deletes.by_partition import is_by_partition, place_of
from ...model.deletes.facts import DeleteFront, PartitionDeletes
from ...model.partition_rows import Shown, Sort, page_words, shown
from ..page import partition_table, strips
from ..page.fold import Part
from ..page.frame import KeyEntry, swatch
from ..page.hits import view_meaning
from ..page.partition_table import SumRow
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.strips import TICK, Reach
from ..page.theme import blend
from . import hits as deletes_hits
from .layout import SMALL, Page, pairs_at_hand, partition_meaning, partition_place

ROWS = 13
_PITCH, _STRIP = 31.0, 11.0
_BIN = 4.0  # pixels
_HEADS = ("eq", "pos, DV", "reach", "nothing", "files")
_NOTHING = 3  # place among the heads


@dataclass(frozen=True, slots=True)
class Axis:
    """Data sequence numbers from left to right, as far as one is drawn."""

    left: float
    right: float
    first: int
    last: int

    @property
    def pitch(self) -> float:
        """Pixels of a number."""
        return (self.right - self.left) / (self.last - self.first + 1)

    def edge(self, number: int) -> float:
        """Where a number begins; it ends where the next one does."""
        return self.left + (number - self.first) * self.pitch

    def ticks(self) -> Iterator[int]:
        """A few round numbers."""
        step = 1
        while (self.last - self.first) / step > 5:
            step *= 5 if str(step)[0] == "1" else 2
        yield from range(-(-self.first // step) * step, self.last + 1, step)


def page_of(page: Page, part: Part, search: str, sort: Sort) -> Shown[PartitionDeletes]:
    """The rows that a view asks for."""
    rows = page.deletes.by_partition
    if part.partition is not None:  # of one that was opened, pairs are too many too
        return Shown(tuple(row for row in rows if place_of(row) == part.partition), 0, (), (), everything=True)
    every = partition_table.is_every(part)
    return shown(rows, ROWS, first=part.first, search=search, sort=sort, everything=every)


def circumstance(page: Page, found: Shown[PartitionDeletes]) -> str:
    """Which partitions the page shows: `days 1–13 of 19 with deletes`."""
    return page_words(found, page.deletes.naming.unit, partition_words.TOLD)


def draw(page: Page, part: Part, found: Shown[PartitionDeletes], top: float) -> float:
    """Heads, rows, sums and the way to the other partitions; the page pixel where they end."""
    theme, deletes = page.theme, page.deletes
    name = 190.0 if page.width >= 1100 else 150.0 if page.width >= 900 else 124.0
    why = 190.0 if page.width >= 1200 else 136.0 if page.width >= 900 else 108.0 if page.width >= 740 else 0.0
    last = page.width - 20 - (why + 18 if why else 0)
    sums = partition_words.sums(deletes, found)
    ends, left = partition_table.ends([_HEADS, *(told.counts.all for told in sums)], last)
    axis = _axis(page, 20 + name, left - 14)
    page.top = top
    y = _draw_heads(page, axis, ends, last + 18 if why else None, top)
    most = max((files for row in found.page for _, files in row.numbers or ()), default=1)
    for row in found.page:
        _draw_row(page, axis, ends, last + 18 if why else None, row, y, most)
        y += _PITCH
    if not found.page:
        words = f"None of {len(deletes.by_partition):,} has {found.search} in its name." if found.search else ""
        page.unreadable(Box(20, y + 6, page.width - 20, y + 50), [words], Type(12, theme.ink_2))
        y += 60
    page.bottom = y
    page.rule(20, page.width - 20, y)
    _draw_numbers(page, axis, y + 12)
    y += 22
    if part.partition is not None:
        return y
    rows = [
        SumRow(
            told.name,
            told.words,
            told.counts.all,
            told.besides if why else "",
            is_total=i > 0 and i == len(sums) - 1,
            alarming=_NOTHING if told.counts.any_nothing else None,
        )
        for i, told in enumerate(sums)
    ]
    page.rule(20, ends[-1], y)
    y = partition_table.draw_sums(page, rows, 20, axis.left, ends, y + 4)
    units = deletes.naming.unit
    return partition_table.draw_paging(page, found, ROWS, units, partition_words.TOLD, 20, y)


def _axis(page: Page, left: float, right: float) -> Axis:
    """From the smallest to the largest number of any row, so that pages have one scale."""
    rows = page.deletes.by_partition
    every = [n for row in rows if row.fronts or len(rows) <= ROWS for n in (row.oldest, row.newest)]
    every += [front.number for row in rows for front in row.fronts]
    known = [n for n in every if n is not None]
    return Axis(left, right, min(known, default=0), max(known, default=0))


def _draw_heads(page: Page, axis: Axis, ends: Sequence[float], why: float | None, top: float) -> float:
    style, y = Type(SMALL, page.theme.ink_2), top + 8
    page.text(20, y, "partition", style)
    room = ends[0] - 40 - axis.left
    page.fit(
        axis.left, y, ["data files by sequence number, and the fronts of deletes over them", "numbers"], style, room
    )
    for words, end in zip(_HEADS, ends, strict=True):
        page.canvas.text("page", end, y, words, style, "end")
    if why is not None:
        page.text(why, y, "why nothing", style)
    page.rule(20, page.width - 20, top + 20)
    return top + 22


def _draw_row(
    page: Page, axis: Axis, ends: Sequence[float], why: float | None, row: PartitionDeletes, top: float, most: int
) -> None:
    theme, middle = page.theme, top + _PITCH / 2
    strip = Box(axis.left, top + _PITCH - _STRIP - 4, axis.right, top + _PITCH - 4)
    page.fit(20, middle, page.deletes.naming.names(row), Type(12, theme.ink, mono=True), axis.left - 34)
    page.path(Ink(theme.grid, 1)).move(20, top + _PITCH).line(page.width - 20, top + _PITCH)
    _draw_data(page, axis, row, strip, most)
    _draw_fronts(page, axis, row, strip)
    counts = partition_words.counts(page.deletes, [row])
    for i, (words, end) in enumerate(zip(counts.all, ends, strict=True)):
        is_alarm = i == _NOTHING and row.dangling > 0
        colour = theme.attention.text if is_alarm else theme.ink_3 if words == "0" else theme.ink
        page.canvas.text("page", end, middle, words, Type(12, colour, bold=is_alarm), "end")
    said = partition_words.why(row)
    if why is not None and said:
        is_fine = said == "all reach"
        tick = Type(SMALL, theme.ok, bold=True)
        x = page.text(why, middle, "✓", tick).right + 4 if is_fine else why
        colour = theme.error if any(front.corrupt for front in row.fronts) else theme.ink_2
        page.fit(x, middle, [said, said.partition(", ")[0]], Type(SMALL, colour), page.width - 20 - x)
    place = partition_place(row.spec_id, row.partition)
    page.rows[place] = [top, top + _PITCH]
    meaning, click = _opening(page, row)
    hover = deletes_hits.partition_row(page.deletes, row, click)
    page.cells.append(Rectangle(Box(16, top + 0.5, page.width - 16, top + _PITCH - 0.5), meaning=meaning, hover=hover))


def _opening(page: Page, row: PartitionDeletes) -> tuple[str, str]:
    """What a click on a partition means, and words for it: draw its pairs, or ask for them; empty for the only one."""
    deletes = page.deletes
    if not is_by_partition(deletes) or not row.files or deletes.partition is not None:
        return "", ""
    if pairs_at_hand(deletes):
        return view_meaning(Part.of_partition(row.spec_id, row.partition)), "click: this partition alone"
    return partition_meaning(row.spec_id, row.partition), "click: ask for this partition alone"


def _draw_data(page: Page, axis: Axis, row: PartitionDeletes, strip: Box, most: int) -> None:
    theme = page.theme
    if row.oldest is None or row.newest is None:
        return
    if row.numbers is None:
        box = Box(axis.edge(row.oldest), strip.top, axis.edge(row.newest + 1), strip.bottom)
        page.path(Ink(theme.kept_outline, 1, theme.page, dash="2px,2px")).box(_visible(box, axis))
    else:
        wide = max(axis.pitch, _BIN)
        bins: Counter[int] = Counter()
        for number, files in row.numbers:
            if number is not None:
                bins[int((axis.edge(number) - axis.left + 0.01) // wide)] += files
        strips.draw_numbers(page, strip, bins, wide, most)
    x = axis.edge(row.oldest)
    page.fills.append(Rectangle(Box(x - 1, strip.top - 5, x + 1, strip.bottom + 1), theme.ink))


def _visible(box: Box, axis: Axis) -> Box:
    left = max(box.left, axis.left)
    return Box(left, box.top, max(min(box.right, axis.right), left + 2), box.bottom)


def _draw_fronts(page: Page, axis: Axis, row: PartitionDeletes, strip: Box) -> None:
    """Ticks of equality deletes on the left edge of their number, dots of others on its right edge; each pixel once."""
    theme, y = page.theme, strip.top - 1
    dots: dict[tuple[int, Reach], float] = {}
    ticks: list[tuple[float, Reach]] = []
    for front in row.fronts:
        if front.number is None:
            continue
        is_key = front.kind == "equality deletes"
        x = axis.edge(front.number) if is_key else axis.edge(front.number + 1)
        for reach in _reaches(front):
            if is_key:
                ticks.append((x, reach))
            else:
                dots[round(x / 3), reach] = x
    strips.draw_fronts(page, y, ticks)
    colours = {"reaching": theme.removed.fill, "dangling": theme.attention.fill, "unknown": theme.error}
    for (_, reach), x in dots.items():
        page.symbols.append(Mark(x, y - TICK / 2, "circle", 6, colours[reach], theme.page, 0.8))


def _reaches(front: DeleteFront) -> Iterator[Reach]:
    if front.reaching:
        yield "reaching"
    if front.dangling:
        yield "dangling"
    if front.corrupt or front.unknown:
        yield "unknown"


def _draw_numbers(page: Page, axis: Axis, y: float) -> None:
    """A few numbers of the axis, below the rows."""
    style, right = Type(SMALL, page.theme.ink_2), axis.left - 30
    for number in axis.ticks():
        words, x = f"{number:,}", axis.edge(number) + axis.pitch / 2
        wide = style.width(words)
        if x - wide / 2 > right + 8 and x + wide / 2 < axis.right + 12:
            page.canvas.text("page", x, y, words, style)
            right = x + wide / 2


def key(page: Page, found: Shown[PartitionDeletes]) -> Iterable[KeyEntry]:
    """What occurs among the rows of the page."""
    theme = page.theme
    fronts = [front for row in found.page for front in row.fronts]
    by_key = [front for front in fronts if front.kind == "equality deletes"]
    by_position = [front for front in fronts if front.kind != "equality deletes"]

    def ticks(reach: Reach) -> Callable[[Box], None]:
        return lambda box: strips.draw_front(page, box.left + 9, box.bottom, reach)

    def dot(box: Box) -> None:
        page.symbols.append(Mark(box.left + 9, (box.top + box.bottom) / 2, "circle", 6, theme.removed.fill))

    if any(front.reaching for front in by_key):
        yield "equality delete, reaches older data", ticks("reaching")
    if by_position:
        yield "position delete or vector", dot
    if any(front.dangling for front in fronts):
        yield "reaches nothing", ticks("dangling")
    if any(front.unknown or front.corrupt for front in fronts):
        yield "not known, or corrupt", ticks("unknown")
    if any(row.oldest is not None for row in found.page):
        yield (
            "oldest live data",
            lambda box: page.fills.append(
                Rectangle(Box(box.left + 8, box.top - 3, box.left + 10, box.bottom + 3), theme.ink)
            ),
        )
    if any(row.numbers is None and row.oldest is not None for row in found.page):
        yield "from the oldest to the newest data", swatch(page, theme.page, theme.kept_outline)
    if any(row.numbers for row in found.page):
        yield "data files, darker: more", swatch(page, blend(theme.ink_3, theme.page, 0.5))
