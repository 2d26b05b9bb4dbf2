"""A scene as a standalone SVG picture, for places without plotly: a saved notebook, GitHub, a mail.

Everything lies where plotly 7 places it.
"""

from __future__ import annotations

import base64
import html
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from .plane import DIGITS, Plane, PlaneName
from .scene import (
    Anchor,
    Areas,
    Bars,
    Box,
    Checklist,
    Circles,
    Halo,
    Layer,
    Lines,
    Marks,
    Rectangles,
    Scene,
    Shape,
    Signs,
    Span,
    Targets,
    Text,
    Texts,
)
from .text import visible
from .theme import CLEAR, FONT, MONOSPACE, Symbol

_NAMES: Mapping[PlaneName, str] = {"page": "plane", "detail": "plane2"}


def to_svg(scene: Scene) -> str:
    """The scene as one SVG document, in its own size."""
    title, account = _escape(scene.summary), _escape(" ".join(scene.account))
    return _document(
        scene,
        f' role="img" aria-label="{title}" font-family="{html.escape(FONT)}"',
        f"<title>{title}</title><desc>{account}</desc>",
        f'<rect width="{scene.width}" height="{scene.height}" fill="{scene.theme.page}"/>',
        *shapes(scene.planes, scene.shapes, scene.selection.halo),
        *layers(scene.planes, scene.layers),
    )


def selection_to_svg(scene: Scene) -> str:
    """What is selected in the scene alone, on no ground, to lie over a drawing of the rest."""
    selected = scene.selection
    return _document(scene, "", *shapes(scene.planes, (), selected.halo), *layers(scene.planes, selected.layers))


def _document(scene: Scene, attributes: str, *content: str) -> str:
    size = f'width="{scene.width}" height="{scene.height}" viewBox="0 0 {scene.width} {scene.height}"'
    clips = "".join(map(clip, scene.planes))
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}{attributes}><defs>{clips}</defs>{"".join(content)}</svg>'


def to_data_uri(scene: Scene) -> str:
    """The same as the source of an HTML image, which runs no script and asks for nothing."""
    return data_uri(to_svg(scene))


def data_uri(document: str) -> str:
    """An SVG document as the source of an image."""
    return "data:image/svg+xml;base64," + base64.b64encode(document.encode()).decode()


def clip(plane: Plane) -> str:
    """What a plane shows of what is drawn on it."""
    box = f'x="{plane.left:.1f}" y="{plane.top:.1f}" width="{plane.width:.1f}" height="{plane.height:.1f}"'
    return f'<clipPath id="{_NAMES[plane.name]}"><rect {box}/></clipPath>'


def shapes(planes: Iterable[Plane], drawn: Sequence[Shape], halo: Halo | None = None) -> Iterator[str]:
    """Shapes plane by plane, as plotly stacks them, and below those of its plane the halo."""
    for plane in planes:
        start = f'<path clip-path="url(#{_NAMES[plane.name]})" d="'
        if halo is not None and halo.visible and halo.plane == plane.name:
            x0, y0, x1, y1 = _corners(halo.box, plane)
            d = f"M{x0:.1f},{y0:.1f}L{x1:.1f},{y0:.1f}L{x1:.1f},{y1:.1f}L{x0:.1f},{y1:.1f}Z"
            yield f'{start}{d}"{_paint("fill", halo.fill)}{_stroke(halo.stroke, halo.width)}/>'
        for shape in drawn:
            if shape.plane == plane.name:
                ink, d = shape.ink, _path(shape, plane)
                rule = "" if ink.overlaps else ' fill-rule="evenodd"'  # plotly's own
                yield f'{start}{d}"{_paint("fill", ink.fill)}{rule}{_stroke(ink.stroke, ink.width, ink.dash)}/>'


def _path(shape: Shape, plane: Plane) -> str:
    """Path data, from places that are as exact as plotly has them."""
    x, y, digits = plane.x, plane.y, DIGITS[plane.name]
    return "".join(
        command
        + " ".join([f"{x(round(a, digits)):.1f},{y(round(b, 1)):.1f}" for a, b in zip(xy[::2], xy[1::2], strict=True)])
        for command, xy in shape.steps
    )


