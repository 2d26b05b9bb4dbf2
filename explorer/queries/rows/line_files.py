"""The files of a line whose rows its commits can have changed, and the deletes that can mask these rows.

They are read from the manifests of the commits, and of the snapshot before them; no data or delete file is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...model.iceberg import touched_files as model
from ...model.iceberg.file_lives import FileChanges, FileLife, file_lives
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.stored_commit import StoredCommit
from ..source import Source
from .touched_files import Manifests

_ADDED, _DELETED = 1, 2  # status of an entry
_DATA, _POSITIONS = 0, 1  # content of a file


@dataclass(frozen=True, slots=True)
class LineCommit:
    """A commit of a line, as read.

    Attributes:
        changes_rows: whether its rows are asked for; else it only moves them, as a `replace` does.
        contradicted: whether the metadata says two things about its files.
        listed_twice: whether a file was added, or removed, by several entries.
    """

    snapshot_id: int
    stored: StoredCommit
    changes_rows: bool
    contradicted: bool
    listed_twice: bool


@dataclass(frozen=True, slots=True)
class Line:
    """What the rows of a line are told from.

    Attributes:
        snapshots: ids by place; None at place 0 if nothing was there before, or it can no longer be read.
        asked: places of the commits whose rows are asked for.
        data: lives of the data files whose rows they can have changed.
        deletes: lives of the deletes to read: those that begin or end in the line and can mask rows of these files.
            All others are there for as long as the file is, so that any read of it tells.
        masks: whether any delete is live at a place of the line.
        complete: whether these are all files.
        odd: whether a file is listed twice, or was taken out and put back: its rows are read several times.
    """

    snapshots: tuple[int | None, ...]
    asked: frozenset[int]
    data: tuple[FileLife, ...]
    deletes: tuple[FileLife, ...]
    masks: bool
    complete: bool
    odd: bool


def read(
    source: Source,
    before: int | None,
    there: Sequence[ListedManifest],
    commits: Sequence[LineCommit],
    manifests: Manifests,
) -> Line:
    """The files of neighbouring commits.

    Args:
        source: the table.
        before: the snapshot before the first commit; None if there is none, or it can no longer be read.
        there: rows of its manifest list; of the first commit's own if `before` is None.
        commits: the oldest first.
        manifests: that are read.

    Raises:
        UnreadableMetadata: a manifest cannot be read.

    Cost: the manifests that the commits added. If they added or removed deletes, also the data manifests of `there`,
        to find the files that the deletes reach; where a vector was put beside position deletes, its delete manifests.
    """
    lists = [there, *(commit.stored.listed or () for commit in commits)]
    changed = [
        manifests.changes(commit.stored, commit.snapshot_id, contradicted=commit.contradicted) for commit in commits
    ]
    asked = frozenset(place for place, commit in enumerate(commits, 1) if commit.changes_rows)
    deletes = [e for place in asked for e in changed[place - 1] if e.content != _DATA]
    of_place = {manifest.path: manifest for manifest in there}
    reached: list[StoredEntry] = []
    if deletes:
        reach = model.reach(deletes, source.specs)
        reached = manifests.reached(there, reach)
        reached = _not_of(changed[0] if before is None else (), reached)
    lives = file_lives(
        [_changes(found, [*lists[place], *lists[place - 1]]) for place, found in enumerate(changed, 1)],
        [(entry, of_place[entry.manifest_path]) for entry in reached],
    )
    paths = {e.file_path for e in reached}
    paths |= {e.file_path for place in asked for e in changed[place - 1] if e.content == _DATA}
    if deletes:
        paths |= {life.entry.file_path for life in lives if life.entry.content == _DATA and reach.holds(life.entry)}
    data = [life for life in lives if life.entry.content == _DATA and life.entry.file_path in paths]
    masking = [life for life in lives if life.entry.content != _DATA]
    again = len({life.key for life in data}) < len(data)
    if again or any(life.entry.kind == "deletion vector" for life in masking):
        known = {life.key for life in masking}
        constant = [e for e in manifests.deletes(there) if (e.file_path, e.content_offset) not in known]
        masking += file_lives(
            [FileChanges((), (), ())] * len(commits),
            [(e, of_place[e.manifest_path]) for e in constant if again or e.kind == "position deletes"],
        )
    scope = model.deletes_of((life.entry for life in masking), source.specs)
    wanted = {(d.file_path, d.content_offset) for life in data for d in scope(life.entry)}
    return Line(
        snapshots=(before, *(commit.snapshot_id for commit in commits)),
        asked=asked,
        data=tuple(data),
        deletes=tuple(life for life in masking if life.key in wanted),
        masks=any(manifest.content != _DATA for listed in lists for manifest in listed),
        complete=manifests.complete,
        odd=again or any(commit.listed_twice for commit in commits),
    )


def _changes(entries: Sequence[StoredEntry], listed: Iterable[ListedManifest]) -> FileChanges:
    removed = {(e.file_path, e.content_offset): e for e in entries if e.status == _DELETED}
    added = {(e.file_path, e.content_offset): e for e in entries if e.status == _ADDED}
    return FileChanges(tuple(removed.values()), tuple(added.values()), tuple(listed))


def _not_of(changes: Iterable[StoredEntry], entries: Iterable[StoredEntry]) -> list[StoredEntry]:
    added = {e.file_path for e in changes if e.status == _ADDED}
    return [entry for entry in entries if entry.file_path not in added]
