"""A page that is read from top to bottom: finding, circumstances, key, pictures, and what follows; nothing on it pans.

It is measured in pixels, and its height follows from its contents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import plotly.graph_objects as go

from .canvas import Box, Canvas, Ink, Path, Type
from .hits import Selection
from .marks import Blocks, Marks, Targets
from .theme import Theme, template

TRACES = ("fills", "cells", "symbols", "words", "targets", "ring", "elsewhere")
TRACES_WITH_CHECKLIST = (*TRACES, "checklist")  # in whose last one the selection says more


@dataclass(slots=True, kw_only=True)
class Sheet:
    """Everything that is drawn on one page.

    Attributes:
        fills: rectangles that are only seen; `cells` answer the pointer and lie above them.
        symbols: markers that are only seen.
        targets: places that answer the pointer without being seen.
        footnotes: sentences for the foot, on what the marks alone do not say.
        places: where what can be selected is drawn, by its name: boxes, for the ring of the selection.
    """

    theme: Theme
    width: int
    canvas: Canvas
    fills: Blocks = field(default_factory=Blocks)
    cells: Blocks = field(default_factory=Blocks)
    symbols: Marks = field(default_factory=lambda: Marks("page"))
    targets: Targets = field(default_factory=lambda: Targets(plane="page"))
    footnotes: list[str] = field(default_factory=list)
    places: dict[str, list[list[float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, theme: Theme, width: int, **more: Any) -> Self:
        """An empty page of at least 720 pixels; `more` are the attributes that a kind of page has besides."""
        wide = max(width, 720)
        return cls(theme=theme, width=wide, canvas=Canvas(0, wide, (0, wide)), **more)

    def text(self, x: float, y: float, plain: str, style: Type) -> Box:
        """A text that begins at x."""
        return self.canvas.text("page", x, y, plain, style, "start")

    def fit(self, x: float, y: float, candidates: Sequence[str], style: Type, room: float) -> str:
        """The longest wording that has room, beginning at x."""
        words = self.canvas.fitting(candidates, style, room)
        self.text(x, y, words, style)
        return words

    def path(self, ink: Ink) -> Path:
        """The path of an ink."""
        return self.canvas.path("page", ink)

    def place(self, name: str, box: Box) -> None:
        """Remember where something is drawn that can be selected."""
        self.places.setdefault(name, []).append([round(edge, 1) for edge in box])

    def unreadable(self, box: Box, lines: Sequence[str], style: Type) -> None:
        """A place where something is missing, and why."""
        self.path(Ink(self.theme.edge, 1.4, self.theme.page, dash="2px,3px")).box(box)
        y = (box.top + box.bottom) / 2 - 8.5 * (len(lines) - 1)
        for line in lines:
            self.text(box.left + 12, y, line, style)
            y += 17

    def traces(self) -> dict[str, dict[str, Any]]:
        """All traces of `TRACES` but those of the selection."""
        return {
            "fills": self.fills.trace(answers=False),
            "cells": self.cells.trace(answers=True),
            "symbols": self.symbols.trace(self.canvas),
            "words": self.canvas.text_trace("page"),
            "targets": self.targets.trace(self.canvas),
        }

    def figure(
        self,
        names: Sequence[str],
        traces: Mapping[str, Mapping[str, Any]],
        height: float,
        meta: Mapping[str, Any],
        chosen: Selection,
    ) -> go.Figure:
        """The page as a figure.

        Args:
            names: of its traces, in their order.
            traces: by name; those of the selection are taken from `chosen`.
            height: of the page.
            meta: what is read of the figure when something else is selected.
            chosen: the marks of what is selected; its first shape lies below all others.
        """
        every = {**traces, **{names[i]: trace for i, trace in chosen.traces.items()}}
        return go.Figure(
            {
                "data": [{"name": name, "showlegend": False, **every[name]} for name in names],
                "layout": self._layout(height, meta, chosen.first_shape),
            },
            _validate=False,  # which takes four times as long as all the rest; tests validate
        )

    def _layout(self, height: float, meta: Mapping[str, Any], first_shape: Mapping[str, Any]) -> dict[str, Any]:
        hidden = {"visible": False, "showgrid": False, "zeroline": False, "autorange": False, "fixedrange": True}
        return {
            "template": template(self.theme),
            "width": self.width,
            "height": round(height),
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            "barmode": "overlay",
            "hovermode": "closest",
            "dragmode": False,
            "showlegend": False,
            "meta": dict(meta),
            "shapes": [dict(first_shape), *self.canvas.shapes()],
            "xaxis": {**hidden, "domain": [0, 1], "range": [0, self.width], "anchor": "y"},
            "yaxis": {**hidden, "domain": [0, 1], "range": [round(height), 0], "anchor": "x"},
        }
