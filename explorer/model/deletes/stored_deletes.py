"""The live deletes and data files of a snapshot, as they were read."""

from __future__ import annotations

from dataclasses import dataclass

from ..iceberg.inheritance import ListedManifest, StoredEntry
from ..iceberg.unreadable import Unreadable


@dataclass(frozen=True, slots=True)
class StoredDeletes:
    """Live entries of a snapshot.

    Attributes:
        listed: rows of its manifest list; empty if it cannot be read.
        unreadable_list: why the list cannot be read, a sentence; empty if it was.
        deletes: live entries of delete manifests, with statistics; bounded, `delete_count` has them all.
        delete_count: live deletes, whether or not `deletes` holds each.
        data: live entries of data manifests, with statistics if `statistics`; None if all pairs are too many to be
            told one by one.
        statistics: whether statistics of data files can decide anything: an equality delete has some.
        unreadable_files: manifests that could not be read.
    """

    listed: tuple[ListedManifest, ...]
    unreadable_list: str
    deletes: tuple[StoredEntry, ...]
    delete_count: int
    data: tuple[StoredEntry, ...] | None
    statistics: bool
    unreadable_files: tuple[Unreadable, ...] = ()
