"""The changelog as a view: what the commits between two snapshots did to rows, drawn, and listed page by page."""

from __future__ import annotations

from typing import Any

import ipywidgets as w
import pandas as pd

from ...figures.changelog import draw as figure
from ...figures.page.scene import Scene
from ...model import formats
from ...model.changelog.facts import MODES, Changelog
from ...model.iceberg.lineage import common_ancestor
from ...model.snapshot_graph import words as snapshot_graph_words
from ...table.answers.changelog import ChangelogPicture
from ...table.readers.changelogs import Page
from ..context import Context
from ..controls import IdentifierColumns, bar, steps
from ..guard import guarded
from ..live_figure import LiveFigure
from ..markup import text
from ..view import read_whole

_TOPIC, _PAGE_TOPIC = "changelog", "page of the changelog"
_ROWS_ON_A_PAGE = 50
_LONGEST_CELL = 200
_TYPES = ("INSERT", "DELETE", "UPDATE_BEFORE", "UPDATE_AFTER")
_SINCE = (("selected one", "one"), ("from compared to selected", "two"), ("all up to selected", "all"))
_IN_WORDS = {
    "changes": "Rows that changed; rows only carried over are left out",
    "raw": "Every row that left or came with a file, as Iceberg's .changes prints it",
    "updates": "As changes, with the two sides of an update as a pair",
    "net": "What is left when later commits took back what earlier ones did",
    "ownership": "The rows live at the end, each with the commit that owns it",
}


