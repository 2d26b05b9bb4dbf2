"""Partitions by commit as a view: a heat map in which a person finds a partition, and chooses one and a window."""

from __future__ import annotations

from typing import get_args

import ipywidgets as w

from ...figures.page.scene import Box, Scene, Selection
from ...figures.partitions import draw as figure
from ...model.partition_order import matching
from ...model.partitions.facts import Partitions
from ...model.partitions.grid import Measure
from ...table.picture import Picture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..guard import guarded
from ..view import PictureView
from .partitions_panel import panel


class PartitionsView(PictureView[str, Partitions]):
    """The partitions along the current line. Its question: the current snapshot."""

    topic = "partitions"
    nothing = "This table has no snapshot, so no partition holds a file."

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._measure = w.ToggleButtons(options=list(get_args(Measure)), tooltips=[""] * len(get_args(Measure)))
        self._measure.style.button_width = "auto"
        self._measure.observe(guarded(on, lambda _: self._redraw()), "value")
        self._search = w.Text(placeholder="Partition: EU 2026-03", continuous_update=False)
        self._search.observe(guarded(on, lambda _: self._searched()), "value")
        self._zoom = w.ToggleButton(description="Only the window", tooltip="Columns for the chosen commits alone")
        self._zoom.observe(guarded(on, lambda _: self._redraw()), "value")
        self._whole = w.Button(description="All partitions", tooltip="Back from some of them (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        along = steps(on, lambda by: self._step(by, False), "Previous commit (←)", "Next commit (→)")
        super().__init__(context, [bar(*along, self._measure, self._search, self._zoom, self._whole)])
        self._stage.add_class("iceberg-brush")
        self._state.observe(guarded(on, lambda _: self._search.set_trait("value", "")), "cleared")
        self._offer()

    def key(self, key: str, shift: bool) -> None:
        """As every view; ↑ and ↓ go along the partitions that are searched for."""
        if key in ("ArrowUp", "ArrowDown") and self._picture is not None:
            self._step_partition(self._picture.facts, -1 if key == "ArrowUp" else 1)
        else:
            super().key(key, shift)

    def row_selected(self, row: int) -> None:
        """Select the partition and the commit of a data row."""
        if self._picture is not None:
            found = self._picture.data.iloc[row]
            with self._state.hold_trait_notifications():
                self._state.snapshot = str(found["snapshot_id"])
                self._state.partition = int(found["spec_id"]), str(found["partition"])

    # what is asked

    def _asked(self) -> str | None:
        current = self._context.table.metadata.current_snapshot_id
        return None if current is None else str(current)

    def _label(self, question: str) -> str:
        return f"Reading what partitions held up to {self._name(question)}"

    def _of(self, question: str) -> str:
        return f"all up to {self._name(question)}"

    def _read(self, _question: str) -> Picture[Partitions]:
        return self._context.table.partitions()

    def _changed(self) -> None:
        super()._changed()
        self._follow()

    def _narrowed(self) -> None:
        self._offer()
        if self._state.window is None and self._zoom.value:
            self._zoom.value = False  # which draws
        elif self._zoom.value:
            self._redraw()
        else:
            self._follow()

    # what is shown

    def _draw(self, facts: Partitions, width: int) -> Scene:
        return figure.draw(
            facts,
            self._state.colours,
            name=self._context.table.name,
            measure=self._measure.value,
            search=self._search.value,
            selected=self._state.snapshot or None,
            partition=self._state.partition,
            window=self._state.window,
            zoomed=self._zoom.value,
            width=width,
            view=self._part,
        )

    def _marks(self, scene: Scene, facts: Partitions) -> Selection:
        return figure.selection(
            scene,
            facts,
            selected=self._state.snapshot or None,
            partition=self._state.partition,
            window=self._state.window,
        )

    def _panel_of(self, facts: Partitions) -> str:
        chosen = self._state.snapshot, self._state.partition, self._state.window
        return panel(facts, self._measure.value, *chosen, self._search.value)

    def _searched(self) -> None:
        self._part = ""
        self._redraw()
        self._offer()

    def _open_part(self, part: str) -> None:
        super()._open_part(part)
        self._offer()

    def _offer(self) -> None:
        keep_place(self._zoom, self._state.window is not None)
        keep_place(self._whole, bool(self._part))

    # what a person chooses

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is None:
            return
        if meaning.view is not None:
            self._open_part(meaning.view)
        elif shift and meaning.snapshot is not None and self._state.snapshot:
            self._choose_window(self._state.snapshot, meaning.snapshot)
        elif meaning.snapshot is not None and meaning.partition is not None:
            same = (self._state.snapshot, self._state.partition) == (meaning.snapshot, meaning.partition)
            with self._state.hold_trait_notifications():
                self._state.snapshot = "" if same else meaning.snapshot
                self._state.partition = None if same else meaning.partition
        elif meaning.snapshot is not None:
            self._state.select(meaning.snapshot)
        elif meaning.partition is not None:
            self._state.partition = None if self._state.partition == meaning.partition else meaning.partition

    def dragged(self, box: Box) -> None:
        """Take the window of the commits below a box, and their partition if it is one alone."""
        if self._live is None or self._picture is None:
            return
        chosen = figure.dragged(self._live.scene, self._picture.facts, box)
        if chosen is not None:
            window, partition = chosen
            with self._state.hold_trait_notifications():
                self._state.window = window
                if partition is not None:
                    self._state.partition = tuple(partition)

    def _choose_window(self, one: str, other: str) -> None:
        """From the older of two commits of the line to the newer one; nothing if one is not on it."""
        line = [str(s.snapshot_id) for s in self._picture.facts.commits] if self._picture is not None else []
        if one in line and other in line:
            first, last = sorted((line.index(one), line.index(other)))
            self._state.window = line[first], line[last]

    def _step_partition(self, facts: Partitions, by: int) -> None:
        found = [tuple(facts.partitions[place]) for place in matching(facts.partitions, self._search.value)]
        if found:
            at = found.index(self._state.partition) + by if self._state.partition in found else 0
            self._state.partition = found[min(max(at, 0), len(found) - 1)]
