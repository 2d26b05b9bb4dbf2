"""What one commit wrote into the metadata: its manifest list, its parent's, and the manifests that it added.

No other manifest is opened, so the cost follows the size of the commit, not of the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.partition_changes import ChangeGroup
from ...model.iceberg.stored_commit import StoredCommit
from ...model.iceberg.unreadable import Unreadable
from ..source import Source
from . import manifests as stored_manifests
from .manifests import Stored

ENTRIES_IN_PYTHON = 100_000

Manifests = str | Sequence[str] | None
"""Where a snapshot lists its manifests: the location of its manifest list; in version 1 perhaps the manifests' own."""


def manifests_of(source: Source, snapshot_id: int) -> Manifests:
    """Where a snapshot lists its manifests; None if it is not listed, or says nothing."""
    for item in source.document.get("snapshots") or ():
        if item.get("snapshot-id") == snapshot_id:
            found: Manifests = item.get("manifest-list") or item.get("manifests")
            return found
    return None


def read(
    source: Source,
    snapshot_id: int,
    parent_id: int | None,
    *,
    most: int = ENTRIES_IN_PYTHON,
    small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
) -> StoredCommit:
    """Read what a commit wrote.

    Args:
        source: the table.
        snapshot_id: the commit.
        parent_id: its parent, which may be listed no longer; None if it has none.
        most: entries brought to Python. Of a commit with more, that many, and groups that count all.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.

    Cost: at most two manifest lists, and the manifests that the commit added, each opened once.
    """
    manifests = manifests_of(source, snapshot_id)
    parent_manifests = None if parent_id is None else manifests_of(source, parent_id)
    own = _listed(source, manifests, snapshot_id)
    parent = _listed(source, parent_manifests, parent_id)
    unreadable_lists = [found for found in (own, parent) if isinstance(found, Unreadable)]
    opened = [location for location in (manifests, parent_manifests) if isinstance(location, str)]
    listed, parent_listed = (None if isinstance(found, Unreadable) else found for found in (own, parent))
    before = {m.path for m in parent_listed or ()}
    added = [m for m in listed or () if added_by(snapshot_id, m, before)]
    opened += [m.path for m in added]
    if stored_manifests.size_together(added) <= small_in_bytes:
        counted = all(m.existing_files_count is not None for m in added)
        stored = stored_manifests.entries_here(source, added, changes_only=counted)
        groups, left_out = None, counted
    else:
        frame = stored_manifests.entries(source, added, changes_only=True)
        stored, groups = _bounded(frame, snapshot_id, [m.path for m in added], most)
        left_out = True
    return StoredCommit(
        listed,
        parent_listed,
        stored.entries,
        left_out,
        groups,
        (*unreadable_lists, *stored.unreadable_files),
        tuple(opened),
    )


def _listed(
    source: Source, manifests: Manifests, snapshot_id: int | None
) -> tuple[ListedManifest, ...] | Unreadable | None:
    if manifests is None:
        return None
    if isinstance(manifests, str):
        return stored_manifests.manifest_list(source, manifests, snapshot_id)
    return stored_manifests.inline_manifests(manifests)


def added_by(snapshot_id: int, manifest: ListedManifest, before: set[str]) -> bool:
    """By the list; where it does not say (manifests named in the metadata file), what the parent does not list."""
    if manifest.added_snapshot_id is not None:
        return manifest.added_snapshot_id == snapshot_id
    return manifest.path not in before


def _bounded(
    frame: DataFrame, snapshot_id: int, paths: Sequence[str], most: int
) -> tuple[Stored, tuple[ChangeGroup, ...] | None]:
    """Entries and unreadable manifests of a frame; its groups too if there are more entries than `most`."""
    frame = frame.persist()  # decoded once for the three questions below
    try:
        unreadable_files = stored_manifests.unreadable_files(frame)
        entries = frame.where("unreadable IS NULL").where(
            F.coalesce("stored_snapshot_id", F.lit(snapshot_id)) == F.lit(snapshot_id)
        )
        found = stored_manifests.stored_entries(entries.limit(most + 1).collect())
        groups = None
        if len(found) > most:
            groups = stored_manifests.counted(entries)
    finally:
        frame.unpersist()
    place = {path: i for i, path in enumerate(paths)}
    ordered = sorted(found[:most], key=lambda entry: (place[entry.manifest_path], entry.position))
    return Stored(tuple(ordered), unreadable_files), groups
