"""The rows of a commit, put together as the face of the house will: from its metadata to frames and facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from explorer.model.commit.row_outcomes import commit_rows
from explorer.model.commit.rows import CommitRows
from explorer.model.iceberg.commit import from_stored
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.iceberg.row_lineage import row_ids
from explorer.model.iceberg.stored_commit import StoredCommit
from explorer.model.iceberg.touched_files import TouchedFiles, deletes_of, reach
from explorer.queries.commit import rows as counted
from explorer.queries.rows import touched_files
from explorer.queries.rows.identifier_columns import identifier_columns
from explorer.queries.rows.question import RowQuestion, row_question
from explorer.queries.rows.touched_files import Decoded
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

    def touched(self, snapshot_id: int, **limits: Any) -> TouchedFiles:
        stored = self.stored(snapshot_id)
        return touched_files.read(
            self.source,
            stored,
            snapshot_id,
            reach=reach,
            contradicted=bool(from_stored(self.metadata, snapshot_id, stored).contradictions),
            decoded=self.decoded,
            **limits,
        )

    def question(self, snapshot_id: int, files: TouchedFiles | None = None, **how: Any) -> RowQuestion:
        files = files or self.touched(snapshot_id)
        return row_question(self.source, snapshot_id, files, **how)

    def rows(self, snapshot_id: int, identifiers: Sequence[str] | None = None, **limits: Any) -> CommitRows:
        commit = self.commit(snapshot_id)
        lineage = row_ids(self.metadata, commit)
        files = self.touched(snapshot_id)
        question = self.question(snapshot_id, files, row_ids=lineage.usable)
        matched = counted.read(
            self.source,
            snapshot_id,
            question,
            files,
            deletes_of=deletes_of(files.deletes_added, self.metadata.specs),
            identity=identifier_columns(self.source, question.schema, identifiers),
            keeps_all_rows=commit.snapshot.operation == "replace",
            **limits,
        )
        return commit_rows(commit, files, matched, lineage)
