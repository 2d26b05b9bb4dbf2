"""What is known of a table for its signatures to be looked for: read in steps, the cheapest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from ...engine.garbage import paused_gc
from ...errors import TooLittleMemory
from ...model import formats
from ...model.dry_run import orphans
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.metadata import Snapshot
from ...model.snapshot_graph.facts import SnapshotGraph
from ...model.triage.facts import COSTS, Cost
from ...model.triage.known import History, Known, Named, Stored
from ...model.triage.live import LiveFiles
from ...queries import identifiers
from ...queries.dry_run import listing as storage_listing
from ...queries.files import manifests as stored_manifests
from ...queries.files.commits import manifest_lists
from ...queries.files.live_files import live_files, live_table
from ...queries.source import Source
from .timelines import Timelines

_MOST_WITH_STATISTICS = 200_000  # entries: where many are alike a megabyte of manifests holds a hundred thousand


@dataclass(frozen=True, slots=True)
class Examined:
    """What a triage is asked of.

    Attributes:
        head: None of a table without snapshots; ref: the name it was asked by.
        good: the last point known good; None if none was named.
        lost: the id that was named as that point, and that is not listed; None if it is.
        until: the dearest metadata that may be read.
        prove: names of checks whose rows are read too; where: the rows that one of them is asked about, SQL.
    """

    head: Snapshot | None
    ref: str
    good: Snapshot | None
    lost: int | None
    until: Cost
    prove: tuple[str, ...] = ()
    where: str = ""


class TriageReader:
    """Reads what signatures look at. Manifests that the timeline has read are not read again."""

    def __init__(self, source: Source, graph: SnapshotGraph, timelines: Timelines) -> None:
        self._source, self._graph, self._timelines = source, graph, timelines

    def known(self, examined: Examined) -> Known:
        """What is known of the table at the price of `examined.until`."""
        source, head = self._source, examined.head
        level = COSTS.index(examined.until)
        listed = history = live = None
        if head is not None and level >= COSTS.index("manifest lists"):
            # The head's own list: the first row id of a manifest is null in lists from before an upgrade to version 3.
            listed = manifest_lists(source, [head.snapshot_id])[head.snapshot_id]
        why_not_read = ""
        if head is not None and level >= COSTS.index("manifests"):
            try:
                history = self._history()
            except TooLittleMemory as error:  # what metadata and one manifest list tell, they tell all the same
                needed, free = map(formats.size, (error.needed, error.free))
                why_not_read = f"for which it takes {needed} of memory: {free} are free"
        if history is not None:
            with paused_gc():
                live = self._live(listed) if isinstance(listed, tuple) else None
        stored = self._stored(history, head) if examined.until == "listing" and history and head else None
        with paused_gc():
            return Known(
                graph=self._graph,
                document=source.document,
                metadata_size=source.file.size_in_bytes,
                metadata_location=source.file.location,
                named=named(source),
                head=head,
                ref=examined.ref,
                good=examined.good,
                asked=examined.lost,
                now=datetime.now(UTC),
                head_list=listed,
                history=history,
                why_not_read=why_not_read,
                live=live,
                stored=stored,
            )

    def _history(self) -> History:
        read = self._timelines.history
        unreadable = {u.path: u.reason for u in read.stored.unreadable_files.values()}
        return History(read.lists, read.stored.manifests, read.lifetimes, unreadable)

    def _stored(self, history: History, head: Snapshot) -> Stored:
        """What lies below the table's location beside what is named.

        Raises:
            UnreadableMetadata: the location cannot be listed.
        """
        location = self._source.metadata.location
        found = storage_listing.listing(self._source, location)
        named = {orphans.place(path).path for path in found.named}
        there = {orphans.place(file.path).path for file in found.files}
        old = datetime.now(UTC) - orphans.DEFAULT_AGE
        lifetimes = history.lifetimes
        live = np.flatnonzero(lifetimes.live_at(lifetimes.place[head.snapshot_id]))
        paths = sorted(set(lifetimes.paths(live).to_pylist()))
        home = orphans.place(location).path.rstrip("/") + "/"
        below = [path for path in paths if orphans.place(path).path.startswith(home) and not _is_hidden(path, home)]
        unnamed = (f for f in found.files if orphans.place(f.path).path not in named and f.modified_at < old)
        return Stored(
            () if found.unreadable else tuple(unnamed),
            tuple(path for path in below if orphans.place(path).path not in there),
            len(paths) - len(below),
            len(found.files),
            found.unreadable,
        )

    def _live(self, listed: tuple[ListedManifest, ...]) -> LiveFiles:
        """The live data files with statistics, of the newest manifests where all would be too much for this process."""
        data = [m for m in listed if m.content == 0]
        newest = sorted(data, key=lambda m: m.sequence_number or 0, reverse=True)
        chosen: list[ListedManifest] = []
        size = entries = 0
        for manifest in newest:
            size += stored_manifests.size_together([manifest])
            entries += manifest.entry_count
            if size > stored_manifests.SMALL_IN_BYTES or entries > _MOST_WITH_STATISTICS:
                break
            chosen.append(manifest)
        read, _ = stored_manifests.table_here(self._source, chosen, statistics=True)
        found = live_table(read)
        whole = len(chosen) == len(data)
        counted = len(found) if whole else max(live_files(data), len(found))
        return LiveFiles(found, counted)


def _is_hidden(path: str, home: str) -> bool:
    """Whether a listing may pass a file over, since a part of its path begins as hidden ones do."""
    return any(part.startswith(("_", ".")) for part in orphans.place(path).path.removeprefix(home).split("/"))


def named(source: Source) -> Named:
    """How SQL names the table; stand-ins where it was opened by its path."""
    relation = source.located.relation
    if relation is None:
        return Named("catalog.db.table", "catalog", "db.table", is_real=False)
    parts = identifiers.split(relation)
    return Named(relation, identifiers.quoted(parts[:1]), identifiers.quoted(parts[1:]))
