"""The files of a timeline one by one: bars and words, fronts of deletes, and what the selected one reaches.

The front of an equality delete stands on the left edge of its column, since it reaches strictly older data; that of
positions on the right edge, since they reach data of their own commit too.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import FileLifetime
from ...model.sequence_timeline.words import counts_as_older
from ...model.words import holds
from ..page.frame import pill
from ..page.hits import file_meaning
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.theme import blend
from . import hits
from .columns import Column, Columns
from .page import SMALL, Group, Page, Row

_BAR, _TICK, _DOT = 14.0, 22.0, 11.0
_THIN_BAR, _THIN_DOT = 5.0, 5.0
_PILL, _CHOSEN_PILL = 30.0, 39.0


def draw(page: Page, columns: Columns, groups: Sequence[Group]) -> None:
    """All rows with their names, and what is said of them."""
    for group in groups:
        _draw_heading(page, group)
        for row in group.rows:
            _draw_row(page, columns, row)


def as_of_edge(page: Page, columns: Columns) -> float:
    """The page pixel up to which everything has happened at the timeline's snapshot."""
    as_of = page.timeline.as_of
    if as_of is None:
        return columns.right
    column = columns.of(as_of.sequence_number, as_of.snapshot_id)
    if column is None:  # of another part of the history
        return max((c.right for c in columns.all if c.number <= as_of.sequence_number), default=columns.left)
    return column.right if columns.axis == "sequence number" else column.x + 9


def _draw_heading(page: Page, group: Group) -> None:
    theme, thin = page.theme, not page.full
    y = group.rows[0].top - (15 if page.full else 11)
    files = [row.file for row in group.rows]
    summary = Type(SMALL, theme.ink_2)
    totals = sequence_timeline_words.summary(page.scopes, files) if thin else ""
    beside = thin and page.says < page.right
    taken = summary.width(totals) + 30 if totals and not beside else 20
    room = (page.says if beside else page.right) - page.left - taken
    words = page.fit(page.left, y, [group.name], Type(13, theme.ink, bold=True), room)
    page.path(Ink(theme.edge, 1)).move(page.left, y + 11).line(page.right, y + 11)
    if totals and beside:
        page.fit(page.says, y, _summaries(page, files, totals), summary, page.right - page.says)
    elif totals:
        page.text(page.left + Type(13, "", bold=True).width(words) + 14, y, totals, summary)


def _summaries(page: Page, files: Sequence[FileLifetime], totals: str) -> list[str]:
    """What the rows of a group come to, where none has words of its own."""
    if page.selected is None:
        return [totals]
    tones = [page.verdicts[id(file)].tone for file in files]
    asked = [
        tone
        for file, tone in zip(files, tones, strict=True)
        if (file.kind == "data") is not (page.selected.kind == "data")
    ]
    if all(tone == "out of scope" for tone in asked):
        return [f"not in its scope · {totals}", "not in its scope"]
    reached, unknown = tones.count("reached"), tones.count("unknown")
    word = "reached" if page.selected.kind != "data" else "reach it"
    more = f", {unknown:,} unknown" if unknown else ""
    return [f"{reached:,} {word}{more} · {totals}", f"{reached:,} {word}{more}"]


def _draw_row(page: Page, columns: Columns, row: Row) -> None:
    file, verdict = row.file, page.verdicts[id(row.file)]
    if page.full:
        _draw_name(page, row)
        _draw_remark(page, row)
    if file.kind == "data":
        _draw_data(page, columns, row)
    else:
        _draw_delete(page, columns, row)
    box = Box(page.left - 6, row.top, page.right + 6, row.bottom)
    meaning = file_meaning(file.file_path, file.content_offset)
    page.cells.append(Rectangle(box, meaning=meaning, hover=hits.file(page.scopes, file, verdict)))


def _draw_name(page: Page, row: Row) -> None:
    theme, file = page.theme, row.file
    chosen, live = file is page.selected, page.state(file) == "live"
    style = Type(12, theme.ink if chosen or live else theme.ink_2, bold=chosen, mono=True)
    end = page.plot - 14
    counted = Type(SMALL, theme.ink_2)
    full = holds(file.kind, file.record_count)
    compact = f"{formats.compact(file.record_count)} {full.rsplit(' ', 1)[-1]}"
    roomy = page.width >= 900
    words = (full if len(full) <= 13 else compact) if roomy else formats.compact(file.record_count)
    page.canvas.text("page", end, row.y, words, counted, "end")
    page.fit(page.left, row.y, [page.names[file.key]], style, end - counted.width(words) - 10 - page.left)


