"""One commit as a picture: what it rewrote, kept, added and masked, in metadata and in data.

The page is measured in pixels, and nothing on it can be panned: what is too much for one page is told in sums, and a
click opens a part of it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ...model import formats
from ...model.commit.findings import tally, unread_changes
from ...model.commit.rows import CommitRows
from ...model.iceberg.commit import Commit
from ..page.fold import Part
from ..page.hits import Clicked, clicked, opening, view_meaning
from ..page.names import file_names
from ..page.scene import Box, Ink, Scene, Selection, Target, Type
from ..page.text import escape, wrap
from ..page.theme import Theme
from . import header
from . import hits as commit_hits
from .bars import KEPT, draw_bar, draw_carried, draw_folded, draw_kept, draw_loose, draw_through, words_of
from .contents import Contents
from .hits import selection
from .layout import LINE, SLIVER, Bar, Layout, Lines, Page, Placed, layout

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

LAYERS = ("fills", "files", "words", "targets", "ring", "elsewhere")
RANGE_AXES = ()


def draw(
    commit: Commit,
    rows: CommitRows | None,
    theme: Theme,
    *,
    name: str,
    selected_file: str | None = None,
    width: int = 1380,
    view: str = "",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        commit: what was written.
        rows: what became of the rows; None if they were not read.
        theme: in which colours.
        name: the table's name for the second line.
        selected_file: path of the file with ring and halo.
        width: of the page in pixels, at least 560; files are summed to fit it. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another commit, for the whole.

    Clicks: only `files`, `targets` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning.
    """
    page = Page.of(theme, width, commit=commit, rows=rows)
    contents = Contents(commit, rows, Part.parse(view))
    y = header.draw(page, name)
    metadata_top = y + 4
    y = header.draw_metadata(page, metadata_top)
    files_top = y + 14
    placed = placed_files(page, contents)
    above, headed = lines_above(page, placed), placed.headed
    y = draw_files(page, contents, placed, files_top, above=above, headed=headed)
    height = header.draw_foot(page, y) + 10
    meta = {
        "places": page.places,
        "elsewhere": [page.right, files_top + 10, page.right - page.left - 260],
        "view": str(contents.part),
    }
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, commit, rows, selected_file=selected_file))


_BAR = 46.0
_UNREAD = 132.0  # pixels of the place for files whose manifests cannot be read
_COUNTED = ("added-", "deleted-", "removed-", "total-", "changed-")


def placed_files(page: Page, contents: Contents) -> Layout:
    """The files with their places on the page."""
    unread = unread_changes(page.commit)
    room = page.right - page.left - KEPT - 26 - (_UNREAD + 26 if unread else 0)
    placed = layout(contents, page.left, room)
    singles = [bar.mark for bar in placed.bars if bar.mark.is_single]
    deletes = [(masking.delete_path, masking.content_offset) for mark in singles for masking in mark.masked_by]
    page.names = file_names([*((mark.paths[0], None) for mark in singles), *deletes])
    return placed


def lines_above(page: Page, placed: Layout) -> int:
    """How many lines of words the bars above the boundary need."""
    above = max((len(words_of(page, bar)) for bar in placed.bars if bar.mark.side == "before"), default=0)
    return max([above, *(1 for bar in placed.bars if bar.mark.side == "through")])


def draw_files(page: Page, contents: Contents, placed: Layout, top: float, *, above: int, headed: bool) -> float:
    """Draw the section from page pixel `top` down; the page pixel where it ends.

    Args:
        page: to draw on.
        contents: the files.
        placed: their places.
        top: page pixel.
        above: lines of words that have room above the bars, at least `lines_above`.
        headed: whether there is room for the names of partitions.
    """
    page.text(page.start + 20, top + 10, "data files", Type(12, page.theme.ink_2))
    if page.commit.manifests is None:
        return _draw_unknown(page, top + 30)
    unread = unread_changes(page.commit)
    y = _draw_way_back(page, contents, top)
    lines = _lines(placed, y + (40 if headed else 12), above)
    _name_lines(page, lines)
    _draw_ribbons(page, placed, lines)
    page.path(Ink(page.theme.ink_3, 1.6)).move(page.left - 14, lines.boundary).line(page.right, lines.boundary)
    bottom = lines.after[1]
    for p in placed.placed:
        if placed.headed:
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
        reason = [formats.count(unread, "changed file"), "cannot be read"]
        page.unreadable(Box(x, lines.before[0], x + _UNREAD, lines.after[1]), reason, Type(11.5, page.theme.ink_2))
    elif not placed.placed:
        words = "No file was added or removed: every file runs through."
        fitting = page.canvas.fitting([words, "No file changed."], Type(13, page.theme.ink_2), page.right - x)
        page.text(x, (lines.before[0] + lines.before[1]) / 2, fitting, Type(13, page.theme.ink_2))
    _add_footnotes(page, placed)
    return bottom + 16


