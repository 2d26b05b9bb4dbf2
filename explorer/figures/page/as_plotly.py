"""A scene as plotly draws it: live, as `Picture.figure`, and in an HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from .plane import DIGITS, Plane, PlaneName
from .scene import (
    Anchor,
    Areas,
    Bars,
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
from .text import escape
from .theme import CLEAR, DARK, FONT, LIGHT, MONOSPACE, template

AXES: Mapping[PlaneName, tuple[str, str]] = {"page": ("x", "y"), "detail": ("x2", "y2")}
_POSITION: Mapping[Anchor, str] = {"start": "middle right", "middle": "middle center", "end": "middle left"}
_UNSEEN = {"symbol": "circle", "size": 1, "color": CLEAR, "opacity": 1, "line": {"color": CLEAR, "width": 0}}

for _theme in (LIGHT, DARK):
    template(_theme)


def figure(scene: Scene) -> go.Figure:
    """The scene as a figure: a trace for each layer, a path for each shape, and the halo as the first shape."""
    made = spec(scene)
    made["layout"]["template"] = template(scene.theme)
    return go.Figure(made, _validate=False)  # validating takes four times as long as all the rest; tests do


def spec(scene: Scene) -> dict[str, Any]:
    """The same as JSON."""
    return {"data": [trace(layer) for layer in scene.layers], "layout": _layout(scene)}


def trace(layer: Layer) -> dict[str, Any]:
    """The trace of a layer; its properties are the same ones however many items there are."""
    x, y = AXES[layer.plane]
    kind, properties = _properties(layer)
    return {"name": layer.name, "showlegend": False, "type": kind, "xaxis": x, "yaxis": y, **properties}


def halo(of: Halo) -> dict[str, Any]:
    """The shape of a halo."""
    x, y = AXES[of.plane]
    left, top, right, bottom = of.box
    return {
        "type": "rect",
        "xref": x,
        "yref": y,
        "layer": "below",
        "x0": left,
        "x1": right,
        "y0": top,
        "y1": bottom,
        "fillcolor": of.fill,
        "line": {"color": of.stroke, "width": of.width} if of.stroke else {"width": of.width},
        "visible": of.visible,
    }


def _layout(scene: Scene) -> dict[str, Any]:
    layout: dict[str, Any] = {
        "template": template(scene.theme).to_plotly_json(),
        "width": scene.width,
        "height": scene.height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        "barmode": "overlay",
        "hovermode": "closest",
        "dragmode": "pan" if len(scene.planes) > 1 else False,
        "showlegend": False,
        "meta": dict(scene.meta),
        "shapes": [halo(scene.selection.halo), *map(_shape, scene.shapes)],
    }
    for plane in scene.planes:
        layout |= _axes(plane)
    return layout


def _axes(plane: Plane) -> dict[str, Any]:
    x, y = AXES[plane.name]
    hidden = {"visible": False, "showgrid": False, "zeroline": False, "autorange": False}
    fixed = {"fixedrange": True}
    across = {"domain": list(plane.across), "range": list(plane.x_range), "anchor": y}
    return {
        x.replace("x", "xaxis"): {**hidden, **({} if plane.name == "detail" else fixed), **across},
        y.replace("y", "yaxis"): {
            **hidden, **fixed, "domain": list(plane.down), "range": list(plane.y_range), "anchor": x
        },
    }  # fmt: skip


def _shape(shape: Shape) -> dict[str, Any]:
    x, y = AXES[shape.plane]
    ink, digits = shape.ink, DIGITS[shape.plane]
    path = "".join(
        command + " ".join([f"{x:.{digits}f},{y:.1f}" for x, y in zip(xy[::2], xy[1::2], strict=True)])
        for command, xy in shape.steps
    )
    drawn = {
        "type": "path",
        "xref": x,
        "yref": y,
        "layer": "below",
        "path": path,
        "fillcolor": ink.fill,
        "line": {"color": ink.stroke, "width": ink.width, "dash": ink.dash},
    }
    return drawn | ({"fillrule": "nonzero"} if ink.overlaps else {})


def _properties(layer: Layer) -> tuple[str, dict[str, Any]]:
    """The type of a layer's trace, and what it has besides name and axes."""
    match layer:
        case Texts():
            return "scatter", _texts(layer.items)
        case Checklist():
            return "scatter", _checklist(layer.items)
        case Marks():
            return "scatter", _marks(layer)
        case Rectangles():
            return "bar", _rectangles(layer)
        case Bars():
            return "bar", _bars(layer)
        case Areas():
            return "bar", _areas(layer)
        case Targets():
            return "scatter", _targets(layer)
        case Signs():
            return "scatter", _signs(layer)
        case Lines():
            return "scatter", _lines(layer)
        case Circles():
            return "scatter", _circles(layer)


def _texts(items: Sequence[Text]) -> dict[str, Any]:
    return {
        "mode": "text",
        "x": [text.x for text in items],
        "y": [text.y for text in items],
        "text": [_markup(text) for text in items],
        "textposition": [_POSITION[text.anchor] for text in items] or "middle center",
        "textfont": {
            "size": [text.style.size for text in items] or 12,
            "color": [text.style.colour for text in items] or CLEAR,
            "family": [MONOSPACE if text.style.mono else FONT for text in items] or FONT,
        },
        "hoverinfo": "skip",
    }


