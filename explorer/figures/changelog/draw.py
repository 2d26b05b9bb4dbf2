"""A changelog as a picture: rows by commits, what happened to each as colour and mark; or live rows and their owners.

The page is measured in pixels, and nothing on it can be panned: what is too much for one page is told in sums, and a
click opens a part of it. Counts are exact whatever is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from ...model import formats
from ...model.changelog import words as changelog_words
from ...model.changelog.facts import Changelog
from ...model.evidence import weakest
from ..page import frame, text
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import Clicked, clicked, view_meaning
from ..page.scene import Box, Ink, Rectangle, Scene, Selection, Type
from ..page.sheet import LAYERS, Sheet
from ..page.theme import Theme
from . import grid, header
from . import hits as changelog_hits
from .chart import ROWS, SMALL, Chart, OwnerStyle
from .hits import selection
from .layout import KINDS, SIGNS, Column, Kind

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "draw_side_by_side", "selection"]

RANGE_AXES = ()
BOTH_WIDTH = 1100  # pixels from which on there is room for two tables side by side
_GAP_BETWEEN = 44.0  # pixels between them


def draw(
    changelog: Changelog,
    theme: Theme,
    *,
    name: str,
    width: int = 1380,
    selected: str | None = None,
    view: str = "",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        changelog: with or without counts and rows.
        theme: in which colours.
        name: the table's name for the second line.
        width: of the page in pixels, at least 560; columns are summed to fit it. The height follows from the contents.
        selected: id, as text, of the snapshot with ring and halo.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another changelog, for the whole.

    Clicks: only `cells` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning.
    """
    sheet = Sheet.of(theme, width)
    evidence = changelog_words.evidence(changelog)
    y = frame.heading(sheet, changelog_words.title(changelog), changelog_words.circumstances(changelog, name), evidence)
    chart = Chart.of(sheet, changelog, 20, sheet.width - 24, Part.parse(view))
    y = frame.key(sheet, _key([chart]), y + 14)
    bottom = _draw_chart(chart, y + 8)
    return _scene(sheet, [chart], bottom, selected, changelog_words.closing(changelog), _notes(changelog))


def draw_side_by_side(
    left: Changelog,
    right: Changelog,
    theme: Theme,
    *,
    names: tuple[str, str],
    width: int = 1380,
    selected: str | None = None,
) -> Scene:
    """Two changelogs beside each other, each with its name; rows whose owners differ are marked.

    Traces, clicks and selection are those of `draw`. On a page below 1,100 pixels one stands below the other.
    """
    sheet = Sheet.of(theme, width)
    evidence = weakest(map(changelog_words.evidence, (left, right)))
    keys = ", ".join(left.keys)
    parts = [f"{names[0]} beside {names[1]}", f"mode {left.mode}", f"rows known by {keys or 'all their values'}"]
    y = frame.heading(sheet, changelog_words.beside_title(left, right, names), [*parts, evidence[1]], evidence)
    is_beside = sheet.width >= BOTH_WIDTH
    edges = _halves(sheet.width) if is_beside else [(20.0, sheet.width - 24.0)] * 2
    charts = [Chart.of(sheet, of, *edge, Part()) for of, edge in zip((left, right), edges, strict=True)]
    charts[0].beside, charts[1].beside = charts[1], charts[0]
    if left.mode == right.mode == "ownership":
        for chart, other, n in ((charts[0], names[1], 1), (charts[1], names[0], 0)):
            apart = changelog_words.differing(left, right)
            chart.differs = {key: _elsewhere(ordinals[n], other) for key, ordinals in apart.items()}
    y = frame.key(sheet, _key(charts), y + 14) + 12
    bottom = (_draw_beside if is_beside else _draw_below)(sheet, charts, names, y)
    closing = changelog_words.closing(right) or changelog_words.closing(left)
    notes = list(dict.fromkeys([*_notes(left), *_notes(right)]))
    return _scene(sheet, charts, bottom, selected, closing, notes)


