"""The entries of a snapshot as a picture: what its manifests store, what a reader makes of it, and by which rule.

From the snapshot over the rows of its manifest list to the entries: a number that an entry does not store comes along
the arrow. Up to 40 entries are drawn one by one; above that every manifest has a line or a few, and a click opens one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...model import formats
from ...model.entries import words as entries_words
from ...model.entries.facts import Entries
from ...model.evidence import unreadable_list
from ..page import frame
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import Clicked, clicked, elsewhere, halo, opening, ring, view_meaning
from ..page.names import file_names
from ..page.scene import Box, Mark, Scene, Selection, Target, Type
from ..page.sheet import LAYERS
from ..page.text import shorten, wrap
from ..page.theme import Theme
from . import blocks as entries_blocks
from . import glance
from . import rows as entries_rows
from .layout import Page, columns
from .rows import MOST_ENTRIES, Contents, Tone, all_from

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()

_LEAST = 660  # pixels, on which what is stored has room beside what it is read as


def draw(
    entries: Entries,
    theme: Theme,
    *,
    name: str,
    selected_file: str | None = None,
    width: int = 1380,
    view: str = "",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        entries: what is stored and what it is read as.
        theme: in which colours.
        name: the table's name for the second line.
        selected_file: path of the file with ring and halo.
        width: of the page in pixels, at least 660. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another snapshot, for the whole.

    Clicks: only `cells`, `targets` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning.
    """
    contents = Contents.of(entries, Part.parse(view))
    rows = entries_rows.rows(entries, contents)
    listed = [m.manifest for block in contents.blocks for m in block.manifests if block.single is not None]
    names = file_names((m.path, None) for m in listed)
    width = max(width, _LEAST)
    placed = columns(
        width,
        entries_rows.fields(contents),
        [row for of_block in rows for row in of_block],
        names.values(),
        lineage=any(m.first_row_id is not None for m in listed),
    )
    page = Page.of(theme, width, entries=entries, contents=contents, columns=placed, rows=rows, list_names=names)
    top = _draw_heading(page, name) + 8
    if page.has_glance:
        top = glance.draw_glance(page, top)
    height = draw_foot(page, _draw_tree(page, top)) + 10
    meta = {
        "places": page.places,
        "elsewhere": [page.width - 24, top - 3, page.width / 2],
        "view": str(contents.part),
    }
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, entries, selected_file=selected_file))


_STRIPS, _NOTES = 3, 6


def _draw_heading(page: Page, name: str) -> float:
    """Title, second line, contradictions and key from the top of the page; the page pixel where they end."""
    entries = page.entries
    parts = entries_words.circumstances(entries, name)
    y = frame.heading(page, entries_words.title(entries), parts, entries_words.evidence(entries))
    for warning in entries.contradictions[:_STRIPS]:
        y = frame.strip(page, warning, y)
    if len(entries.contradictions) > _STRIPS:
        y = frame.strip(page, f"{len(entries.contradictions) - _STRIPS:,} more contradictions are in this answer.", y)
    return frame.key(page, _key(page), y + 14)


def _key(page: Page) -> Iterable[KeyEntry]:
    theme = page.theme
    shown = [
        (shown.tone, shown.stored == "null") for rows in page.rows for row in rows for shown in row.numbers.values()
    ]
    if ("stored", False) in shown:
        yield "written in the entry", lambda box: _dot(page, box, theme.ink, "stored")
    if ("inherited", True) in shown:
        yield "null in the entry, filled in when read", lambda box: _dot(page, box, theme.added.fill, "inherited")
    if ("chosen", False) in shown:
        yield "chosen by the writer", lambda box: _dot(page, box, theme.attention.fill, "chosen")
    if any(tone == "error" for tone, _ in shown):
        yield "null, which the format forbids here", lambda box: _dot(page, box, theme.error, "error")
    if any(m.state == "rewritten" for b in page.blocks for m in b.manifests):
        yield "manifest written again", frame.swatch(page, "", theme.edge, hatch=theme.moved.fill)
    if page.has_glance:
        yield from glance.key(page)


def _dot(page: Page, box: Box, colour: str, tone: Tone) -> None:
    fill = colour if tone in ("stored", "chosen") else page.theme.page
    page.symbols.append(Mark((box.left + box.right) / 2, (box.top + box.bottom) / 2, "circle", 10, fill, colour, 1.8))


def draw_foot(page: Page, top: float) -> float:
    """What follows from the entries, what is not drawn, what is not known; the page pixel where it ends."""
    named = [
        b.single.manifest.path for b in page.blocks if b.single and b.single.unreadable
    ]  # in the holes of the picture
    open_ends = [note for note in page.entries.notes if note.certainty != "exact" and not page.entries.unreadable]
    notes = [str(note) for note in open_ends if not any(path in note.about for path in named)]
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    if page.columns.left_out:
        page.footnotes.append(
            f"Not drawn for want of room: {', '.join(page.columns.left_out)} (on hover, and in the data)."
        )
    if page.columns.reason is None and any(page.rows):
        page.footnotes.append("Which rule gave a number is told on hover and in the data.")
    return frame.foot(page, entries_words.closing(page.entries), [*notes[:_NOTES], *more], top)


