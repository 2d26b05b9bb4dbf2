"""The sequence timeline of one table: query and model put together, and what never changes read only once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession

from ...engine.garbage import paused_gc
from ...engine.memory import read_once
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
from ...queries.files.known_history import KnownHistory, known_history
from ...queries.files.locate import Located
from ...queries.files.metadata_file import MetadataFile
from ...queries.files.storage import ReadOptions

_LOOKED_UP = 5_000  # entries of manifests that are opened once more to tell stored numbers from inherited ones


@dataclass(frozen=True, eq=False)
class _Read:
    """The history of one metadata file as it was read, once.

    Attributes:
        lists: by snapshot id, indices into the manifests of `stored`; or why they are not known.
    """

    stored: StoredHistory
    lists: Mapping[int, tuple[int, ...] | str]
    lifetimes: Lifetimes
    columns: Columns

    @property
    def unreadable_lists(self) -> dict[int, str]:
        return {i: reason for i, reason in self.lists.items() if isinstance(reason, str)}


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
        self._location = file.location

    def timeline(self, as_of: int | None = None, window: Window | None = None, *, most: int = MOST_FILES) -> Timeline:
        """The files of the whole history, told at a snapshot.

        Args:
            as_of: id of a listed snapshot; None for the current one.
            window: which lives are listed; all if None.
            most: lives listed; all are counted.
        """
        read = self._read
        with paused_gc():
            return timeline(
                read.lifetimes,
                read.columns,
                as_of,
                window or Window(),
                most=most,
                unreadable_lists=read.unreadable_lists,
                unreadable_manifests={
                    unreadable.path: unreadable.reason for unreadable in read.stored.unreadable_files.values()
                },
                stored=partial(self._as_stored, read),
            )

    def table(self, as_of: int | None = None, window: Window | None = None, *, most: int | None = None) -> pa.Table:
        """Lives in the window as rows, columns as in `model.sequence_timeline.table.SCHEMA`; all, or `most` of them."""
        read = self._read
        stand = as_of_facts(read.lifetimes, as_of, read.unreadable_lists)
        chosen = in_window(read.lifetimes, read.columns, window or Window(), stand.head)[:most]
        at = stand.at if stand.is_known else None
        return as_table(read.lifetimes, read.columns, chosen, as_of=at, head=stand.head)

    @property
    def listed(self) -> tuple[ListedManifest, ...]:
        """Every manifest that a readable list names."""
        read = self._read
        indices = {i for listed in read.lists.values() if not isinstance(listed, str) for i in listed}
        return tuple(ListedManifest(**read.stored.manifests[i]) for i in sorted(indices))

    @property
    def has_unreadable(self) -> bool:
        """Whether a list or a manifest cannot be read."""
        return bool(self._read.unreadable_lists or self._read.stored.unreadable_files)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to say of files that were read long ago."""
        if not self._known.lists_from_disk:
            return ()
        lists = formats.count(self._known.lists_from_disk, "manifest list")
        return (read_before(f"{lists} with their manifests"),)

    @read_once
    def _known(self) -> KnownHistory:
        return known_history(self._metadata.table_uuid or self._location, self._metadata.table_uuid)

    @read_once
    def _read(self) -> _Read:
        known = self._known.value
        listed, lists = stored_history.read_lists(self._spark, self._document, known, self._options)
        self._known.add(listed, known)
        with paused_gc():
            steps = sequence_timeline_plan.steps(self._metadata, lists, listed.manifests)
        wanted, whole = sequence_timeline_plan.to_read(steps, listed.manifests)
        specs = self._metadata.specs
        stored, entries = stored_history.read_entries(
            self._spark,
            self._located,
            listed,
            wanted,
            whole,
            specs,
            self._options,
            fat_in_bytes=self._fat_in_bytes,
        )
        self._known.add(stored, listed)
        self._known.save()
        order = [node.snapshot for node in self._graph.nodes]
        with paused_gc():
            lifetimes = Lifetimes(self._metadata, order, stored.manifests, steps, entries, stored.unreadable_files)
            return _Read(stored, lists, lifetimes, Columns.of(lifetimes))

    def _as_stored(self, read: _Read, chosen: Longs) -> Mapping[int, Mapping[str, Any]]:
        """What the entries of these lives store, where only numbers as read were read of them; of a few manifests."""
        rows = (
            read.lifetimes.entries.take(pa.array(read.lifetimes.rows[chosen]))
            .select(["manifest", "file_path", "is_stored"])
            .to_pylist()
        )
        asked = {row["manifest"] for row in rows if not row["is_stored"]}
        if not asked or stored_manifests.entry_count(read.stored.manifests[i] for i in asked) > _LOOKED_UP:
            return {}
        found = stored_history.stored_numbers(self._spark, read.stored, asked, self._metadata.specs, self._options)
        pairs = (
            (lifetime, found.get((row["manifest"], row["file_path"])))
            for lifetime, row in zip(chosen, rows, strict=True)
        )
        return {int(lifetime): row for lifetime, row in pairs if row is not None}

    @read_once
    def _options(self) -> ReadOptions:
        """Of `storage.read_options`."""
        return storage.read_options(self._spark, self._located.relation)
