"""What the pointer is told of partitions, what a click or a drag on them means, and the marks of what is selected."""

from __future__ import annotations

import bisect

from ...model import formats
from ...model.partitions import words
from ...model.partitions.facts import Partition, Partitions
from ...model.words import partition_name
from ..page import hits
from ..page.fold import Part
from ..page.hits import Clicked, commit_meaning, elsewhere, halo, ring, view_meaning
from ..page.scene import Box, Scene, Selection
from ..page.text import cut, escape, shorten
from .layout import Layout, Shown

Window = tuple[str, str]
"""Ids, as text, of two commits of the line, the older one first: from the one to the other, both too."""


# --- what is told ----------------------------------------------------------------------------------------------------


def cell(layout: Layout, row: int, column: int, by: int) -> str:
    """What a row holds after a commit, until the next one that changes it."""
    sums, place = layout.found.sums, (row, column)
    rows = f"{formats.count(int(sums.record_count[place]), 'row')}, {words.masked(sums, place)} of them masked"
    deletes = f"{formats.count(int(sums.delete_files[place]), 'delete file')}"
    files = f"{formats.count(int(sums.data_files[place]), 'data file')}, {formats.size(int(sums.size_in_bytes[place]))}"
    lines = [_name(layout, row), rows, f"{files}; {deletes}"]
    if by >= 0:
        lines.append(f"since {_commit(layout.facts, by)}")
    lines.append("click: select, shift-click: a window up to here")
    return _lines(lines)


def row(layout: Layout, number: int) -> str:
    """A row by itself: what it holds after the last column."""
    sums, place = layout.found.sums, (number, -1)
    live = f"{words.bound(sums, place)}{words.amount('live rows', int(sums.live_rows[place]))}"
    now = f"{live}, {formats.size(int(sums.size_in_bytes[place]))}"
    several = layout.shown.rows[number].count > 1
    return _lines([_name(layout, number), now, "click: open it" if several else "click: select it"])


def hole(layout: Layout, first: int, end: int) -> str:
    """Columns after whose commits it is not known what lives."""
    facts, of = layout.facts, layout.columns.items
    commits = [n for n in range(of[first].first, of[end - 1].last + 1) if n in facts.unreadable]
    reasons = [f"{words.commit_name(facts, facts.commits[n])}: {facts.unreadable[n]}" for n in commits[:3]]
    return _lines([f"not known after {formats.count(len(commits), 'commit')}", *reasons])


def column(layout: Layout, number: int) -> str:
    """The commits of a column, and what they changed."""
    facts, of = layout.facts, layout.columns.items[number]
    change = int(layout.change[number])
    if of.last < of.first:
        return _lines([f"no commit in this {layout.columns.unit}"])
    count = of.last - of.first + 1
    head = _commit(facts, of.last) if count == 1 else f"{count:,} commits, the last one: {_commit(facts, of.last)}"
    sign = "+" if change >= 0 else "−"
    lines = [head, f"{sign}{words.amount(layout.measure, abs(change))}"]
    if layout.since_unknown[number]:
        lines[1] += " since what was last known" if layout.span[0] or number else ", what was there before too"
    if layout.known[number] < 0:
        lines[1] = "what lives is not known"
    return _lines([*lines, "click: select, shift-click: a window up to here"])


def _name(layout: Layout, number: int) -> str:
    of = layout.shown.rows[number]
    if of.count > 1:
        return f"{of.name}: {formats.count(of.count, 'partition')}"
    return words.name_of(layout.facts, layout.shown.places[of.first])


def _commit(facts: Partitions, place: int) -> str:
    snapshot = facts.commits[place]
    number = f"{snapshot.sequence_number:,}, " if snapshot.sequence_number else ""
    return f"{number}snapshot {snapshot.snapshot_id}, {formats.instant(snapshot.committed_at)}"


def _lines(lines: list[str]) -> str:
    head, *more = (escape(cut(line)) for line in lines)
    return "<br>".join([f"<b>{head}</b>", *more])


# --- what is meant ---------------------------------------------------------------------------------------------------


def cell_meaning(layout: Layout, row: int, by: int) -> str:
    """What a click on a cell means: its commit, and its partition if it tells of one alone."""
    of = layout.shown.rows[row]
    if by < 0:
        return row_meaning(layout, row)
    snapshot_id = layout.facts.commits[by].snapshot_id
    if of.count > 1:
        return commit_meaning(snapshot_id)
    return f"cell {snapshot_id} {Part.of_partition(*_partition(layout, row)).opened}"


