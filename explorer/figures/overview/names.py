"""What stands above and below the strip: branches and tags, sequence numbers, dates."""

from __future__ import annotations

from datetime import timedelta

from ...model import formats
from ...model.overview.facts import Overview
from ...model.snapshot_graph.words import label
from ..page import text
from ..page.canvas import Canvas
from ..page.scene import Box, Ink, Span, Type
from ..page.theme import Theme
from .layout import AXIS, FRAME_BOTTOM, FRAME_TOP, NAMES, REFS, RIGHT, Scale

_LONGEST_NAME = 110.0  # pixels
_FLAG = 7.0  # pixels between flags that are too near for names
_BETWEEN = 16.0  # pixels between dates
_CLOCKS = timedelta(days=2)  # below this length of the history clock times are told
_YEARS = timedelta(days=300)  # above it the year, and no day


def draw(canvas: Canvas, overview: Overview, scale: Scale, theme: Theme) -> None:
    """Refs and axis."""
    _draw_refs(canvas, overview, scale, theme)
    _draw_axis(canvas, overview, scale, theme)


def _draw_refs(canvas: Canvas, overview: Overview, scale: Scale, theme: Theme) -> None:
    graph, name = overview.graph, Type(10.5, theme.ink_3)
    refs = graph.metadata.refs
    canvas.text("page", NAMES, REFS, "refs", name, "start")
    head = graph.by_id.get(graph.metadata.current_snapshot_id or 0)
    if head is not None:
        said, style = label(graph, head), Type(11, theme.ink, bold=True)
        words = canvas.fitting([f"main: {said}", said], style, RIGHT - 14)
        canvas.text("page", scale.right + 10, REFS, words, style, "start")
    middles, flagged = scale.middles.tolist(), -_FLAG
    lines, style = canvas.path("page", Ink(theme.ink_3, 1)), Type(10, theme.ink_2)
    grid = canvas.path("page", Ink(theme.grid, 1))
    for x, node in zip(middles, graph.nodes, strict=True):
        named = [ref for ref in node.refs if ref != "main"]
        if not named:
            continue
        is_tag = any(refs[ref].kind == "tag" for ref in named)
        more = f" +{len(named) - 1:,}" if len(named) > 1 else ""
        said = text.shorten(named[0], style.size, _LONGEST_NAME) + more
        wide = style.width(said)
        left = min(x, scale.right - wide - 12)
        box = Box(left - 2, REFS - 6, left + wide + 12, REFS + 6)
        if canvas.is_free(box):
            canvas.text("page", left + 4, REFS, said, style, "start")
            canvas.take(box)
            if is_tag:
                lines.move(left, REFS - 6).line(left + wide + 6, REFS - 6).line(left + wide + 11, REFS)
                lines.line(left + wide + 6, REFS + 6).line(left, REFS + 6).close()
            else:
                lines.move(left, REFS - 6).line(left, REFS + 6)
            grid.move(x, FRAME_TOP).line(x, FRAME_BOTTOM)
        elif x - flagged >= _FLAG and canvas.is_free(Box(x - 1, REFS - 5, x + 6, REFS + 5)):
            lines.move(x, REFS + 5).line(x, REFS - 5)
            if is_tag:
                lines.line(x + 5, REFS - 2).line(x, REFS + 1)
            flagged = x


def _draw_axis(canvas: Canvas, overview: Overview, scale: Scale, theme: Theme) -> None:
    graph = overview.graph
    first_word = "number, UTC" if graph.numbered else "commit, UTC"
    canvas.text("page", NAMES, AXIS, first_word, Type(10.5, theme.ink_3), "start")
    count = overview.count
    style, ticks = Type(10.5, theme.ink_2), canvas.path("page", Ink(theme.edge, 1))
    middles = scale.middles.tolist()
    pieces = 8
    wanted = [0, count - 1, *(round(i * (count - 1) / pieces) for i in range(1, pieces))] if count else []
    for index in dict.fromkeys(wanted):
        node = graph.nodes[index]
        date = _date(overview, index)
        number = label(graph, node)
        plain = f"{number} · {date}" if date else number
        wide = style.width(plain) + 0.12 * style.width(number)  # which is bold
        x = middles[index]
        left = min(max(x - wide / 2, scale.left - 4), scale.right + RIGHT - wide - 8)
        box = Box(left - _BETWEEN / 2, AXIS - 6, left + wide + _BETWEEN / 2, AXIS + 6)
        if canvas.is_free(box):
            spans = (Span(number, bold=True, colour=theme.ink), *([Span(f" · {date}")] if date else []))
            canvas.text("page", left, AXIS, plain, style, "start", spans)
            canvas.take(box)
            ticks.move(x, FRAME_BOTTOM).line(x, FRAME_BOTTOM + 2)


def _date(overview: Overview, index: int) -> str:
    at = overview.graph.nodes[index].snapshot.committed_at
    times = [node.snapshot.committed_at for node in (overview.graph.nodes[0], overview.graph.nodes[-1])]
    if at is None:
        return ""
    span = abs(times[1] - times[0]) if times[0] is not None and times[1] is not None else _CLOCKS
    if span < _CLOCKS:
        return formats.moment(at)
    year = at.year if span > _YEARS else None
    return f"{at:%b} {year}" if year else formats.day(at)
