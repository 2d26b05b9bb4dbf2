"""Search and order of partitions, for the views that tell them in sums where files are too many."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, get_args

import ipywidgets as w

from ..model.partition_rows import Sort
from .context import keep_place
from .error_strip import ErrorStrip
from .guard import guarded

_TIPS = {
    "worst": "Most deletes that reach nothing first",
    "name": "By name, dates from the newest down",
    "number": "Oldest live data first",
}


class How(TypedDict):
    """What a drawing is told."""

    search: str
    sort: Sort


class PartitionSearch:
    """A field to search in and the orders to choose from; out of sight where nothing is told by partition.

    Attributes:
        widgets: to be put on a bar.
    """

    def __init__(self, errors: ErrorStrip, changed: Callable[[], None]) -> None:
        self._search = w.Text(placeholder="Partition: EU 2026-03", continuous_update=False)
        self._search.add_class("iceberg-partition-search")
        orders = get_args(Sort)
        self._sort = w.ToggleButtons(options=list(orders), tooltips=[_TIPS[order] for order in orders])
        self._sort.style.button_width = "auto"
        self.widgets = self._search, self._sort
        for widget in self.widgets:
            widget.observe(guarded(errors, lambda _: changed()), "value")
            widget.layout.display = "none"

    def offer(self, is_told: bool) -> None:
        """Show it, or put it out of sight; once it was there it keeps its place."""
        for widget in self.widgets:
            if is_told:
                widget.layout.display = ""
            keep_place(widget, is_told)

    def clear(self) -> None:
        """Search for nothing."""
        self._search.value = ""

    @property
    def how(self) -> How:
        """What was searched for, and the order."""
        return {"search": self._search.value, "sort": self._sort.value}
