"""The strip above the tabs: all commits at a glance, the window that is chosen in it, and the selected snapshots."""

from __future__ import annotations

import ipywidgets as w

from ..figures.overview import draw as figure
from ..figures.page import svg
from ..figures.page.scene import NOTHING, Area, Areas, Scene
from ..table import Table
from .chips import lettered
from .error_strip import ErrorStrip
from .guard import guarded
from .markup import text
from .state import ExplorerState


class OverviewStrip(w.HBox):
    """All commits on one axis. A click selects one, with shift the one compared, and a drag chooses the window.

    Two images, of which a selection sends the smaller one alone, and places between them that answer the pointer.
    """

    def __init__(self, table: Table, state: ExplorerState, errors: ErrorStrip) -> None:
        self._table, self._state = table, state
        self._history, self._marks = w.HTML(), w.HTML()
        super().__init__([self._history, self._marks])
        self.add_class("iceberg-overview")
        self._marks.add_class("iceberg-marks")
        state.observe(guarded(errors, lambda _: self.refresh()), ["theme", "width"])
        state.observe(guarded(errors, lambda _: self._select()), ["snapshot", "compared", "window", "told"])
        self.refresh()

    def refresh(self) -> None:
        """Draw the history as the table has it now."""
        overview, state = self._table.overview, self._state
        self._scene = figure.draw(overview, state.colours, width=state.width)
        image = svg.to_data_uri(self._scene.selecting(NOTHING))
        self._history.value = f'<img src="{image}" alt="{text(self._scene.summary)}">{_places(self._scene)}'
        self._select()

    def brushed(self, left: float, right: float) -> None:
        """Take the commits between two pixels of the strip as the window."""
        overview = self._table.overview
        found = [figure.commit_at(self._scene, overview, x) for x in (left, right)]
        ends = [str(overview.graph.nodes[i].snapshot.snapshot_id) for i in found if i is not None]
        if ends:
            self._state.window = ends[0], ends[1]

    def _select(self) -> None:
        overview, state = self._table.overview, self._state
        ends = [overview.index(i) for i in state.window or ()]
        known = sorted(i for i in ends if i is not None)
        points = {letter: str(node.snapshot.snapshot_id) for letter, node in lettered(state, overview.graph)}
        self._scene = self._scene.selecting(
            figure.selection(
                self._scene,
                overview,
                window=(known[0], known[-1]) if known else None,
                a=points.get("A"),
                b=points.get("B"),
            )
        )
        image = svg.data_uri(svg.selection_to_svg(self._scene))
        self._marks.value = f'<img src="{image}" alt="">'


def _places(scene: Scene) -> str:
    """The places of the commits, each a button for the pointer; the pictures lead there by keys."""
    (areas,) = (layer for layer in scene.layers if isinstance(layer, Areas))
    return "".join(_place(areas, area) for area in areas.items)


def _place(areas: Areas, area: Area) -> str:
    size = f"width:{area.right - area.left:.1f}px;height:{areas.bottom - areas.top:.1f}px"
    commit = area.meaning.removeprefix("commit ")
    acts = f' data-act="select" data-shift-act="beside" data-value="{commit}"' if commit else ""
    told = area.hover.replace("<br>", "&#10;").replace('"', "&quot;")  # HTML already
    return f'<i style="left:{area.left:.1f}px;top:{areas.top:.1f}px;{size}" title="{told}"{acts}></i>'