def _halves(width: float) -> list[tuple[float, float]]:
    """Left and right edge of both that stand beside each other, page pixels."""
    middle = width / 2
    return [(20.0, middle - _GAP_BETWEEN / 2), (middle + _GAP_BETWEEN / 2, width - 24.0)]


def _draw_beside(sheet: Sheet, charts: Sequence[Chart], names: tuple[str, str], top: float) -> float:
    """Each in its half; the page pixel where they end."""
    bottom = max([_draw_named(chart, name, top) for chart, name in zip(charts, names, strict=True)])
    middle = sheet.width / 2
    sheet.path(Ink(sheet.theme.kept_outline, 1.4)).move(middle, top - 10).line(middle, bottom)
    return bottom


def _draw_below(sheet: Sheet, charts: Sequence[Chart], names: tuple[str, str], top: float) -> float:
    """One below the other; the page pixel where they end."""
    y = _draw_named(charts[0], names[0], top)
    sheet.path(Ink(sheet.theme.kept_outline, 1.4)).move(20, y + 14).line(sheet.width - 20, y + 14)
    return _draw_named(charts[1], names[1], y + 38)


def _draw_named(chart: Chart, name: str, top: float) -> float:
    """A chart under its name; the page pixel where it ends."""
    chart.sheet.fit(chart.left, top, [name], Type(15, chart.sheet.theme.ink, bold=True), chart.right - chart.left)
    return _draw_chart(chart, top + 22)


def _scene(
    sheet: Sheet,
    charts: Sequence[Chart],
    bottom: float,
    selected: str | None,
    sentences: Sequence[str],
    notes: Sequence[str],
) -> Scene:
    meta = changelog_hits.places(charts, bottom + 14) | {"view": str(charts[0].part)}
    height = frame.foot(sheet, sentences, notes, bottom + 18) + 10
    scene = sheet.scene(height, meta)
    return scene.selecting(selection(scene, selected=selected))


def _elsewhere(ordinal: int | None, other: str) -> str:
    return f"{'none' if ordinal is None else f'{ordinal:,}'} in {other}"


# --- a chart ---------------------------------------------------------------------------------------------------------


def _draw_chart(chart: Chart, top: float) -> float:
    """Columns and rows, or why there are none; the page pixel where they end."""
    changelog, sheet = chart.changelog, chart.sheet
    if not chart.columns.all:
        words = "No commit lies in this range: it begins where it ends. Ask from an earlier snapshot."
        box = Box(chart.left, top, chart.right, top + 60)
        _draw_why(sheet, box, words)
        return box.bottom
    y = _draw_way_back(chart, top)
    rows_top = header.draw(chart, y) + 12
    if changelog.counts is None or not chart.drawn:
        box = Box(chart.left, rows_top, chart.right, rows_top + 56)
        _draw_why(sheet, box, _why_no_rows(changelog))
        chart.bottom = rows_top - 8
        _draw_columns(chart, y)
        return box.bottom
    if changelog.mode == "ownership":
        chart.bottom = grid.draw_owners(chart, rows_top)
    else:
        chart.bottom = grid.draw(chart, rows_top)
    _draw_columns(chart, y, rows_top)
    return _draw_paging(chart, chart.bottom + 8)


def _draw_why(sheet: Sheet, box: Box, words: str) -> None:
    """What stands in place of rows, and why."""
    lines = text.wrap(words, 12, box.right - box.left - 24, lines=max(int((box.bottom - box.top) / 17), 1))
    sheet.unreadable(box, lines, Type(12, sheet.theme.ink_2))


def _why_no_rows(changelog: Changelog) -> str:
    if changelog.counts is None:
        return "Rows are not read yet. Reading them tells how many rows each of these commits changed, and which."
    if not changelog.row_count:
        live = changelog.mode == "ownership"
        none = "No other commit changed a row." if changelog.unread else "No commit of the range changed a row."
        return "No row is live at the end of the range." if live else none
    return f"No row is at hand to draw; the counts are of all {formats.count(changelog.row_count, 'row')}."


