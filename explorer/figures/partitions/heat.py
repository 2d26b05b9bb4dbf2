"""The cells: what each row holds after the commits of each column, darker for more; what is not known stays hatched."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Self

import numpy as np

from ...model.arrays import Flags, Longs
from ...model.partitions import words
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.theme import Theme
from . import hits
from .layout import SMALL, Page, runs

_SKEWED = 30  # times the median, from where on equal steps would leave most cells in the lightest shade
_LINE = 12.5  # pixels from one name to the next
_GAP = 4.0  # pixels of a row or a column, from where on cells stand apart


@dataclass(frozen=True)
class Scale:
    """Which shade a value has.

    Attributes:
        least, most: what the lightest shade begins with, and the darkest ends with.
        steps: shades of values above 0; `by_ratio` if each covers as many times as much as the one before.
        has_zero: whether the lightest shade of all is for 0.
    """

    least: int
    most: int
    steps: int
    by_ratio: bool
    has_zero: bool

    @classmethod
    def of(cls, values: Longs, shades: int) -> Self:
        """Of these values, of which those that no cell shows are left out."""
        positive = values[values > 0]
        has_zero = bool((values == 0).any())
        if not len(positive):
            return cls(0, 0, 0, False, has_zero)
        least, most = int(positive.min()), int(positive.max())
        by_ratio = most > _SKEWED * float(np.median(positive))
        steps = 1 if least == most else min(shades - has_zero, most)
        return cls(least if by_ratio else 0, most, steps, by_ratio, has_zero)

    @property
    def times(self) -> float:
        """How much more each shade is than the one before, where it is by ratio."""
        return float((self.most / self.least) ** (1 / self.steps))

    def shades(self, values: Longs) -> Longs:
        """From 0; 0 itself is -1."""
        if not self.steps:
            return np.full(values.shape, -1, dtype=np.int64)
        if self.by_ratio:
            share = np.log(np.maximum(values, 1) / self.least) / math.log(self.most / self.least)
            found = np.floor(share * self.steps)
        else:
            found = np.ceil(values / self.most * self.steps) - 1
        return np.where(values > 0, np.clip(found, 0, self.steps - 1), -1).astype(np.int64)

    def colour(self, shade: int, theme: Theme) -> str:
        """The colours are as far apart as their number allows."""
        if shade < 0:  # nearly the page in either theme, so that one is told from none
            return theme.grid
        first = 1 if self.has_zero else 0
        room = len(theme.heat) - 1 - first
        return theme.heat[-1] if self.steps == 1 else theme.heat[first + round(shade / (self.steps - 1) * room)]


def draw(page: Page, scale: Scale) -> None:
    """Draw cells, names and what answers the pointer; the page's `top` is set."""
    layout = page.layout
    values, files, known = layout.values, layout.found.sums.files, layout.known
    shades = scale.shades(values)
    for row in range(len(layout.names)):
        box = page.row(row)
        gap = 1.0 if layout.height >= _GAP else 0.0
        is_drawn = (files[row] > 0) & (known >= 0)
        for first, end in runs(is_drawn):
            edges = [first, *(np.flatnonzero(np.diff(shades[row, first:end])) + first + 1).tolist(), end]
            for start, stop in itertools.pairwise(edges):
                colour = scale.colour(int(shades[row, start]), page.theme)
                page.path(Ink(fill=colour)).box(Box(layout.x(start), box.top, layout.x(stop), box.bottom - gap))
        _add_targets(page, row, is_drawn)
    if layout.step > _GAP + 1:
        lines = page.path(Ink(page.theme.page, 1))
        for column in range(1, len(known)):
            lines.move(layout.x(column), page.row(0).top).line(layout.x(column), page.top + layout.bottom)
    _draw_holes(page)
    _draw_names(page)


def _add_targets(page: Page, row: int, is_drawn: Flags) -> None:
    """A target for each stretch of columns in which nothing changed, and one for the name."""
    layout, box = page.layout, page.row(row)
    changed, together = layout.found.changed_by[row], layout.columns_of_a_target
    latest = np.maximum.accumulate(changed)
    for first, end in runs(is_drawn):
        begins = np.flatnonzero(changed[first + 1 : end] >= 0) + first + 1
        begins = np.unique(begins - begins % together) if together > 1 else begins
        for start, stop in itertools.pairwise([first, *(n for n in begins.tolist() if n > first), end]):
            by = int(latest[stop - 1])
            page.cells.append(
                Rectangle(
                    Box(layout.x(start), box.top, layout.x(stop), box.bottom),
                    meaning=hits.cell_meaning(layout, row, by),
                    hover=hits.cell(layout, row, stop - 1, by),
                )
            )
    name = Box(20, box.top, layout.left - 4, box.bottom)
    page.cells.append(Rectangle(name, meaning=hits.row_meaning(layout, row), hover=hits.row(layout, row)))


def _draw_holes(page: Page) -> None:
    layout, theme = page.layout, page.theme
    for first, end in runs(layout.known < 0):
        box = Box(layout.x(first), page.row(0).top, layout.x(end), page.top + layout.bottom)
        page.fills.append(Rectangle(box, stroke=theme.kept_outline, stroke_width=1, hatch=theme.edge))
        page.cells.append(Rectangle(box, hover=hits.hole(layout, first, end)))


def _draw_names(page: Page) -> None:
    """As many names as have room; that of the finding always."""
    layout, theme = page.layout, page.theme
    odd = layout.odd
    order = [] if odd is None else [odd]
    every = max(math.ceil(_LINE / layout.height), 1)
    order += [row for row in range(0, len(layout.names), every) if row != odd]
    for row in order:
        box = page.row(row)
        y = (box.top + box.bottom) / 2
        style = Type(SMALL, theme.attention.text if row == odd else theme.ink_2, bold=row == odd)
        name = page.canvas.fitting([layout.names[row]], style, layout.left - 28)
        page.canvas.try_text([(layout.left - 8, y)], name, style, "end", plane="page", room=0)
    several = len({spec for spec, _ in layout.facts.partitions}) > 1
    for row, spec in layout.specs.items():
        fields = words.spec_name(layout.facts, spec)
        said = [f"spec {spec}: {fields}", f"spec {spec}"] if several else [fields]
        page.fit(20, page.row(row).top - 12, said, Type(SMALL, theme.ink_3, bold=True), layout.right - 20)
