"""Live rows, each with the commit that owns it: a strip from the owner to the end of the range."""

from __future__ import annotations

from ...model.changelog.facts import ChangedRow
from ..page.canvas import Box, Ink, Type
from ..page.hits import row_meaning
from ..page.theme import blend
from . import hover as changelog_hover
from .grid import draw_label, draw_name_of_keys, gap
from .panel import SMALL, Panel

_BAND = 21.0


def draw(panel: Panel, top: float) -> float:
    """The lines of the view from page pixel `top` down; the page pixel where they end."""
    head = Type(SMALL, panel.sheet.theme.ink, bold=True)
    panel.sheet.text(_table_left(panel), top + 4, "owner", head)
    panel.sheet.text(_ordinal_left(panel), top + 4, "ordinal", head)
    y = draw_name_of_keys(panel, top)
    for line in panel.drawn:
        bottom = y + _BAND * len(line.rows)
        draw_label(panel, line.key, y, bottom)
        for row in line.rows:
            _draw_row(panel, row, y)
            y += _BAND
        y += gap(panel)
    return y


def _table_left(panel: Panel) -> float:
    return panel.columns.right + 18


def _ordinal_left(panel: Panel) -> float:
    return _table_left(panel) + 72


def _draw_row(panel: Panel, row: ChangedRow, top: float) -> None:
    columns = panel.columns
    owner: int | None = row.snapshot_id
    state, place, style = panel.states[owner], columns.place(owner), panel.owner(owner)
    middle = top + _BAND / 2 - 1
    if place is not None:
        box = Box(columns.all[place].left + 3, top, columns.right - 3, top + _BAND - 3)
        style.painter(panel.sheet)(box)
        _write(panel, row.text, box, style.ink, hatched=bool(style.hatch))
        hover = changelog_hover.owned(row.key, row.text, owner, state, row.ordinal)
        panel.sheet.cells.add(box, meaning=row_meaning(owner, row.key), hover=hover)
    else:
        panel.sheet.fit(columns.left + 4, middle, ["owner is not in view"], Type(SMALL, panel.sheet.theme.ink_3), 200)
    _draw_table(panel, row, state, middle)


def _write(panel: Panel, words: str, box: Box, ink: str, *, hatched: bool) -> None:
    style, room = Type(12, ink, mono=True), box.right - box.left - 14
    if room < 24:
        return
    shown = panel.sheet.canvas.fitting([words], style, room)
    if hatched:
        wide = style.width(shown)
        panel.sheet.fills.add(
            Box(box.left + 4, box.top + 2, box.left + 10 + wide, box.bottom - 2), panel.sheet.theme.page
        )
    panel.sheet.text(box.left + 7, (box.top + box.bottom) / 2, shown, style)


def _draw_table(panel: Panel, row: ChangedRow, state: str, middle: float) -> None:
    theme, differs = panel.sheet.theme, panel.differs.get(row.key, "")
    left, ordinal = _table_left(panel), _ordinal_left(panel)
    if differs:
        ground = blend(theme.attention.fill, theme.page, 0.14)
        box = Box(left - 8, middle - _BAND / 2, panel.right, middle + _BAND / 2)
        panel.sheet.path(Ink(fill=ground)).box(box)
    known: int | None = row.snapshot_id
    panel.sheet.fit(left, middle, [panel.ids.get(known, "unknown")], Type(12, theme.ink_2, mono=True), 66)
    room = panel.right - ordinal - 4
    if row.ordinal is None:
        words = [f"none: {state}", state, "none"]
        panel.sheet.fit(ordinal, middle, words, Type(SMALL, theme.ink_2), room)
        return
    number = f"{row.ordinal:,}"
    box = panel.sheet.text(ordinal, middle, number, Type(12, theme.ink, bold=True))
    if differs:
        panel.sheet.fit(
            box.right + 10,
            middle,
            [differs, "differs"],
            Type(SMALL, theme.attention.text, bold=True),
            panel.right - box.right - 14,
        )
