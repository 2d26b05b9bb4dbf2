"""Entries of manifests with their statistics: those that a commit changed, and live ones that deletes can reach."""

from __future__ import annotations

from collections.abc import Callable, Collection, MutableMapping, Sequence
from dataclasses import replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - as everybody calls it

from ...errors import UnreadableMetadata
from ...model.iceberg.inheritance import ListedManifest, StoredEntry
from ...model.iceberg.stored_commit import StoredCommit
from ...model.iceberg.touched_files import Reach
from ...model.iceberg.unreadable import Unreadable
from ..files import boundary, storage
from ..files import manifests as stored_manifests
from ..files.boundary_in_tasks import Side
from ..files.commit import ENTRIES_IN_PYTHON
from ..source import Source
from . import chosen_files
from .local_rows import local_rows

_EXISTING, _ADDED, _DELETED = 0, 1, 2  # status of an entry
_DATA = 0  # content of a file
_LIVE, _UNREADABLE = f"status <> {_DELETED}", "unreadable IS NOT NULL"
_REFUSED = "The rows of this commit cannot be told."

Decoded = MutableMapping[str, list[StoredEntry]]
"""Entries with statistics by location of their manifest. A manifest never changes, so one such mapping may serve any
number of questions of one table: each manifest is then opened once."""


Narrowed = Callable[[DataFrame], DataFrame]