def layers(planes: Iterable[Plane], drawn: Sequence[Layer]) -> Iterator[str]:
    """Layers as plotly stacks them: plane by plane, rectangles first, then in their order."""
    for plane in planes:
        here = [layer for layer in drawn if layer.plane == plane.name and layer.items]
        stacked = sorted(here, key=lambda layer: not isinstance(layer, Rectangles | Bars | Areas))
        for number, layer in enumerate(stacked):
            yield f'<g clip-path="url(#{_NAMES[plane.name]})">'
            yield from _layer(layer, plane, f"{_NAMES[plane.name]}hatch{number}")
            yield "</g>"


def _layer(layer: Layer, plane: Plane, hatch: str) -> Iterator[str]:
    match layer:
        case Texts() | Checklist():
            yield from (_text(text, plane) for text in layer.items)
        case Marks():
            for x, y, symbol, size, fill, stroke, width in layer.items:
                yield _symbol(symbol, size, plane.x(x), plane.y(y), fill, stroke, width)
        case Circles():
            for x, y in layer.items:
                yield _symbol("circle", layer.size, plane.x(x), plane.y(y), CLEAR, layer.stroke, layer.width)
        case Lines():
            runs = ("L".join(f"{plane.x(x):.1f},{plane.y(y):.1f}" for x, y in line) for line in layer.items)
            yield f'<path d="M{"M".join(runs)}" fill="none"{_stroke(layer.stroke, layer.width, layer.dash)}/>'
        case Signs():
            for sign in layer.items:
                text = Text(sign.x, sign.y, (Span(sign.words),), layer.style, sign.anchor)
                yield _text(text, plane, shift=_BESIDE[sign.anchor])
        case Rectangles():
            yield from _rectangles(layer, plane, hatch)
        case Bars():
            yield from _bars(layer, plane, hatch)
        case Areas() | Targets():
            pass  # nothing to see


# --- colours ---------------------------------------------------------------------------------------------------------


def _paint(attribute: str, colour: str) -> str:
    """A colour as an attribute; SVG 1.1 readers know no rgba()."""
    match = re.fullmatch(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.]+)\)", colour)
    if not match:
        return f' {attribute}="{html.escape(colour)}"'
    r, g, b, a = match.groups()
    return f' {attribute}="rgb({r},{g},{b})" {attribute}-opacity="{a}"' if float(a) else f' {attribute}="none"'


def _stroke(colour: str, width: float, dash: str = "solid") -> str:
    """A line as attributes; empty if it has no width."""
    if not width:
        return ""
    dashes = "" if dash == "solid" else f' stroke-dasharray="{dash.replace("px", "")}"'
    return f'{_paint("stroke", colour)} stroke-width="{width:g}"{dashes}'


# --- symbols ---------------------------------------------------------------------------------------------------------


def _symbol(symbol: Symbol, size: float, x: float, y: float, fill: str, stroke: str, stroke_width: float) -> str:
    filled = ' fill="none"' if symbol == "x-thin" else _paint("fill", fill)
    d = _SYMBOLS[symbol](size / 2)
    return f'<path d="{d}" transform="translate({x:.1f},{y:.1f})"{filled}{_stroke(stroke, stroke_width)}/>'


def _circle(r: float) -> str:
    return f"M{r:.2f},0A{r:.2f},{r:.2f} 0 1,1 0,{-r:.2f}A{r:.2f},{r:.2f} 0 0,1 {r:.2f},0Z"


def _polygon(*corners: tuple[float, float]) -> Callable[[float], str]:
    return lambda r: "M" + "L".join(f"{x * r:.2f},{y * r:.2f}" for x, y in corners) + "Z"


_SYMBOLS: Mapping[Symbol, Callable[[float], str]] = {
    "circle": _circle,
    "square": _polygon((1, 1), (-1, 1), (-1, -1), (1, -1)),
    "diamond": _polygon((1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)),
    "triangle-down": _polygon((-1.1547, -0.5), (1.1547, -0.5), (0, 1)),
    "hexagon": _polygon((0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5), (0, -1)),
    "x-thin": lambda r: f"M{r:.2f},{r:.2f}L{-r:.2f},{-r:.2f}M{r:.2f},{-r:.2f}L{-r:.2f},{r:.2f}",
}


# --- words -----------------------------------------------------------------------------------------------------------

_BESIDE: Mapping[Anchor, float] = {"start": 1.625, "middle": 0.0, "end": -1.625}
"""Pixels from a place to the words of a sign, as plotly leaves them beside a marker of one pixel."""


