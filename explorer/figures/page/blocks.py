"""Rectangles that can be hatched or answer the pointer over their whole area: bars, placed in page pixels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .canvas import Box
from .theme import CLEAR


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
