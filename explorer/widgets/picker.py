"""Choosing a table among those that the session's catalogs list, and opening its explorer in the same place."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets as w
from traitlets import Unicode

from ..engine import Progress, Task, Worker
from ..engine.recent import recent_tables, remember
from ..errors import ExplorerError
from ..model.namespaces import Name, Namespace, matching
from ..queries import identifiers
from ..table import Table
from ..table.catalogs import Catalogs
from . import picker_lists
from .activity import Activity
from .browser import Page
from .error_strip import ErrorStrip
from .guard import guarded
from .picker_lists import Listing
from .resting import Resting

_HERE = Path(__file__).parent
_KEYS = (
    '<div class="iceberg-picker-keys"><span><kbd>↑</kbd> <kbd>↓</kbd> table &nbsp; <kbd>←</kbd> <kbd>→</kbd> namespace'
    " &nbsp; <kbd>Enter</kbd> open &nbsp; <kbd>Esc</kbd> search for nothing</span>"
    "<code>explorer.open(&quot;catalog.namespace.table&quot;)</code></div>"
)


class SearchField(anywidget.AnyWidget):
    """The field and the two lists below it. It holds nothing but what is shown: `places` and `tables` are HTML."""

    _esm = _HERE / "picker.js"
    _css = _HERE / "picker.css"

    places = Unicode().tag(sync=True)
    tables = Unicode().tag(sync=True)

    def on_sent(self, handler: Callable[[dict[str, str]], None]) -> None:
        """Call `handler` with what the browser sends.

        Always `kind` and `search`, the text in the field. Of a `key` its `key`, as the browser names it; of `open` and
        `place` the `name` that was clicked; of `search` nothing more.
        """
        self.on_msg(lambda _, content, __: handler({name: str(value) for name, value in content.items()}))


class TablePicker(w.VBox):
    """The tables of all catalogs of a session. Shown as the last value of a cell.

    Each catalog is listed on a thread of its own, so that one that does not answer holds up none of the others.

    Args:
        catalogs: of the session.
        explore: makes the explorer of a table.
        leave: goes back to where the person came from; None if there is nothing to go back to.
        here: the table that the person came from, which is marked first; None if there is none.

    Attributes:
        explorer: of the table that was chosen, which then stands in the picker's place; None before.
    """

    def __init__(
        self,
        catalogs: Catalogs,
        explore: Callable[[Table], w.Widget],
        leave: Callable[[], None] | None = None,
        here: Name | None = None,
    ) -> None:
        self._catalogs, self._explore = catalogs, explore
        self.explorer: w.Widget | None = None
        self._errors, self._page, self._field = ErrorStrip(), Page(), SearchField()
        self._activity = Activity(Worker(lambda: catalogs.spark), self._errors, lambda: catalogs.remote(self._chosen))
        self._workers: list[Worker] = []
        self._showing = threading.Lock()
        self._listings: list[Listing] = []
        self._is_known = False  # which catalogs there are
        self._recent = recent_tables()
        self._search = ""
        self._place = here[:-1] if here else None  # namespace that was chosen
        self._at = here  # table that Enter opens
        self._chosen = ""  # table that is being opened
        self._glances: dict[Name, str] = {}  # what the metadata files say of tables that were marked for a while
        self._glanced_at: Name | None = None
        self._glancing, self._resting = Worker(lambda: catalogs.spark), Resting(self._errors)
        self._head = w.HTML()
        self._back = w.Button(description="Back", tooltip="To the table that was open", icon="arrow-left")
        self._back.on_click(guarded(self._errors, lambda _: leave() if leave is not None else None))
        head = w.HBox([self._head, self._back] if leave is not None else [self._head])
        head.add_class("iceberg-head")
        self._choosing = w.VBox([self._page, head, self._errors, self._field, self._activity, w.HTML(_KEYS)])
        self._choosing.add_class("iceberg-explorer")
        super().__init__([self._choosing])
        self._field.on_sent(guarded(self._errors, self._received))
        self._show()
        self._activity.ask("catalogs", catalogs.names, self._list, label="Looking which catalogs there are")

    def close(self) -> None:
        """Stop listing, and take the picker, or the explorer that was opened, off the page."""
        self._stop()
        if self.explorer is not None:
            self.explorer.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget; wherever widgets cannot run, what it would be."""
        words = "The tables of all catalogs, to choose one: run this cell where widgets can be shown."
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return bundle | {"text/plain": words, "text/html": f"<p>{words}</p>"}

    # listing

    def _list(self, names: list[str]) -> None:
        self._listings, self._is_known = [Listing(name) for name in names], True
        for told in self._listings:
            self._ask(told)
        self._show()

    def _ask(self, told: Listing) -> None:
        show = guarded(self._errors, self._show)

        def read() -> None:
            for namespace in self._catalogs.namespaces(told.catalog):
                told.namespaces.append(namespace)

        def progressed(progress: Progress) -> None:
            told.seconds = progress.seconds
            show()

        def answered(task: Task[None]) -> None:
            told.is_complete = True
            try:
                task.result(0)
            except ExplorerError as error:
                told.refused = f"{error.what} {error.found}"
            self._show()

        self._workers.append(Worker(lambda: self._catalogs.spark))
        task = self._workers[-1].ask(read, label=f"Listing {told.catalog}", on_progress=progressed)
        task.add_done_callback(guarded(self._errors, answered))

    def _glance_at(self, table: Name | None) -> None:
        """Read the metadata file of the table that Enter opens, once the choice rests; that of no other one."""
        if table is None or table == self._glanced_at:
            return
        self._glanced_at = table
        if table in self._glances:
            return

        def look() -> None:
            name = identifiers.quoted(table)
            task = self._glancing.ask(lambda: self._catalogs.open(name), label=f"Looking at {name}")
            task.add_done_callback(guarded(self._errors, seen))

        def seen(task: Task[Table]) -> None:
            if task.cancelled:
                return
            try:
                self._glances[table] = picker_lists.glance(task.result(0), datetime.now(UTC))
            except ExplorerError as error:
                self._glances[table] = error.what
            self._show()

        self._resting.soon(look)

    # what a person does

    def _received(self, sent: dict[str, str]) -> None:
        if sent["search"].strip() != self._search:
            self._search, self._at = sent["search"].strip(), None
        if sent["kind"] == "open":
            self._open(sent["name"])
        elif sent["kind"] == "place":
            self._go(identifiers.split(sent["name"]))
        elif sent.get("key") == "Enter":
            self._enter()
        elif sent.get("key") in ("ArrowUp", "ArrowDown"):
            self._step(1 if sent["key"] == "ArrowDown" else -1)
        elif sent.get("key") in ("ArrowLeft", "ArrowRight"):
            self._to_neighbour(1 if sent["key"] == "ArrowRight" else -1)
        self._show()

    def _go(self, place: Name) -> None:
        self._place, self._search, self._at = place, "", None

    def _step(self, by: int) -> None:
        tables = self._tables[: picker_lists.MOST]
        if tables:
            self._at = tables[min(max(self._place_in(tables) + by, 0), len(tables) - 1)]

    def _to_neighbour(self, by: int) -> None:
        names = [namespace.name for namespace in self._namespaces]
        if names:
            here = self._namespace
            place = names.index(here.name) if here is not None else 0
            self._go(names[min(max(place + by, 0), len(names) - 1)])

    def _enter(self) -> None:
        if tables := self._tables:
            self._open(identifiers.quoted(tables[self._place_in(tables)]))
        elif self._search:
            self._open(self._search)

    def _open(self, name: str) -> None:
        self._chosen = name
        self._activity.ask("table", lambda: self._catalogs.open(name), self._opened, label=f"Opening {name}")

    def _opened(self, table: Table) -> None:
        remember(table.name)
        self.explorer = self._explore(table)
        self.children = (self.explorer,)
        self._stop()

    def _stop(self) -> None:
        self._resting.cancel()
        for worker in (*self._workers, self._glancing):
            worker.close()
        self._activity.close()
        self._choosing.close()  # or a page that is loaded again would be told of it, without its parts
        for part in (self._page, self._head, self._back, self._errors, self._field):
            part.close()

    # what is shown

    @property
    def _namespaces(self) -> list[Namespace]:
        return [namespace for told in self._listings for namespace in told.namespaces]

    @property
    def _namespace(self) -> Namespace | None:
        """The one whose tables are shown: that was chosen, else the first that has any."""
        told = self._namespaces
        chosen = (namespace for namespace in told if namespace.name == self._place)
        return next(chosen, next((namespace for namespace in told if namespace.tables), None))

    @property
    def _tables(self) -> list[Name]:
        if self._search:
            return matching(self._namespaces, self._search)
        here = self._namespace
        return [(*here.name, table) for table in here.tables] if here is not None else []

    def _place_in(self, tables: list[Name]) -> int:
        return tables.index(self._at) if self._at in tables else 0

    def _show(self) -> None:
        """Write both lists. Workers do so too: one after the other, or what was told before a letter comes after it."""
        with self._showing:
            self._write()

    def _write(self) -> None:
        tables, here = self._tables, self._namespace
        at = tables[self._place_in(tables)] if tables else None
        is_complete = self._is_known and all(told.is_complete for told in self._listings)
        self._glance_at(at)
        self._head.value = picker_lists.head(self._listings, is_complete=is_complete)
        place = here.name if here is not None and not self._search else None
        if self._search:
            self._field.tables = picker_lists.of_search(
                self._search, tables, at, self._glances, is_complete=is_complete
            )
        elif here is not None:
            self._field.tables = picker_lists.of_namespace(here, at, self._glances)
        else:
            self._field.tables = picker_lists.nothing(has_catalog=bool(self._listings), is_complete=is_complete)
        self._field.places = picker_lists.places(self._recent, self._listings, place, datetime.now(UTC))
