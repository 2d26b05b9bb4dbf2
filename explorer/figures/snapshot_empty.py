"""A table without a snapshot: why there is nothing to see, and what would change that."""

from __future__ import annotations

from ..model import formats
from . import text
from .canvas import Canvas, Type
from .snapshot_view import View


def draw(view: View, top: float, canvas: Canvas) -> float:
    """Draw the words from page pixel `top` down; the page pixel where they end."""
    at = view.graph.metadata.last_updated_at
    written = f"Its metadata was last written {formats.moment(at)} UTC and nothing has been committed." if at else ""
    words = f"The table exists. {written} The graph starts with the first INSERT."
    y = top + 12
    for line in text.wrap(words, 13, view.width - 60):
        canvas.text("page", 20, y, line, Type(13, view.theme.ink_2), "start")
        y += 20
    return y + 40
