"""Which delete applies to which data file: the rule for one pair, clause by clause.

The clauses stand in the order in which the first that fails is named: live; spec and partition (of a delete that names
its file: path instead of both); sequence; deletion vector; statistics. Only data sequence numbers are compared: an
equality delete reaches strictly older data (`<`), positions reach data of their own commit too (`≤`).

Sources: Iceberg specification, "Scan Planning", "Deletion Vectors", "Position Delete Files", "Equality Delete Files";
the Java library's `DeleteFileIndex` and `ContentFileUtil.referencedDataFile` (1.12).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from .inheritance import ContentKind, ListedManifest, Status, StoredEntry, Value, sequence_number
from .key_ranges import NOTHING, KeyColumn, KeyRange, key_columns, key_ranges, no_common_key
from .metadata import TableMetadata
from .touched_files import newest_reached, place_of, referenced_data_file

ClauseName = Literal["live", "spec", "partition", "path", "sequence", "deletion vector", "statistics"]
CLAUSES: tuple[ClauseName, ...] = ("live", "spec", "partition", "path", "sequence", "deletion vector", "statistics")
"""Every clause, in the order in which the first one that fails decides."""

Scope = Literal["every file", "partition", "one file"]
DeleteKey = tuple[str, int | None]
"""File and content offset of a delete: many deletion vectors lie in one Puffin file."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition. `holds` is None if that cannot be known; `words` then say why."""

    name: ClauseName
    holds: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a delete applies to a data file.

    Attributes:
        applies: None if that cannot be known, or if the metadata is corrupt so that readers refuse.
        decided_by: the first clause that fails; else the first that is unknown; of a delete that applies `path` if it
            names the file, else `sequence`.
        reason: the words of that clause.
        clauses: all that matter for this kind of delete, in order, as a checklist.
    """

    applies: bool | None
    decided_by: ClauseName
    reason: str
    clauses: tuple[Clause, ...]

    def clause(self, name: ClauseName) -> Clause | None:
        """The clause of this name, if it matters for this pair."""
        return next((c for c in self.clauses if c.name == name), None)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file, as far as deletes are concerned.

    Attributes:
        partition: `region=EU/day=2026-11-20`; empty if unpartitioned.
        record_count: rows, masked ones too. size_in_bytes: of the file.
        data_sequence_number: as read, with the rule that gave it.
        columns: what its statistics say of key columns, by field id.
        live: whether it is live at the snapshot that is asked about.
    """

    file_path: str
    spec_id: int
    partition: str
    record_count: int
    size_in_bytes: int
    data_sequence_number: Value
    columns: Mapping[int, KeyRange] = field(default_factory=dict, repr=False, hash=False)
    live: bool = True


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """A delete file or deletion vector.

    Attributes:
        content_offset: bytes, of a deletion vector in its Puffin file; else None.
        partition: as of a data file; of no meaning if the scope is not `partition`.
        record_count: positions, or keys. size_in_bytes: of a deletion vector its own part of the file.
        data_sequence_number: as read, with the rule that gave it.
        scope: what it is compared with: `every file` for an equality delete of an unpartitioned spec, `one file` for a
            deletion vector and for a position delete file that names one, else `partition`.
        data_file: the file that it names; None if the scope is not `one file`.
        keys: columns of an equality delete. lost_keys: field ids of it that no schema has.
        columns: what its statistics say of its keys, by field id.
        live: whether it is live at the snapshot that is asked about.
    """

    file_path: str
    content_offset: int | None
    kind: ContentKind
    spec_id: int
    partition: str
    record_count: int
    size_in_bytes: int
    data_sequence_number: Value
    scope: Scope
    data_file: str | None = None
    keys: tuple[KeyColumn, ...] = ()
    lost_keys: tuple[int, ...] = ()
    columns: Mapping[int, KeyRange] = field(default_factory=dict, repr=False, hash=False)
    live: bool = True

    @property
    def key(self) -> DeleteKey:
        """What tells deletes apart."""
        return self.file_path, self.content_offset

    @property
    def sign(self) -> Literal["<", "≤"]:
        """How the data sequence number of a data file must compare to that of this delete."""
        return "<" if self.kind == "equality deletes" else "≤"


