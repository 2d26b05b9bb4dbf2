"""Rows in the files that each commit added (up) and removed (down), from the summaries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..model import formats
from ..model.snapshot_graph import Node
from ..model.snapshot_story import carries_over, masked
from .canvas import Canvas, Ink, Type
from .snapshot_hover import hover
from .snapshot_view import View
from .theme import CLEAR, blend

_TALLEST = {"full": 62.0, "compact": 40.0, "folded": 40.0}


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


def draw(view: View, top: float, canvas: Canvas, bars: Bars) -> float:
    """Draw the bars from page pixel `top` down; the page pixel where they end."""
    theme = view.theme
    name = Type(12, theme.ink_2)
    counted = [(node, *_counts(node)) for node in view.nodes]
    if all(added is None and removed is None for _, added, removed in counted):
        if view.nodes:
            canvas.text("page", 20, top + 12, "rows in files", name, "start")
            words = "the summaries of these snapshots record no row counts"
            canvas.text("page", view.left + 8, top + 12, words, Type(11.5, theme.ink_3), "start")
        return top + 24
    most_added = max(added or 0 for _, added, _ in counted)
    most_removed = max(removed or 0 for _, _, removed in counted)
    most = max(most_added, most_removed, 1)
    tallest = _TALLEST[view.level]
    room = 16.0 if view.level == "full" else 6.0
    base = top + tallest * max(most_added / most, 0.3) + room
    bottom = base + max(tallest * most_removed / most + room, 36.0 if view.level == "full" else 14.0)
    for words, y in (("rows in files", base - 34), ("added", base - 16), ("removed", base + 16)):
        canvas.text("page", 20, y, words, name, "start")
    left = max(view.x(view.nodes[0].column - 0.5) - 6, view.left)
    right = min(view.x(view.nodes[-1].column + 0.5) + 6, view.right)
    for node, added, removed in counted:
        _draw_node(view, node, (added, removed), base, tallest / most, canvas, bars)
    canvas.path("detail", Ink(theme.edge, 1)).move(left, base).line(right, base)
    if view.level != "full":
        quiet = Type(10.5, theme.ink_3)
        canvas.text("page", view.left - 8, base - tallest * 0.5 - 20, "", quiet, "end")
    return bottom


def _counts(node: Node) -> tuple[int | None, int | None]:
    return node.snapshot.count("added-records"), node.snapshot.count("deleted-records")


def _draw_node(
    view: View,
    node: Node,
    counts: tuple[int | None, int | None],
    base: float,
    pixels_per_row: float,
    canvas: Canvas,
    bars: Bars,
) -> None:
    theme, x = view.theme, view.x(node.column)
    hue = theme.operation(node.snapshot.operation)
    kept = node.state not in ("staged", "rolled back", "unreferenced")
    colour = hue.fill if kept else blend(hue.fill, theme.page, 0.55)
    full = view.level == "full"
    wide = min(28.0, view.pitch * 0.45) if full else max(view.pitch * 0.72, 1.0)
    figures = Type(10.5, theme.ink_2)
    below = base
    for up, rows in ((True, counts[0]), (False, counts[1])):
        if not rows:
            continue
        length = max(rows * pixels_per_row, 1.5)
        _add(bars, view, node, x, base, length if up else -length, wide, colour)
        end = base - length - 8 if up else base + length + 9
        below = below if up else end + 4
        if full:
            canvas.try_text([(x, end)], formats.compact(rows), figures, room=2)
    if not full:
        return
    if counts == (None, None):
        canvas.try_text([(x, base + 10)], "?", figures)
    hidden = masked(node.snapshot)
    if hidden:
        style = Type(10.5, theme.removed.text)
        if canvas.try_text([(x, below + 12)], formats.compact(hidden), style, room=2):
            canvas.try_text([(x, below + 26)], "masked", style, room=1)


def _add(bars: Bars, view: View, node: Node, x: float, base: float, length: float, wide: float, colour: str) -> None:
    bars.x.append(x)
    bars.base.append(base)
    bars.length.append(length)
    bars.width.append(wide)
    bars.colour.append(colour)
    bars.hatched.append(view.level == "full" and carries_over(node.snapshot))
    bars.meaning.append(str(node.snapshot.snapshot_id))
    bars.hover.append(hover(view.graph, node))