def _draw_columns(chart: Chart, top: float, rows_top: float | None = None) -> None:
    """What lies below all marks: the edges of the columns, grey ones without rows, holes where rows are unknown."""
    theme, sheet = chart.sheet.theme, chart.sheet
    for column in chart.columns.all:
        if column.kind in ("replace", "no rows"):
            sheet.path(Ink(fill=theme.band)).box(Box(column.left, top, column.right, chart.bottom))
        if chart.columns.full:
            sheet.path(Ink(theme.grid, 1)).move(column.left, top).line(column.left, chart.bottom)
        if column.unread:
            _draw_unreadable(chart, column, rows_top)


def _draw_unreadable(chart: Chart, column: Column, rows_top: float | None) -> None:
    """Around a column some of whose rows are unknown; with the reason where it has room above the rows."""
    theme, sheet = chart.sheet.theme, chart.sheet
    head = chart.boxes[chart.columns.all.index(column)]
    unreadable = Box(column.left + 2, head.bottom + 2, column.right - 2, max(chart.bottom, head.bottom + 24))
    sheet.path(Ink(theme.edge, 1.4, dash="2px,3px")).box(unreadable)
    style, room = Type(SMALL, theme.error), column.width - 12
    height = (rows_top or head.bottom) - head.bottom - 12
    words = next((words for words in ("unknown", "?") if style.width(words) <= room + 8), "")
    if not words or height < 10:
        return
    sheet.canvas.text("page", column.middle, head.bottom + 14, words, style)
    lines = int((height - 20) / 15)
    if column.kind == "unread" and room >= 130 and lines > 0:
        reason = next(one.reason for one in chart.changelog.unread if one.commit == column.commits[0])
        for i, line in enumerate(text.wrap(reason, SMALL, room - 8, lines=lines)):
            sheet.text(column.left + 10, head.bottom + 31 + 15 * i, line, Type(SMALL, theme.ink_2))


def _draw_way_back(chart: Chart, top: float) -> float:
    """Where only some commits are drawn, which, and the way to all of them."""
    if chart.part.range is None:
        return top
    first, last = chart.part.range
    total = len(chart.changelog.range.commits)
    words = f"◂ all {total:,} commits"
    _link(chart, chart.left, top + 6, words, Part(chart.part.first), "click: draw the whole range")
    drawn = f"drawn: commits {formats.span(first + 1, last + 1)} of the range"
    style = Type(SMALL, chart.sheet.theme.ink_2)
    chart.sheet.text(chart.left + Type(SMALL, "", bold=True).width(words) + 16, top + 6, drawn, style)
    return top + 22


def _draw_paging(chart: Chart, top: float) -> float:
    """How much of everything is drawn, and the way to the rest; the page pixel where it ends."""
    total, at_hand = chart.changelog.row_count or 0, len(chart.changelog.rows)
    drawn = sum(chart.columns.place(row.snapshot_id) is not None for line in chart.drawn for row in line.rows)
    first, last = chart.part.first, chart.part.first + len(chart.drawn)
    partly = sum(not line.complete for line in chart.drawn)
    if partly:
        chart.sheet.footnotes.append(
            f"{formats.count(partly, 'row')} drawn may have more changes, since not all are at hand."
        )
    if drawn == total and len(chart.lines) == len(chart.drawn):
        return top - 4
    what = "live" if chart.changelog.mode == "ownership" else "changed"
    x, y = chart.left, top + 8
    style = Type(SMALL, chart.sheet.theme.ink_2)
    for words, part in (
        (f"◂ previous {ROWS}" if first else "", Part(max(first - ROWS, 0), chart.part.opened)),
        (
            f"next {min(ROWS, len(chart.lines) - last)} ▸" if last < len(chart.lines) else "",
            Part(last, chart.part.opened),
        ),
    ):
        if words:
            x = _link(chart, x, y, words, part, "click: draw these rows") + 16
    parts = [f"{drawn:,} of {formats.count(total, f'{what} row')} drawn"]
    if last - first < len(chart.lines):
        parts.append(f"keys {formats.span(first + 1, last)} of {len(chart.lines):,} at hand")
    if at_hand < total:
        parts.append("counts are of all rows")
    chart.sheet.fit(x, y, [" · ".join(parts), parts[0]], style, chart.right - x)
    return y + 12


