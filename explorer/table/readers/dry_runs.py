"""What procedures would do to a table as one metadata file tells it: what a rule needs is read, then it is applied."""

from __future__ import annotations

from datetime import datetime

from ...errors import UnreadableMetadata
from ...model.dry_run import (
    cherrypick,
    expire,
    move,
    orphans,
    retention,
    rewrite_data,
    rewrite_deletes,
    rewrite_manifests,
)
from ...model.dry_run.facts import Call, DryRun
from ...model.dry_run.move import Masked
from ...model.dry_run.planner import Refused
from ...model.dry_run.retention import Asked
from ...model.iceberg import cherry_pick
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.touched_files import referenced_data_file
from ...queries.dry_run import listing, live, reachable
from ...queries.files import storage
from ...queries.files.commits import manifest_lists
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
        masked = None
        if current is not None and (self._has_deletes(current) or self._has_deletes(target)):
            masked = self._masked(current), self._masked(target)
        return move.move(self._metadata, call, target, files, masked=masked, at=at)

    def expire(self, asked: Asked, at: datetime) -> DryRun:
        """Expiring snapshots."""
        found = retention.retention(self._metadata, asked, at)
        if found.refusal:
            return move.refused(expire.call(asked), at, found.refusal)
        files = reachable.only_of(self._source, found.removed.keys(), found.kept.keys())
        specs: frozenset[int] = frozenset()
        if asked.clean_expired_metadata:
            specs = reachable.specs_of(self._source, {*found.kept, *found.named})
        return expire.expire(self._metadata, asked, found, files, specs, at)

    def rewrite_data(self, asked: rewrite_data.Asked, at: datetime) -> DryRun:
        """Compacting data files.

        Raises:
            UnreadableMetadata: the manifest list of the current snapshot cannot be read.
        """
        try:
            of = rewrite_data.head(self._metadata, asked.branch)
            limits = rewrite_data.check(self._metadata, asked, is_sorted=self._is_sorted)
        except Refused as refusal:
            return move.refused(asked.call, at, str(refusal))
        statistics = asked.counts_deletes
        files = live.live(self._source, self._listed(of), asked.where, statistics=statistics)
        return rewrite_data.rewrite(self._metadata, asked, limits, files, at)

    def rewrite_deletes(self, asked: rewrite_deletes.Asked, at: datetime) -> DryRun:
        """Compacting position delete files.

        Raises:
            UnreadableMetadata: the manifest list of the current snapshot cannot be read.
        """
        try:
            sizes = rewrite_deletes.check(self._metadata, asked)
        except Refused as refusal:
            return move.refused(asked.call, at, str(refusal))
        files, asked_for = live.live_deletes(self._source, self._listed(self._current), asked.where)
        return rewrite_deletes.rewrite(self._metadata, asked, sizes, files, asked_for, at)

    def rewrite_manifests(
        self, call: Call, spec_id: int | None, sort_by: tuple[str, ...] | None, at: datetime
    ) -> DryRun:
        """Rewriting manifests.

        Raises:
            UnreadableMetadata: the manifest list of the current snapshot cannot be read.
        """
        listed = self._listed(self._current)
        try:
            of = rewrite_manifests.check(self._metadata, spec_id, listed, sort_by)
        except Refused as refusal:
            return move.refused(call, at, str(refusal))
        return rewrite_manifests.rewrite(self._metadata, call, of, listed, at)

    def cherrypick(self, call: Call, snapshot_id: int, at: datetime) -> DryRun:
        """Applying a snapshot to main again."""
        found = cherry_pick.plan(cherry_pick.MainLine.of(self._metadata), snapshot_id)
        if isinstance(found, str):
            return move.refused(call, at, found)
        picked = self._commits.commit(found.of)
        refusal = ""
        if not found.is_next and found.of.operation == "overwrite":
            refusal = cherrypick.changed_partition(picked, map(self._commits.commit, found.since))
            if not refusal:
                data = live.live(self._source, self._listed(self._current), None).data
                refusal = cherrypick.missing_file(picked, (entry.file_path for entry in data))
        if refusal:
            return move.refused(call, at, refusal)
        has_deletes = any(self._has_deletes(of) for of in (self._current, found.of) if of is not None)
        return cherrypick.pick(self._metadata, call, found, picked, at, has_deletes=has_deletes)

    def orphans(self, asked: orphans.Asked, at: datetime) -> DryRun:
        """Removing files that nothing names.

        Raises:
            UnreadableMetadata: the location cannot be listed.
        """
        refusal = orphans.refusal(self._metadata, asked, at)
        if refusal:
            return move.refused(asked.call, at, refusal)
        found = listing.listing(self._source, asked.location or self._metadata.location)
        return orphans.remove(asked, found, at)

    def _listed(self, of: Snapshot | None) -> tuple[ListedManifest, ...]:
        """The manifests of a snapshot; none if there is no snapshot.

        Raises:
            UnreadableMetadata: its list cannot be read.
        """
        if of is None:
            return ()
        listed = manifest_lists(self._source, [of.snapshot_id])[of.snapshot_id]
        if isinstance(listed, str):
            raise UnreadableMetadata(
                f"What is live in {of.snapshot_id} cannot be told.",
                found=f"The manifest list: {listed}",
                next_step=storage.next_step(listed),
            )
        return listed

    def _masked(self, of: Snapshot) -> Masked:
        if not self._has_deletes(of):
            return Masked(0, 0)
        listed = self._listed(of)
        deletes, _ = live.live_deletes(self._source, listed, None)
        targets = {target for delete in deletes.deletes if (target := referenced_data_file(delete)) is not None}
        return Masked.by(deletes.deletes, live.live_among(self._source, listed, targets))

    @property
    def _is_sorted(self) -> bool:
        document = self._source.document
        orders = {order.get("order-id"): order.get("fields") for order in document.get("sort-orders") or ()}
        return bool(orders.get(document.get("default-sort-order-id")))

    @property
    def _current(self) -> Snapshot | None:
        return self._metadata.by_id.get(self._metadata.current_snapshot_id or 0)

    def _has_deletes(self, of: Snapshot) -> bool:
        return live_files(m for m in self._commits.listed(of) if m.content != 0) > 0
