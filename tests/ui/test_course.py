"""The notebooks of the course in a browser: every exercise of each, wrong, with a hint, right, and begun again."""

from __future__ import annotations

from collections.abc import Mapping

import nbformat
import pytest
from filelock import BaseFileLock
from playwright.sync_api import Locator, expect
from pyspark.sql import SparkSession

from explorer.lessons.exercises import EXERCISES, NOTEBOOKS, Attempt, Exercise
from tests.conftest import REPOSITORY
from tests.lessons.exercise_answers import WRONG, filled, nonsense, solution, truth
from tests.ui.conftest import RunNotebook

WAIT = 120_000  # ms that building or checking may take on a busy machine


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_exercise_of_a_notebook_from_a_wrong_answer_to_the_right_one(
    sandbox: SparkSession, run_notebook: RunNotebook, learner: BaseFileLock, name: str
) -> None:
    notebook = nbformat.read(REPOSITORY / "notebooks" / f"{name}.ipynb", as_version=4)
    cells = [cell.source for cell in notebook.cells]
    with learner:
        page = run_notebook(*notebook.cells)
        for exercise in EXERCISES:
            if exercise.notebook == name:
                number = cells.index(f'explorer.exercise("{exercise.name}")')
                cell = page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{number}']")
                cell.scroll_into_view_if_needed()
                Sheet(cell.locator(".iceberg-exercise"), exercise, sandbox).play()


class Sheet:
    """An exercise on the page, and who does it."""

    def __init__(self, shown: Locator, exercise: Exercise, spark: SparkSession) -> None:
        self.shown, self.exercise = shown, exercise
        self.table = Attempt(exercise, spark)  # the same table; only what it holds is asked of it
        self.verdict, self.side = shown.get_by_role("status"), shown.locator(".iceberg-side")
        self.task = shown.locator(".iceberg-task")

    def play(self) -> None:
        expect(self.shown).to_contain_text("Your table now", timeout=WAIT)
        self.answer_wrong()
        if self.exercise.kind == "predict":
            answer = {name: str(value) for name, value in truth(self.table).items()}
            asked = self.task.inner_text()
            self.begin_again()
            while self.task.inner_text() != asked:
                self.begin_again()
        else:
            self.begin_again()
            answer = self.answer_of_doing(solution(self.table)) if self.does else truth(self.table)
        self.answer(answer)
        expect(self.verdict).to_contain_text("Passed: ", timeout=WAIT)
        expect(self.shown.get_by_role("img")).to_have_count(1)
        expect(self.shown.locator(".iceberg-course .iceberg-now")).to_contain_text(f"✓ {self.exercise.title}")
        self.begin_again()

    def answer_wrong(self) -> None:
        """It is refused with the reason; then a hint is taken."""
        if self.does:
            wrong, reason = WRONG[self.exercise.name][0]
            self.answer(self.answer_of_doing(filled(self.table, wrong)))
            expect(self.verdict).to_contain_text("Not yet: ", timeout=WAIT)
            reasons = [reason]
        else:
            self.answer(nonsense(self.table))
            predicts = self.exercise.kind == "predict"
            expect(self.verdict).to_contain_text("Not as you said: " if predicts else "Not yet: ", timeout=WAIT)
            right = {name: str(value) for name, value in truth(self.table).items()}
            reasons = [
                f"you said {said}, it is {right[name]}" if predicts else f"“{said}” is not so"
                for name, said in nonsense(self.table).items()
                if said != right[name]
            ]
        assert reasons
        for reason in reasons:
            expect(self.shown).to_contain_text(reason)
        expect(self.side).not_to_contain_text("Hint 1")
        self.shown.get_by_role("button", name="Hint").click()
        expect(self.side).to_contain_text(f"Hint 1 of {len(self.exercise.hints)}")

    def begin_again(self) -> None:
        before = self.task.inner_text()
        self.shown.get_by_role("button", name="Start again").click()
        self.table.variant = (self.table.variant + 1) % self.exercise.variants
        if self.exercise.variants > 1:
            expect(self.task).not_to_have_text(before, use_inner_text=True, timeout=WAIT)
        expect(self.verdict).to_have_count(0, timeout=WAIT)
        expect(self.shown).to_contain_text("Your table now")
        expect(self.shown.locator("button.mod-active")).to_have_count(0)
        for field in self.shown.locator("input").all():
            expect(field).to_have_value("")

    @property
    def does(self) -> bool:
        return self.exercise.kind == "do"

    def answer_of_doing(self, text: str) -> Mapping[str, object]:
        [field] = self.exercise.fields
        return {field.name: text}

    def answer(self, answer: Mapping[str, object]) -> None:
        """Fill in the fields, and have it checked."""
        for number, field in enumerate(self.exercise.fields):
            place, said = self.shown.locator(".iceberg-answer > *").nth(number), str(answer[field.name])
            if field.kind == "choice":
                place.get_by_role("button", name=said, exact=True).click()
            else:
                place.locator("textarea, input").fill(said)
        self.shown.get_by_role("button", name="Run and check" if self.does else "Check", exact=True).click()
