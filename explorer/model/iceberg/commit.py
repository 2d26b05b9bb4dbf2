"""What a commit did: the files it added and removed, and the manifests it kept, dropped and wrote.

All of it is recorded: a file is added or removed by an entry of this snapshot with status ADDED or DELETED. Which old
file became which new one is *not* recorded, and not told here.

Sources: Iceberg specification, "Manifests" (status, snapshot_id), "Snapshots" (summary), "Manifest Lists" (counts);
"Deletion Vectors" (several in one file, so a file is known by its path and `content_offset`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from .. import formats
from ..evidence import Note
from .commit_checks import Contradiction, contradictions
from .file_change import Change, FileChange
from .inheritance import ListedManifest, Status, StoredEntry, resolve
from .metadata import Snapshot, TableMetadata
from .partition_changes import ChangeGroup, PartitionChange, Tally, counted_changes, partition_changes, total
from .stored_commit import StoredCommit

__all__ = [
    "Change",
    "Commit",
    "Contradiction",
    "FileChange",
    "Kept",
    "Manifests",
    "PartitionChange",
    "Tally",
    "commit",
    "from_stored",
    "rows",
]


@dataclass(frozen=True, slots=True)
class Kept:
    """Live files of the snapshot that this commit did not add; None where a count is missing, with the reason."""

    data_files: int | None
    delete_files: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Manifests:
    """The metadata's own rewrite boundary.

    Attributes:
        new: listed and added by this commit, in the order of the list.
        kept: listed, and added by an earlier commit.
        dropped: of the parent's list, not listed any more: rewritten or merged into new ones, or left out because
            nothing in them is live; None if the parent's list cannot be read.
        manifest_list: location of the new manifest list; None in version 1 where the metadata file lists manifests.
    """

    new: tuple[ListedManifest, ...]
    kept: tuple[ListedManifest, ...]
    dropped: tuple[ListedManifest, ...] | None
    manifest_list: str | None


@dataclass(frozen=True)
class Commit:
    """One commit.

    Attributes:
        files: added and removed files, in the order of the manifests; bounded, `file_count` has them all.
        file_count: changes in readable manifests, whether or not `files` holds them.
        partitions: what changed in each partition of each spec, complete; most files first.
        totals: of all partitions.
        kept: files untouched, as counts.
        manifests: None if the manifest list cannot be read.
        contradictions: where the metadata says two different things.
        goes_back: whether it is no commit, but the way from a snapshot back to an ancestor of it.
        notes: what is not known, and why.
    """

    snapshot: Snapshot
    parent_state: Literal["present", "expired", "none"]
    files: tuple[FileChange, ...]
    file_count: int
    partitions: tuple[PartitionChange, ...]
    totals: PartitionChange
    kept: Kept
    manifests: Manifests | None
    contradictions: tuple[Contradiction, ...]
    notes: tuple[Note, ...]
    goes_back: bool = False


def commit(
    metadata: TableMetadata,
    snapshot_id: int,
    *,
    listed: Sequence[ListedManifest] | None,
    parent_listed: Sequence[ListedManifest] | None,
    entries: Iterable[StoredEntry],
    existing_left_out: bool = False,
    groups: Sequence[ChangeGroup] | None = None,
    unreadable: Mapping[str, str] = MappingProxyType({}),
) -> Commit:
    """The facts of a commit.

    Args:
        metadata: the table's; it lists the snapshot.
        snapshot_id: the commit.
        listed: rows of its manifest list; None if it cannot be read.
        parent_listed: rows of its parent's; None if there is no parent, or its list cannot be read.
        entries: entries of the manifests that the commit added.
        existing_left_out: whether `entries` lacks those with status EXISTING.
        groups: None if `entries` has all changes; else all of them, counted.
        unreadable: the reason, by location, of each manifest list or manifest that could not be read.
    """
    snapshot = metadata.by_id[snapshot_id]
    state: Literal["present", "expired", "none"] = "present"
    if snapshot.parent_id not in metadata.by_id:
        state = "none" if snapshot.parent_id is None else "expired"
    if state == "none":
        parent_listed = ()
    entries = tuple(entries)
    manifests = None if listed is None else _manifests(snapshot, listed, parent_listed)
    files = _files(snapshot, manifests, entries)
    partitions = partition_changes(counted_changes(files) if groups is None else groups)
    totals = total(partitions)
    kept = _kept(manifests, () if existing_left_out else entries, existing_left_out, unreadable)
    missing = [m for m in manifests.new if m.path in unreadable] if manifests else []
    return Commit(
        snapshot=snapshot,
        parent_state=state,
        files=files,
        file_count=totals.files,
        partitions=partitions,
        totals=totals,
        kept=kept,
        manifests=manifests,
        contradictions=()
        if manifests is None or missing
        else contradictions(
            snapshot, totals, manifests.new, listed or (), parent_listed, files if not groups else None
        ),
        notes=tuple(
            _notes(metadata, snapshot, state, listed, parent_listed, missing, kept, len(files), totals, unreadable)
        ),
    )


def from_stored(metadata: TableMetadata, snapshot_id: int, stored: StoredCommit) -> Commit:
    """The facts of a commit from what was read of it."""
    return commit(
        metadata,
        snapshot_id,
        listed=stored.listed,
        parent_listed=stored.parent_listed,
        entries=stored.entries,
        existing_left_out=stored.existing_left_out,
        groups=stored.groups,
        unreadable={unreadable.path: unreadable.reason for unreadable in stored.unreadable_files},
    )


def _manifests(
    snapshot: Snapshot, listed: Sequence[ListedManifest], parent_listed: Sequence[ListedManifest] | None
) -> Manifests:
    before = {m.path for m in parent_listed or ()}
    new = tuple(
        m
        for m in listed
        if m.added_snapshot_id == snapshot.snapshot_id or (m.added_snapshot_id is None and m.path not in before)
    )
    now, written = {m.path for m in listed}, {m.path for m in new}
    return Manifests(
        new=new,
        kept=tuple(m for m in listed if m.path not in written),
        dropped=None if parent_listed is None else tuple(m for m in parent_listed if m.path not in now),
        manifest_list=snapshot.manifest_list,
    )


def _files(snapshot: Snapshot, manifests: Manifests | None, entries: Sequence[StoredEntry]) -> tuple[FileChange, ...]:
    by_path = {m.path: m for m in manifests.new} if manifests else {}
    changes: dict[int, Change] = {Status.ADDED: "added", Status.DELETED: "removed"}
    found = []
    for entry in entries:
        manifest = by_path.get(entry.manifest_path)
        if manifest is not None and entry.status in changes:
            resolved = resolve(manifest, entry)
            if resolved.snapshot_id.value == snapshot.snapshot_id:
                found.append(FileChange(changes[entry.status], entry, resolved))
    return tuple(found)


def _kept(
    manifests: Manifests | None, entries: Sequence[StoredEntry], left_out: bool, unreadable: Mapping[str, str]
) -> Kept:
    """EXISTING entries of every manifest, and ADDED ones of those that an earlier commit added."""
    if manifests is None:
        return Kept(None, None, "The manifest list cannot be read.")
    existing: dict[str, int] = defaultdict(int)
    for entry in entries:
        existing[entry.manifest_path] += entry.status == Status.EXISTING
    counts: list[int | None] = [0, 0]
    silent = []
    for is_new, listed in ((True, manifests.new), (False, manifests.kept)):
        for m in listed:
            count = m.existing_files_count
            if count is None and is_new and not left_out and m.path not in unreadable:
                count = existing[m.path]
            if not is_new:
                count = None if count is None or m.added_files_count is None else count + m.added_files_count
            if count is None:
                silent.append(m)
            before = counts[m.content]
            counts[m.content] = None if count is None or before is None else before + count
    reason = (
        f"The manifest list does not count the files of {formats.count(len(silent), 'manifest')}." if silent else ""
    )
    return Kept(counts[0], counts[1], reason)


def _notes(
    metadata: TableMetadata,
    snapshot: Snapshot,
    state: str,
    listed: object,
    parent_listed: object,
    missing: Sequence[ListedManifest],
    kept: Kept,
    shown: int,
    totals: PartitionChange,
    unreadable: Mapping[str, str],
) -> Iterable[Note]:
    if listed is None:
        why = unreadable.get(snapshot.manifest_list or "", "The metadata names no manifest list for it.")
        yield Note("unknown", "Files and manifests of this commit", f"Only the summary is left. {why}")
        return
    still_known = "The files it added and removed are told all the same: its own manifests record them."
    if state == "expired":
        yield Note(
            "unknown",
            "Manifests and files before",
            f"The parent {snapshot.parent_id} is no longer listed. {still_known}",
        )
    elif parent_listed is None:
        location = metadata.by_id[snapshot.parent_id].manifest_list if snapshot.parent_id is not None else None
        why = unreadable.get(location or "", "The metadata names no manifest list for it.")
        yield Note("unknown", "Manifests and files before", f"The parent's manifest list: {why} {still_known}")
    for m in missing:
        counts = f"{formats.count(m.added_files_count)} added and {formats.count(m.deleted_files_count)} removed"
        yield Note("unknown", f"Files in {m.path}", f"{unreadable[m.path]} Its row in the list counts {counts}.")
    if kept.reason:
        yield Note("unknown", "Number of files kept", kept.reason)
    if totals.files > shown:
        yield Note("exact", f"{shown:,} of {totals.files:,} changed files listed", "The counts are of all of them.")


def rows(commit: Commit) -> list[dict[str, Any]]:
    """One dict per listed file: the columns of `commit().data` but those of rows; ids as int, missing as None."""
    return [
        {
            "file_path": (e := file.entry).file_path,
            "content_offset": e.content_offset,
            "content": file.kind,
            "change": file.change,
            "spec_id": e.spec_id,
            "partition": e.partition,
            "record_count": e.record_count,
            "file_size_in_bytes": e.file_size_in_bytes,
            "data_sequence_number": file.resolved.data_sequence_number.value,
            "file_sequence_number": file.resolved.file_sequence_number.value,
            "content_size_in_bytes": e.content_size_in_bytes,
            "file_format": e.file_format,
            "referenced_data_file": e.referenced_data_file,
            "equality_ids": None if e.equality_ids is None else list(e.equality_ids),
            "first_row_id": file.resolved.first_row_id.value,
            "manifest_path": e.manifest_path,
        }
        for file in commit.files
    ]
