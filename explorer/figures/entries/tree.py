"""The picture's tree: the snapshot at the left, the rows of its manifest list, and a panel of entries beside each."""

from __future__ import annotations

from ...model import formats
from ...model.evidence import unreadable_list
from ..page.canvas import Box, Type
from ..page.hits import view_meaning
from ..page.text import wrap
from . import list as entries_list
from . import panel as entries_panel
from .page import Page

_GAP, _NARROW_GAP, _FEW = 14.0, 9.0, 12  # pixels between blocks: where they are few, and where they are more


def draw(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    y = _draw_headings(page, _draw_way_back(page, top))
    snapshot = entries_list.draw_snapshot(page, y)
    if not page.blocks:
        return max(_draw_nothing(page, y), snapshot.bottom + 8)
    boxes: list[Box] = []
    gap = _GAP if len(page.blocks) <= _FEW else _NARROW_GAP
    for block, rows in zip(page.blocks, page.rows, strict=True):
        needed = entries_panel.height(page, block, rows)
        high = max(needed, entries_list.BOX + (4 if block.single is None else 0))
        boxes.append(entries_list.draw_row(page, block, rows, y, high))
        entries_panel.draw(page, block, rows, y + (high - needed) / 2)
        y += high + gap
    entries_list.draw_curves(page, snapshot, boxes)
    return max(y, snapshot.bottom + 8)


def _draw_way_back(page: Page, y: float) -> float:
    n, part = len(page.entries.manifests), page.contents.part
    if not part.first and (n == 1 or not part.opened):
        return y
    words = f"◂ all of {formats.count(n, 'manifest')}" if n > 1 else "◂ the manifest from its start"
    box = page.text(20, y + 8, words, Type(12, page.theme.ink_2))
    for x in (box.left + 12, (box.left + box.right) / 2, box.right - 12):
        page.targets.add(x, y + 8, view_meaning(""), "click: the whole")
    return y + 26


def _draw_headings(page: Page, top: float) -> float:
    """What stands below them, from file to file; the page pixel where they end."""
    columns, quiet, small = page.columns, Type(12, page.theme.ink_2), Type(11, page.theme.ink_2)
    room = columns.listed[0] - columns.snapshot[0] - 6
    page.fit(columns.snapshot[0], top + 10, ["metadata.json", "metadata"], quiet, room)
    name = entries_list.list_name(page.entries.snapshot)
    head = page.text(columns.listed[0], top + 10, "manifest list", quiet)
    room = columns.panel[0] - head.right - 16
    page.fit(head.right + 8, top + 10, [name], Type(11, page.theme.ink_3, mono=True), room)
    if not page.blocks:
        return top + 28
    page.text(columns.panel[0], top + 10, "manifest entries", quiet)
    y = top + 46
    page.text(columns.listed[0] + 10, y, "manifest", small)
    words = ["sequence_number", "sequence no.", "seq."]
    left = columns.listed[0] + 10 + small.width("manifest") + 8
    for x, candidates, end in (
        (columns.number, words, columns.least),
        (columns.least, ["min"], columns.row_id),
        (columns.row_id, ["first_row_id"], None),
    ):
        if x is not None:
            beyond = (x + end) / 2 + 12 if end is not None else columns.panel[0] - 4
            said = page.canvas.fitting(candidates, small, 2 * min(x - left, beyond - x))
            left = page.canvas.text("page", x, y, said, small).right + 6
    if not any(page.rows):
        return y + 18
    page.text(columns.status, y, "status", small)
    page.text(columns.name + columns.kind, y, "file" if page.contents.kind == "entries" else "entries", small)
    for field in columns.fields:
        room = field.right - field.stored + 14
        page.fit(field.stored, y - 14, field.headings, small, room)
        page.text(field.stored, y + 2, "stored", Type(10.5, page.theme.ink_3))
        style = Type(10.5, page.theme.ink_3)
        page.text(min(field.read, field.right - style.width("read as")), y + 2, "read as", style)
    return y + 18


def _draw_nothing(page: Page, top: float) -> float:
    """Why there is no manifest."""
    unreadable, columns = page.entries.unreadable, page.columns
    why = unreadable_list(unreadable) if unreadable else "The list has no row: no file is in this snapshot."
    lines = wrap(why, 12, columns.panel[1] - columns.listed[0] - 24)
    box = Box(columns.listed[0], top, columns.panel[1], top + 84)
    page.unreadable(box, lines, Type(12, page.theme.ink_2))
    return box.bottom + 8
