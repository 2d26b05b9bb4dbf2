"""The explorer: header, tabs, the views, the drawers below them, all bound to one state."""

from __future__ import annotations

import html
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any

import ipywidgets as w

from ..engine import Worker
from ..figures.page.scene import Box
from ..model.iceberg.metadata import TableMetadata
from ..model.iceberg.table_change import TableChange, table_change
from ..queries import identifiers
from ..table import Table
from ..table.catalogs import Catalogs
from ..table.picture import Picture
from ..table.pictures import PICTURES
from ..table.pins import Pin
from .actions import perform
from .activity import Activity
from .arrival import arrival
from .attention import Attention
from .browser import Page
from .chips import Chips
from .context import Context, View, put_behind
from .drawers import Drawers
from .error_strip import ErrorStrip
from .guard import guarded
from .header import Header
from .help import Help, hints_of
from .key_columns import KeyColumns
from .markup import text
from .overview import OverviewStrip
from .picker import TablePicker
from .pictures.biography import BiographyView
from .pictures.bisect import BisectView
from .pictures.changelog import ChangelogView
from .pictures.commit import CommitView
from .pictures.compare import CompareView
from .pictures.deletes import DeletesView
from .pictures.dry_run import DryRunView
from .pictures.entries import EntriesView
from .pictures.partitions import PartitionsView
from .pictures.sequence_timeline import SequenceTimelineView
from .pictures.snapshot_graph import SnapshotGraphView
from .pictures.triage import TriageView
from .report import Report
from .search import Search
from .state import SELECTED, ExplorerState
from .view import PictureView

VIEWS: dict[str, Callable[[Context], View]] = {
    "snapshot_graph": SnapshotGraphView,
    "commit": CommitView,
    "boundary": CommitView,
    "compare": CompareView,
    "changelog": ChangelogView,
    "biography": BiographyView,
    "sequence_timeline": SequenceTimelineView,
    "deletes": DeletesView,
    "why": DeletesView,
    "entries": EntriesView,
    "retries": EntriesView,
    "partitions": PartitionsView,
    "triage": TriageView,
    "bisect": BisectView,
    "dry_run": DryRunView,
}
"""What shows a picture, by its name."""

TABS = {kind.tab: VIEWS[kind.name] for kind in PICTURES}
"""Tabs by title, in order. A view is made when its tab is first opened."""


