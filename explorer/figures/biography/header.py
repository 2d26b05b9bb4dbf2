"""The columns: what each commit was, when, by whom; and how many commits without a change lie between two."""

from __future__ import annotations

from itertools import pairwise

from ...model import formats
from ...model.biography import words
from ...model.iceberg.writer import writer
from ..page.fold import Part
from ..page.hits import commit_meaning, view_meaning
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.theme import SYMBOLS
from . import hits
from .page import Column, Page

_NUMBER, _SYMBOL, _TIME, _WRITER, _END = 8.0, 28.0, 48.0, 63.0, 78.0


def draw(page: Page, top: float, part: Part) -> float:
    """Draw from page pixel `top` down; the page pixel where the lanes begin."""
    theme, axis = page.theme, page.axis
    faint = Type(11, theme.ink_2)
    for y, word in ((_NUMBER, "commit"), (_SYMBOL, "operation"), (_TIME, "UTC"), (_WRITER, "writer")):
        page.text(20, top + y, word, faint)
    xs = [*axis.x, axis.now]
    step = min((b - a for a, b in pairwise(xs)), default=120.0)
    _between(page, top + _SYMBOL)
    for column, x in zip(axis.columns, axis.x, strict=True):
        _column(page, column, x, top, step)
    if axis.after:
        more = f"{axis.after:,} later ▸"
        _capsule(page, page.width - 24, top + _NUMBER, more, Part.of_range(part.first, axis.first + 1, axis.first + 2))
    else:
        line = page.biography.lines[0]
        head = line.head
        if head.snapshot_id not in {column.snapshot.snapshot_id for column in axis.columns if column.move is None}:
            page.canvas.text("page", axis.now, top + _NUMBER, words.named(head), Type(12.5, theme.ink, bold=True))
        page.canvas.text("page", axis.now, top + _TIME, words.end(line), faint)
        page.path(Ink(fill=theme.ink)).move(axis.now - 5, top + _SYMBOL - 6).line(axis.now + 6, top + _SYMBOL).line(
            axis.now - 5, top + _SYMBOL + 6
        ).close()
    if axis.before:
        earlier = Part.of_range(part.first, max(axis.first - len(axis.columns) + 1, 0), axis.first)
        _capsule(page, axis.left + 4, top - 12, f"◂ {axis.before:,} earlier", earlier)
    page.path(Ink(theme.kept_outline, 1.2)).move(20, top + _END).line(page.width - 20, top + _END)
    return top + _END


def guides(page: Page, top: float, bottom: float) -> None:
    """A thin line down from each column."""
    ink = Ink(page.theme.grid, 1)
    for x in (*page.axis.x, *(() if page.axis.after else (page.axis.now,))):
        page.path(ink).move(x, top).line(x, bottom)


def _column(page: Page, column: Column, x: float, top: float, step: float) -> None:
    theme, s = page.theme, column.snapshot
    middle = page.canvas
    strong = Type(12.5, theme.ink if column.on_first else theme.ink_3, bold=column.on_first)
    small = Type(10.5, theme.ink_2 if column.on_first else theme.ink_3)
    if column.move is not None:
        to = middle.fitting([f"main to {words.named(s)}", f"to {words.named(s)}"], strong, step - 4)
        middle.text("page", x, top + _NUMBER, to, Type(11, theme.ink, bold=True))
        page.path(Ink(theme.ink, 1.6)).move(x + 7, top + _SYMBOL).line(x - 5, top + _SYMBOL)
        page.path(Ink(fill=theme.ink)).move(x - 9, top + _SYMBOL).line(x - 3, top + _SYMBOL - 4).line(
            x - 3, top + _SYMBOL + 4
        ).close()
        who: str = column.move.kind
    else:
        middle.text("page", x, top + _NUMBER, words.named(s), strong)
        hue = theme.operation(s.operation)
        fill = hue.fill if column.on_first else theme.page
        symbol = SYMBOLS.get(s.operation, "hexagon")
        page.symbols.append(Mark(x, top + _SYMBOL, symbol, 12, fill, hue.fill, 1.6))
        who = writer(s) or "not named"
    at = column.move.at if column.move else s.committed_at
    middle.text("page", x, top + _TIME, middle.fitting([formats.moment(at), formats.clock(at)], small, step - 4), small)
    # Of a table that one engine writes the name of the job tells more.
    names = [who, who.partition(" (")[0]]
    middle.text("page", x, top + _WRITER, middle.fitting(names, small, step - 6), small)
    half = min(step / 2, 49.0) - 1
    box = Box(x - half, top - 1, x + half, top + _END - 2)
    page.cells.append(Rectangle(box, meaning=commit_meaning(s.snapshot_id), hover=hits.commit(column)))
    page.place(f"commit {s.snapshot_id}", box)


def _between(page: Page, y: float) -> None:
    """A dotted line between two columns of the first line, with the commits in between counted."""
    theme, axis, places = page.theme, page.axis, page.biography.lines[0].places
    known = [
        (places[c.snapshot.snapshot_id], x)
        for c, x in zip(axis.columns, axis.x, strict=True)
        if c.on_first and not c.move
    ]
    if not axis.after:
        known.append((page.biography.lines[0].end - 1, axis.now))
    for (a, left), (b, right) in pairwise(known):
        if right - left < 30:
            continue
        page.path(Ink(theme.kept_outline, 1.2, dash="2px,3px")).move(left + 11, y).line(right - 11, y)
        if b - a > 1:
            page.text(left + 24, y - 9, f"{b - a - 1:,}", Type(10.5, theme.ink_3))


def _capsule(page: Page, x: float, y: float, plain: str, part: Part) -> None:
    style = Type(11, page.theme.ink_2)
    wide = style.width(plain) + 14
    left = min(x, page.width - 20 - wide)
    box = Box(left, y - 9, left + wide, y + 9)
    page.path(Ink(page.theme.kept_outline, 1.2, page.theme.panel)).box(box, 8)
    page.canvas.text("page", (box.left + box.right) / 2, y, plain, style)
    page.cells.append(Rectangle(box, meaning=view_meaning(part), hover="click: show them"))
