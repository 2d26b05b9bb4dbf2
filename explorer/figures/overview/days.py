"""Rows changed per day: linear up to two and a half usual days, cut with a notch above that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...model import formats
from ...model.arrays import Longs
from ...model.overview.facts import Overview
from ..page.canvas import Canvas
from ..page.scene import Box, Ink, Type
from ..page.theme import Theme
from .layout import BARS_BASE, BARS_TOP, DELETED, NAMES, Scale

CUT = 2.5
_LEAST_BAR = 4.0  # pixels; narrower days share a bar
_GAP = 1.0
_LEAST_LENGTH = 1.5


@dataclass(frozen=True, slots=True)
class Bar:
    """Days that share a bar, which is as long as that of the largest one.

    Attributes:
        first, last: rows of the days.
        largest: row of the day that wrote most; deleted: of the one that deleted most.
    """

    left: float
    right: float
    first: int
    last: int
    largest: int
    deleted: int


def bars(overview: Overview, scale: Scale) -> list[Bar]:
    """The days from left to right, those that are narrower than four pixels together."""
    days = overview.days
    if not len(days.day):
        return []
    left, right = scale.edges[days.first], scale.rights[days.last]
    if float(np.median(right - left)) >= _LEAST_BAR:
        groups = list(range(len(left)))
    else:
        groups = ((left + right) / 2 // _LEAST_BAR).astype(np.int64).tolist()
    found: list[Bar] = []
    start = 0
    for end in range(1, len(groups) + 1):
        if end == len(groups) or groups[end] != groups[start]:
            most, deleted = (start + int(np.argmax(values[start:end])) for values in (days.written, days.deleted))
            found.append(Bar(float(left[start]), float(right[end - 1]), start, end - 1, most, deleted))
            start = end
    return found


def draw(canvas: Canvas, overview: Overview, scale: Scale, theme: Theme) -> None:
    """Bars, the usual day, and a label on the longest one that is cut."""
    days, usual = overview.days, overview.usual_day
    drawn = bars(overview, scale)
    shared = any(bar.last > bar.first for bar in drawn)
    name = Type(10.5, theme.ink_3)
    canvas.text("page", NAMES, BARS_TOP + 5, "rows changed", name, "start")
    canvas.text("page", NAMES, BARS_TOP + 17, "largest day" if shared else "per day", name, "start")
    canvas.path("page", Ink(theme.edge, 1)).move(scale.left, BARS_BASE).line(scale.right, BARS_BASE)
    deleted, *_ = (canvas.path("page", ink) for ink in (Ink(fill=theme.removed.fill), *_inks(theme)))  # lowest first
    for bar in drawn:
        if days.deleted[bar.deleted]:
            wide = max(bar.right - bar.left - _GAP, 1.5)
            deleted.box(Box(bar.left, DELETED[0], bar.left + wide, DELETED[1]))
        if usual:
            _draw_bar(canvas, overview, bar, usual, theme)
    if usual is None:
        return
    y = BARS_BASE - (BARS_BASE - BARS_TOP) / CUT
    canvas.path("page", Ink(theme.ink_2, 1, dash="1px,2px")).move(scale.left, y).line(scale.right, y)
    style = Type(11, theme.ink, bold=True)
    canvas.text("page", scale.right + 10, y, f"usual {formats.compact(usual)}", style, "start")
    _name_longest(canvas, days.written, drawn, usual, scale, theme)


def _inks(theme: Theme) -> tuple[Ink, Ink, Ink, Ink]:
    """Of rows inserted, updated, not counted; and of what is cut out of a bar."""
    return (
        Ink(fill=theme.added.fill),
        Ink(fill=theme.changed.fill),
        Ink(theme.ink_3, 1, dash="1px,2px"),
        Ink(theme.page, 0.5, theme.page),
    )


def _draw_bar(canvas: Canvas, overview: Overview, bar: Bar, usual: int, theme: Theme) -> None:
    days = overview.days
    whole, inserted = int(days.written[bar.largest]), int(days.inserted[bar.largest])
    if not whole:
        return
    length = max(min(whole / (usual * CUT), 1.0) * (BARS_BASE - BARS_TOP), _LEAST_LENGTH)
    right = max(bar.right - _GAP, bar.left + 1.0)
    top, between = BARS_BASE - length, BARS_BASE - length * inserted / whole
    of_inserted, of_updated, unknown, notch = (canvas.path("page", ink) for ink in _inks(theme))
    if inserted:
        of_inserted.box(Box(bar.left, between, right, BARS_BASE))
    if inserted < whole:
        of_updated.box(Box(bar.left, top, right, between))
    if not days.known[bar.largest]:
        unknown.box(Box(bar.left, BARS_TOP, right, top))
    if whole > usual * CUT:
        notch.move(bar.left - 0.5, top + 7).line(right + 0.5, top + 4).line(right + 0.5, top + 6)
        notch.line(bar.left - 0.5, top + 9).close()


def _name_longest(canvas: Canvas, written: Longs, drawn: list[Bar], usual: int, scale: Scale, theme: Theme) -> None:
    longest = max(drawn, key=lambda bar: int(written[bar.largest]))
    rows = int(written[longest.largest])
    if rows <= usual * CUT:
        return
    style = Type(10, theme.ink_2)
    said = formats.compact(rows)
    wide = style.width(said) + 4
    x = longest.right + 3 if longest.right + wide <= scale.right else longest.left - wide + 1
    if x >= scale.left:
        box = Box(x - 1, BARS_TOP - 2, x + wide - 3, BARS_TOP + 10)
        canvas.path("page", _inks(theme)[3]).box(box)
        canvas.text("page", x, BARS_TOP + 4, said, style, "start")
