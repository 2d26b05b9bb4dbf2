"""A plotly figure on the screen, changed in place: a new FigureWidget would send plotly's 5 MB bundle again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import plotly.graph_objects as go
from plotly.callbacks import InputDeviceState, Points
from traitlets import default


class _WholeFromTheStart(go.FigureWidget):
    """A FigureWidget whose very first message to the browser holds the figure.

    plotly's own opens its channel empty and sends the figure after; a browser that asks for the state in between, as
    JupyterLab may while it restores widgets of a busy kernel, draws an empty plot and never looks again.
    """

    def __init__(self, figure: go.Figure) -> None:
        whole = figure.to_plotly_json()
        for number, trace in enumerate(whole["data"]):
            trace["uid"] = f"trace-{number}"  # or plotly draws a new one each time, also for what it sends back
        self._whole = whole
        super().__init__(whole)
        # A click near the end of a zoomable axis, meant for a commit, opened a field to type a number into.
        self._config = {"showAxisRangeEntryBoxes": False}

    @default("_widget_data")
    def _data_from_the_start(self) -> list[dict[str, Any]]:
        return deepcopy(self._whole["data"])

    @default("_widget_layout")
    def _layout_from_the_start(self) -> dict[str, Any]:
        return deepcopy(self._whole["layout"])


class LiveFigure:
    """One FigureWidget for the life of a view.

    Figures that are shown after the first must have traces of the same number, type and order.

    Attributes:
        widget: put this on the screen.
        figure: the figure that is shown; read clicks against it.
    """

    def __init__(self, figure: go.Figure) -> None:
        self.figure = figure
        self.widget = _WholeFromTheStart(figure)

    def show(self, figure: go.Figure) -> None:
        """Replace what is shown, sending only the traces and layout parts that changed."""
        if [t.type for t in figure.data] != [t.type for t in self.widget.data]:
            raise ValueError("a live figure keeps the number, type and order of its traces")
        with self.widget.batch_update():
            for live, old, new in zip(self.widget.data, self.figure.data, figure.data, strict=True):
                live.update(_changes(old.to_plotly_json(), new.to_plotly_json()), overwrite=True)
            self.widget.layout.update(
                _changes(self.figure.layout.to_plotly_json(), figure.layout.to_plotly_json()), overwrite=True
            )
        self.figure = figure

    def change(self, traces: Mapping[int, Mapping[str, Any]], first_shape: Mapping[str, Any]) -> None:
        """Change some properties of some traces (by index) and of the layout's first shape, and nothing else."""
        with self.widget.batch_update():
            for index, properties in traces.items():
                if changed := _changed(self.figure.data[index], properties):
                    for shown in (self.widget, self.figure):
                        shown.data[index].update(changed, overwrite=True)
            if changed := _changed(self.figure.layout.shapes[0], first_shape):
                for shown in (self.widget, self.figure):
                    shown.layout.shapes[0].update(changed)

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


def _changed(shown: Any, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Those that are not as they are shown."""
    old = shown.to_plotly_json()
    return {key: value for key, value in properties.items() if key not in old or not _same(old[key], value)}


def _same(a: Any, b: Any) -> bool:
    if hasattr(a, "shape") or hasattr(b, "shape"):
        return type(a) is type(b) and a.shape == b.shape and bool((a == b).all())
    return bool(a == b)
