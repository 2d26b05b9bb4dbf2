"""The cells of a changelog: what each commit did to each row; or live rows, each in the column of its owner."""

from __future__ import annotations

from collections import defaultdict

from ...model import changed_cells
from ...model.changelog.facts import ChangedRow
from ..page.hits import row_meaning
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.theme import blend
from . import hits as changelog_hits
from .chart import SMALL, Chart
from .layout import SIGNS, Cell, Change, Column, Line, cell

_BAND, _TIGHT_BAND, _THIN = 21.0, 14.0, 4.0
_DOTTED = "Dotted strips: whether the row is there is not known, since commits were not read."


def draw(chart: Chart, top: float) -> float:
    """The lines of the view from page pixel `top` down; the page pixel where they end."""
    y = draw_name_of_keys(chart, top)
    for line in chart.drawn:
        y = _draw_line(chart, line, y)
    return y


def draw_name_of_keys(chart: Chart, top: float) -> float:
    """What the rows are known by, above them; the page pixel where it ends."""
    keys, style = chart.changelog.keys, Type(11, chart.sheet.theme.ink_2)
    chart.sheet.fit(chart.left, top + 4, [", ".join(keys) or "row"], style, chart.columns.left - chart.left - 8)
    return top + 16


def gap(chart: Chart) -> float:
    """Pixels between two lines."""
    return 4.0 if not chart.columns.full else 9.0 if len(chart.drawn) <= 14 else 5.0


def _draw_line(chart: Chart, line: Line, top: float) -> float:
    cells = _cells(chart, line)
    bands = max((len(cell.changes) for cell in cells.values()), default=1)
    band = _BAND if chart.columns.full else _TIGHT_BAND
    bottom = top + bands * band
    draw_label(chart, line.key, top, bottom)
    for place, found in cells.items():
        _draw_cell(chart, line, found, chart.columns.all[place], top, band, _until(chart, line, cells, place))
    if line.steady:
        _draw_life(chart, cells, bottom + 2)
        return bottom + 2 + _THIN + gap(chart)
    return bottom + gap(chart)


def draw_label(chart: Chart, key: str, top: float, bottom: float) -> None:
    """The key of a line, which answers the pointer."""
    style = Type(12, chart.sheet.theme.ink, bold=bool(chart.changelog.keys), mono=True)
    room = chart.columns.left - chart.left - 12
    chart.sheet.fit(chart.left, (top + bottom) / 2, [key or "(empty)"], style, room)
    box = Box(chart.left - 4, top, chart.columns.left - 6, bottom)
    chart.sheet.place(key, Box(box.left - 4, top - 3, chart.columns.right, bottom + 1))
    chart.sheet.cells.append(Rectangle(box, meaning=row_meaning(None, key), hover=changelog_hits.name(key)))


def _cells(chart: Chart, line: Line) -> dict[int, Cell]:
    """Cells by the place of their column."""
    by_place: dict[int, list[ChangedRow]] = defaultdict(list)
    for row in line.rows:
        place = chart.columns.place(row.snapshot_id)
        if place is not None:
            by_place[place].append(row)
    return {place: cell(by_place[place]) for place in sorted(by_place)}


def _until(chart: Chart, line: Line, cells: dict[int, Cell], place: int) -> float:
    """The page pixel up to which the file that a commit wrote holds the row, as far as `raw` tells.

    A replace or an unread commit may have moved it to another file.
    """
    columns = chart.columns.all
    end = columns[place].right
    if not (
        line.steady and chart.changelog.mode == "raw" and cells[place].lives_on and columns[place].kind == "commit"
    ):
        return end
    for index, following in enumerate(columns[place + 1 :], place + 1):
        if index in cells or following.unread or any(commit.ordinal is None for commit in following.commits):
            break
        end = following.right
    return end


def _draw_cell(chart: Chart, line: Line, found: Cell, column: Column, top: float, band: float, until: float) -> None:
    edge = 3.0 if chart.columns.full else 0.75
    y = top
    for change in found.changes:
        stays = change.kind in ("inserted", "updated", "carried over")
        box = Box(column.left + edge, y, (until if stays else column.right) - edge, y + band - 1.5)
        chart.paint(change.kind, box)
        own = Box(box.left, box.top, column.right - edge, box.bottom)
        _write(chart, change, own)
        if until > column.right + 90 and stays and chart.columns.full:
            _write_untouched(chart, change, Box(column.right + edge, box.top, until - edge, box.bottom))
        y += band
    snapshot = column.commits[0].snapshot.snapshot_id
    meaning = chart.meaning(column) if column.opens else row_meaning(snapshot, line.key)
    hover = changelog_hits.cell(line.key, found, column)
    chart.sheet.cells.append(Rectangle(Box(column.left, top, column.right, y), meaning=meaning, hover=hover))


