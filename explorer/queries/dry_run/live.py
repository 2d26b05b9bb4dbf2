"""The live files of a snapshot from which a rewrite chooses, and the conditions that rule some of them out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.dry_run.rewrite_data import Live
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ..files import live_files
from ..files import manifests as stored_manifests
from ..files.candidates import Filter, candidates, condition_filter
from ..files.live_files import data_manifests, delete_manifests, live_entries
from ..rows.local_rows import local_rows
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
    deletes, _, unreadable_deletes = live_files.live(source, delete_manifests(listed), statistics=True)
    if isinstance(found, Filter):
        read = candidates(source, manifests, found.admits, found.field_ids)
        data, unreadable = live_entries(read.entries), read.unreadable_files
        left_out = live_files.live_files(manifests) - len(data)
    else:
        data, _, unreadable = live_files.live(source, manifests, statistics=statistics)
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
    deletes, _, unreadable = live_files.live(source, delete_manifests(listed), statistics=True)
    asked_for = tuple(filter(found.admits, deletes)) if isinstance(found, Filter) else deletes
    return Live(listed, (), deletes, 0, unreadable, found if isinstance(found, str) else ""), asked_for


def live_among(source: Source, listed: Sequence[ListedManifest], paths: Collection[str]) -> frozenset[str]:
    """Those of these data files that a snapshot lists; of manifests that can be read.

    Args:
        source: the table.
        listed: manifests of the snapshot.
        paths: of data files.

    Cost: the data manifests, once; nothing if there are no paths.
    """
    manifests = data_manifests(listed)
    if not paths:
        return frozenset()
    if stored_manifests.size_together(manifests) <= stored_manifests.SMALL_IN_BYTES:
        found = live_entries(stored_manifests.entries_here(source, manifests).entries)
        return frozenset(entry.file_path for entry in found).intersection(paths)
    wanted = F.broadcast(local_rows(source.spark, [(path,) for path in sorted(paths)], "file_path STRING"))
    rows = live_files.live_rows(stored_manifests.entries(source, manifests)).join(wanted, "file_path", "left_semi")
    return frozenset(row.file_path for row in rows.select("file_path").collect())


def _filter(source: Source, where: str | None) -> Filter | str:
    """What rules files out; else why nothing does, empty if nothing was asked for."""
    return "" if where is None else condition_filter(where, current_schema(source.document), source.specs)