def _checklist(items: Sequence[Text]) -> dict[str, Any]:
    colours = [text.style.colour for text in items] or CLEAR
    return _texts(items) | {
        "textposition": [_POSITION[text.anchor] for text in items] or _POSITION["start"],
        "textfont": {"size": 12, "color": colours, "family": FONT},
    }


def _markup(text: Text) -> str:
    """Plotly's pseudo-HTML; what a table calls things is escaped."""
    shown = "".join(map(_span, text.spans))
    return f"<b>{shown}</b>" if text.style.bold else shown


def _span(span: Span) -> str:
    shown = f"<b>{escape(span.words)}</b>" if span.bold else escape(span.words)
    return f'<span style="color:{span.colour}">{shown}</span>' if span.colour else shown


def _marks(layer: Marks) -> dict[str, Any]:
    items = layer.items
    return {
        "mode": "markers",
        "x": [mark.x for mark in items],
        "y": [mark.y for mark in items],
        "marker": {
            "symbol": [mark.symbol for mark in items] or "circle",
            "size": [mark.size for mark in items] or 1,
            "color": [mark.fill for mark in items] or CLEAR,
            "opacity": 1,
            "line": {
                "color": [mark.stroke for mark in items] or CLEAR,
                "width": [mark.stroke_width for mark in items] or 0,
            },
        },
        "hoverinfo": "skip",
    }


def _rectangles(layer: Rectangles) -> dict[str, Any]:
    items = layer.items
    return {
        "x": [(rectangle.box.left + rectangle.box.right) / 2 for rectangle in items],
        "y": [rectangle.box.bottom - rectangle.box.top for rectangle in items],
        "base": [rectangle.box.top for rectangle in items],
        "width": [rectangle.box.right - rectangle.box.left for rectangle in items] or 1,
        "marker": {
            "color": [rectangle.hatch or rectangle.fill for rectangle in items] or CLEAR,
            "line": {
                "color": [rectangle.stroke for rectangle in items] or CLEAR,
                "width": [rectangle.stroke_width for rectangle in items] or 0,
            },
            "pattern": {
                "shape": ["/" if rectangle.hatch else "" for rectangle in items] or "",
                "fillmode": "replace",
                "fgcolor": [rectangle.hatch or CLEAR for rectangle in items] or CLEAR,
                "size": 5.5,
                "solidity": 0.2,
            },
        },
        **_answers(items),
        "hoverinfo": "text" if layer.answers else "skip",
    }


def _bars(layer: Bars) -> dict[str, Any]:
    items = layer.items
    colours = [bar.colour for bar in items] or CLEAR
    return {
        "x": [bar.x for bar in items],
        "y": [-bar.length for bar in items],
        "base": [bar.base for bar in items],
        "width": [bar.width for bar in items] or 1,
        "marker": {
            "color": colours,
            "line": {"color": colours, "width": [1.2 if bar.hatched else 0.0 for bar in items] or 0},
            "pattern": {
                "shape": ["/" if bar.hatched else "" for bar in items] or "",
                "fillmode": "replace",
                "fgcolor": colours,
                "bgcolor": layer.ground,
                "size": 5,
                "solidity": 0.32,
            },
        },
        **_answers(items),
        "hoverinfo": "text",
    }


def _areas(layer: Areas) -> dict[str, Any]:
    items = layer.items
    return {
        "x": [(area.left + area.right) / 2 for area in items],
        "y": [layer.top - layer.bottom for _ in items],
        "base": layer.bottom,
        "width": [area.right - area.left for area in items] or 1,
        "marker": {"color": CLEAR, "line": {"width": 0}},
        **_answers(items),
        "hoverinfo": "text",
    }


def _targets(layer: Targets) -> dict[str, Any]:
    items = layer.items
    return {
        "mode": "markers",
        "x": [target.x for target in items],
        "y": [target.y for target in items],
        "marker": _UNSEEN | {"size": [target.size for target in items] or 24.0},
        **_answers(items),
        "hoverinfo": "text",
    }


def _signs(layer: Signs) -> dict[str, Any]:
    items, style = layer.items, layer.style
    return {
        "mode": "markers+text",
        "x": [sign.x for sign in items],
        "y": [sign.y for sign in items],
        "text": [f"<b>{escape(sign.words)}</b>" for sign in items],
        "textposition": [_POSITION[sign.anchor] for sign in items] or _POSITION[layer.anchor],
        "textfont": {"size": style.size, "color": style.colour, "family": FONT},
        "marker": _UNSEEN,
        **_answers(items),
        "hoverinfo": "text",
    }


def _answers(items: Iterable[Any]) -> dict[str, list[str]]:
    """What a click means, as text, since a browser rounds a number as large as an id; and what the pointer is told."""
    return {"customdata": [item.meaning for item in items], "hovertext": [item.hover for item in items]}


def _lines(layer: Lines) -> dict[str, Any]:
    """One trace, in which a place that is None breaks the line."""
    broken = [place for line in layer.items for place in ((None, None), *line)][1:]
    return {
        "mode": "lines",
        "x": [x for x, _ in broken],
        "y": [y for _, y in broken],
        "line": {"color": layer.stroke, "width": layer.width, "dash": layer.dash},
        "hoverinfo": "skip",
    }


def _circles(layer: Circles) -> dict[str, Any]:
    return {
        "mode": "markers",
        "x": [x for x, _ in layer.items],
        "y": [y for _, y in layer.items],
        "marker": _UNSEEN | {"size": layer.size, "line": {"color": layer.stroke, "width": layer.width}},
        "hoverinfo": "skip",
    }
