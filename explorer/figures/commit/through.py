"""Kept files that a delete of the commit reaches: they run through the boundary, and what is masked is marked."""

from __future__ import annotations

from ...model import formats
from ..page.canvas import Box, Type
from .bars import draw_outline
from .deletes import draw_hanging, draw_replaced
from .groups import Mark
from .layout import SLIVER, Bar, Placed
from .page import LINE, SMALL, Lines, Page, wordings


def draw_through(page: Page, bar: Bar, lines: Lines, placed: Placed) -> float:
    """One kept file, or several; the page pixel where it ends."""
    theme, mark = page.theme, bar.mark
    box = Box(bar.left, lines.before[0], bar.right, lines.after[1])
    page.fills.add(box, theme.page)
    masked, back = _masked(mark), mark.outcomes.inserted if mark.outcomes else 0
    inner = box.right
    for n, hue in ((masked, theme.removed), (back, theme.added)):
        if n and not mark.cells:
            share = (box.right - box.left) * n / mark.rows if mark.rows else 0.0
            wide = min(max(share, SLIVER), inner - box.left)
            page.fills.add(Box(inner - wide, lines.boundary, inner, box.bottom), hue.fill)
            inner -= wide
    draw_outline(page, bar, box, theme.kept_outline, placed)
    room = bar.slot - bar.left - draw_replaced(page, mark, box)
    name = Type(SMALL, theme.ink_2, mono=mark.is_single)
    names = [page.names[mark.paths[0]]] if mark.is_single else wordings(mark.files, "file")
    page.text(bar.left, box.top - 13, page.canvas.fitting(names, name, room), name)
    if mark.rows is None:
        page.tear(box)
    if mark.cells:
        _print_cells(page, bar, lines)
    else:
        _write_inside(page, bar, lines, masked, back, inner)
    return draw_hanging(page, bar, box)


def _masked(mark: Mark) -> int:
    """Rows newly masked, or the positions newly held, where rows were not read."""
    if mark.outcomes is not None:
        return mark.outcomes.updated + mark.outcomes.deleted + mark.outcomes.carried_over
    return max(sum(m.rows for m in mark.masked_by) - mark.unmasked, 0)


def _write_inside(page: Page, bar: Bar, lines: Lines, masked: int, back: int, inner: float) -> None:
    """Rows stored, above; rows that are read and that are masked, below."""
    theme, mark, room = page.theme, bar.mark, max(inner, bar.left + 70) - bar.left - 10
    plain = Type(SMALL, theme.ink_2)
    stored = wordings(mark.rows, "row") if mark.rows is not None else ["rows not read", "not read"]
    below: list[tuple[list[str], Type]] = []
    if mark.rows is not None and mark.outcomes is not None and not mark.outcomes.unseen:
        below.append((_counted(mark.rows - masked, "read"), plain))
    word = "masked" if mark.outcomes is not None else "new positions" if mark.unmasked else "positions"
    for n, said, hue in ((masked, word, theme.removed), (back, "came back", theme.added)):
        if n:
            below.append((_counted(n, said), Type(SMALL, hue.text)))
    page.text(bar.left + 8, sum(lines.before) / 2, page.canvas.fitting(stored, plain, room), plain)
    y = sum(lines.after) / 2 - LINE / 2 * (len(below) - 1)
    for i, (candidates, style) in enumerate(below):
        page.text(bar.left + 8, y + LINE * i, page.canvas.fitting(candidates, style, room), style)


def _counted(n: int, word: str) -> list[str]:
    return [f"{n:,} {word}", f"{formats.compact(n)} {word}", formats.compact(n)]


def _print_cells(page: Page, bar: Bar, lines: Lines) -> None:
    """Each row of a small file above the line, and below it what became of it; in the order of the file."""
    theme, mark = page.theme, bar.mark
    before = {cell.position: cell for cell in mark.cells if cell.side == "before"}
    after = {cell.position: cell for cell in mark.cells if cell.side == "after"}
    count = max(mark.rows or 1, 1)
    width = (bar.right - bar.left) / count
    plain = Type(12, theme.ink, mono=True)
    for i in range(count):
        x = bar.left + width * i
        was, now = before.get(i), after.get(i)
        if was is not None:
            page.canvas.text("page", x + width / 2, sum(lines.before) / 2, _cut(page, was.text, plain, width), plain)
        hue = (
            theme.removed
            if was is not None and now is None
            else theme.added
            if was is None and now is not None
            else None
        )
        shown = now or was
        if shown is None:
            continue
        if hue is not None:
            page.fills.add(Box(x + 2, lines.boundary, x + width - 2, lines.after[1] - 1), hue.fill)
        style = Type(12, hue.on_fill, mono=True) if hue else plain
        page.canvas.text("page", x + width / 2, sum(lines.after) / 2, _cut(page, shown.text, style, width), style)


def _cut(page: Page, words: str, style: Type, width: float) -> str:
    return page.canvas.fitting([words], style, width - 8)
