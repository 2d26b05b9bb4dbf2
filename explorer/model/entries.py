"""The entries of every manifest of a snapshot: what is stored, beside what a reader makes of it.

Source: Iceberg specification, "Manifests", "Manifest Lists"; the rules of inheritance are in `inheritance`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .evidence import Note
from .inheritance import ListedManifest, Resolved, Status, StoredEntry, Value
from .table_metadata import Snapshot

ManifestState = Literal["new", "rewritten", "kept"]


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """A manifest entry as stored and as read."""

    entry: StoredEntry
    resolved: Resolved


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of one manifest that are alike: one status, and both sequence numbers equal, by equal rules.

    Attributes:
        count: entries; rows: rows (of deletion vectors: positions) in their files together.
        data_sequence_number: as read, of each of them; file_sequence_number likewise.
    """

    status: Status
    count: int
    rows: int
    data_sequence_number: Value
    file_sequence_number: Value


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
        hole: why it cannot be read, a sentence; empty if it was.
    """

    manifest: ListedManifest
    state: ManifestState
    entries: tuple[ReadEntry, ...]
    entry_count: int | None
    groups: tuple[Group, ...]
    hole: str = ""


@dataclass(frozen=True)
class Entries:
    """The manifests that a snapshot lists.

    Attributes:
        manifests: in the order of the list.
        entry_count: entries of all manifests that could be read, whether or not `entries` of them holds each.
        hole: why the manifest list cannot be read, a sentence; empty if it was. Then `manifests` is empty.
        contradictions: what the format forbids or what the list says otherwise, a sentence each.
        notes: what is not known, or not shown, and why.
    """

    snapshot: Snapshot
    manifests: tuple[ManifestEntries, ...]
    entry_count: int
    hole: str = ""
    contradictions: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
