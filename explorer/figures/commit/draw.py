"""One commit as a picture: what it rewrote, kept, added and masked, in metadata and in data.

The page is measured in pixels, and nothing on it can be panned: what is too much for one page is told in sums, and a
click opens a part of it.
"""

from __future__ import annotations

import plotly.graph_objects as go

from ...model.commit.rows import CommitRows
from ...model.iceberg.commit import Commit
from ..page.fold import Part
from ..page.hits import Clicked, Selection, clicked
from ..page.theme import Theme
from . import files, header, metadata
from . import selection as commit_selection
from .groups import Contents
from .page import Page
from .selection import selection

__all__ = ["RANGE_AXES", "TRACES", "Clicked", "Selection", "clicked", "draw", "selection"]

TRACES = ("fills", "files", "words", "targets", "ring", "elsewhere")
RANGE_AXES = ()


def draw(
    commit: Commit,
    rows: CommitRows | None,
    theme: Theme,
    *,
    name: str,
    selected_file: str | None = None,
    width: int = 1380,
    view: str = "",
) -> go.Figure:
    """The picture. Its traces are always those of `TRACES`, in that order, so that a live figure is updated in place.

    Args:
        commit: what was written.
        rows: what became of the rows; None if they were not read.
        theme: in which colours.
        name: the table's name for the second line.
        selected_file: path of the file with ring and halo.
        width: of the page in pixels, at least 720; files are summed to fit it. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another commit, for the whole.

    Clicks: only `files`, `targets` and `elsewhere` answer the pointer; `clicked` turns a point of them into a meaning.
    """
    page = Page.of(theme, width, commit=commit, rows=rows)
    contents = Contents(commit, rows, Part.parse(view))
    y = header.draw(page, name)
    metadata_top = y + 4
    y = metadata.draw(page, metadata_top)
    files_top = y + 14
    y = files.draw(page, contents, files_top)
    height = header.draw_foot(page, y) + 10
    meta = {
        "places": page.places,
        "elsewhere": [page.right, files_top + 10, page.right - page.left - 260],
        "traces": {kind: TRACES.index(kind) for kind in ("ring", "elsewhere")},
        "view": str(contents.part),
    }
    chosen = commit_selection.marks(meta, commit, rows, theme, selected_file)
    traces = page.traces()
    return page.figure(TRACES, traces | {"files": traces["cells"]}, height, meta, chosen)
