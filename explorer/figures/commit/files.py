"""The data files of a commit on either side of the boundary, and those that run through it."""

from __future__ import annotations

from ...model import formats
from ...model.commit.findings import tally, unread_changes
from ..page.canvas import Box, Ink, Type
from ..page.hits import opening, view_meaning
from ..page.text import tell_apart, wrap
from . import hover as commit_hover
from . import ribbons
from .bars import draw_bar, draw_carried, words_of
from .deletes import draw_loose
from .groups import Contents
from .kept import KEPT, draw_folded, draw_kept
from .layout import SLIVER, Layout, Placed, layout
from .page import LINE, Lines, Page
from .through import draw_through

_BAR = 46.0
_UNREAD = 132.0  # pixels of the hole for files whose manifests cannot be read
_COUNTED = ("added-", "deleted-", "removed-", "total-", "changed-")


def draw(page: Page, contents: Contents, top: float) -> float:
    """Draw the section from page pixel `top` down; the page pixel where it ends."""
    page.text(20, top + 10, "data files", Type(12, page.theme.ink_2))
    if page.commit.manifests is None:
        return _draw_unknown(page, top + 30)
    unread = unread_changes(page.commit)
    room = page.right - page.left - KEPT - 26 - (_UNREAD + 26 if unread else 0)
    placed = layout(contents, page.left, room)
    singles = [bar.mark.paths[0] for bar in placed.bars if bar.mark.is_single]
    deletes = {m.delete_path for bar in placed.bars if bar.mark.is_single for m in bar.mark.masked_by}
    page.names = tell_apart(singles) | tell_apart(deletes)
    y = _draw_way_back(page, contents, top)
    headed = any(p.group.name != "unpartitioned" for p in placed.placed)
    lines = _lines(page, placed, y + (40 if headed else 12))
    _name_lines(page, lines)
    ribbons.draw(page, placed, lines)
    page.path(Ink(page.theme.ink_3, 1.6)).move(page.left - 14, lines.boundary).line(page.right, lines.boundary)
    bottom = lines.after[1]
    for p in placed.placed:
        if headed:
            _draw_head(page, p, y + 22)
        if p.group.folded:
            draw_folded(page, p, lines)
        for bar in p.bars:
            drawn = draw_through if bar.mark.side == "through" else draw_bar
            bottom = max(bottom, drawn(page, bar, lines, p))
        draw_carried(page, p, lines)
        bottom = max(bottom, draw_loose(page, p, lines))
    x = draw_kept(page, contents, placed.right + 26 if placed.placed else page.left, lines)
    if unread:
        said = [formats.count(unread, "changed file"), "cannot be read"]
        page.unreadable(Box(x, lines.before[0], x + _UNREAD, lines.after[1]), said, Type(11.5, page.theme.ink_2))
    elif not placed.placed:
        words = "No file was added or removed: every file runs through."
        fitting = page.canvas.fitting([words, "No file changed."], Type(13, page.theme.ink_2), page.right - x)
        page.text(x, (lines.before[0] + lines.before[1]) / 2, fitting, Type(13, page.theme.ink_2))
    _tell(page, placed)
    return bottom + 16


def _lines(page: Page, placed: Layout, top: float) -> Lines:
    """The horizontal lines; above the bars there is room for their words."""
    above = max((len(words_of(page, bar)) for bar in placed.bars if bar.mark.side == "before"), default=0)
    above = max([above, *(1 for bar in placed.bars if bar.mark.side == "through")])
    before = top + above * LINE + 9
    gap = 62.0 if placed.bars or any(p.loose for p in placed.placed) else 34.0
    after = before + _BAR + 2 * gap
    return Lines((before, before + _BAR), before + _BAR + gap, (after, after + _BAR))


def _draw_unknown(page: Page, top: float) -> float:
    """Only the summary is left: what it counts, and why there is no more."""
    room = page.right - page.left - 30
    said = wrap(" ".join(f"{note.about}: {note.reason}" for note in page.commit.notes), 12.5, room, lines=4)
    summary = sorted(page.commit.snapshot.summary.items())
    counters = ", ".join(f"{key} {value}" for key, value in summary if key.startswith(_COUNTED))
    said += wrap(counters, 12.5, room, lines=4) if counters else []
    bottom = top + 30 + 17 * len(said)
    page.unreadable(Box(page.left, top, page.right, bottom), said, Type(12.5, page.theme.ink_2))
    return bottom + 12


def _draw_way_back(page: Page, contents: Contents, top: float) -> float:
    """In an opened part: what it is a part of, and a click back to the whole."""
    if not str(contents.part):
        return top + 8
    total = formats.count(len(contents.keys), "partition")
    words = f"◂ all of {total}" if len(contents.keys) > 1 else "◂ the whole commit"
    box = page.text(page.left, top + 10, words, Type(12, page.theme.added.text, bold=True))
    page.targets.add((box.left + box.right) / 2, top + 10, view_meaning(""), "click: back to the whole commit")
    return top + 16


def _name_lines(page: Page, lines: Lines) -> None:
    totals, style = page.commit.totals, Type(12, page.theme.ink_2)
    rewrites = tally(totals.removed, "data").files and tally(totals.added, "data").files
    page.text(20, (lines.before[0] + lines.before[1]) / 2, "before", style)
    page.text(20, (lines.after[0] + lines.after[1]) / 2, "after", style)
    for word, y in (("rewrite" if rewrites else "commit", -8), ("boundary", 8)):
        page.text(20, lines.boundary + y, word, Type(11.5, page.theme.ink_2))


def _draw_head(page: Page, placed: Placed, y: float) -> None:
    """The name of a partition over its files; a click opens it."""
    style = Type(12.5, page.theme.ink, bold=True)
    names = [placed.group.name, placed.group.short_name or placed.group.name]
    words = page.canvas.fitting(names, style, (placed.right - placed.left) * 0.97)
    box = page.text(placed.left, y, words, style)
    page.path(Ink(page.theme.edge, 1)).move(placed.left, y + 12).line(placed.right, y + 12)
    hover = commit_hover.group(placed.group)
    page.targets.add(min((box.left + box.right) / 2, placed.right), y, opening(placed.group.opens), hover)


def _tell(page: Page, placed: Layout) -> None:
    """What the marks leave open."""
    bars = placed.bars
    if bars:
        page.untold.append("Width = rows, one scale for all files; // = not to scale.")
    if placed.widened:
        page.untold.append(f"Slivers are widened to {SLIVER:.0f} px; the numbers are exact.")
    if any(len(bar.segments) > 1 for bar in bars):
        page.untold.append(
            "Rows are ordered by what became of them, not by their place in the file."
            if placed.cell is not None
            else "Segments are sums, not places inside a file."
        )
    if any(bar.mark.side == "through" for bar in bars):
        page.untold.append("A kept file runs through, whatever a delete file below it masks.")
    if any(bar.mark.files > 1 for bar in bars):
        page.untold.append("Several files are drawn as one bar: a click opens their partition.")
