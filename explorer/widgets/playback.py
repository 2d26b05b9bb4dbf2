"""A table played commit by commit, forward and back: the rows that meet a condition, and the numbers that decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import ipywidgets as w

from ..engine import Worker
from ..engine.memory import RecentlyUsed
from ..figures.page.scene import Scene, Selection
from ..figures.page.sheet import LEAST_WIDTH
from ..figures.why import draw as figure
from ..model.deletes.facts import Deletes
from ..model.iceberg.lineage import Forest
from ..model.iceberg.metadata import TableMetadata
from ..model.why.facts import RowOutcome
from ..model.words import account
from ..table import Table
from ..table.picture import Picture
from .activity import Activity
from .browser import Page
from .context import Context
from .controls import bar, steps
from .drawers import Drawers
from .error_strip import ErrorStrip
from .files import path_of
from .guard import guarded
from .key_columns import KeyColumns
from .markup import text
from .playback_files import files_and_deletes
from .state import ExplorerState
from .view import PictureView

_MOST_BYTES = 64_000_000  # of steps


class Playback(w.VBox):
    """The snapshots of main as steps, from the first one on. Shown as the last value of a cell.

    Attributes:
        table: what is played.
        condition: SQL over its columns; the rows that meet it are told of at every step.
        state: which step is shown (`state.snapshot`, an id as text) and which data file is selected.
    """

    def __init__(self, table: Table, condition: str) -> None:
        """Read the last step, which wherever widgets cannot run is all there is.

        Raises:
            ExplorerError: the condition cannot be asked.
        """
        self.table, self.condition, self.state = table, condition, ExplorerState()
        errors, page = ErrorStrip(), Page()
        self._activity = Activity(Worker(lambda: table.spark), errors, lambda: table.remote)
        self._drawers = Drawers(page, self._activity, errors, lambda row: self._view.row_selected(row))
        keys = KeyColumns(table, self.state, self._activity)
        context = Context(table, self.state, self._activity, errors, keys, self._drawers.show)
        self._view = StepView(context, condition)
        self._last = self._view.last_step()
        self._drawers.hint((("← →", "step"), ("s", "SQL"), ("t", "data"), ("Esc", "select no file")))
        title = w.HTML(f"<h2>{text(table.name)}</h2><div class='iceberg-facts'>rows with {text(condition)}</div>")
        head = w.HBox([title])
        head.add_class("iceberg-head")
        super().__init__([page, head, errors, self._view.widget, self._drawers, self._activity])
        self.add_class("iceberg-explorer")
        page.on_key(guarded(errors, self._key))
        page.observe(guarded(errors, lambda _: self._page_changed(page)), ["dark", "width"])
        self._view.shown()

    def close(self) -> None:
        """Stop what is being read and take the playback off the page."""
        self._activity.close()
        self._view.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, and beside it the last step for wherever widgets cannot run."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return bundle | self._last

    def _key(self, key: str, shift: bool) -> None:
        if key in ("s", "t"):
            self._drawers.toggle("sql" if key == "s" else "data")
        elif key == "Escape":
            self.state.file = ""
        else:
            self._view.key(key, shift)

    def _page_changed(self, page: Page) -> None:
        self.state.follow(dark=page.dark, width=page.width)


def steps_of(metadata: TableMetadata) -> list[int]:
    """The snapshots of main, the oldest first."""
    main = metadata.refs.get("main")
    return list(Forest(metadata).lineage(main.snapshot_id if main else metadata.current_snapshot_id))[::-1]


class StepView(PictureView[str, RowOutcome]):
    """One step: what the commit did, the rows as three readers see them, the live files and what each delete reaches.

    Its question: the snapshot. Steps that were read are kept, as far as memory allows.
    """

    topic, fold = "step", ""

    def __init__(self, context: Context, condition: str) -> None:
        self._condition = condition
        self._steps = [str(snapshot_id) for snapshot_id in steps_of(context.table.metadata)]
        self._read_steps: RecentlyUsed[str, Picture[RowOutcome]] = RecentlyUsed(_MOST_BYTES, self._parts)
        self._deletes: WeakKeyDictionary[Picture[RowOutcome], Deletes] = WeakKeyDictionary()
        context.state.snapshot = self._steps[0] if self._steps else ""
        self._buttons = steps(
            context.errors, lambda by: self._step(by, False), "The commit before (←)", "The next commit (→)"
        )
        self._where = w.HTML()
        self._where.add_class("iceberg-which")
        super().__init__(context, [bar(*self._buttons, self._where)])
        # The files lie below the picture: beside it, three readings and their deletes would have no room.
        self._stage.layout.flex_flow = "column"
        self._panel.remove_class("iceberg-panel")
        self._panel.add_class("iceberg-message")
        self._panel.layout.width = "100%"

    def last_step(self) -> dict[str, str]:
        """What is shown without widgets: the step that main points to."""
        if not self._steps:
            return {"text/plain": self.nothing, "text/html": f"<p>{text(self.nothing)}</p>"}
        picture = self._read(self._steps[-1])
        below = files_and_deletes(self._deletes[picture])
        step_in_words = f"<p>{text(self._words_of_step(self._steps[-1]))}</p>"
        return {"text/plain": repr(picture), "text/html": step_in_words + picture.to_static_html() + below}

    def row_selected(self, row: int) -> None:
        """Select the data file of a data row."""
        if self._picture is not None:
            self._state.file = str(self._picture.data["_file"].iloc[row])

    # what is asked

    def _asked(self) -> str | None:
        return self._state.snapshot or None

    def _label(self, question: str) -> str:
        return f"Reading the rows with {self._condition} of {self._name(question)}"

    def _of(self, question: str) -> str:
        return self._name(question)

    def _read(self, question: str) -> Picture[RowOutcome]:
        if (known := self._read_steps.get(question)) is not None:
            return known
        table = self._context.table
        picture = table.why(self._condition, question)
        _ = picture.facts  # read here, on the worker's thread
        self._deletes[picture] = table.deletes(question).facts
        return self._read_steps.put(question, picture)

    def _parts(self, picture: Picture[RowOutcome]) -> tuple[Sequence[object], ...]:
        deletes = self._deletes[picture]
        return picture.facts.rows, deletes.deletes, deletes.data_files, deletes.pairs, deletes.by_partition

    def _step(self, direction: int, shift: bool) -> None:
        """To the neighbour on main; with shift to its end."""
        if self._steps:
            place = self._steps.index(self._state.snapshot) + direction * (len(self._steps) if shift else 1)
            self._state.snapshot = self._steps[min(max(place, 0), len(self._steps) - 1)]

    # what is shown

    def _words_of_step(self, snapshot: str) -> str:
        node = self._context.table.graph.find(snapshot)
        did = f" {account(node.snapshot)}" if node is not None else ""
        return f"Step {self._steps.index(snapshot) + 1} of {len(self._steps)}: commit {self._name(snapshot)}.{did}"

    def _describe(self) -> None:
        step_in_words, _, did = self._words_of_step(self._state.snapshot).partition(". ")
        self._where.value = f"<b>{text(step_in_words)}.</b> {text(did)}"
        back, on = self._buttons
        back.disabled = self._state.snapshot == self._steps[0]
        on.disabled = self._state.snapshot == self._steps[-1]
        super()._describe()

    def _draw(self, facts: RowOutcome, width: int) -> Scene:
        name, selected = self._context.table.name, path_of(self._state.file) or None
        return figure.draw(facts, self._state.colours, name=name, width=width, selected_file=selected)

    @property
    def _figure_width(self) -> int:
        return max(self._state.width, LEAST_WIDTH)  # nothing lies beside it

    def _marks(self, scene: Scene, _facts: RowOutcome) -> Selection:
        return figure.selection(scene, selected_file=path_of(self._state.file) or None)

    def _panel_of(self, _facts: RowOutcome) -> str:
        if self._picture is None:
            return ""
        return files_and_deletes(self._deletes[self._picture], selected=path_of(self._state.file))

    def _clicked(self, trace: int, point: int, _shift: bool) -> None:
        clicked = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if clicked is not None and clicked.file is not None:
            self._state.select_file(clicked.file)
