"""The marks of the selected commit in the picture of retries: a ring and a halo around its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from ...model.retries.facts import Retries
from ..page.canvas import Box
from ..page.fold import Part
from ..page.hits import Selection, elsewhere, halo, opening, ring
from ..page.sheet import TRACES
from ..page.text import shorten
from ..page.theme import Theme
from .view import ONE_BY_ONE


def selection(figure: go.Figure, retries: Retries, theme: Theme, *, selected: str | None = None) -> Selection:
    """The marks for a figure that `draw` made of these attempts; cheap, since every place is read from the figure.

    A commit that is told together with others is named, and the words lead to its line.
    """
    return marks(dict(figure.layout.meta), retries, theme, selected)


def marks(meta: Mapping[str, Any], retries: Retries, theme: Theme, selected: str | None) -> Selection:
    """The same from the figure's `meta` alone."""
    boxes = [Box(*box) for box in meta["places"].get(selected, ())] if selected else []
    words = opens = ""
    if selected and not boxes:
        at = next((i for i, a in enumerate(retries.attempts) if str(a.snapshot.snapshot_id) == selected), None)
        words = f"selected {selected}: " + ("not listed in this table" if at is None else "not in view ▸")
        opens = "" if at is None else str(Part(at, ONE_BY_ONE))
    x, y, room = meta["elsewhere"]
    hover = "click: go there" if opens else "only commits that the metadata lists are drawn"
    shown = shorten(words, 11.5, room, bold=True)
    traces = {
        TRACES.index("ring"): ring(boxes, theme),
        TRACES.index("elsewhere"): elsewhere(x, y, shown, opening(opens), hover, theme, side="left"),
    }
    return Selection(traces, halo(boxes[0] if boxes else None, theme))
