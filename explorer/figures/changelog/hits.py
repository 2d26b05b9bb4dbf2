"""What the pointer is told in a changelog, and the marks of the selected commit: a band along its column, a ring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model import formats
from ...model.changed_cells import ChangedCell
from ...model.changelog import words as changelog_words
from ...model.changelog.facts import ChangedRow, Changelog, CommitCounts
from ...model.changelog.words import Totals
from ...model.iceberg.commit_range import NumberedCommit
from ..page.hits import elsewhere, halo, ring, view_meaning
from ..page.scene import Box, Scene, Selection
from ..page.text import cut, escape, shorten
from .chart import Chart
from .layout import Cell, Change, Column


def column(changelog: Changelog, column: Column, counts: Sequence[CommitCounts]) -> str:
    """A commit or several: what, ids, numbers, operation and time, rows, what a click does."""
    rows = _rows(changelog, counts)
    if column.kind == "outside":
        owners = formats.count(len(counts), "owner")
        return f"<b>{owners} not in the range</b><br>{rows}<br>the data lists them row by row"
    if len(column.commits) > 1 or column.opens:
        first, last = column.commits[0].snapshot, column.commits[-1].snapshot
        what = formats.count(len(column.commits), "commit")
        lines = [f"<b>{what}</b>", f"{first.snapshot_id} to {last.snapshot_id}"]
        return "<br>".join([*lines, _ordinals(column.commits), rows, "click: open them"])
    commit = column.commits[0]
    lines = [f"<b>snapshot {commit.snapshot.snapshot_id}</b>", escape(cut(_numbers(commit)))]
    lines.append(formats.instant(commit.snapshot.committed_at))
    reason = next((u.reason for u in changelog.unread if u.commit == commit), "")
    if reason:
        lines.append(escape(cut(f"unknown: {reason}")))
    else:
        lines.append("a replace changes no row" if column.kind == "replace" and not counts else rows)
    return "<br>".join([*lines, "click: select"])


def name(key: str) -> str:
    """A key alone."""
    return f"<b>{escape(cut(key))}</b><br>click: select the row"


def cell(key: str, cell: Cell, column: Column) -> str:
    """What happened to a row in a commit."""
    lines = [f"<b>{escape(cut(key))}</b>"]
    lines += [escape(cut(words)) for change in cell.changes[:3] for words in _change(change)][:3]
    if len(column.commits) > 1:
        return "<br>".join([*lines, f"in {formats.count(len(column.commits), 'commit')}", "click: open them"])
    commit = column.commits[0]
    numbers = f"{commit.snapshot.snapshot_id}, {escape(_numbers(commit))}"
    return "<br>".join([*lines, numbers, "click: select the row"])


def owned(row: ChangedRow, state: str) -> str:
    """A live row and its owner."""
    where = f"ordinal {row.ordinal:,}" if row.ordinal is not None else f"no ordinal: {state}"
    who = "owner not recorded" if row.snapshot_id is None else f"owned by {row.snapshot_id}"
    carried = ["which only carried it over: new file, same values"] if row.carried_over else []
    about = [f"<b>{escape(cut(row.key))}</b>", escape(cut(row.text)), f"{who}, {where}", *carried]
    return "<br>".join([*about, "click: select the row"])


def totals_words(totals: Totals) -> list[str]:
    """`3 inserted`, … of what there is."""
    counts = ((totals.inserted, "inserted"), (totals.updated, "updated"), (totals.deleted, "deleted"))
    return [f"{n:,} {word}" for n, word in counts if n] + (
        [f"{totals.carried_over:,} carried over"] if totals.carried_over else []
    )


def _rows(changelog: Changelog, counts: Sequence[CommitCounts]) -> str:
    if changelog.counts is None:
        return "rows not read"
    if changelog.mode == "ownership":
        copied = sum(one.carried_over or 0 for one in counts)
        owns = f"owns {formats.count(sum(one.printed for one in counts), 'live row')}"
        return f"{owns}, {copied:,} of them carried over" if copied else owns
    return ", ".join(totals_words(changelog_words.totals(changelog.mode, counts))) or "no row"


def _change(change: Change) -> list[str]:
    """A line, or one for each cell that changed."""
    many = f"{change.count:,} × " if change.count > 1 else ""
    match change.kind:
        case "updated" if change.cells:
            first, *others = change.cells
            names = ", ".join(changed.column for changed in others)
            more = [f"{formats.count(len(others), 'more cell')}: {names}"] if len(others) > 1 else map(_cell, others)
            return [f"{many}updated: {_cell(first)}", *more]
        case "updated" if change.before:
            return [f"{many}updated: {change.before} → {change.after}"]
        case "updated":
            return [f"{many}updated to: {change.after}"]
        case "update before":
            return [f"{many}updated from: {change.before}"]
        case kind:
            return [f"{many}{kind}: {change.after or change.before}"]


def _cell(changed: ChangedCell) -> str:
    """With both of its values, whichever is long."""
    return f"{changed.column}: {cut(changed.before, 40)} → {cut(changed.after, 40)}"


def _numbers(commit: NumberedCommit) -> str:
    ordinal = "no ordinal" if commit.ordinal is None else f"ordinal {commit.ordinal:,}"
    number = f", sequence number {commit.snapshot.sequence_number:,}" if commit.snapshot.sequence_number else ""
    return f"{commit.snapshot.operation or 'operation not recorded'}, {ordinal}{number}"


def _ordinals(commits: Sequence[NumberedCommit]) -> str:
    found = [commit.ordinal for commit in commits if commit.ordinal is not None]
    replaced = len(commits) - len(found)
    parts = [f"ordinals {formats.span(found[0], found[-1])}"] if found else []
    return ", ".join(parts + ([f"{replaced:,} replace"] if replaced else []))


def places(charts: Sequence[Chart], y: float) -> dict[str, Any]:
    """What `selection` needs of a drawing: heads by snapshot id, and which snapshots this view leaves out.

    Args:
        charts: all that were drawn.
        y: page pixel of the words about a selected commit that is not in view.
    """
    boxes: list[list[float]] = []
    column_of: dict[str, list[int]] = {}
    hidden = []
    for chart in charts:
        known = [commit.snapshot.snapshot_id for commit in chart.changelog.range.commits]
        known += [i for i in chart.columns.outside(chart.changelog.counts or {}) if i is not None]
        for snapshot_id in known:
            place = chart.columns.place(snapshot_id)
            if place is None:
                hidden.append(str(snapshot_id))
            else:
                column_of.setdefault(str(snapshot_id), []).append(len(boxes) + place)
        for box in chart.boxes:
            boxes.append([*(round(edge, 1) for edge in box), round(chart.bottom, 1)])
    first = charts[0]
    return {
        "heads": boxes,
        "column_of": column_of,
        "rows": first.sheet.places,
        "hidden": hidden,
        "elsewhere": [first.left, y, first.sheet.width - 2 * first.left],
    }


def selection(scene: Scene, *, selected: str | None = None, row: str | None = None) -> Selection:
    """The marks in a drawing; cheap, since every place is read from it.

    Args:
        scene: of `draw` or `draw_side_by_side`.
        selected: snapshot id as text; one whose commit is told with others is marked with them.
        row: key of the row that gets a ring too, where it is drawn.
    """
    meta, theme = scene.meta, scene.theme
    found = [meta["heads"][i] for i in meta["column_of"].get(selected, ())] if selected else []
    x, y, room = meta["elsewhere"]
    words = meaning = hover = ""
    if selected and not found:
        hidden = selected in meta["hidden"]
        whole = f"selected {formats.end_of_id(selected)}: {'not in view ▸' if hidden else 'not in this range'}"
        words = shorten(whole, 11.5, room, bold=True)
        meaning, hover = (
            (view_meaning(""), "click: go there") if hidden else ("", "only commits of the range are drawn")
        )
    heads = [Box(left, top, right, low) for left, top, right, low, _ in found]
    rows = [Box(*box) for box in meta["rows"].get(row, ())]
    band = Box(found[0][0], found[0][1], found[0][2], found[0][4]) if found else None
    return Selection(halo(band, theme), (ring([*heads, *rows], theme), elsewhere(x, y, words, meaning, hover, theme)))
