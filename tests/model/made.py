"""Rows of manifest lists and entries made by hand, of which a test says what it needs."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from explorer.model.iceberg.inheritance import ListedManifest, Status, StoredEntry, resolve
from explorer.model.iceberg.statistics import Statistics

_STATISTICS = {field.name for field in fields(Statistics)}
_ENTRY = {
    "manifest_path": "m",
    "position": 0,
    "status": Status.ADDED,
    "stored_snapshot_id": None,
    "stored_sequence_number": None,
    "stored_file_sequence_number": None,
    "stored_first_row_id": None,
    "content": 0,
    "file_format": "PARQUET",
    "spec_id": 0,
    "partition": "",
    "record_count": 1,
    "file_size_in_bytes": 1,
}


def a_manifest(path: str, **known: Any) -> ListedManifest:
    """Of data files; nothing else is known."""
    nothing: dict[str, Any] = dict.fromkeys(field.name for field in fields(ListedManifest))
    return ListedManifest(**nothing | {"path": path, "content": 0} | known)


def an_entry(path: str, **known: Any) -> StoredEntry:
    """An added data file with one row; counts and bounds of columns by field id, those that are None left out."""
    statistics = {name: known.pop(name) for name in _STATISTICS & known.keys()}
    of_columns = Statistics(**{name: found for name, found in statistics.items() if found is not None})
    return StoredEntry(**_ENTRY | {"file_path": path, "statistics": of_columns} | known)


def as_read(manifest: ListedManifest, entry: StoredEntry) -> dict[str, int | None]:
    """What a reader sees of an entry, by the columns of decoded entries."""
    resolved = resolve(manifest, entry)
    return {
        "snapshot_id": resolved.snapshot_id.value,
        "sequence_number": resolved.data_sequence_number.value,
        "file_sequence_number": resolved.file_sequence_number.value,
        "first_row_id": resolved.first_row_id.value,
    }
