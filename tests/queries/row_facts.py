"""The rows of a commit, put together as the face of the house will: from its metadata to frames and facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from explorer.model.commit.findings import lists_twice
from explorer.model.commit.row_outcomes import commit_rows
from explorer.model.commit.rows import CommitRows
from explorer.model.iceberg.commit import from_stored
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.iceberg.row_lineage import row_ids
from explorer.model.iceberg.stored_commit import StoredCommit
from explorer.model.iceberg.touched_files import TouchedFiles, deletes_of
from explorer.queries.commit import rows as counted
from explorer.queries.rows import cells, line_files
from explorer.queries.rows.changed_entries import Decoded, Manifests
from explorer.queries.rows.identifier_columns import identifier_columns
from explorer.queries.rows.line_files import Line, LineCommit
from explorer.queries.rows.question import RowQuestion, row_question
from tests.queries.commit_facts import Opened


class OpenedRows(Opened):
    """A table whose commits are asked for their rows; each manifest is opened once."""

    @cached_property
    def decoded(self) -> Decoded:
        return {}

    @cached_property
    def metadata(self) -> TableMetadata:
        return TableMetadata.from_json(self.document)

    def stored(self, snapshot_id: int, **limits: int) -> StoredCommit:
        """Read once, as the face of the house does."""
        key = snapshot_id, tuple(limits.items())
        if key not in self._stored:
            self._stored[key] = super().stored(snapshot_id, **limits)
        return self._stored[key]

    @cached_property
    def _stored(self) -> dict[Any, StoredCommit]:
        return {}

    def line(self, snapshot_id: int, contradicted: bool | None = None, **limits: Any) -> Line:
        stored = self.stored(snapshot_id)
        commit = from_stored(self.metadata, snapshot_id, stored)
        if contradicted is None:
            contradicted = bool(commit.contradictions)
        parent_id = self.metadata.by_id[snapshot_id].parent_id
        there = stored.parent_listed if parent_id in self.metadata.by_id else None
        return line_files.read(
            self.source,
            None if there is None else parent_id,
            (stored.listed or ()) if there is None else there,
            [LineCommit(snapshot_id, stored, True, contradicted, lists_twice(commit))],
            Manifests(self.source, self.decoded, **limits),
        )

    def touched(self, snapshot_id: int, **limits: Any) -> TouchedFiles:
        return line_files.touched_files(self.line(snapshot_id, **limits))

    def question(self, snapshot_id: int, *, limits: Mapping[str, int] | None = None, **how: Any) -> RowQuestion:
        line = self.line(snapshot_id, **(limits or {}))
        files = line_files.touched_files(line)
        return row_question(self.source, line, files, **({"unchanged": cells.are_few(files)} | how))

    def rows(self, snapshot_id: int, identifiers: Sequence[str] | None = None, **limits: Any) -> CommitRows:
        commit = self.commit(snapshot_id)
        lineage = row_ids(self.metadata, commit)
        files = self.touched(snapshot_id)
        question = self.question(snapshot_id, row_ids=lineage.usable)
        matched = counted.read(
            self.source,
            question,
            files,
            deletes_of=deletes_of(files.deletes_added, self.metadata.specs),
            identity=identifier_columns(self.source, question.schema, identifiers),
            keeps_all_rows=commit.snapshot.operation == "replace",
            **limits,
        )
        return commit_rows(commit, files, matched, lineage)
