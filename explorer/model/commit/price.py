"""What reading the rows of a commit takes at most, told before any manifest is read."""

from __future__ import annotations

from ..iceberg.metadata import Snapshot, TableMetadata
from ..iceberg.most_read import MostRead, most_read


def most_bytes(metadata: TableMetadata, of: Snapshot) -> MostRead:
    """An upper bound of the bytes that the rows of a commit are told from; exactly, its manifests tell it."""
    before = metadata.by_id.get(of.parent_id) if of.parent_id is not None else None
    return most_read([of], [of], before)
