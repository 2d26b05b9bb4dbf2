"""A page that is read from top to bottom: finding, circumstances, key, pictures, and what follows; nothing on it pans.

It is measured in pixels, and its height follows from its contents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from .canvas import Canvas, Path
from .plane import Plane
from .scene import Box, Ink, Layer, Mark, Rectangle, Rectangles, Scene, Target, Type
from .theme import Theme

LEAST_WIDTH = 560  # pixels
LAYERS = ("fills", "cells", "symbols", "words", "targets", "ring", "elsewhere")
LAYERS_WITH_CHECKLIST = (*LAYERS, "checklist")  # in whose last one the selection says more


@dataclass(slots=True, kw_only=True)
class Sheet:
    """Everything that is drawn on one page, until it is a scene.

    Attributes:
        fills: rectangles that are only seen; `cells` answer the pointer and lie above them.
        symbols: markers that are only seen.
        targets: places that answer the pointer without being seen.
        footnotes: sentences for the foot, on what the marks alone do not say.
        title: the finding, for those who do not see the picture; `account` what follows from it, sentence by sentence.
        places: where what can be selected is drawn, by its name: boxes, for the ring of the selection.
    """

    theme: Theme
    width: int
    canvas: Canvas
    fills: list[Rectangle] = field(default_factory=list)
    cells: list[Rectangle] = field(default_factory=list)
    symbols: list[Mark] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    title: str = ""
    account: list[str] = field(default_factory=list)
    places: dict[str, list[list[float]]] = field(default_factory=dict)

    @classmethod
    def of(cls, theme: Theme, width: int, **more: Any) -> Self:
        """An empty page of at least 560 pixels; `more` are the attributes that a kind of page has besides."""
        wide = max(width, LEAST_WIDTH)
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

    # --- as a value

    def layers(self) -> tuple[Layer, ...]:
        """What stays as it is whatever is selected, from the lowest up."""
        return (
            Rectangles("fills", "page", tuple(self.fills), answers=False),
            Rectangles("cells", "page", tuple(self.cells), answers=True),
            self.canvas.marks("symbols", "page", self.symbols),
            self.canvas.texts("words", "page"),
            self.canvas.targets("targets", "page", self.targets),
        )

    def planes(self, height: int) -> tuple[Plane, ...]:
        """The page of this height."""
        size = self.width, height
        return (Plane("page", size, (0, 1), (0, 1), (0, self.width), (height, 0)),)

    def scene(self, height: float, meta: Mapping[str, Any]) -> Scene:
        """Everything that was drawn, with nothing selected; `meta` is what `selection` reads of it."""
        high = round(height)
        return Scene(
            width=self.width,
            height=high,
            theme=self.theme,
            summary=self.title,
            account=tuple(self.account),
            planes=self.planes(high),
            shapes=self.canvas.shapes(),
            drawn=self.layers(),
            meta=meta,
        )
