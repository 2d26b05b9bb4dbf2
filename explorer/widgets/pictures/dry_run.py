"""What a procedure would do, as a view: a call as it is written, run on nothing."""

from __future__ import annotations

import ipywidgets as w

from ...figures.dry_run import draw as figure
from ...figures.page.scene import Scene, Selection
from ...model.dry_run.facts import PROCEDURES, DryRun, Procedure
from ...table.answers.dry_run import DryRunPicture
from ..context import Context
from ..controls import bar
from ..files import file_key, path_of
from ..guard import guarded
from ..priced_view import Offer, PricedView
from .dry_run_panel import panel

_AT_ONCE: tuple[Procedure, ...] = ("rollback_to_snapshot", "set_current_snapshot", "cherrypick_snapshot")
"""Those that read a few manifests; the others read many, or list the storage."""


class DryRunView(PricedView[str, DryRun]):
    """A dry run. Its question: a call as it is written."""

    topic = "dry run"
    nothing = (
        "What would a procedure do to this table? Choose one above, or paste a CALL statement: what would be lost,"
        " removed, rewritten and kept is told, and why. Nothing is run."
    )

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._procedure = w.Dropdown(
            description="Procedure", options=[("choose one", ""), *((name, name) for name in PROCEDURES)], value=""
        )
        self._procedure.observe(guarded(on, lambda _: self._take_procedure()), "value")
        self._call = w.Text(
            description="Call",
            placeholder="rollback_to_snapshot(snapshot_id => 12)",
            value=context.state.call,
            continuous_update=False,
        )
        self._call.layout.width = "560px"
        self._call.observe(guarded(on, lambda _: self._typed()), "value")
        super().__init__(context, [bar(self._procedure, self._call)], "Look what it would do; nothing is run")
        self._state.observe(guarded(on, lambda _: self._told()), "call")

    def tells_of(self, _snapshot: str) -> bool:
        """Nothing of a snapshot that is selected."""
        return False

    @property
    def of_window(self) -> str:
        """Why the chosen window of commits does not narrow what a procedure touches."""
        return "The window narrows nothing here: a procedure knows of no window."

    def row_selected(self, row: int) -> None:
        """Select the file or snapshot of a data row."""
        if self._picture is not None:
            effect = self._picture.facts.effects[row]
            if effect.file_path is not None:
                self._state.file = file_key(effect.file_path, effect.content_offset)
            elif effect.snapshot_id is not None:
                self._state.snapshot = str(effect.snapshot_id)

    # what is asked

    def _asked(self) -> str | None:
        return self._call.value.strip() or None

    def _label(self, _question: str) -> str:
        return "Reading what the call means"

    def _of(self, question: str) -> str:
        return question

    def _read(self, question: str) -> DryRunPicture:
        return self._context.table.dry_run.call(question)

    def _find_offer(self, question: str) -> Offer:
        picture = self._read(question)
        size = 0 if any(name in question for name in _AT_ONCE) else None
        return Offer(picture, size, f"It takes: {picture.cost}", "Looking what it would do")

    def _changed(self) -> None:
        super()._changed()
        self._follow()  # the commit that is selected is none of the question

    def _typed(self) -> None:
        self._state.call = self._call.value.strip()
        self._changed()

    def _told(self) -> None:
        """Another view asks what a call would do."""
        if self._call.value.strip() != self._state.call:
            self._call.value = self._state.call

    def _take_procedure(self) -> None:
        """Begin a call of the procedure, with the selected commit, else the one before the current."""
        if self._procedure.value:
            self._call.value, self._procedure.value = self._begun(self._procedure.value), ""

    def _begun(self, procedure: str) -> str:
        match procedure:
            case "rollback_to_snapshot" | "set_current_snapshot" | "cherrypick_snapshot":
                return f"{procedure}(snapshot_id => {self._state.snapshot or self._parent or '…'})"
            case "rewrite_data_files" | "rewrite_position_delete_files":
                return f"{procedure}(options => map('min-input-files', '2'))"
            case "expire_snapshots":
                return f"{procedure}(retain_last => 1)"
        return f"{procedure}()"

    @property
    def _parent(self) -> str:
        metadata = self._context.table.metadata
        current = metadata.by_id.get(metadata.current_snapshot_id or 0)
        return "" if current is None or current.parent_id is None else str(current.parent_id)

    # what is shown

    def _draw(self, facts: DryRun, width: int) -> Scene:
        return figure.draw(
            facts, self._state.colours, name=self._context.table.name, selected=self._selected, width=width
        )

    def _marks(self, scene: Scene, _facts: DryRun) -> Selection:
        return figure.selection(scene, selected=self._selected)

    @property
    def _selected(self) -> str | None:
        return path_of(self._state.file) or self._state.snapshot or None

    def _panel_of(self, facts: DryRun) -> str:
        picture = self._picture
        run, undo = (picture.sql, picture.undo_sql) if isinstance(picture, DryRunPicture) else ("", "")
        return panel(facts, run, undo)

    def _clicked(self, trace: int, point: int, shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is None:
            return
        if meaning.file is not None:
            self._state.select_file(file_key(meaning.file, meaning.content_offset))
        elif meaning.snapshot is not None:
            (self._state.compare if shift else self._state.select)(meaning.snapshot)
