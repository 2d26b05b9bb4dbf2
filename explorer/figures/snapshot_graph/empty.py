"""A table without a snapshot: why there is nothing to see, and what would change that."""

from __future__ import annotations

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ..page import text
from ..page.canvas import Canvas, Type
from .view import View


def draw(view: View, top: float, canvas: Canvas) -> float:
    """Draw the words from page pixel `top` down; the page pixel where they end."""
    metadata = view.graph.metadata
    at, last = metadata.last_updated_at, metadata.last_sequence_number
    written = f"Its metadata was last written {formats.day(at)} {at:%Y} {at:%H:%M} UTC. " if at else ""
    history = f"Commits up to number {last:,} were made; none is listed any more." if last else "Nothing is committed."
    following = "next" if last else "first"
    said = f"The table exists. {written}{history} The graph starts with the {following} INSERT. "
    words = (said + snapshot_graph_words.contradictions(view.graph)).strip()
    y = top + 12
    for line in text.wrap(words, 13, view.width - 60):
        canvas.text("page", 20, y, line, Type(13, view.theme.ink_2), "start")
        y += 20
    return y + 40
