"""The entries of a snapshot as a picture: what its manifests store, what a reader makes of it, and by which rule.

From the snapshot over the rows of its manifest list to the entries: a number that an entry does not store comes along
the arrow. Up to 40 entries are drawn one by one; above that every manifest has a line or a few, and a click opens one.
"""

from __future__ import annotations

import plotly.graph_objects as go

from ...model.entries.facts import Entries
from ..page.fold import Part
from ..page.hits import Clicked, Selection, clicked
from ..page.sheet import TRACES
from ..page.text import tell_apart
from ..page.theme import Theme
from . import header, tree
from . import rows as entries_rows
from . import selection as entries_selection
from .layout import columns
from .page import Page
from .selection import selection
from .view import Contents

__all__ = ["RANGE_AXES", "TRACES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()


def draw(
    entries: Entries,
    theme: Theme,
    *,
    name: str,
    selected_file: str | None = None,
    width: int = 1380,
    view: str = "",
) -> go.Figure:
    """The picture. Its traces are always those of `TRACES`, in that order, so that a live figure is updated in place.

    Args:
        entries: what is stored and what it is read as.
        theme: in which colours.
        name: the table's name for the second line.
        selected_file: path of the file with ring and halo.
        width: of the page in pixels, at least 720. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another snapshot, for the whole.

    Clicks: only `cells`, `targets` and `elsewhere` answer the pointer; `clicked` turns a point of them into a meaning.
    """
    contents = Contents.of(entries, Part.parse(view))
    rows = entries_rows.rows(entries, contents)
    listed = [m.manifest for block in contents.blocks for m in block.manifests if block.single is not None]
    names = tell_apart([m.path for m in listed])
    placed = columns(
        max(width, 720),
        entries_rows.fields(contents),
        [row for of_block in rows for row in of_block],
        names.values(),
        lineage=any(m.first_row_id is not None for m in listed),
    )
    page = Page.of(theme, width, entries=entries, contents=contents, columns=placed, rows=rows, list_names=names)
    top = header.draw(page, name) + 8
    height = header.draw_foot(page, tree.draw(page, top)) + 10
    meta = {
        "places": page.places,
        "elsewhere": [page.width - 24, top, page.width / 2],
        "view": str(contents.part),
    }
    chosen = entries_selection.marks(meta, entries, theme, selected_file)
    return page.figure(TRACES, page.traces(), height, meta, chosen)
