"""What the pointer is told about a mark of a commit: at most six lines, everything from the table escaped."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.commit.rows import Masking, Outcomes
from ...model.iceberg.commit import Commit
from ...model.iceberg.inheritance import ListedManifest
from ...model.words import UNITS, holds
from ..page.text import cut, escape
from .groups import DeleteMark, Group, Mark

_WHAT = {"before": "removed", "after": "added", "through": "kept, and reached by a delete"}


def mark(commit: Commit, mark: Mark, group: Group) -> str:
    """A data file, or several: what it is, its path, rows and bytes, its number, the fate of its rows, the click."""
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
    return _told(mark.outcomes) or "no row of it changed"


def _told(outcomes: Outcomes) -> str:
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
