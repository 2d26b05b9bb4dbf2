"""The deletes of a snapshot by the reader of the face of the house, in both ways."""

from __future__ import annotations

from explorer.model.deletes.facts import Deletes
from explorer.model.why.facts import RowOutcome
from explorer.queries.deletes.pairs import Sides
from explorer.table.readers.commits import Commits
from explorer.table.readers.live_deletes import LiveDeletes
from tests.queries.commit_facts import Opened


def reader(opened: Opened, **limits: int) -> LiveDeletes:
    commits = Commits(opened.source)
    return LiveDeletes(commits, **limits)


def pair_by_pair(opened: Opened, snapshot_id: int) -> Deletes:
    """Pair by pair, on the driver."""
    return reader(opened, most_pairs=10**9).deletes(opened.metadata.by_id[snapshot_id])


def joined(opened: Opened, snapshot_id: int) -> Sides:
    """Both sides of the joins in Spark."""
    return reader(opened).sides(opened.metadata.by_id[snapshot_id])


def counted(opened: Opened, snapshot_id: int, **limits: int) -> Deletes:
    """From counts over columns that Spark's tasks decode."""
    return counted_here(opened, snapshot_id, small_in_bytes=0, **limits)


def counted_here(opened: Opened, snapshot_id: int, **limits: int) -> Deletes:
    """From counts over columns that this process decodes."""
    return reader(opened, most_pairs=0, **limits).deletes(opened.metadata.by_id[snapshot_id])


def outcome_of(opened: Opened, snapshot_id: int, condition: str, **limits: int) -> RowOutcome:
    """Why rows are deleted or not."""
    return reader(opened).outcome(opened.metadata.by_id[snapshot_id], condition, **limits)[0]
