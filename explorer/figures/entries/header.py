"""Above and below the entries: the finding, its circumstances, what contradicts, the key; what follows, notes."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import formats
from ...model.entries import words as entries_words
from ..page.canvas import Box
from ..page.sheet import KeyEntry
from .page import Page
from .rows import Tone

_STRIPS, _NOTES = 3, 6


def draw(page: Page, name: str) -> float:
    """Title, second line, contradictions and key from the top of the page; the page pixel where they end."""
    entries = page.entries
    parts = entries_words.circumstances(entries, name)
    y = page.heading(entries_words.title(entries), parts, entries_words.evidence(entries))
    for warning in entries.contradictions[:_STRIPS]:
        y = page.strip(warning, y)
    if len(entries.contradictions) > _STRIPS:
        y = page.strip(f"{len(entries.contradictions) - _STRIPS:,} more contradictions are in this answer.", y)
    return page.key(_key(page), y + 14)


def _key(page: Page) -> Iterable[KeyEntry]:
    theme = page.theme
    shown = [
        (shown.tone, shown.stored == "null") for rows in page.rows for row in rows for shown in row.numbers.values()
    ]
    if ("stored", False) in shown:
        yield "written in the entry", lambda box: _dot(page, box, theme.ink, "stored")
    if ("inherited", True) in shown:
        yield "null in the entry, filled in when read", lambda box: _dot(page, box, theme.added.fill, "inherited")
    if any(tone == "error" for tone, _ in shown):
        yield "null, which the format forbids here", lambda box: _dot(page, box, theme.error, "error")
    if any(m.state == "rewritten" for b in page.blocks for m in b.manifests):
        yield "manifest written again", page.swatch("", theme.edge, hatch=theme.moved.fill)


def _dot(page: Page, box: Box, colour: str, tone: Tone) -> None:
    fill = colour if tone == "stored" else page.theme.page
    page.symbols.add((box.left + box.right) / 2, (box.top + box.bottom) / 2, "circle", 10, fill, colour, 1.8)


def draw_foot(page: Page, top: float) -> float:
    """What follows from the entries, what is not drawn, what is not known; the page pixel where it ends."""
    told = [
        b.single.manifest.path for b in page.blocks if b.single and b.single.unreadable
    ]  # in the holes of the picture
    open_ends = [note for note in page.entries.notes if note.certainty != "exact" and not page.entries.unreadable]
    notes = [str(note) for note in open_ends if not any(path in note.about for path in told)]
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    if page.columns.left_out:
        page.untold.append(
            f"Not drawn for want of room: {', '.join(page.columns.left_out)} (on hover, and in the data)."
        )
    if page.columns.reason is None and any(page.rows):
        page.untold.append("Which rule gave a number is told on hover and in the data.")
    return page.foot(entries_words.closing(page.entries), [*notes[:_NOTES], *more], top)