_GAP, _NARROW_GAP, _FEW = 14.0, 9.0, 12  # pixels between blocks: where they are few, and where they are more


def _draw_tree(page: Page, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    y = _draw_headings(page, _draw_way_back(page, top))
    snapshot = entries_blocks.draw_snapshot(page, y)
    if not page.blocks:
        return max(_draw_nothing(page, y), snapshot.bottom + 8)
    boxes: list[Box] = []
    gap = _GAP if len(page.blocks) <= _FEW else _NARROW_GAP
    for block, rows in zip(page.blocks, page.rows, strict=True):
        needed = entries_blocks.height(page, block, rows)
        high = max(needed, entries_blocks.BOX + (4 if block.single is None else 0))
        boxes.append(entries_blocks.draw_row(page, block, rows, y, high))
        entries_blocks.draw_lines(page, block, rows, y + (high - needed) / 2)
        y += high + gap
    entries_blocks.draw_curves(page, snapshot, boxes)
    return max(y, snapshot.bottom + 8)


def _draw_way_back(page: Page, y: float) -> float:
    """What leads back from a part, and from those with something to tell to all; the page pixel where it ends."""
    n, contents = len(page.entries.manifests), page.contents
    links = []
    if contents.kind == "opened" and n > 1:
        links.append((f"◂ the list of {formats.count(n, 'manifest')}", ""))
    elif contents.part.first:
        links.append(("◂ from the start", "" if n == 1 else str(all_from(0))))
    if contents.kind == "manifests" and contents.telling < n:
        links.append((f"◂ the {contents.telling:,} with something to tell", ""))
    if contents.kind == "telling":
        links.append((f"all {n:,} one after the other ▸", str(all_from(0))))
    x = 20.0
    for words, view in links:
        box = page.text(x, y + 8, words, Type(12, page.theme.ink_2))
        for at in (box.left + 12, (box.left + box.right) / 2, box.right - 12):
            page.targets.append(Target(at, y + 8, view_meaning(view), "click: go there"))
        x = box.right + 28
    return y + 26 if links else y


def _draw_headings(page: Page, top: float) -> float:
    """What stands below them, from file to file; the page pixel where they end."""
    columns, grey, small = page.columns, Type(12, page.theme.ink_2), Type(11, page.theme.ink_2)
    room = columns.listed[0] - columns.snapshot[0] - 6
    page.fit(columns.snapshot[0], top + 10, ["metadata.json", "metadata"], grey, room)
    name = entries_blocks.list_name(page.entries.snapshot)
    head = page.text(columns.listed[0], top + 10, "manifest list", grey)
    room = columns.lines[0] - head.right - 16
    page.fit(head.right + 8, top + 10, [name], Type(11, page.theme.ink_3, mono=True), room)
    if not page.blocks:
        return top + 28
    page.text(columns.lines[0], top + 10, "manifest entries", grey)
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
            beyond = (x + end) / 2 + 12 if end is not None else columns.lines[0] - 4
            shown = page.canvas.fitting(candidates, small, 2 * min(x - left, beyond - x))
            left = page.canvas.text("page", x, y, shown, small).right + 6
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
    lines = wrap(why, 12, columns.lines[1] - columns.listed[0] - 24)
    box = Box(columns.listed[0], top, columns.lines[1], top + 84)
    page.unreadable(box, lines, Type(12, page.theme.ink_2))
    return box.bottom + 8


# --- the selected file


def selection(scene: Scene, entries: Entries, *, selected_file: str | None = None) -> Selection:
    """The marks in a drawing of these entries; cheap, since every place is read from it.

    A file whose entry is told together with others gets its ring around their manifest, and the words lead to it.
    """
    meta, theme = scene.meta, scene.theme
    boxes, words, opens = _found(meta, entries, selected_file) if selected_file else ([], "", "")
    x, y, room = meta["elsewhere"]
    shown = shorten(f"selected {words}", 11.5, room, bold=True) if words else ""
    hover = "click: go there" if opens else "only entries that were read one by one can be shown"
    layers = (
        ring((box.around(2) for box in boxes), theme),
        elsewhere(x, y, shown, opening(opens), hover, theme, side="left"),
    )
    return Selection(halo(boxes[0].around(4) if boxes else None, theme, filled=False), layers)


def _found(meta: Mapping[str, Any], entries: Entries, selected: str) -> tuple[list[Box], str, str]:
    """Boxes of the file or its manifest; words about it where its own line is not drawn, and the view that shows it."""
    places = meta["places"]
    if selected in places:
        return [Box(*box) for box in places[selected]], "", ""
    name = selected.rsplit("/", 1)[-1]
    for of in entries.manifests:
        at = next((i for i, e in enumerate(of.entries) if e.entry.file_path == selected), None)
        if at is not None:
            opens = str(Part(at - at % MOST_ENTRIES, of.manifest.path))
            return [Box(*box) for box in places.get(of.manifest.path, ())], f"{name}: one by one ▸", opens
    return [], f"{name}: not among these entries", ""
