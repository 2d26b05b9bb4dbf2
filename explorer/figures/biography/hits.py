"""What the pointer is told about a biography, and the marks of the selected commit and file."""

from __future__ import annotations

from ...model import formats
from ...model.biography import words
from ...model.biography.facts import Event, Stretch
from ...model.iceberg.writer import writer
from ..page.hits import elsewhere, halo, ring
from ..page.scene import Box, Scene, Selection
from ..page.text import cut, escape, shorten
from .page import Column

_LONGEST = 90


def _lines(*lines: str) -> str:
    return "<br>".join(line for line in lines if line)


def commit(column: Column) -> str:
    """A commit, or a move of main."""
    s = column.snapshot
    if column.move is not None:
        return _lines(
            f"<b>main was moved</b> to {s.snapshot_id}",
            f"{column.move.kind} at {formats.instant(column.move.at)}",
            f"from {column.move.from_id}",
        )
    return _lines(
        f"<b>snapshot</b> {s.snapshot_id}",
        f"{s.operation or 'operation not recorded'} · {formats.instant(s.committed_at)}",
        escape(cut(f"by {writer(s)}", _LONGEST)) if writer(s) else "",
        "" if column.on_first else "not on the line that was asked about",
    )


def event(of: Event) -> str:
    """An event with how it is known."""
    cells = "; ".join(map(str, of.changed[:3])) + (f"; and {len(of.changed) - 3:,} more" if len(of.changed) > 3 else "")
    when = f" at {words.at(of)}: {of.how}" if of.move is None else f"{words.manner(of)}: {words.at(of)}"
    return _lines(
        f"<b>{escape(words.happened(of))}</b>{escape(when)}",
        escape(cut(cells, _LONGEST)),
        escape(cut(of.row.file_path, _LONGEST)),
        f"position {of.row.position:,}",
        escape(cut(of.mask.delete_path, _LONGEST)) if of.mask else "",
        escape(cut(f"{of.certainty}: {of.reason}", _LONGEST)),
    )


def place(of: Stretch) -> str:
    """Where a row lay."""
    row = of.row
    return _lines(
        "" if of.shown else "<b>masked</b>",
        escape(cut(row.file_path, _LONGEST)),
        f"position {row.position:,}",
        f"row id {row.row_id:,}" if row.row_id is not None else "",
        "" if row.meets else "it did not meet the condition then",
        "click: the file",
    )


def doubt(of: Stretch) -> str:
    """Why it is not known whether a reader sees a row."""
    return _lines(
        f"<b>whether it can {'' if of.shown else 'still not '}be seen is not known</b>",
        words.DOUBT,
        escape(cut(of.row.file_path, _LONGEST)),
        f"position {of.row.position:,}",
    )


def delete(of: Event) -> str:
    """A delete that masked a row."""
    mask = of.mask
    if mask is None:
        return ""
    return _lines(
        f"<b>{mask.kind}</b>",
        escape(cut(mask.delete_path or "which one is not known", _LONGEST)),
        f"at byte {mask.content_offset:,}" if mask.content_offset is not None else "",
        f"data sequence number {mask.sequence_number:,}" if mask.sequence_number else "",
        "click: the delete",
    )


def selection(scene: Scene, *, selected: str | None = None, selected_file: str | None = None) -> Selection:
    """The marks in a drawing; cheap, since every place is read from it."""
    meta, theme = scene.meta, scene.theme
    files = [Box(*box) for box in meta["places"].get(f"file {selected_file}", ())] if selected_file else []
    columns = [Box(*box) for box in meta["places"].get(f"commit {selected}", ())] if selected else []
    band = Box(columns[0].left, columns[0].top, columns[0].right, meta["bottom"]) if columns else None
    words_of = ""
    if selected and not columns:
        why = "its events are folded away" if selected in meta["folded"] else "no event here"
        words_of = f"selected {formats.end_of_id(selected)}: {why}"
    x, y, room = meta["elsewhere"]
    shown = shorten(words_of, 11.5, room, bold=True)
    told = elsewhere(x, y, shown, "", "only commits with an event of these rows are drawn", theme, side="left")
    return Selection(halo(band, theme), (ring(files, theme), told))
