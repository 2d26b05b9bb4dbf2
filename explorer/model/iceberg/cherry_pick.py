"""Which commits `cherrypick_snapshot` takes, as far as the metadata file tells.

An append is applied again. A dynamic overwrite is applied again if its parent is on main. Any other commit is taken
only if it is main's next one.

Source: the Java library's `CherryPickOperation` and `WapUtil` (1.12).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .lineage import Forest
from .metadata import Snapshot, TableMetadata


@dataclass(frozen=True, slots=True)
class Pick:
    """What must be read to tell.

    Attributes:
        of: the snapshot.
        is_next: whether it would only become main's next commit.
        since: commits of main after its parent, of which a dynamic overwrite must see what they added.
    """

    of: Snapshot
    is_next: bool
    since: tuple[Snapshot, ...]


def plan(metadata: TableMetadata, snapshot_id: int) -> Pick | str:
    """What must be read; or the words in which Iceberg would refuse, as far as the metadata file tells."""
    of = metadata.by_id.get(snapshot_id)
    if of is None:
        return f"Cannot cherry-pick unknown snapshot ID: {snapshot_id}"
    line = list(Forest(metadata).lineage(metadata.current_snapshot_id))
    on_main = set(line)
    is_next = of.parent_id == metadata.current_snapshot_id
    if can_be_picked(of):
        overwrites = of.operation == "overwrite"
        if overwrites and of.parent_id is not None and of.parent_id not in on_main:
            return f"Cannot cherry-pick overwrite not based on an ancestor of the current state: {snapshot_id}"
        wap = of.summary.get("wap.id")
        if wap and _is_published(metadata, line, wap):
            return f"Duplicate request to cherry pick wap id that was published already: {wap}"
        if is_next:
            return Pick(of, True, ())
        if snapshot_id in on_main:
            return f"Cannot cherrypick snapshot {snapshot_id}: already an ancestor"
        for ancestor in line:
            if metadata.by_id[ancestor].summary.get("source-snapshot-id") == str(snapshot_id):
                return f"Cannot cherrypick snapshot {snapshot_id}: already picked to create ancestor {ancestor}"
        since = line[: line.index(of.parent_id)] if of.parent_id in on_main else line
        return Pick(of, False, tuple(metadata.by_id[i] for i in since) if overwrites else ())
    if not is_next:
        return f"Cannot cherry-pick snapshot {snapshot_id}: not append, dynamic overwrite, or fast-forward"
    return Pick(of, True, ())


def _is_published(metadata: TableMetadata, line: Iterable[int], wap: str) -> bool:
    summaries = (metadata.by_id[i].summary for i in line)
    return any(wap in (summary.get("wap.id"), summary.get("published-wap-id")) for summary in summaries)


def can_be_picked(snapshot: Snapshot) -> bool:
    """Whether `cherrypick_snapshot` takes this kind of commit where it is not main's next one."""
    if snapshot.operation == "append":
        return True
    return snapshot.operation == "overwrite" and snapshot.summary.get("replace-partitions", "").lower() == "true"
