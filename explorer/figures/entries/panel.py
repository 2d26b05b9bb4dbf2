"""The entries of a manifest in the picture: each number as stored, filled or hollow, and as it is read."""

from __future__ import annotations

from ...model import formats
from ...model.iceberg.inheritance import Status
from ..page.canvas import Box, Ink, Type
from ..page.hits import view_meaning
from ..page.text import wrap
from ..page.theme import Hue
from .layout import ARROW, MARK, NUMBER, Field
from .page import LINE, PAD, Page
from .rows import Row, Shown
from .view import Block

_STATUS_SIZE, _SMALL = 11.0, 11.5
_UNREADABLE_LINE, _MORE = 17.0, 24.0


def height(page: Page, block: Block, rows: list[Row]) -> float:
    """Pixels of a block's panel."""
    if not rows:
        return 2 * PAD + _UNREADABLE_LINE * len(_unreadable(page, block)) + 6
    return 2 * PAD + LINE * len(rows) + (_MORE * len(block.more) if block.more else 0)


def _unreadable(page: Page, block: Block) -> list[str]:
    """What is said in place of entries."""
    left, right = page.columns.panel
    single = block.single
    if single is None:
        return [f"{formats.count(len(block.manifests), 'manifest')} without entries that could be read"]
    if not single.unreadable:
        return ["no entry"]
    counted = f" Its row in the list counts {formats.count(single.entry_count, 'entry')}." if single.entry_count else ""
    return wrap(f"cannot be read: {single.unreadable}{counted}", 12, right - left - 24, lines=3)


def draw(page: Page, block: Block, rows: list[Row], top: float) -> float:
    """A panel from page pixel `top` down; the page pixel where it ends."""
    theme = page.theme
    box = Box(page.columns.panel[0], top, page.columns.panel[1], top + height(page, block, rows))
    if not rows:
        page.unreadable(box, _unreadable(page, block), Type(12, theme.ink_2))
        return box.bottom
    fresh = all(m.state == "new" for m in block.manifests)
    page.path(Ink(theme.added.fill if fresh else theme.kept_outline, 1.5)).box(box, 2)
    if any(m.state == "rewritten" for m in block.manifests):
        page.fills.add(Box(box.left, top, box.left + 7, box.bottom), hatch=theme.moved.fill)
    counted = len(block.bands)
    if counted and len(rows) > counted:
        y = top + PAD + LINE * counted
        page.path(Ink(theme.grid, 1)).move(box.left + 8, y).line(box.right - 8, y)
    for i, row in enumerate(rows):
        _draw_row(page, row, Box(box.left, top + PAD + LINE * i, box.right, top + PAD + LINE * (i + 1)))
    y = top + PAD + LINE * len(rows) + _MORE / 2
    for words, opens in block.more:
        style = Type(12, theme.ink_2 if opens else theme.ink_3)
        shown = page.text(page.columns.name, y, words, style)
        if opens:
            for x in (shown.left + 12, (shown.left + shown.right) / 2, shown.right - 12):
                page.targets.add(x, y, view_meaning(opens), "click: go there")
        y += _MORE
    return box.bottom


def _draw_row(page: Page, row: Row, box: Box) -> None:
    theme, columns = page.theme, page.columns
    middle = (box.top + box.bottom) / 2
    page.cells.add(Box(box.left + 1, box.top, box.right - 1, box.bottom), meaning=row.meaning, hover=row.hover)
    if row.path:
        page.place(row.path, Box(box.left, box.top, box.right, box.bottom))
    gone = row.status == Status.DELETED
    page.text(
        columns.status, middle, row.status.name, Type(_STATUS_SIZE, _status_hue(page, row.status).text, bold=True)
    )
    if row.kind:
        page.text(columns.name, middle, row.kind, Type(10.5, theme.removed.text, bold=True))
    style = Type(_SMALL, theme.ink_2 if gone else theme.ink, mono=row.is_file)
    x = columns.name + (columns.kind if row.is_file else 0)
    page.fit(x, middle, [row.name], style, columns.name_room + (0 if row.is_file else columns.kind))
    for field in columns.fields:
        if field.name in row.numbers:
            _draw_number(page, row.numbers[field.name], field, middle, gone)
    if columns.reason is not None:
        colours = {"inherited": theme.added.text, "error": theme.error}
        style = Type(12, colours.get(row.tone, theme.ink_3 if gone else theme.ink_2))
        page.fit(columns.reason, middle, row.reason, style, box.right - columns.reason - 6)


def _status_hue(page: Page, status: Status) -> Hue:
    theme = page.theme
    return {Status.ADDED: theme.added, Status.DELETED: theme.removed}.get(status, theme.moved)


def _draw_number(page: Page, shown: Shown, field: Field, y: float, gone: bool) -> None:
    """The mark of what is stored, and what it is read as; an arrow between them where it is filled in."""
    theme = page.theme
    quiet = gone or shown.tone == "none"
    null = shown.stored == "null"
    colour = {"inherited": theme.added.fill, "error": theme.error}.get(shown.tone, theme.ink_3 if quiet else theme.ink)
    if shown.tone != "none":
        page.symbols.add(field.stored + 5, y, "circle", 9 if null else 10, theme.page if null else colour, colour, 1.8)
    weight = not null and field.name != "snapshot_id"
    style = Type(NUMBER if weight else 12, theme.ink_3 if null or quiet else theme.ink, bold=weight)
    page.fit(field.stored + MARK, y, [shown.stored], style, field.arrow - field.stored - MARK)
    strong = {"inherited": theme.added.text, "error": theme.error}.get(shown.tone, theme.ink_2 if quiet else theme.ink)
    size = Type(NUMBER + 1 if shown.tone != "none" else 12, strong, bold=shown.tone != "none")
    if field.name == "snapshot_id":
        size = Type(12, strong)
    page.fit(field.read, y, [shown.read], size, field.right - field.read + 6)
    if shown.tone in ("inherited", "error"):
        _draw_arrow(page, field, y, colour, lost=shown.tone == "error")


def _draw_arrow(page: Page, field: Field, y: float, colour: str, *, lost: bool) -> None:
    end = field.read - 3
    start = min(field.arrow, end - ARROW + 10)
    page.path(Ink(colour, 1.4, dash="2px,2px" if lost else "solid")).move(start, y).line(end - 5, y)
    page.path(Ink(fill=colour)).move(end - 7, y - 3.5).line(end - 7, y + 3.5).line(end, y).close()
