"""What a page shows besides paths and words: markers, rectangles, and places that only answer the pointer."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from .canvas import AXES, Box, Canvas, Plane
from .theme import CLEAR

_WIDEST_TARGET = 24.0


@dataclass(slots=True)
class Marks:
    """Markers of one trace on one plane, x in page pixels."""

    plane: Plane
    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    symbol: list[str] = field(default_factory=list)
    size: list[float] = field(default_factory=list)
    fill: list[str] = field(default_factory=list)
    stroke: list[str] = field(default_factory=list)
    stroke_width: list[float] = field(default_factory=list)

    def add(
        self, x: float, y: float, symbol: str, size: float, fill: str, stroke: str = CLEAR, stroke_width: float = 0
    ) -> None:
        """One marker."""
        self.x.append(x)
        self.y.append(y)
        self.symbol.append(symbol)
        self.size.append(size)
        self.fill.append(fill)
        self.stroke.append(stroke)
        self.stroke_width.append(stroke_width)

    def trace(self, canvas: Canvas) -> dict[str, Any]:
        """A scatter trace of markers; hover and click are left to the targets."""
        return {
            "type": "scatter",
            "mode": "markers",
            "xaxis": AXES[self.plane][0],
            "yaxis": AXES[self.plane][1],
            "x": self.x if self.plane == "page" else [canvas.column(x) for x in self.x],
            "y": self.y,
            "marker": {
                "symbol": self.symbol or "circle",
                "size": self.size or 1,
                "color": self.fill or CLEAR,
                "opacity": 1,
                "line": {"color": self.stroke or CLEAR, "width": self.stroke_width or 0},
            },
            "hoverinfo": "skip",
        }


@dataclass(slots=True)
class Targets:
    """Invisible places that answer the pointer, with hover text and what a click means.

    They are 24 pixels wide, less where the next one is nearer: plotly takes the last of those that the pointer is
    inside of, and the nearest within 20 pixels where it is inside of none.
    """

    x: list[float] = field(default_factory=list)
    y: list[float] = field(default_factory=list)
    meaning: list[str] = field(default_factory=list)
    hover: list[str] = field(default_factory=list)
    plane: Plane = "detail"

    def add(self, x: float, y: float, meaning: str, hover: str) -> None:
        """One target; `meaning` is what `clicked` reads."""
        self.x.append(x)
        self.y.append(y)
        self.meaning.append(meaning)
        self.hover.append(hover)

    def _sizes(self) -> list[float]:
        order = sorted(range(len(self.x)), key=lambda i: (self.y[i], self.x[i]))
        sizes = [_WIDEST_TARGET] * len(order)
        for left, right in itertools.pairwise(order):
            if self.y[left] == self.y[right]:
                apart = max(self.x[right] - self.x[left], 6.0)
                sizes[left], sizes[right] = min(sizes[left], apart), min(sizes[right], apart)
        return sizes

    def trace(self, canvas: Canvas) -> dict[str, Any]:
        """A scatter trace whose customdata are strings, since a number this large is rounded in a browser."""
        return {
            "type": "scatter",
            "mode": "markers",
            "xaxis": AXES[self.plane][0],
            "yaxis": AXES[self.plane][1],
            "x": self.x if self.plane == "page" else [canvas.column(x) for x in self.x],
            "y": self.y,
            "marker": {
                "symbol": "circle",
                "size": self._sizes() or _WIDEST_TARGET,
                "color": CLEAR,
                "opacity": 1,
                "line": {"color": CLEAR, "width": 0},
            },
            "customdata": self.meaning,
            "hovertext": self.hover,
            "hoverinfo": "text",
        }


@dataclass(slots=True)
class Blocks:
    """Rectangles of one trace on the page plane; later ones lie above earlier ones, and all above shapes."""

    boxes: list[Box] = field(default_factory=list)
    fill: list[str] = field(default_factory=list)
    stroke: list[str] = field(default_factory=list)
    stroke_width: list[float] = field(default_factory=list)
    hatch: list[str] = field(default_factory=list)
    meaning: list[str] = field(default_factory=list)
    hover: list[str] = field(default_factory=list)

    def add(
        self,
        box: Box,
        fill: str = CLEAR,
        stroke: str = CLEAR,
        stroke_width: float = 0,
        *,
        hatch: str = "",
        meaning: str = "",
        hover: str = "",
    ) -> None:
        """One rectangle; `hatch` colours its strokes, on whatever lies below; `meaning` is what a click says."""
        self.boxes.append(box)
        self.fill.append(hatch or fill)
        self.stroke.append(stroke)
        self.stroke_width.append(stroke_width)
        self.hatch.append(hatch)
        self.meaning.append(meaning)
        self.hover.append(hover)

    def trace(self, *, answers: bool) -> dict[str, Any]:
        """A bar trace; `answers` says whether the pointer finds it."""
        return {
            "type": "bar",
            "xaxis": "x",
            "yaxis": "y",
            "x": [(b.left + b.right) / 2 for b in self.boxes],
            "y": [b.bottom - b.top for b in self.boxes],
            "base": [b.top for b in self.boxes],
            "width": [b.right - b.left for b in self.boxes] or 1,
            "marker": {
                "color": self.fill or CLEAR,
                "line": {"color": self.stroke or CLEAR, "width": self.stroke_width or 0},
                "pattern": {
                    "shape": ["/" if colour else "" for colour in self.hatch] or "",
                    "fillmode": "replace",
                    "fgcolor": [colour or CLEAR for colour in self.hatch] or CLEAR,
                    "size": 5.5,
                    "solidity": 0.2,
                },
            },
            "customdata": self.meaning,
            "hovertext": self.hover,
            "hoverinfo": "text" if answers else "skip",
        }