def _link(chart: Chart, x: float, y: float, words: str, part: Part, hover: str) -> float:
    """Words that open a part; the page pixel where they end."""
    box = chart.sheet.text(x, y, words, Type(SMALL, chart.sheet.theme.ink, bold=True))
    chart.sheet.cells.append(
        Rectangle(Box(box.left, y - 12, box.right, y + 12), meaning=view_meaning(part), hover=hover)
    )
    return box.right


# --- key and notes ---------------------------------------------------------------------------------------------------


def _key(charts: Sequence[Chart]) -> Iterable[KeyEntry]:
    """What occurs in any of the charts, and no more."""
    counted = [chart for chart in charts if chart.changelog.counts is not None and chart.columns.all]
    if not counted:
        return
    if any(chart.changelog.mode == "ownership" for chart in counted):
        yield from _key_of_owners(counted)
        return
    totals = [changelog_words.totals(p.changelog.mode, (p.changelog.counts or {}).values()) for p in counted]
    raw = any(chart.changelog.mode == "raw" for chart in counted)
    n: dict[Kind, int] = {
        "deleted": sum(t.deleted for t in totals),
        "updated": sum(t.updated for t in totals),
        "carried over": sum(t.carried_over or 0 for t in totals) if raw else 0,
        "inserted": sum(t.inserted for t in totals),
    }
    for kind in reversed(KINDS):
        if n.get(kind):
            words = f"{SIGNS[kind]} {kind}" + (f" {n[kind]:,}" if len(charts) == 1 else "")
            words += ": new file, same values" if kind == "carried over" else ""
            yield words, partial(charts[0].paint, kind)
    if any(line.steady for chart in counted for line in chart.drawn):
        colour = charts[0].sheet.theme.added.fill
        fills = charts[0].sheet.fills
        words = "thick: the file that holds it; thin: its values" if raw else "thin: the row lives on with these values"
        yield words, lambda box: fills.append(Rectangle(Box(box.left, box.top + 4, box.right, box.bottom - 4), colour))


def _key_of_owners(charts: Sequence[Chart]) -> Iterable[KeyEntry]:
    found: dict[str, OwnerStyle] = {}
    for chart in charts:
        for owner, counts in (chart.changelog.counts or {}).items():
            copied = counts.carried_over or 0
            written = counts.printed - copied - counts.not_known
            for carried_over, n in ((False, written), (True, copied), (None, counts.not_known)):
                if n:
                    style = chart.owner(owner, carried_over=carried_over)
                    found.setdefault(style.words, style)
    for words, style in found.items():
        yield words, style.painter(charts[0].sheet)
    mixed = (not header.owner_style(p, c).words for p in charts for c in p.columns.all if p.counts(c))
    if any(mixed):
        yield "owners of several of these kinds", frame.swatch(charts[0].sheet, charts[0].sheet.theme.edge)


def _notes(changelog: Changelog) -> list[str]:
    """What is unknown or inferred, and why; at most six, the others counted."""
    if not changelog.range.commits:
        return []
    open_ends = [str(note) for note in changelog.notes if note.certainty != "exact"]
    more = (
        [f"{formats.count(len(open_ends) - 6, 'more note')} in the notes of this answer."] if len(open_ends) > 6 else []
    )
    return [*open_ends[:6], *more]
