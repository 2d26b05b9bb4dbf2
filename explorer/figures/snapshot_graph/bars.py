"""Rows in the files that each commit added (up) and removed (down), from the summaries."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

from ...model import formats
from ...model.snapshot_graph.facts import Node
from ...model.snapshot_graph.words import carries_over, masked
from ..page.canvas import Box, Canvas, Ink, Type
from ..page.hits import columns_meaning
from ..page.theme import CLEAR, blend
from .hover import capsule_hover, hover
from .view import View

_TALLEST = {"full": 62.0, "compact": 40.0, "folded": 40.0}
_NARROWEST = 4.0  # pixels of a bar that sums several commits


@dataclass(slots=True)
class Bars:
    """Bars of the detail plane: x and width in page pixels, base and length (up is positive) in pixels."""

    x: list[float] = field(default_factory=list)
    base: list[float] = field(default_factory=list)
    length: list[float] = field(default_factory=list)
    width: list[float] = field(default_factory=list)
    colour: list[str] = field(default_factory=list)
    hatched: list[bool] = field(default_factory=list)
    meaning: list[str] = field(default_factory=list)
    hover: list[str] = field(default_factory=list)

    def trace(self, canvas: Canvas, page: str) -> dict[str, Any]:
        """The bar trace."""
        scale = canvas.column(1) - canvas.column(0)
        return {
            "type": "bar",
            "xaxis": "x2",
            "yaxis": "y2",
            "x": [canvas.column(x) for x in self.x],
            "y": [-length for length in self.length],
            "base": self.base,
            "width": [w * scale for w in self.width] or 1,
            "marker": {
                "color": self.colour or CLEAR,
                "line": {"color": self.colour or CLEAR, "width": [1.2 if h else 0.0 for h in self.hatched] or 0},
                "pattern": {
                    "shape": ["/" if h else "" for h in self.hatched] or "",
                    "fillmode": "replace",
                    "fgcolor": self.colour or CLEAR,
                    "bgcolor": page,
                    "size": 5,
                    "solidity": 0.32,
                },
            },
            "customdata": self.meaning,
            "hovertext": self.hover,
            "hoverinfo": "text",
        }


@dataclass(frozen=True, slots=True)
class _Group:
    """Commits that share a place: one, or those under a few pixels where there are too many."""

    nodes: tuple[Node, ...]
    x: float
    added: int | None
    removed: int | None


def draw(view: View, top: float, canvas: Canvas, bars: Bars) -> float:
    """Draw the bars from page pixel `top` down; the page pixel where they end."""
    theme = view.theme
    name = Type(12, theme.ink_2)
    groups = _groups(view)
    if all(group.added is None and group.removed is None for group in groups):
        if groups:
            canvas.text("page", 20, top + 12, "rows in files", name, "start")
            words = "the summaries of these snapshots record no row counts"
            canvas.text("page", view.left + 8, top + 12, words, Type(11.5, theme.ink_3), "start")
        return top + 24
    most_added = max(group.added or 0 for group in groups)
    most_removed = max(group.removed or 0 for group in groups)
    most = max(most_added, most_removed, 1)
    tallest = _TALLEST[view.level]
    room = 16.0 if view.level == "full" else 6.0
    base = top + tallest * max(most_added / most, 0.3) + room
    bottom = base + max(tallest * most_removed / most + room, 36.0 if view.level == "full" else 27.0)
    for words, y in (("rows in files", base - 34), ("added", base - 16), ("removed", base + 16)):
        canvas.text("page", 20, y, words, name, "start")
    left = max(view.x(view.nodes[0].column - 0.5) - 6, view.left)
    right = min(view.x(view.nodes[-1].column + 0.5) + 6, view.right)
    for group in groups:
        _draw_bars(view, group, base, tallest / most, canvas, bars)
    for group in groups if view.level == "full" else ():
        _draw_figures(view, group, base, tallest / most, canvas)
    canvas.path("detail", Ink(theme.edge, 1)).move(left, base).line(right, base)
    return bottom


def _groups(view: View) -> list[_Group]:
    """Each commit by itself as long as its bar has a pixel or two; else those that fall on the same few pixels."""
    if view.level != "folded":
        return [_Group((node,), view.x(node.column), *_counts(node)) for node in view.nodes]
    groups = []
    for place, members in itertools.groupby(
        view.nodes, key=lambda n: int((view.x(n.column) - view.left) // _NARROWEST)
    ):
        nodes = tuple(members)
        counts = [_counts(node) for node in nodes]
        added, removed = ([c for c in column if c is not None] for column in zip(*counts, strict=True))
        x = view.left + (place + 0.5) * _NARROWEST
        groups.append(_Group(nodes, x, sum(added) if added else None, sum(removed) if removed else None))
    return groups


def _counts(node: Node) -> tuple[int | None, int | None]:
    return node.snapshot.count("added-records"), node.snapshot.count("deleted-records")


def _draw_bars(view: View, group: _Group, base: float, pixels_per_row: float, canvas: Canvas, bars: Bars) -> None:
    theme, x, node = view.theme, group.x, group.nodes[0]
    hue = theme.operation(node.snapshot.operation)
    kept = node.state not in ("staged", "rolled back", "unreferenced")
    colour = hue.fill if kept else blend(hue.fill, theme.page, 0.55)
    wide = min(28.0, view.pitch * 0.45) if view.level == "full" else max(view.pitch * 0.72, 1.0)
    if view.level == "folded":
        colour, wide = theme.moved.fill, _NARROWEST - 0.6
    up, down = (max(rows * pixels_per_row, 1.5) if rows else 0.0 for rows in (group.added, group.removed))
    for length in (up, -down):
        if length:
            _add(bars, view, group, base, length, wide, colour)
    if up or down:
        canvas.take(Box(x - wide / 2, base - up, x + wide / 2, base + down))


def _draw_figures(view: View, group: _Group, base: float, pixels_per_row: float, canvas: Canvas) -> None:
    """The rows at the ends of the bars, and below them the rows that were masked."""
    x, style = group.x, Type(10.5, view.theme.ink_2)
    added, removed = group.added, group.removed
    if added is None and removed is None:
        canvas.try_text([(x, base + 10)], "?", style)
    if added:
        canvas.try_text([(x, base - max(added * pixels_per_row, 1.5) - 8)], formats.compact(added), style, room=2)
    below = base
    if removed:
        end = base + max(removed * pixels_per_row, 1.5)
        below = end + 14
        canvas.try_text([(x, end + 9)], formats.compact(removed), style, room=2)
    hidden = masked(group.nodes[0].snapshot)
    if hidden:
        style = Type(10.5, view.theme.removed.text)
        words = formats.compact(hidden)
        word_fits = canvas.is_free(canvas.box_of(x, below + 24, "masked", style))
        if word_fits and canvas.try_text([(x, below + 10)], words, style, room=2):
            canvas.text("detail", x, below + 24, "masked", style)


def _add(bars: Bars, view: View, group: _Group, base: float, length: float, wide: float, colour: str) -> None:
    first, last = group.nodes[0], group.nodes[-1]
    bars.x.append(group.x)
    bars.base.append(base)
    bars.length.append(length)
    bars.width.append(wide)
    bars.colour.append(colour)
    bars.hatched.append(view.level == "full" and carries_over(first.snapshot))
    if first is last:
        bars.meaning.append(str(first.snapshot.snapshot_id))
        bars.hover.append(hover(view.graph, first))
    else:
        bars.meaning.append(columns_meaning(first.column - 8, last.column + 8))
        bars.hover.append(capsule_hover(view.graph, group.nodes))
