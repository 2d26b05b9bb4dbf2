"""A figure as a browser gets it: what answers no pointer and is no text is an image.

Plotly draws a whole figure again for each trace or shape that changes, mark by mark, which takes a tenth of a second.
An image it moves or replaces alone, in 2 ms, and a figure of which only texts and targets are left is drawn in less
than half of the time. A saved picture needs none of this, so that figures know nothing of it.
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

MARKS = ("halo", "ring", "compared")
"""Traces that only mark what is selected; `layout.shapes[0]` does so too."""
_BELOW, _ABOVE = ("fills",), ("symbols",)  # what is only seen of a page, below and above what answers the pointer
_EDGE = 1  # pixels around a mark, which smooth edges need
_HIDDEN = {"visible": False}

Image = dict[str, Any]
Planes = Mapping[tuple[str, str], Plane]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


def spec(figure: go.Figure) -> dict[str, Any]:
    """The figure as JSON with four images: the two of `marks`, and between them a page's lower and upper layer.

    A figure with a part that pans keeps all but the marks as it is.

    Args:
        figure: of fixed width and height, whose axes all have a range.
    """
    found: dict[str, Any] = figure.to_plotly_json()
    layout, planes = found["layout"], _planes(figure)
    below, above = marks(figure)
    page = [dict(_HIDDEN), dict(_HIDDEN)]
    gone = set(MARKS)
    if len(planes) == 1:
        ((_, plane),) = planes.items()
        whole = (0.0, 0.0, float(figure.layout.width), float(figure.layout.height))
        fills, symbols = ([t for t in found["data"] if t.get("name") in names] for names in (_BELOW, _ABOVE))
        drawn = [*shapes_of(layout["shapes"][1:], planes), *traces(fills, planes)], list(traces(symbols, planes))
        page = [
            _image(layer, plane, [whole] if svg else [], iter(svg))
            for layer, svg in zip(("below", "above"), drawn, strict=True)
        ]
        layout["shapes"] = layout["shapes"][:1]
        gone |= {*_BELOW, *_ABOVE}
    found["data"] = [_emptied(trace) if trace.get("name") in gone else trace for trace in found["data"]]
    layout["shapes"][0] |= _HIDDEN
    layout["images"] = [below, *page, above]
    return found


def marks(figure: go.Figure) -> tuple[Image, Image]:
    """The first shape, below, and the traces of `MARKS`, above; not visible where nothing is selected."""
    planes, shape = _planes(figure), figure.layout.shapes[0].to_plotly_json()
    chosen = [trace.to_plotly_json() for trace in figure.data if trace.name in MARKS and len(trace.x or ())]
    below = plane_of(planes, shape["xref"], shape["yref"])
    above = plane_of(planes, chosen[0]["xaxis"], chosen[0]["yaxis"]) if chosen else below
    seen = [] if shape.get("visible") is False else [_extent_of_shape(shape, below)]
    return (
        _image("below", below, seen, shapes_of([shape], planes)),
        _image("above", above, [_extent_of_trace(trace, above) for trace in chosen], traces(chosen, planes)),
    )


def _planes(figure: go.Figure) -> Planes:
    layout = figure.layout
    axes = {key: layout[key].to_plotly_json() for key in layout if key.startswith(("xaxis", "yaxis"))}
    return planes_of(axes, layout.width, layout.height)


def _emptied(trace: Mapping[str, Any]) -> dict[str, Any]:
    """The trace without points, and without what each of them looks like."""
    kept = ("type", "name", "mode", "xaxis", "yaxis", "hoverinfo", "showlegend")
    return {key: trace[key] for key in kept if key in trace} | {"x": [], "y": []}


def _image(layer: str, plane: Plane, extents: Sequence[Box], drawn: Iterator[str]) -> Image:
    if not extents:
        return dict(_HIDDEN)
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
