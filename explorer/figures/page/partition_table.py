"""What pictures draw below a page of partitions in sums: what the others come to, and the way to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...model import formats
from ...model.partition_rows import R, Shown, page_words
from .fold import Part
from .hits import view_meaning
from .scene import Box, Ink, Rectangle, Type
from .sheet import Sheet

_PITCH = 20.0
_EVERY = "every partition"


@dataclass(frozen=True, slots=True)
class SumRow:
    """Some rows together.

    Attributes:
        name: `this page`, `+ 75 days`, `94 days`; words: what these rows have in common.
        values: one for each column of numbers; empty ones are not said.
        besides: what the values leave out, right of them.
        alarming: place of the value that must not be overlooked; None if there is none.
    """

    name: str
    words: str
    values: Sequence[str]
    besides: str = ""
    is_total: bool = False
    alarming: int | None = None


def is_every(part: Part) -> bool:
    """Whether a part of such a table is of those rows too that have nothing to tell."""
    return part.opened == _EVERY


def draw_sums(
    sheet: Sheet, rows: Sequence[SumRow], left: float, words_at: float, ends: Sequence[float], top: float
) -> float:
    """The sums below a page; the page pixel where they end. What stands in a total is all of what stands above it."""
    theme, y = sheet.theme, top
    right = ends[-1]
    for row in rows:
        if row.is_total:
            sheet.path(Ink(theme.edge, 1)).move(left, y + 2).line(right, y + 2)
            y += 4
        middle = y + _PITCH / 2
        bold = row.is_total or row is rows[0]
        name = Type(12 if bold else 11, theme.ink if bold else theme.ink_2, bold=bold)
        sheet.fit(left, middle, [row.name], name, words_at - left - 10)
        if row.words:
            taken = name.width(row.values[0]) + 12 if row.values else 0.0
            sheet.fit(words_at, middle, [row.words], Type(11, theme.ink_2), ends[0] - taken - words_at)
        for i, (words, end) in enumerate(zip(row.values, ends, strict=True)):
            colour = theme.attention.text if i == row.alarming else name.colour
            if words:
                sheet.canvas.text("page", end, middle, words, Type(name.size, colour, bold=bold), "end")
        if row.besides:
            sheet.fit(right + 18, middle, [row.besides], Type(11, theme.ink_2), sheet.width - 38 - right)
        y += _PITCH
    return y


def ends(rows: Sequence[Sequence[str]], right: float) -> tuple[list[float], float]:
    """Where columns of numbers end, as wide as their widest of these texts, and where the first one begins."""
    bold = Type(12, "", bold=True)
    found: list[float] = []
    for texts in reversed(list(zip(*rows, strict=True))):
        found.insert(0, right)
        right -= max([46.0, *(bold.width(words) for words in texts)]) + 14
    return found, right


def draw_paging(sheet: Sheet, shown: Shown[R], most: int, unit: str, told: str, left: float, top: float) -> float:
    """The way to the other rows, and which are on the page; the page pixel where it ends.

    Args:
        sheet: to draw on.
        shown: the page.
        most: rows on a page.
        unit: `day`, `partition`.
        told: what those have that are listed without a search.
        left: page pixel where it begins.
        top: likewise.
    """
    opened = _EVERY if shown.everything else ""
    tells = {row.tells for row in (*shown.page, *shown.elsewhere)}
    last = shown.first + len(shown.page)
    links = [
        (f"◂ previous {most}", Part(max(shown.first - most, 0), opened), shown.first > 0),
        (f"next {min(most, shown.listed - last):,} ▸", Part(last, opened), last < shown.listed),
        (f"all {formats.plural(unit)}", Part(opened=_EVERY), bool(shown.others) and not shown.search),
        (f"only those {told}", Part(), shown.everything and tells == {True, False}),
    ]
    if not any(there for *_, there in links):
        return top
    x, y, style = left, top + 14, Type(12, sheet.theme.ink, bold=True)
    for words, part, there in links:
        if there:
            box = sheet.text(x, y, words, style)
            hit = Box(box.left, y - 12, box.right, y + 12)
            opens = str(part) or "from 0"  # an empty view would leave what is asked for
            sheet.cells.append(Rectangle(hit, meaning=view_meaning(opens), hover="click: draw these"))
            x = box.right + 20
    sheet.fit(x, y, [page_words(shown, unit, told)], Type(11, sheet.theme.ink_2), sheet.width - 20 - x)
    return y + 14
