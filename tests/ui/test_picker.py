"""The table picker in a real JupyterLab: typing finds, arrows go, Enter opens the explorer in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect
from pyspark.sql import SparkSession

from tests.ui.clicks import EXPLORER, HEARD
from tests.ui.conftest import VIEWPORT, RunNotebook


def test_a_person_types_goes_and_opens(
    run_notebook: RunNotebook,
    sandbox: SparkSession,
    screenshot: Callable[..., Path],
    set_theme: Callable[[Page, str], None],
    set_width: Callable[[Page, int], None],
) -> None:
    page = run_notebook("import explorer\npicked = explorer.open()\npicked")
    picker = page.locator(".iceberg-picker")
    field = picker.get_by_role("combobox")
    expect(field).to_be_focused(timeout=60_000)
    places = picker.get_by_role("navigation")
    expect(places).to_contain_text("shop", timeout=60_000)
    screenshot(page.locator(EXPLORER), "picker_light")
    page.keyboard.type("branches")
    tables = picker.locator(".iceberg-tables button")
    expect(tables.first).to_contain_text("branches_and_tags")
    screenshot(page.locator(EXPLORER), "picker_search")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    places.locator("[data-place='sandbox.shop']").click()
    expect(field).to_be_focused()
    page.keyboard.type("order")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.evaluate(HEARD)  # else the list may still be that of before
    set_theme(page, "dark")
    set_width(page, 800)
    try:
        page.wait_for_timeout(500)
        screenshot(page.locator(EXPLORER), "picker_dark_narrow")
    finally:
        set_theme(page, "light")
        set_width(page, VIEWPORT["width"])
    chosen = tables.first
    expect(chosen).to_have_attribute("aria-current", "true")
    name = chosen.get_attribute("data-open")
    assert name
    field.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"{EXPLORER} h2 button")).to_have_attribute(
        "title", f"{name}: choose another table", timeout=60_000
    )
    expect(page.locator(EXPLORER)).to_have_count(1)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=30_000)
    page.locator(EXPLORER).focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".iceberg-panel").first).to_contain_text("Snapshot ")
