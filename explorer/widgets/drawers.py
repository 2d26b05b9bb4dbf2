"""The drawers under a view: the SQL behind the picture, its data, its notes. What is shown can be taken away."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import ipywidgets as w
import pandas as pd
from itables.widget import ITable

from ..model import formats
from ..table.export import to_csv
from ..table.picture import Picture
from ..table.saving import to_parquet
from .activity import Activity
from .browser import Page
from .error_strip import ErrorStrip
from .guard import guarded

GRID_ROWS = 10_000


class Drawers(w.VBox):
    """SQL, Data and Notes of the picture that the active view shows; closed until one is opened.

    Args:
        on_row: called with the row number of `picture.data` when a row of the grid is selected.
        keep: called when the picture is to be kept for a report; None where there is none.
    """

    def __init__(
        self,
        page: Page,
        activity: Activity,
        errors: ErrorStrip,
        on_row: Callable[[int], None],
        keep: Callable[[], None] | None = None,
    ) -> None:
        self._page, self._activity, self._errors, self._on_row = page, activity, errors, on_row
        self._picture: Picture[Any] | None = None
        self._first_row = 0
        self._grid: ITable | None = None
        self._tabs = w.ToggleButtons(options=[("SQL", "sql"), ("Data", "data"), ("Notes", "notes")], value=None)
        self._tabs.observe(guarded(errors, lambda _: self._fill()), "value")
        self._close = w.Button(description="Close", tooltip="Close the drawer")
        self._close.on_click(guarded(errors, lambda _: self.toggle(self._tabs.value)))
        add = w.Button(
            description="Add to report", tooltip="Keep the picture as it is drawn, with its notes and SQL (r)"
        )
        if keep is not None:
            add.on_click(guarded(errors, lambda _: keep()))
        self._body = w.VBox()
        self._hints = w.HTML()
        self._hints.add_class("iceberg-hints")
        super().__init__(
            [w.HBox([self._tabs, self._close, *([add] if keep is not None else []), self._hints]), self._body]
        )
        self.add_class("iceberg-drawer")

    def show(self, picture: Picture[Any]) -> None:
        """Show the drawers of another picture; an open drawer stays open."""
        if picture is not self._picture:
            self._picture = picture
            self._fill()

    def hint(self, keys: Iterable[tuple[str, str]]) -> None:
        """Say which keys do what, in a word or two each, beside the drawers' names."""
        self._hints.value = "".join(f"<kbd>{html.escape(key)}</kbd> {html.escape(words)} " for key, words in keys)

    def toggle(self, drawer: str) -> None:
        """Open a drawer (`sql`, `data`, `notes`), or close it if it is open."""
        self._tabs.value = None if self._tabs.value == drawer else drawer

    def _fill(self) -> None:
        if self._grid is not None:
            self._grid.close()
            self._grid = None
        drawer, picture = self._tabs.value, self._picture
        self._close.layout.display = "" if drawer else "none"
        if picture is None or not drawer:
            self._body.children = ()
        elif drawer == "sql":
            self._body.children = (_sql(picture),)
        elif drawer == "notes":
            self._body.children = (_notes(picture),)
        else:
            self._body.children = (w.HTML("<p>The rows come here once they are read.</p>"),)
            self._activity.ask(
                "rows", lambda: picture.data, lambda _: self._show_rows(picture), label=f"Reading rows: {picture.title}"
            )

    def _show_rows(self, picture: Picture[Any]) -> None:
        """Show the grid, unless another picture or drawer is to be seen by now."""
        if picture is not self._picture or self._tabs.value != "data" or self._grid is not None:
            return
        shown, held = picture.shown(GRID_ROWS), len(picture.data)
        self._first_row = held - len(shown) if picture.first == "bottom" else 0
        self._grid = ITable(
            text_cells(shown),
            select="single",
            maxBytes=0,
            maxRows=0,
            maxColumns=0,
            pageLength=10,
            showIndex=False,
            caption=_caption(len(shown), held, picture),
        )
        self._grid.observe(guarded(self._errors, self._row_selected), "selected_rows")
        self._body.children = (w.HBox([self._download(kind, picture) for kind in _KINDS]), self._grid)

    def _row_selected(self, change: dict[str, Any]) -> None:
        if change["new"]:
            self._on_row(self._first_row + change["new"][0])

    def _download(self, kind: str, picture: Picture[Any]) -> w.Button:
        held = len(picture.data)
        rows = "All rows" if held == picture.row_count else f"{held:,} of the {picture.row_count:,} rows"
        button = w.Button(description=f"Download {kind}", tooltip=f"{rows} of this picture, ids exact")
        suffix, media_type, content = _KINDS[kind]
        hand_over = partial(self._page.download, f"{picture.name}.{suffix}", media_type=media_type)
        button.on_click(
            guarded(
                self._errors,
                lambda _: self._activity.ask(
                    "download", lambda: content(picture), hand_over, label=f"Writing {kind}: {picture.title}"
                ),
            )
        )
        return button


def _caption(shown: int, held: int, picture: Picture[Any]) -> str:
    """Which rows the grid shows of all; empty if it shows all."""
    if shown == picture.row_count:
        return ""
    end = "last" if picture.first == "bottom" else "first"
    fewer = f"; a download has {held:,}, picture.frame has all" if held < picture.row_count else ""
    return f"The {end} {shown:,} of {picture.row_count:,} rows{fewer}"


_KINDS: dict[str, tuple[str, str, Callable[[Picture[Any]], bytes]]] = {
    "CSV": ("csv", "text/csv", lambda picture: to_csv(picture).encode()),
    "Parquet": ("parquet", "application/vnd.apache.parquet", to_parquet),
}


def text_cells(data: pd.DataFrame) -> pd.DataFrame:
    """Every cell as the text that is shown: ids and counts exact, times ISO, missing empty."""
    return pd.DataFrame({column: [_cell(value) for value in data[column]] for column in data.columns}, dtype="str")


def _cell(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_cell(item) for item in value)
    if pd.isna(value):
        return ""
    return formats.instant(value) if hasattr(value, "microsecond") else str(value)


def _sql(picture: Picture[Any]) -> w.Widget:
    if not picture.sql:
        return w.HTML("<p>No SQL gives these rows; the notes say why.</p>")
    escaped = html.escape(picture.sql, quote=True)
    return w.HTML(f'<button class="iceberg-copy" data-copy="{escaped}">Copy</button><pre>{escaped}</pre>')


def _notes(picture: Picture[Any]) -> w.Widget:
    rows = "".join(
        f'<tr><td class="iceberg-{note.certainty}">{note.certainty}</td>'
        f"<td>{html.escape(note.about)}</td><td>{html.escape(note.reason)}</td></tr>"
        for note in picture.notes
    )
    return w.HTML(f"<table>{rows}</table>")
