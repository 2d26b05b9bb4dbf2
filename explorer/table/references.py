"""What a person calls a snapshot: a branch, a tag, its id, or the sequence number that the snapshot graph shows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ..errors import UnknownSnapshot
from ..model import formats
from ..model.iceberg.metadata import Snapshot, TableMetadata, id_from_text

_MOST_LISTED = 20
_THOUSANDS = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True, slots=True)
class Reference:
    """A snapshot, and by what it was called.

    Attributes:
        snapshot: the one that is meant.
        called: what was asked for.
        kind: what that is taken for.
        also: other snapshots that have it as their sequence number.
    """

    snapshot: Snapshot
    called: str
    kind: Literal["branch", "tag", "id", "sequence number"]
    also: tuple[Snapshot, ...] = ()

    @property
    def choice(self) -> str:
        """Which of several meanings was taken, a sentence; empty where there is but one."""
        if not self.also:
            return ""
        numbered = f"sequence number {self.called} is that of {_ids(self.also)}"
        return f"{self.called} is taken as the {self.kind}, of snapshot {self.snapshot.snapshot_id}; {numbered}."


def find(metadata: TableMetadata, table: str, which: int | str) -> Reference:
    """The snapshot of that name: a branch or tag before an id, an id before a sequence number.

    Args:
        metadata: that lists it.
        table: its name, for errors.
        which: a number may be written as `1,234`, as it is printed.

    Raises:
        UnknownSnapshot: none of that name, or several of that sequence number; says what there is.
    """
    called = str(which).strip()
    if _THOUSANDS.fullmatch(called) and called not in metadata.refs:
        called = called.replace(",", "")
    ref, number = metadata.refs.get(called), id_from_text(called)
    numbered = () if number is None else tuple(s for s in metadata.snapshots if s.sequence_number == number)
    snapshot_id = ref.snapshot_id if ref is not None else number
    if snapshot_id is not None and snapshot_id in metadata.by_id:
        also = tuple(s for s in numbered if s.snapshot_id != snapshot_id)
        return Reference(metadata.by_id[snapshot_id], called, "id" if ref is None else ref.kind, also)
    if len(numbered) == 1:
        return Reference(numbered[0], called, "sequence number")
    if numbered:
        raise UnknownSnapshot(
            f"{table} has {len(numbered):,} snapshots with sequence number {called}.",
            found=f"Their ids: {_ids(numbered)}.",
            next_step="Name one of them by its id, or by a branch or tag.",
        )
    names = ", ".join(sorted(metadata.refs)[:_MOST_LISTED]) or "none"
    raise UnknownSnapshot(
        f"{table} has no snapshot {which}.",
        found=f"It lists {formats.count(len(metadata.snapshots), 'snapshot')}{_numbers(metadata)};"
        f" its branches and tags: {names}.",
        next_step="An expired snapshot is listed no more; an earlier metadata file may still list it."
        if snapshot_id is not None
        else "",
    )


def _numbers(metadata: TableMetadata) -> str:
    found = [s.sequence_number for s in metadata.snapshots if s.sequence_number]
    return f" with sequence numbers {formats.span(min(found), max(found))}" if found else ""


def _ids(snapshots: tuple[Snapshot, ...]) -> str:
    listed = [str(s.snapshot_id) for s in snapshots[:_MOST_LISTED]]
    left = len(snapshots) - len(listed)
    return ", ".join([*listed, *([f"and {left:,} more"] if left else [])])
