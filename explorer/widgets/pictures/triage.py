"""What is wrong with a table, as a view: what the metadata file tells at once, then what the manifests tell."""

from __future__ import annotations

import ipywidgets as w

from ...figures.page.scene import Scene, Selection
from ...figures.triage import draw as figure
from ...model.triage.facts import Cost, Triage
from ...model.triage.proofs import BY_CONDITION, PROVABLE
from ...model.triage.registry import SYMPTOMS
from ...table.answers.triage import TriagePicture
from ...table.picture import Picture
from ..context import Context
from ..controls import bar
from ..guard import guarded
from ..view import PictureView
from .triage_panel import panel

Question = tuple[str, str, str, Cost, tuple[str, ...], str]

_ANY = "What is wrong?"


class TriageView(PictureView[Question, Triage]):
    """The checks of a table. Its question: the ref, the symptom, the last point known good, and what may be read."""

    topic = "triage"

    def __init__(self, context: Context) -> None:
        on = context.errors
        self._until: Cost = "metadata.json"
        self._proofs, self._where = tuple[str, ...](), ""
        refs = [ref.name for ref in context.table.metadata.refs.values() if ref.kind == "branch"]
        self._ref = w.Dropdown(options=sorted(refs, key=lambda name: name != "main") or ["main"], description="Branch")
        self._ref.layout.width = "190px"
        self._symptom = w.Dropdown(options=[(_ANY, ""), *((name, name) for name in SYMPTOMS)], description="Symptom")
        self._symptom.layout.width = "250px"
        self._good = w.Text(
            description="Last known good", placeholder="number, tag, time: 2026-03-13 16:05", continuous_update=False
        )
        self._good.style.description_width = "initial"
        self._good.layout.width = "370px"
        for control in (self._ref, self._symptom, self._good):
            control.observe(guarded(on, lambda _: self._chosen()), "value")
        super().__init__(context, [bar(self._symptom, self._good, self._ref)])
        self._state.observe(guarded(on, lambda _: self._follow()), ["check", "condition"])
        self._state.observe(guarded(on, lambda _: self._prove()), "proof")

    def tells_of(self, _snapshot: str) -> bool:
        """Nothing of a snapshot that is selected."""
        return False

    @property
    def of_window(self) -> str:
        """Why the chosen window of commits does not narrow the checks."""
        return "The window narrows nothing here: what is wrong is looked for in the whole line."

    def refresh(self) -> None:
        """Ask again, the metadata file first."""
        self._until, self._proofs = "metadata.json", ()
        super().refresh()

    def key(self, key: str, shift: bool) -> None:
        """As every view; ↑ and ↓ go along the findings, Enter opens the commit since which the selected one is so."""
        if key in ("ArrowUp", "ArrowDown") and self._picture is not None:
            names = [check.signature.name for check in self._picture.facts.found]
            at = names.index(self._state.check) + (1 if key == "ArrowDown" else -1) if self._state.check in names else 0
            if names:
                self._state.check = names[min(max(at, 0), len(names) - 1)]
        elif key == "Enter":
            self._open_since()
        else:
            super().key(key, shift)

    def row_selected(self, row: int) -> None:
        """Open the check of a data row."""
        if self._picture is not None:
            self._state.check = str(self._picture.data.iloc[row]["signature"])

    def _open_since(self) -> None:
        found = self._picture.facts.found if self._picture is not None else ()
        chosen = next((c.finding for c in found if c.signature.name == self._state.check), None)
        if chosen is not None and chosen.since.snapshot is not None:
            with self._state.hold_trait_notifications():
                self._state.snapshot, self._state.front = str(chosen.since.snapshot.snapshot_id), "commit"

    # what is asked

    def _asked(self) -> Question | None:
        if self._context.table.metadata.current_snapshot_id is None:
            return None
        asked = self._ref.value, self._symptom.value, self._good.value.strip()
        return *asked, self._until, self._proofs, self._where

    def _label(self, question: Question) -> str:
        if question[4]:
            return f"Reading rows for {', '.join(question[4])}"
        named = {"metadata.json": "Examining the metadata file", "listing": "Listing the storage"}
        return named.get(question[3], "Examining the manifests")

    def _of(self, question: Question) -> str:
        ref, symptom, good = question[:3]
        return ", ".join(filter(None, (ref, symptom, f"known good {good}" if good else "")))

    def _read(self, question: Question) -> Picture[Triage]:
        ref, symptom, good, until, proofs, where = question
        table = self._context.table
        return table.triage(symptom or None, ref, good or None, until=until, prove=proofs, where=where)

    def _chosen(self) -> None:
        """Another question; what was proved is no part of it."""
        self._proofs = ()
        self._changed()

    def _prove(self) -> None:
        """Ask one check what it has not been asked yet, and what was asked before with it."""
        name, self._state.proof = self._state.proof, ""
        if not name:
            return
        if name not in PROVABLE:
            self._until = "listing"
        else:
            self._proofs = tuple(dict.fromkeys((*self._proofs, name)))
            self._where = self._state.condition if name == BY_CONDITION else self._where
        self._ask()

    def _answered(self, question: Question, picture: Picture[Triage]) -> None:
        super()._answered(question, picture)
        if question[3] == "metadata.json":  # the answer of ten seconds stands while the manifests are read
            self._until = "manifests"
            self._ask()

    def _outdate(self, state: str = "To be read") -> None:
        """What was read of the same question stays as it is while more of it is read."""
        asked = self._asked()
        if asked is None or self._answer_to is None or asked[:3] != self._answer_to[:3]:
            super()._outdate(state)

    # what is shown

    def _draw(self, facts: Triage, width: int) -> Scene:
        return figure.draw(
            facts, self._state.colours, name=self._context.table.name, selected=self._state.check, width=width
        )

    def _marks(self, scene: Scene, _facts: Triage) -> Selection:
        return figure.selection(scene, selected=self._state.check)

    def _panel_of(self, facts: Triage) -> str:
        pin = self._picture.pin if isinstance(self._picture, TriagePicture) else ""
        return panel(facts, pin, self._state.check, self._state.condition)

    def _opened(self) -> str:
        return self._state.check

    def _clicked(self, trace: int, point: int, _shift: bool) -> None:
        meaning = figure.clicked(self._live.scene, trace, point) if self._live is not None else None
        if meaning is not None and meaning.check is not None:
            self._state.check = "" if meaning.check == self._state.check else meaning.check
