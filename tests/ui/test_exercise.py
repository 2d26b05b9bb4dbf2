"""An exercise in a real JupyterLab, by the keyboard: a wrong answer, a hint, the right answer, and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import BaseFileLock
from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from tests.ui.clicks import expect_keys, soon
from tests.ui.conftest import RunNotebook

WAIT = 120_000  # ms that building or checking may take on a busy machine
TABLE = "sandbox.course.no_carry_over"


@pytest.fixture
def alone(learner: BaseFileLock) -> Iterator[None]:
    with learner:
        yield


def test_a_wrong_answer_a_hint_the_right_answer_and_again(
    run_notebook: RunNotebook,
    spark: SparkSession,
    alone: None,
    screenshot: Callable[..., Path],
    set_theme: Callable[[Page, str], None],
    set_width: Callable[[Page, int], None],
) -> None:
    page = run_notebook(
        "import explorer\nexplorer.exercise('no-carry-over').again()", "explorer.exercise('no-carry-over')"
    )
    set_width(page, 1500)
    sheet = page.locator(".iceberg-exercise").last
    side = sheet.locator(".iceberg-side")
    expect(sheet).to_contain_text("Your table now", timeout=WAIT)
    screenshot(sheet, "exercise_task")

    answer(page, sheet, f"UPDATE {TABLE} SET value = 'd' WHERE id = 3")
    expect(sheet.get_by_role("status")).to_contain_text("Not yet: 2 rows carried over", timeout=WAIT)
    expect(side).to_contain_text("! rows carried over: 2; aim: none")
    expect(sheet.get_by_role("img")).to_have_count(1)
    expect(side).not_to_contain_text("Hint 1")
    sheet.get_by_role("button", name="Hint").press("Enter")
    expect(side).to_contain_text("Hint 1 of 3")
    screenshot(sheet, "exercise_missed_light")
    set_theme(page, "dark")
    page.wait_for_timeout(500)
    screenshot(sheet, "exercise_missed_dark")

    update = f"ALTER TABLE {TABLE} SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read');\nUPDATE {TABLE} "
    answer(page, sheet, f"{update} SET value = 'd' WHERE id = 3")
    expect(sheet.get_by_role("status")).to_contain_text("Passed: no row was carried over", timeout=WAIT)
    expect(sheet.locator(".iceberg-course")).to_contain_text("✓ Change one row, carry nothing over")
    page.wait_for_timeout(500)
    screenshot(sheet, "exercise_passed_dark")
    set_theme(page, "light")
    page.wait_for_timeout(500)
    screenshot(sheet, "exercise_passed_light")
    set_width(page, 1000)
    assert sheet.evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth"), "nothing to scroll to the side"

    sheet.get_by_role("button", name="Start again").click()
    expect(sheet).to_contain_text("Your table now", timeout=WAIT)
    expect(sheet.get_by_role("status")).to_have_count(0)
    [(value,)] = spark.sql(f"SELECT value FROM {TABLE} WHERE id = 3").collect()
    assert value == "c"


def answer(page: Page, sheet: Locator, sql: str) -> None:
    """Write SQL, and run it out of the field."""
    expect_keys(page)
    sheet.get_by_role("textbox").fill(sql)
    sheet.get_by_role("textbox").press("Shift+Enter")


def judged_by_enter(run_notebook: RunNotebook) -> Locator | None:
    """The verdict on an answer; None where nothing came of it: a kernel may drop what is sent to its subshell.

    See ipython/ipykernel#1557. What is sent to such a subshell later is lost too, so only another kernel helps.
    """
    page = run_notebook("import explorer\nexplorer.exercise('files-of-an-insert')")
    sheet = page.locator(".iceberg-exercise")
    expect(sheet).to_contain_text("Your table now", timeout=WAIT)
    expect_keys(page)
    field = sheet.get_by_role("textbox")
    field.fill("99")
    field.press("Enter")
    said = sheet.get_by_role("status")
    return said if soon(page, lambda: said.count(), seconds=60) else None


def test_enter_in_a_field_of_one_line_checks_the_answer(run_notebook: RunNotebook) -> None:
    said = next(filter(None, (judged_by_enter(run_notebook) for _ in range(3))), None)
    assert said is not None
    expect(said).to_contain_text("Not as you said", timeout=WAIT)