def _write(chart: Chart, change: Change, box: Box) -> None:
    """Sign and values in a block, as far as they have room."""
    theme, room = chart.sheet.theme, box.right - box.left
    filled = change.kind not in ("carried over", "update before")
    style = Type(12 if chart.columns.full else 11, chart.hue(change.kind).on_fill if filled else theme.ink, mono=True)
    sign = SIGNS[change.kind]
    if chart.columns.full and room >= 40:
        words = chart.sheet.canvas.fitting(_wordings(chart, change), style, room - 12)
        _set(chart, change, box.left + 7, box, words, style)
        return
    shorter = [f"{sign}{change.count:,}"] if change.count > 1 else []
    words = next((words for words in [*shorter, sign] if style.width(words) + 1 <= room), "")
    if words:
        _set(chart, change, (box.left + box.right - style.width(words)) / 2, box, words, style)


def _set(chart: Chart, change: Change, x: float, box: Box, words: str, style: Type) -> None:
    if change.kind == "carried over":
        beside = 3 if chart.columns.full else 0
        ground = Box(x - beside, box.top + 2, x + style.width(words) + beside, box.bottom - 2)
        chart.sheet.fills.append(Rectangle(ground, chart.sheet.theme.page))
    chart.sheet.text(x, (box.top + box.bottom) / 2, words, style)


def _write_untouched(chart: Chart, change: Change, box: Box) -> None:
    filled = change.kind != "carried over"
    style = Type(11, chart.hue(change.kind).on_fill if filled else chart.sheet.theme.ink)
    _set(chart, change, box.left + 8, box, "not touched", style)


def _wordings(chart: Chart, change: Change) -> list[str]:
    """What a block says, shorter and shorter. Where the key is the whole row, its values stand at the left already."""
    sign, many = SIGNS[change.kind], f"{change.count:,}× " if change.count > 1 else ""
    if not chart.changelog.keys:
        return [f"{sign} {many}{change.kind}", f"{sign} {many}".strip()]
    match change.kind:
        case "updated" if change.cells:
            return [f"{many}{words}" for words in changed_cells.wordings(change.cells)]
        case "updated" if change.before:
            return [f"{many}{change.before} → {change.after}", f"{many}→ {change.after}"]
        case "update before":
            return [f"{many}{change.before} →"]
        case "carried over":
            return [f"{sign} {many}{change.after} carried over", f"{sign} {many}{change.after}"]
        case _:
            return [f"{sign} {many}{change.after or change.before}"]


def _draw_life(chart: Chart, cells: dict[int, Cell], y: float) -> None:
    """The thin strip of the value: as long as the row is there; dotted where commits that were not read may have it."""
    columns, theme = chart.columns.all, chart.sheet.theme
    places = list(cells)
    if not places:
        return
    fill, start = theme.kept_outline, chart.columns.left if cells[places[0]].came_from else None
    seen = False  # whether the row was seen where the strip starts
    for place in places:
        found, column = cells[place], columns[place]
        if start is not None:
            if all(change.kind == "carried over" for change in found.changes):
                _strip(chart, (start, column.left), y, fill, seen=(seen, True))
                start, seen = column.left, True
                continue
            _strip(chart, (start, column.left + 1), y, fill, seen=(seen, found.came_from))
        fill = theme.changed.fill if any(c.kind == "updated" for c in found.changes) else theme.added.fill
        start, seen = column.left + 3 if found.lives_on else None, True
    if start is not None:
        _strip(chart, (start, chart.columns.right - 3), y, fill, seen=(seen, False))


