"""A manifest in the picture: its row in the manifest list, and its entries, each number as stored and as it is read."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.entries import words as entries_words
from ...model.iceberg.inheritance import Status
from ...model.iceberg.metadata import Snapshot
from ..page.hits import opening, view_meaning
from ..page.scene import Anchor, Box, Ink, Mark, Rectangle, Target, Type
from ..page.text import wrap
from ..page.theme import Hue, blend
from . import hits as entries_hits
from .layout import ARROW, LINE, MARK, NUMBER, PAD, Field, Page
from .rows import Block, Row, Shown

BOX = 42.0
_SNAPSHOT = 84.0
_DEEPEST = 120.0  # pixels below the top of its entries, however many, where its row stands
_MANY = 12  # rows, from where on the lines to them are quieter


def draw_snapshot(page: Page, top: float) -> Box:
    """The snapshot, whose number the list carries."""
    theme, s = page.theme, page.entries.snapshot
    left, right = page.columns.snapshot
    box = Box(left, top, right, top + _SNAPSHOT)
    page.path(Ink(theme.added.fill, 1.6, blend(theme.added.fill, theme.page, 0.12))).box(box, 3)
    page.cells.append(Rectangle(box, hover=entries_hits.snapshot(s)))
    number = f"{s.sequence_number:,}"
    short, middle, room = formats.short_ids({s.snapshot_id})[s.snapshot_id], (left + right) / 2, right - left - 8
    for y, wordings, style in (
        (18, (f"snapshot {short}", short), Type(12.5, theme.ink, bold=True)),
        (39, ("sequence-number", "sequence no.", "number"), Type(11, theme.ink_2)),
        (63, (number, formats.compact(s.sequence_number)), Type(18 if len(number) < 6 else 13, theme.ink, bold=True)),
    ):
        page.canvas.text("page", middle, top + y, page.canvas.fitting(wordings, style, room), style)
    return box


def draw_curves(page: Page, snapshot: Box, boxes: list[Box]) -> None:
    """The snapshot names one list, which has all these rows."""
    many = len(boxes) > _MANY
    ink = Ink(page.theme.kept_outline if many else page.theme.edge, 0.8 if many else 1.1)
    x, y = snapshot.right, (snapshot.top + snapshot.bottom) / 2
    for box in boxes:
        end = (box.top + box.bottom) / 2
        bend = (box.left - x) * 0.55
        page.path(ink).move(x, y).curve(x + bend, y, box.left - bend, end, box.left, end)


def draw_row(page: Page, block: Block, rows: list[Row], top: float, height: float) -> Box:
    """A row of the list, or several together, beside its entries; its box."""
    theme, columns = page.theme, page.columns
    middle = top + min(height / 2, _DEEPEST)
    box = Box(columns.listed[0], middle - BOX / 2, columns.listed[1], middle + BOX / 2)
    single = block.single
    fresh = all(m.state == "new" for m in block.manifests)
    stroke = theme.added.fill if fresh else theme.kept_outline
    fill = blend(theme.added.fill, theme.page, 0.12) if fresh else theme.page
    if single is None:
        page.path(Ink(theme.kept_outline, 1.1, fill)).box(Box(box.left + 4, box.top - 4, box.right + 4, box.bottom - 4))
    page.path(Ink(stroke, 1.5, fill)).box(box, 2)
    hover = entries_hits.manifest(single, bool(block.opens)) if single else entries_hits.manifests(block.manifests)
    page.cells.append(Rectangle(box, meaning=opening(block.opens), hover=hover))
    if single is not None:
        page.place(single.manifest.path, box)
    _draw_words(page, block, box)
    _draw_handing_on(page, block, rows, box, middle)
    return box


def _draw_words(page: Page, block: Block, box: Box) -> None:
    theme, columns, single = page.theme, page.columns, block.single
    middle = (box.top + box.bottom) / 2
    name = Type(11.5, theme.ink, mono=single is not None, bold=single is None)
    small = Type(11, theme.ink_2)
    if single is not None:
        names = [page.list_names[single.manifest.path, None]]
        about = [entries_words.manifest_words(single), single.state]
    else:
        names = [formats.count(len(block.manifests), "manifest"), f"{formats.compact(len(block.manifests))} manif."]
        kinds = {entries_words.kind_words(m) for m in block.manifests}
        about = ["of several kinds", "several"]
        if len(kinds) == 1:
            (kind,) = kinds
            about = [kind, kind.partition(",")[0]]
    texts = (
        (
            columns.number,
            _number([m.manifest.sequence_number for m in block.manifests]),
            Type(14, theme.ink, bold=True),
        ),
        (columns.least, _number([m.manifest.min_sequence_number for m in block.manifests]), Type(12, theme.ink_2)),
        (columns.row_id, _row_ids(block), Type(12, theme.ink_2)),
    )
    room = box.right - box.left - 20
    for x, words, style in texts:
        if x is not None and words:
            at_edge = columns.least is None
            beside = 62.0 if at_edge else min(76.0, 2 * (box.right - x) - 4)
            fitted = page.canvas.fitting(words, style, beside)
            anchor: Anchor = "end" if at_edge else "middle"
            shown = page.canvas.text("page", box.right - 9 if at_edge else x, middle, fitted, style, anchor)
            room = min(shown.left - box.left - 16, room)
    page.fit(box.left + 10, middle - 9, names, name, room)
    page.fit(box.left + 10, middle + 9, about, small, room)


def _number(numbers: Sequence[int | None]) -> list[str]:
    """`10`, or `4–412` of several; `none` where the list stores none, as in version 1."""
    known = [n for n in numbers if n is not None]
    if not known:
        return ["none"]
    least, most = min(known), max(known)
    if least == most:
        return [f"{least:,}", formats.compact(least)]
    return [
        formats.span(least, most),
        f"{formats.compact(least)}–{formats.compact(most)}",
        f"≤ {formats.compact(most)}",
    ]


def _row_ids(block: Block) -> list[str]:
    first = block.manifests[0].manifest.first_row_id
    if block.single is None:
        return []
    return ["none"] if first is None else [f"{first:,}", formats.compact(first)]


def _draw_handing_on(page: Page, block: Block, rows: list[Row], box: Box, y: float) -> None:
    """An arrow with the number that nulls are read as; a plain line where every number is written."""
    theme, right = page.theme, page.columns.lines[0]
    start = box.right + (4 if block.single is None else 0)
    handing = [m.manifest.sequence_number for m in block.manifests if m.manifest.sequence_number]
    number = _number(handing) if handing and any(row.tone == "inherited" for row in rows) else []
    if not number:
        page.path(Ink(theme.kept_outline, 1.4)).move(start, y).line(right, y)
        return
    page.path(Ink(theme.added.fill, 1.8)).move(start, y).line(right - 6, y)
    page.path(Ink(fill=theme.added.fill)).move(right - 8, y - 4.5).line(right - 8, y + 4.5).line(right, y).close()
    style = Type(12, theme.added.text, bold=True)
    words = next((wording for wording in number if style.width(wording) <= right - start - 2), "")
    if words:
        page.canvas.text("page", (start + right) / 2, y - 10, words, style)


def list_name(snapshot: Snapshot) -> str:
    """`snap-…6633-2-a1b2.avro`: the file's name with a short id; where there is no file, what is in its place."""
    if snapshot.manifest_list is None:
        return "in metadata.json"
    own = snapshot.snapshot_id
    return snapshot.manifest_list.rsplit("/", 1)[-1].replace(str(own), formats.short_ids({own})[own], 1)


