"""Files and snapshots with their sequence numbers as views of the session: no picture, but SQL for one's own."""

from __future__ import annotations

from ...model.iceberg.metadata import Snapshot
from ...queries import create_views as views
from .. import notes
from ..version import TableVersion


def create_views(version: TableVersion, of: Snapshot | None) -> dict[str, str]:
    """`Table.create_views`."""
    in_bundle = version.located.bundle is not None  # whose manifests Iceberg cannot open
    seen = of or version.metadata.by_id.get(version.metadata.current_snapshot_id or -1)
    if in_bundle:
        seen = seen or version.snapshot_or_current(None)
    stored = None
    manifests, commits = version.readers.manifests, version.readers.commits
    with version.asking(rows=not in_bundle):
        if seen and (
            in_bundle or notes.refused_sql(version, views.FILES_SQL, commits.listed(seen), has_unreadable=False)
        ):
            stored = manifests.frame(manifests.entries(seen, None, None))
        return views.create_views(version.source, of.snapshot_id if of else None, stored=stored)
