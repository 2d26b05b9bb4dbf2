"""The running totals as lines, each on a scale of its own, with its last value; holes where nothing is known."""

from __future__ import annotations

import numpy as np

from ...model import formats
from ...model.arrays import NULL, Longs
from ...model.overview import words
from ...model.overview.facts import Overview
from ..page.canvas import Canvas, Path
from ..page.scene import Box, Ink, Type
from ..page.theme import Theme
from .layout import FRAME_BOTTOM, FRAME_TOP, LINES, NAMES, Numbers, Scale

_STEPS = 3.0  # pixels between commits, below which a step is drawn as a slope
_LEAST_SPAN = 0.1  # of the largest value: a line does not make mountains of less


def draw(canvas: Canvas, overview: Overview, scale: Scale, theme: Theme) -> None:
    """Lines, their names and last values, and what is missing."""
    _draw_holes(canvas, overview, scale, theme)
    colours = (theme.ink_2, theme.ink_2, theme.removed.text)
    last = words.last_totals(overview)
    for i, (name, column) in enumerate(zip(words.TOTALS, words.totals(overview), strict=True)):
        top, bottom = LINES[i]
        middle = (top + bottom) / 2
        canvas.text("page", NAMES, middle, name, Type(10.5, theme.ink_3), "start")
        canvas.path("page", Ink(theme.grid, 1)).move(scale.left, bottom + 1).line(scale.right, bottom + 1)
        if last[i] is not None:
            style = Type(11, theme.ink, bold=True)
            canvas.text("page", scale.right + 10, middle, formats.compact(last[i]), style, "start")
        known = np.flatnonzero(overview.on_line & (column != NULL))
        if len(known):
            _draw_line(canvas.path("page", Ink(colours[i], 1.2)), overview, column, known, scale, (top, bottom))
        elif overview.count:
            canvas.text("page", float(scale.edges[0]) + 6, middle, "not recorded", Type(10, theme.ink_3), "start")


def _draw_holes(canvas: Canvas, overview: Overview, scale: Scale, theme: Theme) -> None:
    style = Type(10, theme.ink_3)
    for (first, last, _), (left, right) in zip(overview.holes, scale.holes, strict=True):
        hatch = canvas.path("page", Ink(theme.grid, 1.2))
        high = FRAME_BOTTOM - FRAME_TOP
        x = left - high + 4
        while x < right:
            start, end = max(x, left), min(x + high, right)
            hatch.move(start, FRAME_BOTTOM - (start - x)).line(end, FRAME_BOTTOM - (end - x))
            x += 8
        for said in (f"{formats.span(first, last)} expired", "expired"):
            if style.width(said) + 8 <= right - left:
                middle, y = (left + right) / 2, (LINES[1][0] + LINES[1][1]) / 2
                half = style.width(said) / 2 + 3
                canvas.path("page", Ink(fill=theme.page)).box(Box(middle - half, y - 7, middle + half, y + 7))
                canvas.text("page", middle, y, said, style)
                break


def _draw_line(
    path: Path, overview: Overview, column: Longs, known: Longs, scale: Scale, rows: tuple[float, float]
) -> None:
    values = column[known].astype(np.float64)
    top, bottom = rows
    high = values.max()
    low = min(values.min(), high * (1 - _LEAST_SPAN))
    y = bottom - (values - low) / ((high - low) or 1.0) * (bottom - top)
    x = scale.middles[known]
    breaks = _breaks(overview, known)
    for start, end in zip(np.append(0, breaks).tolist(), np.append(breaks, len(known)).tolist(), strict=True):
        ends = float(scale.edges[known[start]]), float(scale.rights[known[end - 1]])
        _draw_part(path, x[start:end], y[start:end], ends)


def _breaks(overview: Overview, known: Longs) -> Longs:
    """Where a line is broken: places in `known` before which a commit of the line has expired or tells no total."""
    line = np.flatnonzero(overview.on_line)
    place = np.searchsorted(line, known)
    parents = [overview.graph.nodes[i].parent_state == "expired" for i in known.tolist()]
    found: Longs = np.flatnonzero((np.diff(place) > 1) | np.array(parents[1:], dtype=bool)) + 1
    return found


def _draw_part(path: Path, x: Numbers, y: Numbers, ends: tuple[float, float]) -> None:
    """One unbroken stretch; where commits are denser than pixels, the least and the largest of each pixel."""
    path.move(ends[0], float(y[0]))
    if len(x) < 2 or (x[-1] - x[0]) / (len(x) - 1) >= _STEPS:
        for i in range(len(x)):
            path.line(float(x[i]), float(y[i - 1] if i else y[0])).line(float(x[i]), float(y[i]))
    else:
        pixel = np.floor(x).astype(np.int64)
        starts = np.flatnonzero(np.append(True, np.diff(pixel) > 0))
        least, most = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
        for at, upper, lower, last in zip(
            x[starts].tolist(),
            least.tolist(),
            most.tolist(),
            y[np.append(starts[1:], len(y)) - 1].tolist(),
            strict=True,
        ):
            for each in dict.fromkeys((upper, lower, last)):
                path.line(at, each)
    path.line(ends[1], float(y[-1]))
