"""Delete files in a commit's picture: below the file that they mask, or in a column of their own."""

from __future__ import annotations

from ...model import formats
from ...model.words import holds
from ..page.canvas import Box, Ink, Type
from ..page.delete_pill import PILL_HEIGHT, pill_width
from ..page.hits import file_meaning, opening
from . import hover as commit_hover
from .groups import Mark
from .layout import Bar, Placed, loose_marks
from .page import SMALL, Lines, Page


def draw_hanging(page: Page, bar: Bar, box: Box) -> float:
    """The delete files below the file that they mask; the page pixel where they end."""
    masked_by, y = bar.mark.masked_by, box.bottom + 24
    if not masked_by:
        return box.bottom
    kinds: dict[str, list[int]] = {}
    for i, m in enumerate(masked_by):
        kinds.setdefault(m.kind, []).append(i)
    wide = sum(pill_width(masked_by[i[0]].kind, len(i)) + 6 for i in kinds.values()) - 6
    beside = wide <= bar.slot - bar.left  # else below each other
    start = x = max(box.right - wide, bar.left)
    page.path(Ink(page.theme.removed.fill, 1.8)).move(box.right - 3, box.bottom).line(box.right - 3, y - 4)
    for row, indexes in enumerate(kinds.values()):
        first = masked_by[indexes[0]]
        if not beside:
            y = box.bottom + 24 + 22 * row
            x = max(box.right - pill_width(first.kind, len(indexes)), bar.left)
        pill = page.pill(x, y, first.kind, filled=True, count=len(indexes))
        alone = len(indexes) == 1
        meaning = file_meaning(first.delete_path, first.content_offset) if alone else ""
        hover = commit_hover.masking(masked_by, indexes, bar.mark.outcomes is not None)
        page.targets.add((pill.left + pill.right) / 2, y, meaning, hover)
        for i in indexes if bar.mark.is_single else ():
            page.place(masked_by[i].delete_path, pill)
        x = pill.right + 6
    if len(masked_by) == 1 and bar.mark.is_single:
        style = Type(10.5, page.theme.ink_3, mono=True)
        offset = "" if masked_by[0].content_offset is None else f"·{masked_by[0].content_offset}"
        name = page.names[masked_by[0].delete_path] + offset
        if start - 6 - style.width(name) >= bar.left:
            page.canvas.text("page", start - 6, y, name, style, "end")
    return y + PILL_HEIGHT / 2 + 4


def draw_replaced(page: Page, mark: Mark, box: Box) -> float:
    """The delete files that masked rows of the file before and that the commit removed; pixels they take."""
    if not mark.replaced:
        return 0.0
    kind, count = mark.replaced[0].kind, len(mark.replaced)
    wide = pill_width(kind, count)
    pill = page.pill(box.right - wide, box.top - 15, kind, filled=False, count=count)
    hover = commit_hover.masking(mark.replaced, range(count), False, "removed")
    first = mark.replaced[0]
    meaning = file_meaning(first.delete_path, first.content_offset) if count == 1 else ""
    page.targets.add((pill.left + pill.right) / 2, box.top - 15, meaning, hover)
    for old in mark.replaced if mark.is_single else ():
        page.place(old.delete_path, pill)
    return wide + 6


def draw_loose(page: Page, placed: Placed, lines: Lines) -> float:
    """Delete files that hang on no file of the picture; the page pixel where they end."""
    bottom, style = lines.after[1], Type(SMALL, page.theme.ink_2)
    if placed.loose is None:
        return bottom
    for change, marks in loose_marks(placed).items():
        y = (lines.before if change == "removed" else lines.after)[0] + 9
        for mark in marks:
            pill = page.pill(placed.loose, y, mark.kind, filled=change == "added", count=mark.files)
            meaning = file_meaning(*mark.key) if mark.key else opening(placed.group.opens)
            page.targets.add((pill.left + pill.right) / 2, y, meaning, commit_hover.deletes(mark, placed.group))
            if mark.key:
                page.place(mark.key[0], pill)
            words = [holds(mark.kind, mark.records), formats.compact(mark.records)]
            page.text(placed.loose, y + 18, page.canvas.fitting(words, style, placed.right - placed.loose), style)
            bottom = max(bottom, y + 28)
            y += 38
    return bottom
