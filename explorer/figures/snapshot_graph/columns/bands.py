"""Schema, partition spec and format version as lines along the commits, and a row of ticks for each program."""

from __future__ import annotations

import itertools

from ....model.snapshot_graph import bands as model
from ....model.snapshot_graph.facts import Node
from ...page import text
from ...page.canvas import Path
from ...page.scene import Ink, Type
from ..view import Page

_NAME, _WORDS = 12.0, 11.5  # pixels of type
_BAND, _WRITER = 19.0, 16.0  # pixels from one row to the next
_TICK = 9.0


def draw(page: Page, top: float) -> float:
    """Draw them from page pixel `top` down; the page pixel where they end."""
    y = top
    for band in model.bands(page.view.graph):
        y += _BAND
        _draw_name(page, band.name, y, _NAME)
        for run in band.runs:
            if run.last >= page.view.window[0] and run.first <= page.view.window[1]:
                _draw_run(page, run, y)
    for written in model.writers(page.view.graph):
        y += _WRITER
        _draw_name(page, written.name or "not named", y, _WORDS)
        _draw_ticks(page, written.nodes, y)
    return y + 8


def _draw_name(page: Page, name: str, y: float, size: float) -> None:
    words = text.shorten(name, size, page.view.left - 30)
    page.canvas.text("page", 20, y, words, Type(size, page.theme.ink_2), "start")


def _draw_run(page: Page, run: model.Run, y: float) -> None:
    """A line from its first commit to its last, with its words in the middle; dotted where it is not known."""
    view, canvas = page.view, page.canvas
    dash = "solid" if run.known else "3px,3px"
    line = canvas.path("detail", Ink(page.theme.edge, 1, dash=dash))
    reach = max(min(20.0, view.pitch / 2 - 3), 1.0)
    left = max(view.x(run.first) - reach, view.left + 2)
    right = min(view.x(run.last) + reach, view.right - 2)
    style = Type(_WORDS, page.theme.ink_2)
    choices = (run.text, run.text.partition(" · ")[0])
    words = canvas.fitting(choices, style, max(right - left - 16, 0))
    if words == "…" or (words != run.text and right - left < 90):
        words = run.short
    half = style.width(words) / 2 + 5
    if right - left < 2 * half:
        line.move(left, y).line(right, y)
    else:
        middle = (left + right) / 2
        line.move(left, y).line(middle - half, y).move(middle + half, y).line(right, y)
        canvas.text("detail", middle, y, words, style)
    if run.known:
        line.move(left, y - 3).line(left, y + 3).move(right, y - 3).line(right, y + 3)


def _draw_ticks(page: Page, nodes: tuple[Node, ...], y: float) -> None:
    """One for each commit in the hue of what it did; grey where commits that did different things share a pixel."""
    view, theme = page.view, page.theme
    wide = 3.0 if view.level == "full" else 1.4
    seen = [node for node in nodes if view.window[0] <= node.column <= view.window[1]]
    for x, group in itertools.groupby(seen, key=lambda node: round(view.x(node.column) * 2) / 2):
        operations = {node.snapshot.operation for node in group}
        colour = theme.operation(operations.pop()).fill if len(operations) == 1 else theme.edge
        _tick(page.canvas.path("detail", Ink(colour, wide)), x, y)


def _tick(path: Path, x: float, y: float) -> None:
    path.move(x, y - _TICK / 2).line(x, y + _TICK / 2)