def row_meaning(layout: Layout, row: int) -> str:
    """What a click on a name means: the partition, or those that are told together one by one."""
    of = layout.shown.rows[row]
    if of.count > 1:
        return view_meaning(Part.of_range(0, of.first, of.end))
    return f"partition {Part.of_partition(*_partition(layout, row)).opened}"


def _partition(layout: Layout, row: int) -> Partition:
    return layout.facts.partitions[layout.shown.places[layout.shown.rows[row].first]]


def clicked(scene: Scene, layer: int, item: int) -> Clicked | None:
    """What a click on an item of a layer means; None if it means nothing."""
    kind, rest = hits.meaning(scene, layer, item)
    if kind == "cell":
        snapshot, _, partition = rest.partition(" ")
        return Clicked(snapshot=snapshot, partition=Part(opened=partition).partition)
    if kind == "partition":
        return Clicked(partition=Part(opened=rest).partition)
    return hits.clicked(scene, layer, item)


def dragged(scene: Scene, facts: Partitions, box: Box) -> tuple[Window, Partition | None] | None:
    """What a drag over cells means: the window of their commits, and their partition if it is one alone.

    None where the box covers no cell, or no commit.
    """
    meta, (left, right, step) = scene.meta, scene.meta["columns"]
    rows = [n for n, (top, low) in enumerate(meta["rows"]) if top < box.bottom and low > box.top]
    if not rows or box.right <= left or box.left >= right:
        return None
    starts = [meta["first"], *(end + 1 for end in meta["ends"])]
    from_, to = (min(max(int((x - left) // step), 0), len(meta["ends"]) - 1) for x in (box.left, box.right))
    first, last = starts[from_], meta["ends"][to]
    if last < first:
        return None
    shown = Shown.of(facts, meta["search"], meta["view"])
    members = [place for n in rows for place in shown.members(shown.rows[n])]
    window = str(facts.commits[first].snapshot_id), str(facts.commits[last].snapshot_id)
    return window, facts.partitions[members[0]] if len(members) == 1 else None


# --- what is selected ------------------------------------------------------------------------------------------------


def selection(
    scene: Scene,
    facts: Partitions,
    *,
    selected: str | None = None,
    partition: tuple[int, str] | None = None,
    window: Window | None = None,
) -> Selection:
    """The marks in a drawing: a band over a commit; a ring around a partition, a window, or what both have in common.

    Args:
        scene: of `draw`.
        facts: that it draws.
        selected: snapshot id as text; one that has no column is named.
        partition: spec id and partition; one that has no row is named.
        window: commits of the line.
    """
    meta, theme, missing = scene.meta, scene.theme, []
    place = {str(s.snapshot_id): n for n, s in enumerate(facts.commits)}
    left, right, step = meta["columns"]
    top, bottom = meta["band"]

    def column(commit: str) -> int | None:
        found = place.get(commit, -1)
        is_there = bool(meta["ends"]) and meta["first"] <= found <= meta["ends"][-1]
        return bisect.bisect_left(meta["ends"], found) if is_there else None

    at = column(selected) if selected else None
    if selected and at is None:
        where = "before or after what is drawn" if selected in place else "not on this line"
        missing.append(f"selected {formats.end_of_id(selected)}: {where}")
    x = [left, right]
    if window is not None:
        ends = [column(commit) for commit in window]
        x = [
            left if ends[0] is None else left + ends[0] * step,
            right if ends[1] is None else left + (ends[1] + 1) * step,
        ]
    rings = [Box(x[0], meta["top"], x[1], bottom)] if window is not None and meta["rows"] else []
    if at is not None and meta["rows"]:
        rings.append(Box(left + at * step, meta["top"], left + (at + 1) * step, bottom))
    if partition is not None:
        shown = Shown.of(facts, meta["search"], meta["view"])
        own = Partition(*partition)
        row = shown.row_of(facts.partitions.index(own)) if own in facts.partitions else None
        if row is None:
            missing.append(f"selected {partition_name(*partition)}: not among these partitions")
        else:
            sides = x if window is not None else [16.0, meta["margin"]]
            rings = [*rings[window is not None :], Box(sides[0], meta["rows"][row][0], sides[1], meta["rows"][row][1])]
    sign_x, sign_y, room = meta["elsewhere"]
    said = shorten("; ".join(missing), 11.5, room, bold=True)
    sign = elsewhere(
        sign_x, sign_y, said, view_meaning("") if missing else "", "click: all partitions", theme, side="left"
    )
    band = None if at is None else Box(left + at * step, top, left + (at + 1) * step, bottom)
    return Selection(halo(band, theme), (ring(rings, theme), sign))
