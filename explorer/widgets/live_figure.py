"""A scene on the screen, changed in place."""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from ipywidgets import widget_serialization
from plotly.callbacks import InputDeviceState, Points
from traitlets import Instance, Unicode, default, observe

from ..figures.page import as_plotly, layers
from ..figures.page.scene import Scene, Selection
from .plotly_bundle import PlotlyBundle, of_this_kernel


class _Shown(go.FigureWidget):
    """A FigureWidget whose very first message to the browser holds the figure, and whose images move alone.

    plotly's own opens its channel empty and sends the figure after; a browser that asks for the state in between, as
    JupyterLab may while it restores widgets of a busy kernel, draws an empty plot and never looks again.
    """

    _esm = Path(__file__).parent / "live_figure.js"

    _bundle = Instance(PlotlyBundle).tag(sync=True, **widget_serialization)
    """What brings plotly's code to the page; named here, so that who saves the figure saves the code with it."""

    _version = Unicode().tag(sync=True)
    """The code's version, by which the page finds it before it knows that widget."""

    def __init__(self, whole: dict[str, Any]) -> None:
        # Without an id plotly draws a new one each time, also for what it sends back.
        data = [{**trace, "uid": f"trace-{number}"} for number, trace in enumerate(whole["data"])]
        self._whole = {**whole, "data": data}
        super().__init__(self._whole)
        # A click near the end of a zoomable axis, meant for a commit, opened a field to type a number into.
        self._config = {"showAxisRangeEntryBoxes": False}

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """What is shown now: plotly's own keeps what was shown first, which a page that is loaded again would draw."""
        state: dict[str, Any] = super().get_state(key, drop_defaults)
        for name, now in self._now().items():
            if name in state:
                state[name] = self.trait_metadata(name, "to_json")(now, self)
        return state

    def _now(self) -> dict[str, Any]:
        if "_layout_obj" not in vars(self):  # it is being made
            return {}
        return {"_widget_data": self._data, "_widget_layout": self._layout_obj._props}

    @observe("_js2py_relayout")
    def _handler_js2py_relayout(self, change: dict[str, Any]) -> None:
        message = change["new"]
        if message and all(key.startswith("images[") for key in message["relayout_data"]):
            self._js2py_relayout = None  # what Python moved; it may have moved it again by now
        else:
            super()._handler_js2py_relayout(change)

    @default("_bundle")
    def _bundle_of_this_kernel(self) -> PlotlyBundle:
        return of_this_kernel()

    @default("_version")
    def _version_of_the_bundle(self) -> str:
        return self._bundle.version

    @default("_widget_data")
    def _data_from_the_start(self) -> list[dict[str, Any]]:
        return deepcopy(self._whole["data"])

    @default("_widget_layout")
    def _layout_from_the_start(self) -> dict[str, Any]:
        return deepcopy(self._whole["layout"])


class LiveFigure:
    """One FigureWidget for the life of a view.

    Scenes that are shown after the first must have layers of the same number, type and order. Parts of them are images
    on the screen: see `figures.page.layers`.

    Attributes:
        widget: put this on the screen.
        scene: what is shown; read clicks against it.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._shown = layers.spec(scene)
        self.widget = _Shown(self._shown)

    def show(self, scene: Scene) -> None:
        """Replace what is shown, sending only the traces and layout parts that changed."""
        if [type(layer) for layer in scene.layers] != [type(layer) for layer in self.scene.layers]:
            raise ValueError("a live figure keeps the number, type and order of its layers")
        spec = layers.spec(scene)
        traces = [_changes(old, new) for old, new in zip(self._shown["data"], spec["data"], strict=True)]
        layout = _changes(self._shown["layout"], spec["layout"])
        if layout.keys() - {"images"}:
            with self.widget.batch_update():
                self._retrace(traces)
                self.widget.layout.update(layout, overwrite=True)
        else:
            self._move(spec["layout"]["images"])
            with self.widget.batch_update():
                self._retrace(traces)
        self.scene, self._shown = scene, spec

    def _retrace(self, changes: list[dict[str, Any]]) -> None:
        for live, changed in zip(self.widget.data, changes, strict=True):
            live.update(changed, overwrite=True)

    def select(self, selection: Selection) -> None:
        """Change the marks of what is selected, and nothing else."""
        self.scene = self.scene.selecting(selection)
        with self.widget.batch_update():
            for index, layer in enumerate(selection.layers, len(self.scene.drawn)):
                if not layers.only_marks(layer):
                    old, new = self._shown["data"][index], as_plotly.trace(layer)
                    self._shown["data"][index] = new
                    self.widget.data[index].update(_changes(old, new), overwrite=True)
        _, *page, _ = self._shown["layout"]["images"]
        below, above = layers.marks(self.scene)
        self._move([below, *page, above])

    def _move(self, images: list[dict[str, Any]]) -> None:
        """Change images alone; one that is hidden keeps what it was."""
        old = self._shown["layout"]["images"]
        moved = {  # in brackets: plotly.js knows `images.0.x`, which an update of properties sends, for no image
            f"images[{number}].{key}": value
            for number, (was, now) in enumerate(zip(old, images, strict=True))
            for key, value in _changes(was, was | now).items()
        }
        if moved:
            self.widget.plotly_relayout(moved)
        self._shown["layout"]["images"] = [was | now for was, now in zip(old, images, strict=True)]

    def on_click(self, callback: Callable[[int, int, bool], None]) -> None:
        """Call `callback(trace_index, point_index, shift)` when a point of any trace is clicked."""
        for index, trace in enumerate(self.widget.data):
            trace.on_click(_click(index, callback))

    def on_range(self, axis: str, callback: Callable[[tuple[float, float]], None]) -> None:
        """Call `callback((low, high))` when the person pans or zooms an axis (`xaxis`, `xaxis2`).

        A range without numbers, which a browser sends for an axis that has no room, is none.
        """

        def changed(_: Any, range_: Any) -> None:
            if range_ is not None and all(isinstance(end, int | float) and math.isfinite(end) for end in range_):
                callback((float(range_[0]), float(range_[1])))

        self.widget.layout.on_change(changed, f"{axis}.range")

    def close(self) -> None:
        """Take the figure off the page and free its memory there."""
        self.widget.close()


def _click(index: int, callback: Callable[[int, int, bool], None]) -> Callable[[Any, Points, InputDeviceState], None]:
    def clicked(_: Any, points: Points, state: InputDeviceState) -> None:
        if points.point_inds:
            callback(index, points.point_inds[0], bool(state.shift))

    return clicked


def _changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """What to set so that old becomes new; what only the old one has is set to None."""
    changed = {key: value for key, value in new.items() if key not in old or not _same(old[key], value)}
    return changed | {key: None for key in old if key not in new}


def _same(a: Any, b: Any) -> bool:
    if hasattr(a, "shape") or hasattr(b, "shape"):
        return type(a) is type(b) and a.shape == b.shape and bool((a == b).all())
    return bool(a == b)