def _draw_remark(page: Page, row: Row) -> None:
    if page.says >= page.right:
        return
    theme, verdict = page.theme, page.verdicts[id(row.file)]
    colours = {
        "reached": theme.removed.text,
        "not reached": theme.ink,
        "attention": theme.attention.text,
        "unknown": theme.error,
        "selected": theme.ink,
    }
    style = Type(12, colours.get(verdict.tone, theme.ink_3), bold=verdict.tone in ("reached", "attention", "selected"))
    if verdict.tone == "attention":
        x = page.says - 13
        page.path(Ink(fill=theme.attention.fill)).box(Box(x - 7.5, row.y - 8, x + 7.5, row.y + 8), 3)
        page.canvas.text("page", x, row.y, "!", Type(11, theme.attention.on_fill, bold=True))
    page.fit(page.says, row.y, verdict.words, style, page.right - page.says)


# --- data files ------------------------------------------------------------------------------------------------------


def _born(columns: Columns, file: FileLifetime) -> Column | None:
    return columns.of(file.file_sequence_number.value, file.added_snapshot_id) or columns.of(
        None, file.added_snapshot_id
    )


def _counted(columns: Columns, file: FileLifetime) -> Column | None:
    number = file.data_sequence_number.value
    return None if number is None else columns.of(number, file.added_snapshot_id)


def _draw_data(page: Page, columns: Columns, row: Row) -> None:
    file, theme = row.file, page.theme
    born, counted = _born(columns, file), _counted(columns, file)
    reached = page.verdicts[id(file)].tone == "reached"
    start = born.x if born else counted.x if counted else columns.left
    _draw_bar(page, columns, row, start)
    dim = page.state(file) != "live" or page.verdicts[id(file)].tone == "out of scope"
    ink = theme.ink_3 if dim else theme.ink
    if counted and born and counted.x != born.x:
        dash = "solid" if file.data_sequence_number.rule != "unknown" else "2px,3px"
        page.path(Ink(ink, 1.6 if page.full else 1, dash=dash)).move(counted.x, row.y).line(born.x, row.y)
    if born and page.full:
        hollow = file.file_sequence_number.rule == "inherited"
        tick = Box(start - 2, row.y - _TICK / 2, start + 2, row.y + _TICK / 2)
        page.fills.append(Rectangle(tick, theme.page if hollow else ink, ink, 1.3))
    if counted:
        hollow = file.data_sequence_number.rule == "inherited"
        fill = theme.removed.fill if reached and not page.full else theme.page if hollow else ink
        edge = theme.removed.fill if reached and not page.full else ink
        page.symbols.append(
            Mark(counted.x, row.y, "circle", _DOT if page.full else _THIN_DOT, fill, edge, 2 if page.full else 1)
        )
    if page.full:
        _say_numbers(page, columns, row, born, counted)


def _say_numbers(page: Page, columns: Columns, row: Row, born: Column | None, counted: Column | None) -> None:
    """Beside the dot and in the bar, what the two numbers say where they differ or one is missing."""
    file, theme = row.file, page.theme
    if file.data_sequence_number.value is None:
        _say_left(page, columns, born.x - 9 if born else columns.left, row, "number unknown", theme.error)
        return
    if not counts_as_older(file) or counted is None or born is None:
        return
    _say_left(page, columns, counted.x - 9, row, f"counts as {file.data_sequence_number.value:,}", theme.ink)
    end = _end(page, columns, file)[0]
    operation = born.commit.operation if born.commit else None
    by = f" by {'an' if operation[0] in 'aeo' else 'a'} {operation}" if operation else ""
    wordings = [f"written at {born.number:,}{by}", f"written at {born.number:,}"]
    on_fill = theme.removed.on_fill if page.verdicts[id(file)].tone == "reached" else theme.ink
    fits = next((w for w in wordings if Type(SMALL, "").width(w) <= end - born.x - 16), "")
    if fits:
        page.text(born.x + 9, row.y, fits, Type(SMALL, on_fill))


def _say_left(page: Page, columns: Columns, x: float, row: Row, words: str, colour: str) -> None:
    """Words that end at x, if they have room right of the names."""
    style = Type(SMALL, colour)
    if x - style.width(words) >= columns.left - 2:
        page.canvas.text("page", x, row.y, words, style, "end")


def _end(page: Page, columns: Columns, file: FileLifetime) -> tuple[float, str]:
    """Where the bar of a file ends, and how: `removed`, `unknown`, or empty where it lives on."""
    state = page.state(file)
    if file.removal is not None:
        column = columns.of(file.removed_sequence_number, file.removed_snapshot_id)
        if column is not None:
            return column.x, "removed"
        if file.removal.sequence_number is None or state != "live":
            return (as_of_edge(page, columns) if file.is_on_line else columns.right), "unknown"
    if state == "live":
        return as_of_edge(page, columns), ""
    if state == "unknown":
        return as_of_edge(page, columns), "unknown"
    if state == "elsewhere" and not file.live_on:
        born = _born(columns, file)
        return (min(born.x + max(columns.pitch, 30), columns.right) if born else columns.right), "unknown"
    return columns.right, ""


