"""Which commits `cherrypick_snapshot` takes, as far as the metadata file tells.

An append is applied again. A dynamic overwrite is applied again if its parent is on main. Any other commit is taken
only if it is main's next one.

Source: the Java library's `CherryPickOperation` and `WapUtil` (1.12).
"""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True)
class MainLine:
    """Main's commits as far as they are listed, the youngest first, and what of them a pick is refused by.

    Attributes:
        sources: by id of a picked snapshot, as its summary has it, the youngest commit that was made of it.
        published: ids under which commits were audited before they were published, or after.
    """

    metadata: TableMetadata
    ids: tuple[int, ...]
    members: frozenset[int]
    sources: Mapping[str, int]
    published: frozenset[str]

    @classmethod
    def of(cls, metadata: TableMetadata) -> MainLine:
        """Main as it is."""
        ids = tuple(Forest(metadata).lineage(metadata.current_snapshot_id))
        summaries = [metadata.by_id[i].summary for i in ids]
        sources = {
            summary["source-snapshot-id"]: i
            for i, summary in reversed([*zip(ids, summaries, strict=True)])
            if "source-snapshot-id" in summary
        }
        keys = ("wap.id", "published-wap-id")
        published = frozenset(summary[key] for summary in summaries for key in keys if key in summary)
        return cls(metadata, ids, frozenset(ids), sources, published)


def plan(main: MainLine, snapshot_id: int) -> Pick | str:
    """What must be read; or the words in which Iceberg would refuse, as far as the metadata file tells."""
    by_id = main.metadata.by_id
    of = by_id.get(snapshot_id)
    if of is None:
        return f"Cannot cherry-pick unknown snapshot ID: {snapshot_id}"
    is_next = of.parent_id == main.metadata.current_snapshot_id
    if can_be_picked(of):
        overwrites = of.operation == "overwrite"
        if overwrites and of.parent_id is not None and of.parent_id not in main.members:
            return f"Cannot cherry-pick overwrite not based on an ancestor of the current state: {snapshot_id}"
        wap = of.summary.get("wap.id")
        if wap and wap in main.published:
            return f"Duplicate request to cherry pick wap id that was published already: {wap}"
        if is_next:
            return Pick(of, True, ())
        if snapshot_id in main.members:
            return f"Cannot cherrypick snapshot {snapshot_id}: already an ancestor"
        if ancestor := main.sources.get(str(snapshot_id)):
            return f"Cannot cherrypick snapshot {snapshot_id}: already picked to create ancestor {ancestor}"
        if not overwrites:
            return Pick(of, False, ())
        since = main.ids[: main.ids.index(of.parent_id)] if of.parent_id in main.members else main.ids
        return Pick(of, False, tuple(by_id[i] for i in since))
    if not is_next:
        return f"Cannot cherry-pick snapshot {snapshot_id}: not append, dynamic overwrite, or fast-forward"
    return Pick(of, True, ())


def can_be_picked(snapshot: Snapshot) -> bool:
    """Whether `cherrypick_snapshot` takes this kind of commit where it is not main's next one."""
    if snapshot.operation == "append":
        return True
    return snapshot.operation == "overwrite" and snapshot.summary.get("replace-partitions", "").lower() == "true"
