"""Where the metadata of a commit says two different things: the summary, the manifest lists, the entries.

The entries are what readers act on. A summary is written for people; engines may omit or miscount it.

Sources: Iceberg specification, "Snapshots" and Appendix F (optional snapshot summary fields), "Manifest Lists".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .. import formats
from .inheritance import ContentKind, ListedManifest
from .metadata import Snapshot
from .partition_changes import PartitionChange, Tally

_DELETES: tuple[ContentKind, ...] = ("position deletes", "equality deletes", "deletion vector")
_POSITIONS: tuple[ContentKind, ...] = ("position deletes", "deletion vector")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """`claim` says `recorded`, but what it counts is `counted`."""

    claim: str
    recorded: int
    counted: int

    def __str__(self) -> str:
        return f"{self.claim} says {formats.count(self.recorded)}, counted are {formats.count(self.counted)}"


def contradictions(
    snapshot: Snapshot,
    totals: PartitionChange,
    new: Sequence[ListedManifest],
    listed: Sequence[ListedManifest],
    parent_listed: Sequence[ListedManifest] | None,
    files: Sequence[Any] | None,
) -> tuple[Contradiction, ...]:
    """Every contradiction that can be seen with what a commit's facts are made of.

    Args:
        snapshot: with its summary.
        totals: of the files that were added and removed.
        new: manifests that the commit added, all of them read.
        listed: rows of the manifest list.
        parent_listed: rows of the parent's; None if unknown.
        files: every change, each with `change` and `entry`; None if not all are at hand.
    """
    claims = [
        *_of_summary(snapshot, totals),
        *_of_totals(snapshot, listed),
        *_of_balance(totals, listed, parent_listed),
    ]
    if files is not None:
        claims += [*_of_manifests(new, files), *_of_entries(files)]
    return tuple(Contradiction(*claim) for claim in claims if claim[1] != claim[2])


_Claim = tuple[str, int, int]


def _of_summary(snapshot: Snapshot, totals: PartitionChange) -> Iterable[_Claim]:
    added, removed = totals.added, totals.removed
    counted = {
        "added-data-files": _sum(added, "data").files,
        "deleted-data-files": _sum(removed, "data").files,
        "added-delete-files": _sum(added, *_DELETES).files,
        "removed-delete-files": _sum(removed, *_DELETES).files,
    }
    for key, count in counted.items():
        recorded = snapshot.count(key)  # 0 if left out by a writer that counts
        if recorded is not None:
            yield f"The summary's {key}", recorded, count
    # Writers may leave these out even where they are not 0.
    details = {
        "added-records": _sum(added, "data").records,
        "deleted-records": _sum(removed, "data").records,
        "added-dvs": _sum(added, "deletion vector").files,
        "removed-dvs": _sum(removed, "deletion vector").files,
        "added-position-delete-files": _sum(added, "position deletes").files,
        "removed-position-delete-files": _sum(removed, "position deletes").files,
        "added-equality-delete-files": _sum(added, "equality deletes").files,
        "removed-equality-delete-files": _sum(removed, "equality deletes").files,
        "added-position-deletes": _sum(added, *_POSITIONS).records,
        "removed-position-deletes": _sum(removed, *_POSITIONS).records,
        "added-equality-deletes": _sum(added, "equality deletes").records,
        "removed-equality-deletes": _sum(removed, "equality deletes").records,
    }
    for key, count in details.items():
        recorded = snapshot.count(key) if key in snapshot.summary else None
        if recorded is not None:
            yield f"The summary's {key}", recorded, count


def _of_totals(snapshot: Snapshot, listed: Sequence[ListedManifest]) -> Iterable[_Claim]:
    for key, content in (("total-data-files", 0), ("total-delete-files", 1)):
        recorded = snapshot.count(key) if key in snapshot.summary else None
        live = live_files(listed, content)
        if recorded is not None and live is not None:
            yield f"The summary's {key}", recorded, live


def _of_balance(
    totals: PartitionChange, listed: Sequence[ListedManifest], parent_listed: Sequence[ListedManifest] | None
) -> Iterable[_Claim]:
    """Files before, plus added, minus removed, are files after; else a manifest vanished or came from elsewhere."""
    if parent_listed is None:
        return
    for content, name, kinds in ((0, "data", ("data",)), (1, "delete", _DELETES)):
        before, after = live_files(parent_listed, content), live_files(listed, content)
        if before is not None and after is not None:
            change = _sum(totals.added, *kinds).files - _sum(totals.removed, *kinds).files
            yield f"The manifest list's number of live {name} files", after, before + change


def _of_manifests(new: Sequence[ListedManifest], files: Sequence[Any]) -> Iterable[_Claim]:
    counted = Counter((file.entry.manifest_path, file.change) for file in files)
    for m in new:
        for change, recorded in (("added", m.added_files_count), ("removed", m.deleted_files_count)):
            if recorded is not None:
                name = m.path.rsplit("/", 1)[-1]
                yield f"The manifest list's count of {change} files in {name}", recorded, counted[m.path, change]


def _of_entries(files: Sequence[Any]) -> Iterable[_Claim]:
    """A file is in a table or is not: readers give the rows of one that is listed twice twice."""
    for change, path, times in listed_again(files):
        yield f"The number of entries by which {path.rsplit('/', 1)[-1]} was {change}", times, 1


def listed_again(files: Sequence[Any]) -> list[tuple[str, str, int]]:
    """Change, path and number of entries of each file that several entries add, or remove."""
    times = Counter((file.change, file.entry.file_path, file.entry.content_offset) for file in files)
    return [(change, path, n) for (change, path, _), n in times.items() if n > 1]


def live_files(listed: Sequence[ListedManifest], content: int) -> int | None:
    """Live files that manifest list rows count, data (0) or delete files (1); None if one does not count."""
    counts = [c for m in listed if m.content == content for c in (m.added_files_count, m.existing_files_count)]
    return None if None in counts else sum(c for c in counts if c is not None)


def _sum(tallies: Mapping[ContentKind, Tally], *kinds: str) -> Tally:
    return sum((tally for kind, tally in tallies.items() if kind in kinds), Tally())
