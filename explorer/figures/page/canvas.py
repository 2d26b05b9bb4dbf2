"""What is drawn on while a picture is laid out: paths, words, and places that no label may cover.

Everything is given in page pixels from the upper left corner, also on the plane `detail`, whose columns come with the
scene. Equal shapes become one path, since plotly's cost is by element.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from . import text as texts
from .plane import PlaneName
from .scene import Anchor, Bar, Bars, Box, Ink, Mark, Marks, Shape, Span, Step, Target, Targets, Text, Texts, Type

Placed = TypeVar("Placed", Text, Mark, Target, Bar)


@dataclass(slots=True)
class Path:
    """A path in page pixels; only absolute commands, since plotly draws nothing for relative ones."""

    steps: list[Step] = field(default_factory=list)

    def move(self, x: float, y: float) -> Path:
        """Start a stroke."""
        self.steps.append(("M", (x, y)))
        return self

    def line(self, x: float, y: float) -> Path:
        """A straight stroke."""
        self.steps.append(("L", (x, y)))
        return self

    def curve(self, *xy: float) -> Path:
        """A cubic stroke: two handles and the end, six numbers."""
        self.steps.append(("C", xy))
        return self

    def close(self) -> Path:
        """Back to where the stroke started."""
        self.steps.append(("Z", ()))
        return self

    def box(self, box: Box, radius: float = 0) -> Path:
        """A closed rectangle, with rounded corners if a radius is given."""
        left, top, right, bottom = box
        if not radius:
            return self.move(left, top).line(right, top).line(right, bottom).line(left, bottom).close()
        r = min(radius, (right - left) / 2, (bottom - top) / 2)
        k = r * 0.448  # what a cubic leaves of a quarter circle's radius
        self.move(left + r, top).line(right - r, top).curve(right - k, top, right, top + k, right, top + r)
        self.line(right, bottom - r).curve(right, bottom - k, right - k, bottom, right - r, bottom)
        self.line(left + r, bottom).curve(left + k, bottom, left, bottom - k, left, bottom - r)
        return self.line(left, top + r).curve(left, top + k, left + k, top, left + r, top).close()


class Canvas:
    """Paths and words as they are drawn; later paths lie above earlier ones, and words above all paths.

    Args:
        left: page pixel where the detail plane begins; `right` where it ends.
        window: columns at those two places.
    """

    def __init__(self, left: float, right: float, window: tuple[float, float]) -> None:
        self.left, self.right, self.window = left, right, window
        self._columns_per_pixel = (window[1] - window[0]) / (right - left)
        self._paths: dict[tuple[PlaneName, Ink], Path] = {}
        self._texts: dict[PlaneName, list[Text]] = {"page": [], "detail": []}
        self._taken: dict[int, list[Box]] = {}

    def column(self, x: float) -> float:
        """The column at a page pixel."""
        return self.window[0] + (x - self.left) * self._columns_per_pixel

    def x(self, column: float) -> float:
        """The page pixel of a column."""
        return self.left + (column - self.window[0]) / self._columns_per_pixel

    def path(self, plane: PlaneName, ink: Ink) -> Path:
        """The path that collects everything drawn with this ink."""
        return self._paths.setdefault((plane, ink), Path())

    def fitting(self, candidates: Iterable[str], style: Type, room: float) -> str:
        """The first of several wordings that is at most `room` pixels wide, else the last one, cut."""
        last = ""
        for last in candidates:
            if style.width(last) <= room:
                return last
        return texts.shorten(last, style.size, room, bold=style.bold, mono=style.mono)

    def take(self, box: Box) -> None:
        """Reserve a place that no label may cover."""
        for stripe in range(int(box.top) // 32, int(box.bottom) // 32 + 1):
            self._taken.setdefault(stripe, []).append(box)

    def keep_off_curve(self, *points: float) -> None:
        """Reserve a cubic stroke: start, two handles and end, eight numbers."""
        for i in range(1, 24):
            t = i / 24
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            x = a * points[0] + b * points[2] + c * points[4] + d * points[6]
            y = a * points[1] + b * points[3] + c * points[5] + d * points[7]
            self.take(Box(x - 2, y - 1.5, x + 2, y + 1.5))

    def arrow(self, plane: PlaneName, colour: str, points: tuple[float, ...]) -> None:
        """A cubic stroke, with a head at its end that points the way it arrives; its place is reserved."""
        x, y = points[6:8]
        angle = math.atan2(y - points[5], x - points[4])
        back = (x - 8 * math.cos(angle), y - 8 * math.sin(angle))
        self.path(plane, Ink(colour, 1.5)).move(*points[:2]).curve(*points[2:6], *back)
        across = (-4.2 * math.sin(angle), 4.2 * math.cos(angle))
        head = self.path(plane, Ink(fill=colour)).move(x, y)
        head.line(back[0] + across[0], back[1] + across[1]).line(back[0] - across[0], back[1] - across[1]).close()
        self.take(Box(min(x, back[0]) - 3, min(y, back[1]) - 3, max(x, back[0]) + 3, max(y, back[1]) + 3))
        self.keep_off_curve(*points)

    def is_free(self, box: Box) -> bool:
        """Whether nothing reserved is there."""
        stripes = range(int(box.top) // 32, int(box.bottom) // 32 + 1)
        return not any(box.meets(other) for stripe in stripes for other in self._taken.get(stripe, ()))

    def text(
        self,
        plane: PlaneName,
        x: float,
        y: float,
        plain: str,
        style: Type,
        anchor: Anchor = "middle",
        spans: Sequence[Span] = (),
    ) -> Box:
        """Set a text with its middle line at y, whatever lies there, and reserve its place.

        Where some of its words stand out, `spans` are the same words. No words are no text: plotly takes the element
        of an empty one away, and when the figure is drawn anew shows nothing of the text that comes to its place.
        """
        box = self.box_of(x, y, plain, style, anchor)
        self.take(box)
        if plain:
            self._texts[plane].append(Text(x, y, tuple(spans) or (Span(plain),), style, anchor))
        return box

    def box_of(self, x: float, y: float, plain: str, style: Type, anchor: Anchor = "middle") -> Box:
        """Where a text would lie."""
        wide = style.width(plain)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        return Box(left, y - style.size * 0.62, left + wide, y + style.size * 0.62)

    def try_text(
        self,
        places: Iterable[tuple[float, float]],
        plain: str,
        style: Type,
        anchor: Anchor = "middle",
        plane: PlaneName = "detail",
        room: float = 3,
    ) -> bool:
        """Set a text at the first place that is free (with `room` pixels at its sides) and inside the detail plane."""
        for x, y in places:
            box = self.box_of(x, y, plain, style, anchor)
            inside = plane == "page" or (box.left >= self.left and box.right <= self.right)
            if inside and self.is_free(Box(box.left - room, box.top, box.right + room, box.bottom)):
                self.text(plane, x, y, plain, style, anchor)
                return True
        return False

    # --- as values

    def shapes(self) -> tuple[Shape, ...]:
        """Shapes, one for each plane and ink."""
        drawn = ((plane, ink, path.steps) for (plane, ink), path in self._paths.items() if path.steps)
        return tuple(
            Shape(plane, ink, tuple(steps if plane == "page" else self._in_columns(steps)))
            for plane, ink, steps in drawn
        )

    def _in_columns(self, steps: Iterable[Step]) -> Iterable[Step]:
        scale = self._columns_per_pixel
        start = self.window[0] - self.left * scale
        for command, xy in steps:
            yield command, tuple([value if i % 2 else start + value * scale for i, value in enumerate(xy)])

    def texts(self, name: str, plane: PlaneName) -> Texts:
        """All words on a plane."""
        return Texts(name, plane, self._placed(plane, self._texts[plane]))

    def marks(self, name: str, plane: PlaneName, marks: Iterable[Mark]) -> Marks:
        """Marks that were given in page pixels."""
        return Marks(name, plane, self._placed(plane, marks))

    def bars(self, name: str, bars: Iterable[Bar], ground: str) -> Bars:
        """Bars of the detail, given in page pixels."""
        scale = self.column(1) - self.column(0)
        sized = [bar._replace(width=bar.width * scale) for bar in bars]
        return Bars(name, "detail", self._placed("detail", sized), ground)

    def targets(self, name: str, plane: PlaneName, targets: Sequence[Target]) -> Targets:
        """Targets that were given in page pixels, smaller where the next one is near.

        Plotly takes the last of those that the pointer is inside of, and the nearest within 20 pixels where it is
        inside of none.
        """
        sizes = [target.size for target in targets]
        order = sorted(range(len(targets)), key=lambda i: (targets[i].y, targets[i].x))
        for left, right in itertools.pairwise(order):
            if targets[left].y == targets[right].y:
                apart = max(targets[right].x - targets[left].x, 6.0)
                sizes[left], sizes[right] = min(sizes[left], apart), min(sizes[right], apart)
        sized = [target._replace(size=size) for target, size in zip(targets, sizes, strict=True)]
        return Targets(name, plane, self._placed(plane, sized))

    def _placed(self, plane: PlaneName, items: Iterable[Placed]) -> tuple[Placed, ...]:
        """With x in the unit of the plane."""
        return tuple(items) if plane == "page" else tuple([item._replace(x=self.column(item.x)) for item in items])