class Manifests:
    """Entries of a table's manifests.

    Args:
        source: the table.
        decoded: what was decoded before and will be; each small manifest is opened once.
        statistics: whether the entries shall have them; `decoded` holds entries of one kind alone.
        small_in_bytes: manifests larger than this together are decoded in Spark tasks.
        most: entries brought to Python at once.

    Attributes:
        complete: False once some entries were left out, because they are more than `most`.
        passed_over: manifests that cannot be read, and that `reached` has passed over.
    """

    def __init__(
        self,
        source: Source,
        decoded: Decoded | None = None,
        *,
        statistics: bool = True,
        small_in_bytes: int = stored_manifests.SMALL_IN_BYTES,
        most: int = ENTRIES_IN_PYTHON,
    ) -> None:
        self._source, self._statistics = source, statistics
        self._decoded = {} if decoded is None else decoded
        self._small_in_bytes, self._most = small_in_bytes, most
        self.complete = True
        self.passed_over: tuple[Unreadable, ...] = ()

    def changes(self, stored: StoredCommit, snapshot_id: int, *, contradicted: bool) -> list[StoredEntry]:
        """What a commit added and removed, as its own manifests say.

        Args:
            stored: of `commit.read`.
            snapshot_id: the commit.
            contradicted: whether the metadata contradicts itself about this commit's files: then what it added and
                removed is told by the files that are live before and after, from the manifests that only one of the two
                lists.

        Raises:
            UnreadableMetadata: the manifest list, or a manifest of the commit, cannot be read.
        """
        listed = stored.listed
        needed = None if listed is None else {m.path for m in listed}
        storage.refuse(
            [unreadable for unreadable in stored.unreadable_files if needed is None or unreadable.path in needed],
            _REFUSED,
        )
        if listed is None:
            raise UnreadableMetadata(_REFUSED, found="Its snapshot has no manifest list.")
        if contradicted:
            return self._differences(stored.parent_listed or (), listed)
        opened = set(stored.opened)
        # As text, for Spark is seldom asked: each `F.…` is a round trip to the JVM, and a history has many commits.
        own = f"status <> {_EXISTING} AND coalesce(stored_snapshot_id, {snapshot_id}L) = {snapshot_id}L"
        entries = self._readable([m for m in listed if m.path in opened], own)
        return [e for e in entries if e.status != _EXISTING and e.stored_snapshot_id in (None, snapshot_id)]

    def _differences(self, before: Sequence[ListedManifest], after: Sequence[ListedManifest]) -> list[StoredEntry]:
        live = boundary.read(
            Side(self._source, before),
            Side(self._source, after),
            statistics=self._statistics,
            most=self._most,
            small_in_bytes=self._small_in_bytes,
        )
        self.complete = self.complete and live.complete
        changes = [replace(entry, status=_DELETED) for entry in live.removed]
        return changes + [replace(entry, status=_ADDED) for entry in live.added]

    def reached(
        self,
        listed: Sequence[ListedManifest],
        reach: Reach,
        *,
        also: frozenset[str] = frozenset(),
        elsewhere: Collection[str] = (),
    ) -> list[StoredEntry]:
        """Live data files of a manifest list that deletes can reach, and files by their paths that it may list too.

        A manifest that cannot be read is passed over if no file that deletes reach can be in it, and if rows can be
        told without a scan, which needs it all the same: it could only list one of `also` once more, as no writer does.

        Args:
            listed: rows of the list.
            reach: of the deletes.
            also: paths of other files.
            elsewhere: paths of files of which another manifest than these tells.

        Raises:
            UnreadableMetadata: a manifest that is not passed over cannot be read.
        """
        wanted = replace(reach, paths=reach.paths | also)
        data = [m for m in listed if m.content == _DATA]
        entries, lost = self._entries(data, _LIVE, lambda frame: _reached(self._source, frame, wanted))
        found = [entry for entry in entries if entry.status != _DELETED and wanted.holds(entry)]
        names_files = not reach.everywhere and not reach.partitions
        are_found = names_files and reach.paths <= {*elsewhere, *(entry.file_path for entry in found)}
        if lost and not (are_found and chosen_files.can_read(self._source)):
            storage.refuse(lost, _REFUSED)
        self.passed_over += tuple(unreadable for unreadable in lost if unreadable not in self.passed_over)
        return found

    def refuse_scans(self) -> None:
        """Nothing, unless a manifest was passed over: no scan of a snapshot that lists it can be read.

        Raises:
            UnreadableMetadata: one was; names it.
        """
        storage.refuse(self.passed_over, _REFUSED)

    def deletes(self, listed: Sequence[ListedManifest]) -> list[StoredEntry]:
        """Live delete files and deletion vectors of a manifest list."""
        entries = self._readable([m for m in listed if m.content != _DATA], _LIVE)
        return [entry for entry in entries if entry.status != _DELETED]

    def _readable(self, listed: Sequence[ListedManifest], wanted: str) -> list[StoredEntry]:
        entries, lost = self._entries(listed, wanted)
        storage.refuse(lost, _REFUSED)
        return entries

    def _entries(
        self, listed: Sequence[ListedManifest], wanted: str, narrowed: Narrowed = lambda frame: frame
    ) -> tuple[list[StoredEntry], Sequence[Unreadable]]:
        """Entries of small manifests; of large ones those that meet a condition, and what `narrowed` leaves of them.

        And the manifests that cannot be read.
        """
        missing = [m for m in listed if m.path not in self._decoded]
        if stored_manifests.size_together(missing) > self._small_in_bytes:
            frame = stored_manifests.entries(self._source, listed, statistics=self._statistics)
            kept, lost = stored_manifests.decoded_once(narrowed(frame.where(f"{_UNREADABLE} OR ({wanted})")))
            found = stored_manifests.stored_entries(kept.limit(self._most + 1).collect())
            self.complete = self.complete and len(found) <= self._most
            return list(found[: self._most]), lost
        lost = ()
        if missing:
            stored = stored_manifests.entries_here(self._source, missing, statistics=self._statistics)
            lost = stored.unreadable_files
            read: dict[str, list[StoredEntry]] = {m.path: [] for m in missing}
            for entry in stored.entries:
                read[entry.manifest_path].append(entry)
            for unreadable in lost:  # whoever asks again for one is told so again
                del read[unreadable.path]
            self._decoded.update(read)  # whole, for whoever asks for the same commit meanwhile
        return [entry for m in listed for entry in self._decoded.get(m.path, ())], lost


def _reached(source: Source, frame: DataFrame, reach: Reach) -> DataFrame:
    """The same as `reached` in Spark, with the rows of unreadable manifests."""
    if reach.everywhere:
        return frame
    keys = [(None, None, path) for path in reach.paths] + [(*place, None) for place in reach.partitions]
    wanted = local_rows(source.spark, keys, "own_spec INT, own_partition STRING, own_path STRING")
    same = F.expr(f"{_UNREADABLE} OR own_path = file_path OR (own_spec = spec_id AND own_partition = partition)")
    return frame.join(F.broadcast(wanted), same, "left_semi")
