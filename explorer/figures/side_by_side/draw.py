"""Two commits: both rewrite boundaries on one scale, beside or below each other, and what each wrote for its changes.

Nothing on it answers a click: it is a picture of two tables, and each of them has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...model.commit import beside
from ...model.commit import words as commit_words
from ...model.commit.facts import CommitFacts
from ...model.commit.rows import Outcome
from ...model.evidence import weakest
from ..commit import header
from ..commit.contents import Contents
from ..commit.draw import draw_files, lines_above, placed_files
from ..commit.layout import Layout, Page, on_one_scale
from ..page import frame
from ..page.fold import Part
from ..page.scale import nice_steps
from ..page.scene import Box, Ink, Rectangle, Scene, Type
from ..page.text import wrap_parts
from ..page.theme import Theme

BOTH_WIDTH = 1170  # pixels from which on there is room for both beside each other; else one stands below the other
_BETWEEN = 8.0  # pixels from the middle of the page to what stands beside it
_BAR, _NEXT = 20.0, 30.0  # pixels of a bar of rows written, and from one to the next
_SHARE = 0.38  # of the page that the longest of them takes: its words need the rest


def draw(
    left: CommitFacts, right: CommitFacts, theme: Theme, *, names: tuple[str, str], width: int = BOTH_WIDTH
) -> Scene:
    """The picture.

    Args:
        left: a commit, best with its rows.
        right: the other one; where the page is narrow it stands below.
        theme: in which colours.
        names: what to call the tables; within a sentence a name up to its colon.
        width: of the page in pixels, at least 560. The height follows from the contents.
    """
    page = Page.of(theme, width, commit=left.commit, rows=left.rows)
    parts = [  # of one page: they draw on the same canvas, and what they draw is in the same lists
        replace(page, commit=facts.commit, rows=facts.rows) for facts in (left, right)
    ]
    of_both = [commit_words.evidence(part.commit, part.rows) for part in parts]
    evidence = weakest(sorted(of_both, key=lambda one: -len(one[1])))  # of equals the one that says more
    y = frame.heading(page, beside.title(left, right, names), [" beside ".join(names), evidence[1]], evidence)
    both_keys: dict[str, Callable[[Box], None]] = {}
    for part in parts:
        both_keys.update(header.entries(part, counted=False))
    y = frame.key(page, both_keys.items(), y + 14) + 12
    bottom = (_draw_beside if page.width >= BOTH_WIDTH else _draw_below)(page, parts, names, y)
    y = _draw_written(page, (left, right), names, bottom + 10)
    page.footnotes[:] = dict.fromkeys(page.footnotes)
    notes = list(dict.fromkeys(note for part in parts for note in header.notes(part)))
    height = frame.foot(page, beside.closing(left, right, names), notes, y) + 10
    return page.scene(height, {})


def _draw_beside(page: Page, parts: Sequence[Page], names: tuple[str, str], top: float) -> float:
    """Each in its half, their lines at one height; the page pixel where they end."""
    middle = page.width / 2
    halves = replace(parts[0], end=middle - _BETWEEN), replace(parts[1], start=middle + _BETWEEN)
    y = max([_draw_name(half, name, top) for half, name in zip(halves, names, strict=True)]) + 6
    y = max([header.draw_metadata(half, y) for half in halves]) + 14
    contents, placed = _placed(halves)
    above = max(lines_above(half, one) for half, one in zip(halves, placed, strict=True))
    headed = any(one.headed for one in placed)
    drawn = zip(halves, contents, placed, strict=True)
    bottom = max([draw_files(half, of, one, y, above=above, headed=headed) for half, of, one in drawn])
    page.path(Ink(page.theme.kept_outline, 1.4)).move(middle, top - 10).line(middle, bottom)
    return bottom


def _draw_below(page: Page, parts: Sequence[Page], names: tuple[str, str], top: float) -> float:
    """One below the other; the page pixel where they end."""
    contents, placed = _placed(parts)
    y = top
    for part, of, one, name in zip(parts, contents, placed, names, strict=True):
        if part is not parts[0]:
            page.path(Ink(page.theme.kept_outline, 1.4)).move(20, y).line(page.width - 20, y)
            y += 24
        y = header.draw_metadata(part, _draw_name(part, name, y) + 6) + 14
        y = draw_files(part, of, one, y, above=lines_above(part, one), headed=one.headed) + 10
    return y - 10


def _placed(parts: Sequence[Page]) -> tuple[list[Contents], list[Layout]]:
    """The files of both, and their places on one scale."""
    contents = [Contents(part.commit, part.rows, Part()) for part in parts]
    return contents, on_one_scale([placed_files(part, of) for part, of in zip(parts, contents, strict=True)])


def _draw_name(half: Page, name: str, top: float) -> float:
    """Which table, and which commit of it; the page pixel where it ends."""
    theme, room = half.theme, half.wide - 40
    half.fit(half.start + 20, top, [name, beside.short_name(name)], Type(15, theme.ink, bold=True), room)
    *parts, _ = commit_words.circumstances(half.commit, half.rows, name)
    y = top + 20
    for line in wrap_parts(parts[1:], " · ", 12, room):
        half.text(half.start + 20, y, line, Type(12, theme.ink_2))
        y += 17
    return y


def _draw_written(page: Page, both: tuple[CommitFacts, CommitFacts], names: tuple[str, str], top: float) -> float:
    """A bar for each: the rows that it wrote, by what became of them; the page pixel where they end."""
    theme, found = page.theme, [beside.written(facts) for facts in both]
    most = max((one.rows for one in found if one is not None), default=0)
    if not most:
        return top
    page.path(Ink(theme.grid, 1)).move(20, top).line(page.width - 20, top)
    name_style, words_style = Type(12.5, theme.ink, bold=True), Type(12.5, theme.ink)
    shown = [beside.short_name(name) for name in names]
    left = 20 + min(max(name_style.width(name) for name in shown) + 16, page.width * 0.2)
    pixels = (page.width * _SHARE) / most
    y, bottom = top + 14, top + 14 + _NEXT + _BAR
    number = Type(11, theme.ink_2)
    for step in nice_steps(most, max(2, min(6, int(page.width * _SHARE / (number.width(f"{most:,}") * 1.6))))):
        x = left + step * pixels
        page.path(Ink(theme.grid, 1)).move(x, top + 8).line(x, bottom + 4)
        page.canvas.text("page", x, bottom + 14, f"{step:,}", number)
    page.text(20, bottom + 14, "rows written", Type(11, theme.ink_2))
    for name, one in zip(shown, found, strict=True):
        middle = y + _BAR / 2
        page.fit(20, middle, [name], name_style, left - 28)
        x = left
        for what, rows in one.parts if one else ():
            _draw_part(page, what, Box(x, y, x + rows * pixels, y + _BAR))
            x += rows * pixels
        wordings = one.wordings if one else ["what became of its rows is not known", "rows not known"]
        page.fit(x + 12, middle, wordings, words_style, page.width - 32 - x)
        y += _NEXT
    return bottom + 26


def _draw_part(page: Page, what: Outcome | None, box: Box) -> None:
    theme = page.theme
    if what == "carried over":
        page.fills.append(Rectangle(box, stroke=theme.edge, stroke_width=1, hatch=theme.moved.fill))
    elif what is None:
        page.fills.append(Rectangle(box, theme.band, theme.kept_outline, 1))
    else:
        page.fills.append(Rectangle(box, page.hue(what).fill))
