"""Above a changelog's rows: which commit each column is, and how many rows each of them printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from ...model import formats
from ...model.changelog import words as changelog_words
from ...model.changelog.facts import CommitCounts
from ...model.changelog.words import Totals
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.theme import SYMBOLS
from . import hits as changelog_hits
from .chart import SMALL, Chart, OwnerStyle
from .layout import SIGNS, Column, Kind

_LINE = 17.0
_BARS = 64.0
_SLIVER = 2.0
_ABOVE: tuple[Kind, ...] = ("updated", "inserted", "carried over")
_BELOW: tuple[Kind, ...] = ("updated", "deleted", "carried over")


def draw(chart: Chart, top: float) -> float:
    """Heads, bars and numbers of all columns; the page pixel where they end."""
    y = _draw_heads(chart, top)
    for column in chart.columns.all:
        chart.boxes.append(Box(column.left, top, column.right, y - 4))
    if chart.changelog.counts is not None:
        y = _draw_bars(chart, y + 6)
        y = _draw_numbers(chart, y + 4)
    for column in chart.columns.all:
        hover = changelog_hits.column(chart.changelog, column, chart.counts(column))
        chart.sheet.cells.append(
            Rectangle(Box(column.left, top, column.right, y), meaning=chart.meaning(column), hover=hover)
        )
    return y


# --- heads -----------------------------------------------------------------------------------------------------------


def _draw_heads(chart: Chart, top: float) -> float:
    y = top + 10
    numbered = any(commit.snapshot.sequence_number for commit in chart.changelog.range.commits)
    head, small = Type(12, chart.sheet.theme.ink, bold=True), Type(SMALL, chart.sheet.theme.ink_2)
    ids = (("snapshot",), lambda c: _ids(chart, c), Type(SMALL, chart.sheet.theme.ink_3, mono=True))
    rows: list[tuple[Sequence[str], Callable[[Column], list[str]], Type]] = [
        (("sequence number", "sequence"), lambda c: _numbers(c), head),
        (("committed",), lambda c: _times(c), small),
        (("operation",), lambda c: _operations(c), small),
        (("ordinal",), lambda c: _ordinals(c), small),
        ids,
    ]
    if not numbered:
        rows = [(*ids[:2], replace(head, mono=True)), *rows[1:-1]]
    for labels, words, style in rows:
        is_operation = labels == ("operation",)
        if is_operation:
            _draw_symbols(chart, y)
        drawn = _draw_values(chart, y, words, style, indent=16.0 if is_operation else 0.0)
        if drawn or is_operation:
            _label(chart, y, labels)
            y += _LINE
    return y


def _label(chart: Chart, y: float, candidates: Sequence[str], style: Type | None = None) -> None:
    style = style or Type(SMALL, chart.sheet.theme.ink_2)
    chart.sheet.fit(chart.left, y, candidates, style, chart.columns.left - chart.left - 8)


def _numbers(column: Column) -> list[str]:
    if column.kind == "outside":
        return ["outside", "out"]
    found = [commit.snapshot.sequence_number for commit in column.commits if commit.snapshot.sequence_number]
    return [formats.span(found[0], found[-1]), f"{found[0]:,}"] if found else ["", ""]


def _ids(chart: Chart, column: Column) -> list[str]:
    if column.kind == "outside":
        return ["outside", "out"]
    if column.kind in ("no rows", "bin"):
        return [formats.count(len(column.commits), "commit"), f"{len(column.commits):,}"]
    short = chart.ids[column.commits[0].snapshot.snapshot_id]
    return [short, short.removeprefix("…")]


def _times(column: Column) -> list[str]:
    """When a commit was made, or the first of several."""
    at = column.commits[0].snapshot.committed_at if column.commits else None
    if at is None:
        return ["", ""]
    return [formats.moment(at), formats.day(at)]


def _operations(column: Column) -> list[str]:
    if column.kind == "outside":
        return ["the range", "range"]
    if column.kind in ("no rows", "bin"):
        return ["", ""]
    return [column.commits[0].snapshot.operation or "not recorded", ""]


def _ordinals(column: Column) -> list[str]:
    found = [commit.ordinal for commit in column.commits if commit.ordinal is not None]
    if not found:
        return ["none", "–"] if column.kind == "replace" else ["none", ""]
    return [formats.span(found[0], found[-1]), f"{found[0]:,}"]


def _draw_values(
    chart: Chart, y: float, words: Callable[[Column], list[str]], style: Type, *, indent: float = 0.0
) -> bool:
    """One line of the heads: all in full, else all in short, else every so many in short; whether any was drawn."""
    columns = chart.columns.all
    full = chart.columns.full
    candidates = [words(column) for column in columns]
    fits = [
        all(
            style.width(c[i]) <= column.width - (8 + indent if full else 4)
            for c, column in zip(candidates, columns, strict=True)
        )
        for i in (0, 1)
    ]
    if full:
        for column, (long, short) in zip(columns, candidates, strict=True):
            room = column.width - 8 - indent
            if long and room > 10:
                chart.sheet.fit(column.left + 4 + indent, y, [long, short], style, room)
        return True
    fits[0] = fits[0] and not indent  # a symbol lies in the middle, where the words would
    if not any(fits) and (style.mono or indent):
        return False
    index = 0 if fits[0] else 1
    widest = max((style.width(c[index]) for c in candidates), default=0.0)
    stride = 1 if any(fits) else math.ceil((widest + 8) / columns[0].width)
    drawn = False
    for column, found in list(zip(columns, candidates, strict=True))[::stride]:
        box = chart.sheet.canvas.box_of(column.middle, y, found[index], style)
        if found[index] and box.right <= chart.columns.right + 12 and box.left >= chart.columns.left - 6:
            chart.sheet.canvas.text("page", column.middle, y, found[index], style)
            drawn = True
    return drawn


def _draw_symbols(chart: Chart, y: float) -> None:
    theme, full = chart.sheet.theme, chart.columns.full
    for column in chart.columns.all:
        if column.kind in ("commit", "replace", "unread") and column.width >= 7:
            operation = column.commits[0].snapshot.operation
            x = column.left + 10 if full else column.middle
            hue = theme.operation(operation)
            size = 11 if column.width >= 14 else 7
            chart.sheet.symbols.append(Mark(x, y, SYMBOLS.get(operation, "hexagon"), size, hue.fill))


# --- counts ----------------------------------------------------------------------------------------------------------


def _parts(chart: Chart, column: Column) -> Totals:
    return changelog_words.totals(chart.changelog.mode, chart.counts(column))


def _sizes(chart: Chart, column: Column) -> tuple[list[tuple[Kind, int]], list[tuple[Kind, int]]]:
    """What came, upwards from the line, and what went, downwards."""
    totals = _parts(chart, column)
    copied = _copied(chart, column) if chart.changelog.mode in ("raw", "ownership") else 0
    inserted = totals.inserted - (copied if chart.changelog.mode == "ownership" else 0)
    n: dict[Kind, int] = {
        "updated": totals.updated, "inserted": inserted, "deleted": totals.deleted, "carried over": copied,
    }  # fmt: skip
    below = () if chart.changelog.mode == "ownership" else _BELOW  # what is live did not go
    return [(kind, n[kind]) for kind in _ABOVE if n[kind]], [(kind, n[kind]) for kind in below if n[kind]]


def _draw_bars(chart: Chart, top: float) -> float:
    """Rows of each column, those that came above a line and those that went below it, on one scale."""
    theme, columns = chart.sheet.theme, chart.columns.all
    sizes = [_sizes(chart, column) for column in columns]
    scaled = sizes + [_sizes(other, column) for other in _beside(chart) for column in other.columns.all]
    up = max((sum(n for _, n in above) for above, _ in scaled), default=0)
    down = max((sum(n for _, n in below) for _, below in scaled), default=0)
    if not up + down:
        return top - 6
    scale = _BARS / (up + down)
    line = top + 8 + max(up * scale, _SLIVER * 3 if up else 0.0)
    bottom = line + max(down * scale, _SLIVER * 3 if down else 0.0)
    for column, (above, below) in zip(columns, sizes, strict=True):
        wide = min(column.width - (8 if chart.columns.full else 1.5), 120.0)
        left = column.left + (4 if chart.columns.full else 0.75)
        for parts, sign in ((above, -1), (below, 1)):
            edge = line
            for kind, n in parts:
                end = edge + sign * max(n * scale, _SLIVER)
                box = Box(left, min(edge, end), left + wide, max(edge, end))
                _paint_bar(chart, column, kind, box)
                edge = end
        if column.kind in ("replace", "no rows") and chart.columns.full and not above:
            chart.sheet.fit(column.left + 4, line - 9, ["no rows", "none"], Type(SMALL, theme.ink_3), column.width - 6)
        if not column.unread:
            chart.sheet.path(Ink(theme.edge, 1)).move(column.left, line).line(column.right, line)
    owners = chart.changelog.mode == "ownership"
    _label(chart, line - 7 if not down else line, ("rows by owner", "rows") if owners else ("rows changed", "rows"))
    return bottom + 4


def _paint_bar(chart: Chart, column: Column, kind: Kind, box: Box) -> None:
    if chart.changelog.mode == "ownership" and kind != "carried over":
        owner_style(chart, column).painter(chart.sheet)(box)
    elif box.right - box.left >= 4:
        chart.paint(kind, box)
    else:
        chart.sheet.fills.append(Rectangle(box, chart.hue(kind).fill))


def owner_style(chart: Chart, column: Column) -> OwnerStyle:
    """How rows look that the commits of a column own; without words if they differ."""
    counts = chart.changelog.counts or {}
    owners: list[int | None] = [commit.snapshot.snapshot_id for commit in column.commits]
    if column.kind == "outside":
        owners = chart.columns.outside(counts)
    found = [(owner, counts[owner]) for owner in owners if owner in counts]
    styles = {chart.owner(owner, carried_over=_of_all(of)) for owner, of in found}
    return styles.pop() if len(styles) == 1 else OwnerStyle("", chart.sheet.theme.edge, chart.sheet.theme.ink, "")


def _of_all(counts: CommitCounts) -> bool | None:
    """Whether the rows that an owner did not carry over were written by it, or that is not known."""
    return None if counts.not_known else counts.carried_over == counts.printed


def _draw_numbers(chart: Chart, top: float) -> float:
    """The same as exact numbers, as far as columns have room for them."""
    columns = chart.columns.all
    theme, y = chart.sheet.theme, top + 6
    rows = _rows_of_numbers(chart)
    for word, kind, numbers in rows:
        if not any(numbers) and word not in _rows_with_numbers(chart.beside):
            continue
        owners = chart.changelog.mode == "ownership"
        colour = theme.ink_2 if owners else chart.hue(kind).text
        style = Type(SMALL, colour, bold=not owners)
        written = [_number(chart, n, column, style) for n, column in zip(numbers, columns, strict=True)]
        if None in written:
            tallest = max(numbers)
            _label(chart, y, [f"{word}, at most {tallest:,}", f"{word} ≤ {formats.compact(tallest)}", word], style)
            y += _LINE
            continue
        _label(chart, y, [word if owners else f"{SIGNS[kind]} {word}"], style)
        for text, column in zip(written, columns, strict=True):
            if text and chart.columns.full:
                chart.sheet.text(column.left + 4, y, text, style)
            elif text:
                chart.sheet.canvas.text("page", column.middle, y, text, style)
        y += _LINE
    return y


def _rows_of_numbers(chart: Chart) -> list[tuple[str, Kind, list[int]]]:
    totals = [_parts(chart, column) for column in chart.columns.all]
    if chart.changelog.mode == "ownership":
        copied = [_copied(chart, column) for column in chart.columns.all]
        return [
            ("live rows", "inserted", [t.inserted for t in totals]),
            ("carried over", "carried over", copied),
        ]
    return [
        ("inserted", "inserted", [t.inserted for t in totals]),
        ("updated", "updated", [t.updated for t in totals]),
        ("deleted", "deleted", [t.deleted for t in totals]),
        ("carried over", "carried over", [t.carried_over or 0 for t in totals]),
    ]


def _copied(chart: Chart, column: Column) -> int:
    return sum(one.carried_over or 0 for one in chart.counts(column))


def _beside(chart: Chart) -> list[Chart]:
    return [] if chart.beside is None else [chart.beside]


def _rows_with_numbers(chart: Chart | None) -> set[str]:
    return set() if chart is None else {word for word, _, numbers in _rows_of_numbers(chart) if any(numbers)}


def _number(chart: Chart, n: int, column: Column, style: Type) -> str | None:
    """The number as it fits; empty for none, None if there is no room."""
    if not n:
        return ""
    room = column.width - (6 if chart.columns.full else 3)
    return next((text for text in (f"{n:,}", formats.compact(n)) if style.width(text) <= room), None)
