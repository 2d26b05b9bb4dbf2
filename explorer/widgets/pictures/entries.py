"""The manifests of a snapshot as a view: what their entries store and are read as; and how often commits were tried."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import ipywidgets as w

from ...figures.entries import draw as entries_figure
from ...figures.page.fold import Part
from ...figures.page.hits import down_the_page
from ...figures.page.scene import Scene, Selection
from ...figures.retries import draw as retries_figure
from ...model.entries.facts import Entries
from ...model.retries.facts import Retries
from ...table.picture import Picture
from ..context import Context, keep_place
from ..controls import bar, steps
from ..files import file_key, path_of
from ..guard import guarded
from ..markup import text
from ..view import PictureView
from .entries_panel import entries_panel, retries_panel

_ENTRIES, _ATTEMPTS = "entries", "attempts"


class EntriesView(PictureView[tuple[str, ...], Entries | Retries]):
    """Entries of the selected snapshot, or of the current one; or the attempts of all commits.

    Its question: `attempts`; or `entries`, the snapshot, and the one manifest that is opened, empty for all.
    """

    topic = "manifests"
    nothing = "This table has no snapshot, so there is no manifest to show."

    def __init__(self, context: Context) -> None:
        self._manifest = ""  # opened by a click, where not all entries of the snapshot were read
        on = context.errors
        self._kind = w.ToggleButtons(
            options=(("Entries", _ENTRIES), ("Attempts", _ATTEMPTS)),
            tooltips=[
                "What manifests store, and what it is read as",
                "How often commits were tried, and who was faster",
            ],
        )
        self._kind.style.button_width = "auto"
        self._kind.observe(guarded(on, lambda _: self._changed()), "value")
        self._which = w.HTML()
        self._which.add_class("iceberg-which")
        self._whole = w.Button(description="Whole list", tooltip="Back from a part of it (Enter)")
        self._whole.on_click(guarded(on, lambda _: self._open_part("")))
        keep_place(self._whole, False)
        along = steps(on, lambda by: self._step(by, False), "Previous commit (←)", "Next commit (→)")
        super().__init__(context, [bar(self._kind, *along, self._which, self._whole)])

    @property
    def of_window(self) -> str:
        """A snapshot lists what older commits wrote."""
        if self._kind.value == _ATTEMPTS:
            return ""
        return "The window narrows nothing here: a snapshot lists all its manifests, whichever commit wrote them."

    def row_selected(self, row: int) -> None:
        """Select the file, or the commit, of a data row."""
        facts = self._picture.facts if self._picture is not None else None
        if isinstance(facts, Retries):
            self._state.snapshot = str(facts.attempts[row].snapshot.snapshot_id)
        elif facts is not None:
            entry = [read.entry for manifest in facts.manifests for read in manifest.entries][row]
            self._state.file = file_key(entry.file_path, entry.content_offset)

    # what is asked

    def _asked(self) -> tuple[str, ...] | None:
        if not self._at:
            return None
        return (_ATTEMPTS,) if self._kind.value == _ATTEMPTS else (_ENTRIES, self._at, self._manifest)

    def _label(self, question: tuple[str, ...]) -> str:
        if question[0] == _ATTEMPTS:
            return "Reading the manifest lists"
        return f"Reading the manifests of {self._name(question[1])}"

    def _of(self, question: tuple[str, ...]) -> str:
        if question[0] == _ATTEMPTS:
            return "all attempts"
        return f"one manifest of {self._name(question[1])}" if question[2] else self._name(question[1])

    def _read(self, question: tuple[str, ...]) -> Picture[Entries | Retries]:
        table = self._context.table
        if question[0] == _ATTEMPTS:
            picture: Picture[Any] = table.retries()
        else:
            picture = table.entries(question[1], manifest=question[2] or None)
        return picture

    def _changed(self) -> None:
        if self._answer_to is not None and self._answer_to[1:2] != (self._at,):
            self._manifest = ""  # of another snapshot
        super()._changed()
        self._follow()

    # what is shown

    def _describe(self) -> None:
        shows_entries = self._kind.value == _ENTRIES
        self._which.value = f"<b>{text(self._name(self._at))}</b>" if shows_entries else ""
        self._offer_whole()
        super()._describe()

    def _draw(self, facts: Entries | Retries, width: int) -> Scene:
        asked: dict[str, Any] = {"name": self._context.table.name, "width": width, "view": self._part}
        if isinstance(facts, Retries):
            facts = self._of_those_in_window(facts)
            chosen = self._state.snapshot or None
            return retries_figure.draw(facts, self._state.colours, chosen=chosen, selected=chosen, **asked)
        return entries_figure.draw(
            facts, self._state.colours, selected_file=path_of(self._state.file or self._state.delete) or None, **asked
        )

    def _of_those_in_window(self, facts: Retries) -> Retries:
        nodes, find = self._context.table.graph.nodes, self._context.table.graph.find
        ends = sorted(nodes.index(node) for node in map(find, self._state.window or ()) if node is not None)
        if len(ends) != 2:
            return facts
        inside = {node.snapshot.snapshot_id for node in nodes[ends[0] : ends[1] + 1]}
        return replace(facts, attempts=tuple(a for a in facts.attempts if a.snapshot.snapshot_id in inside))

    def _narrowed(self) -> None:
        if self._kind.value == _ATTEMPTS:
            self._redraw()

    def _marks(self, scene: Scene, facts: Entries | Retries) -> Selection | None:
        if isinstance(facts, Retries):
            return None  # the attempts of the selected commit are drawn one by one
        selected = path_of(self._state.file or self._state.delete) or None
        return entries_figure.selection(scene, facts, selected_file=selected)

    def _panel_of(self, facts: Entries | Retries) -> str:
        if isinstance(facts, Retries):
            return retries_panel(facts, self._state.snapshot)
        opened = Part.parse(self._part).opened or self._manifest
        return entries_panel(facts, self._state.file, opened)

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        if self._live is None or self._picture is None:
            return
        if isinstance(self._picture.facts, Retries):
            commit = retries_figure.clicked(self._live.scene, trace, point)
            if commit is not None and commit.view is not None:
                self._open_part(commit.view)
            elif commit is not None and commit.snapshot is not None:
                (self._state.compare if shift else self._state.select)(commit.snapshot)
            return
        entry = entries_figure.clicked(self._live.scene, trace, point)
        if entry is not None and entry.view is not None:
            self._open_part(entry.view)
        elif entry is not None and entry.file is not None:
            self._state.select_file(file_key(entry.file, entry.content_offset))

    def _files_along(self, scene: Scene) -> list[str]:
        if self._picture is None or isinstance(self._picture.facts, Retries):
            return []
        found = down_the_page(scene, entries_figure.clicked)
        return [file_key(on.file, on.content_offset) for on in found if on.file is not None]

    def _take_file(self, key: str) -> None:
        with self._state.hold_trait_notifications():
            self._state.delete, self._state.file = "", key

    def _open_part(self, part: str) -> None:
        """Open a part; of a manifest whose entries were only counted, its entries are read now."""
        facts = self._picture.facts if self._picture is not None else None
        manifest = Part.parse(part).opened
        if isinstance(facts, Entries):
            held = next((m for m in facts.manifests if m.manifest.path == manifest), None)
            is_cut = held is not None and not held.unreadable and len(held.entries) != held.entry_count
            if is_cut and not self._manifest:
                self._manifest = manifest
                self._ask()
                return
            if not part and self._manifest:
                self._manifest = ""
                self._ask()
                return
        super()._open_part(part)
        self._offer_whole()

    def _offer_whole(self) -> None:
        keep_place(self._whole, bool(self._part or self._manifest))
