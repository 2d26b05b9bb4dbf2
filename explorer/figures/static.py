"""A figure as a standalone SVG picture, for places without plotly: a saved notebook, GitHub, a mail.

It draws what the figures of this project are made of, as plotly 7 places it, and refuses anything else: a picture
that silently left a mark out would be worse than none.
"""

from __future__ import annotations

import base64
import html
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

import plotly.graph_objects as go

from .theme import FONT

_TRACE_KEYS = {
    "scatter": {"mode", "textposition", "textfont", "text", "marker", "line"},
    "bar": {"base", "width", "marker"},
}
_COMMON_KEYS = {"type", "name", "showlegend", "xaxis", "yaxis", "x", "y", "customdata", "hovertext", "hoverinfo"}
_SHAPE_KEYS = {"type", "xref", "yref", "layer", "path", "fillcolor", "line", "x0", "x1", "y0", "y1", "visible"}
_UNDRAWN_LAYOUT = ("annotations", "images", "title", "sliders", "updatemenus", "selections")
_ANCHORS = {"left": "end", "center": "middle", "right": "start"}


class Undrawable(ValueError):
    """The figure holds something that this module does not draw; the message names it."""


def to_svg(figure: go.Figure) -> str:
    """The figure as one SVG document, in the figure's own size.

    Raises:
        Undrawable: the figure holds a mark, a shape or an axis that is not drawn here.
    """
    spec = figure.to_plotly_json()
    layout = spec["layout"]
    for key in _UNDRAWN_LAYOUT:
        if layout.get(key):
            raise Undrawable(f"layout.{key} is not drawn")
    width, height = layout.get("width"), layout.get("height")
    if not width or not height:
        raise Undrawable("the figure has no fixed width and height")
    planes = _planes(layout, width, height)
    paper = figure.layout.template.layout.paper_bgcolor or "#FFFFFF"
    body = "".join(itertools.chain(_shapes(layout.get("shapes") or (), planes), _traces(spec["data"], planes)))
    clips = "".join(plane.clip() for plane in planes.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{html.escape(FONT)}"><title>{html.escape(_summary(spec["data"]))}</title>'
        f'<defs>{clips}</defs><rect width="{width}" height="{height}" fill="{paper}"/>{body}</svg>'
    )


def to_data_uri(figure: go.Figure) -> str:
    """The same as the source of an HTML image, which runs no script and asks for nothing."""
    return "data:image/svg+xml;base64," + base64.b64encode(to_svg(figure).encode()).decode()


