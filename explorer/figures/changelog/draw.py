"""A changelog as a picture: rows by commits, what happened to each as colour and mark; or live rows and their owners.

The page is measured in pixels, and nothing on it can be panned: what is too much for one page is told in sums, and a
click opens a part of it. Counts are exact whatever is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import plotly.graph_objects as go

from ...model import formats
from ...model.changelog import words as changelog_words
from ...model.changelog.facts import Changelog
from ..page import text
from ..page.canvas import Box, Ink, Type
from ..page.fold import Part
from ..page.hits import Clicked, Selection, clicked, view_meaning
from ..page.sheet import TRACES, KeyEntry, Sheet
from ..page.theme import Theme
from . import grid, header
from . import grid as changelog_grid
from . import hits as changelog_hits
from .chart import ROWS, SMALL, OwnerStyle, Panel
from .hits import selection
from .layout import KINDS, SIGNS, Column, Kind

__all__ = ["RANGE_AXES", "TRACES", "Clicked", "Selection", "clicked", "draw", "draw_side_by_side", "selection"]

RANGE_AXES = ()
_GAP_BETWEEN = 44.0  # pixels between two tables side by side


def draw(
    changelog: Changelog,
    theme: Theme,
    *,
    name: str,
    width: int = 1380,
    selected: str | None = None,
    view: str = "",
) -> go.Figure:
    """The picture. Its traces are always those of `TRACES`, in that order, so that a live figure is updated in place.

    Args:
        changelog: with or without counts and rows.
        theme: in which colours.
        name: the table's name for the second line.
        width: of the page in pixels, at least 720; columns are summed to fit it. The height follows from the contents.
        selected: id, as text, of the snapshot with ring and halo.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another changelog, for the whole.

    Clicks: only `cells` and `elsewhere` answer the pointer; `clicked` turns a point of them into a meaning.
    """
    sheet = Sheet.of(theme, width)
    evidence = changelog_words.evidence(changelog)
    y = sheet.heading(changelog_words.title(changelog), changelog_words.circumstances(changelog, name), evidence)
    panel = Panel.of(sheet, changelog, 20, sheet.width - 24, Part.parse(view))
    y = sheet.key(_key([panel]), y + 14)
    bottom = _draw_panel(panel, y + 8)
    return _figure(sheet, [panel], bottom, selected, changelog_words.closing(changelog), _notes(changelog))


def draw_side_by_side(
    left: Changelog,
    right: Changelog,
    theme: Theme,
    *,
    names: tuple[str, str],
    width: int = 1380,
    selected: str | None = None,
) -> go.Figure:
    """Two changelogs beside each other, each with its name; rows whose owners differ are marked.

    Traces, clicks and selection are those of `draw`; `width` is at least 1,100, less has no room for two.
    """
    sheet = Sheet.of(theme, max(width, 1100))
    of_both = [story for side in (left, right) for story in [changelog_words.evidence(side)]]
    evidence = min(of_both, key=lambda found: ("unknown", "inferred", "exact").index(found[0]))
    keys = ", ".join(left.identifier_columns)
    parts = [f"{names[0]} beside {names[1]}", f"mode {left.mode}", f"rows known by {keys or 'all their values'}"]
    y = sheet.heading(changelog_words.beside_title(left, right, names), [*parts, evidence[1]], evidence)
    middle = sheet.width / 2
    panels = [
        Panel.of(sheet, left, 20, middle - _GAP_BETWEEN / 2, Part()),
        Panel.of(sheet, right, middle + _GAP_BETWEEN / 2, sheet.width - 24, Part()),
    ]
    panels[0].beside, panels[1].beside = panels[1], panels[0]
    if left.mode == right.mode == "ownership":
        for panel, other, n in ((panels[0], names[1], 1), (panels[1], names[0], 0)):
            apart = changelog_words.differing(left, right)
            panel.differs = {key: _elsewhere(ordinals[n], other) for key, ordinals in apart.items()}
    y = sheet.key(_key(panels), y + 14) + 12
    bottoms = []
    for panel, title in zip(panels, names, strict=True):
        sheet.fit(panel.left, y, [title], Type(15, theme.ink, bold=True), panel.right - panel.left)
        bottoms.append(_draw_panel(panel, y + 22))
    sheet.path(Ink(theme.grid, 1)).move(middle, y - 10).line(middle, max(bottoms))
    closing = changelog_words.closing(right) or changelog_words.closing(left)
    notes = list(dict.fromkeys([*_notes(left), *_notes(right)]))
    return _figure(sheet, panels, max(bottoms), selected, closing, notes)


def _figure(
    sheet: Sheet,
    panels: Sequence[Panel],
    bottom: float,
    selected: str | None,
    sentences: Sequence[str],
    notes: Sequence[str],
) -> go.Figure:
    meta = changelog_hits.places(panels, bottom + 14) | {"view": str(panels[0].part)}
    height = sheet.foot(sentences, notes, bottom + 18) + 10
    return sheet.figure(TRACES, sheet.traces(), height, meta, changelog_hits.marks(meta, sheet.theme, selected))


def _elsewhere(ordinal: int | None, other: str) -> str:
    return f"{'none' if ordinal is None else f'{ordinal:,}'} in {other}"


# --- a panel ---------------------------------------------------------------------------------------------------------


def _draw_panel(panel: Panel, top: float) -> float:
    """Columns and rows, or why there are none; the page pixel where they end."""
    changelog, sheet = panel.changelog, panel.sheet
    if not panel.columns.all:
        words = "No commit lies in this range: it begins where it ends. Ask from an earlier snapshot."
        box = Box(panel.left, top, panel.right, top + 60)
        _draw_why(sheet, box, words)
        return box.bottom
    y = _draw_way_back(panel, top)
    rows_top = header.draw(panel, y) + 12
    if changelog.counts is None or not panel.drawn:
        box = Box(panel.left, rows_top, panel.right, rows_top + 56)
        _draw_why(sheet, box, _why_no_rows(changelog))
        panel.bottom = rows_top - 8
        _draw_columns(panel, y)
        return box.bottom
    if changelog.mode == "ownership":
        panel.bottom = grid.draw_owners(panel, rows_top)
    else:
        panel.bottom = changelog_grid.draw(panel, rows_top)
    _draw_columns(panel, y, rows_top)
    return _draw_paging(panel, panel.bottom + 8)


def _draw_why(sheet: Sheet, box: Box, words: str) -> None:
    """A hole in place of rows, and why."""
    lines = text.wrap(words, 12, box.right - box.left - 24, lines=max(int((box.bottom - box.top) / 17), 1))
    sheet.unreadable(box, lines, Type(12, sheet.theme.ink_2))


def _why_no_rows(changelog: Changelog) -> str:
    if changelog.counts is None:
        return "Rows are not read yet. Reading them tells how many rows each of these commits changed, and which."
    if not changelog.row_count:
        live = changelog.mode == "ownership"
        told = "No other commit changed a row." if changelog.unread else "No commit of the range changed a row."
        return "No row is live at the end of the range." if live else told
    return f"No row is at hand to draw; the counts are of all {formats.count(changelog.row_count, 'row')}."


def _draw_columns(panel: Panel, top: float, rows_top: float | None = None) -> None:
    """What lies below all marks: the edges of the columns, grey ones without rows, holes where rows are unknown."""
    theme, sheet = panel.sheet.theme, panel.sheet
    for column in panel.columns.all:
        if column.kind in ("replace", "quiet"):
            sheet.path(Ink(fill=theme.band)).box(Box(column.left, top, column.right, panel.bottom))
        if panel.columns.full:
            sheet.path(Ink(theme.grid, 1)).move(column.left, top).line(column.left, panel.bottom)
        if column.unread:
            _draw_unreadable(panel, column, rows_top)


def _draw_unreadable(panel: Panel, column: Column, rows_top: float | None) -> None:
    """Around a column some of whose rows are unknown; with the reason where it has room above the rows."""
    theme, sheet = panel.sheet.theme, panel.sheet
    head = panel.boxes[panel.columns.all.index(column)]
    unreadable = Box(column.left + 2, head.bottom + 2, column.right - 2, max(panel.bottom, head.bottom + 24))
    sheet.path(Ink(theme.edge, 1.4, dash="2px,3px")).box(unreadable)
    style, room = Type(SMALL, theme.error), column.width - 12
    height = (rows_top or head.bottom) - head.bottom - 12
    words = next((words for words in ("unknown", "?") if style.width(words) <= room + 8), "")
    if not words or height < 10:
        return
    sheet.canvas.text("page", column.middle, head.bottom + 14, words, style)
    lines = int((height - 20) / 15)
    if column.kind == "unread" and room >= 130 and lines > 0:
        reason = next(one.reason for one in panel.changelog.unread if one.commit == column.commits[0])
        for i, line in enumerate(text.wrap(reason, SMALL, room - 8, lines=lines)):
            sheet.text(column.left + 10, head.bottom + 31 + 15 * i, line, Type(SMALL, theme.ink_2))


def _draw_way_back(panel: Panel, top: float) -> float:
    """Where only some commits are drawn, which, and the way to all of them."""
    if panel.part.range is None:
        return top
    first, last = panel.part.range
    total = len(panel.changelog.range.commits)
    words = f"◂ all {total:,} commits"
    _link(panel, panel.left, top + 6, words, Part(panel.part.first), "click: draw the whole range")
    said = f"drawn: commits {formats.span(first + 1, last + 1)} of the range"
    style = Type(SMALL, panel.sheet.theme.ink_2)
    panel.sheet.text(panel.left + Type(SMALL, "", bold=True).width(words) + 16, top + 6, said, style)
    return top + 22


def _draw_paging(panel: Panel, top: float) -> float:
    """How much of everything is drawn, and the way to the rest; the page pixel where it ends."""
    total, at_hand = panel.changelog.row_count or 0, len(panel.changelog.rows)
    drawn = sum(panel.columns.place(row.snapshot_id) is not None for line in panel.drawn for row in line.rows)
    first, last = panel.part.first, panel.part.first + len(panel.drawn)
    partly = sum(not line.complete for line in panel.drawn)
    if partly:
        panel.sheet.untold.append(
            f"{formats.count(partly, 'row')} drawn may have more changes, since not all are at hand."
        )
    if drawn == total and len(panel.lines) == len(panel.drawn):
        return top - 4
    what = "live" if panel.changelog.mode == "ownership" else "changed"
    x, y = panel.left, top + 8
    style = Type(SMALL, panel.sheet.theme.ink_2)
    for words, part in (
        (f"◂ previous {ROWS}" if first else "", Part(max(first - ROWS, 0), panel.part.opened)),
        (
            f"next {min(ROWS, len(panel.lines) - last)} ▸" if last < len(panel.lines) else "",
            Part(last, panel.part.opened),
        ),
    ):
        if words:
            x = _link(panel, x, y, words, part, "click: draw these rows") + 16
    parts = [f"{drawn:,} of {formats.count(total, f'{what} row')} drawn"]
    if last - first < len(panel.lines):
        parts.append(f"keys {formats.span(first + 1, last)} of {len(panel.lines):,} at hand")
    if at_hand < total:
        parts.append("counts are of all rows")
    panel.sheet.fit(x, y, [" · ".join(parts), parts[0]], style, panel.right - x)
    return y + 12


def _link(panel: Panel, x: float, y: float, words: str, part: Part, hover: str) -> float:
    """Words that open a part; the page pixel where they end."""
    box = panel.sheet.text(x, y, words, Type(SMALL, panel.sheet.theme.ink, bold=True))
    panel.sheet.cells.add(Box(box.left, y - 12, box.right, y + 12), meaning=view_meaning(part), hover=hover)
    return box.right


# --- key and notes ---------------------------------------------------------------------------------------------------


def _key(panels: Sequence[Panel]) -> Iterable[KeyEntry]:
    """What occurs in any of the panels, and no more."""
    counted = [panel for panel in panels if panel.changelog.counts is not None and panel.columns.all]
    if not counted:
        return
    if any(panel.changelog.mode == "ownership" for panel in counted):
        yield from _key_of_owners(counted)
        return
    told = [changelog_words.totals(p.changelog.mode, (p.changelog.counts or {}).values()) for p in counted]
    raw = any(panel.changelog.mode == "raw" for panel in counted)
    n: dict[Kind, int] = {
        "deleted": sum(t.deleted for t in told),
        "updated": sum(t.updated for t in told),
        "carried over": sum(t.carried_over or 0 for t in told) if raw else 0,
        "inserted": sum(t.inserted for t in told),
    }
    for kind in reversed(KINDS):
        if n.get(kind):
            words = f"{SIGNS[kind]} {kind}" + (f" {n[kind]:,}" if len(panels) == 1 else "")
            words += ": new file, same values" if kind == "carried over" else ""
            yield words, partial(panels[0].paint, kind)
    if any(line.steady for panel in counted for line in panel.drawn):
        colour = panels[0].sheet.theme.added.fill
        fills = panels[0].sheet.fills
        words = "thick: the file that holds it; thin: its values" if raw else "thin: the row lives on with these values"
        yield words, lambda box: fills.add(Box(box.left, box.top + 4, box.right, box.bottom - 4), colour)


def _key_of_owners(panels: Sequence[Panel]) -> Iterable[KeyEntry]:
    found: dict[str, OwnerStyle] = {}
    for panel in panels:
        for owner, counts in (panel.changelog.counts or {}).items():
            if counts.printed:
                style = panel.owner(owner)
                found.setdefault(style.words, style)
    for words, style in found.items():
        yield words, style.painter(panels[0].sheet)
    mixed = (not header.owner_style(p, c).words for p in panels for c in p.columns.all if p.counts(c))
    if any(mixed):
        yield "owners of several of these kinds", panels[0].sheet.swatch(panels[0].sheet.theme.edge)


def _notes(changelog: Changelog) -> list[str]:
    """What is unknown or inferred, and why; at most six, the others counted."""
    if not changelog.range.commits:
        return []
    open_ends = [str(note) for note in changelog.notes if note.certainty != "exact"]
    more = (
        [f"{formats.count(len(open_ends) - 6, 'more note')} in the notes of this answer."] if len(open_ends) > 6 else []
    )
    return [*open_ends[:6], *more]
