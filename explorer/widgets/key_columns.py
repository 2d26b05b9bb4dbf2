"""Which columns tell rows apart: one field that stands in every tab that asks, with those that may be a key."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as w
import traitlets

from ..errors import ExplorerError
from ..model.iceberg.key_candidates import KeyCandidate
from ..table import Table
from .activity import Activity
from .state import ExplorerState

_TIP = "What makes a row gone and a row new an update; of several columns all together"


class KeyColumns:
    """The field in which a person chooses, or writes, what tells rows apart.

    Attributes:
        widget: one widget for all tabs, so that they cannot differ.
    """

    def __init__(self, table: Table, state: ExplorerState, activity: Activity) -> None:
        self._table, self._state, self._activity = table, state, activity
        self._is_known = False
        self.widget = w.Combobox(
            description="Row key", placeholder="id, region", value=state.key, continuous_update=False, tooltip=_TIP
        )
        traitlets.link((state, "key"), (self.widget, "value"))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that were chosen; empty for those that the schema names."""
        return self._state.key_columns

    def propose(self) -> None:
        """Look which columns may be a key, unless that is known; on the worker, and what is asked comes before it."""
        if not self._is_known:
            self._activity.ask(
                "key columns",
                self._candidates,
                self._proposed,
                label="Looking which columns may tell rows apart",
                by_itself=True,
            )

    def forget(self) -> None:
        """The table changed: what may be a key is to be looked for again."""
        self._is_known = False

    def _candidates(self) -> list[KeyCandidate]:
        try:
            return self._table.key_candidates()
        except ExplorerError:  # nobody asked, and who does is told why
            return []

    def _proposed(self, found: Sequence[KeyCandidate]) -> None:
        self._is_known = True
        lines = {", ".join(candidate.columns): candidate.reason for candidate in found}
        self.widget.options = tuple(lines)
        self.widget.placeholder = next(iter(lines), "id, region")
        self.widget.tooltip = "\n".join([_TIP, *(f"{columns}: {reason}" for columns, reason in lines.items())])
