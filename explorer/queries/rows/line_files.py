"""The files of a line whose rows its commits can have changed, and the deletes that can mask these rows.

They are read from the manifests of the commits, and of the snapshot before them; no data or delete file is opened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...model.iceberg import touched_files as model
from ...model.iceberg.file_lives import FileChanges, FileLife, file_lives, reading_places
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.stored_commit import StoredCommit
from ...model.iceberg.touched_files import TouchedFiles
from ..files.manifests import SMALL_IN_BYTES, size_together
from ..source import Source
from .changed_entries import Manifests
from .file_rows import others

_ADDED, _DELETED = 1, 2  # status of an entry
_DATA = 0  # content of a file
_VECTORS = 3  # the first format version that has deletion vectors


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
        read_at: the same by the place at which their rows are read; without those that were live in no snapshot that
            can be read.
        deletes: lives of the deletes to read: those that begin or end in the line and can mask rows of these files, and
            those of the others without which it would not be known of a masked row whether they mask it too.
        beside: lives of all other deletes that can apply to these files; None if they were not read, as of files that
            are not few among many.
        masks: whether any delete is live at a place of the line.
        complete: whether these are all files.
        odd: whether a file is listed twice, or was taken out and put back: its rows are read several times.
    """

    snapshots: tuple[int | None, ...]
    asked: frozenset[int]
    data: tuple[FileLife, ...]
    read_at: Mapping[int, Sequence[FileLife]]
    deletes: tuple[FileLife, ...]
    beside: tuple[FileLife, ...] | None
    masks: bool
    complete: bool
    odd: bool

    @property
    def end(self) -> int:
        """One more than the last place."""
        return len(self.snapshots)

    def snapshot_at(self, place: int) -> int:
        """The id of the snapshot at a place at which something is read."""
        snapshot_id = self.snapshots[place]
        if snapshot_id is None:
            raise ValueError("nothing is read where there is no snapshot")
        return snapshot_id


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
        UnreadableMetadata: a manifest cannot be read, and is not passed over: see `Manifests.reached`.

    Cost: the manifests that the commits added, and the data manifests of `there`, to find which of the files it lists
        already, and those that deletes reach; where other deletes may mask the same rows, its delete manifests.
    """
    lists = [there, *(commit.stored.listed or () for commit in commits)]
    changed = [
        manifests.changes(commit.stored, commit.snapshot_id, contradicted=commit.contradicted) for commit in commits
    ]
    asked = frozenset(place for place, commit in enumerate(commits, 1) if commit.changes_rows)
    deletes = [e for place in asked for e in changed[place - 1] if e.content != _DATA]
    paths = {e.file_path for place in asked for e in changed[place - 1] if e.content == _DATA}
    of_commits = {e.file_path for found in changed for e in found if e.content == _DATA}
    of_place = {manifest.path: manifest for manifest in there}
    reach = model.reach(deletes, source.specs)
    reached: list[StoredEntry] = []
    if before is not None and (deletes or paths):  # which of the files others of its entries list too
        reached = manifests.reached(there, reach, also=frozenset(paths), elsewhere=of_commits)
    elif deletes:
        reached = _not_of(changed[0], manifests.reached(there, reach, elsewhere=of_commits))
    lives = file_lives(
        [_changes(found, [*lists[place], *lists[place - 1]]) for place, found in enumerate(changed, 1)],
        [(entry, of_place[entry.manifest_path]) for entry in reached],
    )
    paths |= {e.file_path for e in reached}
    paths |= {life.entry.file_path for life in lives if life.entry.content == _DATA and reach.holds(life.entry)}
    return _line(
        source,
        (before, *(commit.snapshot_id for commit in commits)),
        asked,
        [life for life in lives if life.entry.content == _DATA and life.entry.file_path in paths],
        [life for life in lives if life.entry.content != _DATA],
        lists,
        manifests,
        listed_twice=any(commit.listed_twice for commit in commits),
    )


def between(
    source: Source,
    snapshots: tuple[int, int],
    lists: tuple[Sequence[ListedManifest], Sequence[ListedManifest]],
    files: TouchedFiles,
    manifests: Manifests,
) -> Line:
    """The files of two snapshots of a table, of which the first need not be an ancestor of the second.

    Args:
        source: the table.
        snapshots: their ids.
        lists: the rows of their manifest lists.
        files: in which they differ; each is listed once by a snapshot that has it.
        manifests: that are read.

    Raises, and costs: as `read`.
    """
    listed = [manifest for rows in lists for manifest in rows]
    by_path = {manifest.path: manifest for manifest in listed}
    lives = file_lives(
        [
            FileChanges(
                (*files.removed, *files.deletes_removed),
                (*files.added, *files.deletes_added),
                tuple(listed),
            )
        ],
        [(entry, by_path[entry.manifest_path]) for entry in files.kept],
    )
    data = [life for life in lives if life.entry.content == _DATA]
    deletes = [life for life in lives if life.entry.content != _DATA]
    line = _line(source, snapshots, frozenset([1]), data, deletes, lists, manifests, listed_twice=False)
    return replace(line, complete=line.complete and files.complete)


def touched_files(line: Line) -> TouchedFiles:
    """The files of a line of one commit, as the commit touched them."""
    by_path: dict[str, dict[tuple[int, int], StoredEntry]] = defaultdict(dict)
    for life in line.data:
        by_path[life.entry.file_path][life.since, life.until] = life.entry
    removed = {path: found[0, 1] for path, found in by_path.items() if (0, 1) in found}
    added = {path: found[1, 2] for path, found in by_path.items() if (1, 2) in found}
    again = frozenset(removed.keys() & added.keys())
    changed = (removed.keys() | added.keys()) - again
    return TouchedFiles(
        removed=tuple(entry for path, entry in removed.items() if path not in again),
        added=tuple(entry for path, entry in added.items() if path not in again),
        kept=tuple(
            found.get((0, 2)) or added[path]
            for path, found in by_path.items()
            if path in again or ((0, 2) in found and path not in changed)
        ),
        deletes_added=tuple(life.entry for life in line.deletes if life.since == 1),
        deletes_removed=tuple(life.entry for life in line.deletes if life.until == 1),
        again=again,
        listed_too=frozenset(path for path in changed if (0, 2) in by_path[path]),
        complete=line.complete,
    )


def _line(
    source: Source,
    snapshots: tuple[int | None, ...],
    asked: frozenset[int],
    data: Sequence[FileLife],
    deletes: Sequence[FileLife],
    lists: Sequence[Sequence[ListedManifest]],
    manifests: Manifests,
    *,
    listed_twice: bool,
) -> Line:
    """A line with the deletes to read: of `deletes`, which begin or end in it, and of those that stay all along."""
    listed = {item["snapshot-id"] for item in source.document.get("snapshots") or ()}
    read_at = reading_places(data, [place for place, i in enumerate(snapshots) if i in listed])
    again = len({life.key for life in data}) < len(data)
    unclear = list(data) if again else _unclear(source, read_at, deletes)
    kinds = {life.entry.kind for life in deletes}
    beside = {"deletion vector": "position deletes", "position deletes": "deletion vector"}
    other_kinds = {beside[kind] for kind in kinds & beside.keys()} if source.metadata.format_version >= _VECTORS else ()
    masks = any(manifest.content != _DATA for listed in lists for manifest in listed)
    needs_all = masks and _are_few_among_many(source, snapshots, read_at, lists[0])
    every, constant = list(deletes), list[FileLife]()
    if unclear or other_kinds or needs_all:
        known = {life.key for life in deletes}
        of_place = {manifest.path: manifest for manifest in lists[0]}
        there = [e for e in manifests.deletes(lists[0]) if (e.file_path, e.content_offset) not in known]
        scope = model.deletes_of(there, source.specs)
        wanted = {(d.file_path, d.content_offset) for life in unclear for d in scope(life.entry)}
        nothing = [FileChanges((), (), ())] * (len(snapshots) - 1)
        constant = [*file_lives(nothing, [(e, of_place[e.manifest_path]) for e in there])]
        every += [life for life in constant if life.entry.kind in other_kinds or life.key in wanted]
    scope = model.deletes_of((life.entry for life in (*every, *constant)), source.specs)
    wanted = {(d.file_path, d.content_offset) for life in data for d in scope(life.entry)}
    deletes = tuple(life for life in every if life.key in wanted)
    read = {life.key for life in deletes}
    return Line(
        snapshots=snapshots,
        asked=asked,
        data=tuple(data),
        read_at=read_at,
        deletes=deletes,
        beside=tuple(life for life in constant if life.key in wanted and life.key not in read)
        if needs_all or not masks
        else None,
        masks=masks,
        complete=manifests.complete,
        odd=again or listed_twice,
    )


def _are_few_among_many(
    source: Source,
    snapshots: Sequence[int | None],
    read_at: Mapping[int, Sequence[FileLife]],
    there: Iterable[ListedManifest],
) -> bool:
    """Whether a scan shall open none of many other files, and it takes little to read all deletes that were there."""
    if size_together(manifest for manifest in there if manifest.content != _DATA) > SMALL_IN_BYTES:
        return False
    if source.alone:
        return True
    beside = (
        others(source, snapshot_id, [life.entry for life in lives])
        for place, lives in read_at.items()
        if (snapshot_id := snapshots[place]) is not None
    )
    return any(found is not None and found.are_many for found in beside)


def _unclear(source: Source, read_at: Mapping[int, Sequence[FileLife]], deletes: Sequence[FileLife]) -> list[FileLife]:
    """Data files that are read while a delete applies that is not there all along.

    Of a row that is masked there the reader does not tell by which delete, and another one may mask it for longer.
    """
    found = []
    for place, lives in read_at.items():
        scope = model.deletes_of((d.entry for d in deletes if d.since <= place < d.until), source.specs)
        found += [life for life in lives if scope(life.entry)]
    return found


def _changes(entries: Sequence[StoredEntry], listed: Iterable[ListedManifest]) -> FileChanges:
    added = {(e.file_path, e.content_offset): e for e in entries if e.status == _ADDED}  # counted once, as files are
    return FileChanges(tuple(e for e in entries if e.status == _DELETED), tuple(added.values()), tuple(listed))


def _not_of(changes: Iterable[StoredEntry], entries: Iterable[StoredEntry]) -> list[StoredEntry]:
    added = {e.file_path for e in changes if e.status == _ADDED}
    return [entry for entry in entries if entry.file_path not in added]
