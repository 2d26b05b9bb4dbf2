"""An exercise on the screen: the task, the fields, Check, Hint and Start again; the verdict, and what proves it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from ..engine import Worker
from ..lessons.exercises import Attempt, Seen, Verdict
from ..lessons.exercises.answer import Field
from .activity import Activity
from .browser import Page
from .error_strip import ErrorStrip
from .exercise_words import of_hints, of_place, of_table, of_task, of_verdict, picture_of
from .guard import guarded
from .state import ExplorerState

_SIDE = 340  # pixels beside the picture, with what lies around both
_NARROWEST = 720


class ExerciseSheet(w.VBox):
    """An exercise that somebody does. Shown as the last value of a cell.

    Attributes:
        table: the name of the learner's table, catalog first.
    """

    def __init__(self, attempt: Attempt) -> None:
        self._attempt, self._state = attempt, ExplorerState()
        self.table = attempt.table
        self._seen: Seen | None = None
        self._verdict: Verdict | None = None
        self._hints: list[str] = []
        self._errors, page = ErrorStrip(), Page()
        self._activity = Activity(Worker(lambda: attempt.spark), self._errors)
        self._place, self._task, self._left, self._right = w.HTML(), w.HTML(), w.HTML(), w.HTML()
        self._fields = {field.name: _control(field) for field in attempt.exercise.fields}
        does = attempt.exercise.kind == "do"
        self._check = self._button(
            "Run and check" if does else "Check", "Read the table and say what is so", self._judge
        )
        for name in ("iceberg-primary", "iceberg-on-enter"):
            self._check.add_class(name)
        self._hint = self._button("Hint", "A little help", self._help)
        self._again = self._button("Start again", "Build the table anew", self._begin_anew)
        fields = w.VBox(list(map(_labelled, attempt.exercise.fields, self._fields.values())))
        for name in ("iceberg-answer", "iceberg-filled"):
            fields.add_class(name)
        super().__init__(
            [
                page,
                _classed(self._place, "iceberg-course"),
                _classed(self._task, "iceberg-task"),
                fields,
                _classed(w.HBox([self._check, self._hint, self._again, self._activity]), "iceberg-answer"),
                self._errors,
                _classed(
                    w.HBox([_classed(self._left, "iceberg-proof"), _classed(self._right, "iceberg-side")]),
                    "iceberg-outcome",
                ),
            ]
        )
        self.add_class("iceberg-explorer")
        self.add_class("iceberg-exercise")
        self.add_class("iceberg-form")
        page.observe(guarded(self._errors, lambda _: self._page_changed(page)), ["dark", "width"])
        page.on_submit(guarded(self._errors, self._submitted))
        self._show()
        self._ask("Building your table", attempt.start, self._begun)

    def check(self, answer: object = None, **fields: object) -> Verdict:
        """Carry an answer out, read the table, and say what is so; the sheet shows it too.

        Args:
            answer: of an exercise with one field. SQL runs on the table, which is built anew first if an earlier answer
                changed it; without any, the table is read as it is.
            **fields: the answer by the names of the fields, where there are several.

        Raises:
            ExplorerError: no such field; the table cannot be built or read.
        """
        verdict = self._attempt.check(answer, **fields)
        self._judged(verdict, self._table_beside(verdict))
        return verdict

    def again(self) -> None:
        """Build the table anew, whatever was done to it.

        Raises:
            ExplorerError: as of `build_sandbox`.
        """
        self._clear()
        self._begun(self._attempt.again())

    def close(self) -> None:
        """Stop what is being done and take the exercise off the page."""
        self._activity.close()
        super().close()

    def __repr__(self) -> str:
        names = ", ".join(f"{name}=…" for name in self._fields) if len(self._fields) > 1 else "…"
        return f"<Exercise {self._attempt.exercise.name}: .check({names}), .again(), on {self.table}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The live widget; wherever widgets cannot run, the task."""
        bundle: dict[str, Any] = super()._repr_mimebundle_(**kwargs)
        return bundle | {"text/plain": repr(self), "text/html": of_task(self._attempt)}

    # what is asked

    def _button(self, label: str, tip: str, act: Callable[[], None]) -> w.Button:
        button = w.Button(description=label, tooltip=tip)
        button.on_click(guarded(self._errors, lambda _: act()))
        return button

    def _submitted(self, filled: list[str]) -> None:
        for control, text in zip(self._fields.values(), filled, strict=True):
            control.value = text or None if isinstance(control, w.ToggleButtons) else text
        self._judge()

    def _judge(self) -> None:
        given = {name: control.value for name, control in self._fields.items() if control.value}

        def check() -> tuple[Verdict, Seen | None]:
            verdict = self._attempt.check(**given)
            if verdict.picture is not None:
                verdict.picture.read()  # here, on the worker's thread
            return verdict, self._table_beside(verdict)

        label = "Checking" if self._attempt.exercise.kind == "find" else "Running and checking"
        self._ask(label, check, lambda answer: self._judged(*answer))

    def _table_beside(self, verdict: Verdict) -> Seen | None:
        """The table, where no picture shows it, or where the next step needs what stands in it."""
        return self._attempt.look() if verdict.picture is None or not self._attempt.exercise.anew else None

    def _begin_anew(self) -> None:
        self._clear()  # now, and not what is filled in while the table is built
        self._ask("Building your table anew", self._attempt.again, self._begun)

    def _clear(self) -> None:
        """Empty what was answered; a statement stays, to be mended."""
        for field in self._attempt.exercise.fields:
            if field.kind != "lines":
                self._fields[field.name].value = None if field.kind == "choice" else ""

    def _ask(self, label: str, question: Callable[[], Any], answered: Callable[[Any], None]) -> None:
        """Ask what changes the table: one thing at a time, so the buttons rest until it is done."""
        if self._again.disabled:  # a second click, made before the browser knew that they rest
            return
        self._rest(True)

        def done(answer: Any) -> None:
            self._rest(False)  # before the answer is seen: who acts on it at once would press what still rests
            answered(answer)

        self._activity.ask("table", question, done, label=label, on_failure=lambda: self._rest(False))

    def _rest(self, resting: bool) -> None:
        self._check.disabled = self._again.disabled = resting

    def _help(self) -> None:
        hint = self._attempt.hint()
        if hint not in self._hints:
            self._hints.append(hint)
        self._show()

    # what is shown

    def _begun(self, seen: Seen) -> None:
        self._seen, self._verdict = seen, None
        self._show()

    def _judged(self, verdict: Verdict, seen: Seen | None) -> None:
        self._verdict, self._seen = verdict, seen
        self._show()

    def _page_changed(self, page: Page) -> None:
        self._state.follow(dark=page.dark, width=page.width)
        self._show()

    def _show(self) -> None:
        attempt, verdict = self._attempt, self._verdict
        self._place.value = of_place(attempt.exercise)
        self._task.value = of_task(attempt)
        left, solution = attempt.hints_left, attempt.exercise.solution
        self._hint.description = (
            "Show a solution" if solution and left <= 1 else "Next hint" if attempt.hinted else "Hint"
        )
        self._hint.disabled = not left or bool(verdict and verdict.passed)
        self._left.value = "".join(
            (
                of_verdict(verdict) if verdict else "",
                of_table(self._seen, attempt.exercise.looked) if self._seen else "",
                picture_of(verdict, self._state.colours, self._picture_width) if verdict else "",
            )
        )
        self._right.value = of_hints(attempt, self._hints, verdict)
        for name in ("passed", "missed"):
            is_so = verdict is not None and verdict.passed == (name == "passed")
            (self.add_class if is_so else self.remove_class)(f"iceberg-{name}")

    @property
    def _picture_width(self) -> int:
        return max(self._state.width - _SIDE, _NARROWEST)


def _control(field: Field) -> Any:
    """What a field is filled in with. A text is sent when it is left, and with the press of the button."""
    if field.kind == "choice":
        return _classed(w.ToggleButtons(options=list(field.choices), value=None), "iceberg-choices")
    if field.kind != "lines":
        hint = "a number" if field.kind == "number" else "as in the table"
        return w.Text(placeholder=hint, continuous_update=False, layout=w.Layout(width="130px"))
    return w.Textarea(
        rows=5,
        placeholder="several statements: a semicolon after each; Shift+Enter runs them",
        continuous_update=False,
        layout=w.Layout(width="100%"),
    )


def _labelled(field: Field, control: w.DOMWidget) -> w.Box:
    label = w.Label(field.label)
    return _classed(
        w.VBox([label, control]) if field.kind == "lines" else w.HBox([label, control]), f"iceberg-{field.kind}"
    )


def _classed(widget: Any, name: str) -> Any:
    widget.add_class(name)
    return widget
