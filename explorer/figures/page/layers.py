"""A figure as a browser gets it: what answers no pointer and is no text is an image.

Plotly draws a whole figure again for each trace or shape that changes, mark by mark, which takes a tenth of a second.
An image it moves or replaces alone, in 2 ms, and a figure of which only texts and targets are left is drawn in less
than half of the time. A saved picture needs none of this, so that figures know nothing of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from .svg import data_uri, planes_of, shapes_of
from .svg_marks import Plane, plane_of, traces

MARKS = ("halo", "ring", "compared")
"""Traces that only mark what is selected; `layout.shapes[0]` does so too."""
_BELOW, _ABOVE = ("fills",), ("symbols",)  # what is only seen of a page, below and above what answers the pointer
_EDGE = 1  # pixels around a mark, which smooth edges need
_HIDDEN = {"visible": False}

Image = dict[str, Any]
Trace = dict[str, Any]
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
    layout, data = found["layout"], found["data"]
    planes = planes_of(layout, layout["width"], layout["height"])
    shape, *shapes = layout["shapes"]
    below, above = _marks(shape, data, planes)
    page = [dict(_HIDDEN), dict(_HIDDEN)]
    gone: tuple[str, ...] = MARKS
    if len(planes) == 1:
        (axes,) = planes
        whole = [(0.0, 0.0, float(layout["width"]), float(layout["height"]))]
        lower = [*shapes_of(shapes, planes), *traces(_named(data, _BELOW), planes)]
        upper = traces(_named(data, _ABOVE), planes)
        page = [_image("below", axes, planes, whole, lower), _image("above", axes, planes, whole, upper)]
        shapes, gone = [], (*MARKS, *_BELOW, *_ABOVE)
    found["data"] = [_emptied(trace) if trace.get("name") in gone else trace for trace in data]
    layout["shapes"] = [shape | _HIDDEN, *shapes]
    layout["images"] = [below, *page, above]
    return found


def marks(figure: go.Figure) -> tuple[Image, Image]:
    """The first shape, below, and the traces of `MARKS`, above; not visible where nothing is selected."""
    layout = figure.layout
    axes = {key: layout[key].to_plotly_json() for key in layout if key.startswith(("xaxis", "yaxis"))}
    data = [trace.to_plotly_json() for trace in figure.data if trace.name in MARKS]
    return _marks(layout.shapes[0].to_plotly_json(), data, planes_of(axes, layout.width, layout.height))


def _marks(shape: Mapping[str, Any], data: Sequence[Trace], planes: Planes) -> tuple[Image, Image]:
    chosen = [trace for trace in _named(data, MARKS) if len(trace["x"])]
    below = shape["xref"], shape["yref"]
    above = (chosen[0]["xaxis"], chosen[0]["yaxis"]) if chosen else below
    plane = plane_of(planes, *above)
    return (
        _image("below", below, planes, [_extent_of_shape(shape, plane_of(planes, *below))], shapes_of([shape], planes)),
        _image("above", above, planes, [_extent_of_trace(t, plane) for t in chosen], traces(chosen, planes)),
    )


def _named(data: Sequence[Trace], names: Sequence[str]) -> list[Trace]:
    return [trace for trace in data if trace.get("name") in names]


def _emptied(trace: Trace) -> Trace:
    """The trace without points, and without what each of them looks like."""
    kept = ("type", "name", "mode", "xaxis", "yaxis", "hoverinfo", "showlegend")
    return {key: trace[key] for key in kept if key in trace} | {"x": [], "y": []}


def _image(layer: str, axes: tuple[str, str], planes: Planes, extents: Sequence[Box], drawn: Iterable[str]) -> Image:
    content = "".join(drawn)
    if not content:
        return dict(_HIDDEN)
    plane = plane_of(planes, *axes)
    left, top = (math.floor(min(extent[i] for extent in extents)) - _EDGE for i in (0, 1))
    right, bottom = (math.ceil(max(extent[i] for extent in extents)) + _EDGE for i in (2, 3))
    width, height = right - left, bottom - top
    (x0, y0), (x1, y1) = plane.place(left, top), plane.place(right, bottom)
    return {
        "source": data_uri(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="{left} {top} {width} {height}"><defs>{plane.clip()}</defs>{content}</svg>'
        ),
        "xref": axes[0],
        "yref": axes[1],
        "x": x0,
        "y": y0,
        "sizex": abs(x1 - x0),
        "sizey": abs(y1 - y0),
        "sizing": "stretch",
        "layer": layer,
        "visible": True,
    }


def _extent_of_shape(shape: Mapping[str, Any], plane: Plane) -> Box:
    return _extent(plane, (shape["x0"], shape["x1"]), (shape["y0"], shape["y1"]), shape["line"]["width"] / 2)


def _extent_of_trace(trace: Trace, plane: Plane) -> Box:
    marker = trace.get("marker")
    wide = trace["line"]["width"] / 2 if marker is None else (marker["size"] + marker["line"]["width"]) / 2
    return _extent(plane, trace["x"], trace["y"], wide)


def _extent(plane: Plane, x: Iterable[float | None], y: Iterable[float | None], wide: float) -> Box:
    """Around these places, as wide as the pen; a line is broken where a place is None."""
    across, down = [plane.x(v) for v in x if v is not None], [plane.y(v) for v in y if v is not None]
    return min(across) - wide, min(down) - wide, max(across) + wide, max(down) + wide
