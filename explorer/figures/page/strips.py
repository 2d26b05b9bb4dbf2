"""A partition as a strip over sequence numbers: data files, darker where there are more, and fronts of deletes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

from .scene import Box, Ink
from .sheet import Sheet
from .theme import blend

TICK = 11.0
_SHADES = (0.22, 0.42, 0.65, 1.0)

Reach = Literal["reaching", "dangling", "unknown"]
"""What a front comes to: full height, half height, dashed."""


def draw_numbers(sheet: Sheet, strip: Box, bins: Mapping[int, int], wide: float, most: int) -> None:
    """Data files in bins of so many pixels, by the place of the bin; one path a shade, the darkest for `most`."""
    steep = math.log(max(most, 2))
    for place, files in bins.items():
        level = min(int(math.log(max(files, 1)) / steep * len(_SHADES)), len(_SHADES) - 1)
        fill = blend(sheet.theme.ink_3, sheet.theme.page, _SHADES[level] * 0.8)
        left = strip.left + place * wide
        box = Box(left, strip.top, min(left + wide, strip.right), strip.bottom)
        sheet.path(Ink(fill=fill, overlaps=True)).box(box)


def draw_fronts(sheet: Sheet, y: float, fronts: Iterable[tuple[float, Reach]]) -> None:
    """A tick that stands on y for each front; each pixel once."""
    for x, reach in {(round(x), reach): (x, reach) for x, reach in fronts}.values():
        draw_front(sheet, x, y, reach)


def draw_front(sheet: Sheet, x: float, y: float, reach: Reach) -> None:
    """One tick."""
    theme = sheet.theme
    colours = {"reaching": theme.removed.fill, "dangling": theme.attention.fill, "unknown": theme.error}
    dash = "2px,2px" if reach == "unknown" else "solid"
    tall = TICK / 2 if reach == "dangling" else TICK
    sheet.path(Ink(colours[reach], 1.4, dash=dash)).move(x, y).line(x, y - tall)
