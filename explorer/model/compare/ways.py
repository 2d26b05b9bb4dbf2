"""What would bring the commits of a line to main, where the two have diverged, and what Iceberg would refuse.

Told from the metadata file alone; nothing is done. Sources: the Java library's `CherryPickOperation`,
`SetSnapshotOperation` and Spark's `FastForwardBranchProcedure` (1.12).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from .. import formats
from ..iceberg.cherry_pick import MainLine, can_be_picked, plan
from ..iceberg.metadata import Snapshot, TableMetadata
from ..iceberg.relation import Relation

Works = Literal["yes", "perhaps", "no", "loses"]


@dataclass(frozen=True, slots=True)
class Way:
    """Something that could be called.

    Attributes:
        procedure: its name; argument: what it is given besides commits, as SQL; empty if nothing.
        commits: each of which it would be called for, the oldest first.
        works: `yes`; `perhaps`: that depends on partitions that were not looked at; `no`: Iceberg refuses; `loses`: it
            works, and commits of main are lost by it.
        why: the reason.
    """

    procedure: str
    argument: str
    commits: tuple[Snapshot, ...]
    works: Works
    why: str


def ways(metadata: TableMetadata, relation: Relation | None) -> tuple[Way, ...]:
    """The ways to main for the side that main has left behind; none where main is on neither side, or on both."""
    main = metadata.current_snapshot_id
    if relation is None or relation.kind != "diverged" or main is None:
        return ()
    if relation.right.snapshot_id == main:
        return tuple(_ways(metadata, relation.left, relation.left_commits, relation.right_commits))
    if relation.left.snapshot_id == main:
        return tuple(_ways(metadata, relation.right, relation.right_commits, relation.left_commits))
    return ()


def _ways(
    metadata: TableMetadata, head: Snapshot, commits: Sequence[Snapshot], of_main: Sequence[Snapshot]
) -> Iterator[Way]:
    n = formats.count(len(of_main), "commit")
    branches = (r.name for r in metadata.refs.values() if r.kind == "branch" and r.snapshot_id == head.snapshot_id)
    if branch := next(branches, None):
        why = f"main is no ancestor of {branch}: it has {n} of its own"
        yield Way("fast_forward", f"'main', '{branch}'", (), "no", why)
    picked, refused = defaultdict[str, list[Snapshot]](list), defaultdict[str, list[Snapshot]](list)
    main = MainLine.of(metadata)
    for commit in commits:
        found = plan(main, commit.snapshot_id)
        if not isinstance(found, str):
            picked[commit.operation or ""].append(commit)
        elif can_be_picked(commit):
            refused[found.replace(f" {commit.snapshot_id}", "", 1)].append(commit)
        else:
            refused[f"{commit.operation or 'not recorded'}: taken only as main's next commit"].append(commit)
    if appends := picked.pop("append", []):
        yield Way("cherrypick_snapshot", "", tuple(appends), "yes", f"appends, added again: {_recorded(appends)}")
    for of_kind in picked.values():
        why = "if main has added nothing to their partitions since: ask the dry run"
        yield Way("cherrypick_snapshot", "", tuple(of_kind), "perhaps", why)
    for reason, of_reason in refused.items():
        yield Way("cherrypick_snapshot", "", tuple(of_reason), "no", f"{reason}; {_recorded(of_reason)}")
    yield Way("set_current_snapshot", str(head.snapshot_id), (), "loses", f"main would lose {n}: {_recorded(of_main)}")


def _recorded(commits: Sequence[Snapshot]) -> str:
    """What these commits did with rows, as their summaries say."""
    added, removed = ([commit.count(key) or 0 for commit in commits] for key in ("added-records", "deleted-records"))
    gone = f" −{sum(removed):,}" if sum(removed) else ""
    return f"+{sum(added):,}{gone} rows"
