"""A long manifest list at a glance, above its rows: a bar for each manifest by its number, and the rule of all entries.

Data manifests stand above the line, those of deletes hang below it; a taller bar has more entries.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model import formats
from ...model.entries import overview
from ...model.entries.facts import ManifestEntries
from ...model.entries.overview import Origin
from ...model.entries.words import ORIGIN_WORDS
from ..page import frame
from ..page.frame import KeyEntry
from ..page.hits import opening
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.theme import Theme, blend
from . import hits as entries_hits
from .layout import Page
from .rows import all_from, opens_manifest

_LEFT, _MARGIN = 112.0, 24.0  # pixels beside the bars
_UP, _DOWN, _LEAST = 46.0, 34.0, 5.0  # pixels of the tallest bar above the line and below it, and of the lowest one
_WIDEST, _NARROWEST = 16.0, 4.0  # pixels from bar to bar
_REACH = 24.0  # pixels of what answers the pointer, however low the bar
_NAMED = 3  # manifests that are called by their numbers because their writer chose one
_RULE = 15.0  # pixels of the bar of all entries
_SAID = {
    "telling": (
        "those with something to tell, and the first of each other kind; the rest is counted below",
        "with something to tell; the rest is counted below",
    ),
    "manifests": ("as the list has them",),
    "opened": ("one of them",),
}


@dataclass(frozen=True, slots=True)
class _Bar:
    """One manifest, or neighbours with the same content where there are more of them than room."""

    manifests: tuple[ManifestEntries, ...]
    box: Box

    @property
    def single(self) -> ManifestEntries | None:
        return self.manifests[0] if len(self.manifests) == 1 else None

    @property
    def middle(self) -> float:
        return (self.box.left + self.box.right) / 2


def draw_glance(page: Page, top: float) -> float:
    """All manifests by number, then where their entries have a data number from; the page pixel where it ends."""
    y = _draw_origins(page, _draw_manifests(page, top) + 16) + 22
    title = page.text(20, y, "List, manifests, entries", Type(12.5, page.theme.ink, bold=True))
    page.fit(title.right + 24, y, _SAID[page.contents.kind], Type(12, page.theme.ink_2), page.width - title.right - 44)
    return y + 16


def key(page: Page) -> Iterable[KeyEntry]:
    """What the bars look like, of those that occur."""
    origins, looks = overview.origins(page.entries.manifests), _looks(page.theme)
    if origins["inherited"] or origins["version 1"]:
        yield "manifest whose entries inherit", frame.swatch(page, *looks["inherited"][:2])
    if origins["stored"]:
        yield "numbers stored: written again", frame.swatch(page, *looks["stored"][:2])
    if origins["removed"]:
        yield "with removed entries", frame.swatch(page, *looks["removed"][:2], hatch=looks["removed"][2])


# --- a bar for each manifest


def _draw_manifests(page: Page, top: float) -> float:
    theme = page.theme
    listed = sorted(page.entries.manifests, key=lambda m: (m.manifest.sequence_number or 0, m.manifest.content))
    of_deletes = sum(m.manifest.content != 0 for m in listed)
    most = max(m.entry_count or 0 for m in listed)
    base = top + 24 + _UP
    bottom = base + (_DOWN if of_deletes else 4.0)
    strong = Type(12, theme.ink, bold=True)
    page.fit(20, base - 14, [f"data {len(listed) - of_deletes:,}"], strong, _LEFT - 24)
    if of_deletes:
        page.fit(20, base + 16, [f"deletes {of_deletes:,}"], strong, _LEFT - 24)
    bars = _bars(page, listed, base, most)
    for bar in bars:
        _draw_bar(page, bar)
    page.path(Ink(theme.edge, 1.2)).move(_LEFT, base).line(bars[-1].box.right, base)
    _name_the_odd(page, bars, top + 10)
    page.text(20, bottom + 12, "number", Type(12, theme.ink_2))
    _draw_numbers(page, bars, bottom + 12)
    each = "a bar: a manifest" if all(bar.single for bar in bars) else "a bar: manifests beside each other"
    words = [f"{each}; taller: more entries, at most {formats.compact(most)}, on a scale by tens", each]
    page.fit(_LEFT, bottom + 29, words, Type(11, theme.ink_3), page.width - _LEFT - _MARGIN)
    return bottom + 38


def _bars(page: Page, listed: Sequence[ManifestEntries], base: float, most: int) -> list[_Bar]:
    room = page.width - _LEFT - _MARGIN
    together = _together(listed, math.ceil(len(listed) * _NARROWEST / room))
    step = min(room / len(together), _WIDEST)
    wide = step - (1.0 if step < 6 else 2.5)
    bars = []
    for i, alike in enumerate(together):
        largest = max(m.entry_count or 0 for m in alike)  # not the mean, in which a large one would vanish
        share = math.log1p(largest) / math.log1p(most) if most else 0.0
        left = _LEFT + i * step
        if alike[0].manifest.content:
            box = Box(left, base, left + wide, base + max(share * _DOWN, _LEAST))
        else:
            box = Box(left, base - max(share * _UP, _LEAST), left + wide, base)
        bars.append(_Bar(tuple(alike), box))
    return bars


def _together(listed: Sequence[ManifestEntries], most: int) -> list[list[ManifestEntries]]:
    """Neighbours with the same content, at most so many together."""
    found: list[list[ManifestEntries]] = []
    open_by_content: dict[bool, list[ManifestEntries]] = {}
    for m in listed:
        is_deletes = bool(m.manifest.content)
        last = open_by_content.get(is_deletes)
        if last is None or len(last) == most:
            open_by_content[is_deletes] = last = []
            found.append(last)
        last.append(m)
    return found


def _draw_bar(page: Page, bar: _Bar) -> None:
    box, single = bar.box, bar.single
    fill, stroke, hatch = _look(page, bar)
    if hatch:
        page.fills.append(Rectangle(box, fill, stroke, 1.2, hatch))
    else:  # one path for all that look alike
        page.path(Ink(stroke, 1.2, fill)).box(box)
    for m in bar.manifests:
        page.place(m.manifest.path, box)
    if single is not None:
        meaning = opening(opens_manifest(single))
        hover = entries_hits.manifest(single, bool(meaning))
        if single.manifest.path == page.contents.part.opened:
            page.path(Ink(page.theme.ink, 2)).box(box.around(2.5))
    else:
        meaning = opening(all_from(page.entries.manifests.index(bar.manifests[0])))
        hover = entries_hits.manifests(bar.manifests)
    is_deletes = bool(bar.manifests[0].manifest.content)
    top = box.top if is_deletes else min(box.top, box.bottom - _REACH)
    bottom = max(box.bottom, box.top + _REACH) if is_deletes else box.bottom
    page.cells.append(Rectangle(Box(box.left, top, box.right, bottom), meaning=meaning, hover=hover))


def _looks(theme: Theme) -> Mapping[Origin, tuple[str, str, str]]:
    """Fill, outline and hatch of entries that have their data number from there."""
    return {
        "inherited": (theme.page, theme.added.fill, ""),
        "version 1": (theme.page, theme.added.fill, ""),
        "stored": (theme.moved.fill, theme.moved.text, ""),
        "written": (theme.attention.fill, theme.attention.text, ""),
        "forbidden": (theme.page, theme.error, theme.error),
        "removed": (theme.page, theme.moved.text, theme.moved.fill),
    }


def _look(page: Page, bar: _Bar) -> tuple[str, str, str]:
    """Of what is most worth a look in it."""
    theme, looks, origins = page.theme, _looks(page.theme), overview.origins(bar.manifests)
    if any(m.unreadable for m in bar.manifests):
        return looks["forbidden"]
    worth: tuple[Origin, ...] = ("forbidden", "written", "removed", "stored")
    if found := next((name for name in worth if origins[name]), None):
        return looks[found]
    is_new = any(m.state == "new" for m in bar.manifests)
    return blend(theme.added.fill, theme.page, 0.35) if is_new else theme.page, theme.added.fill, ""


def _name_the_odd(page: Page, bars: Sequence[_Bar], y: float) -> None:
    """Above its bar, what a writer chose itself; of more than a few the key alone tells."""
    odd = [bar for bar in bars if overview.origins(bar.manifests)["written"]]
    if len(odd) > _NAMED:
        return
    style = Type(12, page.theme.attention.text, bold=True)
    for bar in odd:
        own = bar.manifests[0].manifest.sequence_number
        words = "chosen by its writer" if own is None else f"{own:,} chose its data number"
        half = style.width(words) / 2
        x = min(max(bar.middle, _LEFT + half), page.width - _MARGIN - half)
        if page.canvas.try_text([(x, y)], words, style, plane="page"):
            page.symbols.append(Mark(bar.middle, y + 12, "triangle-down", 8, page.theme.attention.fill))


def _draw_numbers(page: Page, bars: Sequence[_Bar], y: float) -> None:
    """The numbers of the first and the last one, of those to look at, and of as many others as have room."""
    own = page.entries.snapshot.sequence_number
    odd = [i for i, bar in enumerate(bars) if overview.origins(bar.manifests)["written"]]
    last = len(bars) - 1
    told = set()
    for i in dict.fromkeys((last, 0, *odd, *range(0, last, max(last // 8, 1)))):
        number = bars[i].manifests[0].manifest.sequence_number
        if number is None or number in told:
            continue
        style = Type(
            12, page.theme.ink if number == own or i in odd else page.theme.ink_2, bold=number == own or i in odd
        )
        words = f"{number:,}"
        half = style.width(words) / 2
        x = min(max(bars[i].middle, _LEFT + half), page.width - 8 - half)
        if page.canvas.try_text([(x, y)], words, style, plane="page", room=10):
            told.add(number)


# --- where all entries have their data number from


def _draw_origins(page: Page, top: float) -> float:
    """One bar of all entries and how many have their data number from where; the page pixel where it ends."""
    theme = page.theme
    origins = overview.origins(page.entries.manifests)
    total = origins.total()
    title = Type(12.5, theme.ink, bold=True)
    page.text(20, top + 6, "Which rule filled the data number", title)
    y = top + 22
    page.fit(
        20, y + _RULE / 2, [formats.count(total, "entry"), formats.compact(total)], Type(12, theme.ink), _LEFT - 24
    )
    if not total:
        return y + _RULE
    looks = _looks(theme)
    shown = [name for name in overview.ORIGINS if origins[name]]
    room = (page.width - _LEFT - _MARGIN) - 6.0 * len(shown)
    x = _LEFT
    for name in shown:
        wide = 6.0 + room * origins[name] / total
        page.fills.append(Rectangle(Box(x, y, x + wide, y + _RULE), *looks[name][:2], 1.4, looks[name][2]))
        x += wide
    return _tell_origins(page, shown, origins, y + _RULE + 13) + 10


def _tell_origins(page: Page, shown: Sequence[Origin], origins: Counter[Origin], y: float) -> float:
    """The same in words, in as many lines as they take; the page pixel of the last line."""
    theme, x = page.theme, _LEFT
    colours = {
        "inherited": theme.added.text,
        "version 1": theme.added.text,
        "written": theme.attention.text,
        "forbidden": theme.error,
    }
    told = [(f"{origins[name]:,} {ORIGIN_WORDS[name]}", colours.get(name, theme.ink_2)) for name in shown]
    if not origins["forbidden"]:
        told.append(("0 null where a number must be ✓", theme.ok))
    for words, colour in told:
        style = Type(12, colour)
        if x > _LEFT and x + style.width(words) > page.width - _MARGIN:
            x, y = _LEFT, y + 18
        x = page.text(x, y, words, style).right + 22
    return y
