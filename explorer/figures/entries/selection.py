"""The marks of the selected file among the entries: a ring around its line, or around the manifest that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import plotly.graph_objects as go

from ...model.entries.facts import Entries
from ..page.canvas import Box
from ..page.fold import Part
from ..page.hits import Selection, elsewhere, halo, opening, ring
from ..page.sheet import TRACES
from ..page.text import shorten
from ..page.theme import Theme
from .view import MOST_ENTRIES


def selection(figure: go.Figure, entries: Entries, theme: Theme, *, selected_file: str | None = None) -> Selection:
    """The marks for a figure that `draw` made of these entries; cheap, since every place is read from the figure.

    A file whose entry is told together with others gets its ring around their manifest, and the words lead to it.
    """
    return marks(dict(figure.layout.meta), entries, theme, selected_file)


def marks(meta: Mapping[str, Any], entries: Entries, theme: Theme, selected: str | None) -> Selection:
    """The same from the figure's `meta` alone."""
    boxes, words, opens = _found(meta, entries, selected) if selected else ([], "", "")
    x, y, room = meta["elsewhere"]
    shown = shorten(f"selected {words}", 11.5, room, bold=True) if words else ""
    hover = "click: go there" if opens else "only entries that were read one by one can be shown"
    traces = {
        TRACES.index("ring"): ring((box.around(2) for box in boxes), theme),
        TRACES.index("elsewhere"): elsewhere(x, y, shown, opening(opens), hover, theme, side="left"),
    }
    return Selection(traces, halo(boxes[0].around(4) if boxes else None, theme, filled=False))


def _found(meta: Mapping[str, Any], entries: Entries, selected: str) -> tuple[list[Box], str, str]:
    """Boxes of the file or its manifest; words about it where its own line is not drawn, and the view that shows it."""
    places = meta["places"]
    if selected in places:
        return [Box(*box) for box in places[selected]], "", ""
    name = selected.rsplit("/", 1)[-1]
    for of in entries.manifests:
        at = next((i for i, e in enumerate(of.entries) if e.entry.file_path == selected), None)
        if at is not None:
            opens = str(Part(at - at % MOST_ENTRIES, of.manifest.path))
            return [Box(*box) for box in places.get(of.manifest.path, ())], f"{name}: one by one ▸", opens
    return [], f"{name}: not among these entries", ""
