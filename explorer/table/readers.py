"""What reads for a table as one metadata file tells it; each reader is made when it is first asked."""

from __future__ import annotations

from functools import cached_property

from ..queries.files.locate import Located
from ..queries.files.metadata_file import MetadataFile
from .answers.changelog import Changelogs
from .answers.commit import Commits
from .answers.deletes import LiveDeletes
from .answers.entries import Manifests
from .answers.sequence_timeline import Timelines
from .opened_table import OpenedTable


class Readers:
    """What reads for a table as one metadata file tells it; each is made when it is first asked."""

    def __init__(self, table: OpenedTable, located: Located, file: MetadataFile) -> None:
        self._table, self._located, self._file = table, located, file

    @cached_property
    def commits(self) -> Commits:
        """Of commits, and the rows they touched."""
        return Commits(self._table.spark, self._located, self._file, self._table.metadata)

    @cached_property
    def changelogs(self) -> Changelogs:
        """Of what changed between two snapshots."""
        return Changelogs(self.commits)

    @cached_property
    def manifests(self) -> Manifests:
        """Of manifests, and of attempts to commit."""
        return Manifests(self._table.graph, self.commits)

    @cached_property
    def deletes(self) -> LiveDeletes:
        """Of what deletes reach, and why rows are masked."""
        return LiveDeletes(self.commits)

    @cached_property
    def timelines(self) -> Timelines:
        """Of files from birth to removal."""
        return Timelines(self._table.spark, self._located, self._file, self._table.graph)
