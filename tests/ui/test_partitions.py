"""The Partitions tab in a real JupyterLab: a click on a cell, a box drawn over cells, and that other tabs follow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from tests.ui.clicks import EXPLORER, Place, expect_theme, point_at, settled
from tests.ui.conftest import RunNotebook

CELL = """([plot, words]) => {
    const graph = [...plot.querySelectorAll('.js-plotly-plot')].find(g => getComputedStyle(g).visibility === 'visible');
    graph.scrollIntoView({block: 'center'});
    const area = graph.getBoundingClientRect();
    const trace = graph?._fullData?.find(trace => trace.name === 'cells');
    const index = (trace?.customdata || []).findIndex(of => words.every(word => String(of).includes(word)));
    if (index < 0) return null;
    const x = graph._fullLayout.xaxis, y = graph._fullLayout.yaxis;
    const middle = trace.base[index] + trace.y[index] / 2;
    return [area.x + x._offset + x.d2p(trace.x[index]), area.y + y._offset + y.d2p(middle)];
}"""
REGIONS = ("AT", "CH", "DE", "FR", "IT", "US")


@pytest.fixture(scope="module")
def table(spark: SparkSession, written_table: Callable[..., str]) -> str:
    """Ten commits to six regions, a delete among them."""
    inserts = [
        f"INSERT INTO {{t}} SELECT /*+ COALESCE(1) */ id, '{REGIONS[n % 6]}' FROM range({n * 40 + 9})" for n in range(9)
    ]
    return written_table(
        "clicked",
        "CREATE TABLE {t} (id BIGINT, region STRING) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '3', 'write.delete.mode' = 'merge-on-read')",
        *inserts,
        "DELETE FROM {t} WHERE region = 'DE' AND id < 20",
    )


@pytest.fixture(scope="module")
def snapshots(spark: SparkSession, table: str) -> list[int]:
    return [
        r.snapshot_id for r in spark.sql(f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at").collect()
    ]


@pytest.fixture(scope="module")
def lab_page(module_notebook: RunNotebook, table: str) -> Page:
    page = module_notebook(f"import explorer\nopened = explorer.open('{table}')\nopened")
    expect(page.locator(f"{EXPLORER} .js-plotly-plot .main-svg").first).to_be_attached(timeout=60_000)
    page.locator(".iceberg-tabs button", has_text="Partitions").click()
    expect(page.locator(".iceberg-brush .main-svg").first).to_be_attached(timeout=60_000)
    return page


@pytest.fixture
def explorer(lab_page: Page) -> Locator:
    seen = lab_page.locator(EXPLORER)
    seen.focus()
    lab_page.keyboard.press("Escape")
    expect(seen.locator(".iceberg-panel").last).to_contain_text("live partitions")
    return seen


def place_of(page: Page, explorer: Locator, *words: str) -> Place | None:
    return page.evaluate(CELL, [explorer.element_handle(), list(words)])


def still_place_of(page: Page, explorer: Locator, *words: str) -> Place:
    """Where a cell stays, once all is drawn."""
    settled(page, explorer)
    place = place_of(page, explorer, *words)
    assert place, f"no cell means {words}"
    return place


def test_a_click_on_a_cell_selects_its_partition_and_its_commit(
    lab_page: Page,
    explorer: Locator,
    snapshots: list[int],
    screenshot: Callable[..., Path],
    set_theme: Callable[..., None],
) -> None:
    words = str(snapshots[2]), "region=DE"
    lab_page.mouse.click(*point_at(lab_page, explorer, lambda: place_of(lab_page, explorer, *words), *words))
    expect(explorer.locator(".iceberg-chips")).to_contain_text("region = DE")
    expect(explorer.locator(".iceberg-chips")).to_contain_text(str(snapshots[2])[-4:])
    expect(explorer.locator(".iceberg-panel").last).to_contain_text("What lives after 3, changed last by")
    for theme in ("dark", "light"):
        set_theme(lab_page, theme)
        expect_theme(explorer, theme)
        screenshot(explorer, f"partitions_{theme}")


def test_a_box_over_cells_is_a_window_that_the_other_tabs_follow(
    lab_page: Page, explorer: Locator, snapshots: list[int], screenshot: Callable[..., Path]
) -> None:
    x0, _ = still_place_of(lab_page, explorer, f"commit {snapshots[1]}")
    x1, _ = still_place_of(lab_page, explorer, f"commit {snapshots[4]}")
    _, low = still_place_of(lab_page, explorer, "partition", "region=CH")
    lab_page.mouse.move(x0, low)
    lab_page.mouse.down()
    lab_page.mouse.move((x0 + x1) / 2, low + 3, steps=4)
    expect(explorer.locator(".iceberg-box")).to_be_visible()
    lab_page.mouse.move(x1, low + 3, steps=4)
    lab_page.mouse.up()
    expect(explorer.locator(".iceberg-box")).to_have_count(0)
    chips = explorer.locator(".iceberg-chips")
    expect(chips).to_contain_text("region = CH")
    expect(chips).to_contain_text("commits ")
    expect(explorer.locator(".iceberg-panel").last).to_contain_text("4 commits, 2 to 5")
    screenshot(explorer, "partitions_window")
    explorer.locator(".iceberg-controls button", has_text="Only the window").click()
    is_gone = f"of => ({CELL})(of) === null"
    lab_page.wait_for_function(is_gone, arg=[explorer.element_handle(), [f"commit {snapshots[6]}"]])
    still_place_of(lab_page, explorer, f"commit {snapshots[4]}")
    screenshot(explorer, "partitions_zoomed")
    lab_page.locator(".iceberg-tabs button", has_text="Files").click()
    expect(explorer.get_by_role("button", name="Whole history")).to_be_visible(timeout=30_000)
    lab_page.locator(".iceberg-tabs button", has_text="Partitions").click()
    explorer.focus()
    lab_page.keyboard.press("Escape")
    expect(chips.locator("button")).to_have_count(0)
