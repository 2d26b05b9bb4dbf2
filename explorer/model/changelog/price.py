"""What reading a changelog takes at most, told before any manifest is read."""

from __future__ import annotations

from ..iceberg.commit_range import CommitRange
from ..iceberg.metadata import TableMetadata
from ..iceberg.most_read import MostRead, all_of, most_read
from .facts import Mode


def most_bytes(metadata: TableMetadata, commits: CommitRange, mode: Mode = "changes") -> MostRead:
    """An upper bound of the bytes that a changelog of a range reads, by the summaries of its snapshots.

    Args:
        metadata: the table's.
        commits: of `commit_range`.
        mode: of the changelog; in `ownership` every live row is read, and what the commits that own some removed.
    """
    every = [commit.snapshot for commit in commits.commits]
    before = metadata.by_id.get(every[0].parent_id or 0) if every else None
    if mode == "ownership":
        removing = [s for s in every if any(s.count(key) != 0 for key in ("deleted-data-files", "added-delete-files"))]
        return all_of(metadata.by_id[commits.end]).and_also(most_read(every, removing, before))
    return most_read(every, [commit.snapshot for commit in commits.numbered], before)
