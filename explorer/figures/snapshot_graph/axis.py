"""Below the lanes: the axis of commits and days, and bars of the rows that each commit added and removed."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from datetime import date

from ...model import formats
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node
from ...model.snapshot_graph.words import carries_over, masked
from ..page import text
from ..page.canvas import Canvas
from ..page.hits import columns_meaning
from ..page.scene import Bar, Box, Ink, Type
from ..page.theme import blend
from .lanes import capsule_hover, hover
from .view import Page, View

_NICE = (1, 2, 5)
_NAME = 12.0


def draw(page: Page, top: float) -> float:
    """Draw the rows from page pixel `top` down; the page pixel where they end."""
    view, canvas = page.view, page.canvas
    name = Type(_NAME, view.theme.ink_2)
    numbers = ("sequence number", "sequence") if view.graph.numbered else ("commit order", "order")
    for choices, y in ((numbers, top + 14), (("committed (UTC)", "UTC"), top + 33)):
        words = next((words for words in choices if name.width(words) <= view.left - 24), choices[-1])
        canvas.text("page", 20, y, words, name, "start")
    if view.nodes or view.graph.gaps:
        _draw_line(view, top, canvas)
    y = top + 33
    if view.level == "full":
        _draw_columns(view, top, canvas)
        y = _draw_backwards(view, y, canvas)
        y = _draw_days(view, y, canvas)
    else:
        _draw_ticks(view, top, canvas)
        y = _draw_backwards(view, y, canvas)
    return _draw_schemas(view, y + 12, canvas)


def _draw_line(view: View, top: float, canvas: Canvas) -> None:
    last = max([node.column for node in view.nodes[-1:]] + [gap.column for gap in view.graph.gaps[-1:]], default=0)
    first = min([node.column for node in view.graph.nodes[:1]] + [gap.column for gap in view.graph.gaps[:1]])
    left = max(view.x(first - 0.5) - 6, view.left)
    right = min(view.x(last + 0.5) + 6, view.right)
    canvas.path("detail", Ink(view.theme.edge, 1)).move(left, top).line(right, top)


def _draw_columns(view: View, top: float, canvas: Canvas) -> None:
    """One number and one time for each column, or for every so many where they would touch."""
    theme, graph = view.theme, view.graph
    gaps = [gap for gap in graph.gaps if view.window[0] <= gap.column <= view.window[1]]
    grid = canvas.path("detail", Ink(theme.grid, 1))
    ticks = canvas.path("detail", Ink(theme.edge, 1))
    plain, strong = Type(12, theme.ink), Type(12, theme.ink, bold=True)
    times, faint = Type(11, theme.ink_2), Type(11.5, theme.ink_3)
    widest = max((strong.width(_number(node)) for node in view.nodes), default=0)
    number_stride = max(1, math.ceil((widest + 7) / view.pitch))
    time_stride = max(1, math.ceil((times.width("00:00") + 7) / view.pitch))
    if not graph.numbered:
        _say_unnumbered(view, top, canvas)
    for gap in gaps:
        x = view.x(gap.column)
        ticks.move(x, top).line(x, top + 4)
        canvas.try_text([(x, top + 14)], formats.span(gap.first, gap.last), faint)
        canvas.try_text([(x, top + 33)], "expired", faint)
    last = view.nodes[-1].column if view.nodes else 0
    for node in view.nodes:
        x, row = view.x(node.column), view.row_of[node.lane]
        grid.move(x, row.y + 36).line(x, top)
        ticks.move(x, top).line(x, top + 4)
        if graph.numbered and (last - node.column) % number_stride == 0:
            on_main = node.state in ("current", "main")
            canvas.try_text([(x, top + 14)], _number(node), strong if on_main else plain, room=2)
        if (last - node.column) % time_stride == 0:
            canvas.try_text([(x, top + 33)], formats.clock(node.snapshot.committed_at), times, room=2)


def _number(node: Node) -> str:
    return f"{node.snapshot.sequence_number:,}"


def _say_unnumbered(view: View, top: float, canvas: Canvas) -> None:
    words = "format version 1 has no sequence numbers: columns follow the order of commits"
    style = Type(11.5, view.theme.ink_3)
    start = max(view.x(view.nodes[0].column) - 8, view.left + 4) if view.nodes else view.left + 4
    canvas.text("detail", start, top + 15, text.shorten(words, 11.5, view.right - start - 6), style, "start")


def _draw_ticks(view: View, top: float, canvas: Canvas) -> None:
    """Round numbers, as many as fit, each with the time of its commit."""
    theme = view.theme
    ticks = canvas.path("detail", Ink(theme.edge, 1))
    step = 1
    for power, nice in itertools.product((1, 10, 100, 1000, 10_000, 100_000), _NICE):
        step = power * nice
        if step * view.pitch >= 96:
            break
    if not view.graph.numbered:
        _say_unnumbered(view, top, canvas)
    previous: int | None = None
    for node in view.nodes:
        place = node.snapshot.sequence_number if view.graph.numbered else node.column
        before, previous = previous, place // step
        if previous == before:
            continue
        x = view.x(node.column)
        number = Type(12, theme.ink)
        if view.graph.numbered and not canvas.try_text([(x, top + 14)], _number(node), number, room=14):
            continue
        ticks.move(x, top).line(x, top + 4)
        style, words = Type(11, theme.ink_2), formats.moment(node.snapshot.committed_at)
        half = style.width(words) / 2 + 1
        canvas.try_text([(min(max(x, view.left + half), view.right - half), top + 33)], words, style, room=5)


def _draw_days(view: View, y: float, canvas: Canvas) -> float:
    theme = view.theme
    line = canvas.path("detail", Ink(theme.edge, 1))
    style = Type(11.5, theme.ink_2)

    def day(node: Node) -> date | None:
        return node.snapshot.committed_at.date() if node.snapshot.committed_at else None

    reach = max(min(20.0, view.pitch / 2 - 3), 2.0)
    year: int | None = None
    for at, group in itertools.groupby(view.nodes, key=day):
        if at is None:
            continue
        members = list(group)
        left = max(view.x(members[0].column) - reach, view.left)
        right = min(view.x(members[-1].column) + reach, view.right)
        line.move(left, y + 12).line(right, y + 12)
        words = formats.day(at)
        for dated in (f"{words} {at.year}", words) if at.year != year else (words,):
            half = style.width(dated) / 2 + 3
            middle = min(max((left + right) / 2, view.left + half), view.right - half)
            if canvas.try_text([(middle, y + 23)], dated, style):
                year = at.year if dated != words else year
                break
    return y + 23


def _draw_backwards(view: View, y: float, canvas: Canvas) -> float:
    """Where a commit's clock reads earlier than its parent's: the time order of these columns is not to be trusted."""
    shown = [(parent, node) for parent, node in snapshot_graph_words.clock_backwards(view.graph) if view.shows(node)]
    if not shown:
        return y
    theme = view.theme
    sign = canvas.path("detail", Ink(fill=theme.attention.fill))
    style = Type(11, theme.attention.text, bold=True)
    for parent, node in shown:
        if parent.snapshot.committed_at is None or node.snapshot.committed_at is None:
            continue
        x = view.x(node.column)
        back = formats.duration(parent.snapshot.committed_at - node.snapshot.committed_at)
        box = Box(x - 6, y + 11, x + 6, y + 23)
        if not canvas.is_free(box):
            continue
        sign.box(box, 2)
        canvas.text("detail", x, y + 17, "!", Type(10.5, theme.attention.on_fill, bold=True))
        for words in (f"clock {back} back", f"{back} back"):
            half = style.width(words) / 2
            if canvas.try_text([(x + 11 + half, y + 17), (x - 11 - half, y + 17)], words, style):
                break
    return y + 20


def _draw_schemas(view: View, y: float, canvas: Canvas) -> float:
    runs = [
        run
        for run in snapshot_graph_words.schema_runs(view.graph)
        if run.last >= view.window[0] and run.first <= view.window[1]
    ]
    if not runs or (view.level != "full" and len(runs) == 1):
        return y
    theme, y = view.theme, y + 16
    canvas.text("page", 20, y, "schema", Type(_NAME, theme.ink_2), "start")
    line = canvas.path("detail", Ink(theme.edge, 1))
    style = Type(11.5, theme.ink_2)
    reach = max(min(20.0, view.pitch / 2 - 3), 1.0)
    for run in runs:
        left = max(view.x(run.first) - reach, view.left + 2)
        right = min(view.x(run.last) + reach, view.right - 2)
        words = text.shorten(run.text, 11.5, max(right - left - 16, 0))
        if words == "…" or (words != run.text and right - left < 90):
            words = f"{run.schema_id}"
        half = style.width(words) / 2 + 5
        if right - left < 2 * half:
            line.move(left, y).line(right, y)
            continue
        middle = (left + right) / 2
        line.move(left, y).line(middle - half, y).move(middle + half, y).line(right, y)
        canvas.text("detail", middle, y, words, style)
    return y + 6


_TALLEST = {"full": 62.0, "compact": 40.0, "folded": 40.0}
_NARROWEST = 4.0  # pixels of a bar that sums several commits


@dataclass(frozen=True, slots=True)
class _Group:
    """Commits that share a place: one, or those under a few pixels where there are too many."""

    nodes: tuple[Node, ...]
    x: float
    added: int | None
    removed: int | None


def draw_bars(page: Page, top: float) -> float:
    """Draw the bars from page pixel `top` down; the page pixel where they end."""
    view, canvas = page.view, page.canvas
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
        _draw_bars(page, group, base, tallest / most)
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


def _draw_bars(page: Page, group: _Group, base: float, pixels_per_row: float) -> None:
    view, theme, x, node = page.view, page.theme, group.x, group.nodes[0]
    hue = theme.operation(node.snapshot.operation)
    kept = node.state not in ("staged", "rolled back", "unreferenced")
    colour = hue.fill if kept else blend(hue.fill, theme.page, 0.55)
    wide = min(28.0, view.pitch * 0.45) if view.level == "full" else max(view.pitch * 0.72, 1.0)
    if view.level == "folded":
        colour, wide = theme.moved.fill, _NARROWEST - 0.6
    up, down = (max(rows * pixels_per_row, 1.5) if rows else 0.0 for rows in (group.added, group.removed))
    for length in (up, -down):
        if length:
            page.bars.append(_bar(view, group, base, length, wide, colour))
    if up or down:
        page.canvas.take(Box(x - wide / 2, base - up, x + wide / 2, base + down))


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


def _bar(view: View, group: _Group, base: float, length: float, wide: float, colour: str) -> Bar:
    first, last = group.nodes[0], group.nodes[-1]
    hatched = view.level == "full" and carries_over(first.snapshot)
    if first is last:
        meaning, shown = str(first.snapshot.snapshot_id), hover(view.graph, first)
    else:
        meaning = columns_meaning(first.column - 8, last.column + 8)
        shown = capsule_hover(view.graph, group.nodes)
    return Bar(group.x, base, length, wide, colour, hatched, meaning, shown)
