"""What the pointer is told about a commit, and the marks of the selected file: a ring around its bar, and a halo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...model import formats
from ...model.commit.rows import CommitRows, Masking, Outcomes
from ...model.iceberg.commit import Commit
from ...model.iceberg.inheritance import ListedManifest
from ...model.words import UNITS, holds
from ..page.fold import Part
from ..page.hits import elsewhere, halo, opening, ring
from ..page.scene import Box, Scene, Selection
from ..page.text import cut, escape, shorten
from .contents import DeleteMark, Group, Mark
from .layout import summed

_WHAT = {"before": "removed", "after": "added", "through": "kept, and reached by a delete"}


def mark(commit: Commit, mark: Mark, group: Group) -> str:
    """A data file, or several: what it is, its path, rows and bytes, its number, the outcome of its rows, the click."""
    what = "data file" if mark.is_single else formats.count(mark.files, "data file")
    lines = [f"<b>{what} {_WHAT[mark.side]}</b> · {escape(cut(group.name))}"]
    if mark.is_single:
        lines.append(escape(cut(mark.paths[0])))
    size = f", {formats.size(mark.size_in_bytes)}" if mark.size_in_bytes else ""
    number = _number(commit, mark)
    lines.append((formats.count(mark.rows, "row") if mark.rows is not None else "rows not read") + size + number)
    lines.append(escape(cut(_outcomes(mark))))
    if mark.masked_by:
        masks = ", ".join(f"{m.rows:,} by {m.delete_path.rsplit('/', 1)[-1]}" for m in mark.masked_by[:2])
        more = f", {len(mark.masked_by) - 2:,} more" if len(mark.masked_by) > 2 else ""
        lines.append(escape(cut(f"masked: {masks}{more}")))
    lines.append("click: select" if mark.is_single else _open(group))
    return "<br>".join(lines)


def group(group: Group) -> str:
    """A partition or the folded rest."""
    lines = [f"<b>{escape(cut(group.name))}</b>"]
    for word, tallies in (("removed", group.change.removed), ("added", group.change.added)) if group.change else ():
        parts = [
            f"{formats.count(t.files, UNITS[kind])}, {holds(kind, t.records)}, {formats.size(t.size_in_bytes)}"
            for kind, t in tallies.items()
        ]
        if parts:
            lines.append(f"{word}: {' · '.join(parts)}")
    return "<br>".join([*lines, "click: the next partitions" if group.folded else _open(group)])


def masking(masked_by: Sequence[Masking], indexes: Sequence[int], read: bool, change: str = "added") -> str:
    """Delete files that hang on a data file; `read` says whether rows were counted, or only positions."""
    chosen = [masked_by[i] for i in indexes]
    total = sum(m.rows for m in chosen)
    counted = f"{formats.count(total, 'row')} masked" if read else formats.count(total, "position")
    lines = [f"<b>{formats.count(len(chosen), UNITS[chosen[0].kind])} {change}</b> · {counted}"]
    for m in chosen[:3]:
        offset = "" if m.content_offset is None else f" at {m.content_offset:,}"
        lines.append(escape(cut(m.delete_path + offset)))
    return "<br>".join([*lines, *(["click: select"] if len(chosen) == 1 else [])])


def deletes(mark: DeleteMark, group: Group) -> str:
    """Delete files that hang on nothing."""
    lines = [
        f"<b>{formats.count(mark.files, UNITS[mark.kind])} {mark.change}</b> · {escape(cut(group.name))}",
        holds(mark.kind, mark.records),
    ]
    if mark.key:
        lines.insert(1, escape(cut(mark.key[0])))
    return "<br>".join([*lines, "click: select" if mark.key else _open(group)])


def manifests(what: str, listed: Sequence[ListedManifest]) -> str:
    """Manifests of one kind in the metadata band."""
    lines = [f"<b>{formats.count(len(listed), 'manifest')} {what}</b>"]
    lines += [escape(cut(m.path)) for m in listed[:3]]
    if len(listed) > 3:
        lines.append(f"and {len(listed) - 3:,} more")
    sizes = [m.length for m in listed if m.length is not None]
    return "<br>".join([*lines, formats.size(sum(sizes))] if sizes else lines)


def _open(group: Group) -> str:
    return "click: open this partition" if group.opens else "the data lists its files one by one"


def _outcomes(mark: Mark) -> str:
    if mark.certain:
        return f"all rows {mark.certain}: nothing else was written" if mark.certain == "deleted" else "all rows new"
    if mark.outcomes is None:
        return (
            "what became of its rows was not read" if mark.side != "through" else "which rows are masked was not read"
        )
    return _outcomes_in_words(mark.outcomes) or "no row of it changed"


def _outcomes_in_words(outcomes: Outcomes) -> str:
    counts = (
        (outcomes.carried_over, "carried over"),
        (outcomes.updated, "updated"),
        (outcomes.inserted, "inserted"),
        (outcomes.deleted, "deleted"),
        (outcomes.unseen, "visible neither before nor after"),
    )
    return ", ".join(f"{n:,} {word}" for n, word in counts if n)


def _number(commit: Commit, mark: Mark) -> str:
    if not mark.is_single:
        return ""
    found = next((f for f in commit.files if f.entry.file_path == mark.paths[0]), None)
    number = found.resolved.data_sequence_number if found else None
    if number is None or number.value is None:
        return ""
    return f", data sequence number {number.value:,} ({number.rule})"


_SIDES = {"removed": "before", "added": "after", "kept": "through"}


def selection(scene: Scene, commit: Commit, rows: CommitRows | None, *, selected_file: str | None = None) -> Selection:
    """The marks in a drawing of this commit; cheap, since every place is read from it.

    A file that is told together with others gets its ring around their bar; one that is not in the picture is named.
    """
    meta, theme = scene.meta, scene.theme
    boxes, words, opens = _found(meta, commit, rows, selected_file) if selected_file else ([], "", "")
    x, y, room = meta["elsewhere"]
    shown = shorten(f"selected {words}", 11.5, room, bold=True) if words else ""
    hover = "click: go there" if opens else "only files that the commit touched are drawn"
    layers = (
        ring((box.around(3) for box in boxes), theme),
        elsewhere(x, y, shown, opening(opens), hover, theme, side="left"),
    )
    return Selection(halo(boxes[0].around(5) if boxes else None, theme, filled=False), layers)


def _found(
    meta: Mapping[str, Any], commit: Commit, rows: CommitRows | None, selected: str
) -> tuple[list[Box], str, str]:
    """Boxes of the file; else words about it and the view that shows it."""
    places = meta["places"]
    if selected in places:
        return [Box(*box) for box in places[selected]], "", ""
    name = selected.rsplit("/", 1)[-1]
    key = next(
        ((_SIDES[f.change], f.entry.spec_id, f.entry.partition) for f in commit.files if f.entry.file_path == selected),
        None,
    )
    if key is None and rows is not None:
        key = next(((_SIDES[f.change], f.spec_id, f.partition) for f in rows.files if f.path == selected), None)
    if key is None:
        return [], f"{name}: not touched by this commit", ""
    side, spec_id, partition = key
    opens = str(Part.of_partition(spec_id, partition))
    if summed(side, opens) in places:
        return [Box(*box) for box in places[summed(side, opens)]], "", ""
    return [], f"{name}: not in view ▸", opens
