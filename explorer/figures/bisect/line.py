"""The whole line of a bisection: every commit that can have changed the answer, from the good end to the bad one."""

from __future__ import annotations

from ...model import formats
from ...model.bisect import words
from ..page.scene import Ink, Mark, Type
from ..page.theme import SYMBOLS
from .page import LEFT, RIGHT, Page

_SMALL = 8.0
BELOW, REST = 12.0, 0.38
"""How far above its end the last line of words is, in pixels; and which share of its right end it leaves free."""


def draw(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    theme, bisection = page.theme, page.bisection
    left, right, y = LEFT, page.width - RIGHT, top + 34
    end = len(bisection.snapshots) - 1
    page.path(Ink(theme.edge, 1.6)).move(left, y).line(right, y)
    first, last = (words.named(bisection.snapshots[place]) for place in (0, end))
    for x, place, name, anchor in ((left, 0, first, "start"), (right, end, last, "end")):
        told = f"{name} {bisection.verdict(place)}"
        style = Type(12, page.colour(place), bold=True)
        page.canvas.text("page", x, top + 8, told, style, "start" if anchor == "start" else "end")
    page.fit(20, y, ["whole line"], Type(12, theme.ink, bold=True), LEFT - 30)
    drawn = set[int]()
    for candidate in bisection.candidates:
        x = left + (right - left) * candidate.place / end
        if round(x / 3) in drawn:
            continue  # it would lie upon another one
        drawn.add(round(x / 3))
        snapshot = bisection.snapshots[candidate.place]
        hue = theme.operation(snapshot.operation)
        page.symbols.append(Mark(x, y, SYMBOLS.get(snapshot.operation, "hexagon"), _SMALL, hue.fill, theme.page, 0.8))
    change = bisection.change
    if change is not None:
        x = left + (right - left) * change.after.place / end
        page.path(Ink(theme.error, 2)).move(x, y - 16).line(x, y + 10)
        style = Type(12, theme.ink, bold=True)
        name = words.named(bisection.snapshots[change.after.place])
        page.canvas.try_text([(x, top + 8)], name, style, plane="page", room=8)
    cannot = end - len(bisection.candidates)
    told = f"{formats.count(cannot, 'commit')} cannot have changed the answer, {len(bisection.candidates):,} can"
    short = f"{len(bisection.candidates):,} of {end:,} can have changed it"
    page.fit(left, y + 22, [told, short], Type(11, theme.ink_2), (right - left) * (1 - REST) - 10)
    return y + 22 + BELOW
