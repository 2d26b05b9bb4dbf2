"""The files of a table over its whole history as a view: birth, removal, both numbers, and what deletes reach."""

from __future__ import annotations

from typing import get_args

import ipywidgets as w

from ...figures.page.hits import down_the_page
from ...figures.page.scene import Scene, Selection
from ...figures.sequence_timeline import draw as figure
from ...figures.sequence_timeline.columns import Axis
from ...model.sequence_timeline.facts import Timeline, Window
from ...model.sequence_timeline.words import is_bands
from ...table.picture import Picture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..files import file_key, key_of
from ..guard import guarded
from ..markup import text
from ..partition_search import PartitionSearch
from ..view import PictureView
from .sequence_timeline_panel import panel


class SequenceTimelineView(PictureView[tuple[str, Window], Timeline]):
    """The timeline as of the selected snapshot, or the current one. Its question: that snapshot, and a window."""

    topic = "sequence timeline"
    nothing = "This table has no snapshot, so it never had a file."

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._window = Window()
        self._axis = w.ToggleButtons(
            options=list(get_args(Axis)), tooltips=["A column a commit", "Commits where their clocks put them"]
        )
        self._axis.style.button_width = "auto"
        self._axis.observe(guarded(on, lambda _: self._redraw()), "value")
        self._which = w.HTML()
        self._which.add_class("iceberg-which")
        self._whole = w.Button(description="Whole history", tooltip="Back from a part of it (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        keep_place(self._whole, False)
        along = steps(on, lambda by: self._step(by, False), "Previous commit (←)", "Next commit (→)")
        self._rows = PartitionSearch(on, self._searched)
        super().__init__(context, [bar(*along, self._which, self._axis, *self._rows.widgets, self._whole)])
        self._state.observe(guarded(on, lambda _: self._rows.clear()), "cleared")
        self._drawn_for: tuple[str, ...] = ()
        self._narrowed()

    def row_selected(self, row: int) -> None:
        """Select the file of a data row."""
        if self._picture is not None:
            found = self._picture.data.iloc[row]
            offset = None if found.isna()["content_offset"] else int(found["content_offset"])
            self._choose(file_key(found["file_path"], offset), is_delete=found["content"] != "data")

    # what is asked

    def _asked(self) -> tuple[str, Window] | None:
        return (self._at, self._window) if self._at else None

    def _label(self, question: tuple[str, Window]) -> str:
        return f"Reading when files lived, as of {self._name(question[0])}"

    def _of(self, question: tuple[str, Window]) -> str:
        snapshot, window = question
        return self._name(snapshot) if window == Window() else f"a part of {self._name(snapshot)}"

    def _read(self, question: tuple[str, Window]) -> Picture[Timeline]:
        snapshot, window = question
        return self._context.table.sequence_timeline(snapshot, window=window)

    def _narrowed(self) -> None:
        find, chosen = self._context.table.graph.find, self._state.window or ("", "")
        first, last = (node.snapshot.sequence_number or None if node else None for node in map(find, chosen))
        self._window = Window(first, last, *(self._state.partition or (None, None)))
        self._changed()

    # what is shown

    @property
    def _chosen(self) -> str:
        """The selected delete, else the selected file: the one whose reach is drawn."""
        return self._state.delete or self._state.file

    def _describe(self) -> None:
        self._which.value = f"as of <b>{text(self._name(self._at))}</b>"
        self._rows.offer(self._picture is not None and is_bands(self._picture.facts, figure.MOST))
        keep_place(self._whole, bool(self._part or self._window != Window()))
        super()._describe()

    def _draw(self, facts: Timeline, width: int) -> Scene:
        self._drawn_for = (self._chosen, self._axis.value, self._part)
        return figure.draw(
            facts,
            self._state.colours,
            name=self._context.table.name,
            width=width,
            selected=self._state.snapshot or None,
            selected_file=key_of(self._chosen) if self._chosen else None,
            axis=self._axis.value,
            view=self._part,
            **self._rows.how,
        )

    def _marks(self, scene: Scene, _facts: Timeline) -> Selection | None:
        if self._drawn_for[:1] != (self._chosen,):
            return None  # a selected file changes title, rows and verdicts
        return figure.selection(scene, selected=self._state.snapshot or None)

    def _panel_of(self, facts: Timeline) -> str:
        return panel(facts, key_of(self._chosen) if self._chosen else None)

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is None or self._picture is None:
            return
        if meaning.snapshot is not None:
            (self._state.compare if shift else self._state.select)(meaning.snapshot)
        elif meaning.file_key is not None:
            lifetime = next((f for f in self._picture.facts.files if f.key == meaning.file_key), None)
            self._choose(file_key(*meaning.file_key), is_delete=lifetime is not None and lifetime.kind != "data")
        elif meaning.window is not None:
            self._window = meaning.window
            self._changed()
        elif meaning.view is not None:
            self._open_part(meaning.view)

    def _files_along(self, scene: Scene) -> list[str]:
        return [file_key(*on.file_key) for on in down_the_page(scene, figure.clicked) if on.file_key is not None]

    def _take_file(self, key: str) -> None:
        files = self._picture.facts.files if self._picture is not None else ()
        is_delete = any(file.key == key_of(key) and file.kind != "data" for file in files)
        with self._state.hold_trait_notifications():
            self._state.delete, self._state.file = (key, "") if is_delete else ("", key)

    def _choose(self, file: str, *, is_delete: bool) -> None:
        """Select a file; the same again selects none. A data file takes the place of a delete, whose reach hides it."""
        with self._state.hold_trait_notifications():
            if is_delete:
                self._state.delete = "" if self._state.delete == file else file
            else:
                self._state.delete, self._state.file = "", "" if self._state.file == file else file

    def _searched(self) -> None:
        """From the first of the partitions that are searched for, in the order that was chosen."""
        self._part = ""
        self._redraw()

    def _open_part(self, part: str) -> None:
        if not part and self._window != Window():
            self._window = Window()
            with self._state.hold_trait_notifications():
                self._state.partition = self._state.window = None
            self._changed()
        super()._open_part(part)
        keep_place(self._whole, bool(self._part or self._window != Window()))
