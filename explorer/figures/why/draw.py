"""Why rows are masked, or are not: each row as Iceberg reads it, and as readers would who get the rule wrong."""

from __future__ import annotations

from ...model import formats
from ...model.why import words as why_words
from ...model.why.facts import MatchedRow, RowOutcome
from ...model.why.what_if import ReaderView, SeenRow, reader_views
from ..page import frame, text
from ..page.hits import Clicked, checklist, elsewhere, halo, meaning, ring
from ..page.names import file_names
from ..page.scene import Box, Ink, Rectangle, Scene, Selection, Type
from ..page.sheet import LAYERS_WITH_CHECKLIST as LAYERS  # deletes are drawn in the same place, which keeps its layers
from ..page.sheet import Sheet
from ..page.theme import Theme

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()

_HEAD, _CELL, _LINE = 44.0, 26.0, 17.0


def draw(outcome: RowOutcome, theme: Theme, *, name: str, selected_file: str | None = None, width: int = 1380) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        outcome: of the rows.
        theme: in which colours.
        name: the table's name for the second line.
        selected_file: path of the data file whose rows have ring and halo.
        width: of the page in pixels, at least 560. The height follows from the contents.
    """
    page = Sheet.of(theme, width)
    readings = reader_views(outcome)
    y = frame.heading(
        page, why_words.title(outcome), why_words.circumstances(outcome, name), why_words.evidence(outcome)
    )
    boxes: dict[str, list[list[float]]] = {}
    if outcome.rows:
        y = frame.key(
            page,
            (
                ("seen", frame.swatch(page, theme.page, theme.kept_outline)),
                ("masked by a delete", frame.swatch(page, theme.removed.fill)),
                ("a what-if that differs", frame.swatch(page, theme.page, theme.attention.fill)),
            ),
            y + 14,
        )
        y = _rows(page, outcome, readings, boxes, y + 8)
    notes = [str(note) for note in (*why_words.cut(outcome), *outcome.notes) if note.certainty != "exact"]
    height = frame.foot(page, [], [_wrong(readings), *notes[:6]], y) + 10
    scene = page.scene(height, {"boxes": boxes, "right": page.width - 24})
    return scene.selecting(selection(scene, selected_file=selected_file))


def selection(scene: Scene, *, selected_file: str | None = None) -> Selection:
    """The marks of the selected data file in a drawing; cheap."""
    theme, boxes = scene.theme, [Box(*box) for box in scene.meta["boxes"].get(selected_file or "", ())]
    layers = ring(boxes, theme), elsewhere(0, 0, "", "", "", theme), checklist((), (0, 0, 0))
    return Selection(halo(boxes[0] if boxes else None, theme, filled=False), layers)


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing."""
    kind, rest = meaning(scene, layer, item)
    if kind != "row":
        return None
    file, _, delete = rest.partition("\n")
    path, _, offset = delete.rpartition(" ")
    return Clicked(file=file, delete=(path, int(offset) if offset else None) if path else None)


def _rows(
    page: Sheet, outcome: RowOutcome, readings: tuple[ReaderView, ...], boxes: dict[str, list[list[float]]], top: float
) -> float:
    theme = page.theme
    left = 20 + min(max(page.width * 0.36, 250), 470)
    each = (page.width - 24 - left) / len(readings)
    page.text(20, top + 12, "row", Type(11, theme.ink_2))
    for i, reader_view in enumerate(readings):
        x = left + i * each
        called = [reader_view.reading, reader_view.reading.replace("sequence ", "")]
        page.fit(x, top + 12, called, Type(12, theme.ink, bold=not reader_view.is_what_if), each - 8)
        what = ["what if"] if reader_view.is_what_if else ["what the table holds", "the table"]
        style = Type(11, theme.attention.text if reader_view.is_what_if else theme.ok)
        page.fit(x, top + 29, what, style, each - 8)
    y = top + _HEAD
    short = file_names((row.file_path, None) for row in outcome.rows)
    wrong = [set(why_words.differs(readings[0], reader_view)) for reader_view in readings]
    for i, row in enumerate(outcome.rows):
        start = y
        page.path(Ink(theme.grid, 1)).move(20, y).line(page.width - 24, y)
        y += 6
        values = ", ".join(f"{n} = {v}" for n, v in zip(outcome.columns, row.values, strict=True))
        page.fit(20, y + 11, [text.shorten(values, 12, left - 36)], Type(12, theme.ink, mono=True), left - 36)
        number = row.file.data_sequence_number.value if row.file else None
        place = f"{short[row.file_path, None]}, position {row.position:,}, number {formats.count(number)}"
        page.fit(20, y + 29, [text.shorten(place, 11, left - 36)], Type(11, theme.ink_2), left - 36)
        for n, reader_view in enumerate(readings):
            box = Box(left + n * each, y, left + (n + 1) * each - 8, y + _CELL)
            _cell(page, row, reader_view, reader_view.rows[i], box, loud=f"{row.file_path} {row.position}" in wrong[n])
        y += 44
        for line in text.wrap(row.reason, 12, page.width - 60, lines=3):
            page.text(20, y + 6, line, Type(12, theme.ink_2))
            y += _LINE
        y += 4
        boxes.setdefault(row.file_path, []).append([14, start + 2, page.width - 18, y])
    return y


def _cell(page: Sheet, row: MatchedRow, reader_view: ReaderView, seen: SeenRow, box: Box, *, loud: bool) -> None:
    theme = page.theme
    masked = seen.seen is False
    fill, ink = (theme.removed.fill, theme.removed.on_fill) if masked else (theme.page, theme.ink)
    stroke = theme.attention.fill if loud else theme.removed.fill if masked else theme.kept_outline
    key = seen.by.delete.key if seen.by else None
    delete = f"{key[0]} {'' if key[1] is None else key[1]}" if key else ""
    hover = "<br>".join(text.escape(line) for line in (row.reason, *(d.words for d in row.deletes[:4])))
    page.cells.append(
        Rectangle(box, fill, stroke, 3 if loud else 1.2, meaning=f"row {row.file_path}\n{delete}", hover=hover)
    )
    style = Type(12, ink, bold=loud)
    words = page.canvas.fitting(why_words.cell(reader_view, seen), style, box.right - box.left - 12)
    page.canvas.text("page", (box.left + box.right) / 2, (box.top + box.bottom) / 2, words, style)


def _wrong(readings: tuple[ReaderView, ...]) -> str:
    labels = " ".join(reader_view.label for reader_view in readings if reader_view.is_what_if)
    return f"What-ifs are computed here and held by no table. {labels}"
