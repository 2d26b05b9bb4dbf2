"""The snapshot graph as a view: the figure, ways to choose a snapshot, the panel about it."""

from __future__ import annotations

import threading
from typing import Any

import ipywidgets as w

from ...figures.page.scene import Scene
from ...figures.snapshot_graph import draw as figure
from ...figures.snapshot_graph.view import ALL_UP_TO
from ...model.snapshot_graph import words as snapshot_graph_words
from ...model.snapshot_graph.facts import Node, SnapshotGraph
from ...table.picture import Picture
from ...table.pins import Pin, pin
from ..context import Context
from ..controls import bar, steps
from ..guard import guarded
from ..live_figure import LiveFigure
from ..markup import FOLD, text
from .snapshot_graph_panel import panel

_IN_LIST = 400  # a longer list is no help; the field beside it finds any snapshot
_ALL_NAMED = 60  # up to here every snapshot is drawn in full and nothing is gained by a window
_SETTLE_SECONDS = 0.15  # a pan sends a range per frame; only where it comes to rest is drawn


class SnapshotGraphView:
    """Snapshots on lanes; click, shift-click, arrows, two lists and a search field all select."""

    def __init__(self, context: Context) -> None:
        self._context, self._state = context, context.state
        self._window: tuple[float, float] | None = None
        self._in_front, self._offering = True, False
        self._settling: threading.Timer | None = None
        self._is_closed = False
        self._picture: Picture[SnapshotGraph] = context.table.snapshot_graph()
        self._live = LiveFigure(self._drawn())
        self._live.on_click(guarded(context.errors, self._clicked))
        for axis in figure.RANGE_AXES:
            self._live.on_range(axis, guarded(context.errors, self._ranged))
        self._panel = w.HTML()
        self._panel.add_class("iceberg-panel")
        self._controls = self._make_controls()
        self._in_words = w.HTML()
        self._in_words.add_class("iceberg-in-words")
        stage = w.HBox([self._live.widget, self._panel])
        stage.add_class("iceberg-stage")
        self.widget = w.VBox([self._controls, self._in_words, stage])
        self._state.observe(guarded(context.errors, lambda _: self._follow()), ["snapshot", "compared"])
        self._state.observe(guarded(context.errors, lambda _: self._redraw()), ["theme", "width"])
        self._state.observe(guarded(context.errors, lambda _: self._narrowed()), "window")
        self._state.observe(guarded(context.errors, lambda _: self._seek()), "sought")
        self._describe()
        self._fill_lists()
        self._select()

    @property
    def graph(self) -> SnapshotGraph:
        """The model that is shown."""
        return self._picture.facts

    def tells_of(self, _snapshot: str) -> bool:
        """Whether it shows something of a snapshot that is selected."""
        return True

    @property
    def of_window(self) -> str:
        """Empty: the window is brought into view."""
        return ""

    def refresh(self) -> None:
        """Draw the graph of the new metadata; the selection stays where its snapshot still exists."""
        self._picture = self._context.table.snapshot_graph()
        known = {str(snapshot_id) for snapshot_id in self.graph.by_id}
        if self._state.snapshot not in known:
            self._state.snapshot = ""
        if self._state.compared not in known:
            self._state.compared = ""
        low, high = self._visible()
        if not any(low <= node.column <= high for node in self.graph.nodes):
            self._window = None  # a table made anew is shorter than what was looked at
        self._redraw()
        if self._in_front:
            self._context.shows(self._picture)

    def close(self) -> None:
        """Take the figure off the page; a pan that has not come to rest is forgotten."""
        self._is_closed = True
        if self._settling is not None:
            self._settling.cancel()
        self._live.close()

    def shown(self) -> None:
        """Put the graph's SQL, data and notes into the drawers, and show what was selected meanwhile."""
        if not self._in_front:
            self._in_front = True
            self._select()
        self._context.shows(self._picture)

    def hidden(self) -> None:
        """Go behind another tab; the browser takes 100 ms to draw a selection, which nobody would see."""
        self._in_front = False

    def key(self, key: str, shift: bool) -> None:
        """Arrows: along the commits and between lanes; with shift, or `c`, for the snapshot compared with."""
        if key in ("ArrowLeft", "ArrowRight"):
            self._step(-1 if key == "ArrowLeft" else 1, shift)
        elif key in ("[", "]"):
            self._step(-1 if key == "[" else 1, True)
        elif key in ("ArrowUp", "ArrowDown"):
            self._change_lane(-1 if key == "ArrowUp" else 1)
        elif key == "c" and self._state.snapshot:
            current = self.graph.metadata.current_snapshot_id
            self._state.compare("" if current is None else str(current))
        elif key == "Enter" and self._state.snapshot:
            self._state.front = "commit"

    def pin(self) -> Pin:
        """The graph as it is drawn, to be kept for a report."""
        return pin(self._picture, self._live.scene)

    def row_selected(self, row: int) -> None:
        """Select the snapshot of a data row."""
        self._state.snapshot = str(self._picture.data["snapshot_id"].iloc[row])

    def _make_controls(self) -> w.Widget:
        errors = self._context.errors
        along = steps(errors, lambda by: self._step(by, False), "Previous snapshot (←)", "Next snapshot (→)")
        self._list = w.Dropdown(description="Snapshot")
        self._list.observe(guarded(errors, lambda change: self._listed(change, "snapshot")), "value")
        self._compared_list = w.Dropdown(description="Compare with")
        self._compared_list.observe(guarded(errors, lambda change: self._listed(change, "compared")), "value")
        self._earlier, self._later = _small("⟨", "Earlier commits"), _small("⟩", "Later commits")
        self._closer, self._wider = _small("+", "Fewer commits, larger"), _small("−", "More commits, smaller")
        self._all = _small("All", "Every commit in view")
        for button, move in (
            (self._earlier, lambda low, high: (low - 0.8 * (high - low), high - 0.8 * (high - low))),
            (self._later, lambda low, high: (low + 0.8 * (high - low), high + 0.8 * (high - low))),
            (self._closer, lambda low, high: (low + 0.25 * (high - low), high - 0.25 * (high - low))),
            (self._wider, lambda low, high: (low - 0.5 * (high - low), high + 0.5 * (high - low))),
        ):
            button.on_click(guarded(errors, lambda _, move=move: self._show_window(move(*self._visible()))))
        self._all.on_click(guarded(errors, lambda _: self._show_window(self._whole())))
        window = [self._earlier, self._wider, self._closer, self._later, self._all]
        self._window_controls = w.HBox(window)
        return bar(*along, self._list, self._compared_list, self._window_controls)

    def _drawn(self) -> Scene:
        return figure.draw(
            self.graph,
            self._state.colours,
            name=self._context.table.name,
            read_at=self._context.table.read_at,
            window=self._window,
            selected=self._state.snapshot or None,
            compared=self._state.compared or None,
            width=self._state.figure_width,
            alone=False,  # the strip above all tabs shows the whole history
        )

    def _redraw(self) -> None:
        self._live.show(self._drawn())
        self._describe()
        self._fill_lists()
        self._select()

    def _describe(self) -> None:
        """Say to a screen reader what the picture says; the lists and the data grid are its other way in."""
        self._in_words.value = f"<p>{text(self._live.scene.in_words)}</p>"

    def _follow(self) -> None:
        if self._in_front:
            self._select()

    def _select(self) -> None:
        """Move the marks of the selection; nothing else is drawn again. Words first, the browser draws for longer."""
        selected, compared = self._node(self._state.snapshot), self._node(self._state.compared)
        self._panel.value = FOLD + panel(self.graph, selected, compared)
        marks = figure.selection(
            self._live.scene,
            self.graph,
            selected=self._state.snapshot,
            compared=self._state.compared,
        )
        self._live.select(marks)
        for chooser, value in ((self._list, self._state.snapshot), (self._compared_list, self._state.compared)):
            node = self._node(value)
            options = chooser.options
            if node is not None and self._option(node) not in options:
                options = (*options, self._option(node))
            self._offer(chooser, options, value if node is not None else "")

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        target = figure.clicked(self._live.scene, trace, point)
        if target is None:
            return
        if target.columns is not None:
            self._show_window(target.columns)
        elif target.snapshot is not None:
            (self._state.compare if shift else self._state.select)(target.snapshot)

    def _listed(self, change: dict[str, Any], name: str) -> None:
        if not self._offering:
            setattr(self._state, name, change["new"] or "")

    def _seek(self) -> None:
        """Bring into view what a person searched for."""
        if self._state.sought:
            self._go_to(self._node(self._state.sought))
            self._state.sought = ""

    def _step(self, direction: int, shift: bool) -> None:
        nodes = self.graph.nodes
        if not nodes:
            return
        at = self._node(self._state.compared if shift and self._state.compared else self._state.snapshot)
        place = nodes.index(at) + direction if at is not None else (len(nodes) - 1 if direction < 0 else 0)
        self._take(nodes[min(max(place, 0), len(nodes) - 1)], shift)

    def _change_lane(self, direction: int) -> None:
        at = self._node(self._state.snapshot)
        if at is None:
            self._step(-1, False)
            return
        lanes = sorted({node.lane for node in self.graph.nodes})
        place = lanes.index(at.lane) + direction
        if 0 <= place < len(lanes):
            there = [node for node in self.graph.nodes if node.lane == lanes[place]]
            self._take(min(there, key=lambda node: abs(node.column - at.column)), False)

    def _take(self, node: Node, shift: bool) -> None:
        snapshot_id = str(node.snapshot.snapshot_id)
        if shift and self._state.snapshot:
            self._state.compared = "" if snapshot_id == self._state.snapshot else snapshot_id
        else:
            self._state.snapshot = snapshot_id
        self._go_to(node)

    def _go_to(self, node: Node | None) -> None:
        """Bring a snapshot into view, at the same scale."""
        if node is None:
            return
        low, high = self._visible()
        if not low <= node.column <= high:
            half = (high - low) / 2
            self._show_window((node.column - half, node.column + half))

    def _visible(self) -> tuple[float, float]:
        return figure.visible(self._live.scene)

    def _ranged(self, visible: tuple[float, float]) -> None:
        """The person panned or zoomed: draw what is in view now with the detail that fits, once it comes to rest."""
        if self._settling is not None:
            self._settling.cancel()
        self._settling = threading.Timer(_SETTLE_SECONDS, guarded(self._context.errors, self._settled), (visible,))
        self._settling.daemon = True
        self._settling.start()

    def _settled(self, visible: tuple[float, float]) -> None:
        if not self._is_closed:  # a timer that waits for its turn is cancelled no more
            self._show_window(visible)

    def _whole(self) -> tuple[float, float] | None:
        """The window of all commits: of a short history that which it has at first."""
        return None if len(self.graph.nodes) <= ALL_UP_TO else (-1.0, float(self.graph.column_count))

    def _show_window(self, window: tuple[float, float] | None) -> None:
        if window != self._window:
            self._window = window
            self._redraw()

    def _narrowed(self) -> None:
        """Bring the window of commits that was chosen into view; what was in view at first, once it is let go of."""
        ends = [node.column for node in map(self._node, self._state.window or ()) if node is not None]
        self._show_window((min(ends) - 1.0, max(ends) + 1.0) if ends else None)

    def _fill_lists(self) -> None:
        self._window_controls.layout.display = "" if len(self.graph.nodes) > _ALL_NAMED else "none"
        low, high = self._visible()
        inside = [node for node in self.graph.nodes if low <= node.column <= high][-_IN_LIST:]
        options = (("none", ""), *(self._option(node) for node in reversed(inside)))
        for chooser, value in ((self._list, self._state.snapshot), (self._compared_list, self._state.compared)):
            extra = self._node(value)
            listed = options if extra is None or extra in inside else (*options, self._option(extra))
            self._offer(chooser, listed, value if extra is not None else "")

    def _offer(self, chooser: w.Dropdown, options: tuple[tuple[str, str], ...], value: str) -> None:
        """Fill a list; that its value changes on the way is not the person's choice."""
        self._offering = True
        try:
            if chooser.options != options:
                chooser.options = options
            chooser.value = value
        finally:
            self._offering = False

    def _option(self, node: Node) -> tuple[str, str]:
        s = node.snapshot
        words = [snapshot_graph_words.name(self.graph, node), s.operation or "", *node.refs[:2]]
        return " · ".join(word for word in words if word), str(s.snapshot_id)

    def _node(self, snapshot_id: str) -> Node | None:
        return self.graph.find(snapshot_id)


def _small(label: str, tooltip: str) -> w.Button:
    return w.Button(description=label, tooltip=tooltip, layout=w.Layout(width="auto"))
