"""What stands around the cells: the change of the whole and the commits above them, and what each row holds now."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import timedelta

import numpy as np

from ...model import formats
from ...model.partitions import words
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.theme import SYMBOLS
from . import hits
from .layout import SMALL, Page

_BARS = 52.0  # pixels that the longest bar above the cells has
_USUAL = 2.5  # times the usual change, to which bars are drawn to scale
_CUT = 90  # of 100 bars, so many are never cut
_WORTH_A_CUT = 1.5  # times as long as what is to scale, from where on the longest is cut
_LINE = 15.0
_FIGURES = 12.0  # pixels of a row, from where on its figure is written
_FEWEST = 5  # rows of which one is the usual one
_SECONDS_WITHIN = timedelta(minutes=15)  # of commits that are so close, minutes alone would be the same ones


def draw_change(page: Page, top: float) -> float:
    """How much more, or less, all rows hold after each column; the page pixel where the bars end."""
    layout, theme = page.layout, page.theme
    change = layout.change
    sizes = np.abs(change)
    if not sizes.any():
        return top
    usual = float(np.median(sizes[sizes > 0]))
    longest = int(sizes.max())
    scale = max(_USUAL * usual, float(np.percentile(sizes, _CUT)))
    scale = scale if longest > _WORTH_A_CUT * scale else float(longest)
    below = min(float(-change.min()), scale) / scale * _BARS if change.min() < 0 else 0.0
    above = min(float(change.max()), scale) / scale * _BARS if change.max() > 0 else 0.0
    base = top + 10 + above
    label = Type(SMALL, theme.ink_2)
    for n, line in enumerate(("net change", f"per {layout.columns.unit}")):
        page.fit(20, max(base - 22, top + 6) + n * 13, [line], label, layout.left - 26)
    page.path(Ink(theme.edge, 1)).move(layout.left, base).line(layout.right, base)
    gap = 1.0 if layout.step >= 4 else 0.0
    since_unknown = layout.since_unknown
    for column, value in enumerate(change.tolist()):
        if not value or layout.known[column] < 0:
            continue
        length = max(min(abs(value), scale) / scale * _BARS, 1.5)
        hue = theme.moved if value > 0 else theme.removed
        y = (base - length, base) if value > 0 else (base, base + length)
        box = Box(layout.x(column), y[0], layout.x(column + 1) - gap, y[1])
        if since_unknown[column]:
            page.fills.append(Rectangle(box, theme.page, hue.fill, 1.2, hatch=hue.fill))
        else:
            page.fills.append(Rectangle(box, hue.fill))
        if abs(value) > scale:  # a notch near its end
            end = y[0] + 7 if value > 0 else y[1] - 7
            page.fills.append(Rectangle(Box(box.left - 1, end - 1.5, box.right + 1, end + 1.5), theme.page))
    if (since_unknown & (change != 0) & (layout.known >= 0)).any():
        page.footnotes.append("A hatched bar is the change of commits before it too, which cannot be read or expired.")
    _say_lengths(page, scale, longest, base, above)
    return base + below + 6


def _say_lengths(page: Page, scale: float, longest: int, base: float, above: float) -> None:
    layout, theme = page.layout, page.theme
    y = base - above if above else base + 8
    said = words.short_amount(layout.measure, round(scale))
    page.fit(layout.right + 8, y, [said], Type(SMALL, theme.ink_3), page.width - layout.right - 24)
    if longest > scale:
        most, whole = (words.amount(layout.measure, n) for n in (round(scale), longest))
        page.footnotes.append(f"Bars are to scale up to {most}; longer ones are cut, the longest is {whole}.")


def draw_axis(page: Page, top: float) -> float:
    """Which commits the columns are; the page pixel where they end."""
    layout, theme = page.layout, page.theme
    items, facts = layout.columns.items, layout.facts
    y = top + 8
    each = layout.columns.unit == "commit"
    label, style = Type(SMALL, theme.ink_2), Type(SMALL, theme.ink)
    if each:
        page.fit(20, y, ["sequence number", "sequence"] if facts.numbered else ["commit"], label, layout.left - 26)
        _draw_words(page, y, [words.commit_name(facts, facts.commits[c.last]) for c in items], Type(11, theme.ink))
        y += _LINE
        if layout.step >= 8:
            page.fit(20, y, ["operation"], label, layout.left - 26)
            for n, of in enumerate(items):
                operation = facts.commits[of.last].operation
                size = 10 if layout.step >= 14 else 7
                place = (layout.x(n) + layout.step / 2, y)
                page.symbols.append(
                    Mark(*place, SYMBOLS.get(operation, "hexagon"), size, theme.operation(operation).fill)
                )
            y += _LINE
    page.fit(20, y, ["committed"], label, layout.left - 34)
    _draw_words(page, y, list(_times(page)), style if not each else label)
    y += 10
    for n in range(len(items)):
        snapshot = facts.commits[items[n].last] if items[n].last >= items[n].first else None
        page.cells.append(
            Rectangle(
                Box(layout.x(n), top, layout.x(n + 1), y),
                meaning="" if snapshot is None else f"commit {snapshot.snapshot_id}",
                hover=hits.column(layout, n),
            )
        )
    return y + 4


def _times(page: Page) -> Iterator[str]:
    """When each column begins; of a commit its day, or its time where all are of one day, to the second if need be."""
    layout = page.layout
    commits = layout.facts.commits
    at = [c.start or commits[max(c.last, 0)].committed_at for c in layout.columns.items]
    days = {time.date() for time in at if time}
    years = {day.year for day in days}
    unit = layout.columns.unit
    known = [time for time in at if time]
    by_second = bool(known) and max(known) - min(known) < _SECONDS_WITHIN
    for time in at:
        if time is None:
            yield "unknown"
        elif unit == "year":
            yield f"{time:%Y}"
        elif unit == "month":
            yield f"{time:%b %Y}"
        elif len(days) == 1:
            yield f"{time:%H:%M:%S}" if by_second else formats.clock(time)
        elif unit in ("day", "week") or len(days) > len(at) / 3:
            yield formats.day(time) + (f" {time:%Y}" if len(years) > 1 else "")
        else:
            yield formats.moment(time)


def _draw_words(page: Page, y: float, said: list[str], style: Type) -> None:
    """Words of columns as far as they have room: of the last one, the first, and of those between at equal steps."""
    layout = page.layout
    widest = max((style.width(each) for each in said), default=0.0) + 12
    every = max(math.ceil(widest / layout.step), 1)
    last = len(said) - 1
    seen = ""
    chosen = [last, *range(0, last, every)]
    for n in chosen:
        if said[n] == seen:
            continue
        seen = said[n] if n != last else seen
        half = style.width(said[n]) / 2
        x = min(max(layout.x(n) + layout.step / 2, layout.left - 4 + half), layout.right + 6 - half)
        page.canvas.try_text([(x, y)], said[n], style, plane="page", room=4)


def mark_gaps(page: Page) -> None:
    """A sign above columns with a commit after which it is not known what lives."""
    layout, style = page.layout, Type(SMALL, page.theme.attention.text, bold=True)
    for n, of in enumerate(layout.columns.items):
        if any(commit in layout.facts.unreadable for commit in range(of.first, of.last + 1)):
            page.canvas.try_text([(layout.x(n) + layout.step / 2, page.top + 12)], "?", style, plane="page", room=0)


def draw_now(page: Page) -> None:
    """What each row holds after the last column, as bars right of the cells."""
    layout, theme = page.layout, page.theme
    if not layout.names or not len(layout.known) or layout.known[-1] < 0:
        return
    now = layout.values[:, -1]
    left = layout.right + 12
    written = layout.height >= _FIGURES
    figures = [words.short_amount(layout.measure, int(value)) for value in now]
    room = layout.margin - left - (max(Type(SMALL, "").width(f) for f in figures) + 8 if written else 0)
    most = max(int(now.max()), 1)
    for row, value in enumerate(now.tolist()):
        box = page.row(row)
        length = value / most * room
        fill = theme.attention.fill if row == layout.odd else theme.moved.fill
        if value:
            gap = 1.0 if layout.height >= 4 else 0.0
            page.fills.append(Rectangle(Box(left, box.top, left + max(length, 1), box.bottom - gap), fill))
        if written:
            y = (box.top + box.bottom) / 2
            page.canvas.text("page", layout.margin, y, figures[row], Type(SMALL, theme.ink_2), "end")
    last = words.commit_name(layout.facts, layout.facts.commits[int(layout.known[-1])])
    for n, line in enumerate((layout.measure, f"after {last}")):
        page.fit(left, page.top - 44 + 13 * n, [line], Type(SMALL, theme.ink_2), page.width - left - 8)
    held = now[now > 0]
    if len(held) >= _FEWEST and all(row.count == 1 for row in layout.shown.rows):
        usual = float(np.median(held))
        x = left + usual / most * room
        low = page.top + layout.bottom
        page.path(Ink(theme.ink_3, 1, dash="2px,3px")).move(x, page.row(0).top - 2).line(x, low + 4)
        said = f"median {words.short_amount(layout.measure, round(usual))}"
        page.fit(left, low + 12, [said], Type(SMALL, theme.ink_3), page.width - left - 8)