@dataclass(frozen=True, slots=True)
class _Plane:
    """A pair of axes: from their units to pixels."""

    name: str
    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        return self.left + (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * self.width

    def y(self, value: float) -> float:
        return self.top + (self.y_range[1] - value) / (self.y_range[1] - self.y_range[0]) * self.height

    def clip(self) -> str:
        """What the plane shows of its marks."""
        box = f'x="{self.left:.1f}" y="{self.top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        return f'<clipPath id="{self.name}"><rect {box}/></clipPath>'


def _planes(layout: Mapping[str, Any], width: float, height: float) -> dict[tuple[str, str], _Plane]:
    planes = {}
    for number in [key.removeprefix("xaxis") for key in layout if key.startswith("xaxis")]:
        x, y = layout[f"xaxis{number}"], layout.get(f"yaxis{number}")
        if y is None:
            raise Undrawable(f"xaxis{number} has no yaxis{number}")
        for axis in (x, y):
            if axis.get("visible") is not False or "range" not in axis or axis.get("type", "linear") != "linear":
                raise Undrawable("an axis that plotly draws itself, or without a range")
        (x0, x1), (y0, y1) = x.get("domain", (0, 1)), y.get("domain", (0, 1))
        planes[(f"x{number}", f"y{number}")] = _Plane(
            f"plane{number}",
            x0 * width,
            (1 - y1) * height,
            (x1 - x0) * width,
            (y1 - y0) * height,
            tuple(x["range"]),
            tuple(y["range"]),
        )
    return planes


def _plane(planes: Mapping[tuple[str, str], _Plane], x: str, y: str) -> _Plane:
    if (x, y) not in planes:
        raise Undrawable(f"something on the axes {x} and {y}, which are no pair")
    return planes[(x, y)]


def _summary(traces: list[dict[str, Any]]) -> str:
    """The first line of text, which is the finding."""
    first = next((str(trace["text"][0]) for trace in traces if trace.get("text")), "")
    return html.unescape(re.sub(r"<[^>]*>", "", first))


def _shapes(shapes: Any, planes: Mapping[tuple[str, str], _Plane]) -> Iterator[str]:
    """Shapes lie below all marks, plane by plane as plotly stacks them."""
    for axes, plane in planes.items():
        for shape in shapes:
            if (shape.get("xref", "x"), shape.get("yref", "y")) == axes:
                yield from _shape(shape, plane)
    for shape in shapes:
        _plane(planes, shape.get("xref", "x"), shape.get("yref", "y"))


def _shape(shape: Mapping[str, Any], plane: _Plane) -> Iterator[str]:
    unknown = set(shape) - _SHAPE_KEYS
    if unknown or shape.get("layer") != "below":
        raise Undrawable(f"a shape with {', '.join(sorted(unknown)) or 'another layer'}")
    if shape.get("visible") is False:
        return
    if shape["type"] == "path":
        d = _path(shape["path"], plane)
    elif shape["type"] == "rect":
        x0, x1, y0, y1 = plane.x(shape["x0"]), plane.x(shape["x1"]), plane.y(shape["y0"]), plane.y(shape["y1"])
        d = f"M{x0:.1f},{y0:.1f}L{x1:.1f},{y0:.1f}L{x1:.1f},{y1:.1f}L{x0:.1f},{y1:.1f}Z"
    else:
        raise Undrawable(f"a shape of type {shape['type']}")
    fill = _paint("fill", shape.get("fillcolor"))
    yield f'<path clip-path="url(#{plane.name})" d="{d}"{fill}{_stroke(shape.get("line") or {})}/>'


def _path(d: str, plane: _Plane) -> str:
    if re.search(r"[^MLCZ0-9.,eE \-]", d):
        raise Undrawable("a path with other commands than M, L, C and Z")
    pairs = re.compile(r"(-?[\d.]+(?:[eE]-?\d+)?),(-?[\d.]+(?:[eE]-?\d+)?)")
    return pairs.sub(lambda m: f"{plane.x(float(m[1])):.1f},{plane.y(float(m[2])):.1f}", d)


def _paint(attribute: str, colour: str | None) -> str:
    """A colour as an attribute; SVG 1.1 readers know no rgba()."""
    match = re.fullmatch(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.]+)\)", colour or "rgba(0,0,0,0)")
    if not match:
        return f' {attribute}="{html.escape(str(colour))}"'
    r, g, b, a = match.groups()
    return f' {attribute}="rgb({r},{g},{b})" {attribute}-opacity="{a}"' if float(a) else f' {attribute}="none"'


def _stroke(line: Mapping[str, Any]) -> str:
    width = line.get("width", 2)
    if not width:
        return ""
    dash = line.get("dash", "solid")
    if dash != "solid" and not re.fullmatch(r"(\d+px,?)+", dash):
        raise Undrawable(f"a line with dash {dash}")
    dashes = "" if dash == "solid" else f' stroke-dasharray="{dash.replace("px", "")}"'
    return f'{_paint("stroke", line.get("color"))} stroke-width="{width:g}"{dashes}'