def verdict(delete: DeleteFile, data: DataFile, *, vectors: Sequence[DeleteFile] = ()) -> Verdict:
    """Whether the delete applies to the data file.

    Args:
        delete: a delete file or deletion vector.
        data: a data file of the same table.
        vectors: every deletion vector that is live and names the data file; more than one is corrupt.
    """
    clauses = tuple(_clauses(delete, data, vectors))
    decisive = next((c for c in clauses if c.holds is False), next((c for c in clauses if c.holds is None), None))
    if decisive is not None:
        return Verdict(decisive.holds, decisive.name, decisive.words, clauses)
    name: ClauseName = "path" if delete.scope == "one file" else "sequence"
    return Verdict(True, name, next(c.words for c in clauses if c.name == name), clauses)


def _clauses(delete: DeleteFile, data: DataFile, vectors: Sequence[DeleteFile]) -> Iterator[Clause]:
    yield _live(delete, data)
    yield from _path(delete, data) if delete.scope == "one file" else _place(delete, data)
    yield _sequence(delete, data)
    if delete.kind == "equality deletes":
        yield _statistics(delete, data)
    else:
        yield _vector(delete, vectors)


def _live(delete: DeleteFile, data: DataFile) -> Clause:
    gone = [words for file, words in ((delete, "the delete"), (data, "the data file")) if not file.live]
    if gone:
        return Clause("live", False, f"{' and '.join(gone)} {'is' if len(gone) == 1 else 'are'} not live here")
    return Clause("live", True, "both are live")


def _path(delete: DeleteFile, data: DataFile) -> Iterator[Clause]:
    """A delete that names its file is matched by the path alone; that both lie in one partition is only checked."""
    if delete.data_file is None:
        yield Clause("path", None, "a deletion vector that names no data file: the metadata is corrupt")
        return
    same = delete.data_file == data.file_path
    yield Clause("path", same, "names this file" if same else "names another file")
    if not same or not _reaches(delete, data):
        return
    refuses = "the metadata is corrupt: Iceberg 1.12 refuses to read, older readers apply it"
    if delete.spec_id != data.spec_id:
        yield Clause("spec", None, f"names this file, but has spec {delete.spec_id}, not {data.spec_id}; {refuses}")
    elif delete.partition != data.partition:
        there = delete.partition or "no partition"
        yield Clause("partition", None, f"names this file, but lies in {there}, not {data.partition}; {refuses}")


def _place(delete: DeleteFile, data: DataFile) -> Iterator[Clause]:
    if delete.scope == "every file":
        yield Clause("spec", True, f"spec {delete.spec_id} of the delete is unpartitioned: every file of every spec")
        return
    if delete.spec_id != data.spec_id:
        yield Clause("spec", False, f"spec {delete.spec_id}, the file has spec {data.spec_id}")
        return
    yield Clause("spec", True, f"same spec {data.spec_id}")
    if delete.partition != data.partition:
        yield Clause("partition", False, f"partition {delete.partition}, the file lies in {data.partition}")
    else:
        yield Clause("partition", True, f"same partition {data.partition}" if data.partition else "unpartitioned")


def _sequence(delete: DeleteFile, data: DataFile) -> Clause:
    old, new = data.data_sequence_number.value, delete.data_sequence_number.value
    if old is None or new is None:
        return Clause(
            "sequence", None, f"the data sequence number of the {'file' if old is None else 'delete'} is unknown"
        )
    holds, words = _reaches(delete, data), f"{old:,} {delete.sign} {new:,}"
    if holds:
        return Clause("sequence", True, words)
    corrupt = (
        " (a vector older than its file is corrupt: readers refuse it)" if delete.kind == "deletion vector" else ""
    )
    return Clause("sequence", False, f"{words} is false{corrupt if delete.data_file == data.file_path else ''}")


