"""What answers the pointer: what a click means, as it is written into a point and read from it; what is selected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from ...model.iceberg.delete_scope import DeleteKey
from ...model.sequence_timeline.facts import Window
from .canvas import Box
from .fold import Part
from .text import escape, shorten
from .theme import CLEAR, FONT, Theme

CHECKLIST_LINES = 6  # a heading and at most five clauses
CHECKLIST_LINE = 18.0  # pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Clicked:
    """What a click means: something to select, a part of the picture to draw instead, or a part to ask for.

    Attributes:
        snapshot: id as text; None if the click names none, as for all below.
        file: path of a data or delete file.
        content_offset: of a deletion vector, several of which lie in one file; else None.
        delete: path and content offset of the delete that is compared with the file.
        key: of a row, as in `ChangedRow.key`.
        view: to be given to `draw` as it is.
        columns: of a snapshot graph, from one to another, to draw.
        partition: spec id and partition to be asked for alone.
        window: of a timeline to be asked for alone.
    """

    snapshot: str | None = None
    file: str | None = None
    content_offset: int | None = None
    delete: DeleteKey | None = None
    key: str | None = None
    view: str | None = None
    columns: tuple[float, float] | None = None
    partition: tuple[int, str] | None = None
    window: Window | None = None

    @property
    def file_key(self) -> DeleteKey | None:
        """Path and content offset of the file; None if the click names none."""
        return None if self.file is None else (self.file, self.content_offset)


@dataclass(frozen=True, slots=True)
class Selection:
    """What changes in a drawn figure when something else is selected.

    Attributes:
        traces: by trace index, the properties to update.
        first_shape: the properties of `layout.shapes[0]`.
    """

    traces: Mapping[int, dict[str, Any]]
    first_shape: Mapping[str, Any]


# --- what a click means ----------------------------------------------------------------------------------------------


def view_meaning(view: Part | str) -> str:
    """What a click means that draws another part, or the whole if the part is empty."""
    return f"view {view}"


def opening(view: Part | str) -> str:
    """The same; nothing where there is no part to open."""
    return view_meaning(view) if str(view) else ""


def file_meaning(path: str, content_offset: int | None) -> str:
    """What a click on a file means."""
    return f"file {'' if content_offset is None else content_offset} {path}"


def commit_meaning(snapshot_id: int | None) -> str:
    """What a click on a commit means."""
    return "" if snapshot_id is None else f"commit {snapshot_id}"


def row_meaning(snapshot_id: int | None, key: str) -> str:
    """What a click on a row in a commit means; of a row alone without an id."""
    return f"row {'' if snapshot_id is None else snapshot_id} {key}"


def columns_meaning(first: float, last: float) -> str:
    """What a click means that opens a window from one column to another."""
    return f"columns {first:.2f} {last:.2f}"


def meaning(figure: go.Figure, trace_index: int, point_index: int) -> tuple[str, str]:
    """What a click on a point of a trace means, as its first word and the rest; empty if the point means nothing."""
    meanings = figure.data[trace_index].customdata
    if meanings is None or not 0 <= point_index < len(meanings):
        return "", ""
    kind, _, rest = str(meanings[point_index]).partition(" ")
    return kind, rest


def clicked(figure: go.Figure, trace_index: int, point_index: int) -> Clicked | None:
    """What a click on a point of a trace means; None if the point means nothing, or what only its picture knows."""
    kind, rest = meaning(figure, trace_index, point_index)
    first, _, other = rest.partition(" ")
    match kind:
        case "view":
            return Clicked(view=rest)
        case "file":
            return Clicked(file=other, content_offset=int(first) if first else None)
        case "commit":
            return Clicked(snapshot=rest)
        case "row":
            return Clicked(snapshot=first or None, key=other)
    return None


# --- what is selected ------------------------------------------------------------------------------------------------


def ring(boxes: Iterable[Box], theme: Theme) -> dict[str, Any]:
    """A trace of closed lines around boxes, with a gap between two of them."""
    x: list[float | None] = []
    y: list[float | None] = []
    for left, top, right, bottom in boxes:
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


def halo(box: Box | None, theme: Theme, *, filled: bool = True) -> dict[str, Any]:
    """The first shape of a page: a halo around a box, and a band within if it is `filled`."""
    left, top, right, bottom = box or Box(0, 0, 0, 0)
    return {
        "type": "rect",
        "xref": "x",
        "yref": "y",
        "layer": "below",
        "x0": left,
        "x1": right,
        "y0": top,
        "y1": bottom,
        "fillcolor": theme.column_band if filled else CLEAR,
        "line": {"color": theme.halo, "width": 3 if filled else 5},
        "visible": box is not None,
    }


def elsewhere(
    x: float, y: float, words: str, meaning: str, hover: str, theme: Theme, *, side: Literal["left", "right"] = "right"
) -> dict[str, Any]:
    """A trace of words beside x, about what is selected and not in the picture; empty without words."""
    shown = [f"<b>{escape(words)}</b>"] if words else []
    return {
        "type": "scatter",
        "mode": "markers+text",
        "xaxis": "x",
        "yaxis": "y",
        "x": [x] * len(shown),
        "y": [y] * len(shown),
        "text": shown,
        "textposition": [f"middle {side}"] * len(shown) or f"middle {side}",
        "textfont": {"size": 11.5, "color": theme.ink, "family": FONT},
        "marker": {"symbol": "circle", "size": 1, "color": CLEAR, "opacity": 1, "line": {"color": CLEAR, "width": 0}},
        "customdata": [meaning] * len(shown),
        "hovertext": [hover] * len(shown),
        "hoverinfo": "text",
    }


Line = Sequence[tuple[float, str, str, bool]]
"""Words beside each other: x from the left, plain text, colour, whether bold."""


def checklist(lines: Sequence[Line], room: Sequence[float]) -> dict[str, Any]:
    """A trace of lines of words in a room: left, top and width in page pixels; empty without lines."""
    left, top, wide = room
    rows = [
        (left + x, top + CHECKLIST_LINE * (i + 0.5), shorten(plain, 12, wide - x, bold=bold), colour, bold)
        for i, line in enumerate(lines[:CHECKLIST_LINES])
        for x, plain, colour, bold in line
    ]
    return {
        "type": "scatter",
        "mode": "text",
        "xaxis": "x",
        "yaxis": "y",
        "x": [x for x, *_ in rows],
        "y": [row[1] for row in rows],
        "text": [f"<b>{escape(row[2])}</b>" if row[4] else escape(row[2]) for row in rows],
        "textposition": ["middle right"] * len(rows) or "middle right",
        "textfont": {"size": 12, "color": [row[3] for row in rows] or CLEAR, "family": FONT},
        "hoverinfo": "skip",
    }
