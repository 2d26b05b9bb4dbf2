"""Many lives: a line for each fate, with how many rows shared it; a click opens them."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.biography import words
from ...model.biography.facts import Life
from ...model.biography.fates import Fate
from ..page.fold import Part
from ..page.hits import view_meaning
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.text import shorten
from . import lanes
from .page import Page

MOST_FATES = 12
_HEIGHT = 46.0


def opened(number: int) -> str:
    """What is opened to see the rows of a fate at length, in the words of a view."""
    return f"fate {number}"


def number_of(part: Part, fates: Sequence[Fate]) -> int | None:
    """The fate that a view opens; None if it opens none of these."""
    word, _, number = part.opened.partition(" ")
    return int(number) if word == "fate" and number.isdecimal() and int(number) < len(fates) else None


def draw(page: Page, fates: Sequence[Fate], left_out: Sequence[Fate], top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    theme, y = page.theme, top
    for fate in fates:
        life = fate.example
        line = next((event.line for event in life.events), 0) if not life.on(0) else 0
        rows = len(fate.lives)
        box = Box(12, y + 2, page.width - 12, y + _HEIGHT - 2)
        meaning = view_meaning(Part(opened=opened(fate.number)))
        of = formats.count(rows, "row")
        page.cells.append(Rectangle(box, meaning=meaning, hover=f"<b>{of}</b><br>click: one by one"))
        lanes.life_line(page, life, line, y + 28)
        lanes.labels(page, life.on(line), y + 10, line)
        if not _is_in_view(page, life, line):
            gone = f"{words.ended(life.events[-1])}, before what is drawn"
            page.text(page.axis.left, y + 28, gone, Type(10.5, theme.ink_3))
        room = page.axis.left - 34
        called = f"row {life.number:,}" if rows == 1 else of
        since = f"{called} since {words.named(life.events[0].snapshot)}"
        page.fit(20, y + 12, [f"{since} ▸", since, called], Type(13, theme.ink, bold=True), room)
        about = ("" if rows == 1 else "such as ") + page.biography.label_of(life.last_on(line))
        page.text(20, y + 29, shorten(about, 10.5, room), Type(10.5, theme.ink_2))
        page.path(Ink(theme.grid, 1)).move(20, y + _HEIGHT).line(page.width - 20, y + _HEIGHT)
        y += _HEIGHT
    if left_out:
        rows = sum(len(fate.lives) for fate in left_out)
        more = f"and {formats.count(len(left_out), 'more fate')} of {formats.count(rows, 'row')} ▸"
        first = Part(first=fates[-1].number + 1)
        text = page.text(20, y + 16, more, Type(12, theme.ink_2))
        page.cells.append(Rectangle(text.around(6), meaning=view_meaning(first), hover="click: go on"))
        y += 30
    return y


def _is_in_view(page: Page, life: Life, line: int) -> bool:
    """Whether anything of a life is drawn."""
    events = (page.axis.of(event) for event in life.on(line))
    lasting = (page.axis.at(line, s.until) > page.axis.at(line, s.since) for s in life.stretches_on(line))
    return any(x is not None for x in events) or any(lasting)
