"""The sequence timeline of one table: query and model put together, and what never changes read only once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from ...engine.garbage import paused_gc
from ...model import formats
from ...model.arrays import Longs
from ...model.evidence import Note
from ...model.iceberg.inheritance import ListedManifest
from ...model.sequence_timeline import plan as sequence_timeline_plan
from ...model.sequence_timeline.bands import Columns
from ...model.sequence_timeline.facts import Timeline, Window
from ...model.sequence_timeline.files import in_window
from ...model.sequence_timeline.lifetimes import Lifetimes
from ...model.sequence_timeline.table import as_table
from ...model.sequence_timeline.timeline import MOST_FILES, as_of_facts, timeline
from ...model.snapshot_graph.facts import SnapshotGraph
from ...queries.files import history as stored_history
from ...queries.files import manifests as stored_manifests
from ...queries.files import storage
from ...queries.files.file_cache import read_before
from ...queries.files.history import StoredHistory
from ...queries.files.locate import Located
from ...queries.files.manifest_cache import Kept, ManifestCache
from ...queries.files.metadata_file import MetadataFile
from ...queries.files.storage import ReadOptions

_KEPT = 4  # tables whose manifests stay in memory
_LOOKED_UP = 5_000  # entries of manifests that are opened once more to tell stored numbers from inherited ones


@dataclass
class _Known:
    """What this process knows of a table's history, how much of it is on disk, and lists that came from there."""

    stored: StoredHistory
    kept: Kept
    lists_from_disk: int


_read: dict[str, _Known] = {}


def forget() -> None:
    """Forget what this process read of every table."""
    _read.clear()


class Timelines:
    """Tells the timeline of a table as one metadata file lists its snapshots.

    What was read of manifests stays in memory, by table, for as long as the process lives; of the last few tables. It
    is kept on disk too, for the next one.

    Args:
        spark, located, file, graph: the table as it is opened.
        fat_in_bytes: of `queries.files.history.read_entries`.
    """

    def __init__(
        self,
        spark: SparkSession,
        located: Located,
        file: MetadataFile,
        graph: SnapshotGraph,
        *,
        fat_in_bytes: int | None = None,
    ) -> None:
        self._fat_in_bytes = fat_in_bytes
        self._spark, self._located, self._document = spark, located, file.document
        self._graph, self._metadata = graph, graph.metadata
        self._name = self._metadata.table_uuid or file.location

    def timeline(self, as_of: int | None = None, window: Window | None = None, *, most: int = MOST_FILES) -> Timeline:
        """The files of the whole history, told at a snapshot.

        Args:
            as_of: id of a listed snapshot; None for the current one.
            window: which lives are listed; all if None.
            most: lives listed; all are counted.
        """
        lifetimes, columns = self._lifetimes
        with paused_gc():
            return timeline(
                lifetimes,
                columns,
                as_of,
                window or Window(),
                most=most,
                unreadable_lists=self._unreadable,
                unreadable_manifests={
                    unreadable.path: unreadable.reason for unreadable in self._stored.unreadable_files.values()
                },
                stored=partial(self._as_stored, lifetimes),
            )

    def table(self, as_of: int | None = None, window: Window | None = None, *, most: int | None = None) -> pa.Table:
        """Lives in the window as rows, columns as in `model.sequence_timeline.table.SCHEMA`; all, or `most` of them."""
        lifetimes, columns = self._lifetimes
        stand = as_of_facts(lifetimes, as_of, self._unreadable)
        chosen = in_window(lifetimes, columns, window or Window(), stand.head)[:most]
        return as_table(lifetimes, columns, chosen, as_of=stand.at if stand.is_known else None, head=stand.head)

    @property
    def listed(self) -> tuple[ListedManifest, ...]:
        """Every manifest that a readable list names."""
        indices = {i for listed in self._lists.values() if not isinstance(listed, str) for i in listed}
        return tuple(ListedManifest(**self._stored.manifests[i]) for i in sorted(indices))

    @property
    def has_unreadable(self) -> bool:
        """Whether a list or a manifest cannot be read."""
        return bool(self._unreadable or self._stored.unreadable_files)

    @property
    def _unreadable(self) -> dict[int, str]:
        return {i: reason for i, reason in self._lists.items() if isinstance(reason, str)}

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to say of files that were read long ago."""
        if not self._known.lists_from_disk:
            return ()
        lists = formats.count(self._known.lists_from_disk, "manifest list")
        return (read_before(f"{lists} with their manifests"),)

    @cached_property
    def _known(self) -> _Known:
        known = _read.pop(self._name, None)
        if known is None:
            stored = ManifestCache().load(self._metadata.table_uuid)
            known = _Known(stored, Kept.of(stored), len(stored.lists))
        _read[self._name] = known
        while len(_read) > _KEPT:
            _read.pop(next(iter(_read)))
        return known

    @property
    def _stored(self) -> StoredHistory:
        return self._known.stored

    def _keep(self) -> None:
        """On disk, what was read since."""
        self._known.kept = ManifestCache().save(self._metadata.table_uuid, self._stored, self._known.kept)

    @cached_property
    def _lists(self) -> dict[int, tuple[int, ...] | str]:
        return stored_history.read_lists(self._spark, self._document, self._stored, self.options)

    @cached_property
    def _lifetimes(self) -> tuple[Lifetimes, Columns]:
        lists = self._lists
        with paused_gc():
            steps = sequence_timeline_plan.steps(self._metadata, lists, self._stored.manifests)
        wanted, whole = sequence_timeline_plan.to_read(steps, self._stored.manifests)
        specs = self._metadata.specs
        entries = stored_history.read_entries(
            self._spark,
            self._located,
            self._stored,
            wanted,
            whole,
            specs,
            self.options,
            fat_in_bytes=self._fat_in_bytes,
        )
        self._keep()
        order = [node.snapshot for node in self._graph.nodes]
        with paused_gc():
            lifetimes = Lifetimes(
                self._metadata, order, self._stored.manifests, steps, entries, self._stored.unreadable_files
            )
            return lifetimes, Columns.of(lifetimes)

    def _as_stored(self, lifetimes: Lifetimes, chosen: Longs) -> Mapping[int, Mapping[str, Any]]:
        """What the entries of these lives store, where only numbers as read were read of them; of a few manifests."""
        rows = (
            lifetimes.entries.take(pa.array(lifetimes.rows[chosen]))
            .select(["manifest", "file_path", "is_stored"])
            .to_pylist()
        )
        asked = {row["manifest"] for row in rows if not row["is_stored"]}
        if not asked or stored_manifests.entry_count(self._stored.manifests[i] for i in asked) > _LOOKED_UP:
            return {}
        found = stored_history.stored_numbers(self._spark, self._stored, asked, self._metadata.specs, self.options)
        pairs = (
            (lifetime, found.get((row["manifest"], row["file_path"])))
            for lifetime, row in zip(chosen, rows, strict=True)
        )
        return {int(lifetime): row for lifetime, row in pairs if row is not None}

    @cached_property
    def options(self) -> ReadOptions:
        """Of `storage.read_options`."""
        return storage.read_options(self._spark, self._located.relation)
