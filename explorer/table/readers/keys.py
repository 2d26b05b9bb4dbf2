"""Which columns may tell the rows of a table apart: read from the manifests of the current snapshot."""

from __future__ import annotations

from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.key_candidates import KeyCandidate, key_candidates
from ...queries.files import manifests as stored_manifests
from ...queries.files.live_files import DATA, data_manifests, live_entries, live_files
from ...queries.rows.schema_mapping import current_schema
from .commits import Commits


def candidates(commits: Commits) -> tuple[KeyCandidate, ...]:
    """The candidates by the data files of the newest manifests, as many as are decoded in this process."""
    source, metadata = commits.source, commits.source.metadata
    schema = metadata.schemas.get(metadata.current_schema_id or 0, ())
    declared = current_schema(source.document).get("identifier-field-ids") or ()
    head = metadata.by_id.get(metadata.current_snapshot_id or 0)
    if head is None:
        return tuple(key_candidates(schema, declared, (), deletes=False))
    listed = commits.listed(head)
    chosen: list[ListedManifest] = []
    size = 0
    for manifest in sorted(data_manifests(listed), key=lambda m: -(m.sequence_number or 0)):
        size += stored_manifests.size_together([manifest])
        if size > stored_manifests.SMALL_IN_BYTES and chosen:
            break
        chosen.append(manifest)
    stored = stored_manifests.entries_here(source, chosen, statistics=True)
    files = live_entries(stored.entries)
    every = live_files(data_manifests(listed))
    is_part = len(chosen) < len(data_manifests(listed)) or bool(stored.unreadable_files)
    deletes = any(manifest.content != DATA for manifest in listed)
    return tuple(key_candidates(schema, declared, files, deletes=deletes, of_files=every if is_part else None))