class ChangelogView:
    """From the snapshot compared with (else the parent) to the selected one (else the current one)."""

    def __init__(self, context: Context) -> None:
        self._context, self._state = context, context.state
        self._picture: ChangelogPicture | None = None
        self._asked: tuple[Any, ...] | None = None
        self._live: LiveFigure | None = None
        self._part = ""  # of the changelog, that a click opened
        self._in_front = False
        self._offset = 0
        self._total = 0
        self._message, self._in_words, self._rows = w.HTML(), w.HTML(), w.HTML()
        self._message.add_class("iceberg-message")
        self._in_words.add_class("iceberg-in-words")
        self._rows.add_class("iceberg-rows")
        self._figure = w.VBox([])
        self._pages = self._make_pages()
        self.widget = w.VBox(
            [self._make_controls(), self._message, self._in_words, self._figure, self._pages, self._rows]
        )
        on = context.errors
        self._state.observe(guarded(on, lambda _: self._range_changed()), ["snapshot", "compared"])
        self._state.observe(guarded(on, lambda _: self._follow()), "snapshot")
        self._state.observe(guarded(on, lambda _: self._redraw()), ["theme", "width"])
        self._state.observe(guarded(on, lambda _: self._narrowed()), "window")
        self._narrowed()
        self._range_changed()

    def refresh(self) -> None:
        """The table has other metadata: what is shown is of the old, so it is asked for anew when the person wants."""
        self._asked = None
        self._range_changed()

    def close(self) -> None:
        """Take the figure off the page."""
        if self._live is not None:
            self._live.close()

    def shown(self) -> None:
        """Come to the front."""
        self._in_front = True
        self._range_changed()
        self._select()
        if self._picture is not None:
            self._context.shows(self._picture)

    def hidden(self) -> None:
        """Go behind another view."""
        self._in_front = False

    def key(self, key: str, shift: bool) -> None:
        """← and → turn pages; with shift to the first and the last. Enter reads."""
        if key == "ArrowLeft":
            self._turn(0 if shift else self._offset - _ROWS_ON_A_PAGE)
        elif key == "ArrowRight":
            self._turn(self._last_page if shift else self._offset + _ROWS_ON_A_PAGE)
        elif key == "Enter":
            self._ask()

    def row_selected(self, row: int) -> None:
        """Select the commit of a data row."""
        if self._picture is not None:
            self._state.snapshot = str(self._picture.data["_commit_snapshot_id"].iloc[row])

    def _make_controls(self) -> w.Widget:
        errors = self._context.errors
        self._mode = w.ToggleButtons(options=list(MODES), value="changes", tooltips=[_IN_WORDS[mode] for mode in MODES])
        self._mode.style.button_width = "auto"
        self._mode.observe(guarded(errors, lambda _: self._range_changed()), "value")
        self._since = w.Dropdown(description="Commits", options=_SINCE)
        self._since.observe(guarded(errors, lambda _: self._range_changed()), "value")
        self._identifiers = IdentifierColumns()
        self._identifiers.widget.observe(guarded(errors, lambda _: self._range_changed()), "value")
        self._read = w.Button(description="Read rows", tooltip="Read the data files of these commits (Enter)")
        self._read.on_click(guarded(errors, lambda _: self._ask()))
        return bar(self._mode, self._since, self._identifiers.widget, self._read)

    def _make_pages(self) -> w.Widget:
        errors = self._context.errors
        self._types = w.SelectMultiple(options=_TYPES, rows=4, description="Only")
        self._where = w.Text(placeholder="SQL over the columns: amount > 100", continuous_update=False)
        self._where.layout.width = "320px"
        self._place = w.HTML()
        pages = steps(
            errors, lambda by: self._turn(self._offset + by * _ROWS_ON_A_PAGE), "Rows before (←)", "Further rows (→)"
        )
        for control in (self._types, self._where):
            control.observe(guarded(errors, lambda _: self._turn(0)), "value")
        row = bar(self._types, self._where, *pages, self._place)
        row.layout.display = "none"
        return row

    # the range

    @property
    def _end(self) -> str:
        if self._context.table.graph.find(self._state.snapshot) is not None:
            return self._state.snapshot
        current = self._context.table.metadata.current_snapshot_id
        return "" if current is None else str(current)

    def _narrowed(self) -> None:
        """Offer the window that was chosen elsewhere, and take it."""
        chosen = self._state.window
        self._since.options = _SINCE if chosen is None else (*_SINCE, ("those of the window", "window"))
        self._since.value = "one" if chosen is None else "window"
        self._range_changed()

    def _range(self) -> tuple[str | None, str]:
        """Start (exclusive) and end. Of two snapshots, the start is the one that the other descends from."""
        end = self._end
        graph = self._context.table.graph
        if self._since.value == "window" and self._state.window is not None:
            first, last = map(graph.find, self._state.window)
            if first is not None and last is not None:
                parent = first.snapshot.parent_id
                return None if parent is None else str(parent), str(last.snapshot.snapshot_id)
        if self._since.value == "all" or not end:
            return None, end
        if self._since.value == "two" and self._state.compared:
            if common_ancestor(graph.metadata, int(end), int(self._state.compared)) == int(end):
                return end, self._state.compared
            return self._state.compared, end
        parent_id = graph.metadata.by_id[int(end)].parent_id
        return None if parent_id is None else str(parent_id), end

    def _question(self) -> tuple[Any, ...]:
        return (*self._range(), self._mode.value, self._identifiers.names)

    def _range_changed(self) -> None:
        """Say what would be read; what is on the screen stays, and says of which range it is."""
        start, end, mode, _ = self._question()
        if not end:
            self._message.value = "<p>This table has no snapshot, so nothing has changed.</p>"
            self._read.disabled = True
            return
        self._read.disabled = False
        fresh = self._asked == self._question()
        since = f"after {self._name(start)} " if start is not None else ""
        asked_in_words = f"<b>{mode}</b>: {_IN_WORDS[mode]}. Commits {text(since)}up to {text(self._name(end))}."
        stale = " What is shown below is of another question." if self._picture is not None and not fresh else ""
        unread = "" if fresh else f" Press <b>Read rows</b> to read their data files.{stale}"
        self._message.value = f"<p>{asked_in_words}{unread}</p>"

    # reading and showing

    def _ask(self) -> None:
        question = self._question()
        start, end, mode, identifiers = question
        if not end:
            return
        table = self._context.table

        self._context.activity.ask(
            _TOPIC,
            lambda: read_whole(table.changelog(start, end, mode, identifier_columns=identifiers or None)),
            lambda picture: self._answered(question, picture),
            label="Reading the rows of the commits",
        )

    def _answered(self, question: tuple[Any, ...], picture: ChangelogPicture) -> None:
        self._picture, self._asked, self._part = picture, question, ""
        drawn = self._drawn(picture.facts)
        if self._live is None:
            self._live = LiveFigure(drawn)
            self._live.on_click(guarded(self._context.errors, self._clicked))
            self._figure.children = (self._live.widget,)
        else:
            self._live.show(drawn)
        self._in_words.value = f"<p>{text(picture.title)}</p>"
        self._range_changed()
        self._pages.layout.display = ""
        if self._in_front:
            self._context.shows(picture)
        self._turn(0)

    def _drawn(self, facts: Changelog) -> Scene:
        return figure.draw(
            facts,
            self._state.colours,
            name=self._context.table.name,
            width=max(self._state.width, 720),
            selected=self._state.snapshot or None,
            view=self._part,
        )

    def _redraw(self) -> None:
        if self._picture is not None and self._live is not None:
            self._live.show(self._drawn(self._picture.facts))

    def _follow(self) -> None:
        if self._in_front:
            self._select()

    def _select(self) -> None:
        """Move the marks of the selected commit; nothing else is drawn again."""
        if self._live is not None:
            marks = figure.selection(self._live.scene, selected=self._state.snapshot or None)
            self._live.select(marks)

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is not None and meaning.view is not None:
            self._part = meaning.view
            self._redraw()
        elif meaning is not None and meaning.snapshot is not None:
            (self._state.compare if shift else self._state.select)(meaning.snapshot)

    @property
    def _last_page(self) -> int:
        return max(self._total - 1, 0) // _ROWS_ON_A_PAGE * _ROWS_ON_A_PAGE

    def _turn(self, offset: int) -> None:
        picture = self._picture
        if picture is None:
            return
        offset = max(offset, 0)
        if offset > self._last_page and offset > 0:
            return
        types, where = tuple(self._types.value), self._where.value
        self._context.activity.ask(
            _PAGE_TOPIC,
            lambda: picture.page(offset=offset, limit=_ROWS_ON_A_PAGE, change_types=types, where=where),
            self._page_answered,
            label="Reading a page of rows",
        )

    def _page_answered(self, page: Page) -> None:
        self._offset, self._total = page.offset, page.total
        last = page.offset + len(page.rows)
        self._place.value = (
            f"rows {page.offset + 1:,} to {last:,} of {formats.count(page.total)}" if last else "no rows"
        )
        self._rows.value = _html(page.rows)

    def _name(self, snapshot: str) -> str:
        graph = self._context.table.graph
        node = graph.find(snapshot)
        return snapshot_graph_words.name(graph, node) if node is not None else f"{snapshot} (expired)"


def _html(rows: pd.DataFrame) -> str:
    """A table in which nothing is markup; long values are cut, and whole in the data drawer."""
    head = "".join(f"<th>{text(str(name))}</th>" for name in rows.columns)
    body = "".join(
        f'<tr class="iceberg-{text(str(row["_change_type"]).lower())}">'
        + "".join(f"<td>{_cell(value)}</td>" for value in row.to_numpy())
        + "</tr>"
        for _, row in rows.iterrows()
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None or value is pd.NA:
        return "<i>null</i>"
    shown = "0x" + value.hex() if isinstance(value, bytes) else str(value)
    return text(shown if len(shown) <= _LONGEST_CELL else shown[: _LONGEST_CELL - 1] + "…")
