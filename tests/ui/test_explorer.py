"""The explorer in a real JupyterLab: what a person clicks, types and sees."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from tests.ui.clicks import EXPLORER, click, expect_theme, settled, soon
from tests.ui.conftest import VIEWPORT, PageLog, RunNotebook


@pytest.fixture(scope="module")
def lab_page(module_notebook: RunNotebook, sandbox: SparkSession, real_explorer_cells: list[str]) -> Page:
    page = module_notebook(*real_explorer_cells)
    expect(page.locator(EXPLORER)).to_have_count(len(real_explorer_cells), timeout=60_000)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=30_000)
    return page


@pytest.fixture(scope="module")
def real_explorer_cells() -> list[str]:
    return ["%load_ext explorer\nimport explorer\nopened = explorer.open('sandbox.lessons.branches_and_tags')\nopened"]


@pytest.fixture
def explorer(lab_page: Page) -> Locator:
    """The explorer with nothing selected, every drawer closed, focus on it."""
    seen = lab_page.locator(EXPLORER).first
    seen.locator(".js-plotly-plot").wait_for()
    seen.focus()
    lab_page.keyboard.press("Escape")
    expect(seen.locator(".iceberg-panel")).to_contain_text("No snapshot selected")
    return seen


@pytest.fixture(scope="module")
def snapshots(sandbox: SparkSession) -> list[int]:
    """Ids of the table's snapshots in commit order, as Spark gives them."""
    query = "SELECT snapshot_id FROM sandbox.lessons.branches_and_tags.snapshots ORDER BY committed_at"
    return [row.snapshot_id for row in sandbox.sql(query).collect()]


def test_click_selects_and_shows_the_exact_id(lab_page: Page, explorer: Locator, snapshots: list[int]) -> None:
    for snapshot_id in snapshots[2], snapshots[-1]:
        click(lab_page, explorer, snapshot_id)
        expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(snapshot_id))
    expect(explorer.locator(".iceberg-chips")).to_contain_text(str(snapshots[-1])[-4:])


def test_shift_click_compares(lab_page: Page, explorer: Locator, snapshots: list[int]) -> None:
    click(lab_page, explorer, snapshots[3])
    expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(snapshots[3]))
    click(lab_page, explorer, snapshots[0], shift=True)
    expect(explorer.locator(".iceberg-compare")).to_contain_text(str(snapshots[0])[-4:])
    expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(snapshots[3]))
    expect(explorer.locator(".iceberg-chips .iceberg-hollow")).to_have_text("B")


def test_arrows_select_one_after_the_other_and_escape_clears(
    lab_page: Page, explorer: Locator, snapshots: list[int]
) -> None:
    code = explorer.locator(".iceberg-panel code").first
    lab_page.keyboard.press("ArrowRight")
    expect(code).to_have_text(str(snapshots[0]))
    lab_page.keyboard.press("ArrowRight")
    expect(code).to_have_text(str(snapshots[1]))
    lab_page.keyboard.press("Shift+ArrowRight")
    expect(explorer.locator(".iceberg-compare")).to_be_visible()
    lab_page.keyboard.press("Escape")
    expect(explorer.locator(".iceberg-panel")).to_contain_text("No snapshot selected")


def test_the_lists_and_the_search_field_select_too(lab_page: Page, explorer: Locator, snapshots: list[int]) -> None:
    chooser = explorer.locator("select").first
    chooser.select_option(index=1)  # newest first, after "none"
    expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(snapshots[-1]))
    field = explorer.locator(".iceberg-search input")
    field.fill("1")
    field.press("Enter")
    expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(snapshots[0]))
    field.fill("")
    field.press("Enter")


def test_what_is_looked_for_in_vain_is_said_with_what_is_near(lab_page: Page, explorer: Locator) -> None:
    field = explorer.locator(".iceberg-search input")
    field.fill("audi")
    field.press("Enter")
    said = explorer.locator(".iceberg-activity")
    expect(said).to_contain_text("is called audi", timeout=30_000)
    said.locator("button:visible", has_text="audit").first.click()
    expect(explorer.locator(".iceberg-chips .iceberg-disc")).to_have_text("A")


def test_keys_open_the_drawers_and_a_row_of_the_grid_selects(
    lab_page: Page, explorer: Locator, snapshots: list[int]
) -> None:
    lab_page.keyboard.press("s")
    expect(explorer.locator(".iceberg-drawer pre")).to_contain_text("`sequence-number`")
    explorer.locator(".iceberg-drawer button.iceberg-copy").click()
    assert soon(lab_page, lambda: "FROM binaryFile.`" in lab_page.evaluate("navigator.clipboard.readText()"))
    explorer.focus()
    lab_page.keyboard.press("t")
    grid = explorer.locator(".iceberg-drawer table tbody")
    expect(grid).to_contain_text(str(snapshots[0]))
    grid.locator("tr", has_text=str(snapshots[1])).first.locator("td").first.click()
    expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(snapshots[1]))
    explorer.focus()
    lab_page.keyboard.press("t")
    expect(explorer.locator(".iceberg-drawer table")).to_have_count(0)