class TableExplorer(w.VBox):
    """A table, explored. Shown as the last value of a cell.

    Attributes:
        table: the table; ask it the same questions in code.
        state: what is selected; observe it, or set `state.snapshot` to an id as text.
    """

    children: tuple[w.Widget, ...]

    def __init__(self, table: Table, *, hidden: Collection[str] = ()) -> None:
        """`hidden` are titles of tabs that are not there; without Health the line of attention tells nothing."""
        self.table, self.state = table, ExplorerState()
        self._hidden, self._titles = hidden, [title for title in TABS if title not in hidden]
        self._errors, self._page = ErrorStrip(), Page()
        self._activity = Activity(Worker(lambda: table.spark), self._errors, lambda: table.remote)
        self._drawers = Drawers(self._page, self._activity, self._errors, self._row_selected, self._keep)
        self._report = Report(lambda: self.table, self._activity, self._errors)
        self._header, self._chips, self._help = Header(), Chips(), Help(self.state, self._errors)
        self._attention, self._overview = Attention(), OverviewStrip(table, self.state, self._errors)
        self._watch = w.ToggleButton(
            description="Watch", tooltip="Look for new commits every few seconds, and draw them in", icon="eye"
        )
        self._paused_at = ""
        self._keys = KeyColumns(table, self.state, self._activity)
        self._views: dict[str, View] = {}
        self._of_window = w.HTML()
        self._stage, self._front = w.VBox(), ""
        self._stage.add_class("iceberg-views")
        self._tabs = w.ToggleButtons(options=self._titles, value=self._titles[0])
        self._tabs.add_class("iceberg-tabs")
        self._picker: TablePicker | None = None
        self._content = w.VBox(
            [
                self._page,
                self._make_head(),
                self._report,
                self._attention,
                self._overview,
                self._chips,
                self._tabs,
                self._make_line(),
                self._errors,
                self._help,
                self._stage,
                self._drawers,
            ]
        )
        super().__init__([self._content])
        self.add_class("iceberg-explorer")
        self._page.on_key(guarded(self._errors, self._key))
        self._page.on_box(guarded(self._errors, self._dragged))
        self._page.on_brush(guarded(self._errors, self._overview.brushed))
        self._page.on_act(guarded(self._errors, self._act))
        self._page.on_tick(guarded(self._errors, self._look))
        self._watch.observe(guarded(self._errors, lambda _: self._watch_changed()), "value")
        self._page.observe(guarded(self._errors, lambda _: self._watch_paused()), "paused")
        self._page.observe(guarded(self._errors, self._page_changed), ["dark", "width"])
        self._tabs.observe(guarded(self._errors, lambda _: self._change_tab()), "value")
        self._activity.after_each(self._look)
        self.state.observe(guarded(self._errors, lambda _: self._bring_to_front()), "front")
        self.state.observe(guarded(self._errors, lambda _: self._go_where_it_is_seen()), "sought")
        self.state.observe(guarded(self._errors, lambda _: self._show_selection()), [*SELECTED, "told"])
        self._show_header()
        self._show_selection()
        self._open_tab()

    def close(self) -> None:
        """Stop what is being read and take the explorer off the page."""
        self._stop()
        if self._picker is not None:
            self._picker.close()
        super().close()

    def _stop(self) -> None:
        self._activity.close()
        for view in self._views.values():
            view.close()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, and beside it a picture and table for wherever widgets cannot run."""
        still = self.table.snapshot_graph()._repr_mimebundle_()
        told = "<p>The table as it was when this was saved. Run the cell in Jupyter to explore it.</p>"
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return bundle | still | {"text/html": told + still["text/html"]}

    @property
    def _view(self) -> View:
        return self._views[self._tabs.value]

    def _make_head(self) -> w.Widget:
        reload = w.Button(description="Reload", tooltip="Look for new commits", icon="refresh")
        reload.on_click(guarded(self._errors, lambda _: self.reload()))
        ask = w.Button(description="?", tooltip="Keys, marks, and what this tab answers")
        ask.on_click(guarded(self._errors, lambda _: self._toggle_help()))
        self._search = Search(self.table, self.state, self._activity)
        head = w.HBox([self._header, self._search, self._watch, reload, self._report.button, ask])
        head.add_class("iceberg-head")
        return head

    def _make_line(self) -> w.Widget:
        """What is being read, and beside it what the tab does not obey; its place is kept, so that nothing moves."""
        line = w.HBox([self._activity, self._of_window])
        line.add_class("iceberg-line")
        return line

    def after_each(self, callback: Callable[[], None]) -> None:
        """Call `callback()` whenever a question was answered, or failed."""
        self._activity.after_each(callback)

    def choose(self) -> None:
        """Show the tables of all catalogs in place of this one; the one that is chosen is explored here."""
        if self._picker is None:
            put_behind(self._content, True)
            here = tuple(identifiers.split(self.table.relation)) if self.table.relation else None
            self._picker = TablePicker(Catalogs(self.table.spark), self._explore, self._go_back, here)
            self.children = (self._content, self._picker)

    def _go_back(self) -> None:
        if self._picker is not None:
            self.children = (self._content,)
            self._picker.close()
            self._picker = None
            put_behind(self._content, False)

    def _explore(self, table: Table) -> TableExplorer:
        """The explorer of another table, which takes the place of all that is shown of this one."""
        another = TableExplorer(table, hidden=self._hidden)
        self.table, self.state = another.table, another.state
        self.remove_class("iceberg-explorer")  # the other one is
        self.children = self.children[1:]
        self._stop()
        self._content.close()
        return another

    def reload(self) -> None:
        """Look for newer metadata, with another session if this one was lost; the selection stays where it exists."""
        session, before = self.table.spark, self.table.metadata

        def reloaded(newer: bool) -> None:
            self._show_header()
            if newer or self.table.spark is not session:
                self._refresh(before)

        self._activity.ask("reload", self.table.reload, reloaded, label=f"Reading {self.table.name} again")

    def _refresh(self, before: TableMetadata) -> None:
        """Let every view ask again, and say what became of the table and of the selection."""
        change = table_change(before, self.table.metadata)
        selected = {self.state.snapshot, self.state.compared} - {""}
        gone = sorted(i for i in selected if self.table.graph.find(i) is None)
        if any(self.table.graph.find(i) is None for i in self.state.window or ()):
            self.state.window = None
        if change.is_another:
            self.state.clear()
        elif self._watch.value:
            self._follow_head(before)
        self._overview.refresh()
        self._keys.forget()
        for view in self._views.values():
            view.refresh()
        self._show_selection()
        unselected = f" Selected no more, since no longer listed: {' and '.join(gone)}." if gone else ""
        self._show_change(f"Reloaded: {change.words}.{unselected}")
        if came := arrival(before, self.table.graph):
            self._activity.say(came)

    def _follow_head(self, before: TableMetadata) -> None:
        """Select the new head, and let the window reach up to it, where that was so of the head before."""
        old, new = str(before.current_snapshot_id), str(self.table.metadata.current_snapshot_id)
        if self.table.metadata.current_snapshot_id is None:
            return
        with self.state.hold_trait_notifications():
            if self.state.snapshot == old:
                self.state.snapshot = new
                self.state.compared = "" if self.state.compared == new else self.state.compared
            if self.state.window is not None and self.state.window[1] == old:
                self.state.window = self.state.window[0], new

    def _look(self) -> None:
        """See what became of the table since it was read."""
        label = f"Looking for new commits of {self.table.name}"
        self._activity.look(self.table.change, self._show_newer, label=label)

    def _show_newer(self, change: TableChange | None) -> None:
        if change is not None and self._watch.value:
            self.reload()
        elif change is not None:
            self._show_change(f"Changed since it was read: {change.words}. Reload to see it.")

    def _watch_changed(self) -> None:
        self._page.watching = self._watch.value
        self._watch.description = "Watching" if self._watch.value else "Watch"  # its colour alone not everybody sees
        self._look()

    def _watch_paused(self) -> None:
        """Say that nothing is looked for while nobody looks; and to whoever comes back, since when."""
        now = f"{datetime.now(UTC):%H:%M:%S} UTC"
        active = "Watch (paused)" if self._page.paused else "Watching"
        self._watch.description = active if self._watch.value else "Watch"
        if self._page.paused:
            self._paused_at = now
            self._show_change(f"Watching is paused since {now}, for this tab is hidden.")
        elif self._watch.value:
            self._show_change(f"Watching again; it was paused from {self._paused_at} to {now}: this tab was hidden.")

    def _show_change(self, sentence: str) -> None:
        """In place of when the table was read, so that nothing below moves."""
        self._show_header(f'<b role="status">{html.escape(sentence)}</b>')

    def _act(self, act: str, value: str) -> None:
        if act == "help":
            self._toggle_help()
        elif act == "choose":
            self.choose()
        elif act == "find":
            self._search.look_for(value)
        elif act == "keep":
            self._keep()
        elif act == "read" and isinstance(self._view, PictureView):
            self._view.read_offered()
        else:
            perform(self.state, act, value)

    @property
    def pins(self) -> tuple[Pin, ...]:
        """What was kept for a report: `table.report(path, pins=explorer.pins)`."""
        return self._report.pins

    def _keep(self) -> None:
        """Keep for a report what is in front, as it is drawn."""
        pin = self._view.pin()
        if pin is not None:
            self._report.add(pin)
        else:
            self._activity.say("Nothing was kept: this tab does not show the answer to what is asked yet.")

    def _toggle_help(self) -> None:
        self._help.toggle(self._tabs.value)

    def _bring_to_front(self) -> None:
        """Open the tab of the picture that a view asks for."""
        title = next((kind.tab for kind in PICTURES if kind.name == self.state.front), None)
        self.state.front = ""
        if title in self._titles:
            self._tabs.value = title

    def _change_tab(self) -> None:
        self._errors.clear()  # it is about the tab that is left, which asks again when it is opened again
        self._open_tab()
        self._look()

    def _open_tab(self) -> None:
        title = self._tabs.value
        if title not in self._views:
            context = Context(self.table, self.state, self._activity, self._errors, self._keys, self._shows)
            self._views[title] = TABS[title](context)
        # Views are put behind, never taken away: plotly's widget fails once it was off the page. And which is in front
        # is told in one message: with one for each view a person saw two for a moment.
        with self._stage.hold_sync():
            self._stage.remove_class(self._front)
            self._front = f"iceberg-front-{list(self._views).index(title) + 1}"
            self._stage.add_class(self._front)
            self._stage.children = tuple(view.widget for view in self._views.values())
        self._activity.stop_reading_by_itself()
        for other, view in self._views.items():
            if other != title:
                view.hidden()
        self._view.shown()
        self._drawers.hint(hints_of(title))
        self._help.close_if_open()

    def _shows(self, picture: Picture[Any]) -> None:
        self._drawers.show(picture)
        self._show_of_window()
        if self._attention.hear(picture, self.table):
            self._page.badges = self._attention.show(self.table, self._titles)

    def _row_selected(self, row: int) -> None:
        self._view.row_selected(row)

    def _key(self, key: str, shift: bool) -> None:
        if key == "?":
            self._toggle_help()
        elif key == "Escape":
            if not self._help.close_if_open():
                self.state.clear()
        elif key == "r":
            self._keep()
        elif key in ("s", "t"):
            self._drawers.toggle("sql" if key == "s" else "data")
        else:
            self._view.key(key, shift)

    def _dragged(self, box: tuple[float, float, float, float]) -> None:
        if isinstance(self._view, PictureView):
            self._view.dragged(Box(*box))

    def _page_changed(self, _: dict[str, Any]) -> None:
        self.state.follow(dark=self._page.dark, width=self._page.width)

    def _show_header(self, status: str = "") -> None:
        """What the metadata file alone tells; `status`, HTML, takes the place of when it was read."""
        self._header.show(self.table, status)
        self._page.badges = self._attention.show(self.table, self._titles)

    def _go_where_it_is_seen(self) -> None:
        """From a tab that shows nothing of the snapshot that was searched for, go to its commit."""
        if (sought := self.state.sought) and (view := self._views.get(self._tabs.value)) and not view.tells_of(sought):
            self.state.front = "commit"

    def _show_selection(self) -> None:
        self._activity.say("")  # what was said was about what was selected before
        self._chips.show(self.state, self.table.graph)
        self._show_of_window()
        # A sheet over a picture in which nothing is selected yet hides what could be clicked.
        (self.remove_class if self.state.has_selection else self.add_class)("iceberg-none-selected")

    def _show_of_window(self) -> None:
        """Say at the head of the tab in front whether the window is none of its business."""
        view = self._views.get(self._tabs.value)
        told = view.of_window if view is not None and self.state.window is not None else ""
        self._of_window.value = f'<span title="{text(told)}">{text(told)}</span>'
