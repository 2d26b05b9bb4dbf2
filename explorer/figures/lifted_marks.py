"""The marks of a selection as two images, one below and one above everything else.

Plotly moves an image on its own. For a trace or a shape that moves it draws the whole figure again, every text of it,
which takes most of a tenth of a second; so a browser gets images where a saved picture has traces and a shape.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from .static import planes_of, shapes_of
from .svg import Plane, plane_of
from .svg_traces import traces

NAMES = ("halo", "ring", "compared")
"""Traces that only mark what is selected, and answer no pointer; `layout.shapes[0]` does so too."""
_EDGE = 1  # pixels around a mark, which smooth edges need

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


def images(figure: go.Figure) -> list[dict[str, Any]]:
    """Two plotly images: the first shape, below, and the traces of `NAMES`, above; not visible if there is nothing.

    Args:
        figure: of fixed width and height, whose axes all have a range.
    """
    layout, shape = figure.layout, figure.layout.shapes[0].to_plotly_json()
    axes = {key: layout[key].to_plotly_json() for key in layout if key.startswith(("xaxis", "yaxis"))}
    planes = planes_of(axes, layout.width, layout.height)
    marks = [trace.to_plotly_json() for trace in figure.data if trace.name in NAMES and len(trace.x or ())]
    below = plane_of(planes, shape["xref"], shape["yref"])
    above = plane_of(planes, marks[0]["xaxis"], marks[0]["yaxis"]) if marks else below
    seen = [] if shape.get("visible") is False else [_extent_of_shape(shape, below)]
    return [
        _image("below", below, seen, shapes_of([shape], planes)),
        _image("above", above, [_extent_of_trace(mark, above) for mark in marks], traces(marks, planes)),
    ]


def _image(layer: str, plane: Plane, extents: Sequence[Box], drawn: Iterator[str]) -> dict[str, Any]:
    if not extents:
        return {"visible": False}
    left, top = (math.floor(min(extent[i] for extent in extents)) - _EDGE for i in (0, 1))
    right, bottom = (math.ceil(max(extent[i] for extent in extents)) + _EDGE for i in (2, 3))
    width, height = right - left, bottom - top
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="{left} {top} {width} {height}"><defs>{plane.clip()}</defs>{"".join(drawn)}</svg>'
    )
    (x0, y0), (x1, y1) = plane.place(left, top), plane.place(right, bottom)
    x, y = plane.name.replace("plane", "x"), plane.name.replace("plane", "y")
    return {
        "source": "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode(),
        "xref": x,
        "yref": y,
        "x": x0,
        "y": y0,
        "sizex": abs(x1 - x0),
        "sizey": abs(y1 - y0),
        "sizing": "stretch",
        "layer": layer,
        "visible": True,
    }


def _extent_of_shape(shape: Mapping[str, Any], plane: Plane) -> Box:
    wide = shape["line"]["width"] / 2
    x, y = [plane.x(shape[key]) for key in ("x0", "x1")], [plane.y(shape[key]) for key in ("y0", "y1")]
    return min(x) - wide, min(y) - wide, max(x) + wide, max(y) + wide


def _extent_of_trace(trace: Mapping[str, Any], plane: Plane) -> Box:
    marker = trace.get("marker")
    wide = trace["line"]["width"] / 2 if marker is None else (marker["size"] + marker["line"]["width"]) / 2
    x, y = [plane.x(v) for v in trace["x"] if v is not None], [plane.y(v) for v in trace["y"] if v is not None]
    return min(x) - wide, min(y) - wide, max(x) + wide, max(y) + wide
