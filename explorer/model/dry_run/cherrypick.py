"""`cherrypick_snapshot`: what a snapshot that is not on main would bring to it, or why Iceberg would refuse.

An append is applied again, its data files alone. A dynamic overwrite is applied again, if its parent is on main and
nothing was added since to the partitions that it replaces. Any other commit is taken only if it is main's next one.

Source: the Java library's `CherryPickOperation` and `WapUtil` (1.12).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from ..evidence import Note
from ..iceberg.cherry_pick import Pick
from ..iceberg.commit import Commit
from ..iceberg.file_change import FileChange
from ..iceberg.metadata import TableMetadata
from .facts import Call, DryRun, Effect

_DANGER = (
    "The rows come in as they were written then: nothing checks that they are not on main already by another way, such"
    " as a second load."
)
_UNDO = "Roll main back to the snapshot it has now, as long as nothing else was committed since."


def changed_partition(picked: Commit, since: Iterable[Commit]) -> str:
    """The words in which Iceberg would refuse an overwrite of a partition that was added to since; else empty.

    Args:
        picked: the overwrite.
        since: commits of main after its parent.
    """
    replaced = {_place(c) for c in _data(picked, "added")}
    for commit in since:
        for change in _data(commit, "added"):
            if _place(change) in replaced:
                return "Cannot cherry-pick replace partitions with changed partition"
    return ""


def missing_file(picked: Commit, live: Iterable[str]) -> str:
    """The words in which Iceberg would refuse an overwrite of files that are not live any more; empty if all are."""
    gone = {c.entry.file_path for c in _data(picked, "removed")} - set(live)
    return f"Missing required files to delete: {','.join(sorted(gone))}" if gone else ""


def pick(
    metadata: TableMetadata, call: Call, found: Pick, picked: Commit, at: datetime, *, has_deletes: bool
) -> DryRun:
    """What the pick would bring.

    Args:
        metadata: the table's.
        call: one that is not refused.
        found: of `plan`.
        picked: the commit.
        at: now.
        has_deletes: whether the commit, or main, has live deletes.
    """
    changes = _told(found, picked)
    added = sum(c.entry.record_count for c in changes if (c.kind, c.change) == ("data", "added"))
    removed = sum(c.entry.record_count for c in changes if (c.kind, c.change) == ("data", "removed"))
    knows_rows = not any(c.kind != "data" for c in changes) and not (removed and has_deletes)
    current = metadata.current_snapshot_id
    how = "main's next commit as it is" if found.is_next else "applied again, as a new snapshot"
    commit = Effect.of_snapshot("added", found.of, how)
    return DryRun(
        call,
        at,
        effects=(commit, *map(_file, changes)),
        target=found.of,
        net_rows=added - removed if knows_rows else None,
        consequences=tuple(_consequences(found, picked)),
        danger=_DANGER,
        undo=None if current is None else Call.of("rollback_to_snapshot", snapshot_id=current),
        undo_words="" if current is None else _UNDO,
        notes=tuple(_notes(picked, changes, knows_rows)),
    )


def _told(found: Pick, picked: Commit) -> Sequence[FileChange]:
    """The changes that come to main: all of a commit that becomes its next one, else those of data files."""
    if found.is_next:
        return picked.files
    return [c for c in picked.files if c.kind == "data" and (c.change == "added" or found.of.operation == "overwrite")]


def _data(commit: Commit, change: str) -> Iterator[FileChange]:
    return (c for c in commit.files if c.kind == "data" and c.change == change)


def _place(change: FileChange) -> tuple[int, str]:
    return change.entry.spec_id, change.entry.partition


def _file(change: FileChange) -> Effect:
    if change.change == "added":
        return Effect.of_file("added", change.entry, "added by the picked commit")
    return Effect.of_file("lost", change.entry, "removed by the picked commit")


def _consequences(found: Pick, picked: Commit) -> Iterator[str]:
    if not found.is_next and any(c.kind != "data" for c in picked.files):
        yield "Deletes of the picked commit do not come along: data files alone do."
    if found.of.summary.get("wap.id"):
        yield f"It publishes the staged write {found.of.summary['wap.id']}."


def _notes(picked: Commit, changes: Sequence[FileChange], knows_rows: bool) -> Iterator[Note]:
    if len(picked.files) < picked.file_count:
        left = picked.file_count - len(picked.files)
        yield Note("unknown", "files that are not listed", f"{left:,} more than are told one by one.")
    yield from (note for note in picked.notes if note.certainty == "unknown")
    if not knows_rows and changes:
        yield Note("unknown", "net rows", "Deletes are involved, and how many rows they mask metadata does not tell.")