def _reaches(delete: DeleteFile, data: DataFile) -> bool:
    old, new = data.data_sequence_number.value, delete.data_sequence_number.value
    if old is None or new is None:
        return False
    return old <= newest_reached(delete.kind, new)


def _vector(delete: DeleteFile, vectors: Sequence[DeleteFile]) -> Clause:
    if len(vectors) > 1 and (delete.kind != "deletion vector" or delete.key in {v.key for v in vectors}):
        words = f"{len(vectors)} deletion vectors name this file: the metadata is corrupt, readers refuse it"
        return Clause("deletion vector", None, words)
    if delete.kind == "deletion vector":
        return Clause("deletion vector", True, "it is the file's only vector")
    if vectors:
        return Clause(
            "deletion vector", False, "the file has a deletion vector, beside which position deletes are ignored"
        )
    return Clause("deletion vector", True, "the file has no deletion vector")


def _statistics(delete: DeleteFile, data: DataFile) -> Clause:
    if delete.lost_keys:
        unknown_keys = ", ".join(map(str, delete.lost_keys))
        return Clause("statistics", None, f"no schema has the key column of field id {unknown_keys}: readers refuse it")
    apart = no_common_key(delete.keys, delete.columns, data.columns)
    if apart:
        return Clause("statistics", False, apart)
    bounded = [key.name for key in delete.keys if all(r.bounded for r in (_of(delete, key), _of(data, key)))]
    if bounded:
        return Clause("statistics", True, f"ranges of {', '.join(bounded)} overlap")
    return Clause("statistics", True, "no bounds to compare, so it may hold a key")


def _of(file: DeleteFile | DataFile, key: KeyColumn) -> KeyRange:
    return file.columns.get(key.field_id, NOTHING)


# --- from manifest entries ---


def delete_file(metadata: TableMetadata, manifest: ListedManifest, entry: StoredEntry) -> DeleteFile:
    """The delete of a manifest entry.

    Args:
        metadata: the table's.
        manifest: the list row of the entry's manifest.
        entry: with content 1 or 2, and its statistics.
    """
    keys, unknown_keys = key_columns(entry.equality_ids or (), metadata.schemas)
    named = referenced_data_file(entry)
    scope: Scope = "every file" if place_of(entry, metadata.specs) is None else "partition"
    if entry.kind == "deletion vector" or named is not None:
        scope = "one file"
    part = entry.content_size_in_bytes
    return DeleteFile(
        file_path=entry.file_path,
        content_offset=entry.content_offset,
        kind=entry.kind,
        spec_id=entry.spec_id,
        partition=entry.partition,
        record_count=entry.record_count,
        size_in_bytes=entry.file_size_in_bytes if part is None else part,
        data_sequence_number=sequence_number(manifest, entry.status, entry.stored_sequence_number),
        scope=scope,
        data_file=named,
        keys=keys,
        lost_keys=unknown_keys,
        columns=key_ranges(entry.statistics, keys),
        live=entry.status != Status.DELETED,
    )


def data_file(manifest: ListedManifest, entry: StoredEntry, keys: Sequence[KeyColumn] = ()) -> DataFile:
    """The data file of a manifest entry, with what is known of the columns that equality deletes name."""
    return DataFile(
        file_path=entry.file_path,
        spec_id=entry.spec_id,
        partition=entry.partition,
        record_count=entry.record_count,
        size_in_bytes=entry.file_size_in_bytes,
        data_sequence_number=sequence_number(manifest, entry.status, entry.stored_sequence_number),
        columns=key_ranges(entry.statistics, keys),
        live=entry.status != Status.DELETED,
    )
