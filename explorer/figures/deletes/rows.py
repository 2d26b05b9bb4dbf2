"""What stands beside the cells of a delete: its mark, name, number and scope at the left, its verdict at the right."""

from __future__ import annotations

from ...model.deletes import words as deletes_words
from ...model.deletes.facts import LiveDelete, State
from ...model.words import partition_values
from ..page import text
from ..page.frame import PILLS, pill
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.theme import Hue
from . import hits as deletes_hits
from .layout import FLOOR, SMALL, Layout, Margins, Page

_PILL = 34.0


def draw_section(page: Page, title: str, top: float) -> float:
    """The head of a kind of deletes; the page pixel where its rows begin."""
    page.text(20, top + 14, title, Type(12.5, page.theme.ink, bold=True))
    page.rule(20, page.width - 20, top + 26)
    return top + 32


def draw_ground(page: Page, state: State | str, row: Box) -> None:
    """The ground of a row that must not be overlooked; of an error, a bar at its left."""
    if state == "dangling":
        page.path(page.ground).box(Box(14, row.top, page.width - 14, row.bottom))
    elif state == "corrupt":
        page.path(Ink(fill=page.theme.error)).box(Box(12, row.top + 1, 17, row.bottom - 1))


def draw_label(page: Page, placed: Layout, live: LiveDelete, row: Box) -> None:
    """Mark, short name, what it reaches, and what it is compared with; a place to select it."""
    theme, margins, small = page.theme, placed.margins, not placed.words
    y, hue = (row.top + row.bottom) / 2, _hue(page, live.state)
    if small:
        page.text(22, y, PILLS[live.file.kind], Type(FLOOR, hue.text, bold=True))
    else:
        pill(page, 22, y, live.file.kind, hue, filled=False, wide=_PILL)
    size = FLOOR if small else SMALL
    bold = Type(FLOOR if small else 12, theme.ink, bold=True)
    page.canvas.text("page", margins.threshold, y, live.threshold, bold, "end")
    room = margins.threshold - bold.width(live.threshold) - 8 - margins.name
    page.fit(margins.name, y, [placed.names[live.file.key]], Type(size, theme.ink, mono=True), room)
    if margins.scope is not None:
        scopes = [live.scope]
        if live.file.scope == "partition" and live.file.partition:
            scopes.append(partition_values(live.file.partition))
        page.fit(margins.scope, y, scopes, Type(size, theme.ink_2), margins.left - margins.scope - 10)
    hover = deletes_hits.delete(live, page.deletes.data_file_count)
    box = Box(20, row.top, margins.left - 4, row.bottom)
    page.cells.append(Rectangle(box, meaning=page.pair_meaning(live.file.key, None), hover=hover))


def draw_verdict(page: Page, margins: Margins, live: LiveDelete, row: Box) -> None:
    """What the delete comes to, and why; without room only the word or the number of files."""
    words = deletes_words.verdict_words(live, page.deletes.data_file_count)
    if live.state in ("dangling", "corrupt", "unknown"):
        draw_alarm(page, margins, words, live.reason, row)
        return
    size = FLOOR if row.bottom - row.top < 20 else SMALL
    candidates = [words, words.partition(",")[0], words.removeprefix("reaches ").partition(",")[0]]
    room = margins.end - margins.verdict
    page.fit(margins.verdict, (row.top + row.bottom) / 2, candidates, Type(size, page.theme.ink), room)


def draw_alarm(page: Page, margins: Margins, word: str, reason: str, row: Box) -> None:
    """A verdict that must not be overlooked: a filled word, beside it the reason in at most two lines."""
    theme, y = page.theme, (row.top + row.bottom) / 2
    bold = Type(FLOOR if row.bottom - row.top < 20 else SMALL, theme.ink, bold=True)
    x, wide = margins.verdict, bold.width(word) + 14
    colour = {"dangling": theme.attention.text, "corrupt": theme.error}.get(word, theme.ink_2)
    if row.bottom - row.top < 20:
        page.text(x, y, word, Type(FLOOR, colour, bold=True))
    elif word == "dangling":
        page.path(Ink(fill=theme.attention.fill)).box(Box(x, y - 10, x + wide, y + 10), 6)
        page.canvas.text("page", x + wide / 2, y, word, Type(SMALL, theme.attention.on_fill, bold=True))
    else:
        page.path(Ink(colour, 1.4, theme.page)).box(Box(x, y - 10, x + wide, y + 10), 6)
        page.canvas.text("page", x + wide / 2, y, word, Type(SMALL, colour, bold=True))
    room = margins.end - x - wide - 10
    if not reason or room < 60:
        return
    lines = 2 if row.bottom - row.top >= 30 else 1
    wrapped = text.wrap(reason, FLOOR, room, lines=lines)
    for i, line in enumerate(wrapped):
        page.text(x + wide + 10, y + 14 * (i - (len(wrapped) - 1) / 2), line, Type(FLOOR, colour))


def _hue(page: Page, state: State) -> Hue:
    return page.theme.attention if state == "dangling" else page.theme.removed
