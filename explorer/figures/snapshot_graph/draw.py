"""The snapshot graph as a picture.

The page is measured in pixels. Its two x axes: `xaxis` is the page itself and never moves (names, title, key,
overview); `xaxis2` counts columns, and a person can pan and zoom it. Nothing else is on an axis of its own.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import plotly.graph_objects as go

from ...model.snapshot_graph.facts import SnapshotGraph
from ..page.canvas import Box, Canvas, Ink
from ..page.hits import Clicked, Selection
from ..page.marks import Marks, Targets
from ..page.theme import Theme, template
from . import axis, header, labels, lanes
from . import hits as snapshot_graph_hits
from . import overview as snapshot_graph_overview
from .hits import selection
from .view import Item, View, items, view

__all__ = ["RANGE_AXES", "TRACES", "Clicked", "Selection", "clicked", "draw", "selection", "visible"]

TRACES = (
    "page text",
    "page marks",
    "overview",
    "rows",
    "snapshots",
    "attempts",
    "labels",
    "targets",
    "halo",
    "ring",
    "compared",
    "elsewhere",
)
RANGE_AXES = ("xaxis2",)


def draw(
    graph: SnapshotGraph,
    theme: Theme,
    *,
    name: str = "",
    read_at: datetime | None = None,
    window: tuple[float, float] | None = None,
    selected: str | None = None,
    compared: str | None = None,
    width: int = 1100,
) -> go.Figure:
    """The picture. Its traces are always those of `TRACES`, in that order, so that a live figure is updated in place.

    Args:
        graph: what to draw.
        theme: in which colours.
        name: the table's name for the second line.
        read_at: when the metadata was read (UTC); without it the line says when the metadata was written.
        window: columns at the left and right end; None for all up to 400 listed snapshots, else the newest 140.
        selected: id of the snapshot with ring and halo.
        compared: id of the one with a dashed ring.
        width: of the page in pixels, at least 720; labels are thinned to fit it. The height follows from the lanes.

    Clicks: only the traces `overview`, `rows`, `targets` and `elsewhere` answer the pointer. `clicked` turns the trace
    and the point into a meaning; customdata of each point is a snapshot id, or `columns FIRST LAST`.
    """
    canvas_traces, shapes, meta, height = _paint(graph, theme, name, read_at, window, width)
    chosen = snapshot_graph_hits.marks(meta, graph, theme, selected, compared)
    traces = {**canvas_traces, **{TRACES[i]: trace for i, trace in chosen.traces.items()}}
    return go.Figure(
        {
            "data": [{"name": kind, "showlegend": False, **traces[kind]} for kind in TRACES],
            "layout": _layout(theme, meta, height, [dict(chosen.first_shape), *shapes]),
        },
        _validate=False,  # which takes four times as long as all the rest; tests validate
    )


def clicked(figure: go.Figure, trace_index: int, point_index: int) -> Clicked | None:
    """What a click on a point of a trace means; None if the point means nothing."""
    meaning = figure.data[trace_index].customdata
    if meaning is None or not 0 <= point_index < len(meaning):
        return None
    words = str(meaning[point_index]).split()
    if len(words) == 3:
        return Clicked(columns=(float(words[1]), float(words[2])))
    return Clicked(snapshot=words[0])


def visible(figure: go.Figure) -> tuple[float, float]:
    """The columns at the left and right end of the detail."""
    low, high = figure.layout.xaxis2.range
    return float(low), float(high)


def _paint(
    graph: SnapshotGraph,
    theme: Theme,
    name: str,
    read_at: datetime | None,
    window: tuple[float, float] | None,
    width: int,
) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]], dict[str, Any], float]:
    seen = view(graph, theme, window, width)
    canvas = Canvas(seen.left, seen.right, seen.window)
    page_marks, marks, crosses = Marks("page"), Marks("detail"), Marks("detail")
    targets, bars = Targets(), axis.Bars()
    overview = snapshot_graph_overview.empty_targets()
    folded = items(seen)
    top = header.draw(seen, folded, canvas, page_marks, name, read_at)
    if not graph.nodes:
        bottom = height = header.draw_empty(seen, top, canvas)
    else:
        if seen.overview:
            top, overview = snapshot_graph_overview.draw(seen, top + 6, canvas, page_marks)
        bottom, unnamed = _paint_detail(seen, folded, top, canvas, marks, crosses, targets, bars)
        height = header.draw_notes(seen, folded, unnamed, bottom, canvas)
    traces = {
        "page text": canvas.text_trace("page"),
        "page marks": page_marks.trace(canvas),
        "overview": overview,
        "rows": bars.trace(canvas, theme.page),
        "snapshots": marks.trace(canvas),
        "attempts": crosses.trace(canvas),
        "labels": canvas.text_trace("detail"),
        "targets": targets.trace(canvas),
    }
    meta = {
        "window": list(seen.window),
        "rows": {str(lane): row.y for lane, row in seen.row_of.items()},
        "plot": [seen.left, seen.right],
        "page": seen.width,
        "pitch": seen.pitch,
        "mark_size": seen.mark_size,
        "top": top,
        "bottom": bottom,
        "traces": {kind: TRACES.index(kind) for kind in ("halo", "ring", "compared", "elsewhere")},
    }
    return traces, canvas.shapes(), meta, height + 12


def _paint_detail(
    seen: View,
    folded: list[list[Item]],
    top: float,
    canvas: Canvas,
    marks: Marks,
    crosses: Marks,
    targets: Targets,
    bars: axis.Bars,
) -> tuple[float, int]:
    """Lanes, axis and bars from page pixel `top` down: where they end, and how many refs found no room."""
    signs = [labels.plan(seen, row) for row in seen.rows]
    y = _set_rows(seen, signs, top)
    lanes.draw_band(seen, canvas)
    labels.draw_names(seen, canvas)
    canvas.path("detail", Ink(seen.theme.grid, 1))  # the axis fills it last; it lies below everything
    lanes.draw_edges(seen, canvas)
    lanes.draw_arrows(seen, canvas)
    lanes.draw_marks(seen, folded, canvas, marks, targets)
    for row, row_signs in zip(seen.rows, signs, strict=True):
        labels.draw_refs(seen, row, row_signs, canvas, targets)
    numbered = labels.draw(seen, folded, canvas)
    for row, row_signs in zip(seen.rows, signs, strict=True):
        labels.draw_leaders(seen, row, row_signs, numbered, canvas)
    lanes.draw_attempts(seen, folded, canvas, crosses)
    lanes.draw_words(seen, canvas)
    y = axis.draw(seen, y + 14, canvas)
    y = axis.draw_bars(seen, y + 14, canvas, bars)
    if seen.overview:
        canvas.path("page", Ink(seen.theme.grid, 1)).box(Box(seen.left, top, seen.right, y + 4))
    return y, sum(count for row_signs in signs for _, count in row_signs.unnamed)


def _set_rows(seen: View, signs: list[labels.Signs], top: float) -> float:
    """Give each row its y and its room; the page pixel below the last."""
    full = seen.level == "full"
    targets_of_turns = {end.lane for _, _, end in lanes.turns(seen)}
    y = top + (10 if len(seen.nodes) == len(seen.graph.nodes) else 22)  # room to name a selection out of view
    for row, row_signs in zip(seen.rows, signs, strict=True):
        wordy = full and any(
            node.state == "staged" or (node.snapshot.attempt or 0) > 1 or node.copied_from is not None
            for node in row.nodes
        )
        row.above = (34.0 if full else 31.0) + (16 if wordy else 0) + labels.TIER * row_signs.tiers
        row.below = (36.0 if full else 26.0) + (12 if targets_of_turns & set(row.lanes) else 0)
        row.y = y + row.above
        y = row.y + row.below + 4
    return y


def _layout(theme: Theme, meta: dict[str, Any], height: float, shapes: list[dict[str, Any]]) -> dict[str, Any]:
    top, bottom, page = meta["top"], meta["bottom"], meta["page"]
    hidden = {"visible": False, "showgrid": False, "zeroline": False, "autorange": False}
    return {
        "template": template(theme),
        "width": page,
        "height": round(height),
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
        "barmode": "overlay",
        "hovermode": "closest",
        "dragmode": "pan",
        "showlegend": False,
        "meta": meta,
        "shapes": shapes,
        "xaxis": {**hidden, "domain": [0, 1], "range": [0, page], "fixedrange": True, "anchor": "y"},
        "yaxis": {**hidden, "domain": [0, 1], "range": [round(height), 0], "fixedrange": True, "anchor": "x"},
        "xaxis2": {
            **hidden,
            "domain": [meta["plot"][0] / page, meta["plot"][1] / page],
            "range": meta["window"],
            "anchor": "y2",
        },
        "yaxis2": {
            **hidden,
            "domain": [1 - bottom / round(height), 1 - top / round(height)],
            "range": [bottom, top],
            "fixedrange": True,
            "anchor": "x2",
        },
    }
