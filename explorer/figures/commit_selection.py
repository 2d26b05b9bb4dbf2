"""The marks of the selected file: a ring around its bar and a halo around the ring."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from ..model.commit import Commit
from ..model.commit_rows import CommitRows
from .canvas import Box
from .commit_groups import View
from .commit_page import summed, view_meaning
from .text import escape, shorten
from .theme import CLEAR, FONT, Theme

_SIDES = {"removed": "before", "added": "after", "kept": "through"}


@dataclass(frozen=True, slots=True)
class Selection:
    """What changes in a drawn figure when another file is selected.

    Attributes:
        traces: by trace index, the properties to update.
        first_shape: the properties of `layout.shapes[0]`.
    """

    traces: Mapping[int, dict[str, Any]]
    first_shape: Mapping[str, Any]


def selection(
    figure: go.Figure, commit: Commit, rows: CommitRows | None, theme: Theme, *, selected_file: str | None = None
) -> Selection:
    """The marks for a figure that `draw` made of this commit; cheap, since every place is read from the figure.

    A file that is told together with others gets its ring around their bar; one that is not in the picture is named.
    """
    return marks(dict(figure.layout.meta), commit, rows, theme, selected_file)


def marks(
    meta: Mapping[str, Any], commit: Commit, rows: CommitRows | None, theme: Theme, selected: str | None
) -> Selection:
    """The same from the figure's `meta` alone."""
    boxes, elsewhere, opens = _found(meta, commit, rows, selected) if selected else ([], "", "")
    traces = {
        meta["traces"]["ring"]: _ring(boxes, theme),
        meta["traces"]["elsewhere"]: _elsewhere(meta, elsewhere, opens, theme),
    }
    return Selection(traces, _halo(boxes, theme))


def _found(
    meta: Mapping[str, Any], commit: Commit, rows: CommitRows | None, selected: str
) -> tuple[list[Box], str, str]:
    """Boxes of the file; else words about it and the view that shows it."""
    places = meta["places"]
    if selected in places:
        return [Box(*box) for box in places[selected]], "", ""
    name = selected.rsplit("/", 1)[-1]
    key = next(
        ((_SIDES[f.change], f.entry.spec_id, f.entry.partition) for f in commit.files if f.entry.file_path == selected),
        None,
    )
    if key is None and rows is not None:
        key = next(((_SIDES[f.change], f.spec_id, f.partition) for f in rows.files if f.path == selected), None)
    if key is None:
        return [], f"{name}: not touched by this commit", ""
    side, spec_id, partition = key
    opens = str(View(opened=(spec_id, partition)))
    if summed(side, opens) in places:
        return [Box(*box) for box in places[summed(side, opens)]], "", ""
    return [], f"{name}: not in view ▸", opens


def _ring(boxes: list[Box], theme: Theme) -> dict[str, Any]:
    """Closed lines around the boxes, with a gap between two of them."""
    x: list[float | None] = []
    y: list[float | None] = []
    for box in boxes:
        left, top, right, bottom = box.left - 3, box.top - 3, box.right + 3, box.bottom + 3
        x += [*([None] if x else []), left, right, right, left, left]
        y += [*([None] if y else []), top, top, bottom, bottom, top]
    return {
        "type": "scatter",
        "mode": "lines",
        "xaxis": "x",
        "yaxis": "y",
        "x": x,
        "y": y,
        "line": {"color": theme.ink, "width": 2, "dash": "solid"},
        "hoverinfo": "skip",
    }


def _halo(boxes: list[Box], theme: Theme) -> dict[str, Any]:
    box = boxes[0] if boxes else Box(0, 0, 0, 0)
    return {
        "type": "rect",
        "xref": "x",
        "yref": "y",
        "layer": "below",
        "x0": box.left - 5,
        "x1": box.right + 5,
        "y0": box.top - 5,
        "y1": box.bottom + 5,
        "fillcolor": CLEAR,
        "line": {"color": theme.halo, "width": 5},
        "visible": bool(boxes),
    }


def _elsewhere(meta: Mapping[str, Any], words: str, opens: str, theme: Theme) -> dict[str, Any]:
    """Words about a selected file that is not in the picture; a click on them goes there."""
    x, y, room = meta["elsewhere"]
    shown = [f"<b>{escape(shorten('selected ' + words, 11.5, room, bold=True))}</b>"] if words else []
    return {
        "type": "scatter",
        "mode": "markers+text",
        "xaxis": "x",
        "yaxis": "y",
        "x": [x] * len(shown),
        "y": [y] * len(shown),
        "text": shown,
        "textposition": ["middle left"] * len(shown) or "middle left",
        "textfont": {"size": 11.5, "color": theme.ink, "family": FONT},
        "marker": {"symbol": "circle", "size": 1, "color": CLEAR, "opacity": 1, "line": {"color": CLEAR, "width": 0}},
        "customdata": [view_meaning(opens) if opens else ""] * len(shown),
        "hovertext": ["click: go there" if opens else "only files that the commit touched are drawn"] * len(shown),
        "hoverinfo": "text",
    }