def _draw_bar(page: Page, columns: Columns, row: Row, start: float) -> None:
    file, theme, verdict = row.file, page.theme, page.verdicts[id(row.file)]
    half = (_BAR if page.full else _THIN_BAR) / 2
    state, (end, how) = page.state(file), _end(page, columns, file)
    middle = min(end, as_of_edge(page, columns)) if state == "live" else start
    top, bottom = row.y - half, row.y + half
    outline = Ink(theme.edge if page.full else theme.kept_outline, 1.1, theme.page)
    if state == "elsewhere" or how == "unknown":
        outline = Ink(theme.edge, 1.1, theme.page, dash="3px,3px")
    if end > middle + 1:
        box = Box(max(start, middle), top, end, bottom)
        if outline.dash == "solid":
            page.fills.append(Rectangle(box, theme.page, outline.stroke, outline.width))
        else:
            page.path(outline).box(box)
    if middle > start:
        shares = {"out of scope": 0.28, "muted": 0.45 if page.selected else 0.6}
        plain = blend(theme.moved.fill, theme.page, shares.get(verdict.tone, 0.75))
        fill = theme.removed.fill if verdict.tone == "reached" else plain
        page.fills.append(Rectangle(Box(start, top, middle, bottom), fill))
        if file is page.selected:
            _draw_halo(page, Box(start, top, middle, bottom))
    elif file is page.selected:
        _draw_halo(page, Box(start, top, end, bottom))
    _draw_ending(page, row, end, how)


def _is_apart(page: Page, delete: FileLifetime) -> bool:
    """Whether a delete lies in another partition than what is selected, and does not reach beyond its own."""
    chosen = page.selected
    if chosen is None or "every file" in (delete.scope, chosen.scope):
        return False
    return (delete.spec_id, delete.partition) != (chosen.spec_id, chosen.partition)


def _draw_ending(page: Page, row: Row, x: float, how: str) -> None:
    theme = page.theme
    if how == "removed":
        page.symbols.append(
            Mark(x, row.y, "x-thin", 8 if page.full else 4, theme.ink_2, theme.ink_2, 2 if page.full else 1)
        )
    elif how == "unknown" and page.full:
        page.canvas.text("page", x - 9, row.y, "?", Type(12, theme.error, bold=True))


def _draw_halo(page: Page, box: Box) -> None:
    wide = Box(box.left - 5, box.top - 5, box.right + 5, box.bottom + 5)
    page.path(Ink(page.theme.halo, 4)).box(wide, 4)
    page.path(Ink(page.theme.ink, 1.6)).box(
        Box(wide.left + 2.5, wide.top + 2.5, wide.right - 2.5, wide.bottom - 2.5), 3
    )


# --- deletes ---------------------------------------------------------------------------------------------------------


def _draw_delete(page: Page, columns: Columns, row: Row) -> None:
    file, theme, verdict = row.file, page.theme, page.verdicts[id(row.file)]
    live, chosen = page.state(file) == "live", file is page.selected
    born, counted = _born(columns, file), _counted(columns, file)
    place = counted or born
    x = place.x if place else columns.left
    end, how = _end(page, columns, file)
    reaching = chosen or verdict.tone == "reached"
    line = theme.removed.fill if reaching else blend(theme.removed.fill, theme.page, 0.45)
    dash = "3px,3px" if how == "unknown" or page.state(file) == "elsewhere" else "solid"
    stroke = line if live else theme.kept_outline
    path = page.path(Ink(stroke, (2 if reaching else 1.2) if page.full else 1, dash=dash))
    mark = (_CHOSEN_PILL if chosen else _PILL) / 2 if page.full else _THIN_BAR
    if end > x + mark:
        path.move(x + mark, row.y).line(end, row.y)
    _draw_ending(page, row, end, how)
    filled = live and (reaching or page.selected is None)
    if not page.full:
        half = 4.0
        fill = theme.removed.fill if filled else theme.page
        edge = theme.removed.fill if live else theme.edge
        page.fills.append(Rectangle(Box(x - half, row.y - 3, x + half, row.y + 3), fill, edge, 1))
        if chosen:
            _draw_halo(page, Box(x - half, row.y - 3, x + half, row.y + 3))
        return
    if born and counted and born.x != counted.x:
        page.fills.append(Rectangle(Box(born.x - 2, row.y - 7, born.x + 2, row.y + 7), theme.page, stroke, 1.3))
    if chosen:
        page.path(Ink(theme.halo, 4)).box(Box(x - 19.5, row.y - 13.5, x + 19.5, row.y + 13.5), 10)
        page.path(Ink(theme.ink, 1.8, theme.page)).box(Box(x - 17, row.y - 11, x + 17, row.y + 11), 8)
    hue = theme.removed if live and not _is_apart(page, file) else theme.moved
    pill(page, x - _PILL / 2, row.y, file.kind, hue, filled=filled, wide=_PILL)
    if counted is None:
        _say_left(page, columns, x - 20, row, "number unknown", theme.error)


