"""Bars of the files on either side of a commit's boundary: segments by fate, rows in them, words beside them."""

from __future__ import annotations

from ...model import formats
from ..page.canvas import Box, Ink, Type
from ..page.hits import file_meaning, opening
from . import hover as commit_hover
from .layout import Bar, Placed, Segment
from .page import LINE, SMALL, Lines, Page, summed, wordings

_Word = tuple[str, Type]
_CHANGED = ("updated", "deleted", "inserted")


def draw_bar(page: Page, bar: Bar, lines: Lines, placed: Placed) -> float:
    """One bar with its words; the page pixel where it ends."""
    above = bar.mark.side == "before"
    top, bottom = lines.before if above else lines.after
    for segment in bar.segments:
        _draw_segment(page, segment, top, bottom)
    stroke = page.theme.edge if above else page.theme.ink
    lost = above and page.rows is not None and not page.rows.before_known
    draw_outline(page, bar, Box(bar.left, top, bar.right, bottom), stroke, placed, dotted=lost)
    words = words_of(page, bar)
    y = top - 13 - LINE * (len(words) - 1) if above else bottom + 15
    for left, right in words:
        page.text(bar.left, y, *left)
        if right is not None:
            page.canvas.text("page", bar.slot, y, *right, "end")
        y += LINE
    return bottom if above else y - LINE + 10


def _draw_segment(page: Page, segment: Segment, top: float, bottom: float) -> None:
    theme, box = page.theme, Box(segment.left, top, segment.right, bottom)
    match segment.what:
        case "carried over":
            page.fills.add(box, hatch=theme.moved.fill)
        case "unseen":
            page.fills.add(box, theme.band, theme.kept_outline, 1)
        case "unread":
            page.fills.add(box, theme.band)
        case outcome:
            page.fills.add(box, page.hue(outcome).fill)
    _print_cells(page, segment, top, bottom)


def _print_cells(page: Page, segment: Segment, top: float, bottom: float) -> None:
    """The rows of a segment, each with its values."""
    theme, solid = page.theme, segment.what in _CHANGED
    style = Type(12, page.hue(segment.what).on_fill if solid else theme.ink, mono=True)
    width, middle = (segment.right - segment.left) / max(segment.rows, 1), (top + bottom) / 2
    for i, cell in enumerate(segment.cells[: segment.rows]):
        x = segment.left + width * i
        if i:
            page.fills.add(Box(x - 0.6, top, x + 0.6, bottom), theme.page if solid else theme.kept_outline)
        words = page.canvas.fitting([cell.text], style, width - 8)
        if not solid:
            half = style.width(words) / 2 + 3
            page.fills.add(Box(x + width / 2 - half, middle - 10, x + width / 2 + half, middle + 10), theme.page)
        page.canvas.text("page", x + width / 2, middle, words, style)


def draw_outline(page: Page, bar: Bar, box: Box, stroke: str, placed: Placed, *, dotted: bool = False) -> None:
    """The edge of a file, which answers the pointer over all of it; dotted where its rows can be known no more."""
    mark, thick = bar.mark, 1.6 if box.right - box.left > 12 else 1.0
    meaning = file_meaning(mark.paths[0], None) if mark.is_single else opening(placed.group.opens)
    hover = commit_hover.mark(page.commit, mark, placed.group)
    page.cells.add(box, stroke=stroke, stroke_width=0 if dotted else thick, meaning=meaning, hover=hover)
    if dotted:
        page.path(Ink(stroke, 1.6, page.theme.band, dash="2px,3px")).box(box)
    page.place(mark.paths[0] if mark.is_single else summed(mark.side, placed.group.place), box)


def words_of(page: Page, bar: Bar) -> list[tuple[_Word, _Word | None]]:
    """Lines of words for a bar: name and rows at the left, fates at the right or, without room, below."""
    mark, room = bar.mark, bar.slot - bar.left
    name = Type(SMALL, page.theme.ink_2, mono=mark.is_single)
    names = [page.names[mark.paths[0]]] if mark.is_single else wordings(mark.files, "file")
    left: list[_Word] = [(page.canvas.fitting(names, name, room), name)]
    found = [
        _outcome(page, s, room) for s in bar.segments if s.what in (*_CHANGED, "unseen") and mark.outcomes is not None
    ]
    if not (len(bar.segments) == 1 and found):  # else the fate's own words already say how many rows there are
        style = Type(SMALL, page.theme.ink_2)
        left.append((page.canvas.fitting(wordings(mark.rows or 0, "row"), style, room), style))
    wide = max(s.width(w) for w, s in left) + max((s.width(w) for w, s in found), default=0) + 12
    if len(left) > 1 and wide <= room and len(found) <= len(left):
        return [(words, found[i] if i < len(found) else None) for i, words in enumerate(left)]
    return [(words, None) for words in (*left, *found)]


def _outcome(page: Page, segment: Segment, room: float) -> _Word:
    unseen = segment.what == "unseen"
    style = Type(SMALL, page.theme.ink_3 if unseen else page.hue(segment.what).text)
    n, word = segment.rows, "not visible" if unseen else segment.what
    candidates = [f"{n:,} {word}", f"{formats.compact(n)} {word}", f"{n:,}", formats.compact(n)]
    return page.canvas.fitting(candidates, style, room), style


def draw_carried(page: Page, placed: Placed, lines: Lines) -> None:
    """How many rows crossed the boundary unchanged in a partition, on the line."""
    carried = [(bar, s) for bar in placed.bars if (s := bar.segment("carried over"))]
    after = [s for bar, s in carried if bar.mark.side == "after"]
    segments = after or [s for _, s in carried]
    if not segments:
        return
    n = sum(s.rows for s in segments)
    left, right = min(s.left for s in segments), max(s.right for s in segments)
    words = [f"{n:,} carried over", f"{formats.compact(n)} carried over", f"{formats.compact(n)} carried"]
    style = Type(11.5, page.theme.ink)
    least = min(bar.left for bar, _ in carried)
    page.plaque((left + right) / 2, lines.boundary, [*words, formats.compact(n)], style, max(right - left, 60.0), least)
