"""The whole history above the window: a strip of density for each kind of commit, and where the window stands."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Gap, Node, SnapshotGraph
from ..page import text
from ..page.canvas import Canvas
from ..page.hits import columns_meaning
from ..page.scene import Area, Areas, Box, Ink, Mark, Type
from ..page.theme import SYMBOLS, blend
from .view import Page, View

_MOST_BINS = 400
_SHADES = (0.34, 0.56, 0.78, 1.0)
_PITCH = 18.0
_MOST_BRANCHES = 3
_WIDEST_GAP = 0.25  # of the strip; a longer one is cut, and says so

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]
Places = float | list[float] | Numbers


class Scale:
    """Columns to page pixels of the strips; a long gap, one column in the graph, gets room in proportion."""

    def __init__(self, graph: SnapshotGraph, left: float, right: float) -> None:
        wide = max(len(graph.nodes), 1)
        self.cut: set[Gap] = set()
        extra = np.zeros(graph.column_count + 1)
        for gap in graph.gaps:
            numbers = gap.last - gap.first + 1
            if numbers > wide * 0.01:
                extra[gap.column + 1 :] += min(numbers, wide * _WIDEST_GAP)
                if numbers > wide * _WIDEST_GAP:
                    self.cut.add(gap)
        at = np.arange(graph.column_count + 1) + extra
        self._x: Numbers = left + at / at[-1] * (right - left)
        self._columns = np.arange(graph.column_count + 1) - 0.5

    def x(self, column: Places) -> Numbers:
        """Page pixels of columns."""
        return np.asarray(np.interp(column, self._columns, self._x))

    def column(self, x: Places) -> Numbers:
        """Columns at page pixels."""
        return np.asarray(np.interp(x, self._x, self._columns))


def draw(page: Page, top: float) -> float:
    """Draw the strips, and what of them answers the pointer, from page pixel `top` down; where they end."""
    view, canvas = page.view, page.canvas
    theme, graph = view.theme, view.graph
    left, right = view.left + 20, view.right - 14
    scale = Scale(graph, left, right)
    columns = np.array([node.column for node in graph.nodes], dtype=np.float64)
    bins = int(min(_MOST_BINS, (right - left) // 2.5))
    edges = np.linspace(left, right, bins + 1)
    place = np.clip(((scale.x(columns) - left) / (right - left) * bins).astype(np.int64), 0, bins - 1)
    frame_top = top + 20
    y = frame_top + 3
    strips = _strips(graph)
    counts: dict[str, npt.NDArray[np.int64]] = {}
    for name, operation, colour, members in strips:
        counted = np.bincount(place[members], minlength=bins)
        counts[name] = counted
        _draw_strip(view, counted, edges, y, _colour(view, colour), canvas)
        middle = y + _PITCH / 2 - 1
        if operation:
            page.symbols.append(
                Mark(26, middle, SYMBOLS.get(operation, "hexagon"), 11, theme.operation(operation).fill)
            )
        label = Type(12, theme.ink_2)
        at = 36.0 if operation else 20.0
        number = f"{int(members.sum()):,}"
        room = left - 14 - label.width(number) - at
        canvas.text("page", at, middle, text.shorten(name, 12, room), label, "start")
        canvas.text("page", left - 8, middle, number, Type(12, theme.ink), "end")
        y += _PITCH
    bottom = y + 2
    _draw_frame(view, scale, Box(left, frame_top, right, bottom), canvas)
    _draw_marks_above(view, scale, frame_top, canvas)
    _draw_axis(view, scale, bottom, canvas)
    page.areas = Areas("overview", "page", _areas(view, edges, counts, scale), frame_top, bottom)
    detail_top = bottom + 74
    _draw_window(view, scale, Box(left, frame_top, right, bottom), detail_top, canvas)
    return detail_top


def _strips(graph: SnapshotGraph) -> list[tuple[str, str, str, Flags]]:
    """Name, operation (empty for other rows), colour role and members of each strip."""
    operations = np.array([node.snapshot.operation or "" for node in graph.nodes])
    states = np.array([node.state for node in graph.nodes])
    lanes = np.array([node.lane for node in graph.nodes])
    attempts = np.array([node.snapshot.attempt or 0 for node in graph.nodes])
    strips: list[tuple[str, str, str, Flags]] = []
    for operation in ("append", "overwrite", "delete", "replace"):
        strips.append((operation, operation, operation, operations == operation))
    known = np.isin(operations, ("append", "overwrite", "delete", "replace"))
    strips.append(("not recorded", "unknown", "replace", ~known))
    branches = sorted(
        ((int((lanes == i).sum()), i) for i, lane in enumerate(graph.lanes) if lane.kind == "branch"), reverse=True
    )
    for _, lane in branches[:_MOST_BRANCHES]:
        strips.append((f"branch {graph.lanes[lane].name}", "", "edge", lanes == lane))
    rest = [lane for _, lane in branches[_MOST_BRANCHES:]]
    strips.append((f"{len(rest):,} more branches", "", "edge", np.isin(lanes, rest)))
    for state in ("staged", "rolled back", "tag", "unreferenced"):
        words = {"tag": "kept by a tag", "unreferenced": "no ref"}.get(state, state)
        strips.append((words, "", "edge", states == state))
    strips.append(("retried", "", "attention", attempts > 1))
    return [strip for strip in strips if strip[3].any()]


def _colour(view: View, role: str) -> str:
    if role == "edge":
        return view.theme.edge
    return view.theme.attention.fill if role == "attention" else view.theme.operation(role).fill


def _draw_strip(
    view: View, counted: npt.NDArray[np.int64], edges: Numbers, y: float, colour: str, canvas: Canvas
) -> None:
    """Bins of one shade become one path; neighbours of one shade one rectangle."""
    most = int(counted.max())
    shades = np.where(counted == 0, -1, np.minimum(counted * len(_SHADES) // (most + 1), len(_SHADES) - 1))
    if most == 1:
        shades = np.where(counted == 0, -1, len(_SHADES) - 1)
    starts = np.flatnonzero(np.diff(shades, prepend=-2))
    ends = np.append(starts[1:], len(shades))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        shade = int(shades[start])
        if shade >= 0:
            ink = Ink(fill=blend(colour, view.theme.page, _SHADES[shade]))
            canvas.path("page", ink).box(Box(float(edges[start]), y, float(edges[end]), y + _PITCH - 5))


def _draw_frame(view: View, scale: Scale, frame: Box, canvas: Canvas) -> None:
    theme = view.theme
    style = Type(11.5, theme.ink_2)
    hatch = canvas.path("page", Ink(theme.grid, 1.2))
    for gap in view.graph.gaps:
        left, right = (float(x) for x in scale.x([gap.column - 0.5, gap.column + 0.5]))
        if right - left < 4:
            continue
        _hatch(hatch, Box(left, frame.top, right, frame.bottom))
        cut = ", not to scale" if gap in scale.cut else ""
        numbers = formats.span(gap.first, gap.last)
        for words in (f"{numbers} expired{cut}", "expired"):
            half = style.width(words) / 2 + 6
            if 2 * half <= right - left:
                x, y = (left + right) / 2, (frame.top + frame.bottom) / 2
                canvas.path("page", Ink(fill=theme.page)).box(Box(x - half, y - 9, x + half, y + 9))
                canvas.text("page", x, y, words, style)
                break
    canvas.path("page", Ink(theme.grid, 1)).box(frame)


def _hatch(hatch: Any, box: Box) -> None:
    """Strokes at 45 degrees inside a box."""
    high = box.bottom - box.top
    x = box.left - high + 4
    while x < box.right:
        start, end = max(x, box.left), min(x + high, box.right)
        if end > start:
            hatch.move(start, box.bottom - (start - x)).line(end, box.bottom - (end - x))
        x += 8


def _draw_marks_above(view: View, scale: Scale, y: float, canvas: Canvas) -> None:
    """Where main turned back, and tags, named as far as there is room."""
    graph, theme = view.graph, view.theme
    left_by: dict[tuple[int, int], int] = defaultdict(int)
    for node in graph.nodes:
        if node.left_main is not None:
            left_by[(node.left_main.from_id, node.left_main.to_id)] += 1
    marks: list[tuple[Node, str]] = [
        (graph.by_id[start], f"{dropped:,} rolled back")
        for (start, end), dropped in left_by.items()
        if start in graph.by_id
    ]
    refs = graph.metadata.refs
    tagged = [(node, [name for name in node.refs if refs[name].kind == "tag"]) for node in graph.nodes if node.refs]
    marks += [
        (node, f"tag {text.shorten(tags[0], 11, 110)}" + (f" +{len(tags) - 1:,}" if len(tags) > 1 else ""))
        for node, tags in reversed(tagged)
        if tags
    ]
    style = Type(11, theme.ink_2)
    ticks = canvas.path("page", Ink(theme.ink_3, 1))
    for node, words in marks[:300]:
        x = float(scale.x(node.column))
        half = style.width(words) / 2
        at = min(max(x, view.left + half), view.width - 12 - half)
        canvas.try_text([(at, y - 13)], words, style, plane="page", room=6)
        ticks.move(x, y - 5).line(x, y)


def _draw_axis(view: View, scale: Scale, y: float, canvas: Canvas) -> None:
    graph, theme = view.graph, view.theme
    name = Type(12, theme.ink_2)
    words = (
        ("sequence number" if name.width("sequence number") < view.left - 8 else "sequence")
        if graph.numbered
        else "commit order"
    )
    canvas.text("page", 20, y + 14, words, name, "start")
    ticks = canvas.path("page", Ink(theme.edge, 1))
    window = scale.x([view.window[0], view.window[1]])
    in_view = Type(12, theme.ink, bold=True)
    words = f"{len(view.nodes):,} in view"
    half = in_view.width(words) / 2
    at = min(max(float(window.mean()), view.left + half + 20), view.width - 14 - half)
    canvas.text("page", at, y + 49, words, in_view)
    count = len(graph.nodes)
    wanted = [0, count - 1, count // 2, count // 4, 3 * count // 4, count // 8, 3 * count // 8, 5 * count // 8]
    for position in dict.fromkeys(wanted):
        node = graph.nodes[position]
        x = float(scale.x(node.column))
        number = snapshot_graph_words.label(graph, node)
        committed = node.snapshot.committed_at
        date = f"{formats.day(committed)} {committed:%Y}" if committed and position in (0, count - 1) else ""
        date = date or (formats.day(committed) if committed else "")
        style = Type(12, theme.ink)
        reach = max(style.width(number), name.width(date)) / 2
        at = min(max(x, view.left + reach), view.width - 10 - reach)
        if canvas.try_text([(at, y + 14)], number, style, plane="page", room=12):
            ticks.move(x, y).line(x, y + 5)
            canvas.try_text([(at, y + 30)], date, Type(11.5, theme.ink_2), plane="page", room=8)


def _draw_window(view: View, scale: Scale, frame: Box, detail_top: float, canvas: Canvas) -> None:
    """The rectangle over the strips, and the funnel from it to the detail below."""
    left, right = (float(x) for x in scale.x([view.window[0], view.window[1]]))
    if right - left < 6:
        left, right = (left + right) / 2 - 3, (left + right) / 2 + 3
    funnel = canvas.path("page", Ink(fill=view.theme.funnel))
    funnel.move(left, frame.bottom + 4).line(right, frame.bottom + 4).line(view.right, detail_top)
    funnel.line(view.left, detail_top).close()
    around = Box(left, frame.top - 4, right, frame.bottom + 4)
    canvas.path("page", Ink(fill=view.theme.column_band)).box(around, 3)
    canvas.path("page", Ink(view.theme.ink, 2)).box(around, 3)
    handles = canvas.path("page", Ink(fill=view.theme.ink))
    middle = (frame.top + frame.bottom) / 2
    for x in (left, right):
        handles.box(Box(x - 2.5, middle - 11, x + 2.5, middle + 11), 2)


def _areas(view: View, edges: Numbers, counts: dict[str, npt.NDArray[np.int64]], scale: Scale) -> tuple[Area, ...]:
    """A strip for each bin: its commits by kind; a click opens a window of today's width around it."""
    half = min((view.window[1] - view.window[0]) / 2, view.graph.column_count / 2)
    columns = scale.column((edges[:-1] + edges[1:]) / 2)
    first, last = (columns - half).tolist(), (columns + half).tolist()
    nodes = view.graph.nodes
    starts = np.searchsorted([n.column for n in nodes], scale.column(edges[:-1])).tolist()
    places, areas = edges.tolist(), []
    for i, start in enumerate(starts):
        kinds = ", ".join(f"{int(counted[i]):,} {text.escape(name)}" for name, counted in counts.items() if counted[i])
        begins = text.escape(snapshot_graph_words.label(view.graph, nodes[min(start, len(nodes) - 1)]))
        hover = f"from <b>{begins}</b>: {kinds}<br>click: show this part" if kinds else "nothing listed here"
        areas.append(Area(places[i], places[i + 1], columns_meaning(first[i], last[i]), hover))
    return tuple(areas)
