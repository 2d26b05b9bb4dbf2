"""The deletes of a snapshot, put together as the face of the house will, in both ways."""

from __future__ import annotations

from functools import partial
from typing import Any

from explorer.model import delete_counts, stored_deletes
from explorer.model.deletes import Deletes
from explorer.model.key_ranges import key_ranges
from explorer.queries import deletes
from explorer.queries.delete_counts import counts, without_deletes
from explorer.queries.delete_pairs import Sides, sides
from explorer.queries.deletes import StoredDeletes
from tests.queries.commit_facts import Opened


def stored(opened: Opened, snapshot_id: int, **limits: int) -> StoredDeletes:
    return deletes.read(opened.spark, opened.document, snapshot_id, opened.metadata.specs, opened.options, **limits)


def told(opened: Opened, snapshot_id: int) -> Deletes:
    """Pair by pair, on the driver."""
    return stored_deletes.from_stored(opened.metadata, snapshot_id, stored(opened, snapshot_id, most_pairs=10**9))


def joined(opened: Opened, snapshot_id: int, read: StoredDeletes | None = None) -> Sides:
    """Both sides of the joins in Spark."""
    read = read or stored(opened, snapshot_id)
    found = stored_deletes.live_deletes(opened.metadata, read)
    keys = stored_deletes.keys_of(found)
    return sides(
        opened.spark,
        read,
        stored_deletes.scope_rows(found),
        keys,
        partial(key_ranges, columns=keys),
        opened.metadata.specs,
        opened.options,
    )


def counted(opened: Opened, snapshot_id: int, **limits: Any) -> Deletes:
    """From counts in Spark."""
    read = stored(opened, snapshot_id, small_in_bytes=0, most_pairs=0)
    found = stored_deletes.live_deletes(opened.metadata, read)
    numbers = (
        counts(opened.spark, joined(opened, snapshot_id, read), **limits)
        if read.delete_count
        else without_deletes(read)
    )
    return delete_counts.from_counts(opened.metadata.by_id[snapshot_id], read, found, numbers)
