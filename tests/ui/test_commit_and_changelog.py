"""The Commit and the Changes tab in a real JupyterLab, on Sequence B of the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from tests.ui.clicks import drawn_words, expect_theme, point_at, settled, soon
from tests.ui.conftest import RunNotebook

TABLE = "sandbox.lessons.sequence_b"
BAR_OF = """([plot, name]) => {
    const graph = [...plot.querySelectorAll('.js-plotly-plot')].find(g => getComputedStyle(g).visibility === 'visible');
    graph.scrollIntoView({block: 'center'});
    const area = graph.getBoundingClientRect();
    for (const trace of graph._fullData) {
        const index = (trace.customdata || []).findIndex(of => String(of).startsWith('file ') && of.includes(name));
        if (trace.name !== 'files' || index < 0) continue;
        const x = graph._fullLayout.xaxis, y = graph._fullLayout.yaxis;
        const middle = trace.base[index] + trace.y[index] / 2;
        return [area.x + x._offset + x.d2p(trace.x[index]), area.y + y._offset + y.d2p(middle)];
    }
    return null;
}"""

COUNT_WORDS_IN_SIGHT = """explorer => {
    const seen = words => getComputedStyle(words).visibility === 'visible';
    window.wordsInSight = [];
    const count = () => [...explorer.querySelectorAll('.iceberg-in-words')].filter(seen).length;
    new MutationObserver(() => window.wordsInSight.push(count()))
        .observe(explorer, {subtree: true, childList: true, attributes: true, attributeFilter: ['class']});
}"""


@pytest.fixture(scope="module")
def lab_page(module_notebook: RunNotebook, sandbox: SparkSession) -> Page:
    page = module_notebook(f"import explorer\nopened = explorer.open('{TABLE}')\nopened")
    expect(page.locator(".iceberg-explorer .js-plotly-plot .main-svg").first).to_be_attached(timeout=60_000)
    return page


@pytest.fixture
def explorer(lab_page: Page) -> Locator:
    seen = lab_page.locator(".iceberg-explorer")
    seen.focus()
    lab_page.keyboard.press("Escape")
    return seen


@pytest.fixture(scope="module")
def files(sandbox: SparkSession) -> dict[str, str]:
    """Names of the files that the last commit removed and added, as Spark gives them."""
    rows = sandbox.sql(
        f"SELECT IF(status = 1, 'added', 'removed') AS change, data_file.file_path FROM {TABLE}.entries "
        f"WHERE status > 0 AND snapshot_id = (SELECT snapshot_id FROM {TABLE}.refs WHERE name = 'main')"
    ).collect()
    return {row.change: row.file_path.rsplit("/", 1)[-1] for row in rows}


def open_tab(explorer: Locator, title: str) -> None:
    explorer.locator(".iceberg-tabs button", has_text=title).click()


def test_the_commit_is_shown_at_once_and_its_few_rows_are_read_by_themselves(
    lab_page: Page,
    explorer: Locator,
    files: dict[str, str],
    set_theme: Callable[[Page, str], None],
    screenshot: Callable[..., Path],
) -> None:
    open_tab(explorer, "Commit")
    words = explorer.locator(".iceberg-in-words:visible")
    expect(words).to_contain_text("Removed 1 file with 3 rows, added 1 with 5", timeout=30_000)
    expect(explorer).to_contain_text("8 rows in 2 data files")
    expect(words).to_contain_text("Rewrote 3 rows to change", timeout=90_000)
    picture = explorer.locator(".js-plotly-plot:visible")
    assert soon(lab_page, lambda: any("carried over" in said for said in drawn_words(picture)))
    added = files["added"]
    bar = point_at(
        lab_page, explorer, lambda: lab_page.evaluate(BAR_OF, [explorer.element_handle(), added]), "file ", added
    )
    lab_page.mouse.click(*bar)
    expect(explorer.locator(".iceberg-panel:visible")).to_contain_text("Where its rows are from")
    expect(explorer.locator(".iceberg-panel:visible code").first).to_contain_text(added)
    screenshot(explorer, "commit_rows_light")
    set_theme(lab_page, "dark")
    try:
        expect_theme(explorer, "dark")
        screenshot(explorer, "commit_rows_dark")
    finally:
        set_theme(lab_page, "light")
    expect(explorer.locator(".iceberg-error")).to_be_hidden()


def test_of_two_tabs_one_is_in_sight_at_every_moment(lab_page: Page, explorer: Locator) -> None:
    explorer.evaluate(COUNT_WORDS_IN_SIGHT)
    for title in ("History", "Commit", "Deletes", "History", "Deletes"):
        open_tab(explorer, title)
        settled(lab_page, explorer)
        expect(explorer.locator(".iceberg-in-words:visible")).to_have_count(1)
    assert max(lab_page.evaluate("window.wordsInSight")) == 1


def test_keys_walk_along_the_commits_and_their_files(lab_page: Page, explorer: Locator, files: dict[str, str]) -> None:
    open_tab(explorer, "Commit")
    explorer.focus()
    lab_page.keyboard.press("ArrowLeft")
    expect(explorer.locator(".iceberg-in-words:visible")).to_contain_text("Added 1 file, 3 rows", timeout=30_000)
    lab_page.keyboard.press("ArrowDown")
    expect(explorer.locator(".iceberg-panel:visible code").first).to_contain_text(files["removed"])
    lab_page.keyboard.press("s")
    expect(explorer.locator(".iceberg-drawer pre")).to_contain_text(f"FROM {TABLE}.entries")
    lab_page.keyboard.press("s")


def test_the_changes_follow_what_is_asked(lab_page: Page, explorer: Locator, screenshot: Callable[..., Path]) -> None:
    open_tab(explorer, "Changes")
    explorer.locator("select:visible", has_text="all up to selected").select_option(label="all up to selected")
    rows = explorer.locator(".iceberg-rows:visible tbody tr")
    expect(rows).to_have_count(7, timeout=90_000)
    expect(explorer.locator(".iceberg-rows:visible tbody tr.iceberg-delete")).to_have_count(1)
    screenshot(explorer, "changelog_changes")
    explorer.locator("button:visible", has_text="ownership").click()
    expect(rows).to_have_count(5, timeout=90_000)
    screenshot(explorer, "changelog_ownership")
    expect(explorer.locator(".iceberg-error")).to_be_hidden()
