"""What a view is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import ipywidgets as w

from ..table import Table
from ..table.picture import Picture
from ..table.pins import Pin
from .activity import Activity
from .error_strip import ErrorStrip
from .key_columns import KeyColumns
from .state import ExplorerState


@dataclass(frozen=True, slots=True)
class Context:
    """What a view is given: the table, the shared state, and the ways to ask, to fail and to say what is shown.

    `keys` is the field for what tells rows apart, which all views share.

    `shows(picture)` tells the explorer which picture the view shows now, for the header's title and the drawers.
    """

    table: Table
    state: ExplorerState
    activity: Activity
    errors: ErrorStrip
    keys: KeyColumns
    shows: Callable[[Picture[Any]], None]


class View(Protocol):
    """One tab. It is made when its tab is first opened, observes the state, and is kept while the explorer lives."""

    widget: w.Widget

    @property
    def of_window(self) -> str:
        """Why the chosen window of commits does not narrow the view, in a sentence; empty where it does."""

    def tells_of(self, snapshot: str) -> bool:
        """Whether the view shows something of a snapshot, by its id, while that is selected."""

    def refresh(self) -> None:
        """Ask the table again: its metadata changed."""

    def close(self) -> None:
        """Free what the browser holds of the view."""

    def shown(self) -> None:
        """Come to the front: say which picture is shown."""

    def hidden(self) -> None:
        """Go behind another tab: read nothing more until shown."""

    def key(self, key: str, shift: bool) -> None:
        """Take a key that was pressed while this view is in front."""

    def pin(self) -> Pin | None:
        """What is shown, to be kept for a report; None where nothing is, or what is asked is not answered."""

    def row_selected(self, row: int) -> None:
        """Take a row of the data grid, by its number in `picture.data`, as a selection."""


def keep_place(widget: w.DOMWidget, is_seen: bool) -> None:
    """Show a widget, or leave its place empty, so that nothing around it moves."""
    (widget.remove_class if is_seen else widget.add_class)("iceberg-unseen")


def put_behind(widget: w.DOMWidget, behind: bool) -> None:
    """Hide a widget, or show it again, without taking it off the page: it keeps its width, so what is drawn fits."""
    (widget.add_class if behind else widget.remove_class)("iceberg-behind")