_LINE, _THIN_LINE = 2.4, 1.4
_MOST_FRONTS = 3  # more of them cross each other, and nobody sees which is whose
_PILL_REACH = 19.0  # pixels from the middle of a selected pill to its halo


def fronts(page: Page) -> Sequence[FileLifetime]:
    """The files whose fronts are drawn: the selected one; without one every live delete, where they are few."""
    if page.selected is not None:
        return (page.selected,)
    live = [file for file in page.timeline.files if file.kind != "data" and page.state(file) == "live"]
    return live if page.full and len(live) <= _MOST_FRONTS else ()


def draw_area(page: Page, columns: Columns, groups: Sequence[Group]) -> None:
    """What lies below all marks: the reached area, only where places tell age, and each front's way to its own mark."""
    for of in fronts(page):
        place = _edge(page, columns, of)
        if place is None:
            continue
        found = _in_scope(page, columns, groups, of)
        if of is page.selected:
            _draw_reached(page, columns, found)
        if of.kind != "data":
            _draw_way(page, groups, of, place, [row for row, _ in found])


def _draw_reached(page: Page, columns: Columns, found: Sequence[tuple[Row, float]]) -> None:
    if not columns.places_tell_age:
        page.footnotes.append(_backwards(columns))
        return
    path = page.path(Ink(fill=blend(page.theme.removed.fill, page.theme.page, 0.14)))
    for row, edge in found:
        left, right = (edge, columns.right) if row.file.kind != "data" else (columns.left, edge)
        if right > left:
            path.box(Box(left, row.top, right, row.bottom))


def _draw_way(
    page: Page, groups: Sequence[Group], of: FileLifetime, place: tuple[float, float], rows: Sequence[Row]
) -> None:
    """From the front, along all rows in scope, to the delete's own mark."""
    edge, x = place
    own = next(row for group in groups for row in group.rows if row.file is of)
    ends = [own.y, *(row.top for row in rows), *(row.bottom for row in rows)]
    chosen = of is page.selected
    line = page.path(Ink(page.theme.removed.fill, _LINE if chosen else _THIN_LINE))
    line.move(edge, min(ends)).line(edge, max(ends))
    if page.full:
        reach = _PILL_REACH if chosen else _PILL / 2
        line.move(edge, own.y).line(x + (reach if edge > x else -reach), own.y)


def draw_fronts(page: Page, columns: Columns, groups: Sequence[Group]) -> None:
    """The fronts at every row in scope, above all bars."""
    for of in fronts(page):
        half = (_LINE if of is page.selected else _THIN_LINE) / 2
        for row, edge in _in_scope(page, columns, groups, of):
            page.fills.append(Rectangle(Box(edge - half, row.top, edge + half, row.bottom), page.theme.removed.fill))


def _edge(page: Page, columns: Columns, of: FileLifetime) -> tuple[float, float] | None:
    """Where the front of a delete stands, and its column; of a data file, its column twice."""
    if page.state(of) == "elsewhere" or of.data_sequence_number.value is None:
        return None
    column = columns.of(of.data_sequence_number.value, of.added_snapshot_id)
    if column is None:
        return None
    edges = {"data": column.x, "equality deletes": column.left}
    return edges.get(of.kind, column.right), column.x


def _in_scope(page: Page, columns: Columns, groups: Sequence[Group], of: FileLifetime) -> list[tuple[Row, float]]:
    """Rows that a file can reach, or be reached by, whatever their numbers; and the edge that decides there."""
    place, own = _edge(page, columns, of), columns.of(of.data_sequence_number.value, of.added_snapshot_id)
    if place is None or own is None:
        return []
    found = []
    for row in (row for group in groups for row in group.rows):
        pair = (row.file, of) if of.kind == "data" else (of, row.file)
        if (row.file.kind == "data") is (of.kind == "data") or page.state(row.file) == "elsewhere":
            continue
        if page.scopes.places(*pair):
            edge = place[0]
            if of.kind == "data":
                edge = own.right if row.file.kind == "equality deletes" else own.left
            found.append((row, edge))
    return found


def _backwards(columns: Columns) -> str:
    """Why no area is drawn."""
    earlier = formats.count(columns.runs_backwards, "commit")
    why = f"{earlier} earlier by the clock than one before" if columns.runs_backwards else "some times are not known"
    return f"Sequence numbers decide, and times are no order here ({why}), so that the reached area is not drawn."
