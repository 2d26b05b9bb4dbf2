"""Deletes as rows, data files as columns, and in each cell the clause that decides; or, of many, only the outcome."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ...model import formats
from ...model.deletes import words as deletes_words
from ...model.deletes.facts import LiveDelete
from ...model.deletes.words import Outcome
from ...model.iceberg.delete_scope import ClauseName
from ...model.words import partition_name, partition_values
from ..page.fold import Part
from ..page.hits import view_meaning
from ..page.scene import Box, Ink, Rectangle, Type
from . import hits as deletes_hits
from .layout import FLOOR, SMALL, Column, Layout, Page, delete_place, number_of
from .rows import draw_ground, draw_label, draw_section, draw_verdict

_IN_WORDS: dict[ClauseName, tuple[str, ...]] = {
    "live": ("not live",), "spec": ("spec",), "partition": ("partition", "part"), "path": ("path",),
    "deletion vector": ("has DV", "DV"), "statistics": ("stats",),
}  # fmt: skip
_BARS = 34.0  # pixels of the bars that count deletes, where there is no room for numbers


def draw(page: Page, placed: Layout, top: float) -> float:
    """Heads, rows and sums from page pixel `top` down; the page pixel where they end."""
    y = _draw_heads(page, placed, top)
    section = ""
    for i, live in enumerate(placed.contents.deletes):
        title = "equality deletes" if live.file.kind == "equality deletes" else "position deletes and deletion vectors"
        if title != section:
            y, section = draw_section(page, title, y), title
        row = Box(20, y, page.width - 20, y + placed.pitch)
        page.rows[delete_place(live.file.key)] = [row.top, row.bottom]
        draw_ground(page, live.state, row)
        if not placed.words and i % 5 == 4:
            page.path(Ink(page.theme.grid, 1)).move(row.left, row.bottom).line(placed.right, row.bottom)
        draw_label(page, placed, live, row)
        _draw_cells(page, placed, live, row)
        draw_verdict(page, placed.margins, live, row)
        y = row.bottom
    page.bottom = y
    return _draw_sums(page, placed, y + 8)


# --- heads -----------------------------------------------------------------------------------------------------------


def _draw_heads(page: Page, placed: Layout, top: float) -> float:
    """Partitions and data files above their columns."""
    theme, margins = page.theme, placed.margins
    y = top + (38 if placed.several_specs or not placed.words else 22) if placed.columns else top
    ends = [*(columns[0].left - 6 for _, columns in placed.partitions[1:]), margins.end]
    for (key, columns), end in zip(placed.partitions, ends, strict=False):
        _draw_partition(page, key, columns, Box(columns[0].left, top, columns[-1].right, y), end, placed)
    if placed.columns and not placed.words:
        page.text(20, top + 24, "data sequence numbers", Type(SMALL, theme.ink_2))
    page.top = y + 4
    small = Type(SMALL, theme.ink_2)
    for column in placed.columns:
        page.columns[column.live.file.file_path] = [column.left, column.right]
    if placed.words and placed.columns:
        _draw_files(page, placed, y)
        room = margins.left - 30
        page.fit(20, y + 16, ["data files, oldest first in each partition", "data files"], small, room)
        page.text(20, y + 36, "data sequence number", small)
        y += 44
    for x, words in ((20.0, "delete file"), (margins.scope, "scope")):
        if x is not None:
            page.text(x, y + 14, words, small)
    page.canvas.text("page", margins.threshold, y + 14, "reaches", small, "end")
    page.fit(margins.verdict, y + 14, ["verdict"], small, margins.end - margins.verdict)
    return y + 24


def _draw_partition(
    page: Page, key: tuple[int, str], columns: Sequence[Column], box: Box, end: float, placed: Layout
) -> None:
    """The name of a partition, which may go on to `end`; with its spec where specs differ, or with its numbers."""
    theme, (spec_id, partition) = page.theme, key
    known = [n for c in columns if (n := c.live.file.data_sequence_number.value) is not None]
    span = deletes_words.numbers(min(known, default=None), max(known, default=None))
    spec = [f"spec {spec_id}"] if placed.several_specs else []
    room = end - box.left
    if room >= 34:
        head, under = Type(13 if placed.words else SMALL, theme.ink, bold=True), Type(SMALL, theme.ink_2)
        page.fit(
            box.left,
            box.top + 8,
            [partition_name(*key), partition_values(partition), placed.short[partition]],
            head,
            room,
        )
        lines = spec if placed.words else [" · ".join([*spec, span]), span]
        if lines and (placed.words or under.width(span) <= room):
            page.fit(box.left, box.top + 24, lines, under, room)
    page.rule(box.left + 1, box.right - 1, box.bottom)
    click = "" if placed.contents.part.opened or len(placed.partitions) == 1 else "click: this partition alone"
    rows = sum(c.live.file.record_count for c in columns)
    hover = deletes_hits.partition(spec_id, partition, len(columns), rows, span, click)
    meaning = view_meaning(Part.of_partition(*key)) if click else ""
    page.cells.append(Rectangle(Box(box.left, box.top - 4, box.right, box.bottom), meaning=meaning, hover=hover))


def _draw_files(page: Page, placed: Layout, top: float) -> None:
    """Names and numbers of the data files, each a place to select it."""
    theme = page.theme
    for column in placed.columns:
        room = column.right - column.left
        name = page.canvas.fitting([column.name], Type(FLOOR, theme.ink_2, mono=True), room - 3)
        if len(name) > 1 or len(column.name) == 1:
            page.canvas.text("page", column.middle, top + 16, name, Type(FLOOR, theme.ink_2, mono=True))
        number, bold = column.live.file.data_sequence_number.value, Type(13, theme.ink, bold=True)
        wordings = [number_of(column.live), *([formats.compact(number)] if number is not None else [])]
        page.canvas.text("page", column.middle, top + 36, page.canvas.fitting(wordings, bold, room - 3), bold)
        hover = deletes_hits.file(column.live, _sum(page, placed, column))
        meaning = page.pair_meaning(None, column.live.file.file_path)
        page.cells.append(Rectangle(Box(column.left, top + 4, column.right, top + 46), meaning=meaning, hover=hover))


# --- cells -----------------------------------------------------------------------------------------------------------


def _draw_cells(page: Page, placed: Layout, live: LiveDelete, row: Box) -> None:
    for _, columns in placed.partitions:
        outcomes = [_outcome(placed, live, column) for column in columns]
        for column, found in zip(columns, outcomes, strict=True):
            _draw_cell(page, placed, live, column, found, placed.cell(column, row))
        if not placed.words:
            _answer_for_runs(page, live, columns, outcomes, row)


def _outcome(placed: Layout, live: LiveDelete, column: Column) -> Outcome:
    file = column.live.file
    return deletes_words.outcome(live.file, file, placed.contents.verdicts[live.file.key, file.file_path])


def _draw_cell(page: Page, placed: Layout, live: LiveDelete, column: Column, found: Outcome, box: Box) -> None:
    radius = 3.0 if placed.words else 0.0
    if found != "out of scope":
        page.path(ink(page, found, thin=not placed.words)).box(box, radius)
    if not placed.words:
        return
    file = column.live
    verdict = placed.contents.verdicts[live.file.key, file.file.file_path]
    candidates = _candidates(live, column, found, verdict.decided_by)
    style = _style(page, found)
    room = box.right - box.left - 2
    words = next((words for words in candidates if style.width(words) <= room), candidates[-1])
    page.canvas.text("page", column.middle, (box.top + box.bottom) / 2, words, style)
    meaning = page.pair_meaning(live.file.key, file.file.file_path)
    page.cells.append(Rectangle(box, meaning=meaning, hover=deletes_hits.pair(live, file, verdict)))


def _candidates(live: LiveDelete, column: Column, found: Outcome, decided_by: ClauseName) -> Sequence[str]:
    """Wordings of what decides, from long to short; the numbers stand at row and column too."""
    if found == "corrupt":
        return "corrupt", "✕"
    if found == "unknown":
        return "unknown", "?"
    if found in ("reached", "too new"):
        compared = deletes_words.comparison(live.file, column.live.file)
        return compared, compared.replace(" ", ""), compared.split(" ")[1] if " " in compared else compared
    return _IN_WORDS[decided_by]


def _style(page: Page, found: Outcome) -> Type:
    theme = page.theme
    colours = {
        "reached": theme.removed.on_fill,
        "corrupt": theme.error,
        "unknown": theme.ink,
        "out of scope": theme.ink_3,
    }
    return Type(SMALL, colours.get(found, theme.ink_2), bold=found in ("reached", "corrupt"))


def ink(page: Page, found: Outcome, *, thin: bool = False) -> Ink:
    """How the edge and the ground of an outcome look; `thin` where cells are only some pixels wide."""
    theme = page.theme
    match found:
        case "reached":
            return Ink(fill=theme.removed.fill) if thin else Ink(theme.removed.fill, 1.2, theme.removed.fill)
        case "corrupt":
            return Ink(theme.error, 2, theme.page)
        case "unknown":
            return Ink(theme.edge, 1.4, theme.page, dash="2px,2px")
        case _:
            return Ink(theme.kept_outline, 0.8 if thin else 1.2, theme.page)


def _answer_for_runs(
    page: Page, live: LiveDelete, columns: Sequence[Column], outcomes: Sequence[Outcome], row: Box
) -> None:
    """One place that answers the pointer for neighbours with the same outcome, since cells are small and many."""
    i = 0
    for found, same in itertools.groupby(outcomes):
        run = columns[i : i + len(list(same))]
        i += len(run)
        if found == "out of scope":
            continue
        alone = run[0].live.file.file_path if len(run) == 1 else None
        box = Box(run[0].left, row.top, run[-1].right, row.bottom)
        hover = deletes_hits.run(live, [column.live for column in run], deletes_words.answer(found))
        page.cells.append(Rectangle(box, meaning=page.pair_meaning(live.file.key, alone), hover=hover))


# --- sums ------------------------------------------------------------------------------------------------------------


def _draw_sums(page: Page, placed: Layout, top: float) -> float:
    """Below each data file the deletes that are applied when it is read."""
    theme, margins = page.theme, placed.margins
    if not placed.columns:
        return top
    page.rule(margins.left, placed.right, top)
    plain = Type(12, theme.ink_2)
    middle = top + (18 if placed.words else _BARS / 2)
    page.fit(20, middle, ["deletes to apply when a file is read", "deletes to apply"], plain, margins.left - 34)
    page.fit(
        margins.verdict,
        middle,
        [deletes_words.pairs_words(page.deletes), f"{page.deletes.reached_pairs:,} pairs"],
        plain,
        margins.end - margins.verdict,
    )
    if placed.words:
        for column in placed.columns:
            room = column.right - column.left
            words = [found := _sum(page, placed, column), found.replace(" ", "")]
            bold = Type(13, theme.ink, bold=True)
            page.canvas.text("page", column.middle, middle, page.canvas.fitting(words, bold, room), bold)
        return top + 32
    most = max(column.live.reached_by for column in placed.columns)
    bars = page.path(Ink(fill=theme.removed.fill))
    for column in placed.columns:
        high = (_BARS - 6) * column.live.reached_by / max(most, 1)
        box = placed.cell(column, Box(0, top + 3, 0, top + 3))
        if high:
            bars.box(Box(box.left, top + 3, box.right, top + 3 + high))
        hover = deletes_hits.file(column.live, _sum(page, placed, column))
        meaning = page.pair_meaning(None, column.live.file.file_path)
        page.cells.append(Rectangle(Box(column.left, top + 1, column.right, top + _BARS), meaning=meaning, hover=hover))
    return top + _BARS + 4


def _sum(page: Page, placed: Layout, column: Column) -> str:
    unclear = column.live.file.file_path in placed.unclear
    return deletes_words.to_apply(page.deletes, column.live, unclear)
