"""One life at length: when it could be seen, where it lay, what masked it, and the cells that changed."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.biography import words
from ...model.biography.facts import Event, Life, Span, Stretch
from ..page import frame
from ..page.hits import commit_meaning, file_meaning
from ..page.scene import Box, Ink, Mark, Rectangle, Target, Type
from ..page.text import shorten
from ..page.theme import Hue, Symbol, Theme
from . import hits
from .page import Page, faded

_LABEL, _LIFE, _FILE, _ROW = 10.0, 28.0, 46.0, 24.0
_DOTS = "2px,4px"
_MOST_CELLS = 3  # columns whose values are drawn
INFERRED = "≈"
"""Beside what is inferred."""

SYMBOL: dict[str, Symbol] = {
    "CREATED": "circle", "UPDATED": "square", "MOVED": "diamond", "DELETED": "triangle-down", "RETURNED": "circle",
}  # fmt: skip


def draw(page: Page, life: Life, line: int, top: float) -> float:
    """Draw a life on a line from page pixel `top` down; the page pixel where it ends."""
    events, stretches = life.on(line), life.stretches_on(line)
    if not stretches and not events:
        return top
    hues = _hues(page, events, stretches, line)
    _names(page, life, line, top)
    life_line(page, life, line, top + _LIFE, hues)
    labels(page, events, top + _LABEL, line)
    y = top + _FILE + (6 if life.row_ids else 0)
    page.text(20, y + 12, "file, position", Type(11, page.theme.ink_2))
    for stretch, hue in zip(stretches, hues, strict=True):
        _file(page, stretch, hue, events, y)
    y += 32
    if any(event.mask is not None for event in events):
        page.text(20, y + 9, "deletes", Type(11, page.theme.ink_2))
        for event in events:
            _pill(page, event, y + 9)
        y += _ROW
    names = dict.fromkeys(change.column for event in events if event.move is None for change in event.changed)
    for name in list(names)[:_MOST_CELLS]:
        _cells(page, name, stretches, hues, y)
        y += _ROW + 6
    if len(names) > _MOST_CELLS:
        more = f"and {formats.count(len(names) - _MOST_CELLS, 'column')} more that changed"
        page.text(page.axis.left, y + 4, more, Type(10.5, page.theme.ink_3))
        y += 16
    page.place(f"life {life.number}", Box(12, top - 4, page.width - 12, y + 2))
    return y + 4


def _names(page: Page, life: Life, line: int, top: float) -> None:
    theme, room = page.theme, page.axis.left - 34
    page.fit(20, top + _LABEL, [f"row {life.number:,}"], Type(13, theme.ink, bold=True), room)
    name = Type(10.5, theme.ink_2, mono=True)
    page.text(20, top + _LABEL + 16, shorten(page.biography.label_of(life.last_on(line)), 10.5, room, mono=True), name)
    for row_id in life.row_ids[:1]:
        page.fit(20, top + _LABEL + 31, [f"_row_id {row_id:,}"], Type(10.5, theme.ink_2), room)


def _hues(page: Page, events: Sequence[Event], stretches: Sequence[Stretch], line: int) -> list[Hue]:
    """The hue of the last change, stretch by stretch."""
    theme = page.theme
    found = []
    for stretch in stretches:
        before = [event for event in events if event.place <= stretch.since and event.kind in ("CREATED", "UPDATED")]
        hue = theme.changed if before and before[-1].kind == "UPDATED" else theme.added
        found.append(hue if line == 0 else faded(hue, theme))
    return found


def life_line(page: Page, life: Life, line: int, y: float, hues: Sequence[Hue] | None = None) -> None:
    """When the row could be seen on a line: thick; where it was masked: thin dots; its events as marks.

    Where it is not known which of the two it was: thick dots in the hue of what was before.
    """
    theme, axis = page.theme, page.axis
    events, stretches = life.on(line), life.stretches_on(line)
    for stretch, hue in zip(stretches, hues or _hues(page, events, stretches, line), strict=True):
        left, right = axis.at(line, stretch.since), axis.at(line, stretch.until)
        if stretch.since == 0 and page.biography.lines[line].begins == "expired" and not axis.before:
            page.path(unknown(hue.fill)).move(axis.left - 14, y).line(left - 8, y)
        if right <= left:
            continue
        for part, is_known in stretch.parts:
            _part(page, stretch, part, y, hue if stretch.shown else theme.removed, is_known=is_known)
        about = page.biography.lines[line]
        if stretch.until == about.end and stretch.shown and about.left is None and not (line == 0 and axis.after):
            page.path(Ink(fill=hue.fill)).move(right - 2, y - 7).line(right + 9, y).line(right - 2, y + 7).close()
    for event in events:
        _mark(page, event, y, line)


def unknown(colour: str) -> Ink:
    """The line of what is not known."""
    return Ink(colour, 5, dash=_DOTS)


def masked(theme: Theme) -> Ink:
    """The line of a row that deletes mask."""
    return Ink(theme.removed.fill, 2, dash=_DOTS)


def _part(page: Page, stretch: Stretch, part: Span, y: float, hue: Hue, *, is_known: bool) -> None:
    left, right = (page.axis.at(stretch.line, place) for place in part)
    if right <= left:
        return
    ink = unknown(hue.fill) if not is_known else Ink(hue.fill, 5) if stretch.shown else masked(page.theme)
    page.path(ink).move(left, y).line(right, y)
    if not is_known:
        page.cells.append(Rectangle(Box(left + 8, y - 8, right - 8, y + 8), hover=hits.doubt(stretch)))


def _mark(page: Page, event: Event, y: float, line: int) -> None:
    x = page.axis.of(event)
    if x is None:
        return
    theme, hue = page.theme, _hue(page, event)
    colour = hue.fill if line == 0 else faded(hue, theme).fill
    if words.is_back(event):
        page.symbols.append(Mark(x, y, "circle", 17, theme.page, theme.error, 2.2))
        page.path(Ink(theme.error, 2)).move(x, y + 4).line(x, y - 4)
        page.path(Ink(theme.error, 2)).move(x - 3.4, y - 0.6).line(x, y - 4).line(x + 3.4, y - 0.6)
        page.canvas.text("page", x, y, "↑", Type(12, theme.error, bold=True))
    else:
        page.symbols.append(Mark(x, y, SYMBOL[event.kind], 13, colour, colour, 2))
    page.targets.append(Target(x, y, commit_meaning(event.snapshot.snapshot_id), hits.event(event)))


def _hue(page: Page, event: Event) -> Hue:
    theme = page.theme
    hues = {"UPDATED": theme.changed, "MOVED": theme.moved, "DELETED": theme.removed}
    if words.is_back(event):
        return Hue(theme.error, theme.error, theme.page)
    return hues.get(event.kind, theme.added)


def labels(page: Page, events: Sequence[Event], y: float, line: int) -> None:
    """What happened, above each mark; of two that would meet the first alone."""
    end = -1e9
    for event in events:
        x = page.axis.of(event)
        if x is None:
            continue
        hue = _hue(page, event)
        style = Type(11.5, hue.text if line == 0 else page.theme.ink_3, bold=True)
        shown = words.happened(event) if event.certainty != "inferred" else f"{INFERRED} {words.happened(event)}"
        half = style.width(shown) / 2
        if x - half > end:
            page.canvas.text("page", x, y, shown, style)
            end = x + half


def _file(page: Page, stretch: Stretch, hue: Hue, events: Sequence[Event], y: float) -> None:
    theme, axis, row = page.theme, page.axis, stretch.row
    left, right = axis.at(stretch.line, stretch.since) + 3, axis.at(stretch.line, stretch.until) - 3
    if right - left < 8:
        return
    box = Box(max(left, axis.left - 8), y, right, y + 24)
    of_commits = (event for event in events if event.move is None and event.kind != "DELETED")
    first = next((event for event in of_commits if event.row.place == row.place), None)
    carried = first is not None and (first.kind == "MOVED" or words.is_back(first))
    ink = hue.on_fill
    if not stretch.shown:
        page.path(Ink(theme.removed.fill, 1.4, theme.page, dash="3px,3px")).box(box)
        ink = theme.removed.text
    elif carried:
        page.fills.append(Rectangle(box, theme.page, theme.moved.fill, 1.2, hatch=theme.kept_outline))
        ink = theme.ink
    else:
        page.fills.append(Rectangle(box, hue.fill, hue.fill, 1))
    style = Type(10.5, ink, bold=not carried, mono=True)
    place = f"{page.names[row.file_path, None]} : {row.position:,}"
    shown = page.canvas.fitting(
        [place, page.names[row.file_path, None], f": {row.position:,}"], style, right - left - 10
    )
    if right - left > 26:
        if carried:
            wide = style.width(shown)
            page.fills.append(Rectangle(Box(box.left + 3, y + 4, box.left + 9 + wide, y + 20), theme.page))
        page.text(box.left + 6, y + 12, shown, style)
    page.cells.append(Rectangle(box, meaning=file_meaning(row.file_path, None), hover=hits.place(stretch)))
    page.place(f"file {row.file_path}", box)


def _pill(page: Page, event: Event, y: float) -> None:
    x = page.axis.of(event)
    if x is None or event.mask is None:
        return
    theme, mask = page.theme, event.mask
    number = mask.sequence_number
    sign = "<" if mask.kind == "equality deletes" else "≤"
    style = Type(10.5, theme.removed.text)
    wide = frame.pill_width(mask.kind)
    told = f"{sign} {number:,}" if number else ""
    gone = event.kind == "DELETED"
    start = x - wide / 2
    box = frame.pill(page, start, y, mask.kind, theme.removed, filled=gone)
    if told:
        page.text(box.right + 5, y, told, style)
    page.cells.append(
        Rectangle(box, meaning=file_meaning(mask.delete_path, mask.content_offset), hover=hits.delete(event))
    )
    page.place(f"file {mask.delete_path}", box)


def _cells(page: Page, name: str, stretches: Sequence[Stretch], hues: Sequence[Hue], y: float) -> None:
    """The value of a column over time, where the row can be seen: a thin line with its words below."""
    theme, axis = page.theme, page.axis
    page.fit(20, y + 8, [name], Type(11, theme.ink_2), axis.left - 34)
    at = page.biography.columns.index(name)
    runs: list[tuple[float, float, str, Hue]] = []
    for stretch, hue in zip(stretches, hues, strict=True):
        if not stretch.shown:
            continue
        left, right = axis.at(stretch.line, stretch.since), axis.at(stretch.line, stretch.until)
        value = stretch.row.values[at]
        if runs and runs[-1][2] == value and runs[-1][1] >= left - 1:
            runs[-1] = (runs[-1][0], right, value, runs[-1][3])
        else:
            runs.append((left, right, value, hue))
    for left, right, value, hue in runs:
        if right - left < 4:
            continue
        page.path(Ink(hue.fill, 2)).move(left + 3, y).line(right - 3, y)
        style = Type(11, hue.text, mono=True)
        page.text(left + 4, y + 12, page.canvas.fitting([value], style, right - left - 8), style)
