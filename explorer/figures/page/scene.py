"""A drawing as a value: what is drawn, where, in which colours, what answers the pointer, and what is selected.

Pictures make one; `as_plotly` and `svg` write it down, and nothing reads what they wrote. y is a page pixel, from the
upper edge down. x is a page pixel on the plane `page`, which never moves, and a column on the plane `detail`, which a
person can pan. Shapes lie lowest, plane by plane; layers lie above them in their order, rectangles before all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from . import text as texts
from .plane import Plane, PlaneName
from .theme import CLEAR, Symbol, Theme

Anchor = Literal["start", "middle", "end"]
"""Where on a text its place is, read from left to right."""


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


# --- what lies lowest ------------------------------------------------------------------------------------------------


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


Step = tuple[str, tuple[float, ...]]
"""`M`, `L`, `C` or `Z` with x, y, x, y …: to a place, a straight line, a cubic one, back to the start."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Everything that is drawn with one ink on one plane."""

    plane: PlaneName
    ink: Ink
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Halo:
    """A rectangle below everything, around or along what is selected; x in the unit of its plane."""

    plane: PlaneName
    box: Box
    fill: str
    stroke: str
    width: float
    visible: bool


# --- what lies above, layer by layer ----------------------------------------------------------------------------------


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


class Span(NamedTuple):
    """Words of a text that may stand out from it; no colour is that of the text."""

    words: str
    bold: bool = False
    colour: str = ""


class Text(NamedTuple):
    """A line of words with its middle line at y; `live` ones tell what a click does, and need a picture that obeys."""

    x: float
    y: float
    spans: tuple[Span, ...]
    style: Type
    anchor: Anchor
    live: bool = False


class Mark(NamedTuple):
    """A symbol around a place."""

    x: float
    y: float
    symbol: Symbol
    size: float
    fill: str
    stroke: str = CLEAR
    stroke_width: float = 0


class Rectangle(NamedTuple):
    """A rectangle on the page; `hatch` colours strokes over whatever lies below; `meaning` is what a click says."""

    box: Box
    fill: str = CLEAR
    stroke: str = CLEAR
    stroke_width: float = 0
    hatch: str = ""
    meaning: str = ""
    hover: str = ""


class Bar(NamedTuple):
    """A rectangle on a base line: x of its middle and width in columns, length up in pixels."""

    x: float
    base: float
    length: float
    width: float
    colour: str
    hatched: bool
    meaning: str
    hover: str


class Area(NamedTuple):
    """A strip of the page that is not seen and answers the pointer."""

    left: float
    right: float
    meaning: str
    hover: str


class Target(NamedTuple):
    """A place that is not seen and answers the pointer, with what a click means; `size` in pixels."""

    x: float
    y: float
    meaning: str
    hover: str
    size: float = 24.0


class Sign(NamedTuple):
    """Words about what is selected and not in the picture, beside a place; a click may lead there."""

    x: float
    y: float
    words: str
    anchor: Anchor
    meaning: str
    hover: str


@dataclass(frozen=True, slots=True)
class _OnPlane:
    name: str
    plane: PlaneName


@dataclass(frozen=True, slots=True)
class Texts(_OnPlane):
    """Lines of words."""

    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Checklist(_OnPlane):
    """Lines of words in one size about what is selected, on the page."""

    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Marks(_OnPlane):
    """Symbols; the pointer is left to targets."""

    items: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Rectangles(_OnPlane):
    """Rectangles on the page, later ones above earlier ones; `answers` says whether the pointer finds them."""

    items: tuple[Rectangle, ...]
    answers: bool


@dataclass(frozen=True, slots=True)
class Bars(_OnPlane):
    """Rectangles on base lines; those that are hatched are so on the ground."""

    items: tuple[Bar, ...]
    ground: str


@dataclass(frozen=True, slots=True)
class Areas(_OnPlane):
    """Strips beside each other, all from one page pixel down to another."""

    items: tuple[Area, ...]
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Targets(_OnPlane):
    """Places that answer the pointer."""

    items: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Signs(_OnPlane):
    """Words beside places; `anchor` is that of signs of which there is none yet."""

    items: tuple[Sign, ...]
    anchor: Anchor
    style: Type


@dataclass(frozen=True, slots=True)
class Lines(_OnPlane):
    """Strokes through places, one for each item; no symbol, so that they can be dashed."""

    items: tuple[tuple[tuple[float, float], ...], ...]
    stroke: str
    width: float
    dash: str = "solid"


@dataclass(frozen=True, slots=True)
class Circles(_OnPlane):
    """Circles of one look, around the places of its items; `size` is the diameter in pixels."""

    items: tuple[tuple[float, float], ...]
    size: float
    stroke: str
    width: float


Layer = Texts | Checklist | Marks | Rectangles | Bars | Areas | Targets | Signs | Lines | Circles


NO_HALO = Halo("page", Box(0, 0, 0, 0), CLEAR, "", 0, visible=False)


@dataclass(frozen=True, slots=True)
class Selection:
    """What changes in a scene when something else is selected: what lies lowest of it, and its uppermost layers."""

    halo: Halo = NO_HALO
    layers: tuple[Layer, ...] = ()


NOTHING = Selection()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A drawing.

    Attributes:
        width: of the page, pixels; so is `height`.
        summary: what it shows, plain text, for those who do not see it; `account` what more is to be said.
        planes: the page, and the part of it that pans, where there is one.
        shapes: in the order in which they cover each other.
        drawn: layers that stay as they are whatever is selected.
        meta: where what can be selected is drawn, by names of the picture's own; JSON.
    """

    width: int
    height: int
    theme: Theme
    summary: str
    account: tuple[str, ...]
    planes: tuple[Plane, ...]
    shapes: tuple[Shape, ...]
    drawn: tuple[Layer, ...]
    meta: Mapping[str, Any]
    selection: Selection = NOTHING

    @property
    def in_words(self) -> str:
        """All that it says to those who do not see it, as sentences."""
        return " ".join(
            said if said.endswith((".", "!", "?")) else f"{said}." for said in (self.summary, *self.account)
        )

    @property
    def layers(self) -> tuple[Layer, ...]:
        """All layers in their order; a click is told by the place of its layer and its item."""
        return self.drawn + self.selection.layers

    def plane(self, name: PlaneName) -> Plane:
        """The plane of a name."""
        return next(plane for plane in self.planes if plane.name == name)

    def selecting(self, selection: Selection) -> Scene:
        """The same drawing with something else selected."""
        return replace(self, selection=selection)

    def meaning(self, layer: int, item: int) -> str:
        """What a click on an item of a layer means; empty for nothing."""
        of = self.layers[layer]
        if isinstance(of, Rectangles | Bars | Areas | Targets | Signs) and 0 <= item < len(of.items):
            return of.items[item].meaning
        return ""