def _traces(traces: list[dict[str, Any]], planes: Mapping[tuple[str, str], _Plane]) -> Iterator[str]:
    """Marks in plotly's order: plane by plane, bars before scatters, then as listed."""
    for trace in traces:
        kind = trace.get("type", "scatter")
        unknown = set(trace) - _COMMON_KEYS - _TRACE_KEYS.get(kind, set())
        if kind not in _TRACE_KEYS or unknown:
            raise Undrawable(f"a {kind} trace" + (f" with {', '.join(sorted(unknown))}" if unknown else ""))
        _plane(planes, trace.get("xaxis", "x"), trace.get("yaxis", "y"))
    for axes, plane in planes.items():
        here = [t for t in traces if (t.get("xaxis", "x"), t.get("yaxis", "y")) == axes and len(t.get("x") or ())]
        for number, trace in enumerate(sorted(here, key=lambda t: t.get("type") != "bar")):
            yield f'<g clip-path="url(#{plane.name})">'
            if trace.get("type") == "bar":
                yield from _bars(trace, plane, f"{plane.name}hatch{number}")
            else:
                yield from _scatter(trace, plane)
            yield "</g>"


def _each(value: Any, index: int) -> Any:
    """One value of a property that is either one for all or a list."""
    return value[index] if isinstance(value, list | tuple) else value


def _scatter(trace: Mapping[str, Any], plane: _Plane) -> Iterator[str]:
    modes = set(trace["mode"].split("+"))
    if not modes <= {"lines", "markers", "text"}:
        raise Undrawable(f"a scatter trace of mode {trace['mode']}")
    points = [(plane.x(x), plane.y(y)) for x, y in zip(trace["x"], trace["y"], strict=True)]
    if "lines" in modes:
        d = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<path d="{d}" fill="none"{_stroke(trace["line"])}/>'
    for i, (x, y) in enumerate(points):
        if "markers" in modes:
            yield _marker(trace["marker"], i, x, y)
        if "text" in modes:
            yield _text(trace, i, x, y, bool("markers" in modes))


def _marker(marker: Mapping[str, Any], i: int, x: float, y: float) -> str:
    unknown = set(marker) - {"symbol", "size", "color", "opacity", "line"}
    symbol = _each(marker["symbol"], i)
    if unknown or symbol not in _SYMBOLS or marker.get("opacity", 1) != 1:
        raise Undrawable(f"a marker {symbol} " + ", ".join(sorted(unknown)))
    fill = "none" if symbol == "x-thin" else _each(marker["color"], i)
    line = {key: _each(value, i) for key, value in marker["line"].items()}
    paint = ' fill="none"' if fill == "none" else _paint("fill", fill)
    stroke = _stroke({"color": line["color"], "width": line["width"]}) if line.get("width") else ""
    if paint == ' fill="none"' and not stroke:
        return ""  # a target for the pointer: nothing to see
    return f'<path d="{_SYMBOLS[symbol](_each(marker["size"], i) / 2)}" transform="translate({x:.1f},{y:.1f})"{paint}{stroke}/>'


def _circle(r: float) -> str:
    return f"M{r:.2f},0A{r:.2f},{r:.2f} 0 1,1 0,{-r:.2f}A{r:.2f},{r:.2f} 0 0,1 {r:.2f},0Z"


def _polygon(*corners: tuple[float, float]) -> Callable[[float], str]:
    return lambda r: "M" + "L".join(f"{x * r:.2f},{y * r:.2f}" for x, y in corners) + "Z"


_SYMBOLS: Mapping[str, Callable[[float], str]] = {
    "circle": _circle,
    "square": _polygon((1, 1), (-1, 1), (-1, -1), (1, -1)),
    "diamond": _polygon((1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)),
    "triangle-down": _polygon((-1.1547, -0.5), (1.1547, -0.5), (0, 1)),
    "hexagon": _polygon((0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5), (0, -1)),
    "x-thin": lambda r: f"M{r:.2f},{r:.2f}L{-r:.2f},{-r:.2f}M{r:.2f},{-r:.2f}L{-r:.2f},{r:.2f}",
}


