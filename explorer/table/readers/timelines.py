"""The sequence timeline of one table: query and model put together, and what never changes read only once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

from ...engine.garbage import paused_gc
from ...engine.memory import read_once
from ...model import formats
from ...model.evidence import Note
from ...model.iceberg import lifetime_plan
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.lifetime_plan import Lists
from ...model.iceberg.lifetimes import Lifetimes
from ...model.partitions.facts import Partitions
from ...model.partitions.history import partitions
from ...model.sequence_timeline.bands import Columns
from ...model.sequence_timeline.facts import Timeline, Window
from ...model.sequence_timeline.files import in_window
from ...model.sequence_timeline.table import as_table
from ...model.sequence_timeline.timeline import MOST_FILES, as_of_facts, timeline
from ...model.snapshot_graph.facts import SnapshotGraph
from ...queries.files import history as stored_history
from ...queries.files.decoded_manifests import DecodedManifests
from ...queries.files.file_cache import read_before
from ...queries.files.known_history import KnownHistory, known_history
from ...queries.files.stored_history import StoredHistory
from ...queries.source import Source


@dataclass(frozen=True, eq=False)
class ReadHistory:
    """The history of one metadata file as it was read, once.

    Attributes:
        lists: by snapshot id, indices into the manifests of `stored`; or why they are not known.
    """

    stored: StoredHistory
    lists: Lists
    lifetimes: Lifetimes
    columns: Columns

    @property
    def unreadable_lists(self) -> dict[int, str]:
        """Why manifest lists cannot be read, by snapshot id."""
        return {i: reason for i, reason in self.lists.items() if isinstance(reason, str)}

    @property
    def damaged(self) -> frozenset[int]:
        """Ids of the snapshots that list a manifest which cannot be read."""
        lost = self.stored.unreadable_files.keys()
        return frozenset(
            i for i, listed in self.lists.items() if lost and not isinstance(listed, str) and lost & set(listed)
        )


class Timelines:
    """The timeline of a table as one metadata file lists its snapshots.

    What was read of manifests stays in memory, by table, for as long as the process lives; of the last few tables. It
    is kept on disk too, for the next one.

    Args:
        source: the table; what is decoded is kept, so no file is.
        graph: of the table.
    """

    def __init__(self, source: Source, graph: SnapshotGraph) -> None:
        self._source, self._graph = replace(source, cache=None), graph

    def timeline(self, as_of: int | None = None, window: Window | None = None, *, most: int = MOST_FILES) -> Timeline:
        """The files of the whole history, told at a snapshot.

        Args:
            as_of: id of a listed snapshot; None for the current one.
            window: which lifetimes are listed; all if None.
            most: lifetimes listed; all are counted.
        """
        read = self.history
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
            )

    def table(self, as_of: int | None = None, window: Window | None = None, *, most: int | None = None) -> pa.Table:
        """Lifetimes in the window, columns as in `model.sequence_timeline.table.SCHEMA`; all, or `most` of them."""
        read = self.history
        facts = as_of_facts(read.lifetimes, as_of, read.unreadable_lists)
        chosen = in_window(read.lifetimes, read.columns, window or Window(), facts.head)[:most]
        at = facts.at if facts.is_known else None
        return as_table(read.lifetimes, read.columns, chosen, as_of=at, head=facts.head)

    @read_once
    def partitions(self) -> Partitions:
        """Every partition after each commit of the current line that changed it.

        What lives after a commit is known if all its manifests are: where one cannot be read, live files are compared
        with those of the next commit of which it can.
        """
        read = self.history
        lists, stored, lifetimes = read.lists, read.stored, read.lifetimes
        while (strict := _without_unreadable(lists, stored)) != lists:
            lists = strict
            stored, lifetimes = self._lifetimes(self._source, stored, lists)
        unknown = {i: reason for i, reason in lists.items() if isinstance(reason, str)}
        facts = as_of_facts(lifetimes, None, unknown)
        with paused_gc():
            return partitions(lifetimes, facts.head, facts.line_name, unreadable=unknown)

    @property
    def listed(self) -> tuple[ListedManifest, ...]:
        """Every manifest that a readable list names."""
        read = self.history
        indices = {i for listed in read.lists.values() if not isinstance(listed, str) for i in listed}
        return tuple(read.stored.manifests[i] for i in sorted(indices))

    @property
    def has_unreadable(self) -> bool:
        """Whether a list or a manifest cannot be read."""
        return bool(self.history.unreadable_lists or self.history.stored.unreadable_files)

    @property
    def is_read(self) -> bool:
        """Whether the history is in memory, so that asking of it reads nothing."""
        return "history" in self.__dict__

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to say of files that were read long ago."""
        if not self._known.lists_from_disk:
            return ()
        lists = formats.count(self._known.lists_from_disk, "manifest list")
        return (read_before(f"{lists} with their manifests"),)

    @property
    def decoded(self) -> DecodedManifests:
        """Of `KnownHistory`."""
        return self._known.decoded

    def read_for_rows(self) -> None:
        """Read the history, and keep the statistics of small manifests that are still to be read: they find rows."""
        self._source = replace(self._source, decoded=self.decoded)
        _ = self.history

    @read_once
    def _known(self) -> KnownHistory:
        if (bundle := self._source.located.bundle) is not None:  # of which nothing may be told of the table itself
            return known_history(bundle.key, None)
        table_uuid = self._source.metadata.table_uuid
        return known_history(table_uuid or self._source.file.location, table_uuid)

    @read_once
    def history(self) -> ReadHistory:
        """The lifetimes of all files. Cost: of `Table.sequence_timeline`."""
        known = self._known.value
        # Lists and manifests lie in one folder, and are named by one metadata file: one listing has them all.
        source = replace(self._source, folders={})
        listed, lists = stored_history.read_lists(source, known)
        self._known.add(listed, known)
        stored, lifetimes = self._lifetimes(source, listed, lists)
        with paused_gc():
            read = ReadHistory(stored, lists, lifetimes, Columns.of(lifetimes))
        pa.default_memory_pool().release_unused()  # what columns were made of, as much again as they take
        return read

    def _lifetimes(self, source: Source, listed: StoredHistory, lists: Lists) -> tuple[StoredHistory, Lifetimes]:
        """What is known after reading the manifests that tell of all lifetimes, and these."""
        metadata, order = source.metadata, [node.snapshot for node in self._graph.nodes]
        with paused_gc():
            steps = lifetime_plan.steps(metadata, lists, listed.manifests)
        stored, entries = stored_history.read_entries(source, listed, *lifetime_plan.to_read(steps, listed.manifests))
        # What a manifest says that cannot be read, others may say that carry its files on: then these are read whole.
        while (lost := stored.unreadable_files) and (doubted := lifetime_plan.without_lost(steps, lost)) != steps:
            steps = doubted
            asked = lifetime_plan.to_read(steps, listed.manifests)
            stored, entries = stored_history.read_entries(source, stored, *asked)
        self._known.add(stored, listed)
        self._known.save()
        with paused_gc():
            return stored, Lifetimes(metadata, order, stored.manifests, steps, entries, stored.unreadable_files)


def _without_unreadable(lists: Lists, stored: StoredHistory) -> Lists:
    """The lists that name no manifest that cannot be read; and why the others are not known, or of no use."""
    unreadable = stored.unreadable_files
    found: dict[int, tuple[int, ...] | str] = dict(lists)
    for snapshot_id, listed in lists.items() if unreadable else ():
        lost = None if isinstance(listed, str) else next((i for i in listed if i in unreadable), None)
        if lost is not None:
            found[snapshot_id] = f"{unreadable[lost].path.rsplit('/', 1)[-1]}: {unreadable[lost].reason}"
    return found
