"""Ribbons: which rows went from which file to which. Only rows tell it, so without them there is none."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ...model import formats
from ..page.canvas import Ink
from ..page.text import escape
from .layout import Bar, Layout
from .page import Lines, Page

_MOST = 60  # ribbons of one fate; more than that is a grey cloth
_OPACITY = {"carried over": 0.2, "updated": 0.5}
_Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Flow:
    """Rows of one fate that went from one bar to another, given by their places in the layout."""

    source: int
    target: int
    outcome: str
    rows: int
    inferred: bool


def draw(page: Page, layout: Layout, lines: Lines) -> None:
    """Draw the ribbons between the bars above and those below, and say what they leave out."""
    if page.rows is None or not page.rows.before_known:
        return
    bars, dashed = layout.bars, False
    for outcome in _OPACITY:
        flows = sorted((f for f in _flows(page, bars) if f.outcome == outcome), key=lambda f: -f.rows)[:_MOST]
        starts = _spread(bars, flows, at_source=True)
        stops = _spread(bars, flows, at_source=False)
        drawn = [flow for flow in flows if flow in starts and flow in stops]
        for flow in drawn:
            _draw_ribbon(page, bars, flow, starts[flow], stops[flow], lines)
        dashed |= any(flow.inferred for flow in drawn)
        _tell(page, outcome, sum(flow.rows for flow in drawn))
    if dashed:
        page.untold.append("Dashed ribbons: rows matched by their values, which the format does not record.")


def _flows(page: Page, bars: list[Bar]) -> list[_Flow]:
    place = {path: i for i, bar in enumerate(bars) for path in bar.mark.paths}
    rows: dict[tuple[int, int, str], int] = defaultdict(int)
    inferred: dict[tuple[int, int, str], bool] = defaultdict(bool)
    for ribbon in page.rows.ribbons if page.rows else ():
        source, target = place.get(ribbon.source), place.get(ribbon.target)
        if source is None or target is None or bars[source].mark.side == "after" or bars[target].mark.side != "after":
            continue
        rows[(source, target, ribbon.outcome)] += ribbon.rows
        inferred[(source, target, ribbon.outcome)] |= ribbon.certainty == "inferred"
    return [_Flow(*key, rows=n, inferred=inferred[key]) for key, n in rows.items()]


def _spread(bars: list[Bar], flows: list[_Flow], *, at_source: bool) -> dict[_Flow, _Span]:
    """Where ribbons touch a bar: side by side within the segment of their fate, never beyond it."""
    by_bar: dict[int, list[_Flow]] = defaultdict(list)
    for flow in flows:
        by_bar[flow.source if at_source else flow.target].append(flow)
    spans: dict[_Flow, _Span] = {}
    for index, here in by_bar.items():
        place = _place(bars[index], here[0].outcome)
        if place is None:
            continue
        x, right, rows = place
        pixels = (right - x) / max(rows, sum(flow.rows for flow in here), 1)
        for flow in sorted(here, key=lambda f: bars[f.target if at_source else f.source].left):
            spans[flow] = (x, x + flow.rows * pixels)
            x = spans[flow][1]
    return spans


def _place(bar: Bar, outcome: str) -> tuple[float, float, int] | None:
    """The segment that a ribbon of this fate touches; of a kept file its right edge, where masked rows are."""
    if bar.mark.side == "through":
        outcomes = bar.mark.outcomes
        return None if outcomes is None else (bar.right - 3, bar.right, outcomes.updated + outcomes.carried_over)
    segment = bar.segment(outcome)
    return None if segment is None else (segment.left, segment.right, segment.rows)


def _draw_ribbon(page: Page, bars: list[Bar], flow: _Flow, start: _Span, stop: _Span, lines: Lines) -> None:
    top = lines.before[1] if bars[flow.source].mark.side == "before" else lines.boundary
    bottom, colour = lines.after[0], page.hue(flow.outcome).fill
    bend = (bottom - top) * 0.45
    fill = page.path(Ink(fill=_transparent(colour, _OPACITY[flow.outcome]), overlaps=True))
    fill.move(start[0], top).line(start[1], top)
    fill.curve(start[1], top + bend, stop[1], bottom - bend, stop[1], bottom)
    fill.line(stop[0], bottom).curve(stop[0], bottom - bend, start[0], top + bend, start[0], top).close()
    edge = page.path(Ink(colour, 1.1, dash="5px,4px" if flow.inferred else "solid"))
    for a, b in zip(start, stop, strict=True):
        edge.move(a, top).curve(a, top + bend, b, bottom - bend, b, bottom)
    middle = (sum(start) + sum(stop)) / 4, (top + bottom) / 2 + 20  # below the words on the boundary
    page.targets.add(*middle, "", _hover(bars, flow))  # since a shape does not answer the pointer


def _transparent(colour: str, opacity: float) -> str:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"


def _hover(bars: list[Bar], flow: _Flow) -> str:
    lines = [f"<b>{formats.count(flow.rows, 'row')} {flow.outcome}</b>"]
    for word, index in (("from", flow.source), ("to", flow.target)):
        mark = bars[index].mark
        name = mark.paths[0].rsplit("/", 1)[-1][-90:] if mark.is_single else formats.count(mark.files, "file")
        lines.append(f"{word} {escape(name)}")
    return "<br>".join([*lines, "inferred from equal values" if flow.inferred else "proved by _row_id"])


def _tell(page: Page, outcome: str, drawn: int) -> None:
    rows = page.rows
    if rows is None:
        return
    total = rows.totals.carried_over if outcome == "carried over" else rows.totals.updated
    if not drawn and total:
        page.untold.append(f"No ribbon for {formats.count(total, 'row')} {outcome}: from which file is not known.")
    elif drawn < total:
        page.untold.append(f"Ribbons stand for {drawn:,} of {formats.count(total, 'row')} {outcome}.")
