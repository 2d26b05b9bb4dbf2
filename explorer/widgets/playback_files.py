"""The live files of a step and what each delete reaches, as HTML tables. Everything from the table is escaped."""

from __future__ import annotations

from collections.abc import Sequence

from ..figures.page.text import shorten
from ..model import formats
from ..model.deletes import words as deletes_words
from ..model.deletes.facts import Deletes, LiveDelete, LiveFile
from ..model.evidence import unreadable_list
from ..model.iceberg.delete_scope import Verdict
from .files import as_read
from .markup import text

_MOST_FILES, _MOST_DELETES = 12, 4
_NAME_WIDTH = 190.0  # pixels


def files_and_deletes(deletes: Deletes, *, selected: str = "") -> str:
    """A row per live data file, with its number and, for each live delete, whether it applies and by which clause.

    Args:
        deletes: of the snapshot.
        selected: path of the data file whose name is set in bold.
    """
    if deletes.unreadable:
        return f"<p>{text(unreadable_list(deletes.unreadable))}</p>"
    columns, files = deletes.deletes[:_MOST_DELETES], deletes.data_files[:_MOST_FILES]
    heads = [
        "live data file",
        "rows",
        "data sequence number",
        *map(_delete, columns),
    ]
    lines = [_line(deletes, live, columns, selected) for live in files]
    left_out = [
        *_left_out(len(files), deletes.data_file_count, "data file"),
        *_left_out(len(columns), deletes.delete_count, "delete"),
    ]
    table = "".join(
        f"<tr>{''.join(cells)}</tr>"
        for cells in ([f'<th style="white-space: normal">{head}</th>' for head in heads], *lines)
    )
    return f"<table>{table}</table>" + "".join(f"<p>{text(sentence)}</p>" for sentence in left_out)


def _left_out(shown: int, total: int, unit: str) -> list[str]:
    if not total:
        return [f"No {unit} is live."]
    return [f"{shown:,} of {formats.count(total, f'live {unit}')} are shown."] if shown < total else []


def _delete(live: LiveDelete) -> str:
    file = live.file
    keys = f" by {', '.join(key.name for key in file.keys)}" if file.keys else ""
    return (
        f"{text(deletes_words.kind_words(file) + keys)}<br>{_name(file.file_path)}"
        f"<br>{as_read(file.data_sequence_number)}: reaches data {text(live.threshold)} in {text(live.scope)}"
    )


def _line(deletes: Deletes, live: LiveFile, columns: Sequence[LiveDelete], selected: str) -> Sequence[str]:
    path = live.file.file_path
    shown = _name(path)
    verdicts = {pair.delete: pair.verdict for pair in deletes.pairs if pair.data_path == path}
    cells = [
        f"{f'<b>{shown}</b>' if path == selected else shown} {text(live.file.partition)}",
        f"{live.file.record_count:,}",
        as_read(live.file.data_sequence_number),
        *(_verdict(verdicts.get(column.file.key)) for column in columns),
    ]
    return [f'<td style="padding-right: 12px">{cell}</td>' for cell in cells]


def _name(path: str) -> str:
    """The file's name, or its ends; the whole path where the mouse rests on it."""
    name = shorten(path.rsplit("/", 1)[-1], 12, _NAME_WIDTH, mono=True)
    return f'<code title="{text(path)}" style="white-space: nowrap">{text(name)}</code>'


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return "not compared: too many pairs"
    numbers = verdict.clause("sequence")
    if verdict.applies:
        return f"✓ <b>applies</b>: {text(numbers.words if numbers else verdict.reason)}"
    if verdict.applies is None:
        return f"? cannot be told: {text(verdict.reason)}"
    return f"✕ does not: {text(verdict.reason)}"
