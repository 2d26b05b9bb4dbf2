"""The deletes of one metadata file: which data file each reaches, and why a row is deleted or is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from pyspark.sql import DataFrame

from ...engine.memory import RecentlyUsed
from ...model.deletes import counts as deletes_counts
from ...model.deletes import rows as deletes_rows
from ...model.deletes import stored as deletes_stored
from ...model.deletes.counted import DeleteCounts
from ...model.deletes.facts import Deletes
from ...model.deletes.stored_deletes import StoredDeletes
from ...model.deletes.tally import MOST_COMPARED, Tally, without_deletes
from ...model.iceberg.delete_scope import DeleteFile
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.key_ranges import key_ranges
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.touched_files import Cost, is_unpartitioned
from ...model.why import facts as why_facts
from ...model.why.facts import RowOutcome
from ...queries import why as rows
from ...queries.deletes.pairs import Sides, sides
from ...queries.deletes.sql import deletes_query
from ...queries.files import live_files as stored
from ...queries.files.data_columns import data_columns
from ...queries.files.live_files import PAIRS_IN_PYTHON, Place
from ...queries.query import Query
from .commits import Commits

_MOST_BYTES = 256_000_000  # of snapshots


@dataclass(frozen=True, slots=True)
class _Known:
    """What was read of a snapshot, its live deletes, and what they reach."""

    stored: StoredDeletes
    live: tuple[DeleteFile, ...]
    understood: Deletes

    def parts(self) -> tuple[Sequence[object], ...]:
        """What takes memory."""
        stored, understood = self.stored, self.understood
        return (
            stored.listed,
            stored.deletes,
            stored.data or (),
            understood.deletes,
            understood.data_files,
            understood.pairs,
            understood.by_partition,
        )


class LiveDeletes:
    """Tells what the live deletes of a snapshot reach.

    Args:
        commits: of the table as it is opened.
        most_compared: of `model.deletes.tally.Tally`.
        most_pairs, limits: of `queries.files.live_files.read`.
    """

    def __init__(
        self,
        commits: Commits,
        *,
        most_compared: int = MOST_COMPARED,
        most_pairs: int = PAIRS_IN_PYTHON,
        **limits: int,
    ) -> None:
        self._source, self._metadata = commits.source, commits.source.metadata
        self._most_compared, self._most_pairs, self._limits = most_compared, most_pairs, limits
        self._read: RecentlyUsed[tuple[int, Place | None], _Known] = RecentlyUsed(_MOST_BYTES, _Known.parts)

    def deletes(self, of: Snapshot, partition: Place | None = None) -> Deletes:
        """Every live delete with every live data file: pair by pair if they are few, else counted.

        Args:
            of: the snapshot.
            partition: whose data files alone are asked about, with the deletes that can reach them; all if None.
        """
        return self._known(of, partition).understood

    def listed(self, of: Snapshot) -> tuple[ListedManifest, ...]:
        """The manifests of the snapshot; none if its list cannot be read."""
        return self._known(of).stored.listed

    def has_unreadable(self, of: Snapshot) -> bool:
        """Whether its manifest list, or a manifest that was opened, cannot be read."""
        read = self._known(of).stored
        return bool(read.unreadable_list or read.unreadable_files)

    def frame(self, of: Snapshot, partition: Place | None = None, *, ruled_out: bool) -> DataFrame:
        """All pairs that apply, with `ruled_out` all others too; lazy."""
        understood = self._known(of, partition).understood
        nothing = [deletes_rows.nothing_row(d) for d in understood.deletes if deletes_rows.reaches_nothing(d)]
        # Without data files there are only deletes that reach nothing.
        pairs = ruled_out and understood.data_file_count > 0
        return self.sides(of, partition).frame(nothing, ruled_out=pairs)

    def query(self, of: Snapshot) -> Query | None:
        """The same as SQL; None if the table has no name."""
        metadata = self._metadata
        names = {f.field_id: f.path for f in metadata.schemas.get(metadata.current_schema_id or 0, ())}
        return deletes_query(
            self._source.located,
            of.snapshot_id,
            partitioned=any(metadata.specs.values()),
            unpartitioned_specs=[i for i, spec in metadata.specs.items() if is_unpartitioned(spec)],
            keys=[
                (key.field_id, names[key.field_id], key.required)
                for key in deletes_stored.keys_of(self._known(of).live)
                if key.field_id in names
            ],
        )

    def outcome(self, of: Snapshot, condition: str, *, most: int = rows.ROWS) -> tuple[RowOutcome, str]:
        """Why the rows that meet a condition are masked, or are not, `most` of them; and SQL that shows these rows.

        Raises:
            ExplorerError: the condition cannot be asked.
        """
        known = self._known(of)
        matched = rows.matching(self._source, of.snapshot_id, condition, known.stored, most=most)
        files = [row.file_path for row in matched.rows]
        entries = rows.data_entries(self._source, known.stored, files)
        data = {file.file_path: file for file in deletes_stored.data_files(known.stored, entries, known.live)}
        asked = {delete.key for file in data.values() for delete, _ in why_facts.in_question(file, known.live)}
        wanted = [entry for entry in known.stored.deletes if (entry.file_path, entry.content_offset) in asked]
        held, unread = rows.holding(self._source, of.snapshot_id, matched, wanted)
        understood = why_facts.why(
            of,
            condition,
            matched.columns,
            matched.rows,
            (matched.live, matched.masked),
            data,
            known.live,
            held,
            unread,
            tuple(deletes_stored.notes(known.stored)),
            matched.unreadable,
            lacks_manifests=matched.lacks_manifests,
        )
        return understood, matched.sql

    def price(self, of: Snapshot, condition: str) -> Cost:
        """What `outcome` reads at most, the manifests apart.

        Raises:
            ExplorerError: the condition cannot be asked.
        """
        return rows.cost(self._source, of.snapshot_id, condition, self._known(of).stored)

    def sides(self, of: Snapshot, partition: Place | None = None) -> Sides:
        """Deletes and data files of a snapshot as frames, to be joined; lazy."""
        known = self._known(of, partition)
        return self._sides(known.stored, known.live, partition)

    def _known(self, of: Snapshot, partition: Place | None = None) -> _Known:
        asked = of.snapshot_id, partition
        if (known := self._read.get(asked)) is not None:
            return known
        read, live = self._stored(of) if partition is None else self._stored_of_partition(of, partition)
        return self._read.put(asked, self._known_from(of, read, live, partition))

    def _stored(self, of: Snapshot) -> tuple[StoredDeletes, tuple[DeleteFile, ...]]:
        read = stored.read(
            self._source,
            of.snapshot_id,
            most_pairs=self._most_pairs,
            **self._limits,
        )
        return read, deletes_stored.live_deletes(self._metadata, read)

    def _stored_of_partition(self, of: Snapshot, partition: Place) -> tuple[StoredDeletes, tuple[DeleteFile, ...]]:
        known = self._known(of)
        inside = deletes_stored.in_partition(known.live, *partition)
        most = self._most_pairs // max(len(inside), 1)
        data = stored.data_of_partition(self._source, known.stored, partition, most)
        keys = {delete.key for delete in inside}
        paths = {entry.file_path for entry in data or ()}  # a corrupt delete names one of them from elsewhere
        live = tuple(delete for delete in known.live if delete.key in keys or delete.data_file in paths)
        keys = {delete.key for delete in live}
        entries = tuple(e for e in known.stored.deletes if (e.file_path, e.content_offset) in keys)
        unread = known.stored.delete_count - len(known.stored.deletes)
        return replace(known.stored, deletes=entries, delete_count=len(entries) + unread, data=data), live

    def _known_from(
        self, of: Snapshot, read: StoredDeletes, live: tuple[DeleteFile, ...], partition: Place | None
    ) -> _Known:
        if read.data is not None:
            understood = deletes_stored.every_pair_stored(of, read, live)
        else:
            found = self._counted(read, live, partition) if live or partition is not None else without_deletes(read)
            if partition is None:  # else they are known
                unreadable_files = stored.unreadable_data(self._source, read, found.data_files)
                read = replace(read, unreadable_files=(*read.unreadable_files, *unreadable_files))
            understood = deletes_counts.from_counts(of, read, live, found)
        return _Known(read, live, replace(understood, partition=partition))

    def _counted(self, read: StoredDeletes, live: tuple[DeleteFile, ...], partition: Place | None) -> DeleteCounts:
        keys = deletes_stored.keys_of(live) if read.statistics else ()
        tally = Tally(deletes_stored.scoped(live), keys, most_compared=self._most_compared)
        for part in data_columns(
            self._source,
            stored.data_manifests(read.listed),
            names={delete.data_file for delete in live if delete.data_file is not None},
            keys=[key.field_id for key in keys],
            place=partition,
            **self._limits,
        ):
            tally.add(part)
        return tally.counts()

    def _sides(self, read: StoredDeletes, live: Sequence[DeleteFile], partition: Place | None) -> Sides:
        keys = deletes_stored.keys_of(live)
        return sides(
            self._source,
            read,
            deletes_stored.scoped(live),
            keys,
            partial(key_ranges, columns=keys),
            partition,
        )
