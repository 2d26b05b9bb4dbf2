"""A figure as a standalone SVG picture, for places without plotly: a saved notebook, GitHub, a mail.

It draws what the figures of this project are made of, as plotly 7 places it, and refuses anything else: a picture
that silently left a mark out would be worse than none.
"""

from __future__ import annotations

import base64
import html
import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any

import plotly.graph_objects as go

from .svg_marks import Plane, Undrawable, paint, plane_of, stroke, traces
from .theme import FONT

_SHAPE_KEYS = {
    "type",
    "xref",
    "yref",
    "layer",
    "path",
    "fillcolor",
    "line",
    "x0",
    "x1",
    "y0",
    "y1",
    "visible",
    "fillrule",
}
_UNDRAWN_LAYOUT = ("annotations", "images", "title", "sliders", "updatemenus", "selections")


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
    planes = planes_of(layout, width, height)
    paper = figure.layout.template.layout.paper_bgcolor or "#FFFFFF"
    body = "".join(itertools.chain(shapes_of(layout.get("shapes") or (), planes), traces(spec["data"], planes)))
    clips = "".join(plane.clip() for plane in planes.values())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" font-family="{html.escape(FONT)}"><title>{html.escape(_summary(spec["data"]))}</title>'
        f'<defs>{clips}</defs><rect width="{width}" height="{height}" fill="{paper}"/>{body}</svg>'
    )


def to_data_uri(figure: go.Figure) -> str:
    """The same as the source of an HTML image, which runs no script and asks for nothing."""
    return data_uri(to_svg(figure))


def data_uri(svg: str) -> str:
    """An SVG document as the source of an image."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def planes_of(layout: Mapping[str, Any], width: float, height: float) -> dict[tuple[str, str], Plane]:
    """Each pair of axes of a layout, in a picture of this size in pixels."""
    planes = {}
    for number in [key.removeprefix("xaxis") for key in layout if key.startswith("xaxis")]:
        x, y = layout[f"xaxis{number}"], layout.get(f"yaxis{number}")
        if y is None:
            raise Undrawable(f"xaxis{number} has no yaxis{number}")
        for axis in (x, y):
            if axis.get("visible") is not False or "range" not in axis or axis.get("type", "linear") != "linear":
                raise Undrawable("an axis that plotly draws itself, or without a range")
        (x0, x1), (y0, y1) = x.get("domain", (0, 1)), y.get("domain", (0, 1))
        planes[(f"x{number}", f"y{number}")] = Plane(
            f"plane{number}",
            x0 * width,
            (1 - y1) * height,
            (x1 - x0) * width,
            (y1 - y0) * height,
            tuple(x["range"]),
            tuple(y["range"]),
        )
    return planes


def _summary(traces: list[dict[str, Any]]) -> str:
    """The first line of text, which is the finding."""
    first = next((str(trace["text"][0]) for trace in traces if trace.get("text")), "")
    return html.unescape(re.sub(r"<[^>]*>", "", first))


def shapes_of(shapes: Any, planes: Mapping[tuple[str, str], Plane]) -> Iterator[str]:
    """Shapes lie below all marks, plane by plane as plotly stacks them."""
    for axes, plane in planes.items():
        for shape in shapes:
            if (shape.get("xref", "x"), shape.get("yref", "y")) == axes:
                yield from _shape(shape, plane)
    for shape in shapes:
        plane_of(planes, shape.get("xref", "x"), shape.get("yref", "y"))


def _shape(shape: Mapping[str, Any], plane: Plane) -> Iterator[str]:
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
    rule = "" if shape.get("fillrule") == "nonzero" else ' fill-rule="evenodd"'  # plotly's own
    fill = paint("fill", shape.get("fillcolor")) + (rule if shape["type"] == "path" else "")
    yield f'<path clip-path="url(#{plane.name})" d="{d}"{fill}{stroke(shape.get("line") or {})}/>'


def _path(d: str, plane: Plane) -> str:
    if re.search(r"[^MLCZ0-9.,eE \-]", d):
        raise Undrawable("a path with other commands than M, L, C and Z")
    pairs = re.compile(r"(-?[\d.]+(?:[eE]-?\d+)?),(-?[\d.]+(?:[eE]-?\d+)?)")
    return pairs.sub(lambda m: f"{plane.x(float(m[1])):.1f},{plane.y(float(m[2])):.1f}", d)
