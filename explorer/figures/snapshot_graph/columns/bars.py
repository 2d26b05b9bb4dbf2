"""Rows that each commit added, and below the line those that it removed or masked, on a symmetric scale."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from ....model import formats
from ....model.iceberg.summary import masked
from ....model.snapshot_graph.columns import RowChange, carries_over, row_change
from ....model.snapshot_graph.facts import Node
from ....model.snapshot_graph.symmetric_log import SymmetricLog, even_part
from ...page.canvas import Canvas
from ...page.hits import columns_meaning
from ...page.scene import Bar, Box, Ink, Type
from ...page.theme import SYMBOLS, blend
from .. import capsules
from ..lanes import hover
from ..view import Page, View
from .scale import ticks

_TALLEST = 66.0  # pixels of the longest bar
_BIN = 12.0  # pixels for the commits that share bars, where they are too many
_NAME, _LABEL = 12.0, 10.5  # pixels of type
_FAINT = 0.55
_MASKED = "masked"


@dataclass(frozen=True, slots=True)
class _Layer:
    """Rows of one kind that commits at one place added (or removed, or masked), which get a bar of their own."""

    kind: str | None
    rows: int
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class _Group:
    """Commits that share a place: one, or those under a few pixels where there are too many."""

    nodes: tuple[Node, ...]
    x: float
    room: float
    up: tuple[_Layer, ...]
    down: tuple[_Layer, ...]
    known: bool


def draw(page: Page, top: float) -> float:
    """Draw the bars from page pixel `top` down; the page pixel where they end."""
    view, canvas = page.view, page.canvas
    heading = Type(_NAME, page.theme.ink, bold=True)
    groups = list(_groups(view))
    if not any(group.known for group in groups):
        if groups:
            canvas.text("page", 20, top + 8, "rows per commit: the summaries record no row counts", heading, "start")
        return top + (20 if groups else 0)
    scale, most_up, most_down = _scale(groups)
    _note(page, scale)
    many = "rows of the commits that share a place" if view.level == "folded" else "rows per commit"
    key = f": symmetric log, even up to {scale.even_up_to:,}" if scale.is_log else ""
    canvas.text("page", 20, top + 8, many + key, heading, "start")
    room = 14.0 if view.level == "full" else 4.0
    base = top + 22 + room + max(scale.length(most_up), 14.0)
    bottom = base + room + max(scale.length(most_down), 26.0) + (20 if _masks(groups) and view.level == "full" else 0)
    _draw_scale(page, scale, base, most_up, most_down)
    for group in groups:
        _draw_layers(page, group, group.up, base, scale, 1)
        _draw_layers(page, group, group.down, base, scale, -1)
    for group in groups if view.level == "full" else ():
        _draw_figures(view, group, base, scale, canvas)
    left = max(view.x(view.nodes[0].column - 0.5) - 6, view.left)
    right = min(view.x(view.nodes[-1].column + 0.5) + 6, view.right)
    canvas.path("detail", Ink(page.theme.edge, 1)).move(left, base).line(right, base)
    return bottom


def _note(page: Page, scale: SymmetricLog) -> None:
    """What the bars alone do not say, for the foot."""
    snapshots = [node.snapshot for node in page.view.nodes]
    full, notes = page.view.level == "full", page.footnotes
    notes.append("Rows: as recorded in each snapshot's summary.")
    if page.view.level == "folded":
        notes.append("Each bar sums the rows that commits of one kind added or removed there.")
    if scale.is_log:
        notes.append(
            f"Bars are even up to {scale.even_up_to:,} rows, from there on by the logarithm; they do not add up."
        )
    if any(map(carries_over, snapshots)):
        hatch = "Hatched bars" if full else "Those of overwrite and replace"
        notes.append(f"{hatch} count whole rewritten files, rows carried over unchanged included.")
    if any(map(masked, snapshots)):
        notes.append("Masked = marked by position deletes or deletion vectors, no data file rewritten.")
    if full and any(s.count("added-records") is None for s in snapshots):
        notes.append("? = not recorded.")


def _scale(groups: list[_Group]) -> tuple[SymmetricLog, int, int]:
    """The scale, and the most rows of one bar above and below the line."""
    up = [layer.rows for group in groups for layer in group.up]
    down = [layer.rows for group in groups for layer in group.down]
    most_up, most_down = max(up, default=0), max(down, default=0)
    return SymmetricLog(max(most_up, most_down, 1), _TALLEST, even_part(up + down)), most_up, most_down


def _groups(view: View) -> Iterator[_Group]:
    """Each commit by itself as long as its bar has a pixel or two; else those that fall on the same few pixels."""
    if view.level != "folded":
        room = min(30.0, view.pitch * 0.5) if view.level == "full" else max(view.pitch * 0.8, 1.0)
        for node in view.nodes:
            yield _group((node,), view.x(node.column), room)
        return
    for place, members in itertools.groupby(view.nodes, key=lambda n: int((view.x(n.column) - view.left) // _BIN)):
        yield _group(tuple(members), view.left + (place + 0.5) * _BIN, _BIN - 1.5)


def _group(nodes: tuple[Node, ...], x: float, room: float) -> _Group:
    changes = [(node, row_change(node.snapshot)) for node in nodes]
    known = any(change.added is not None or change.removed is not None for _, change in changes)
    up, down = (_layers(changes, side) for side in ("up", "down"))
    return _Group(nodes, x, room, up, down, known)


def _layers(changes: list[tuple[Node, RowChange]], side: str) -> tuple[_Layer, ...]:
    """What the bars of a place stand for, one for each operation, and one for rows that were masked."""
    rows: dict[str | None, int] = defaultdict(int)
    nodes: dict[str | None, list[Node]] = defaultdict(list)
    for node, change in changes:
        operation = node.snapshot.operation
        told = [(operation, change.added)] if side == "up" else [(operation, change.removed), (_MASKED, change.masked)]
        for kind, counted in told:
            if counted:
                rows[kind] += counted
                nodes[kind].append(node)
    order = [*SYMBOLS, _MASKED]
    kinds = sorted(rows, key=lambda kind: order.index(kind) if kind in order else len(order))
    return tuple(_Layer(kind, rows[kind], tuple(nodes[kind])) for kind in kinds)


def _masks(groups: list[_Group]) -> bool:
    return any(layer.kind == _MASKED for group in groups for layer in group.down)


def _draw_scale(page: Page, scale: SymmetricLog, base: float, most_up: int, most_down: int) -> None:
    view, theme, canvas = page.view, page.theme, page.canvas
    grid, label = canvas.path("detail", Ink(theme.grid, 1)), Type(_LABEL, theme.ink_3)
    for most, way in ((most_up, 1), (most_down, -1)):
        for rows in ticks(scale, most):
            y = base - way * scale.length(rows)
            grid.move(view.left, y).line(view.right, y)
            canvas.text("page", view.left - 5, y, formats.compact(rows), label, "end")
    name = Type(_NAME, theme.ink_2)
    canvas.text("page", 20, base - 9, "added", name, "start")
    canvas.text("page", 20, base + 9, "removed", name, "start")
    canvas.text("page", 20, base + 24, "or masked", name, "start")


def _draw_layers(
    page: Page, group: _Group, layers: tuple[_Layer, ...], base: float, scale: SymmetricLog, way: int
) -> None:
    """Side by side, since lengths on this scale do not add up."""
    wide = group.room / max(len(layers), 1)
    for i, layer in enumerate(layers):
        x = group.x + (i - (len(layers) - 1) / 2) * wide
        length = max(scale.length(layer.rows), 1.5)
        page.bars.append(_bar(page, group, layer, x, base, way * length, max(wide - 0.4, 0.8)))
        upper, lower = sorted((base, base - way * length))
        page.canvas.take(Box(x - wide / 2, upper, x + wide / 2, lower))


def _bar(page: Page, group: _Group, layer: _Layer, x: float, base: float, length: float, wide: float) -> Bar:
    view, theme, first, last = page.view, page.theme, group.nodes[0], group.nodes[-1]
    hue = theme.removed if layer.kind == _MASKED else theme.operation(layer.kind)
    kept = any(node.state not in ("staged", "rolled back", "unreferenced") for node in layer.nodes)
    colour = hue.fill if kept else blend(hue.fill, theme.page, _FAINT)
    if first is last:
        hatched = view.level == "full" and layer.kind != _MASKED and carries_over(first.snapshot)
        return Bar(x, base, length, wide, colour, hatched, str(first.snapshot.snapshot_id), hover(view.graph, first))
    meaning = columns_meaning(first.column - 8, last.column + 8)
    return Bar(x, base, length, wide, colour, False, meaning, capsules.hover(view.graph, group.nodes))


def _draw_figures(view: View, group: _Group, base: float, scale: SymmetricLog, canvas: Canvas) -> None:
    """The rows at the ends of the bars, and which of those below are masked."""
    style = Type(_LABEL, view.theme.ink_2)
    if not group.known:
        canvas.try_text([(group.x, base + 10)], "?", style)
    for layer in group.up:
        end = base - max(scale.length(layer.rows), 1.5)
        canvas.try_text([(group.x, end - 8)], formats.compact(layer.rows), style, room=2)
    end = base
    for layer in group.down:
        end = max(end, base + max(scale.length(layer.rows), 1.5))
    for layer in group.down:
        if layer.kind == _MASKED:
            _draw_masked(view, group.x, end, layer.rows, canvas)
        elif canvas.try_text([(group.x, end + 9)], formats.compact(layer.rows), style, room=2):
            end += 14


def _draw_masked(view: View, x: float, end: float, rows: int, canvas: Canvas) -> None:
    style = Type(_LABEL, view.theme.removed.text)
    word_fits = canvas.is_free(canvas.box_of(x, end + 23, _MASKED, style))
    if canvas.try_text([(x, end + 9)], formats.compact(rows), style, room=2) and word_fits:
        canvas.text("detail", x, end + 23, _MASKED, style)
