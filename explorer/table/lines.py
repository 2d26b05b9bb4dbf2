"""The line of snapshots that a bisection walks: from a good end to a bad one, along the parents of the bad one."""

from __future__ import annotations

from ..errors import UnknownSnapshot
from ..model import formats
from ..model.bisect.facts import Beginning
from ..model.iceberg.lineage import Forest
from ..model.iceberg.metadata import Snapshot
from .version import TableVersion


def line(
    version: TableVersion, good: int | str | None, bad: int | str | None, ref: str
) -> tuple[tuple[Snapshot, ...], Beginning]:
    """The snapshots from the good end to the bad one, and what was before the good end where nobody named it.

    Args:
        version: the table as it was read.
        good: an ancestor of the bad end. One that has expired stands for the oldest that is left, and so does None.
        bad: id, branch, tag or sequence number; the snapshot of `ref` if None.
        ref: whose line it is.

    Raises:
        UnknownSnapshot: none of that name, or the good end is no listed ancestor of the bad one.
    """
    end = version.snapshot(ref if bad is None else bad)
    metadata = version.metadata
    lineage = [metadata.by_id[i] for i in Forest(metadata).lineage(end.snapshot_id)][::-1]
    oldest = lineage[0]
    has_expired = oldest.parent_id is not None
    start = None if good is None else version.snapshot_id(good)
    if start is None or (start not in metadata.by_id and has_expired):
        return _two_or_more(version, lineage), "expired" if has_expired else "root"
    ids = [snapshot.snapshot_id for snapshot in lineage]
    if start not in ids:
        raise UnknownSnapshot(
            f"The good end, {good}, is no ancestor of the bad end, {end.snapshot_id}.",
            found=f"The bad end has {formats.count(len(ids) - 1, 'listed ancestor')}, the oldest is {ids[0]}.",
            next_step="Name an ancestor as good, or the snapshot of another branch as bad.",
        )
    return _two_or_more(version, lineage[ids.index(start) :]), "asked"


def _two_or_more(version: TableVersion, found: list[Snapshot]) -> tuple[Snapshot, ...]:
    if len(found) == 1:
        raise UnknownSnapshot(
            f"There is nothing to bisect in {version.name} between {found[0].snapshot_id} and itself.",
            found="The good end and the bad end are one snapshot.",
            next_step="Name an earlier snapshot as good, or a later one as bad.",
        )
    return tuple(found)
