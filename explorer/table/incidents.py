"""The questions of someone with an incident: methods of `Table` that look for a cause or try a repair on nothing."""

from __future__ import annotations

from .answers.dry_run import DryRuns
from .opened import OpenedTable


class IncidentQuestions(OpenedTable):
    """What a person asks of a table with which something is wrong."""

    @property
    def dry_run(self) -> DryRuns:
        """Iceberg's procedures by their names and arguments, run on nothing: `t.dry_run.expire_snapshots(…)`.

        Each gives a picture of what would be lost, removed, rewritten and kept, and why; its `.sql` is the statement
        that would run it, which is never run here. Nothing is written.
        """
        return DryRuns(self._version)
