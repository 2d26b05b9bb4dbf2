"""The live deletes of a snapshot from what was read of it, and all their pairs where these are few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from .. import formats
from ..evidence import CONTRADICTS, Note
from ..iceberg.delete_scope import DataFile, DeleteFile, data_file, delete_file
from ..iceberg.entry_checks import foreign
from ..iceberg.inheritance import StoredEntry
from ..iceberg.key_ranges import KeyColumn
from ..iceberg.metadata import Snapshot, TableMetadata
from .counted import ScopedDelete
from .facts import Deletes
from .reach import every_pair, order
from .stored_deletes import StoredDeletes

__all__ = [
    "data_files",
    "every_pair_stored",
    "in_partition",
    "keys_of",
    "lacks_data_files",
    "lacks_deletes",
    "live_deletes",
    "notes",
    "scoped",
]


def live_deletes(metadata: TableMetadata, stored: StoredDeletes) -> tuple[DeleteFile, ...]:
    """The live deletes that were read, in the order in which they are told."""
    manifests = {m.path: m for m in stored.listed}
    found = (delete_file(metadata, manifests[entry.manifest_path], entry) for entry in stored.deletes)
    return tuple(sorted(found, key=order))


def in_partition(deletes: Iterable[DeleteFile], spec_id: int, partition: str) -> tuple[DeleteFile, ...]:
    """Those that can reach a data file of this partition: by place, or because they are for every file."""
    return tuple(d for d in deletes if d.scope == "every file" or (d.spec_id, d.partition) == (spec_id, partition))


def keys_of(deletes: Iterable[DeleteFile]) -> tuple[KeyColumn, ...]:
    """Every key column of these deletes, once."""
    return tuple({key.field_id: key for delete in deletes for key in delete.keys}.values())


def data_files(
    stored: StoredDeletes, entries: Iterable[StoredEntry], deletes: Iterable[DeleteFile]
) -> tuple[DataFile, ...]:
    """Data files of the snapshot from their entries, with what statistics say of the keys of these deletes."""
    keys = keys_of(deletes)
    manifests = {m.path: m for m in stored.listed}
    return tuple(data_file(manifests[entry.manifest_path], entry, keys) for entry in entries)


def every_pair_stored(snapshot: Snapshot, stored: StoredDeletes, deletes: Sequence[DeleteFile]) -> Deletes:
    """All pairs of a snapshot whose data files were read.

    Args:
        snapshot: that was asked about.
        stored: what was read; its `data` is not None.
        deletes: of `live_deletes`.
    """
    data = data_files(stored, stored.data or (), deletes)
    return every_pair(
        snapshot,
        data,
        deletes,
        tuple(notes(stored)),
        stored.unreadable_list,
        lacks_data_files=lacks_data_files(stored),
        lacks_deletes=lacks_deletes(stored),
    )


def lacks_data_files(stored: StoredDeletes) -> bool:
    """Whether a manifest of data files could not be read."""
    data = {m.path for m in stored.listed if not m.content}
    return any(unreadable.path in data for unreadable in stored.unreadable_files)


def lacks_deletes(stored: StoredDeletes) -> bool:
    """Whether a manifest of deletes could not be read, or more deletes are live than were read."""
    deletes = {m.path for m in stored.listed if m.content}
    unread = stored.delete_count > len(stored.deletes)
    return unread or any(unreadable.path in deletes for unreadable in stored.unreadable_files)


def notes(stored: StoredDeletes, *, statistics_evaluated: bool = True) -> Iterator[Note]:
    """How sure the answer is, and what it lacks."""
    entries = chain(stored.deletes, stored.data or ())
    writers = ((entry.manifest_path, entry.status, entry.stored_snapshot_id) for entry in entries)
    for sentence in foreign({m.path: m.added_snapshot_id for m in stored.listed}, writers):
        yield Note("exact", CONTRADICTS, sentence)
    for unreadable in stored.unreadable_files:
        yield Note("unknown", "deletes and data files of a manifest", f"{unreadable.path}: {unreadable.reason}")
    if stored.delete_count > len(stored.deletes):
        left = stored.delete_count - len(stored.deletes)
        yield Note("unknown", f"{formats.count(left, 'delete')} more", "Only the first ones were read.")
    if stored.unreadable_list:
        yield Note("unknown", "deletes of the snapshot", stored.unreadable_list)
        return
    yield Note("exact", "spec, partition, path, sequence", "By the rules of scan planning, from the manifest entries.")
    if not statistics_evaluated:
        yield Note(
            "unknown",
            "statistics",
            "So many pairs meet by partition and sequence number that their bounds were not compared: an equality "
            "delete may reach fewer files than told.",
        )
    elif any(entry.content == 2 for entry in stored.deletes):
        yield Note("inferred", "statistics", "From counts and bounds of columns; whether a key occurs only rows tell.")


def scoped(deletes: Sequence[DeleteFile]) -> list[ScopedDelete]:
    """What the rule asks of these deletes."""
    return [
        ScopedDelete(
            id=i,
            delete_path=d.file_path,
            content_offset=d.content_offset,
            delete_content=d.kind,
            delete_spec_id=d.spec_id,
            delete_partition=d.partition,
            delete_sequence_number=d.data_sequence_number.value,
            scope=d.scope,
            names=d.data_file,
            lost_keys=bool(d.lost_keys),
            keys=frozenset(key.field_id for key in d.keys),
            ranges=d.columns,
        )
        for i, d in enumerate(deletes)
    ]