_STATUS_SIZE, _SMALL = 11.0, 11.5
_UNREADABLE_LINE, _MORE = 17.0, 24.0


def height(page: Page, block: Block, rows: list[Row]) -> float:
    """Pixels of a block's entries."""
    if not rows:
        return 2 * PAD + _UNREADABLE_LINE * len(_unreadable(page, block)) + 6
    return 2 * PAD + LINE * len(rows) + (_MORE * len(block.more) if block.more else 0)


def _unreadable(page: Page, block: Block) -> list[str]:
    """What is said in place of entries."""
    left, right = page.columns.lines
    single = block.single
    if single is None:
        return [f"{formats.count(len(block.manifests), 'manifest')} without entries that could be read"]
    if not single.unreadable:
        return ["no entry"]
    counted = f" Its row in the list counts {formats.count(single.entry_count, 'entry')}." if single.entry_count else ""
    return wrap(f"cannot be read: {single.unreadable}{counted}", 12, right - left - 24, lines=3)


def draw_lines(page: Page, block: Block, rows: list[Row], top: float) -> float:
    """The entries of a block from page pixel `top` down; the page pixel where it ends."""
    theme = page.theme
    box = Box(page.columns.lines[0], top, page.columns.lines[1], top + height(page, block, rows))
    if not rows:
        page.unreadable(box, _unreadable(page, block), Type(12, theme.ink_2))
        return box.bottom
    fresh = all(m.state == "new" for m in block.manifests)
    page.path(Ink(theme.added.fill if fresh else theme.kept_outline, 1.5)).box(box, 2)
    if any(m.state == "rewritten" for m in block.manifests):
        page.fills.append(Rectangle(Box(box.left, top, box.left + 7, box.bottom), hatch=theme.moved.fill))
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
                page.targets.append(Target(x, y, view_meaning(opens), "click: go there"))
        y += _MORE
    return box.bottom


def _draw_row(page: Page, row: Row, box: Box) -> None:
    theme, columns = page.theme, page.columns
    middle = (box.top + box.bottom) / 2
    page.cells.append(
        Rectangle(Box(box.left + 1, box.top, box.right - 1, box.bottom), meaning=row.meaning, hover=row.hover)
    )
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
    faint = gone or shown.tone == "none"
    null = shown.stored == "null"
    marked = {"inherited": theme.added.fill, "chosen": theme.attention.fill, "error": theme.error}
    colour = marked.get(shown.tone, theme.ink_3 if faint else theme.ink)
    if shown.tone != "none":
        page.symbols.append(
            Mark(field.stored + 5, y, "circle", 9 if null else 10, theme.page if null else colour, colour, 1.8)
        )
    weight = not null and field.name != "snapshot_id"
    style = Type(NUMBER if weight else 12, theme.ink_3 if null or faint else theme.ink, bold=weight)
    page.fit(field.stored + MARK, y, [shown.stored], style, field.arrow - field.stored - MARK)
    told = {"inherited": theme.added.text, "chosen": theme.attention.text, "error": theme.error}
    strong = told.get(shown.tone, theme.ink_2 if faint else theme.ink)
    size = Type(NUMBER + 1 if shown.tone != "none" else 12, strong, bold=shown.tone != "none")
    if field.name == "snapshot_id":
        size = Type(12, strong)
    page.fit(field.read, y, [shown.read], size, field.right - field.read + 6)
    if shown.tone in ("inherited", "error"):
        _draw_arrow(page, field, y, colour, dashed=shown.tone == "error")


def _draw_arrow(page: Page, field: Field, y: float, colour: str, *, dashed: bool) -> None:
    end = field.read - 3
    start = min(field.arrow, end - ARROW + 10)
    page.path(Ink(colour, 1.4, dash="2px,2px" if dashed else "solid")).move(start, y).line(end - 5, y)
    page.path(Ink(fill=colour)).move(end - 7, y - 3.5).line(end - 7, y + 3.5).line(end, y).close()