def test_downloads_hold_every_row_with_exact_ids(
    lab_page: Page, explorer: Locator, snapshots: list[int], tmp_path: Path
) -> None:
    lab_page.keyboard.press("t")
    with lab_page.expect_download() as download:
        explorer.get_by_text("Download CSV").click()
    file = tmp_path / "graph.csv"
    download.value.save_as(file)
    with file.open(newline="") as text:
        assert [row["snapshot_id"] for row in csv.DictReader(text)] == [str(i) for i in snapshots]
    explorer.focus()
    lab_page.keyboard.press("t")


def test_the_theme_is_followed_live(
    lab_page: Page, explorer: Locator, set_theme: Callable[[Page, str], None], screenshot: Callable[..., Path]
) -> None:
    screenshot(explorer, "explorer_light")
    set_theme(lab_page, "dark")
    try:
        expect_theme(explorer, "dark")
        screenshot(explorer, "explorer_dark")
    finally:
        set_theme(lab_page, "light")
    expect_theme(explorer, "light")


def test_a_narrow_cell_shows_the_whole_picture_to_who_scrolls(
    lab_page: Page, explorer: Locator, set_width: Callable[[Page, int], None], screenshot: Callable[..., Path]
) -> None:
    right_of = "plot => plot.getBoundingClientRect().right"
    set_width(lab_page, 800)
    try:
        expect(explorer).to_have_class(re.compile("iceberg-narrow"))
        plot = explorer.locator(".js-plotly-plot .main-svg").first
        width_of = "plot => plot.getBoundingClientRect().width"
        assert soon(lab_page, lambda: plot.evaluate(width_of) < 760), "the picture follows the width"
        screenshot(explorer, "explorer_narrow")
        assert soon(lab_page, lambda: plot.evaluate(right_of) > explorer.evaluate(right_of))
        explorer.locator(".iceberg-stage > :first-child").first.evaluate(
            "stage => stage.scrollLeft = stage.scrollWidth"
        )
        assert soon(lab_page, lambda: plot.evaluate(right_of) <= explorer.evaluate(right_of))
        screenshot(explorer, "explorer_narrow_scrolled")
        reload = explorer.get_by_title("Look for new commits", exact=True)
        assert soon(lab_page, lambda: reload.evaluate("button => button.scrollWidth <= button.clientWidth"))
    finally:
        set_width(lab_page, VIEWPORT["width"])


def test_nothing_can_be_uploaded(lab_page: Page, explorer: Locator) -> None:
    buttons = explorer.locator(".modebar-btn")
    buttons.first.wait_for(state="attached")
    titles = buttons.evaluate_all("all => all.map(button => button.dataset.title)")
    assert titles, "the picture has its mode bar"
    assert not [title for title in titles if title and ("cloud" in title.lower() or "share" in title.lower())]


def test_the_saved_notebook_still_shows_picture_and_table(
    lab_page: Page, explorer: Locator, snapshots: list[int]
) -> None:
    outputs = json.loads(
        lab_page.evaluate(
            "JSON.stringify(window.jupyterapp.shell.currentWidget.context.model.toJSON().cells.flatMap(c => c.outputs))"
        )
    )
    bundle = next(o["data"] for o in outputs if "application/vnd.jupyter.widget-view+json" in o.get("data", {}))
    html = "".join(bundle["text/html"])
    assert "data:image/svg+xml" in html
    assert all(str(i) in html for i in snapshots)
    assert "<script" not in html
    assert len(json.dumps(outputs)) < 1_000_000


