"""What a snapshot's summary counts of rows. Source: Iceberg specification, "Optional Snapshot Summary Fields"."""

from __future__ import annotations

from .metadata import Snapshot


def masked(snapshot: Snapshot) -> int | None:
    """Rows newly masked by position deletes or deletion vectors; None if none were, or the summary does not count.

    A deletion vector that replaces another counts all of its positions as added and the old ones as removed, so the
    difference is what is new. Equality deletes are not counted: nobody knows how many rows one reaches.
    """
    added, removed = snapshot.count("added-position-deletes"), snapshot.count("removed-position-deletes")
    new = (added or 0) - (removed or 0)
    return new if new > 0 else None
