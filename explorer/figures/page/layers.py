"""A scene as a browser gets it: what answers no pointer is an image.

Plotly draws a whole figure again for each trace or shape that changes, mark by mark and text by text, which takes a
tenth of a second. An image it moves or replaces alone, in 2 ms, and of a figure little more than what answers the
pointer is left to draw. A saved picture needs none of this.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, TypeGuard

from . import as_plotly, svg
from .plane import Plane
from .scene import Box, Checklist, Circles, Halo, Layer, Lines, Marks, Rectangles, Scene, Texts
from .theme import FONT

_EDGE = 1  # pixels around a mark, which smooth edges need
_HIDDEN = {"visible": False}

Image = dict[str, Any]
_Marking = Lines | Circles | Marks | Checklist


def spec(scene: Scene) -> dict[str, Any]:
    """The scene as a figure in JSON with four images: the two of `marks`, and between them the two of a page.

    A scene with a part that pans keeps all but the marks as it is.
    """
    found = as_plotly.spec(scene)
    layout = found["layout"]
    _, *shapes = layout["shapes"]
    below, above = marks(scene)
    page, gone = [dict(_HIDDEN), dict(_HIDDEN)], [False for _ in scene.drawn]
    if len(scene.planes) == 1:
        page, shapes = _page(scene), []
        gone = [_is_low(layer) or _is_high(layer) for layer in scene.drawn]
    gone += [only_marks(layer) for layer in scene.selection.layers]
    found["data"] = [_emptied(trace) if is_gone else trace for is_gone, trace in zip(gone, found["data"], strict=True)]
    layout["shapes"] = [dict(_HIDDEN), *shapes]
    layout["images"] = [below, *page, above]
    return found


def only_marks(layer: Layer) -> TypeGuard[_Marking]:
    """Whether a layer of a selection only shows what is selected, which images do; the halo does so too."""
    return isinstance(layer, _Marking)


def _is_low(layer: Layer) -> bool:
    return isinstance(layer, Rectangles) and not layer.answers


def _is_high(layer: Layer) -> bool:
    return isinstance(layer, Marks | Texts)


def _page(scene: Scene) -> list[Image]:
    """What is only seen of a page: shapes and rectangles below what answers the pointer, symbols and words above."""
    (plane,) = scene.planes
    whole = [Box(0.0, 0.0, float(scene.width), float(scene.height))]
    low, high = (svg.layers(scene.planes, list(filter(which, scene.drawn))) for which in (_is_low, _is_high))
    lower = [*svg.shapes(scene.planes, scene.shapes), *low]
    return [_image("below", plane, whole, lower), _image("above", plane, whole, high)]


def marks(scene: Scene) -> tuple[Image, Image]:
    """The halo, below, and the layers that only mark, above; not visible where nothing is selected."""
    halo = scene.selection.halo
    chosen = [layer for layer in scene.selection.layers if only_marks(layer) and layer.items]
    below = scene.plane(halo.plane)
    above = scene.plane(chosen[0].plane) if chosen else below
    return (
        _image("below", below, [_extent_of_halo(halo, below)], svg.shapes(scene.planes, (), halo)),
        _image("above", above, [_extent(layer, above) for layer in chosen], svg.layers(scene.planes, chosen)),
    )


def _emptied(trace: dict[str, Any]) -> dict[str, Any]:
    """The trace without points, and without what each of them looks like."""
    kept = ("type", "name", "mode", "xaxis", "yaxis", "hoverinfo", "showlegend")
    return {key: trace[key] for key in kept if key in trace} | {"x": [], "y": []}


def _image(layer: str, plane: Plane, extents: Sequence[Box], drawn: Iterable[str]) -> Image:
    content = "".join(drawn)
    if not content:
        return dict(_HIDDEN)
    left, top = (math.floor(min(extent[i] for extent in extents)) - _EDGE for i in (0, 1))
    right, bottom = (math.ceil(max(extent[i] for extent in extents)) + _EDGE for i in (2, 3))
    width, height = right - left, bottom - top
    (x0, y0), (x1, y1) = plane.place(left, top), plane.place(right, bottom)
    x, y = as_plotly.AXES[plane.name]
    return {
        "source": svg.data_uri(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="{escape(FONT)}"'
            f' viewBox="{left} {top} {width} {height}"><defs>{svg.clip(plane)}</defs>{content}</svg>'
        ),
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


def _extent_of_halo(halo: Halo, plane: Plane) -> Box:
    left, top, right, bottom = halo.box
    return _around(((left, top), (right, bottom)), plane, halo.width / 2)


def _extent(layer: _Marking, plane: Plane) -> Box:
    """Around all places, as wide as the pen; words, whose width is estimated, have the page to its edge."""
    if isinstance(layer, Checklist):
        places = [(text.x, text.y) for text in layer.items]
        words = _around(places, plane, max(text.style.size for text in layer.items))
        return words._replace(right=plane.left + plane.width)
    if isinstance(layer, Marks):
        widest = max(mark.size + mark.stroke_width for mark in layer.items)
        return _around([(mark.x, mark.y) for mark in layer.items], plane, widest)  # a diamond is wider than its size
    if isinstance(layer, Lines):
        return _around([place for line in layer.items for place in line], plane, layer.width / 2)
    return _around(layer.items, plane, (layer.size + layer.width) / 2)


def _around(places: Sequence[tuple[float, float]], plane: Plane, wide: float) -> Box:
    across, down = [plane.x(x) for x, _ in places], [plane.y(y) for _, y in places]
    return Box(min(across) - wide, min(down) - wide, max(across) + wide, max(down) + wide)
