"""What an audit of accessibility (axe) finds in a real JupyterLab: nothing serious, in any tab, nor in the picker."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from explorer.table.pictures import PICTURES
from tests.ui.clicks import EXPLORER, expect_theme, settled
from tests.ui.conftest import RunNotebook

TABS = list(dict.fromkeys(kind.tab for kind in PICTURES))
ASKED = {
    "Row": ("input[placeholder^='id']", "id = 2"),
    "Bisect": (".iceberg-sql textarea", "SELECT count(*) FROM {t}"),
    "Dry run": ("input[placeholder^='rollback']", "rollback_to_snapshot(2)"),
}
"""What tabs that show nothing by themselves are asked, and in which field."""
GRAVE = {"serious", "critical"}


@pytest.fixture(scope="module")
def lab_page(module_notebook: RunNotebook, spark: SparkSession, written_table: Callable[..., str]) -> Page:
    name = written_table(
        "audited",
        "CREATE TABLE {t} (id BIGINT, region STRING, note STRING) USING iceberg PARTITIONED BY (region)"
        " TBLPROPERTIES ('format-version' = '3', 'write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} SELECT id, IF(id % 2 = 0, 'EU', 'US'), 'first' FROM range(8)",
        "UPDATE {t} SET note = 'second' WHERE id = 2",
        "DELETE FROM {t} WHERE id = 3",
    )
    page = module_notebook(f"import explorer\nexplorer.open('{name}')")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=60_000)
    field = page.locator(".iceberg-search input")
    field.fill("2")
    field.press("Enter")
    expect(page.locator(".iceberg-panel:visible")).to_contain_text("Snapshot 2", timeout=60_000)
    return page


def grave(page: Page) -> list[str]:
    """What is seriously or critically wrong with what the explorer shows, and where."""
    violations = Axe().run(page, context=EXPLORER).response["violations"]
    return [
        f"{found['id']}: {node['target']} {node['html'][:200]}"
        for found in violations
        if found["impact"] in GRAVE
        for node in found["nodes"]
    ]


@pytest.mark.parametrize("tab", TABS)
def test_no_tab_shuts_anybody_out(lab_page: Page, set_theme: Callable[[Page, str], None], tab: str) -> None:
    explorer = lab_page.locator(EXPLORER)
    views, title = explorer.locator(".iceberg-views"), explorer.get_by_role("tab", name=tab)
    if title.get_attribute("aria-selected") != "true":
        in_front = views.get_attribute("class") or ""
        title.click()
        expect(views).not_to_have_class(in_front, timeout=60_000)
    if tab in ASKED:
        field = explorer.locator(f"{ASKED[tab][0]}:visible").first
        field.fill(ASKED[tab][1])
        field.blur()
    expect(explorer.get_by_role("figure")).to_have_count(1, timeout=90_000)
    expect(explorer.locator(".iceberg-stale")).to_have_count(0, timeout=60_000)
    settled(lab_page, explorer)
    assert grave(lab_page) == []
    figure = explorer.get_by_role("figure")
    expect(figure).to_have_count(1)
    words = explorer.locator(".iceberg-in-words:visible")
    assert figure.get_attribute("aria-labelledby") == words.get_attribute("id")
    if tab == TABS[0]:
        set_theme(lab_page, "dark")
        try:
            expect_theme(explorer, "dark")
            settled(lab_page, explorer)
            assert grave(lab_page) == [], "in the dark"
        finally:
            set_theme(lab_page, "light")


def test_help_shuts_nobody_out(lab_page: Page) -> None:
    explorer = lab_page.locator(EXPLORER)
    explorer.get_by_role("button", name="?", exact=True).click()
    expect(explorer.get_by_role("dialog")).to_be_visible()
    assert grave(lab_page) == []
    lab_page.keyboard.press("Escape")


def test_tabs_are_gone_along_by_arrows_and_name_what_they_show(lab_page: Page) -> None:
    explorer = lab_page.locator(EXPLORER)
    first, second = (explorer.get_by_role("tab", name=name, exact=True) for name in TABS[:2])
    first.click()
    first.focus()
    lab_page.keyboard.press("ArrowRight")
    expect(second).to_be_focused()
    expect(second).to_have_attribute("aria-selected", "true")
    expect(first).to_have_attribute("tabindex", "-1")
    panel = explorer.get_by_role("tabpanel", name=TABS[1])
    expect(panel).to_have_count(1)
    assert second.get_attribute("aria-controls") == panel.get_attribute("id")
    lab_page.keyboard.press("ArrowLeft")
    expect(first).to_be_focused()


def test_the_picker_shuts_nobody_out(run_notebook: RunNotebook, spark: SparkSession) -> None:
    page = run_notebook("import explorer\nexplorer.open()")
    field = page.get_by_role("combobox", name="Search tables")
    expect(field).to_be_focused(timeout=60_000)
    page.keyboard.type("audit")
    option = page.locator(".iceberg-tables").get_by_role("option")
    expect(option.first).to_contain_text("audited", timeout=60_000)
    assert field.get_attribute("aria-activedescendant") == option.first.get_attribute("id")
    assert grave(page) == []
    _is_searched_by_slash(page, page.locator(EXPLORER))


def _is_searched_by_slash(page: Page, explorer: Locator) -> None:
    explorer.focus()
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search tables")).to_be_focused()
