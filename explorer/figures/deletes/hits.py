"""What the pointer is told about deletes, and the marks of a selected delete, file, or pair: ring, halo, clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...model import formats
from ...model.deletes import partition_words
from ...model.deletes import words as deletes_words
from ...model.deletes.facts import DeleteFront, Deletes, LiveDelete, LiveFile, PartitionDeletes
from ...model.iceberg.delete_scope import DataFile, DeleteFile, DeleteKey, Verdict
from ...model.iceberg.inheritance import ContentKind
from ...model.words import UNITS, holds, partition_name
from ..page.hits import CHECKLIST_LINE, CHECKLIST_LINES, Line, checklist, elsewhere, halo, ring, view_meaning
from ..page.names import file_names
from ..page.scene import Box, Scene, Selection, Type
from ..page.text import cut, escape, shorten
from ..page.theme import Theme
from .layout import delete_place, partition_place


def _lines(head: str, *lines: str) -> str:
    shown = [f"<b>{escape(cut(head))}</b>", *(escape(cut(line)) for line in lines if line)]
    return "<br>".join(shown)


def _path(live: LiveDelete) -> str:
    offset = live.file.content_offset
    return live.file.file_path + ("" if offset is None else f" at {offset:,}")


def pair(live: LiveDelete, file: LiveFile, verdict: Verdict) -> str:
    """A cell: the answer, both files, both numbers, the clause that decides; out of scope only why."""
    found = deletes_words.outcome(live.file, file.file, verdict)
    if found == "out of scope":
        return _lines(
            deletes_words.answer(found), f"decided by {verdict.decided_by}: {verdict.reason}", "click: select both"
        )
    number = file.file.data_sequence_number
    shown = "unknown" if number.value is None else f"{number.value:,}"
    return _lines(
        deletes_words.answer(found),
        f"{UNITS[live.file.kind]} {_path(live)}",
        f"data file {file.file.file_path}",
        f"reaches data {live.threshold} ({live.file.data_sequence_number.rule}); the file has {shown} ({number.rule})",
        f"decided by {verdict.decided_by}: {verdict.reason}",
        "click: select both",
    )


def delete(live: LiveDelete, data_files: int) -> str:
    """A row: a delete by itself."""
    out = ", ".join(f"{n:,} by {name}" for name, n in live.ruled_out.items())
    file = live.file
    return _lines(
        f"{UNITS[file.kind]}: {deletes_words.verdict_words(live, data_files)}",
        _path(live),
        f"{holds(file.kind, file.record_count)}, {formats.size(file.size_in_bytes)}; reaches data {live.threshold} of "
        f"{live.scope}",
        live.reason,
        f"ruled out: {out}" if out else "",
        "click: select",
    )


def run(live: LiveDelete, files: Sequence[LiveFile], found: str) -> str:
    """Neighbouring cells of one delete with the same outcome."""
    place = partition_name(files[0].file.spec_id, files[0].file.partition, with_spec=True)
    known = [n for f in files if (n := f.file.data_sequence_number.value) is not None]
    span = deletes_words.numbers(min(known, default=None), max(known, default=None))
    return _lines(
        f"{found}: {formats.count(len(files), 'data file')} of {place}",
        f"data sequence numbers {span}; the delete reaches {live.threshold}",
        f"{UNITS[live.file.kind]} {_path(live)}",
        "click: select the delete",
    )


def file(live: LiveFile, to_apply: str) -> str:
    """A column: a data file by itself."""
    return _lines(
        f"data file: {to_apply} to apply when it is read",
        live.file.file_path,
        deletes_words.about_file(live),
        "click: select",
    )


def partition(spec_id: int, name: str, files: int, rows: int, span: str, click: str) -> str:
    """The head of a partition."""
    place = partition_name(spec_id, name, with_spec=True)
    return _lines(place, f"{formats.count(files, 'data file')}, {formats.count(rows, 'row')}", f"numbers {span}", click)


def partition_row(deletes: Deletes, row: PartitionDeletes, click: str) -> str:
    """A partition told in sums."""
    files = ("≥ " if deletes.lacks_data_files else "") + formats.count(row.files, "data file")
    span = f", numbers {deletes_words.numbers(row.oldest, row.newest)}" if row.files else ""
    kinds: dict[ContentKind, list[DeleteFront]] = {}
    for front in row.fronts:
        kinds.setdefault(front.kind, []).append(front)
    lying = [
        f"{formats.count(row.count(kind), UNITS[kind])} {partition_words.fronts_words(fronts)}"
        for kind, fronts in kinds.items()
    ]
    counts = partition_words.counts(deletes, [row])
    return _lines(
        deletes.naming.names(row)[0],
        f"{files}{span}",
        "; ".join(lying),
        f"{counts.reach} reach a data file, {counts.nothing} reach nothing: {partition_words.why(row)}"
        if lying
        else "",
        "by number they were not counted here" if row.numbers is None and row.fronts else "",
        click,
    )


_RULE = "A delete applies if every clause holds."
_HINT = "Click a cell for its clauses, a delete or a data file for its account."
_RULE_IN_SUMS = f"{_RULE} Numbers count deletes."
_HINT_IN_SUMS = "Click a partition for its own pairs."
_MARKS = {True: "✓", False: "✕", None: "?"}


def selection(
    scene: Scene, deletes: Deletes, *, selected_delete: DeleteKey | None = None, selected_file: str | None = None
) -> Selection:
    """The marks in a drawing of these deletes; cheap, since every place is read from it.

    A delete has its row ringed, a data file its column, both their cell, with its clauses as a checklist. One that is
    told together with others is ringed with them; one that is not in the picture is named.
    """
    meta, theme, delete, path = scene.meta, scene.theme, selected_delete, selected_file
    live = next((d for d in deletes.deletes if d.file.key == delete), None)
    file = next((f for f in deletes.data_files if f.file.file_path == path), None)
    row = _row(meta, delete, live)
    column = _column(meta, path)
    row_of_file = meta["rows"].get(_place(file.file)) if file and meta["sums"] else None
    box = _box(meta, row or row_of_file, column)
    missing, leads = _missing(meta, delete, path, (live, file), (row, column or row_of_file))
    room = meta["room"]
    x, y = room[0], room[1] + CHECKLIST_LINE * CHECKLIST_LINES + 4
    shown = shorten(missing, 11.5, room[2], bold=True) if missing else ""
    hover = "click: go there" if leads else "only what is live at this snapshot is drawn"
    words = _about(deletes, theme, live, file) if live or file else _hint(theme, in_sums=meta["sums"])
    lines = [] if meta["bare"] else words
    layers = (
        ring([] if box is None else [box.around(1)], theme),
        elsewhere(x, y, shown, view_meaning("") if leads else "", hover, theme),
        checklist(lines, room, _HINT_IN_SUMS if meta["sums"] else _HINT),
    )
    return Selection(halo(None if box is None else box.around(3), theme, filled=row is None or column is None), layers)


def _row(meta: Mapping[str, Any], key: DeleteKey | None, live: LiveDelete | None) -> Sequence[float] | None:
    rows = meta["rows"]
    found = rows.get(delete_place(key)) if key else None
    return found or (rows.get(_place(live.file)) if live else None)


def _place(file: DataFile | DeleteFile) -> str:
    """The row of the partition of a file, where partitions are told in sums."""
    return partition_place(file.spec_id, file.partition)


def _column(meta: Mapping[str, Any], path: str | None) -> Sequence[float] | None:
    found: Sequence[float] | None = meta["columns"].get(path) if path else None
    return found


def _box(meta: Mapping[str, Any], row: Sequence[float] | None, column: Sequence[float] | None) -> Box | None:
    left, top, right, bottom = meta["area"]
    if row is None and column is None:
        return None
    across = (left, right) if column is None else column
    down = (top, bottom) if row is None else row
    return Box(across[0], down[0], across[1], down[1])


def _missing(
    meta: Mapping[str, Any],
    delete: DeleteKey | None,
    path: str | None,
    lifetimes: tuple[LiveDelete | None, LiveFile | None],
    places: tuple[Sequence[float] | None, Sequence[float] | None],
) -> tuple[str, bool]:
    """Words about what is selected and has no place, and whether the whole picture has one."""
    for key, live, place in ((delete and delete[0], lifetimes[0], places[0]), (path, lifetimes[1], places[1])):
        if key and place is None:
            leads = live is not None and bool(meta["view"])
            name = key.rsplit("/", 1)[-1]
            return f"selected {name}: {'not in view ▸' if leads else 'not in this picture'}", leads
    return "", False


# --- what is said ----------------------------------------------------------------------------------------------------


def _hint(theme: Theme, *, in_sums: bool) -> list[Line]:
    rules = [[(20, name, theme.ink_2, True), (150, words, theme.ink_2, False)] for name, words in deletes_words.RULES]
    rule, hint = (_RULE_IN_SUMS, _HINT_IN_SUMS) if in_sums else (_RULE, _HINT)
    return [[(0, rule, theme.ink, False), (Type(12, "").width(rule) + 5, hint, theme.ink, False)], *rules]


def _about(deletes: Deletes, theme: Theme, live: LiveDelete | None, file: LiveFile | None) -> list[Line]:
    if live and file:
        pair = next(
            (p for p in deletes.pairs if p.delete == live.file.key and p.data_path == file.file.file_path), None
        )
        return _checklist(deletes, theme, live, file, pair.verdict if pair else None)
    if live:
        head = file_names(of.file.key for of in deletes.deletes)[live.file.key]
        lines = deletes_words.about_delete(live, deletes.data_file_count)
    elif file:
        head = _short(deletes, file)
        lines = [deletes_words.about_file(file), _applied(deletes, file)]
    return [
        [(0, head, theme.ink, True)],
        *([(0, line, theme.ink_2, False)] for line in lines),
    ]


def _checklist(deletes: Deletes, theme: Theme, live: LiveDelete, file: LiveFile, verdict: Verdict | None) -> list[Line]:
    """A delete on a data file, clause by clause."""
    name = f"{file_names(of.file.key for of in deletes.deletes)[live.file.key]} on {_short(deletes, file)}"
    if verdict is None:
        words = "told in sums here: ask for the partition alone to see this pair's clauses"
        return [[(0, name, theme.ink, True)], [(0, words, theme.ink_2, False)]]
    found = deletes_words.answer(deletes_words.outcome(live.file, file.file, verdict))
    colours = {True: theme.ok, False: theme.removed.text, None: theme.error}
    lines: list[Line] = [[(0, f"{name}: {found}", theme.ink, True)]]
    for clause in verdict.clauses:
        decides = clause.name == verdict.decided_by
        lines.append(
            [
                (0, _MARKS[clause.holds], colours[clause.holds], True),
                (20, clause.name, theme.ink if decides else theme.ink_2, decides),
                (150, clause.words, theme.ink if decides else theme.ink_2, decides),
            ]
        )
    return lines


def _short(deletes: Deletes, file: LiveFile) -> str:
    return file_names((f.file.file_path, None) for f in deletes.data_files)[file.file.file_path, None]


def _applied(deletes: Deletes, file: LiveFile) -> str:
    """The deletes that are applied when a data file is read."""
    names = file_names(of.file.key for of in deletes.deletes)
    here = [p for p in deletes.pairs if p.data_path == file.file.file_path]
    found = [names[p.delete] for p in here if p.verdict.applies]
    words = deletes_words.to_apply(deletes, file, any(p.verdict.applies is None for p in here))
    listed = f": {', '.join(found)}" if found else ""
    return f"deletes to apply when it is read: {words}{listed}"
