"""The net boundary between two snapshots: the files of one that the other has not, told as if by one commit.

What was added and removed again in between is in neither, so it is not told.

Source: Iceberg specification, "Manifests" (live entries have status EXISTING or ADDED).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..evidence import Note
from ..iceberg.commit import Change, Commit, FileChange, Kept, Manifests
from ..iceberg.commit_checks import live_files
from ..iceberg.inheritance import ListedManifest, StoredEntry, resolve
from ..iceberg.metadata import TableMetadata
from ..iceberg.partition_changes import ChangeGroup, counted_changes, partition_changes, total
from ..iceberg.relation import relation


def boundary(
    metadata: TableMetadata,
    start: int,
    end: int,
    *,
    listed_at_start: Sequence[ListedManifest],
    listed_at_end: Sequence[ListedManifest],
    removed: Sequence[StoredEntry],
    added: Sequence[StoredEntry],
    complete: bool,
    groups: Sequence[ChangeGroup] | None = None,
) -> Commit:
    """A commit that would lead from the files of `start` to those of `end`.

    Args:
        metadata: the table's; it lists both snapshots, neither of which need be an ancestor of the other.
        start: id of the one before.
        end: id of the one after.
        listed_at_start: rows of its manifest list.
        listed_at_end: rows of its manifest list.
        removed: live entries that only `start` has.
        added: live entries that only `end` has.
        complete: whether these are all.
        groups: all of them counted, where they are not.
    """
    before, after = {m.path: m for m in listed_at_start}, {m.path: m for m in listed_at_end}
    files = (*_changes("removed", before, removed), *_changes("added", after, added))
    partitions = partition_changes(counted_changes(files) if groups is None else groups)
    totals = total(partitions)
    notes = []
    found = relation(metadata, start, end)
    goes_back = found.kind == "ancestor" and found.swapped
    if goes_back:
        about = f"{end} is an ancestor of {start}"
        notes.append(Note("exact", about, "What is told as removed was added since; asked the other way it is not."))
    if not complete:
        notes.append(
            Note("exact", f"{len(files):,} of {totals.files:,} files listed", "The counts are of all of them.")
        )
    return Commit(
        snapshot=replace(
            metadata.by_id[end],
            operation=f"{'the way back from' if goes_back else 'everything since'} {start}",
            parent_id=start,
        ),
        parent_state="present",
        files=files,
        file_count=totals.files,
        partitions=partitions,
        totals=totals,
        kept=Kept(_kept(listed_at_end, files, 0, complete), _kept(listed_at_end, files, 1, complete)),
        manifests=Manifests(
            new=tuple(m for m in listed_at_end if m.path not in before),
            kept=tuple(m for m in listed_at_end if m.path in before),
            dropped=tuple(m for m in listed_at_start if m.path not in after),
            manifest_list=metadata.by_id[end].manifest_list,
        ),
        contradictions=(),
        notes=tuple(notes),
        goes_back=goes_back,
    )


def _changes(
    change: Change, manifests: Mapping[str, ListedManifest], entries: Sequence[StoredEntry]
) -> list[FileChange]:
    return [FileChange(change, entry, resolve(manifests[entry.manifest_path], entry)) for entry in entries]


def _kept(listed: Sequence[ListedManifest], files: Sequence[FileChange], content: int, complete: bool) -> int | None:
    """Files that both have, of data (0) or deletes (1)."""
    live = live_files(listed, content)
    if live is None or not complete:
        return None
    return live - sum(file.change == "added" and min(file.entry.content, 1) == content for file in files)
