"""The learner's table, as a check reads it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...errors import ExplorerError
from ...model.words import account
from ...table import Table

if TYPE_CHECKING:
    from pyspark.sql import Row

    from ...model.iceberg.metadata import Snapshot
    from ..lesson import LiveTable

START = "start"
"""The tag that marks the table as the learner got it."""


class LearnersTable:
    """The table as it is now, read once.

    Attributes:
        name: catalog first.
        variant: the number of the variant that is asked.
    """

    def __init__(self, live: LiveTable, variant: int = 0) -> None:
        self.live, self.name, self.variant = live, live.name, variant

    def rows(self, query: str, **values: object) -> list[Row]:
        """The rows of a query, written as for `LiveTable.sql`."""
        return self.live.rows(query, **values)

    def values(self, query: str, **values: object) -> list[Any]:
        """The first column of it."""
        return [row[0] for row in self.rows(query, **values)]

    @cached_property
    def opened(self) -> Table:
        """The table in the explorer."""
        return Table.open(self.name, self.live.spark)

    @property
    def start(self) -> Snapshot:
        """What was current when the learner got the table.

        Raises:
            ExplorerError: the tag that marks it is gone.
        """
        metadata = self.opened.metadata
        tag = metadata.refs.get(START)
        if tag is None:
            raise ExplorerError(
                f"{self.name} cannot be checked.",
                found=f"Its tag {START}, which marks how you got it, is gone.",
                next_step="Start again: the table is built anew.",
            )
        return metadata.by_id[tag.snapshot_id]

    @property
    def head(self) -> Snapshot:
        """What main points to."""
        return self.opened.metadata.by_id[self.live.head()]

    @property
    def new(self) -> list[Snapshot]:
        """The commits since the start, on any line, in their order, which is that of the metadata file.

        In a table of version 1 every sequence number is 0.
        """
        listed = self.opened.metadata.snapshots
        return list(listed[listed.index(self.start) + 1 :])

    @property
    def written(self) -> set[str]:
        """Paths of the data files that these commits added, and no commit before the start."""
        new = {one.snapshot_id for one in self.new}
        added = self.rows("SELECT snapshot_id, data_file.file_path AS path FROM {table}.all_entries WHERE status = 1")
        return {row.path for row in added} - {row.path for row in added if row.snapshot_id not in new}

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was committed since the start, and main was not moved."""
        return not self.new and self.head == self.start

    def told(self, commit: Snapshot) -> str:
        """A commit in one line: its number, and what it says of itself."""
        return f"Commit {commit.sequence_number}. {account(commit)}"
