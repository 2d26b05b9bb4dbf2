"""The commits of one metadata file: query and model put together, and what never changes read only once."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...engine.memory import RecentlyUsed
from ...errors import UnreadableMetadata
from ...model.commit import findings as commit_findings
from ...model.commit import row_outcomes
from ...model.commit.boundary import boundary
from ...model.commit.facts import CommitFacts
from ...model.commit.matched import MatchedRows
from ...model.evidence import Note, decoded_here
from ...model.iceberg import row_lineage
from ...model.iceberg import touched_files as reach_model
from ...model.iceberg.commit import Commit, from_stored
from ...model.iceberg.inheritance import ListedManifest
from ...model.iceberg.metadata import Snapshot
from ...model.iceberg.stored_commit import StoredCommit
from ...model.iceberg.touched_files import Cost, TouchedFiles
from ...queries import tasks
from ...queries.commit import rows as commit_rows
from ...queries.files import boundary as stored_boundary
from ...queries.files import commit as stored_commit
from ...queries.files import storage
from ...queries.files.boundary_in_tasks import Side
from ...queries.files.commits import manifest_lists
from ...queries.files.manifest_cache import ManifestCache
from ...queries.rows import cells, line_files, schema_mapping
from ...queries.rows.changed_entries import Decoded, Manifests
from ...queries.rows.identifier_columns import identifier_columns
from ...queries.rows.line_files import Line, LineCommit
from ...queries.rows.question import RowQuestion, row_question
from ...queries.rows.reading import refusing
from ...queries.rows.trial import around_lost_files
from ...queries.source import Source

_FILES_ALONE = "What the commit did to files is told without them, by commit(…)."
_MOST_BYTES = 256_000_000  # of commits: rows of one on the screen are asked without reading its metadata again


@dataclass(frozen=True, slots=True)
class ReadCommit:
    """A commit that was read.

    Attributes:
        decoded: manifests with statistics, which questions about its rows gather.
    """

    stored: StoredCommit
    commit: Commit
    decoded: Decoded

    def parts(self) -> Iterator[Sequence[object]]:
        """What takes memory."""
        stored = self.stored
        yield from (stored.listed or (), stored.parent_listed or (), stored.entries, stored.groups or ())
        yield self.commit.files
        yield from tuple(self.decoded.values())


class Commits:
    """Reads commits of a table as one metadata file lists them.

    Attributes:
        source: the table with the files that are kept of it, as the other readers ask it too.
    """

    def __init__(self, source: Source) -> None:
        self._metadata = source.metadata
        self.source = replace(source, cache=ManifestCache().files(source.metadata.table_uuid))
        self._known: RecentlyUsed[int, ReadCommit] = RecentlyUsed(_MOST_BYTES, ReadCommit.parts)

    def commit(self, of: Snapshot) -> Commit:
        """Its files and manifests."""
        return self._read(of).commit

    def understood(self, snapshot_id: int, stored: StoredCommit, decoded: Decoded) -> ReadCommit:
        """What was read of a commit, with its facts."""
        return ReadCommit(stored, from_stored(self._metadata, snapshot_id, stored), decoded)

    def between(self, start: Snapshot, end: Snapshot) -> Commit:
        """The net boundary: files of one of two snapshots that the other has not.

        Raises:
            UnreadableMetadata: a manifest list, or a manifest that only one of them lists, cannot be read.
        """
        ids = start.snapshot_id, end.snapshot_id
        lists = manifest_lists(self.source, ids)

        def listed(snapshot_id: int) -> Sequence[ListedManifest]:
            rows = lists[snapshot_id]
            if isinstance(rows, str):
                raise UnreadableMetadata(
                    "The files of these two snapshots cannot be compared.",
                    found=f"The manifest list of {snapshot_id}: {rows}",
                    next_step=storage.next_step(rows),
                )
            return rows

        before, after = map(listed, ids)
        stored = stored_boundary.read(Side(self.source, before), Side(self.source, after))
        return boundary(
            self._metadata,
            *ids,
            listed_at_start=before,
            listed_at_end=after,
            removed=stored.removed,
            added=stored.added,
            complete=stored.complete,
            groups=stored.groups,
        )

    def listed(self, of: Snapshot) -> tuple[ListedManifest, ...]:
        """The manifests of a snapshot; none if its list cannot be read."""
        rows = manifest_lists(self.source, [of.snapshot_id])[of.snapshot_id]
        return () if isinstance(rows, str) else rows

    def cost(self, of: Snapshot) -> Cost:
        """What must be read to tell its rows.

        Raises:
            UnreadableMetadata: the manifest list, or a manifest of the commit, cannot be read.
        """
        return reach_model.cost(self._touched(self._read(of), self.source)[1])

    def check_identifiers(self, of: Snapshot, identifiers: Sequence[str]) -> None:
        """Nothing, if these columns can tell rows of a commit apart.

        Raises:
            ExplorerError: as `with_rows`, as far as the metadata tells.
        """
        with refusing(f"The rows of {of.snapshot_id} cannot be told.", _FILES_ALONE):
            identifier_columns(self.source, schema_mapping.schema_of(self.source.document, of.snapshot_id), identifiers)

    def with_rows(self, of: Snapshot, identifiers: Sequence[str] | None) -> CommitFacts:
        """Its files and its rows.

        Raises:
            UnreadableMetadata: the manifest list, or a manifest of the commit, cannot be read.
            ExplorerError: an identifier column that the table has not; a data file that cannot be read, or a column of
                a type or name that Spark or Iceberg reads no rows of.
        """
        read = self._read(of)
        lineage = row_lineage.row_ids(self._metadata, read.commit)
        with refusing(f"The rows of {of.snapshot_id} cannot be told.", _FILES_ALONE):
            files, matched = around_lost_files(
                self.source, lambda source: self._matched(source, read, identifiers, row_ids=lineage.usable)
            )
        return CommitFacts(read.commit, row_outcomes.commit_rows(read.commit, files, matched, lineage))

    def _matched(
        self, source: Source, read: ReadCommit, identifiers: Sequence[str] | None, *, row_ids: bool
    ) -> tuple[TouchedFiles, MatchedRows]:
        files, question = self.asked(read, row_ids=row_ids, source=source)
        return files, commit_rows.read(
            source,
            question,
            files,
            deletes_of=reach_model.deletes_of(files.deletes_added, self._metadata.specs),
            identity=identifier_columns(source, question.schema, identifiers),
            keeps_all_rows=read.commit.snapshot.operation == "replace",
        )

    def asked(
        self,
        read: ReadCommit,
        *,
        row_ids: bool,
        schema_id: int | None = None,
        source: Source | None = None,
    ) -> tuple[TouchedFiles, RowQuestion]:
        """The files that a commit touched, and the question what it did to their rows.

        Args:
            read: the commit.
            row_ids: as of `row_question`.
            schema_id: as of `row_question`.
            source: the table, if it is to be asked otherwise than as here.

        Raises:
            UnreadableMetadata: the manifest list, or a manifest of the commit, cannot be read.
        """
        source = source or self.source
        line, files = self._touched(read, source)
        return files, row_question(
            source, line, files, schema_id=schema_id, row_ids=row_ids, unchanged=cells.are_few(files)
        )

    def _read(self, of: Snapshot) -> ReadCommit:
        if (known := self._known.get(of.snapshot_id)) is not None:
            return known
        stored = stored_commit.read(self.source, of.snapshot_id, of.parent_id)
        return self._known.put(of.snapshot_id, self.understood(of.snapshot_id, stored, {}))

    def _touched(self, read: ReadCommit, source: Source) -> tuple[Line, TouchedFiles]:
        """The files of a line of this commit alone, and how it touched them."""
        stored, snapshot = read.stored, read.commit.snapshot
        there = stored.parent_listed if snapshot.parent_id in self._metadata.by_id else None
        commit = LineCommit(
            snapshot.snapshot_id,
            stored,
            changes_rows=True,
            contradicted=bool(read.commit.contradictions),
            listed_twice=commit_findings.lists_twice(read.commit),
        )
        line = line_files.read(
            source,
            None if there is None else snapshot.parent_id,
            (stored.listed or ()) if there is None else there,
            [commit],
            Manifests(source, read.decoded),
        )
        if self._known.get(snapshot.snapshot_id) is read:
            self._known.put(snapshot.snapshot_id, read)  # with what was decoded now
        return line, line_files.touched_files(line)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to say of files that were read before, and of where manifests were decoded."""
        found = tasks.unfit(self.source.spark)
        here = (decoded_here(found, sys.executable),) if found else ()
        return (*here, *(self.source.cache.notes if self.source.cache else ()))
