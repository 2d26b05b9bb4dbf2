"""Whether row ids tell which row is which across a commit: only then is a row's way from file to file proved.

Sources: Iceberg specification, "Row Lineage" (equality deletes keep no ids; ids begin with the upgrade to version 3);
release notes of the Java library for the versions that damaged ids: Avro files had the file's first id in every row and
ORC files lost them (up to 1.10), rewriting manifests gave every row a new id (up to 1.11).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from .commit import Commit
from .metadata import Snapshot, TableMetadata

_VERSION = re.compile(r"\b(\d+)\.(\d+)\.\d+")


@dataclass(frozen=True, slots=True)
class RowIds:
    """Whether row ids of the parent and of the snapshot can be compared; `reason` is a sentence."""

    usable: bool
    reason: str


def row_ids(metadata: TableMetadata, commit: Commit) -> RowIds:
    """Judge the row ids of a commit by metadata alone; that they are unique can only be seen in the rows."""
    reason = _why_not(metadata, commit)
    return RowIds(not reason, reason or "Both snapshots have row ids, and every writer that is named keeps them.")


def _why_not(metadata: TableMetadata, commit: Commit) -> str:
    snapshot = commit.snapshot
    parent = metadata.by_id.get(snapshot.parent_id) if snapshot.parent_id is not None else None
    if metadata.format_version < 3:
        return f"A table of format version {metadata.format_version} has no row ids."
    if snapshot.first_row_id is None or (parent is not None and parent.first_row_id is None):
        return "A snapshot from before the upgrade to version 3 has no row ids."
    if any(file.kind == "equality deletes" for file in commit.files):
        return "A row that is replaced by an equality delete gets a new row id."
    data = [file for file in commit.files if file.kind == "data"]
    if any(file.change == "added" and file.resolved.first_row_id.value is None for file in data):
        return "A file that the commit added has no first row id."
    return damage(metadata, {file.entry.file_format.upper() for file in data})


def damage(metadata: TableMetadata, formats: Collection[str]) -> str:
    """Why the row ids of files of these formats may be damaged, a sentence; empty if no writer is known to do it."""
    for other in metadata.snapshots:
        version = _java_version(other)
        if other.first_row_id is None or version is None:
            continue
        if version < (1, 11) and not {"AVRO", "ORC"}.isdisjoint(formats):
            return (
                f"Iceberg {version[0]}.{version[1]}, which wrote to this table, damaged row ids in Avro and ORC files."
            )
        if version < (1, 12) and other.operation == "replace" and not other.count("added-data-files"):
            return f"Iceberg {version[0]}.{version[1]} rewrote manifests of this table, which gave rows new ids."
    return ""


def _java_version(snapshot: Snapshot) -> tuple[int, int] | None:
    match = _VERSION.search(snapshot.summary.get("iceberg-version", ""))
    return (int(match[1]), int(match[2])) if match else None
