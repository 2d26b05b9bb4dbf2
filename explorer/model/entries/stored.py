"""The manifests that a snapshot lists and their entries, as they were read."""

from __future__ import annotations

from dataclasses import dataclass

from ..iceberg.inheritance import ListedManifest, StoredEntry
from ..iceberg.unreadable import Unreadable


@dataclass(frozen=True, slots=True)
class EntryGroup:
    """Entries of one manifest that are alike, counted.

    Attributes:
        count: entries; rows: in their files together.
        various_sequence_numbers: whether they store more numbers than are told apart, so that a
            `stored_sequence_number` that is None is not null; various_file_sequence_numbers likewise.
    """

    manifest_path: str
    status: int
    stored_sequence_number: int | None
    stored_file_sequence_number: int | None
    count: int
    rows: int
    various_sequence_numbers: bool = False
    various_file_sequence_numbers: bool = False


@dataclass(frozen=True, slots=True)
class StoredEntries:
    """The manifests that a snapshot lists and their entries, as stored.

    Attributes:
        listed: rows of the manifest list, in its order; only those asked for.
        unreadable_list: why the list cannot be read, a sentence; empty if it was.
        entries: in the order of the list and of each manifest.
        groups: None if `entries` is complete; else all of them, counted, in the order in which they first occur.
        unreadable_files: manifests that could not be read.
        file: path and content offset of the one file that `entries` is narrowed to; None if it is not.
    """

    listed: tuple[ListedManifest, ...]
    unreadable_list: str
    entries: tuple[StoredEntry, ...]
    groups: tuple[EntryGroup, ...] | None = None
    unreadable_files: tuple[Unreadable, ...] = ()
    file: tuple[str, int | None] | None = None
