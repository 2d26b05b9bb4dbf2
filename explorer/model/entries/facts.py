"""The entries of every manifest of a snapshot: what is stored, beside what a reader makes of it.

Source: Iceberg specification, "Manifests", "Manifest Lists"; the rules of inheritance are in `inheritance`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from .. import formats
from ..evidence import Note
from ..iceberg.entry_checks import foreign
from ..iceberg.inheritance import ListedManifest, Resolved, Status, StoredEntry, Value, resolve, sequence_number
from ..iceberg.metadata import Snapshot
from .checks import contradictions
from .group import Group
from .stored import EntryGroup, StoredEntries

ManifestState = Literal["new", "rewritten", "kept"]


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """A manifest entry as stored and as read."""

    entry: StoredEntry
    resolved: Resolved


@dataclass(frozen=True, slots=True)
class ManifestEntries:
    """A row of the manifest list, with what its manifest holds.

    Attributes:
        state: `new`: this snapshot wrote it, only of files that it added; `rewritten`: this snapshot wrote it, with
            EXISTING or DELETED entries of an older manifest; `kept`: an earlier snapshot wrote it (its number is
            `manifest.sequence_number`).
        entries: in the order of the manifest, its first ones; all of them if they are `entry_count`.
        entry_count: entries in the manifest; of one that cannot be read what its list row counts, None if nothing.
        groups: all entries, counted; in the order in which they first occur. Empty if the manifest cannot be read.
        unreadable: why it cannot be read, a sentence; empty if it was.
        contradictions: what the format forbids or its row of the list says otherwise, a sentence each.
    """

    manifest: ListedManifest
    state: ManifestState
    entries: tuple[ReadEntry, ...]
    entry_count: int | None
    groups: tuple[Group, ...]
    unreadable: str = ""
    contradictions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entries:
    """The manifests that a snapshot lists.

    Attributes:
        manifests: in the order of the list; only those that were asked for.
        entry_count: entries of all these manifests that could be read, whether or not `entries` of them holds each.
        unreadable: why the manifest list cannot be read, a sentence; empty if it was. Then `manifests` is empty.
        contradictions: what the format forbids or what the list says otherwise, a sentence each.
        notes: what is not known, or not shown, and why.
        file: path and content offset (bytes, of a deletion vector) of the one file that is told of; None if all are.
            Then `manifests` are those with an entry of it, or unreadable, and all counts are of its entries alone.
    """

    snapshot: Snapshot
    manifests: tuple[ManifestEntries, ...]
    entry_count: int
    unreadable: str = ""
    contradictions: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    file: tuple[str, int | None] | None = None

    @property
    def has_unreadable(self) -> bool:
        """Whether the manifest list or a manifest could not be read."""
        return bool(self.unreadable) or any(m.unreadable for m in self.manifests)


def from_stored(snapshot: Snapshot, stored: StoredEntries) -> Entries:
    """The entries of a snapshot from what was read of them."""
    return entries(
        snapshot,
        listed=stored.listed,
        stored=stored.entries,
        groups=stored.groups,
        unreadable={unreadable.path: unreadable.reason for unreadable in stored.unreadable_files},
        unreadable_list=stored.unreadable_list,
        file=stored.file,
    )


def entries(
    snapshot: Snapshot,
    *,
    listed: Sequence[ListedManifest],
    stored: Iterable[StoredEntry],
    groups: Sequence[EntryGroup] | None = None,
    unreadable: Mapping[str, str] = MappingProxyType({}),
    unreadable_list: str = "",
    file: tuple[str, int | None] | None = None,
) -> Entries:
    """The entries of a snapshot.

    Args:
        snapshot: that lists the manifests.
        listed: rows of its manifest list.
        stored: entries of these manifests, each manifest's in its order.
        groups: None if `stored` is complete; else all entries, counted.
        unreadable: the reason, by location, of each manifest that could not be read.
        unreadable_list: why the manifest list cannot be read; empty if it was.
        file: the one file, by path and content offset, that `stored` was narrowed to.
    """
    by_path = {m.path: m for m in listed}
    read = defaultdict(list)
    for entry in stored:
        read[entry.manifest_path].append(ReadEntry(entry, resolve(by_path[entry.manifest_path], entry)))
    counted = _grouped(read) if groups is None else _of_groups(by_path, groups)
    manifests = tuple(
        ManifestEntries(
            manifest=m,
            state=_state(snapshot.snapshot_id, m, read[m.path], counted[m.path]),
            entries=tuple(read[m.path]),
            entry_count=_listed_count(m) if m.path in unreadable else sum(g.count for g in counted[m.path]),
            groups=counted[m.path],
            unreadable=unreadable.get(m.path, ""),
            contradictions=()
            if m.path in unreadable
            else tuple(contradictions(snapshot, m, counted[m.path], complete=file is None)),
        )
        for m in listed
        if file is None or m.path in read or m.path in unreadable
    )
    known = [m for m in manifests if not m.unreadable]
    entry_count = sum(m.entry_count or 0 for m in known)
    return Entries(
        snapshot=snapshot,
        manifests=manifests,
        entry_count=entry_count,
        unreadable=unreadable_list,
        contradictions=(
            *(sentence for m in known for sentence in m.contradictions),
            *foreign(
                {m.manifest.path: m.manifest.added_snapshot_id for m in known},
                ((m.manifest.path, e.entry.status, e.entry.stored_snapshot_id) for m in known for e in m.entries),
            ),
        ),
        notes=tuple(_notes(manifests, entry_count, unreadable_list)),
        file=file,
    )


def _grouped(read: Mapping[str, Sequence[ReadEntry]]) -> dict[str, tuple[Group, ...]]:
    """By status and both numbers: in one manifest entries that store the same are read alike."""
    found: dict[str, tuple[Group, ...]] = defaultdict(tuple)
    for path, of_manifest in read.items():
        alike: dict[tuple[int, int | None, int | None], list[ReadEntry]] = defaultdict(list)
        for read_entry in of_manifest:
            e = read_entry.entry
            alike[e.status, e.stored_sequence_number, e.stored_file_sequence_number].append(read_entry)
        found[path] = tuple(_group(some) for some in alike.values())
    return found


def _group(alike: Sequence[ReadEntry]) -> Group:
    first, rows = alike[0], sum(e.entry.record_count for e in alike)
    numbers = first.resolved.data_sequence_number, first.resolved.file_sequence_number
    return Group(Status(first.entry.status), len(alike), rows, *numbers)


def _of_groups(by_path: Mapping[str, ListedManifest], groups: Sequence[EntryGroup]) -> dict[str, tuple[Group, ...]]:
    found: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        manifest, status = by_path[group.manifest_path], Status(group.status)

        def value(stored: int | None, various: bool, m: ListedManifest = manifest, s: Status = status) -> Value:
            return Value(None, "stored") if various else sequence_number(m, s, stored)

        found[manifest.path].append(
            Group(
                status,
                group.count,
                group.rows,
                value(group.stored_sequence_number, group.various_sequence_numbers),
                value(group.stored_file_sequence_number, group.various_file_sequence_numbers),
            )
        )
    return defaultdict(tuple, {path: tuple(of_manifest) for path, of_manifest in found.items()})


def _state(
    snapshot_id: int, manifest: ListedManifest, read: Sequence[ReadEntry], groups: Sequence[Group]
) -> ManifestState:
    """By the list row; where it does not say who wrote the manifest, by whose changes it holds."""
    if manifest.added_snapshot_id is not None:
        own = manifest.added_snapshot_id == snapshot_id
    else:
        own = any(e.entry.status != Status.EXISTING and e.resolved.snapshot_id.value == snapshot_id for e in read)
    if not own:
        return "kept"
    of_others = (manifest.existing_files_count or 0) + (manifest.deleted_files_count or 0)
    return "rewritten" if of_others or any(g.status != Status.ADDED for g in groups) else "new"


def _listed_count(manifest: ListedManifest) -> int | None:
    counts = manifest.added_files_count, manifest.existing_files_count, manifest.deleted_files_count
    return None if None in counts else sum(c for c in counts if c is not None)


def _notes(manifests: Sequence[ManifestEntries], entry_count: int, unreadable_list: str) -> Iterator[Note]:
    if unreadable_list:
        yield Note("unknown", "Manifests and entries of this snapshot", f"Its manifest list: {unreadable_list}")
        return
    if manifests:
        yield Note(
            "exact",
            "Stored and resolved numbers",
            "Decoded from the manifests' own bytes; what is null there is filled in by the format's rules.",
        )
    for m in manifests:
        if m.unreadable:
            counted = formats.count(m.entry_count, "entry") if m.entry_count is not None else "no entries"
            yield Note(
                "unknown", f"Entries of {m.manifest.path}", f"{m.unreadable} Its row in the list counts {counted}."
            )
    shown = sum(len(m.entries) for m in manifests)
    if shown < entry_count:
        yield Note("exact", f"{shown:,} of {entry_count:,} entries listed", "The counts by manifest are of all.")


def rows(facts: Entries) -> list[dict[str, Any]]:
    """One dict per entry that is held: the columns of `entries().data`; ids as int, missing as None.

    `manifest_sequence_number` is as a reader sees it: 0 where the list has none (version 1).
    """
    return [
        {
            "manifest_path": m.manifest.path,
            "manifest_sequence_number": m.manifest.sequence_number or 0,
            "content": (e := read.entry).kind,
            "status": Status(e.status).name,
            "file_path": e.file_path,
            "content_offset": e.content_offset,
            "stored_snapshot_id": e.stored_snapshot_id,
            "snapshot_id": (r := read.resolved).snapshot_id.value,
            "stored_sequence_number": e.stored_sequence_number,
            "sequence_number": r.data_sequence_number.value,
            "stored_file_sequence_number": e.stored_file_sequence_number,
            "file_sequence_number": r.file_sequence_number.value,
            "stored_first_row_id": e.stored_first_row_id,
            "first_row_id": r.first_row_id.value,
            "snapshot_id_rule": r.snapshot_id.rule,
            "sequence_number_rule": r.data_sequence_number.rule,
            "file_sequence_number_rule": r.file_sequence_number.rule,
            "first_row_id_rule": r.first_row_id.rule,
            "position": e.position,
            "spec_id": e.spec_id,
            "partition": e.partition,
            "record_count": e.record_count,
            "file_size_in_bytes": e.file_size_in_bytes,
            "content_size_in_bytes": e.content_size_in_bytes,
            "file_format": e.file_format,
            "referenced_data_file": e.referenced_data_file,
            "equality_ids": None if e.equality_ids is None else list(e.equality_ids),
            "sort_order_id": e.sort_order_id,
        }
        for m in facts.manifests
        for read in m.entries
    ]