def _strip(chart: Chart, ends: tuple[float, float], y: float, fill: str, *, seen: tuple[bool, bool]) -> None:
    """A part of it; `seen` says at which of its ends the row is known to be there, and so up to an unread commit."""
    left, right = ends
    unreadable_files = [c for c in chart.columns.all if c.unread and c.left < right - 0.5 and c.right > left + 0.5]
    first, last = (unreadable_files[0].left, unreadable_files[-1].right) if unreadable_files else (right, right)
    if unreadable_files:
        dotted = max(left, first) if seen[0] else left, min(right, last) if seen[1] else right
        middle = y + _THIN / 2
        path = chart.sheet.path(Ink(chart.sheet.theme.edge, 1.6, dash="2px,3px"))
        path.move(dotted[0], middle).line(dotted[1], middle)
        if _DOTTED not in chart.sheet.footnotes:
            chart.sheet.footnotes.append(_DOTTED)
    solid = [(left, first)] if seen[0] or not unreadable_files else []
    solid += [(last, right)] if unreadable_files and seen[1] else []
    for from_, to in solid:
        if to - from_ >= 0.5:
            chart.sheet.fills.append(Rectangle(Box(from_, y, to, y + _THIN), fill))


_OWNER_BAND = 21.0


def draw_owners(chart: Chart, top: float) -> float:
    """The lines of the view from page pixel `top` down; the page pixel where they end."""
    head = Type(SMALL, chart.sheet.theme.ink, bold=True)
    chart.sheet.text(_table_left(chart), top + 4, "owner", head)
    chart.sheet.text(_ordinal_left(chart), top + 4, "ordinal", head)
    y = draw_name_of_keys(chart, top)
    for line in chart.drawn:
        bottom = y + _OWNER_BAND * len(line.rows)
        draw_label(chart, line.key, y, bottom)
        for row in line.rows:
            _draw_row(chart, row, y)
            y += _OWNER_BAND
        y += gap(chart)
    return y


def _table_left(chart: Chart) -> float:
    return chart.columns.right + 18


def _ordinal_left(chart: Chart) -> float:
    return _table_left(chart) + 72


def _draw_row(chart: Chart, row: ChangedRow, top: float) -> None:
    columns = chart.columns
    owner: int | None = row.snapshot_id
    state, place, style = chart.states[owner], columns.place(owner), chart.owner(owner, carried_over=row.carried_over)
    middle = top + _OWNER_BAND / 2 - 1
    if place is not None:
        box = Box(columns.all[place].left + 3, top, columns.right - 3, top + _OWNER_BAND - 3)
        style.painter(chart.sheet)(box)
        _write_owner(chart, row.text, box, style.ink, hatched=bool(style.hatch))
        hover = changelog_hits.owned(row, state)
        chart.sheet.cells.append(Rectangle(box, meaning=row_meaning(owner, row.key), hover=hover))
    else:
        chart.sheet.fit(columns.left + 4, middle, ["owner is not in view"], Type(SMALL, chart.sheet.theme.ink_3), 200)
    _draw_table(chart, row, state, middle)


def _write_owner(chart: Chart, words: str, box: Box, ink: str, *, hatched: bool) -> None:
    style, room = Type(12, ink, mono=True), box.right - box.left - 14
    if room < 24:
        return
    shown = chart.sheet.canvas.fitting([words], style, room)
    if hatched:
        wide = style.width(shown)
        chart.sheet.fills.append(
            Rectangle(Box(box.left + 4, box.top + 2, box.left + 10 + wide, box.bottom - 2), chart.sheet.theme.page)
        )
    chart.sheet.text(box.left + 7, (box.top + box.bottom) / 2, shown, style)


def _draw_table(chart: Chart, row: ChangedRow, state: str, middle: float) -> None:
    theme, differs = chart.sheet.theme, chart.differs.get(row.key, "")
    left, ordinal = _table_left(chart), _ordinal_left(chart)
    if differs:
        ground = blend(theme.attention.fill, theme.page, 0.14)
        box = Box(left - 8, middle - _OWNER_BAND / 2, chart.right, middle + _OWNER_BAND / 2)
        chart.sheet.path(Ink(fill=ground)).box(box)
    known: int | None = row.snapshot_id
    chart.sheet.fit(left, middle, [chart.ids.get(known, "unknown")], Type(12, theme.ink_2, mono=True), 66)
    room = chart.right - ordinal - 4
    if row.ordinal is None:
        words = [f"none: {state}", state, "none"]
        chart.sheet.fit(ordinal, middle, words, Type(SMALL, theme.ink_2), room)
        return
    number = f"{row.ordinal:,}"
    box = chart.sheet.text(ordinal, middle, number, Type(12, theme.ink, bold=True))
    if differs:
        chart.sheet.fit(
            box.right + 10,
            middle,
            [differs, "differs"],
            Type(SMALL, theme.attention.text, bold=True),
            chart.right - box.right - 14,
        )
