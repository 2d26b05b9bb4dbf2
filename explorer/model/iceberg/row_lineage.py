"""Whether row ids tell which row is which across a commit: only then is a row's way from file to file proved.

Sources: Iceberg specification, "Row Lineage" (equality deletes keep no ids; ids begin with the upgrade to version 3);
release notes of the Java library for the versions that damaged ids: Avro files had the file's first id in every row and
ORC files lost them (up to 1.10), rewriting manifests gave every row a new id (up to 1.11).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from .commit import Commit
from .file_change import FileChange
from .metadata import Snapshot, TableMetadata

_VERSION = re.compile(r"\b(\d+)\.(\d+)\.\d+")


@dataclass(frozen=True, slots=True)
class RowIds:
    """Whether row ids of the parent and of the snapshot can be compared; `reason` is a sentence."""

    usable: bool
    reason: str


def row_ids(metadata: TableMetadata, commit: Commit) -> RowIds:
    """Judge the row ids of a commit by metadata alone; that they are unique can only be seen in the rows."""
    parent_id = commit.snapshot.parent_id
    parent = metadata.by_id.get(parent_id) if parent_id is not None else None
    ends = [commit.snapshot, *([parent] if parent is not None else [])]
    return _judged(_why_not(metadata, ends, commit.files))


def row_ids_between(
    metadata: TableMetadata, ends: Sequence[Snapshot], path: Iterable[Snapshot], files: Iterable[FileChange]
) -> RowIds:
    """The same of two snapshots that need not be parent and child.

    Args:
        metadata: the table's.
        ends: the two.
        path: the commits between them, on both sides of where they parted.
        files: those that only one of the two has.
    """
    if any(snapshot.count("added-equality-delete-files") for snapshot in path):
        return _judged("A commit between them replaced rows by equality deletes, which gives them new row ids.")
    return _judged(_why_not(metadata, ends, tuple(files)))


def _judged(why_not: str) -> RowIds:
    return RowIds(not why_not, why_not or "Both snapshots have row ids, and every writer that is named keeps them.")


def _why_not(metadata: TableMetadata, ends: Sequence[Snapshot], files: Sequence[FileChange]) -> str:
    if metadata.format_version < 3:
        return f"A table of format version {metadata.format_version} has no row ids."
    if any(snapshot.first_row_id is None for snapshot in ends):
        return "A snapshot from before the upgrade to version 3 has no row ids."
    if any(file.kind == "equality deletes" for file in files):
        return "A row that is replaced by an equality delete gets a new row id."
    data = [file for file in files if file.kind == "data"]
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
