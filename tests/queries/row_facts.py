"""The rows of a commit, put together as the face of the house will: from its metadata to frames."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from explorer.model.touched_files import reach
from explorer.queries import touched_files
from explorer.queries.find_table import Located, locate
from explorer.queries.row_question import RowQuestion, row_question
from explorer.queries.touched_files import Decoded, TouchedFiles
from tests.queries.commit_facts import Opened


class OpenedRows(Opened):
    """A table whose commits are asked for their rows; each manifest is opened once."""

    @cached_property
    def located(self) -> Located:
        return locate(self.spark, self.name)

    @cached_property
    def decoded(self) -> Decoded:
        return {}

    def touched(self, snapshot_id: int, **limits: Any) -> TouchedFiles:
        stored = self.stored(snapshot_id)
        return touched_files.read(
            self.spark,
            stored,
            snapshot_id,
            self.metadata.specs,
            self.options,
            reach=reach,
            decoded=self.decoded,
            **limits,
        )

    def question(self, snapshot_id: int, files: TouchedFiles | None = None, **how: Any) -> RowQuestion:
        files = files or self.touched(snapshot_id)
        return row_question(self.spark, self.located, self.document, snapshot_id, files, **how)
