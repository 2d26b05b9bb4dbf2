"""The snapshot and its manifest list in the picture of entries: a box per row, and what it hands on to its entries."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.entries import words as entries_words
from ...model.iceberg.metadata import Snapshot
from ..page.canvas import Anchor, Box, Ink, Type
from ..page.hits import opening
from ..page.theme import blend
from . import hover as entries_hover
from .page import Page
from .rows import Row
from .view import Block

BOX = 42.0
_SNAPSHOT = 84.0
_DEEPEST = 120.0  # pixels below the top of a panel, however high, where its row stands
_MANY = 12  # rows, from where on the lines to them are quieter


def draw_snapshot(page: Page, top: float) -> Box:
    """The snapshot, whose number the list carries."""
    theme, s = page.theme, page.entries.snapshot
    left, right = page.columns.snapshot
    box = Box(left, top, right, top + _SNAPSHOT)
    page.path(Ink(theme.added.fill, 1.6, blend(theme.added.fill, theme.page, 0.12))).box(box, 3)
    page.cells.add(box, hover=entries_hover.snapshot(s))
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
    """A row of the list, or several told together, beside its panel; its box."""
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
    hover = entries_hover.manifest(single, bool(block.opens)) if single else entries_hover.manifests(block.manifests)
    page.cells.add(box, meaning=opening(block.opens), hover=hover)
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
        names = [page.list_names[single.manifest.path]]
        about = [entries_words.manifest_words(single), single.state]
    else:
        names = [formats.count(len(block.manifests), "manifest"), f"{formats.compact(len(block.manifests))} manif."]
        kinds = {entries_words.kind_words(m) for m in block.manifests}
        about = [" and ".join(sorted(kinds)) if len(kinds) == 1 else "of several kinds", "several"]
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
    theme, right = page.theme, page.columns.panel[0]
    start = box.right + (4 if block.single is None else 0)
    handing = [m.manifest.sequence_number for m in block.manifests if m.manifest.sequence_number]
    number = _number(handing) if handing and any(row.tone == "inherited" for row in rows) else []
    if not number:
        page.path(Ink(theme.kept_outline, 1.4)).move(start, y).line(right, y)
        return
    page.path(Ink(theme.added.fill, 1.8)).move(start, y).line(right - 6, y)
    page.path(Ink(fill=theme.added.fill)).move(right - 8, y - 4.5).line(right - 8, y + 4.5).line(right, y).close()
    style = Type(12, theme.added.text, bold=True)
    words = next((said for said in number if style.width(said) <= right - start - 2), "")
    if words:
        page.canvas.text("page", (start + right) / 2, y - 10, words, style)


def list_name(snapshot: Snapshot) -> str:
    """`snap-…6633-2-a1b2.avro`: the file's name with a short id; where there is no file, what is in its place."""
    if snapshot.manifest_list is None:
        return "in metadata.json"
    own = snapshot.snapshot_id
    return snapshot.manifest_list.rsplit("/", 1)[-1].replace(str(own), formats.short_ids({own})[own], 1)
