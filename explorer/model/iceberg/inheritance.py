"""What a manifest entry inherits from its manifest list row: snapshot id, both sequence numbers, first row id.

A writer does not know its sequence number yet when it writes a manifest, so it leaves it null; the manifest list row,
which is written last, carries the number, and every reader fills it in.

Sources: Iceberg specification, "Sequence Number Inheritance", "Snapshot ID Inheritance", "Row Lineage" (First Row ID
Assignment), "Writer Requirements" (version 1 reads as 0); the Java library's InheritableMetadataFactory and
ManifestReader agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

from .statistics import NO_STATISTICS, Statistics

Rule = Literal["stored", "inherited", "version 1", "not inherited", "assigned in order", "no row lineage", "unknown"]
"""Which rule gave a value.

`stored`: the entry says it. `inherited`: null in the entry, taken from the manifest list row. `version 1`: null, and
the manifest's own number is 0, as of everything written as version 1: reads as 0. `not inherited`: null in an EXISTING
or DELETED entry, which the format forbids: stays unknown. `assigned in order`: the manifest's first row id plus the
rows of the entries before. `no row lineage`: the manifest has no first row id, so no entry has one. `unknown`: the
manifest list row does not say it either.
"""

ContentKind = Literal["data", "position deletes", "equality deletes", "deletion vector"]
KINDS: tuple[ContentKind, ...] = ("data", "position deletes", "equality deletes", "deletion vector")
"""In the order by which `Lifetimes.kinds` counts them."""


class Status(IntEnum):
    """The status of a manifest entry. DELETED stands in the manifests of the snapshot that removed the file."""

    EXISTING = 0
    ADDED = 1
    DELETED = 2


@dataclass(frozen=True, slots=True)
class ListedManifest:
    """A row of a manifest list as stored; null (None) where the list has no such column or no value.

    Attributes:
        path: location of the manifest.
        length: bytes.
        partition_spec_id: spec of all its entries; None only where a version 1 snapshot lists its manifests inline.
        content: 0 for a manifest of data files, 1 for one of delete files.
        sequence_number: of the commit that added the manifest; None in version 1, which reads as 0.
        min_sequence_number: smallest data sequence number of its live entries; None in version 1.
        added_snapshot_id: the snapshot that wrote the manifest.
        added_files_count: entries ADDED; existing_files_count: EXISTING; deleted_files_count: DELETED.
        added_rows_count: rows in the files of those; existing_rows_count, deleted_rows_count likewise.
        first_row_id: first row id of its data files (version 3); None if it has none.
    """

    path: str
    length: int | None
    partition_spec_id: int | None
    content: int
    sequence_number: int | None
    min_sequence_number: int | None
    added_snapshot_id: int | None
    added_files_count: int | None
    existing_files_count: int | None
    deleted_files_count: int | None
    added_rows_count: int | None
    existing_rows_count: int | None
    deleted_rows_count: int | None
    first_row_id: int | None

    @property
    def entry_count(self) -> int:
        """Entries as the list counts them, those not counted as none; compressed well, many of them are few bytes."""
        return (self.added_files_count or 0) + (self.existing_files_count or 0) + (self.deleted_files_count or 0)


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A manifest entry as stored, with its data or delete file.

    Attributes:
        position: place in the manifest, from 0.
        content: 0 data, 1 position deletes (deletion vectors too), 2 equality deletes.
        partition: `region=EU/day=2026-11-20`; empty if unpartitioned.
        record_count: rows; for a deletion vector the positions in it.
        file_size_in_bytes: of the whole file, which may hold several deletion vectors.
        content_offset: where a deletion vector starts in its file, bytes; content_size_in_bytes: its length.
        unassigned_rows_before: rows of the live entries before this one that have no stored first row id.
        statistics: of its columns, where they were asked for; the entry is the same without.
    """

    manifest_path: str
    position: int
    status: int
    stored_snapshot_id: int | None
    stored_sequence_number: int | None
    stored_file_sequence_number: int | None
    stored_first_row_id: int | None
    content: int
    file_path: str
    file_format: str
    spec_id: int
    partition: str
    record_count: int
    file_size_in_bytes: int
    equality_ids: tuple[int, ...] | None = None
    referenced_data_file: str | None = None
    content_offset: int | None = None
    content_size_in_bytes: int | None = None
    sort_order_id: int | None = None
    unassigned_rows_before: int = 0
    statistics: Statistics = field(default=NO_STATISTICS, repr=False, compare=False)

    @property
    def kind(self) -> ContentKind:
        """What the file holds. A deletion vector is a position delete in a Puffin file; source: "Deletion Vectors"."""
        return kind_of(self.content, self.file_format)


def kind_of(content: int, file_format: str) -> ContentKind:
    """What a file holds, by the two fields of its entry that tell."""
    if content == 1:
        return "deletion vector" if file_format.upper() == "PUFFIN" else "position deletes"
    return "equality deletes" if content == 2 else "data"


@dataclass(frozen=True, slots=True)
class Value:
    """A number as a reader sees it, and the rule that gave it; None if it is not known or does not exist."""

    value: int | None
    rule: Rule


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a reader sees of an entry: its own snapshot id, data and file sequence number and first row id."""

    snapshot_id: Value
    data_sequence_number: Value
    file_sequence_number: Value
    first_row_id: Value


def resolve(manifest: ListedManifest, entry: StoredEntry) -> Resolved:
    """Fill in what the entry inherits from its manifest's row."""
    return Resolved(
        snapshot_id=_snapshot_id(manifest, entry),
        data_sequence_number=sequence_number(manifest, entry.status, entry.stored_sequence_number),
        file_sequence_number=sequence_number(manifest, entry.status, entry.stored_file_sequence_number),
        first_row_id=_first_row_id(manifest, entry),
    )


def _snapshot_id(manifest: ListedManifest, entry: StoredEntry) -> Value:
    """Of any status: null is the snapshot that added the manifest."""
    if entry.stored_snapshot_id is not None:
        return Value(entry.stored_snapshot_id, "stored")
    if manifest.added_snapshot_id is None:
        return Value(None, "unknown")
    return Value(manifest.added_snapshot_id, "inherited")


def sequence_number(manifest: ListedManifest, status: int, stored: int | None) -> Value:
    """A data or file sequence number as read. Only ADDED entries inherit; both by the same rule, each for itself."""
    if stored is not None:
        return Value(stored, "stored")
    if not manifest.sequence_number:
        return Value(0, "version 1")
    if status == Status.ADDED:
        return Value(manifest.sequence_number, "inherited")
    return Value(None, "not inherited")


def _first_row_id(manifest: ListedManifest, entry: StoredEntry) -> Value:
    """Without one in the manifest's row, even a stored one counts for nothing."""
    if manifest.first_row_id is None:
        return Value(None, "no row lineage")
    if entry.stored_first_row_id is not None:
        return Value(entry.stored_first_row_id, "stored")
    if entry.status == Status.DELETED:
        return Value(None, "not inherited")
    return Value(manifest.first_row_id + entry.unassigned_rows_before, "assigned in order")