def _lines(placed: Layout, top: float, above: int) -> Lines:
    """The horizontal lines; above the bars there is room for their words."""
    before = top + above * LINE + 9
    gap = 62.0 if placed.bars or any(p.loose for p in placed.placed) else 34.0
    after = before + _BAR + 2 * gap
    return Lines((before, before + _BAR), before + _BAR + gap, (after, after + _BAR))


def _draw_unknown(page: Page, top: float) -> float:
    """Only the summary is left: what it counts, and why there is no more."""
    room = page.right - page.left - 30
    reason = wrap(" ".join(f"{note.about}: {note.reason}" for note in page.commit.notes), 12.5, room, lines=4)
    summary = sorted(page.commit.snapshot.summary.items())
    counters = ", ".join(f"{key} {value}" for key, value in summary if key.startswith(_COUNTED))
    reason += wrap(counters, 12.5, room, lines=4) if counters else []
    bottom = top + 30 + 17 * len(reason)
    page.unreadable(Box(page.left, top, page.right, bottom), reason, Type(12.5, page.theme.ink_2))
    return bottom + 12


def _draw_way_back(page: Page, contents: Contents, top: float) -> float:
    """In an opened part: what it is a part of, and a click back to the whole."""
    if not str(contents.part):
        return top + 8
    total = formats.count(len(contents.keys), "partition")
    words = f"◂ all of {total}" if len(contents.keys) > 1 else "◂ the whole commit"
    box = page.text(page.left, top + 10, words, Type(12, page.theme.added.text, bold=True))
    page.targets.append(
        Target((box.left + box.right) / 2, top + 10, view_meaning(""), "click: back to the whole commit")
    )
    return top + 16


def _name_lines(page: Page, lines: Lines) -> None:
    totals, style = page.commit.totals, Type(12, page.theme.ink_2)
    rewrites = tally(totals.removed, "data").files and tally(totals.added, "data").files
    page.text(page.start + 20, (lines.before[0] + lines.before[1]) / 2, "before", style)
    page.text(page.start + 20, (lines.after[0] + lines.after[1]) / 2, "after", style)
    for word, y in (("rewrite" if rewrites else "commit", -8), ("boundary", 8)):
        page.text(page.start + 20, lines.boundary + y, word, Type(11.5, page.theme.ink_2))


def _draw_head(page: Page, placed: Placed, y: float) -> None:
    """The name of a partition over its files; a click opens it."""
    style = Type(12.5, page.theme.ink, bold=True)
    names = [placed.group.name, placed.group.short_name or placed.group.name]
    words = page.canvas.fitting(names, style, (placed.right - placed.left) * 0.97)
    box = page.text(placed.left, y, words, style)
    page.path(Ink(page.theme.edge, 1)).move(placed.left, y + 12).line(placed.right, y + 12)
    hover = commit_hits.group(placed.group)
    page.targets.append(Target(min((box.left + box.right) / 2, placed.right), y, opening(placed.group.opens), hover))


def _add_footnotes(page: Page, placed: Layout) -> None:
    """What the marks leave open."""
    bars = placed.bars
    if bars:
        page.footnotes.append("Width = rows, one scale for all files; // = not to scale.")
    if placed.widened:
        page.footnotes.append(f"Slivers are widened to {SLIVER:.0f} px; the numbers are exact.")
    if any(len(bar.segments) > 1 for bar in bars):
        page.footnotes.append(
            "Rows are ordered by what became of them, not by their place in the file."
            if placed.cell is not None
            else "Segments are sums, not places inside a file."
        )
    if any(bar.mark.side == "through" for bar in bars):
        page.footnotes.append("A kept file runs through, whatever a delete file below it masks.")
    if any(bar.mark.files > 1 for bar in bars):
        page.footnotes.append("Several files are drawn as one bar.")


_MOST = 60  # ribbons of one outcome; more than that is a grey cloth
_OPACITY = {"carried over": 0.2, "updated": 0.5}
_Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Flow:
    """Rows of one outcome that went from one bar to another, given by their places in the layout."""

    source: int
    target: int
    outcome: str
    rows: int
    inferred: bool


def _draw_ribbons(page: Page, layout: Layout, lines: Lines) -> None:
    """Draw the ribbons between the bars above and those below, and say what they leave out."""
    if page.rows is None or not page.rows.before_known:
        return
    bars, dashed = layout.bars, False
    for outcome in _OPACITY:
        flows = sorted((f for f in _flows(page, bars) if f.outcome == outcome), key=lambda f: -f.rows)[:_MOST]
        starts = _spread(bars, flows, at_source=True)
        stops = _spread(bars, flows, at_source=False)
        drawn = [flow for flow in flows if flow in starts and flow in stops]
        for flow in drawn:
            _draw_ribbon(page, bars, flow, starts[flow], stops[flow], lines)
        dashed |= any(flow.inferred for flow in drawn)
        _say_rows(page, outcome, sum(flow.rows for flow in drawn))
    if dashed:
        page.footnotes.append("Dashed ribbons: rows matched by their values, which the format does not record.")


