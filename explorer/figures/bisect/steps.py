"""The answers as steps: commits in columns, the order in which they were read, and the answer of each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...model import formats
from ...model.bisect import words
from ...model.bisect.facts import Answer
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.text import shorten
from ..page.theme import Theme, blend
from .page import LEFT, RIGHT, Page

_NUMBER, _MARK, _READ, _CHART = 16.0, 38.0, 70.0, 118.0
_LEVEL, _TALLEST = 44.0, 220.0
_DOTS = "2px,4px"


def draw(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    theme, bisection = page.theme, page.bisection
    levels = _levels([answer for answer in bisection.answers.values() if not answer.why_not] + [bisection.bad.answer])
    apart = min(_LEVEL, _TALLEST / max(len(levels) - 1, 1))
    bottom = top + _CHART + apart * max(len(levels) - 1, 1) + 26
    box = Box(LEFT - 6, top, page.width - RIGHT + 6, bottom)
    _band(page, box)
    page.path(Ink(theme.edge, 1)).box(box)
    heights = {level: top + _CHART + apart * (len(levels) - 1 - i) for i, level in enumerate(levels)}
    faint = Type(11, theme.ink_2)
    for y, told in ((_NUMBER, "commit"), (_MARK, "can change it"), (_READ, "read no.")):
        page.fit(20, top + y, [told], faint, LEFT - 34)
    _axis(page, heights, apart)
    _commits(page, top)
    _lines(page, heights)
    _dots(page, heights)
    return bottom + 8


def _levels(answers: Sequence[Answer]) -> list[str | None]:
    """The different answers from the lowest to the highest: numbers by size, others as they come first."""
    found = list(dict.fromkeys(answer.value for answer in answers))
    try:
        return sorted(found, key=lambda value: float(value or "nan"))
    except ValueError:
        return found


def _axis(page: Page, heights: dict[str | None, float], apart: float) -> None:
    """The answers that have room, and a line for each."""
    every = max(1, round(14 / apart + 0.49)) if apart else 1
    for i, (level, y) in enumerate(heights.items()):
        if i % every == 0:
            page.path(Ink(page.theme.grid, 1)).move(LEFT - 6, y).line(page.width - RIGHT + 6, y)
            value = words.value(Answer(level))
            page.text(20, y, shorten(value, 11, LEFT - 34), Type(11, page.theme.ink_2))


def band_ink(theme: Theme) -> Ink:
    """Of the columns of first bad commits; what is drawn with it first lies below all lines."""
    return Ink(fill=blend(theme.attention.fill, theme.page, 0.16))


def _band(page: Page, box: Box) -> None:
    """The column of the first bad commit, and those of which it may be one."""
    change = page.bisection.change
    if change is None:
        return
    for column, slot in enumerate(page.columns):
        if slot.last > change.before.place and slot.first <= change.after.place and not slot.is_fold:
            x = page.x(column)
            if slot.first == change.after.place or slot.first in page.candidates:
                band = Box(x - page.step / 2 + 2, box.top + 1, x + page.step / 2 - 2, box.bottom - 1)
                page.path(band_ink(page.theme)).box(band)


def _commits(page: Page, top: float) -> None:
    theme, bisection = page.theme, page.bisection
    change = bisection.change
    numbers = {read.place: number for number, read in enumerate(bisection.reads, 1)}
    y = top + _MARK
    page.path(Ink(theme.edge, 1.4)).move(page.x(0), y).line(page.x(len(page.columns) - 1), y)
    for column, slot in enumerate(page.columns):
        x = page.x(column)
        if slot.is_fold:
            _fold(page, column, top)
            continue
        is_first = change is not None and slot.first == change.after.place
        style = Type(12, theme.ink if slot.first in page.candidates else theme.ink_3, bold=is_first)
        page.canvas.text("page", x, top + _NUMBER, words.named(bisection.snapshots[slot.first]), style)
        page.commit(x, y, slot.first, 13)
        if slot.first not in numbers:
            continue
        if bisection.verdict(slot.first) == "skipped":
            page.canvas.text("page", x, top + _READ, "✕", Type(13, theme.error, bold=True))
            continue
        # A shape, since on the screen symbols lie above words.
        page.path(Ink(fill=theme.ink)).box(Box(x - 10, top + _READ - 10, x + 10, top + _READ + 10), 10)
        page.canvas.text("page", x, top + _READ, f"{numbers[slot.first]:,}", Type(10.5, theme.page, bold=True))


def _fold(page: Page, column: int, top: float) -> None:
    """Commits that have no column: how many, and how many of them can have changed the answer."""
    theme, slot, x = page.theme, page.columns[column], page.x(column)
    count = slot.last - slot.first + 1
    page.canvas.text("page", x, top + _NUMBER, f"×{formats.compact(count)}", Type(11, theme.ink_3))
    page.path(Ink(theme.edge, 1.4, theme.page)).box(Box(x - 11, top + _MARK - 6, x + 11, top + _MARK + 6), 5)
    names = [words.named(page.bisection.snapshots[place]) for place in (slot.first, slot.last)]
    hover = [
        f"<b>{formats.count(count, 'commit')}</b>, {' to '.join(dict.fromkeys(names))}",
        f"{slot.can:,} of them can have changed the answer",
    ]
    box = Box(x - 13, top + _MARK - 8, x + 13, top + _MARK + 8)
    page.cells.append(Rectangle(box, hover="<br>".join(hover)))
    for place in range(slot.first, slot.last + 1):
        page.place(str(page.bisection.snapshots[place].snapshot_id), box)


def _known(page: Page) -> list[tuple[int, int, float]]:
    """Columns of which the answer was read, or follows from the bad end: state, column, x."""
    bisection = page.bisection
    found = []
    for column, slot in enumerate(page.columns):
        answer = bisection.answer(slot.first)
        read = bisection.verdict(slot.first) in ("good", "bad")
        if not slot.is_fold and read and answer is not None and not answer.why_not:
            found.append((bisection.state(slot.first), column, page.x(column)))
    return found


def _lines(page: Page, heights: dict[str | None, float]) -> None:
    """The answer from commit to commit: solid where it is read or inherited, dotted where it is assumed."""
    theme, bisection, known = page.theme, page.bisection, _known(page)
    for (state, column, x), (after, next_column, end) in pairwise(known):
        y, lower = (heights[_answer(page, c)] for c in (column, next_column))
        sure = (
            Ink(theme.ink, 2.2) if after - state <= 1 and not bisection.contradicts else Ink(theme.ink_3, 2, dash=_DOTS)
        )
        edge = end - page.step / 2
        if y == lower:
            page.path(sure).move(x, y).line(end, y)
        else:
            page.path(sure).move(x, y).line(edge, y).line(edge, lower).line(end, lower)


def _answer(page: Page, column: int) -> str | None:
    answer = page.bisection.answer(page.columns[column].first)
    return None if answer is None else answer.value


def _dots(page: Page, heights: dict[str | None, float]) -> None:
    highest = min(heights.values())
    for _, column, x in _known(page):
        place = page.columns[column].first
        y, colour = heights[_answer(page, column)], page.colour(place)
        page.symbols.append(Mark(x, y, "circle", 10, colour, page.theme.page, 1.4))
        style = Type(11, colour, bold=True)
        above, below = (x, y - 14), (x, y + 14)
        order = [above, below] if y == highest else [below, above]
        page.canvas.try_text(order, page.bisection.verdict(place), style, plane="page", room=1)
