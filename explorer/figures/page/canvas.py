"""A page measured in pixels, and the plotly traces and shapes that draw it.

Two planes lie on one page: `page` never moves; `detail` has columns for x, so a person can pan it. Both are given in
page pixels from the upper left corner, and `detail` is turned into columns when it is handed to plotly. Equal shapes
become one path, since plotly's cost is by element.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from . import text as texts
from .theme import CLEAR, FONT, MONOSPACE

Plane = Literal["page", "detail"]
Anchor = Literal["start", "middle", "end"]
AXES: dict[Plane, tuple[str, str]] = {"page": ("x", "y"), "detail": ("x2", "y2")}
_POSITION: dict[Anchor, str] = {"start": "middle right", "middle": "middle center", "end": "middle left"}


class Box(NamedTuple):
    """A rectangle in page pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def around(self, gap: float) -> Box:
        """The box that is wider by a gap on every side."""
        return Box(self.left - gap, self.top - gap, self.right + gap, self.bottom + gap)

    def meets(self, other: Box) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Ink:
    """How a shape is drawn; equal inks on one plane are drawn as one path. Colours are plotly's.

    Where parts of one path overlap, plotly leaves a hole, unless the ink `overlaps` and all parts turn the same way.
    """

    stroke: str = CLEAR
    width: float = 0
    fill: str = CLEAR
    dash: str = "solid"
    overlaps: bool = False


@dataclass(slots=True)
class Path:
    """A path in page pixels; only absolute commands, since plotly draws nothing for relative ones."""

    steps: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)

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


@dataclass(frozen=True, slots=True)
class Type:
    """How a text is set: size in pixels, colour, weight, family."""

    size: float
    colour: str
    bold: bool = False
    mono: bool = False

    def width(self, plain: str) -> float:
        """Estimated width of plain text in pixels."""
        return texts.width(plain, self.size, bold=self.bold, mono=self.mono)


class Canvas:
    """Everything that is drawn, in order; later shapes lie above earlier ones, and texts and marks above all shapes.

    Args:
        left: page pixel where the detail plane begins; `right` where it ends.
        window: columns at those two places.
    """

    def __init__(self, left: float, right: float, window: tuple[float, float]) -> None:
        self.left, self.right, self.window = left, right, window
        self._columns_per_pixel = (window[1] - window[0]) / (right - left)
        self._paths: dict[tuple[Plane, Ink], Path] = {}
        self._texts: dict[Plane, list[tuple[float, float, str, Type, Anchor]]] = {"page": [], "detail": []}
        self._taken: dict[int, list[Box]] = {}

    def column(self, x: float) -> float:
        """The column at a page pixel."""
        return self.window[0] + (x - self.left) * self._columns_per_pixel

    def x(self, column: float) -> float:
        """The page pixel of a column."""
        return self.left + (column - self.window[0]) / self._columns_per_pixel

    def path(self, plane: Plane, ink: Ink) -> Path:
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

    def is_free(self, box: Box) -> bool:
        """Whether nothing reserved is there."""
        stripes = range(int(box.top) // 32, int(box.bottom) // 32 + 1)
        return not any(box.meets(other) for stripe in stripes for other in self._taken.get(stripe, ()))

    def text(
        self, plane: Plane, x: float, y: float, plain: str, style: Type, anchor: Anchor = "middle", markup: str = ""
    ) -> Box:
        """Set a text with its middle line at y, whatever lies there, and reserve its place.

        `plain` is escaped here; `markup` replaces what is shown and must be escaped already.
        """
        box = self.box_of(x, y, plain, style, anchor)
        self.take(box)
        shown = markup or texts.escape(plain)
        self._texts[plane].append((x, y, f"<b>{shown}</b>" if style.bold else shown, style, anchor))
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
        plane: Plane = "detail",
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

    def shapes(self) -> list[dict[str, Any]]:
        """Plotly shapes, one for each plane and ink."""
        drawn = []
        for (plane, ink), path in self._paths.items():
            if path.steps:
                shape = {
                    "type": "path",
                    "xref": AXES[plane][0],
                    "yref": AXES[plane][1],
                    "layer": "below",
                    "path": self._d(plane, path),
                    "fillcolor": ink.fill,
                    "line": {"color": ink.stroke, "width": ink.width, "dash": ink.dash},
                }
                drawn.append(shape | ({"fillrule": "nonzero"} if ink.overlaps else {}))
        return drawn

    def _d(self, plane: Plane, path: Path) -> str:
        """Path data with x in the plane's own unit."""
        start, scale = (0.0, 1.0) if plane == "page" else (self.window[0] - self.left * self._columns_per_pixel, 0.0)
        scale = scale or self._columns_per_pixel
        digits = 1 if plane == "page" else 5
        parts = []
        for command, xy in path.steps:
            pairs = [f"{start + x * scale:.{digits}f},{y:.1f}" for x, y in zip(xy[::2], xy[1::2], strict=True)]
            parts.append(command + " ".join(pairs))
        return "".join(parts)

    def text_trace(self, plane: Plane) -> dict[str, Any]:
        """The scatter trace of all texts on a plane."""
        rows = self._texts[plane]
        return {
            "type": "scatter",
            "mode": "text",
            "xaxis": AXES[plane][0],
            "yaxis": AXES[plane][1],
            "x": [x if plane == "page" else self.column(x) for x, *_ in rows],
            "y": [row[1] for row in rows],
            "text": [row[2] for row in rows],
            "textposition": [_POSITION[row[4]] for row in rows] or "middle center",
            "textfont": {
                "size": [row[3].size for row in rows] or 12,
                "color": [row[3].colour for row in rows] or CLEAR,
                "family": [MONOSPACE if row[3].mono else FONT for row in rows] or FONT,
            },
            "hoverinfo": "skip",
        }
