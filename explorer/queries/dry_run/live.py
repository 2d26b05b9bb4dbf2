"""The live files of a snapshot from which a rewrite chooses, and the conditions that rule some of them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model.dry_run.rewrite_data import Live
from ...model.iceberg.inheritance import ListedManifest, Status, StoredEntry
from ...model.iceberg.unreadable import Unreadable
from ..files import manifests as stored_manifests
from ..files.candidates import Filter, candidates, condition_filter
from ..files.live_files import data_manifests, live_files
from ..rows.schema_mapping import current_schema
from ..source import Source


def live(source: Source, listed: Sequence[ListedManifest], where: str | None, *, statistics: bool = False) -> Live:
    """The live data files that may hold a row with a condition, and all live deletes.

    Args:
        source: the table.
        listed: manifests of the snapshot.
        where: SQL over the table's columns; None for all files.
        statistics: whether those of data files are needed too.

    Cost: the manifests, once.
    """
    manifests = data_manifests(listed)
    found = _filter(source, where)
    deletes, unreadable_deletes = _entries(source, [m for m in listed if m.content != 0], statistics=True)
    if isinstance(found, Filter):
        read = candidates(source, manifests, found.admits, found.field_ids)
        data, unreadable = tuple(_live(read.entries)), read.unreadable_files
        left_out = live_files(manifests) - len(data)
    else:
        data, unreadable = _entries(source, manifests, statistics=statistics)
        left_out = 0
    doubt = found if isinstance(found, str) else ""
    return Live(listed, data, deletes, left_out, (*unreadable, *unreadable_deletes), doubt)


def live_deletes(
    source: Source, listed: Sequence[ListedManifest], where: str | None
) -> tuple[Live, tuple[StoredEntry, ...]]:
    """All live deletes, and those of them that may lie in a partition in which rows meet a condition.

    Args:
        source: the table.
        listed: manifests of the snapshot.
        where: SQL over the table's columns; None for all.

    Cost: the manifests of deletes, once.
    """
    found = _filter(source, where)
    deletes, unreadable = _entries(source, [m for m in listed if m.content != 0], statistics=True)
    asked_for = tuple(filter(found.admits, deletes)) if isinstance(found, Filter) else deletes
    return Live(listed, (), deletes, 0, unreadable, found if isinstance(found, str) else ""), asked_for


def _filter(source: Source, where: str | None) -> Filter | str:
    """What rules files out; else why nothing does, empty if nothing was asked for."""
    return "" if where is None else condition_filter(where, current_schema(source.document), source.specs)


def _entries(
    source: Source, manifests: Sequence[ListedManifest], *, statistics: bool
) -> tuple[tuple[StoredEntry, ...], tuple[Unreadable, ...]]:
    if stored_manifests.size_together(manifests) <= stored_manifests.SMALL_IN_BYTES:
        stored = stored_manifests.entries_here(source, manifests, statistics=statistics)
        return tuple(_live(stored.entries)), stored.unreadable_files
    frame = stored_manifests.entries(source, manifests, statistics=statistics)
    unreadable = frame.where("unreadable IS NOT NULL").collect()
    found = stored_manifests.stored_entries(
        frame.where(f"unreadable IS NULL AND status <> {int(Status.DELETED)}").collect()
    )
    return found, tuple(Unreadable(r.manifest_path, r.unreadable, r.unreadable_reason) for r in unreadable)


def _live(entries: Iterable[StoredEntry]) -> Iterable[StoredEntry]:
    return (entry for entry in entries if entry.status != Status.DELETED)
