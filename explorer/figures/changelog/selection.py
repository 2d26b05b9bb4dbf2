"""The marks of the selected commit in a changelog: a band along its column, and a ring around its head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from ..page.canvas import Box
from ..page.hits import Selection, elsewhere, halo, ring, view_meaning
from ..page.sheet import TRACES
from ..page.text import shorten
from ..page.theme import Theme
from .panel import Panel


def selection(figure: go.Figure, theme: Theme, *, selected: str | None = None) -> Selection:
    """The marks for a drawn figure; cheap, since every place is read from it.

    Args:
        figure: of `draw` or `draw_side_by_side`.
        theme: in which colours it was drawn.
        selected: snapshot id as text; one whose commit is told with others is marked with them.
    """
    return marks(dict(figure.layout.meta), theme, selected)


def places(panels: Sequence[Panel], y: float) -> dict[str, Any]:
    """What `selection` needs of a figure: heads by snapshot id, and which snapshots this view leaves out.

    Args:
        panels: all that were drawn.
        y: page pixel of the words about a selected commit that is not in view.
    """
    boxes: list[list[float]] = []
    column_of: dict[str, list[int]] = {}
    hidden = []
    for panel in panels:
        known = [commit.snapshot.snapshot_id for commit in panel.changelog.range.commits]
        known += [i for i in panel.columns.outside(panel.changelog.counts or {}) if i is not None]
        for snapshot_id in known:
            place = panel.columns.place(snapshot_id)
            if place is None:
                hidden.append(str(snapshot_id))
            else:
                column_of.setdefault(str(snapshot_id), []).append(len(boxes) + place)
        for box in panel.boxes:
            boxes.append([*(round(edge, 1) for edge in box), round(panel.bottom, 1)])
    first = panels[0]
    return {
        "heads": boxes,
        "column_of": column_of,
        "hidden": hidden,
        "elsewhere": [first.left, y, first.sheet.width - 2 * first.left],
    }


def marks(meta: Mapping[str, Any], theme: Theme, selected: str | None) -> Selection:
    """The same from the figure's `meta` alone."""
    found = [meta["heads"][i] for i in meta["column_of"].get(selected, ())] if selected else []
    x, y, room = meta["elsewhere"]
    words = meaning = hover = ""
    if selected and not found:
        hidden = selected in meta["hidden"]
        said = f"selected {selected}: {'not in view ▸' if hidden else 'not in this range'}"
        words = shorten(said, 11.5, room, bold=True)
        meaning, hover = (
            (view_meaning(""), "click: go there") if hidden else ("", "only commits of the range are drawn")
        )
    traces = {
        TRACES.index("ring"): ring((Box(left, top, right, low) for left, top, right, low, _ in found), theme),
        TRACES.index("elsewhere"): elsewhere(x, y, words, meaning, hover, theme),
    }
    band = Box(found[0][0], found[0][1], found[0][2], found[0][4]) if found else None
    return Selection(traces, halo(band, theme))