def _text(text: Text, plane: Plane, shift: float = 0.0) -> str:
    style = text.style
    family = f' font-family="{html.escape(MONOSPACE)}"' if style.mono else ""
    shown = "".join(map(_span, text.spans))
    return (
        f'<text x="{plane.x(text.x) + shift:.1f}" y="{plane.y(text.y) + 0.25 * style.size:.1f}" '
        f'font-size="{style.size:g}"{family} xml:space="preserve" '
        f'text-anchor="{text.anchor}"{_paint("fill", style.colour)}>'
        f"{_bold(shown) if style.bold else shown}</text>"
    )


def _span(span: Span) -> str:
    shown = _bold(_escape(span.words)) if span.bold else _escape(span.words)
    return f'<tspan fill="{span.colour}">{shown}</tspan>' if span.colour else shown


def _bold(shown: str) -> str:
    return f'<tspan font-weight="bold">{shown}</tspan>'


def _escape(words: str) -> str:
    return html.escape(visible(words))


# --- rectangles ------------------------------------------------------------------------------------------------------


def _rectangles(layer: Rectangles, plane: Plane, name: str) -> Iterator[str]:
    hatches = _Hatches(name, size=5.5, solidity=0.2)
    for rectangle in layer.items:
        fill = _paint("fill", rectangle.fill)
        if rectangle.hatch:
            yield from hatches.define(rectangle.hatch)
            fill = hatches.fill(rectangle.hatch)
        outline = _stroke(rectangle.stroke, rectangle.stroke_width)
        if fill != ' fill="none"' or outline:
            left, top, right, bottom = rectangle.box
            middle, half = (left + right) / 2, (right - left) / 2  # as plotly has it, which rounds them
            box = Box(middle - half, top, middle + half, bottom)
            yield _rectangle(*_corners(box, plane), fill + outline)


def _bars(layer: Bars, plane: Plane, name: str) -> Iterator[str]:
    hatches = _Hatches(name, size=5, solidity=0.32)
    for bar in layer.items:
        fill, outline = _paint("fill", bar.colour), ""
        if bar.hatched:
            yield from hatches.define(bar.colour)
            fill, outline = hatches.fill(bar.colour), _stroke(bar.colour, 1.2)
        top, bottom = sorted((bar.base, bar.base - bar.length))
        box = Box(bar.x - bar.width / 2, top, bar.x + bar.width / 2, bottom)
        yield _rectangle(*_corners(box, plane), fill + outline)


def _corners(box: Box, plane: Plane) -> tuple[float, float, float, float]:
    return plane.x(box.left), plane.y(box.top), plane.x(box.right), plane.y(box.bottom)


def _rectangle(left: float, top: float, right: float, bottom: float, look: str) -> str:
    return f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"{look}/>'


class _Hatches:
    """Strokes at 45 degrees as plotly sets them: `size` from one to the next, of which `solidity` is covered.

    They have no ground: plotly's have one only if all bars share one colour.
    """

    def __init__(self, name: str, size: float, solidity: float) -> None:
        self._name, self._size, self._solidity = name, size, solidity
        self._names: dict[str, str] = {}

    def fill(self, colour: str) -> str:
        """The attribute of a rectangle with these strokes."""
        return f' fill="url(#{self._names[colour]})"'

    def define(self, colour: str) -> Iterator[str]:
        """The strokes, where they are used for the first time."""
        if colour in self._names:
            return
        self._names[colour] = name = f"{self._name}n{len(self._names)}"
        tile = self._size * math.sqrt(2)
        yield (
            f'<pattern id="{name}" width="{tile:.3f}" height="{tile:.3f}" patternUnits="userSpaceOnUse">'
            f'<rect width="{tile:.3f}" height="{tile:.3f}" fill="none"/>'
            f'<path d="M{-tile / 4:.3f},{tile / 4:.3f}L{tile / 4:.3f},{-tile / 4:.3f}M0,{tile:.3f}L{tile:.3f},0'
            f'M{tile * 3 / 4:.3f},{tile * 5 / 4:.3f}L{tile * 5 / 4:.3f},{tile * 3 / 4:.3f}"'
            f'{_paint("stroke", colour)} stroke-width="{self._solidity * self._size:g}"/></pattern>'
        )
