"""What one commit wrote into the metadata, as it was read."""

from __future__ import annotations

from dataclasses import dataclass

from .inheritance import ListedManifest, StoredEntry
from .partition_changes import ChangeGroup
from .unreadable import Unreadable


@dataclass(frozen=True, slots=True)
class StoredCommit:
    """The metadata of a commit, as stored.

    Attributes:
        listed: rows of its manifest list; None if it cannot be read.
        parent_listed: rows of its parent's; None if there is no parent, or its list cannot be read.
        entries: of the manifests that the commit added, in their order.
        existing_left_out: whether `entries` lacks those with status EXISTING.
        groups: None if `entries` has all changes; else all of them, counted.
        unreadable_files: files that could not be read.
        opened: location of every manifest list and manifest that was asked for, in order.
    """

    listed: tuple[ListedManifest, ...] | None
    parent_listed: tuple[ListedManifest, ...] | None
    entries: tuple[StoredEntry, ...]
    existing_left_out: bool
    groups: tuple[ChangeGroup, ...] | None
    unreadable_files: tuple[Unreadable, ...]
    opened: tuple[str, ...]
