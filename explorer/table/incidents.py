"""The questions of someone with an incident: each method of `Table` that looks for a cause or tries a repair on nothing."""

from __future__ import annotations

from .opened import OpenedTable


class IncidentQuestions(OpenedTable):
    """What a person asks of a table with which something is wrong."""
