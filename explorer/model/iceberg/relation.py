"""How two snapshots of one table are related, told from the ancestor on whatever was named first.

Source: Iceberg specification, "Snapshots" (parent-snapshot-id, sequence-number).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from .lineage import Forest
from .metadata import Snapshot, TableMetadata

RelationKind = Literal["same", "ancestor", "diverged", "unrelated", "unknown"]


@dataclass(frozen=True, slots=True)
class Relation:
    """Two snapshots, and what lies between them.

    Attributes:
        kind: `same`: one snapshot; `ancestor`: `right` descends from `left`, or with `reversed` left from right;
            `diverged`: both descend from `base`; `unrelated`: each has a root of its own; `unknown`: nobody knows, for
            ancestors have expired.
        left, right: in the order in which they are told: the ancestor first; of two that are none, the one with the
            lower sequence number.
        base: id of the youngest common ancestor; of an ancestor its own. None if there is none, or none is known.
        common: the same as a snapshot; None too if it has expired.
        left_commits, right_commits: commits of each side after the base, the oldest first. Without a base none.
        swapped: whether they were named in the other order.
        reversed: whether they are told against that order, because a person wants to see the way back.
    """

    kind: RelationKind
    left: Snapshot
    right: Snapshot
    base: int | None
    common: Snapshot | None
    left_commits: tuple[Snapshot, ...]
    right_commits: tuple[Snapshot, ...]
    swapped: bool = False
    reversed: bool = False

    def turned(self) -> Relation:
        """The same, told the other way."""
        return replace(
            self,
            left=self.right,
            right=self.left,
            left_commits=self.right_commits,
            right_commits=self.left_commits,
            swapped=not self.swapped,
            reversed=not self.reversed,
        )


def relation(metadata: TableMetadata, first: int, second: int, forest: Forest | None = None) -> Relation:
    """How two listed snapshots are related; the same whichever is named first, but for `swapped`.

    Linear in the number of commits between them, and of all that are listed where their `forest` is not at hand.
    """
    forest = forest or Forest(metadata)
    known = metadata.by_id
    base = forest.common_ancestor(first, second)
    swapped = base == second != first if base in (first, second) else _age(known[first]) > _age(known[second])
    left, right = (second, first) if swapped else (first, second)
    kind: RelationKind = "same" if left == right else "ancestor" if base == left else "diverged"
    if base is None:
        ends = {known[tuple(forest.lineage(side))[-1]].parent_id for side in (left, right)}
        if len(ends) == 1 and None not in ends:
            (base,) = ends  # both began at a snapshot that has expired
        else:
            kind = "unrelated" if ends == {None} else "unknown"
    commits = [_since(forest, metadata, side, base) if base is not None else () for side in (left, right)]
    common = known.get(base) if base is not None else None
    return Relation(kind, known[left], known[right], base, common, commits[0], commits[1], swapped)


def _since(forest: Forest, metadata: TableMetadata, head: int, base: int) -> tuple[Snapshot, ...]:
    """Commits after `base` up to and with `head`, the oldest first."""
    found = []
    for snapshot_id in forest.lineage(head):
        if snapshot_id == base:
            break
        found.append(metadata.by_id[snapshot_id])
    return tuple(reversed(found))


def _age(snapshot: Snapshot) -> tuple[int, float, int]:
    """What orders commits of which none is an ancestor: their numbers, which version 1 lacks, then clocks."""
    at = snapshot.committed_at
    return snapshot.sequence_number, at.timestamp() if at else 0.0, snapshot.snapshot_id
