"""A drill, as a widget: what a person says, three fields for the answer, and how right it is."""

from __future__ import annotations

from typing import Any

import ipywidgets as w

from ..engine import Worker
from ..model.drill import words
from ..model.drill.facts import Verdict
from ..table.drill import Drill
from . import drill_panels as panels
from .activity import Activity
from .browser import Page
from .error_strip import ErrorStrip
from .explorer import TableExplorer
from .guard import guarded

_HINTS = 3


class DrillWidget(w.VBox):
    """A table with which something is wrong. Shown as the last value of a cell; `check` asks the same without it.

    Attributes:
        drill: the drill.
        table: to be asked; what is asked of it is counted.
        explorer: of the table, once it was opened below; None before.
    """

    def __init__(self, drill: Drill) -> None:
        self.drill, self.table = drill, drill.table
        self.explorer: TableExplorer | None = None
        self._errors, self._page = ErrorStrip(), Page()
        self._activity = Activity(Worker(lambda: self.table.spark), self._errors, lambda: self.table.remote)
        self._commit = _choice("First commit from which on it is so", panels.commits(self.table), "choose a commit")
        self._cause = _choice("Cause", panels.causes(drill.case), "choose a cause")
        self._repair = _choice("Repair", panels.repairs(), "choose a repair")
        self._check = w.Button(description="Check", tooltip="Say how right this is")
        self._check.add_class("iceberg-main")
        self._check.add_class("iceberg-on-enter")
        self._hint = w.Button(description=f"Hint 1 of {_HINTS}", tooltip="Each tells more than the one before")
        self._give_up = w.Button(description="Give up, show the path", tooltip="What a practised person would ask")
        self._open = w.Button(description="Open in the explorer", tooltip="The table, below")
        self._so_far, self._said, self._hints = w.HTML(), w.HTML(), w.HTML()
        self._so_far.add_class("iceberg-so-far")
        self._below = w.VBox()
        for button, act in (
            (self._check, self._ask_check),
            (self._hint, self._ask_hint),
            (self._give_up, self._ask_path),
            (self._open, self._open_explorer),
        ):
            button.on_click(guarded(self._errors, lambda _, act=act: act()))
        for field in (self._commit, self._cause, self._repair):
            field.children[1].observe(guarded(self._errors, lambda _: self._changed()), "value")
        fields, buttons = (
            w.HBox([self._commit, self._cause, self._repair]),
            w.HBox([self._check, self._hint, self._give_up, self._open, self._so_far]),
        )
        fields.add_class("iceberg-fields")
        buttons.add_class("iceberg-controls")
        task = w.HTML(panels.task(drill))
        task.add_class("iceberg-case")
        board = w.VBox(
            [self._page, task, self._errors, fields, buttons, self._activity, self._hints, self._said],
        )
        board.add_class("iceberg-explorer")
        board.add_class("iceberg-drill")
        board.add_class("iceberg-form")
        super().__init__([board, self._below])
        self._show_so_far()
        self._activity.after_each(self._show_so_far)

    def check(
        self, commit: int | str | None = None, cause: str | None = None, repair: str | None = None
    ) -> panels.Checked:
        """How right an answer is, without the widget's fields: arguments and errors as of `Drill.check`."""
        return panels.Checked(self.drill.case, self.drill.check(commit, cause, repair))

    def close(self) -> None:
        """Stop what is being read and take the drill off the page."""
        self._activity.close()
        if self.explorer is not None:
            self.explorer.close()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget, and beside it the task for wherever widgets cannot run."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        case = self.drill.case
        plain = f"{case.title}\n{case.words}\nThe table is {self.table.name}; check(commit=…, cause=…, repair=…)."
        return bundle | {"text/plain": plain, "text/html": panels.task(self.drill)}

    # what a person does

    def _answer(self) -> tuple[str | None, str | None, str | None]:
        return self._commit.children[1].value, self._cause.children[1].value, self._repair.children[1].value

    def _ask_check(self) -> None:
        # Read when it is the worker's turn: what was chosen last may arrive a moment after the click.
        self._activity.ask(
            "check", lambda: self.drill.check(*self._answer()), self._checked, label="Checking the answer"
        )

    def _checked(self, verdict: Verdict) -> None:
        self._said.value = panels.verdict(verdict)
        for field, judged in zip((self._commit, self._cause, self._repair), verdict.parts, strict=True):
            for state in panels.CLASSES.values():
                field.remove_class(state)
            field.add_class(panels.CLASSES[judged.state])
        self._show_so_far()

    def _changed(self) -> None:
        """What was said is of another answer now."""
        for field in (self._commit, self._cause, self._repair):
            for state in panels.CLASSES.values():
                field.remove_class(state)
        if self._said.value:
            self._said.value = panels.outdated(self._said.value)

    def _ask_hint(self) -> None:
        def told(hints: tuple[str, ...]) -> None:
            self.drill.hints_taken = min(self.drill.hints_taken + 1, len(hints))
            self._hints.value = panels.hints(hints[: self.drill.hints_taken])
            left = self.drill.hints_taken < len(hints)
            self._hint.description = f"Hint {self.drill.hints_taken + left} of {len(hints)}"
            self._hint.disabled = not left

        self._activity.ask("hint", lambda: self.drill.hints, told, label="Looking for a hint")

    def _ask_path(self) -> None:
        self._activity.ask("path", lambda: self.drill.path, self._show_path, label="Asking what is to be asked")

    def _show_path(self, _: object) -> None:
        self.drill.has_given_up = True
        self._said.value = panels.given_up(self.drill)

    def _open_explorer(self) -> None:
        if self.explorer is None:
            hidden = () if self.drill.case.allows_health else ("Health",)
            self.explorer = TableExplorer(self.table, hidden=hidden)
            self.explorer.after_each(self._show_so_far)
            self._below.children = (self.explorer,)
            self._open.disabled = True

    def _show_so_far(self) -> None:
        asked = self.table.asked
        self._so_far.value = f"<span>so far: <b>{words.asked(asked.questions, asked.bytes_read)}</b></span>"


def _choice(label: str, options: list[tuple[str, str]], empty: str) -> w.VBox:
    """A field to choose from, under its label."""
    field = w.Dropdown(options=[(f"{empty} …", None), *options], layout=w.Layout(width="100%"))
    name = w.HTML(f"<label>{label}</label>")
    box = w.VBox([name, field])
    box.add_class("iceberg-field")
    return box