def _flows(page: Page, bars: list[Bar]) -> list[_Flow]:
    place = {path: i for i, bar in enumerate(bars) for path in bar.mark.paths}
    rows: dict[tuple[int, int, str], int] = defaultdict(int)
    inferred: dict[tuple[int, int, str], bool] = defaultdict(bool)
    for ribbon in page.rows.ribbons if page.rows else ():
        source, target = place.get(ribbon.source), place.get(ribbon.target)
        if source is None or target is None or bars[source].mark.side == "after" or bars[target].mark.side != "after":
            continue
        rows[(source, target, ribbon.outcome)] += ribbon.rows
        inferred[(source, target, ribbon.outcome)] |= ribbon.certainty == "inferred"
    return [_Flow(*key, rows=n, inferred=inferred[key]) for key, n in rows.items()]


def _spread(bars: list[Bar], flows: list[_Flow], *, at_source: bool) -> dict[_Flow, _Span]:
    """Where ribbons touch a bar: side by side within the segment of their outcome, never beyond it."""
    by_bar: dict[int, list[_Flow]] = defaultdict(list)
    for flow in flows:
        by_bar[flow.source if at_source else flow.target].append(flow)
    spans: dict[_Flow, _Span] = {}
    for index, here in by_bar.items():
        place = _place(bars[index], here[0].outcome)
        if place is None:
            continue
        x, right, rows = place
        pixels = (right - x) / max(rows, sum(flow.rows for flow in here), 1)
        for flow in sorted(here, key=lambda f: bars[f.target if at_source else f.source].left):
            spans[flow] = (x, x + flow.rows * pixels)
            x = spans[flow][1]
    return spans


def _place(bar: Bar, outcome: str) -> tuple[float, float, int] | None:
    """The segment that a ribbon of this outcome touches; of a kept file its right edge, where masked rows are."""
    if bar.mark.side == "through":
        outcomes = bar.mark.outcomes
        return None if outcomes is None else (bar.right - 3, bar.right, outcomes.updated + outcomes.carried_over)
    segment = bar.segment(outcome)
    return None if segment is None else (segment.left, segment.right, segment.rows)


def _draw_ribbon(page: Page, bars: list[Bar], flow: _Flow, start: _Span, stop: _Span, lines: Lines) -> None:
    top = lines.before[1] if bars[flow.source].mark.side == "before" else lines.boundary
    bottom, colour = lines.after[0], page.hue(flow.outcome).fill
    bend = (bottom - top) * 0.45
    fill = page.path(Ink(fill=_transparent(colour, _OPACITY[flow.outcome]), overlaps=True))
    fill.move(start[0], top).line(start[1], top)
    fill.curve(start[1], top + bend, stop[1], bottom - bend, stop[1], bottom)
    fill.line(stop[0], bottom).curve(stop[0], bottom - bend, start[0], top + bend, start[0], top).close()
    edge = page.path(Ink(colour, 1.1, dash="5px,4px" if flow.inferred else "solid"))
    for a, b in zip(start, stop, strict=True):
        edge.move(a, top).curve(a, top + bend, b, bottom - bend, b, bottom)
    middle = (sum(start) + sum(stop)) / 4, (top + bottom) / 2 + 20  # below the words on the boundary
    page.targets.append(Target(*middle, "", _hover(bars, flow)))  # since a shape does not answer the pointer


def _transparent(colour: str, opacity: float) -> str:
    r, g, b = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r},{g},{b},{opacity})"


def _hover(bars: list[Bar], flow: _Flow) -> str:
    lines = [f"<b>{formats.count(flow.rows, 'row')} {flow.outcome}</b>"]
    for word, index in (("from", flow.source), ("to", flow.target)):
        mark = bars[index].mark
        name = mark.paths[0].rsplit("/", 1)[-1][-90:] if mark.is_single else formats.count(mark.files, "file")
        lines.append(f"{word} {escape(name)}")
    return "<br>".join([*lines, "inferred from equal values" if flow.inferred else "proved by _row_id"])


def _say_rows(page: Page, outcome: str, drawn: int) -> None:
    rows = page.rows
    if rows is None:
        return
    total = rows.totals.carried_over if outcome == "carried over" else rows.totals.updated
    if not drawn and total:
        page.footnotes.append(f"No ribbon for {formats.count(total, 'row')} {outcome}: from which file is not known.")
    elif drawn < total:
        page.footnotes.append(f"Ribbons stand for {drawn:,} of {formats.count(total, 'row')} {outcome}.")
