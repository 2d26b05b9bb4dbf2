"""At the foot of the columns: the axis of commits and days."""

from __future__ import annotations

import itertools
import math
from datetime import date

from ....model import formats
from ....model.snapshot_graph import words as snapshot_graph_words
from ....model.snapshot_graph.facts import Node
from ...page import text
from ...page.canvas import Canvas
from ...page.scene import Box, Ink, Type
from ..view import Page, View

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
    return y + 12


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
