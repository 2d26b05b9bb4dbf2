"""Too many files to draw one by one: one row a partition, with its live files after each commit, and fronts of deletes.

Only those that have something to tell, worst first: most deletes that reach nothing, then most deletes. The rows below
say what the others come to; what has no room here has its own page.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from ...model import formats
from ...model.partition_rows import Shown, Sort, page_words
from ...model.sequence_timeline import partition_words
from ...model.sequence_timeline.facts import Band, CommitColumn, Window
from ..page import partition_table, strips
from ..page.fold import Part
from ..page.frame import KeyEntry, swatch
from ..page.partition_table import SumRow
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.strips import Reach
from ..page.theme import blend
from . import columns as sequence_timeline_columns
from . import hits as sequence_timeline_hits
from .columns import Columns, Heads
from .files import as_of_edge
from .page import SMALL, Page, window_meaning

ROWS = 12  # partitions on one page
_PITCH, _STRIP = 38.0, 19.0
_HEADS = ("live files", "deletes", "reach nothing")
_AREA = 84.0
_LOWEST = 3.0  # pixels
_PARTS = 8  # of a strip, each opened by a click
_MARKED = 16  # commits of the area that are marked


def rows_of(page: Page, part: Part, search: str, sort: Sort) -> Shown[Band]:
    """The partitions of the window that a view asks for."""
    every = partition_table.is_every(part)
    return partition_words.page(page.timeline, ROWS, first=part.first, search=search, sort=sort, everything=every)


def circumstance(page: Page, found: Shown[Band]) -> str:
    """Which partitions the page shows: `days 1–12 of 19 with deletes or more than 2 files`."""
    return page_words(found, _unit(page), partition_words.TOLD)


def draw(page: Page, found: Shown[Band], top: float) -> tuple[float, Heads]:
    """The curve of live files, then the partitions; the page pixel where they end, and the commits."""
    timeline = page.timeline
    label = 190.0 if page.width >= 1100 else 150.0 if page.width >= 900 else 120.0
    totals = _Totals(page, found)
    columns = Columns(timeline, timeline.numbers, page.left + label, totals.left - 26, page.axis)
    y = _draw_curve(page, columns, top)
    _draw_column_names(page, columns, totals, y + 12)
    y = rows_top = y + 24
    edge = as_of_edge(page, columns)
    steps = [_steps(columns, band, edge) for band in found.page]
    most = max((files for of_band in steps for _, files in of_band), default=0)
    for band, of_band in zip(found.page, steps, strict=True):
        _draw_band(page, columns, totals, band, y, [] if timeline.unreadable else of_band, most)
        y += _PITCH
    if not found.page:
        y = _draw_none(page, found, y)
    page.path(Ink(page.theme.edge, 1)).move(columns.left, y + 4).line(columns.right, y + 4)
    if edge < columns.right - 2:
        page.path(Ink(page.theme.ink, 1.6)).move(edge, rows_top - 4).line(edge, y + 4)
    y, heads = sequence_timeline_columns.draw(page, columns, page.left, y + 10)
    last = len(totals.sums) - 1
    sums = [
        SumRow(told.name, told.words, told.counts.all, "", 0 < i == last, 2 if told.any_nothing else None)
        for i, told in enumerate(totals.sums)
    ]
    y = partition_table.draw_sums(page, sums, page.left, columns.left, totals.ends, y + 2)
    y = partition_table.draw_paging(page, found, ROWS, _unit(page), partition_words.TOLD, page.left, y)
    page.footnotes.append("No file is drawn alone here, since there are many.")
    return y, replace(heads, reach=top)


def _unit(page: Page) -> str:
    return page.timeline.naming.unit


def _draw_none(page: Page, found: Shown[Band], top: float) -> float:
    words = f"No {_unit(page)} is {partition_words.TOLD}."
    if found.search:
        words = f"None of {formats.count(len(page.timeline.in_window), _unit(page))} has {found.search} in its name."
    page.unreadable(Box(page.left, top + 6, page.right, top + 50), [words], Type(12, page.theme.ink_2))
    return top + 56


# --- live files after each commit ------------------------------------------------------------------------------------


def _draw_curve(page: Page, columns: Columns, top: float) -> float:
    theme, bottom = page.theme, top + 26 + _AREA
    page.fit(page.left, top + 50, ["live data files", "live files"], Type(12.5, theme.ink, bold=True), 150)
    page.fit(page.left, top + 67, ["after each commit"], Type(SMALL, theme.ink_2), 150)
    points = [(columns.of(c.snapshot.sequence_number, c.snapshot.snapshot_id), c) for c in page.timeline.commits]
    on_line = [(column.x, c) for column, c in points if column is not None and c.is_on_line]
    counts = [n for _, c in on_line if (n := _live(c)) is not None]
    scale = _AREA / max(counts, default=1) if any(counts) else 0.0
    area, line = page.path(Ink(fill=blend(theme.moved.fill, theme.page, 0.35))), page.path(Ink(theme.ink_2, 1.4))
    for run in _runs([(x, _live(c)) for x, c in on_line]):
        steps = _thinned(run)
        area.move(steps[0][0], bottom)
        for i, (x, n) in enumerate(steps):
            y = bottom - n * scale
            area.line(x, y)
            (line.line if i else line.move)(x, y)
        area.line(steps[-1][0], bottom).close()
    unknown = len(on_line) - len(counts)
    if unknown and len(counts) < 2:
        why = f"unknown after {formats.count(unknown, 'commit')}"
        page.unreadable(Box(columns.left, top + 34, columns.right, bottom - 6), [why], Type(12, theme.ink_2))
    if unknown:
        page.footnotes.append(f"How many files were live after {formats.count(unknown, 'commit')} is unknown.")
    page.path(Ink(theme.edge, 1)).move(columns.left, bottom).line(columns.right, bottom)
    _say_last(page, columns, on_line, bottom, scale)  # first, so that no other word covers it
    _mark_replaces(page, on_line, bottom, scale)
    return bottom


def _live(commit: CommitColumn) -> int | None:
    return None if commit.live is None else commit.live.get("data", 0)


def _runs(points: list[tuple[float, int | None]]) -> list[list[tuple[float, int]]]:
    """Stretches of known counts."""
    runs: list[list[tuple[float, int]]] = [[]]
    for x, n in points:
        if n is None:
            runs.append([])
        else:
            runs[-1].append((x, n))
    return [run for run in runs if run]


def _thinned(run: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """At most the first, smallest, largest and last count of every pixel, in their order."""
    kept: list[tuple[float, int]] = []
    pixel: list[tuple[float, int]] = []
    for point in [*run, (math.inf, 0)]:
        if pixel and int(point[0] if point[0] < math.inf else -1) != int(pixel[0][0]):
            chosen = {0, len(pixel) - 1}
            counts = [n for _, n in pixel]
            chosen |= {counts.index(min(counts)), counts.index(max(counts))}
            kept += [pixel[i] for i in sorted(chosen)]
            pixel = []
        pixel.append(point)
    return kept


def _mark_replaces(page: Page, on_line: list[tuple[float, CommitColumn]], bottom: float, scale: float) -> None:
    """The replaces that left fewest files, where the curve falls."""
    drops = []
    for (_, before), (x, commit) in itertools.pairwise(on_line):
        was, now = _live(before), _live(commit)
        if commit.snapshot.operation == "replace" and was is not None and now is not None and now < was:
            drops.append((was - now, x, was))
    for i, (_, x, was) in enumerate(sorted(drops, reverse=True)[:_MARKED]):
        y = bottom - was * scale - 9
        page.symbols.append(Mark(x, y, "diamond", 10, page.theme.moved.fill, page.theme.edge, 1))
        if i == 0:
            style = Type(SMALL, page.theme.ink_2)
            page.canvas.try_text(
                [(x + 10, y - 2), (x - 10 - style.width("replace"), y - 2)], "replace", style, "start", "page"
            )


def _say_last(
    page: Page, columns: Columns, on_line: list[tuple[float, CommitColumn]], bottom: float, scale: float
) -> None:
    as_of = page.timeline.as_of
    for x, commit in on_line:
        if as_of is not None and commit.snapshot.snapshot_id == as_of.snapshot_id:
            n = _live(commit)
            words = "unknown" if n is None else formats.compact(n)
            y = bottom - max((n or 0) * scale, 8)
            style = Type(12, page.theme.ink, bold=True)
            page.canvas.text(
                "page", max(x, columns.right - 40) + 8 if x > columns.right - 40 else x + 8, y, words, style, "start"
            )


# --- partitions ------------------------------------------------------------------------------------------------------


class _Totals:
    """Where the numbers of a partition stand."""

    def __init__(self, page: Page, found: Shown[Band]) -> None:
        bar = 170.0 if page.width >= 1200 else 130.0 if page.width >= 1000 else 0.0
        self.sums = partition_words.sums(page.timeline, found)
        self.ends, self.left = partition_table.ends(
            [_HEADS, *(told.counts.all for told in self.sums)], page.right - bar
        )
        self.on_oldest = page.timeline.deletes_on_oldest
        self.most = max((n for n in self.on_oldest.values() if n is not None), default=0)
        self.bar = (page.right - bar + 30, page.right - 46) if bar else None


def _draw_column_names(page: Page, columns: Columns, totals: _Totals, y: float) -> None:
    style = Type(SMALL, page.theme.ink_2)
    page.text(page.left, y, "partition", style)
    wordings = ["live data files after each commit, on one scale, and above them the fronts of live deletes"]
    wordings += ["live data files after each commit, and fronts of deletes", "live files after each commit, and fronts"]
    page.fit(columns.left, y, wordings, style, totals.left - columns.left - 26)
    for words, end in zip(_HEADS, totals.ends, strict=True):
        page.canvas.text("page", end, y, words, style, "end")
    if totals.bar:
        page.fit(totals.bar[0], y, ["most deletes on one file", "most on one file"], style, page.right - totals.bar[0])


def _draw_band(
    page: Page, columns: Columns, totals: _Totals, band: Band, top: float, steps: list[tuple[float, int]], most: int
) -> None:
    theme, middle = page.theme, top + _PITCH / 2
    strip = Box(columns.left, top + _PITCH - _STRIP - 5, columns.right, top + _PITCH - 5)
    called = page.timeline.naming.names(band)
    page.fit(page.left, middle + 6, called, Type(12, theme.ink, mono=True), columns.left - page.left - 12)
    page.path(Ink(theme.grid, 1)).move(strip.left, strip.bottom).line(strip.right, strip.bottom)
    _draw_steps(page, strip, steps, most)
    _draw_fronts(page, columns, band, strip)
    _draw_totals(page, totals, band, middle + 6)
    meaning = window_meaning(Window(spec_id=band.spec_id, partition=band.partition))
    hover = sequence_timeline_hits.band(band)
    for box in (
        Box(page.left - 4, top + 2, columns.left - 4, top + _PITCH),
        Box(totals.left, top + 2, page.right, top + _PITCH),
    ):
        page.cells.append(Rectangle(box, meaning=meaning, hover=hover))
    _add_parts(page, columns, band, top)


def _steps(columns: Columns, band: Band, as_of: float) -> list[tuple[float, int]]:
    """Page pixels of the commits that changed how many data files are live, and how many were after each.

    As of the snapshot of the picture, whose column ends at `as_of`, there are as many as it says.
    """
    changes: dict[float, int] = {}
    first = columns.all[0].number if columns.all else 0
    for moments, sign in ((band.births, 1), (band.deaths, -1)):
        for moment in moments:
            if moment.kind != "data":
                continue
            number = moment.sequence_number
            if (column := columns.of(number, moment.snapshot_id)) is not None:
                changes[column.x] = changes.get(column.x, 0) + sign * moment.files
            elif number is None or number < first:
                changes[columns.left] = changes.get(columns.left, 0) + sign * moment.files
    places = sorted(changes)
    after = list(itertools.accumulate(map(changes.__getitem__, places)))
    by_then = bisect.bisect_right(places, as_of)
    missed = band.live_data_files - (after[by_then - 1] if by_then else 0)  # files of commits that are not at hand
    steps = [(x, max(files + missed, 0)) for x, files in zip(places, after, strict=True)]
    return steps if steps and steps[0][0] <= columns.left else [(columns.left, max(missed, 0)), *steps]


def _draw_steps(page: Page, strip: Box, steps: list[tuple[float, int]], most: int) -> None:
    """Live data files after each commit, on the scale of all rows."""
    if not any(files for _, files in steps):
        return
    theme, tall = page.theme, strip.bottom - strip.top
    area = page.path(Ink(fill=blend(theme.moved.fill, theme.page, 0.35), overlaps=True))
    line = page.path(Ink(theme.ink_2, 1.4))
    thinned = _thinned(steps)
    area.move(thinned[0][0], strip.bottom)
    y = strip.bottom - _height(thinned[0][1], most, tall)
    line.move(thinned[0][0], y)
    area.line(thinned[0][0], y)
    for x, files in [*thinned[1:], (strip.right, thinned[-1][1])]:
        for path in (area, line):
            path.line(x, y)
        y = strip.bottom - _height(files, most, tall)
        for path in (area, line):
            path.line(x, y)
    area.line(strip.right, strip.bottom).close()


def _height(files: int, most: int, tall: float) -> float:
    """One file is to be seen beside dozens."""
    return max(files / most * tall, _LOWEST if files else 0.0)


def _draw_fronts(page: Page, columns: Columns, band: Band, strip: Box) -> None:
    """A tick a front: on the left edge of its column if it reaches strictly older data, else on the right one."""
    ticks: list[tuple[float, Reach]] = []
    for front in band.fronts:
        column = columns.of(front.data_sequence_number)
        if column is not None:
            x = column.left if front.kind == "equality deletes" else column.right
            counted: dict[Reach, int] = {
                "reaching": front.reaching,
                "dangling": front.dangling,
                "unknown": front.unknown,
            }
            ticks += [(x, reach) for reach, files in counted.items() if files]
    strips.draw_fronts(page, strip.top - 2, ticks)


def _draw_totals(page: Page, totals: _Totals, band: Band, y: float) -> None:
    theme, counts = page.theme, partition_words.counts(page.timeline, [band])
    nothing = Type(12, theme.attention.text if band.dangling else theme.ink_3, bold=bool(band.dangling))
    styles = Type(12, theme.ink), Type(12, theme.ink), nothing
    for words, style, end in zip(counts.all, styles, totals.ends, strict=True):
        page.canvas.text("page", end, y, words, style, "end")
    if totals.bar is None:
        return
    left, right = totals.bar
    on_one = totals.on_oldest[band.spec_id, band.partition]
    if not on_one:
        page.text(
            left,
            y,
            ("?" if page.timeline.unreadable else "no live data") if on_one is None else "0",
            Type(SMALL, theme.ink_3),
        )
        return
    end = left + (right - left) * on_one / totals.most
    page.fills.append(Rectangle(Box(left, y - 7, max(end, left + 1), y + 7), theme.removed.fill))
    page.text(max(end, left + 1) + 6, y, formats.compact(on_one), Type(12, theme.ink))


def _add_parts(page: Page, columns: Columns, band: Band, top: float) -> None:
    """The strip in parts, each of which opens the files of its numbers."""
    if not columns.all or columns.axis != "sequence number":
        return
    step = (columns.right - columns.left) / _PARTS
    edges = [column.left for column in columns.all]
    for i in range(_PARTS):
        left = columns.left + i * step
        first = columns.all[bisect.bisect_left(edges, left - 0.01) if i else 0 :]
        last = bisect.bisect_left(edges, left + step - 0.01) if i < _PARTS - 1 else len(edges)
        inside = [c.number for c in first[:1]] + [c.number for c in columns.all[last - 1 : last]]
        if len(inside) == 2 and inside[0] <= inside[1]:
            window = Window(inside[0], inside[1], band.spec_id, band.partition, through=False)
            hover = sequence_timeline_hits.part_of_band(band, inside[0], inside[1])
            page.cells.append(
                Rectangle(Box(left, top + 2, left + step, top + _PITCH), meaning=window_meaning(window), hover=hover)
            )


def key(page: Page, found: Shown[Band]) -> Iterator[KeyEntry]:
    """What occurs in the bands that are drawn."""
    theme, bands = page.theme, found.page
    fronts = [front for band in bands for front in band.fronts]

    def ticks(reach: Reach) -> Callable[[Box], None]:
        def draw_ticks(box: Box) -> None:
            for i in range(3):
                strips.draw_front(page, box.left + 4 + 5 * i, box.bottom, reach)

        return draw_ticks

    if any(front.reaching for front in fronts):
        yield "delete that reaches something", ticks("reaching")
    if any(front.dangling for front in fronts):
        yield "reaches nothing", ticks("dangling")
    if any(front.unknown for front in fronts):
        yield "not known what it reaches", ticks("unknown")
    if any(band.live for band in bands):
        yield "live data files after each commit", swatch(page, blend(theme.moved.fill, theme.page, 0.35), theme.ink_2)
