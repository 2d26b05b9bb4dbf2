"""How much reading the rows of commits can take at most: told from snapshot summaries, before any manifest is read.

Sources: Iceberg specification, "Snapshots" (summary), Appendix F, "Optional Snapshot Summary Fields"; of which files
tell the rows of a commit, `touched_files`. A summary is what the writer says of itself: no reader checks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .metadata import Snapshot

_CHANGED = ("added-data-files", "added-delete-files", "deleted-data-files", "removed-delete-files")
_DELETES = ("added-delete-files", "removed-delete-files")
_TOTALS = ("total-data-files", "total-delete-files")


@dataclass(frozen=True, slots=True)
class MostRead:
    """An upper bound of what must be read; each file counts once, a deletion vector with its own part.

    Attributes:
        files: data files, delete files and deletion vectors; None if no bound is known.
        size_in_bytes: of them, columns that are not read too; None if no bound is known.
        reason: how it is known, or why it is not: a sentence.
    """

    files: int | None
    size_in_bytes: int | None
    reason: str

    def and_also(self, more: MostRead) -> MostRead:
        """The bound for reading both, one after the other."""
        if self.size_in_bytes is None or more.files is None:
            return self if self.size_in_bytes is None else more
        if not more.files:
            return self
        files, size = (self.files or 0) + more.files, self.size_in_bytes + (more.size_in_bytes or 0)
        return MostRead(files, size, f"{self.reason} {more.reason}")


NOTHING = MostRead(0, 0, "No commit in it changes rows.")


def most_read(commits: Sequence[Snapshot], asked: Sequence[Snapshot], before: Snapshot | None) -> MostRead:
    """The bound for the rows that some of neighbouring commits changed.

    Without deletes, these are the files that the commits added and removed. With deletes, any file that was there
    before can be reached, or was added in between; and deletes that were there can mask rows of any of them.

    Args:
        commits: the oldest first, with those that are not asked for.
        asked: those of them whose rows are asked for.
        before: the parent of the first; None of a root, and where it is not listed any more.
    """
    if not asked:
        return NOTHING
    first = commits[0]
    held = _held(before) if before is not None else (0, 0)
    changed = {s.snapshot_id: _changed(s) for s in commits}
    silent = next((s for s in commits if changed[s.snapshot_id] is None), None)
    if silent is not None:
        return MostRead(None, None, f"The summary of {silent.snapshot_id} does not tell how many bytes it changed.")
    if before is None and first.parent_id is not None:
        held = _held(first)  # what was there and is still; the commit's own files count twice
    if held is None:
        untold = before or first
        return MostRead(None, None, f"The summary of {untold.snapshot_id} does not tell what the table held.")
    deletes_there = before is not None and before.count("total-delete-files") != 0
    deletes_there |= before is None and first.parent_id is not None and first.count("total-delete-files") != 0
    if not deletes_there and not any(s.count(key) for s in commits for key in _DELETES):
        own = [changed[s.snapshot_id] or (0, 0, 0, 0) for s in asked]
        return MostRead(
            sum(added + removed for added, removed, _, _ in own),
            sum(added + removed for _, _, added, removed in own),
            "By the summaries: what the commits added and removed; there are no deletes.",
        )
    every = [found for found in changed.values() if found is not None]
    lost = every[0] if before is None else (0, 0, 0, 0)  # what the first one removed is in no total
    return MostRead(
        held[0] + sum(found[0] for found in every) + lost[1],
        held[1] + sum(found[2] for found in every) + lost[3],
        "By the summaries: all that the table held, and what the commits added; deletes can reach any of it.",
    )


def all_of(snapshot: Snapshot) -> MostRead:
    """The bound for reading everything that a snapshot holds."""
    held = _held(snapshot)
    if held is None:
        return MostRead(None, None, f"The summary of {snapshot.snapshot_id} does not tell what the table held.")
    return MostRead(*held, "By the summary: all that the snapshot holds.")


def _held(snapshot: Snapshot) -> tuple[int, int] | None:
    """Files and bytes in a snapshot, if its summary tells both."""
    files = [snapshot.count(key) for key in _TOTALS if key in snapshot.summary]
    size = snapshot.count("total-files-size") if "total-files-size" in snapshot.summary else None
    if len(files) < len(_TOTALS) or None in files or size is None:
        return None
    return sum(n or 0 for n in files), size


def _changed(snapshot: Snapshot) -> tuple[int, int, int, int] | None:
    """Files added, files removed, and the bytes of both; None where the summary names files and not their bytes."""
    counts = [snapshot.count(key) for key in _CHANGED]
    if None in counts:
        return None
    added_data, added_deletes, removed_data, removed_deletes = (n or 0 for n in counts)
    files = added_data + added_deletes, removed_data + removed_deletes
    sizes = []
    for key, n in zip(("added-files-size", "removed-files-size"), files, strict=True):
        size = snapshot.count(key) if key in snapshot.summary or not n else None
        if size is None:
            return None
        sizes.append(size)
    return *files, sizes[0], sizes[1]
