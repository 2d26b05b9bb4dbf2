"""Which manifests of a history must be opened to tell every birth and death, and which of them entry by entry.

A commit's own manifests record what it added and removed. Where the counts in the manifest lists say that this explains
the difference to the snapshot before, nothing else needs to be read; where they do not (a writer that drops files
without an entry, version 1 lists without counts), and where nothing before is known, live files are compared by name.

Sources: Iceberg specification, "Manifest Lists" (counts), "Manifests" (status); "Snapshots" (parent).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .inheritance import ListedManifest
from .metadata import Snapshot, TableMetadata

# Of lists as sets, which take ten times their bytes: nearly every snapshot is compared with the one before it.
_SETS_AT_ONCE = 64
Lists = Mapping[int, tuple[int, ...] | str]
"""By snapshot id, indices of the manifests that its list names; or why they are not known."""


@dataclass(frozen=True, slots=True)
class Step:
    """From the nearest known snapshot before to this one.

    Attributes:
        snapshot_id: a snapshot whose manifest list is known.
        before: its nearest ancestor whose list is known; None if there is none.
        skipped: ids of the ancestors in between, whose lists are not known.
        why_unknown: why nothing is known of what was before; empty if `before` is known, or it is a root.
        dropped, new: indices of manifests that only the one or only the other lists.
        is_explained: whether entries ADDED and DELETED tell all of the difference.
    """

    snapshot_id: int
    before: int | None
    skipped: tuple[int, ...]
    why_unknown: str
    dropped: frozenset[int]
    new: frozenset[int]
    is_explained: bool


def steps(metadata: TableMetadata, lists: Lists, manifests: Sequence[ListedManifest]) -> tuple[Step, ...]:
    """A step for each listed snapshot whose manifest list is known, in the order of the metadata."""
    known = {i: m for i, m in lists.items() if not isinstance(m, str)}

    @lru_cache(_SETS_AT_ONCE)
    def manifests_of(snapshot_id: int) -> frozenset[int]:
        return frozenset(known[snapshot_id])

    return tuple(
        _step(metadata, s, known, manifests_of, manifests) for s in metadata.snapshots if s.snapshot_id in known
    )


def _step(
    metadata: TableMetadata,
    snapshot: Snapshot,
    known: Container[int],
    manifests_of: Callable[[int], frozenset[int]],
    manifests: Sequence[ListedManifest],
) -> Step:
    skipped: list[int] = []
    before = snapshot.parent_id
    while before is not None and before in metadata.by_id and before not in known and before not in skipped:
        skipped.append(before)
        before = metadata.by_id[before].parent_id
    own = manifests_of(snapshot.snapshot_id)
    if before is not None and before in known:
        last = manifests_of(before)
        dropped, new, why = last - own, own - last, ""
    else:
        dropped, new = frozenset(), own
        why = "" if before is None and not skipped else _why(before, skipped)
        before = None
    # What a skipped commit added or removed may be told by its own manifests alone, which nobody lists any more.
    explained = not why and not skipped and _explains(dropped, new, snapshot.snapshot_id, manifests)
    return Step(snapshot.snapshot_id, before, tuple(skipped), why, dropped, new, explained)


def _why(before: int | None, skipped: Sequence[int]) -> str:
    if skipped:
        return f"the manifest list of its ancestor {skipped[-1]} cannot be read"
    return f"its parent {before} is no longer listed"


def _explains(dropped: frozenset[int], new: frozenset[int], writer: int, manifests: Sequence[ListedManifest]) -> bool:
    """Live before, plus added, less deleted, is live after: of data manifests, and of delete manifests."""
    balance = [0, 0]
    for sign, indices in ((-1, dropped), (1, new)):
        for i in indices:
            m = manifests[i]
            added, existing, deleted = m.added_files_count, m.existing_files_count, m.deleted_files_count
            if added is None or existing is None or deleted is None:
                return False
            live = added + existing
            if sign > 0:
                if m.added_snapshot_id != writer:
                    return False
                live += deleted - added
            balance[m.content] += sign * live
    return balance == [0, 0]


def without_lost(found: Sequence[Step], lost: Container[int]) -> tuple[Step, ...]:
    """The same steps; none counts as explained in which a manifest comes or goes that cannot be read.

    Args:
        found: of `steps`.
        lost: indices of such manifests.
    """
    return tuple(
        replace(step, is_explained=False) if any(i in lost for i in step.dropped | step.new) else step for step in found
    )


def to_read(found: Sequence[Step], manifests: Sequence[ListedManifest]) -> tuple[set[int], set[int]]:
    """Indices of manifests whose changes are needed, and of those whose EXISTING entries are needed too."""
    wanted: set[int] = set()
    whole: set[int] = set()
    for step in found:
        wanted.update(i for i in step.new if _may_have_changes(manifests[i]))
        if not step.is_explained:
            whole.update(i for i in step.dropped | step.new if manifests[i].existing_files_count != 0)
            wanted.update(step.dropped)
    return wanted | whole, whole


def _may_have_changes(manifest: ListedManifest) -> bool:
    return manifest.added_files_count != 0 or manifest.deleted_files_count != 0
