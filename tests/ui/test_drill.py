"""A drill in a real browser: a wrong answer, a hint, the right answer, and the path to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
from playwright.sync_api import Page, expect

from explorer.engine import explorer_home
from explorer.jupyter.notebooks import drill_notebook
from explorer.lessons import drills
from tests.ui.clicks import expect_keys
from tests.ui.conftest import RunNotebook


def test_a_drill_from_a_wrong_answer_to_the_right_one(
    run_notebook: RunNotebook,
    screenshot: Callable[..., Path],
    set_theme: Callable[[Page, str], None],
    tmp_path: Path,
) -> None:
    seed = drills.seed_with("abandoned-commits", 1)
    notebook = nbformat.read(drill_notebook(tmp_path, seed, 1), as_version=4)
    page = run_notebook(*notebook.cells)
    fields = page.locator(".iceberg-field select")
    expect(fields).to_have_count(3, timeout=60_000)
    commit, cause, repair = fields.all()
    expect(page.locator(".iceberg-case")).to_contain_text("Health calls this rows vanished")
    expect_keys(page)
    cause.select_option(label="a commit that removed a large part of the rows")
    cause.press("Enter")
    verdict = page.locator(".iceberg-verdict[role=status]")
    expect(verdict).to_contain_text(
        "Not yet: not the cause, the commit and the repair are not answered", timeout=90_000
    )
    page.get_by_role("button", name="Hint 1 of 3").click()
    expect(page.locator(".iceberg-verdict ol li")).to_have_count(1)
    page.get_by_role("button", name="Hint 2 of 3").click()
    expect(page.locator(".iceberg-verdict ol li")).to_have_count(2)
    repair.select_option(label="cherry-pick the commits that main has not")
    cause.select_option(label="commits that main was moved away from")
    number = _key(seed)
    options = commit.locator("option").all_inner_texts()
    commit.select_option(index=next(n for n, told in enumerate(options) if told.startswith(f"{number}\u00a0")))
    page.get_by_role("button", name="Check", exact=True).click()
    expect(verdict).to_contain_text("Solved, second try", timeout=60_000)
    expect(verdict).to_contain_text("Asked so far: no question")  # what a check and a hint read is not the learner's
    expect(verdict).to_contain_text("The path that a practised person takes")
    expect(page.locator(".iceberg-field.iceberg-right")).to_have_count(3)
    screenshot(page.locator(".iceberg-drill"), "drill_light")
    set_theme(page, "dark")
    try:
        page.wait_for_timeout(500)
        screenshot(page.locator(".iceberg-drill"), "drill_dark")
    finally:
        set_theme(page, "light")


def _key(seed: int) -> int:
    """The number of the commit, as it was recorded when the table was written."""
    record = explorer_home() / "drills" / f"level_1_seed_{seed}.json"
    return int(json.loads(record.read_text())["number"])
