"""What procedures would do to a table as one metadata file tells it: what a rule needs is read, then it is applied."""

from __future__ import annotations

from datetime import datetime

from ...model.dry_run import expire, move, retention
from ...model.dry_run.expire import Reachable
from ...model.dry_run.facts import Call, DryRun
from ...model.dry_run.retention import Asked
from ...model.iceberg.metadata import Snapshot
from ...queries.dry_run import reachable
from ...queries.files.live_files import live_files
from .commits import Commits


class DryRuns:
    """Tells what procedures would do.

    Args:
        commits: of the table as it is opened.
    """

    def __init__(self, commits: Commits) -> None:
        self._commits, self._source = commits, commits.source
        self._metadata = commits.source.metadata

    def move(self, call: Call, snapshot_id: int | None, at: datetime, refusal: str = "") -> DryRun:
        """Moving main to a snapshot, listed or not.

        Raises:
            UnreadableMetadata: a manifest list, or a manifest that only one of both ends lists, cannot be read.
        """
        why = refusal or move.refusal(self._metadata, call.procedure, snapshot_id)
        if why:
            return move.refused(call, at, why)
        target = self._metadata.by_id[snapshot_id or 0]
        current = self._current
        files = None if current is None else self._commits.between(current, target)
        has_deletes = any(self._has_deletes(of) for of in (current, target) if of is not None)
        return move.move(self._metadata, call, target, files, has_deletes=has_deletes, at=at)

    def expire(self, asked: Asked, at: datetime) -> DryRun:
        """Expiring snapshots."""
        found = retention.retention(self._metadata, asked, at)
        if found.refusal:
            return move.refused(expire.call(asked), at, found.refusal)
        kept = {*found.kept, *(found.named if asked.clean_expired_metadata else ())} - found.removed.keys()
        files: Reachable = reachable.only_of(self._source, found.removed.keys(), kept)
        return expire.expire(self._metadata, asked, found, files, at)

    @property
    def _current(self) -> Snapshot | None:
        return self._metadata.by_id.get(self._metadata.current_snapshot_id or 0)

    def _has_deletes(self, of: Snapshot) -> bool:
        return live_files(m for m in self._commits.listed(of) if m.content != 0) > 0
