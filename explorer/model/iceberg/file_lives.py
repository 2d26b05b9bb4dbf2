"""From which commit of a line to which one each of its files is live, and the fewest places at which to read them.

A *line* is a stretch of one ancestry whose every commit is known. Its places are counted from 0, which is what was
there before the first commit: place 1 is the first commit, and what is live at a place is what a reader of that
snapshot sees.

Sources: Iceberg specification, "Manifests" (status), "Scan Planning" (data sequence numbers).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .document import Specs
from .inheritance import ListedManifest, StoredEntry, resolve
from .touched_files import newest_reached, place_of, places_of

Key = tuple[str, int | None]


@dataclass(frozen=True, slots=True)
class FileChanges:
    """What a commit did to files, with the rows of its manifest list, from which entries inherit.

    Attributes:
        removed: entries of files that were live before and are not now; added: that are live now and were not before.
            A file that is among both was taken out and put back, with the same rows or others.
    """

    removed: tuple[StoredEntry, ...]
    added: tuple[StoredEntry, ...]
    listed: tuple[ListedManifest, ...]


@dataclass(frozen=True, slots=True)
class FileLife:
    """A time in which a data or delete file is live.

    Attributes:
        entry: of the file, with its statistics.
        data_sequence_number: as a reader sees it; None if the entry does not tell.
        since: the first place at which it is live. until: the first one after, at which it is not; one more than the
            last place of the line if it outlives it.
        first_row_id: of a data file; None if it has none, or the entry does not tell.
    """

    entry: StoredEntry
    data_sequence_number: int | None
    since: int
    until: int
    first_row_id: int | None = None

    @classmethod
    def of(cls, entry: StoredEntry, manifest: ListedManifest, since: int, until: int) -> FileLife:
        """With what a reader sees of an entry, given the row of its manifest."""
        found = resolve(manifest, entry)
        return cls(entry, found.data_sequence_number.value, since, until, found.first_row_id.value)

    @property
    def key(self) -> Key:
        """What tells files apart: several deletion vectors lie in one Puffin file."""
        return self.entry.file_path, self.entry.content_offset


def file_lives(
    commits: Sequence[FileChanges], there: Iterable[tuple[StoredEntry, ListedManifest]] = ()
) -> tuple[FileLife, ...]:
    """The lives of the files that the commits of a line changed, and of others that are live all along.

    A file that is listed while it is live has one more life, since readers give its rows once for each entry. A commit
    that removes one of several ends that of the same data sequence number, else the oldest.

    Args:
        commits: of the places 1, 2, …
        there: entries of files that were live before, with the row of their manifest. A life that is not ended by one
            of the commits is known from these alone.
    """
    end = len(commits) + 1
    live: defaultdict[Key, list[FileLife]] = defaultdict(list)
    ended: list[FileLife] = []
    for entry, manifest in there:
        live[entry.file_path, entry.content_offset].append(FileLife.of(entry, manifest, 0, end))
    for place, changes in enumerate(commits, 1):
        manifests = {manifest.path: manifest for manifest in changes.listed}
        for entry in changes.removed:
            life = FileLife.of(entry, manifests[entry.manifest_path], 0, place)
            if life.key not in live:
                live[life.key] = [life]
            if lives := live[life.key]:  # else removed by more entries than there were
                same = (i for i, one in enumerate(lives) if one.data_sequence_number == life.data_sequence_number)
                ended.append(replace(lives.pop(next(same, 0)), until=place))
        for entry in changes.added:
            life = FileLife.of(entry, manifests[entry.manifest_path], place, end)
            live[life.key].append(life)
    return (*ended, *(life for lives in live.values() for life in lives))


def applies(delete: FileLife, data: FileLife, specs: Specs) -> bool:
    """Whether a delete applies to a data file while both are live; where a number is not known, it does."""
    if place_of(delete.entry, specs) not in places_of(data.entry):
        return False
    theirs, own = delete.data_sequence_number, data.data_sequence_number
    return theirs is None or own is None or own <= newest_reached(delete.entry.kind, theirs)


def reading_places(
    lives: Iterable[FileLife], readable: Sequence[int], *, latest: bool = False
) -> dict[int, list[FileLife]]:
    """The fewest places at which all these lives can be read, each with the lives that are read there.

    Args:
        lives: to read; one that has no readable place is left out.
        readable: places whose snapshot is there to be read, rising.
        latest: whether each shall be the last place that its lives share, of the newest schema; else it is the first,
            where there are the fewest deletes for its reader to apply.
    """
    found: list[tuple[int, list[FileLife]]] = []  # the last place that its lives share, rising
    for life in sorted(lives, key=lambda life: life.until):
        last = bisect_left(readable, life.until) - 1
        if last < 0 or readable[last] < life.since:
            continue
        # Lives come by their ends: so a place that an earlier one is read at is before this one's end.
        if found and found[-1][0] >= life.since:
            found[-1][1].append(life)
        else:
            found.append((readable[last], [life]))
    if latest:
        return dict(found)
    return {readable[bisect_left(readable, max(life.since for life in together))]: together for _, together in found}