def _text(trace: Mapping[str, Any], i: int, x: float, y: float, beside_marker: bool) -> str:
    font = trace["textfont"]
    if set(font) - {"size", "color", "family"}:
        raise Undrawable("a text font with " + ", ".join(sorted(set(font) - {"size", "color", "family"})))
    height, side = _each(trace["textposition"], i).split(" ")
    if height != "middle":
        raise Undrawable(f"a text at {height} {side}")
    size, family = _each(font["size"], i), _each(font["family"], i)
    shift = _each(trace["marker"]["size"], i) / 1.6 + 1 if beside_marker else 0
    shift *= {"left": -1, "center": 0, "right": 1}[side]
    named = "" if family == FONT else f' font-family="{html.escape(family)}"'
    return (
        f'<text x="{x + shift:.1f}" y="{y + 0.25 * size:.1f}" font-size="{size:g}"{named} xml:space="preserve" '
        f'text-anchor="{_ANCHORS[side]}"{_paint("fill", _each(font["color"], i))}>'
        f"{_Spans.of(str(_each(trace['text'], i)))}</text>"
    )


class _Spans(HTMLParser):
    """Plotly's pseudo-HTML as far as the figures use it: bold and colour; everything else must be escaped text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.open: list[str] = []

    @classmethod
    def of(cls, markup: str) -> str:
        spans = cls()
        spans.feed(markup)
        spans.close()
        if spans.open:
            raise Undrawable(f"a text with an open {spans.open[-1]}: {markup}")
        return "".join(spans.parts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        style = dict(attrs).get("style") or ""
        colour = re.fullmatch(r"color:(#[0-9A-Fa-f]{6})", style)
        if tag == "b" and not attrs:
            self.parts.append('<tspan font-weight="bold">')
        elif tag == "span" and colour:
            self.parts.append(f'<tspan fill="{colour[1]}">')
        else:
            raise Undrawable(f"a text with the tag {tag}")
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise Undrawable(f"a text that closes {tag}")
        self.parts.append("</tspan>")

    def handle_data(self, data: str) -> None:
        self.parts.append(html.escape(data))


def _bars(trace: Mapping[str, Any], plane: _Plane, name: str) -> Iterator[str]:
    marker = trace["marker"]
    if set(marker) - {"color", "line", "pattern"}:
        raise Undrawable("a bar with " + ", ".join(sorted(set(marker) - {"color", "line", "pattern"})))
    hatches: dict[str, str] = {}
    for i, (x, length) in enumerate(zip(trace["x"], trace["y"], strict=True)):
        base, width = _each(trace["base"], i), _each(trace["width"], i)
        left, right = plane.x(x - width / 2), plane.x(x + width / 2)
        top, bottom = sorted((plane.y(base), plane.y(base + length)))
        line = {key: _each(value, i) for key, value in marker["line"].items()}
        fill = _paint("fill", _each(marker["color"], i))
        pattern = marker.get("pattern") or {}
        shape = _each(pattern.get("shape", ""), i)
        if shape == "/":
            colour = _each(pattern["fgcolor"], i)
            if colour not in hatches:
                hatches[colour] = f"{name}n{len(hatches)}"
                yield _hatch(hatches[colour], colour, pattern)
            fill = f' fill="url(#{hatches[colour]})"'
        elif shape:
            raise Undrawable(f"a bar with the pattern {shape}")
        stroke = _stroke({"color": line.get("color"), "width": line["width"]}) if line.get("width") else ""
        if fill == ' fill="none"' and not stroke:
            continue
        box = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
        yield f"<rect {box}{fill}{stroke}/>"


def _hatch(name: str, colour: str, pattern: Mapping[str, Any]) -> str:
    """Strokes at 45 degrees as plotly sets them: `solidity` is the share that is covered."""
    size, solidity = pattern["size"], pattern["solidity"]
    return (
        f'<pattern id="{name}" width="{size}" height="{size}" patternUnits="userSpaceOnUse">'
        f'<rect width="{size}" height="{size}"{_paint("fill", pattern["bgcolor"])}/>'
        f'<path d="M{-size / 4:g},{size / 4:g}L{size / 4:g},{-size / 4:g}M0,{size}L{size},0'
        f'M{size * 3 / 4:g},{size * 5 / 4:g}L{size * 5 / 4:g},{size * 3 / 4:g}"'
        f'{_paint("stroke", colour)} stroke-width="{solidity * size * 0.75:g}"/></pattern>'
    )
