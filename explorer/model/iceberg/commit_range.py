"""Which commits lie between two snapshots, and how Iceberg numbers them.

Sources: Iceberg specification, "Snapshots" (parent-snapshot-id; `replace` changes files, no rows); Iceberg's changelog
scan, which follows the parents of the end, leaves `replace` out, and numbers the rest from 0, the oldest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .. import formats
from ..evidence import Note
from .lineage import Forest
from .metadata import Snapshot, TableMetadata

Beginning = Literal["start", "root", "expired"]


class NoSuchRange(ValueError):
    """The commits between these two snapshots cannot be told: what was asked, what was found, what to do next."""

    def __init__(self, what: str, found: str, next_step: str) -> None:
        super().__init__(f"{what} {found} {next_step}")
        self.what, self.found, self.next_step = what, found, next_step


@dataclass(frozen=True, slots=True)
class NumberedCommit:
    """A commit of a range; `ordinal` from 0 as Iceberg counts, None for a `replace`, which changes no row."""

    snapshot: Snapshot
    ordinal: int | None


@dataclass(frozen=True, slots=True)
class CommitRange:
    """Commits after `start` up to and with `end`, along the parents of `end`.

    Attributes:
        start: exclusive, as asked; it may have expired if a child of it is listed. None: from the oldest listed on.
        begins: what lies before the first commit: the `start` that was asked for; nothing (`root`); or a parent that
            has `expired`.
        commits: oldest first, `replace` commits in their places.
        start_number: sequence number of `start`; None if it is not known, or there is none, as in version 1.
    """

    start: int | None
    end: int
    begins: Beginning
    commits: tuple[NumberedCommit, ...]
    start_number: int | None = None

    @property
    def numbered(self) -> tuple[NumberedCommit, ...]:
        """The commits that can change rows: those with an ordinal, which is their place here."""
        return tuple(commit for commit in self.commits if commit.ordinal is not None)

    @property
    def replaced(self) -> tuple[Snapshot, ...]:
        """The `replace` commits."""
        return tuple(commit.snapshot for commit in self.commits if commit.ordinal is None)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What of the range gives no rows, and why."""
        found = []
        if not self.commits:
            found.append(Note("exact", "No commit lies in this range", f"It begins and ends at {self.end}."))
        if self.replaced:
            found.append(
                Note(
                    "unknown",
                    f"Rows of {formats.count(len(self.replaced), 'replace commit')}",
                    "They have no ordinal and were not read: the format promises that a replace changes no row."
                    " Whether it kept the promise, the rows of the commit tell.",
                )
            )
        if self.begins == "expired":
            first = self.commits[0].snapshot
            found.append(
                Note(
                    "unknown",
                    "What was committed before",
                    f"The oldest listed ancestor is {first.snapshot_id}; its parent {first.parent_id} has expired.",
                )
            )
        return tuple(found)


def commit_range(metadata: TableMetadata, start: int | None, end: int | None) -> CommitRange:
    """The commits after `start` up to and with `end`.

    Args:
        metadata: the table's.
        start: exclusive; None for all that is known. It need not be listed if a listed commit has it as parent.
        end: a listed snapshot, of any branch, staged or abandoned; None for the current one.

    Raises:
        NoSuchRange: `end` is not listed, or `start` is no ancestor of it; names the common ancestor.
    """
    end = metadata.current_snapshot_id if end is None else end
    if end is None or end not in metadata.by_id:
        raise _no_end(metadata, end)
    forest = Forest(metadata)
    lineage = [metadata.by_id[i] for i in forest.lineage(end)]
    if start is None:
        parent_id = lineage[-1].parent_id
        begins: Beginning = "expired" if parent_id is not None and parent_id not in forest else "root"
        return CommitRange(None, end, begins, _numbered(lineage))
    number = metadata.by_id[start].sequence_number or None if start in metadata.by_id else None
    if start == end:
        return CommitRange(start, end, "start", (), number)
    for age, snapshot in enumerate(lineage):
        if snapshot.parent_id == start:
            return CommitRange(start, end, "start", _numbered(lineage[: age + 1]), number)
    raise _no_ancestor(forest, lineage, start, end)


def _numbered(youngest_first: Sequence[Snapshot]) -> tuple[NumberedCommit, ...]:
    commits, ordinal = [], 0
    for snapshot in reversed(youngest_first):
        if snapshot.operation == "replace":
            commits.append(NumberedCommit(snapshot, None))
        else:
            commits.append(NumberedCommit(snapshot, ordinal))
            ordinal += 1
    return tuple(commits)


def _no_end(metadata: TableMetadata, end: int | None) -> NoSuchRange:
    heads = ", ".join(sorted(metadata.refs)[:20]) or "none"
    listed = f"{formats.count(len(metadata.snapshots), 'snapshot')} listed; branches and tags: {heads}."
    if end is None:
        return NoSuchRange("The table has no current snapshot to end at.", listed, "Name a snapshot as the end.")
    return NoSuchRange(
        f"The range cannot end at {end}: no such snapshot is listed.", listed, "It may have expired; name a listed one."
    )


def _no_ancestor(forest: Forest, lineage: Sequence[Snapshot], start: int, end: int) -> NoSuchRange:
    what = f"No range leads from {start} to {end}."
    oldest = lineage[-1]
    gap = f"The ancestors of {end} are known back to {oldest.snapshot_id}, whose parent {oldest.parent_id} has expired."
    if start not in forest:
        where = gap if oldest.parent_id is not None else f"It is no ancestor of {end}."
        return NoSuchRange(what, f"{start} is not listed, and no listed ancestor has it as parent. {where}", _all(end))
    common = forest.common_ancestor(start, end)
    if common == end:
        return NoSuchRange(what, f"{end} is an ancestor of {start}.", f"Ask from {end} to {start}.")
    if common is not None:
        return NoSuchRange(
            what,
            f"{start} is no ancestor of {end}; the youngest common ancestor is {common}.",
            f"Ask from {common} to {end}, and from {common} to {start}: what each side did since they parted.",
        )
    if oldest.parent_id is not None:
        step = f"Ask from {oldest.parent_id} to {end}: all commits since then are listed."
        return NoSuchRange(what, f"{gap} What lies between cannot be told.", step)
    return NoSuchRange(what, f"{start} is no ancestor of {end}; they have no common ancestor.", _all(end))


def _all(end: int) -> str:
    return f"Leave the start out: that gives everything known up to {end}."
