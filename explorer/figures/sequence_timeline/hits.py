"""What the pointer and a selection say of a sequence timeline: hover texts, and the marks of the selected commit."""

from __future__ import annotations

from ...model import formats
from ...model.iceberg.inheritance import Value
from ...model.iceberg.metadata import Snapshot
from ...model.sequence_timeline import words as sequence_timeline_words
from ...model.sequence_timeline.facts import Band, FileLifetime
from ...model.sequence_timeline.scopes import Scopes
from ...model.sequence_timeline.verdicts import Remark
from ...model.words import UNITS, holds, partition_name
from ..page.hits import elsewhere, halo, ring
from ..page.scene import Box, Scene, Selection
from ..page.text import cut, escape, shorten


def file(scopes: Scopes, of: FileLifetime, verdict: Remark) -> str:
    """A file: what, path, both numbers with their rules, what it holds, what is said of it, what a click does."""
    unit = UNITS[of.kind]
    place = partition_name(of.spec_id, of.partition, with_spec=True)
    outcome = sequence_timeline_words.outcome(scopes, of)
    offset = "" if of.content_offset is None else f" at {of.content_offset:,}"
    lines = [
        f"<b>{unit}</b> · {escape(cut(place))} · {escape(cut(outcome))}",
        escape(cut(of.file_path + offset)),
        f"data sequence number {_number(of.data_sequence_number)} · file sequence number "
        f"{_number(of.file_sequence_number)}",
        f"{holds(of.kind, of.record_count)}, {formats.size(of.size_in_bytes)}",
    ]
    words = verdict.words[0] if verdict.tone != "selected" else next(iter(of.notes), "")
    if words and words != outcome:
        lines.append(escape(cut(words)))
    return "<br>".join([*lines, "click: select"])


def column(number: int, commit: Snapshot | None) -> str:
    """A commit, or a number that is left of an expired one."""
    if commit is None:
        return f"<b>sequence number {number:,}</b><br>its snapshot is expired: files that it wrote are still known"
    lines = [f"<b>snapshot {commit.snapshot_id}</b>"]
    numbered = f"sequence number {commit.sequence_number:,}, " if commit.sequence_number else ""
    lines.append(escape(numbered + (commit.operation or "operation not recorded")))
    return "<br>".join([*lines, formats.instant(commit.committed_at), "click: select"])


def several(first: int, last: int, latest: Snapshot | None) -> str:
    """Numbers too near each other to be told apart; `latest` is the last commit that is listed among them."""
    lines = [f"<b>sequence numbers {formats.span(first, last)}</b>"]
    if latest is None:
        return "<br>".join([*lines, "their snapshots are expired"])
    lines.append(f"the last one: snapshot {latest.snapshot_id}, {escape(latest.operation or 'operation not recorded')}")
    return "<br>".join([*lines, formats.instant(latest.committed_at), "click: select the last one"])


def band(of: Band) -> str:
    """A partition told in sums."""
    lines = [f"<b>{escape(cut(partition_name(of.spec_id, of.partition, with_spec=True)))}</b>"]
    lines.append(
        f"{formats.count(of.live_data_files, 'live data file')}, {formats.count(of.live_delete_files, 'live delete')}"
    )
    if of.live_delete_files:
        unknown = f", of {of.unknown:,} it is not known" if of.unknown else ""
        lines.append(f"{formats.count(of.dangling, 'delete')} reach nothing{unknown}: by all clauses but statistics")
    born = sum(moment.files for moment in of.births)
    died = sum(moment.files for moment in of.deaths)
    lines.append(f"in its history {formats.count(born, 'file')} added, {died:,} removed")
    return "<br>".join([*lines, "click: open its files"])


def part_of_band(of: Band, first: int, last: int) -> str:
    """Some numbers of a partition."""
    files = sum(
        n.files for n in of.live if n.data_sequence_number is not None and first <= n.data_sequence_number <= last
    )
    deletes = sum(
        n.files for n in of.fronts if n.data_sequence_number is not None and first <= n.data_sequence_number <= last
    )
    lines = [f"<b>{escape(cut(partition_name(of.spec_id, of.partition, with_spec=True)))}</b>"]
    lines.append(f"data sequence numbers {formats.span(first, last)}")
    lines.append(f"{formats.count(files, 'live data file')}, {formats.count(deletes, 'live delete')}")
    return "<br>".join([*lines, "click: open these numbers of it"])


def _number(value: Value) -> str:
    """A number and where it comes from."""
    return f"{formats.count(value.value)} ({value.rule})"


def selection(scene: Scene, *, selected: str | None = None) -> Selection:
    """The marks in a drawing; cheap, since every place is read from it.

    Args:
        scene: of `draw`.
        selected: snapshot id as text; one that has no column is named.
    """
    meta, theme = scene.meta, scene.theme
    found = [meta["x"][meta["commits"].index(selected)]] if selected in meta["commits"] else []
    wide, top, low = meta["head"]
    heads = [Box(x - wide, top, x + wide, low) for x in found]
    x, y, room = meta["elsewhere"]
    words = ""
    if selected and not heads:
        words = shorten(f"selected {formats.end_of_id(selected)}: no commit of this timeline", 11.5, room, bold=True)
    sign = elsewhere(x, y, words, "", "only commits that the table lists have columns", theme)
    first, last = min(top, meta["reach"]), max(low, meta["reach"])
    band = Box(heads[0].left, first, heads[0].right, last) if heads else None
    return Selection(halo(band, theme), (ring(heads, theme), sign))
