"""The marks of the selected file: a ring around its bar and a halo around the ring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from ...model.commit.rows import CommitRows
from ...model.iceberg.commit import Commit
from ..page.canvas import Box
from ..page.fold import Part
from ..page.hits import Selection, elsewhere, halo, opening, ring
from ..page.text import shorten
from ..page.theme import Theme
from .page import summed

_SIDES = {"removed": "before", "added": "after", "kept": "through"}


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
    boxes, words, opens = _found(meta, commit, rows, selected) if selected else ([], "", "")
    x, y, room = meta["elsewhere"]
    shown = shorten(f"selected {words}", 11.5, room, bold=True) if words else ""
    hover = "click: go there" if opens else "only files that the commit touched are drawn"
    traces = {
        meta["traces"]["ring"]: ring((box.around(3) for box in boxes), theme),
        meta["traces"]["elsewhere"]: elsewhere(x, y, shown, opening(opens), hover, theme, side="left"),
    }
    return Selection(traces, halo(boxes[0].around(5) if boxes else None, theme, filled=False))


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
    opens = str(Part.of_partition(spec_id, partition))
    if summed(side, opens) in places:
        return [Box(*box) for box in places[summed(side, opens)]], "", ""
    return [], f"{name}: not in view ▸", opens