def test_reload_finds_a_new_commit_and_keeps_the_selection(
    run_notebook: RunNotebook, spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("reloaded")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    spark.sql(f"INSERT INTO {name} VALUES (1)")
    page = run_notebook(f"%load_ext explorer\n%iceberg {name}")
    explorer = page.locator(EXPLORER)
    expect(explorer.locator("h2 button")).to_have_attribute("title", f"{name}: choose another table", timeout=60_000)
    expect(explorer.locator(".iceberg-head")).to_contain_text("1 snapshot,")
    explorer.focus()
    page.keyboard.press("ArrowRight")
    selected = explorer.locator(".iceberg-panel code").first
    expect(selected).to_have_text(str(spark.sql(f"SELECT snapshot_id FROM {name}.snapshots").first().snapshot_id))
    before = selected.text_content() or ""
    spark.sql(f"INSERT INTO {name} VALUES (2)")
    explorer.get_by_title("Look for new commits", exact=True).click()
    expect(explorer.locator(".iceberg-head")).to_contain_text("2 snapshots,")
    expect(selected).to_have_text(before)
    spark.sql(f"DROP TABLE {name}")
    explorer.get_by_title("Look for new commits", exact=True).click()
    expect(explorer.locator(".iceberg-error")).to_contain_text("No table")
    expect(selected).to_have_text(before)


def test_what_a_table_calls_itself_is_shown_and_never_run(
    run_notebook: RunNotebook, spark: SparkSession, fresh_table: Callable[..., str], page_log: PageLog
) -> None:
    name = fresh_table("odd")
    attack = "<img src=x onerror=\"window.hurt='yes'\"><b>%{x}"
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    spark.createDataFrame([(1,)], "id INT").writeTo(name).option(f"snapshot-property.{attack}", attack).append()
    spark.sql(f"ALTER TABLE {name} CREATE BRANCH `{attack}`")
    spark.sql(f"ALTER TABLE {name} CREATE TAG `t{attack}`")
    page = run_notebook(f"import explorer\nexplorer.open('{name}')")
    explorer = page.locator(EXPLORER)
    expect(explorer.locator("h2 button")).to_have_attribute("title", f"{name}: choose another table", timeout=60_000)
    explorer.focus()
    page.keyboard.press("ArrowRight")
    expect(explorer.locator(".iceberg-panel")).to_contain_text(attack)
    page.keyboard.press("t")
    expect(explorer.locator(".iceberg-drawer table tbody")).to_contain_text(attack)
    page.wait_for_timeout(500)
    assert page.evaluate("window.hurt") is None


def test_a_long_name_stays_clear_of_the_field_beside_it(run_notebook: RunNotebook, sandbox: SparkSession) -> None:
    page = run_notebook("import explorer\nexplorer.open('sandbox.lessons.sequence_b_deletion_vectors')")
    name, field = page.locator(f"{EXPLORER} h2 button"), page.locator(".iceberg-search input")
    expect(name).to_have_text(re.compile("^sequence_b_deletion_vectors"), timeout=60_000)
    explorer = page.locator(EXPLORER)
    expect(explorer.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=60_000)
    settled(page, explorer)
    own, beside = name.bounding_box(), field.bounding_box()
    assert own is not None
    assert beside is not None
    assert own["x"] + own["width"] < beside["x"] or own["y"] + own["height"] < beside["y"]


def test_a_wrong_name_ends_in_a_message_without_a_traceback(run_notebook: RunNotebook, sandbox: SparkSession) -> None:
    page = run_notebook("import explorer\nexplorer.open('sandbox.shop.oders')", may_fail=True)
    output = page.locator(".jp-OutputArea-output").last
    expect(output).to_contain_text("Did you mean sandbox.shop.orders?", timeout=60_000)
    assert "Traceback" not in output.inner_text()


def test_ten_thousand_snapshots_open_answer_and_zoom(
    run_notebook: RunNotebook, big_table: Path, screenshot: Callable[..., Path]
) -> None:
    page = run_notebook(f"import explorer\nexplorer.open({str(big_table)!r})")
    explorer = page.locator(EXPLORER)
    expect(explorer.locator(".iceberg-head")).to_contain_text("10,000 snapshots", timeout=60_000)
    explorer.locator(".js-plotly-plot").wait_for()
    screenshot(explorer, "explorer_10k")
    explorer.focus()
    code = explorer.locator(".iceberg-panel code").first
    page.keyboard.press("ArrowLeft")
    expect(explorer.locator(".iceberg-panel")).to_contain_text("Snapshot ")
    newest = code.text_content()
    field = explorer.locator(".iceberg-search input")
    field.fill("5000")
    field.press("Enter")
    expect(explorer.locator("h3").first).to_contain_text("5,000")
    assert code.text_content() != newest
    for title in ("Earlier commits", "More commits, smaller", "Fewer commits, larger", "Later commits"):
        explorer.get_by_title(title).click()
        page.wait_for_timeout(400)
    explorer.locator("rect.edrag").last.click(force=True)
    expect(page.locator(".plugin-editable"), "the end of an axis is no field").to_have_count(0)
    elements = explorer.locator(".js-plotly-plot").evaluate("plot => plot.querySelectorAll('svg *').length")
    assert elements < 6000, "the page stays light"
    screenshot(explorer, "explorer_10k_window")
    expect(explorer.locator(".iceberg-error")).to_be_hidden()
