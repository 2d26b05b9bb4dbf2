"""The parts of an SVG picture: planes, colours, strokes, bars, lines, markers, texts; what is not known is refused."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from .theme import CLEAR, FONT


class Undrawable(ValueError):
    """The figure holds something that this module does not draw; the message names it."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A pair of axes: from their units to pixels."""

    name: str
    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float]
    y_range: tuple[float, float]

    def x(self, value: float) -> float:
        """The pixel of a place on the x axis."""
        return self.left + (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * self.width

    def y(self, value: float) -> float:
        """The pixel of a place on the y axis."""
        return self.top + (self.y_range[1] - value) / (self.y_range[1] - self.y_range[0]) * self.height

    def place(self, left: float, top: float) -> tuple[float, float]:
        """The place on both axes of a pixel."""
        x, y = (left - self.left) / self.width, (top - self.top) / self.height
        return (
            self.x_range[0] + x * (self.x_range[1] - self.x_range[0]),
            self.y_range[1] - y * (self.y_range[1] - self.y_range[0]),
        )

    def clip(self) -> str:
        """What the plane shows of its marks."""
        box = f'x="{self.left:.1f}" y="{self.top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        return f'<clipPath id="{self.name}"><rect {box}/></clipPath>'


def plane_of(planes: Mapping[tuple[str, str], Plane], x: str, y: str) -> Plane:
    """The plane of a pair of axes."""
    if (x, y) not in planes:
        raise Undrawable(f"something on the axes {x} and {y}, which are no pair")
    return planes[(x, y)]


def paint(attribute: str, colour: str | None) -> str:
    """A colour as an attribute; SVG 1.1 readers know no rgba()."""
    match = re.fullmatch(r"rgba\((\d+),\s*(\d+),\s*(\d+),\s*([\d.]+)\)", colour or "rgba(0,0,0,0)")
    if not match:
        return f' {attribute}="{html.escape(str(colour))}"'
    r, g, b, a = match.groups()
    return f' {attribute}="rgb({r},{g},{b})" {attribute}-opacity="{a}"' if float(a) else f' {attribute}="none"'


def stroke(line: Mapping[str, Any]) -> str:
    """A line as attributes; empty if it has no width."""
    width = line.get("width", 2)
    if not width:
        return ""
    dash = line.get("dash", "solid")
    if dash != "solid" and not re.fullmatch(r"(\d+px,?)+", dash):
        raise Undrawable(f"a line with dash {dash}")
    dashes = "" if dash == "solid" else f' stroke-dasharray="{dash.replace("px", "")}"'
    return f'{paint("stroke", line.get("color"))} stroke-width="{width:g}"{dashes}'


_TRACE_KEYS = {
    "scatter": {"mode", "textposition", "textfont", "text", "marker", "line"},
    "bar": {"base", "width", "marker"},
}
_COMMON_KEYS = {"type", "name", "showlegend", "xaxis", "yaxis", "x", "y", "customdata", "hovertext", "hoverinfo"}
_ANCHORS = {"left": "end", "center": "middle", "right": "start"}


def traces(given: list[dict[str, Any]], planes: Mapping[tuple[str, str], Plane]) -> Iterator[str]:
    """Marks in plotly's order: plane by plane, bars before scatters, then as listed."""
    for trace in given:
        kind = trace.get("type", "scatter")
        unknown = set(trace) - _COMMON_KEYS - _TRACE_KEYS.get(kind, set())
        if kind not in _TRACE_KEYS or unknown:
            raise Undrawable(f"a {kind} trace" + (f" with {', '.join(sorted(unknown))}" if unknown else ""))
        plane_of(planes, trace.get("xaxis", "x"), trace.get("yaxis", "y"))
    for axes, plane in planes.items():
        here = [t for t in given if (t.get("xaxis", "x"), t.get("yaxis", "y")) == axes and len(t.get("x") or ())]
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


def _scatter(trace: Mapping[str, Any], plane: Plane) -> Iterator[str]:
    modes = set(trace["mode"].split("+"))
    if not modes <= {"lines", "markers", "text"}:
        raise Undrawable(f"a scatter trace of mode {trace['mode']}")
    runs = _runs(trace, plane)
    points = [point for run in runs for point in run]
    if "lines" in modes:
        d = "".join("M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in run) for run in runs)
        yield f'<path d="{d}" fill="none"{stroke(trace["line"])}/>'
    for i, (x, y) in enumerate(points):
        if "markers" in modes:
            yield _marker(trace["marker"], i, x, y)
        if "text" in modes:
            yield _text(trace, i, x, y, bool("markers" in modes))


def _runs(trace: Mapping[str, Any], plane: Plane) -> list[list[tuple[float, float]]]:
    """Points in pixels; a line is broken where a place is None."""
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(trace["x"], trace["y"], strict=True):
        if x is None:
            runs.append([])
        else:
            runs[-1].append((plane.x(x), plane.y(y)))
    return [run for run in runs if run]


def _marker(marker: Mapping[str, Any], i: int, x: float, y: float) -> str:
    unknown = set(marker) - {"symbol", "size", "color", "opacity", "line"}
    symbol = _each(marker["symbol"], i)
    if unknown or symbol not in _SYMBOLS or marker.get("opacity", 1) != 1:
        raise Undrawable(f"a marker {symbol} " + ", ".join(sorted(unknown)))
    fill = "none" if symbol == "x-thin" else _each(marker["color"], i)
    line = {key: _each(value, i) for key, value in marker["line"].items()}
    filled = ' fill="none"' if fill == "none" else paint("fill", fill)
    outline = stroke({"color": line["color"], "width": line["width"]}) if line.get("width") else ""
    if filled == ' fill="none"' and not outline:
        return ""  # a target for the pointer: nothing to see
    d = _SYMBOLS[symbol](_each(marker["size"], i) / 2)
    return f'<path d="{d}" transform="translate({x:.1f},{y:.1f})"{filled}{outline}/>'


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
        f'text-anchor="{_ANCHORS[side]}"{paint("fill", _each(font["color"], i))}>'
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


def _bars(trace: Mapping[str, Any], plane: Plane, name: str) -> Iterator[str]:
    marker = trace["marker"]
    if set(marker) - {"color", "line", "pattern"}:
        raise Undrawable("a bar with " + ", ".join(sorted(set(marker) - {"color", "line", "pattern"})))
    hatches: dict[str, str] = {}
    for i, (x, length) in enumerate(zip(trace["x"], trace["y"], strict=True)):
        base, width = _each(trace["base"], i), _each(trace["width"], i)
        left, right = plane.x(x - width / 2), plane.x(x + width / 2)
        top, bottom = sorted((plane.y(base), plane.y(base + length)))
        line = {key: _each(value, i) for key, value in marker["line"].items()}
        fill = paint("fill", _each(marker["color"], i))
        pattern = marker.get("pattern") or {}
        shape = _each(pattern.get("shape", ""), i)
        if shape == "/":
            colour = _each(pattern["fgcolor"], i)
            if colour not in hatches:
                hatches[colour] = f"{name}n{len(hatches)}"
                # as in plotly, whose hatches have a ground of their own only if all bars share one colour
                ground = CLEAR if isinstance(marker["color"], list | tuple) else pattern.get("bgcolor", CLEAR)
                yield _hatch(hatches[colour], colour, ground, pattern["size"], pattern["solidity"])
            fill = f' fill="url(#{hatches[colour]})"'
        elif shape:
            raise Undrawable(f"a bar with the pattern {shape}")
        outline = stroke({"color": line.get("color"), "width": line["width"]}) if line.get("width") else ""
        if fill == ' fill="none"' and not outline:
            continue
        box = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
        yield f"<rect {box}{fill}{outline}/>"


def _hatch(name: str, colour: str, ground: str, size: float, solidity: float) -> str:
    """Strokes at 45 degrees as plotly sets them: `size` from stroke to stroke, of which `solidity` is covered."""
    tile = size * math.sqrt(2)
    return (
        f'<pattern id="{name}" width="{tile:.3f}" height="{tile:.3f}" patternUnits="userSpaceOnUse">'
        f'<rect width="{tile:.3f}" height="{tile:.3f}"{paint("fill", ground)}/>'
        f'<path d="M{-tile / 4:.3f},{tile / 4:.3f}L{tile / 4:.3f},{-tile / 4:.3f}M0,{tile:.3f}L{tile:.3f},0'
        f'M{tile * 3 / 4:.3f},{tile * 5 / 4:.3f}L{tile * 5 / 4:.3f},{tile * 3 / 4:.3f}"'
        f'{paint("stroke", colour)} stroke-width="{solidity * size:g}"/></pattern>'
    )
