"""A page that is read from top to bottom: finding, circumstances, key, pictures, and what follows; nothing on it pans.

It is measured in pixels, and its height follows from its contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import plotly.graph_objects as go

from . import text
from .blocks import Blocks
from .canvas import Box, Canvas, Ink, Path, Type
from .hits import Selection
from .marks import Marks, Targets
from .theme import Theme, blend, template

TRACES = ("fills", "cells", "symbols", "words", "targets", "ring", "elsewhere")
TRACES_WITH_CHECKLIST = (*TRACES, "checklist")  # in whose last one the selection says more
_MODE_BAR = 190  # pixels at the right of the first line, where plotly shows its buttons under the pointer

KeyEntry = tuple[str, Callable[[Box], None]]


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

    def heading(self, title: str, parts: Sequence[str], evidence: tuple[str, str]) -> float:
        """Title and second line from the top of the page; the page pixel where they end.

        Args:
            title: the finding.
            parts: of the second line; the last one may be the phrase of the evidence, whose word gets its colour.
            evidence: the word and the phrase that begins with it.
        """
        theme, y = self.theme, 26.0
        for line in text.wrap(title, 17, self.width - 40 - _MODE_BAR, bold=True, lines=3):
            self.text(20, y, line, Type(17, theme.ink, bold=True))
            y += 23
        for line in text.wrap_parts(list(parts), " · ", 12.5, self.width - 50):
            style = Type(12.5, theme.ink_2)
            self.canvas.text("page", 20, y, line, style, "start", markup=self._with_evidence(line, *evidence))
            y += 18
        return y

    def _with_evidence(self, line: str, word: str, phrase: str) -> str:
        escaped = text.escape(line)
        if not line.endswith(phrase):
            return escaped
        theme = self.theme
        colour = {"exact": theme.ok, "inferred": theme.attention.text, "unknown": theme.error}[word]
        head = escaped[: len(escaped) - len(text.escape(phrase))]
        return f'{head}<span style="color:{colour}"><b>{word}</b></span>{text.escape(phrase[len(word) :])}'

    def strip(self, warning: str, y: float) -> float:
        """What must not be overlooked, on a strip with a mark; the page pixel where it ends."""
        theme = self.theme
        lines = text.wrap(warning, 12.5, self.width - 90)
        box = Box(16, y, self.width - 16, y + 12 + 18 * len(lines))
        self.path(Ink(fill=blend(theme.attention.fill, theme.page, 0.16))).box(box)
        self.path(Ink(fill=theme.attention.fill)).box(Box(box.left, box.top, box.left + 5, box.bottom))
        self.path(Ink(fill=theme.attention.fill)).box(Box(30, y + 6, 46, y + 24), 3)
        self.canvas.text("page", 38, y + 15, "!", Type(12, theme.attention.on_fill, bold=True))
        for i, line in enumerate(lines):
            self.text(56, y + 15 + 18 * i, line, Type(12.5, theme.ink))
        return box.bottom + 6

    def key(self, entries: Iterable[KeyEntry], y: float) -> float:
        """What occurs and no more, in as many lines as it takes; the page pixel where it ends."""
        x, style, any_drawn = 20.0, Type(12, self.theme.ink_2), False
        for words, swatch in entries:
            wide = 27 + style.width(words)
            if x > 20 and x + wide > self.width - 16:
                x, y = 20.0, y + 20
            swatch(Box(x, y - 6, x + 19, y + 6))
            self.text(x + 27, y, words, style)
            x, any_drawn = x + wide + 20, True
        return y + 16 if any_drawn else y - 6

    def swatch(self, fill: str, stroke: str = "", *, hatch: str = "") -> Callable[[Box], None]:
        """A rectangle for the key."""
        return lambda box: self.fills.add(box, fill, stroke or fill, 1.2, hatch=hatch)

    def foot(self, sentences: Sequence[str], small: Sequence[str], top: float) -> float:
        """What follows, how to read the picture, what is not known; the page pixel where it ends."""
        theme, room, y = self.theme, self.width - 50, top + 14
        for i, sentence in enumerate(sentences):
            style = Type(13, theme.ink if i == 0 else theme.ink_2)
            for line in text.wrap(sentence, 13, room):
                self.text(20, y, line, style)
                y += 19
        y += 4 if sentences else 0
        for words in filter(None, [" ".join(self.footnotes), *small]):
            for line in text.wrap(words, 11, room, lines=4):
                self.text(20, y, line, Type(11, theme.ink_3))
                y += 16
        return y + 2

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
