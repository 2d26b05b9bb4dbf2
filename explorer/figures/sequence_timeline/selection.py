"""The marks of the selected commit in a sequence timeline: a band along its column, and a ring around its head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from ..page.canvas import Box
from ..page.hits import Selection, elsewhere, halo, ring
from ..page.sheet import TRACES
from ..page.text import shorten
from ..page.theme import Theme
from .columns import Heads


def selection(figure: go.Figure, theme: Theme, *, selected: str | None = None) -> Selection:
    """The marks for a drawn figure; cheap, since every place is read from it.

    Args:
        figure: of `draw`.
        theme: in which colours it was drawn.
        selected: snapshot id as text; one that has no column is named.
    """
    return marks(dict(figure.layout.meta), theme, selected)


def places(heads: Heads, elsewhere_at: tuple[float, float, float]) -> dict[str, Any]:
    """What `selection` needs of a figure.

    Args:
        heads: of the commits.
        elsewhere_at: left, y and room of the words about a commit that is not in the picture.
    """
    return {
        "commits": [str(column.snapshot_id) for column in heads.columns],
        "x": [round(column.x, 1) for column in heads.columns],
        "head": [round(edge, 1) for edge in (heads.wide, heads.top, heads.bottom)],
        "reach": round(heads.reach, 1),
        "elsewhere": list(elsewhere_at),
    }


def marks(meta: Mapping[str, Any], theme: Theme, selected: str | None) -> Selection:
    """The same from the figure's `meta` alone."""
    found = [meta["x"][meta["commits"].index(selected)]] if selected in meta["commits"] else []
    wide, top, low = meta["head"]
    heads = [Box(x - wide, top, x + wide, low) for x in found]
    x, y, room = meta["elsewhere"]
    words = ""
    if selected and not heads:
        words = shorten(f"selected {selected}: no commit of this timeline", 11.5, room, bold=True)
    traces = {
        TRACES.index("ring"): ring(heads, theme),
        TRACES.index("elsewhere"): elsewhere(x, y, words, "", "only commits that the table lists have columns", theme),
    }
    first, last = min(top, meta["reach"]), max(low, meta["reach"])
    band = Box(heads[0].left, first, heads[0].right, last) if heads else None
    return Selection(traces, halo(band, theme))
