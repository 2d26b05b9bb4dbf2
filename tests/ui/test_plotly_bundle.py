"""Plotly's code reaches a page once from each kernel, and what figures show survives the page."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from pyspark.sql import SparkSession

from explorer.widgets.plotly_bundle import PlotlyBundle
from tests.ui.clicks import EXPLORER, drawn_words, settled, soon
from tests.ui.conftest import CONTEXT, PageLog, RunNotebook, asked

LIVE = """
from explorer.figures.page.scene import Box, Rectangle, Type
from explorer.figures.page.sheet import Sheet
from explorer.figures.page.theme import LIGHT
from explorer.widgets.live_figure import LiveFigure

def scene(words):
    sheet = Sheet.of(LIGHT, 720)
    sheet.text(20, 20, words, Type(12, LIGHT.ink))
    sheet.cells += [Rectangle(Box(0, 40, 10, 50))]
    return sheet.scene(100, {})

live = LiveFigure(scene("first"))
"""
HOVERED = """
def hovered(words):
    sheet = Sheet.of(LIGHT, 720)
    sheet.cells += [Rectangle(Box(0, 40, 200, 90), hover=words, meaning="it")]
    return sheet.scene(100, {})

live = LiveFigure(hovered("before"))
live.widget
"""
NEW_WORDS = "live.show(hovered('after'))"
WATCH_BARS = """() => {
  window.drawnAgain = 0;
  const bars = document.querySelector('.js-plotly-plot .barlayer');
  new MutationObserver((changes) => (window.drawnAgain += changes.length)).observe(
    bars, { subtree: true, childList: true, attributes: true },
  );
}"""
MIDDLE_OF_BAR = """() => {
  const { x, y, width, height } = document.querySelector('.js-plotly-plot .barlayer path').getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""
# A page without a notebook, whose widget manager makes a widget when it is asked for it, as Colab's does.
MADE_WHEN_ASKED = """
async ([figure, bundle, isMade]) => {
  const imported = (source) => import(`data:text/javascript,${encodeURIComponent(source)}`);
  const [{ default: widget }, { default: bringer }] = [await imported(figure), await imported(bundle)];
  const code = "export default () => ({ initialize() {}, render({ el }) { el.textContent = 'drawn'; } })";
  const traits = (values) => ({ get: (name) => values[name], set() {}, save_changes() {}, on() {} });
  const asked = [];
  const bring = () => bringer.initialize({ model: traits({ version: "v", code }) });
  const widget_manager = {
    get_model(id) {
      asked.push(id);
      if (isMade !== "when asked") throw new Error("widget model not found");
      bring();
      return Promise.resolve();
    },
  };
  if (isMade === "before") bring();
  const drawn = [];
  for (const _ of [1, 2]) {
    const model = { ...traits({ _version: "v", _bundle: "IPY_MODEL_abc" }), widget_manager };
    const [shown, el] = [widget(), document.createElement("div")];
    shown.initialize({ model });
    if (isMade === "later") setTimeout(bring, 200);
    await shown.render({ el });
    drawn.push(el.textContent);
  }
  return [drawn, asked];
}
"""
KERNEL = f"{CONTEXT}.sessionContext.session?.kernel?.id"
MARK = "plotlywidget-after-render"  # in plotly's code alone


@pytest.fixture
def updated(spark: SparkSession, fresh_table: Callable[..., str]) -> str:
    """A table of two commits, the second of which changes a row of the first."""
    name = fresh_table("updated")
    spark.sql(f"CREATE TABLE {name} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    spark.sql(f"INSERT INTO {name} VALUES (1, 'a'), (2, 'b')")
    spark.sql(f"UPDATE {name} SET note = 'c' WHERE id = 2")
    return name


def figures(within: Page | Locator) -> Locator:
    return within.locator(".js-plotly-plot")


def expect_drawn(page: Page, *words: str) -> None:
    """Wait until the figures of the page say these words, and no others."""
    around = page.locator("body")
    assert soon(page, lambda: drawn_words(around) == [*words], 60), f"the page says {drawn_words(around)}"


def test_one_bundle_serves_every_tab_of_two_explorers(
    run_notebook: RunNotebook, updated: str, page_log: PageLog
) -> None:
    before = page_log.received
    page = run_notebook(f"import explorer\nexplorer.open({updated!r})", f"explorer.open({updated!r})")
    expect(figures(page)).to_have_count(2, timeout=60_000)
    first = page.locator(EXPLORER).first
    tabs = first.locator(".iceberg-tabs button")
    for tab in tabs.all()[1:]:
        tab.click()
        settled(page, first)
    drawn = figures(first)
    assert soon(page, lambda: drawn.count() >= 6), "as many as tabs that have something to draw without being told more"
    sent = page_log.received - before
    bundle = len(PlotlyBundle().code.encode())
    assert bundle <= sent < 1.5 * bundle


def test_a_page_that_is_loaded_again_draws_what_was_shown_last(run_notebook: RunNotebook, page_log: PageLog) -> None:
    page = run_notebook(LIVE + "live.widget", "live.show(scene('second'))")
    expect_drawn(page, "second")
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save').then(() => null)")
    page.reload()
    expect_drawn(page, "second")


def test_new_words_for_the_pointer_draw_nothing_again(run_notebook: RunNotebook) -> None:
    page = run_notebook(LIVE + HOVERED)
    bar = page.locator(".js-plotly-plot .barlayer path")
    expect(bar).to_have_count(1, timeout=60_000)
    page.evaluate(WATCH_BARS)
    page.evaluate(f"async () => {CONTEXT}.sessionContext.session.kernel.requestExecute({{code: {NEW_WORDS!r}}}).done")

    def says_after() -> bool:
        page.mouse.move(5, 5)
        page.mouse.move(*page.evaluate(MIDDLE_OF_BAR))
        page.wait_for_timeout(200)
        return page.locator(".hoverlayer").text_content() == "after"

    assert soon(page, says_after)
    assert page.evaluate("window.drawnAgain") == 0


def test_what_changes_before_the_page_draws_is_drawn(run_notebook: RunNotebook) -> None:
    page = run_notebook(LIVE + "live.show(scene('second'))\nlive.widget\n", "live.show(scene('third'))")
    expect_drawn(page, "third")


def test_a_notebook_saved_with_its_widgets_holds_the_code_once_and_draws_without_their_kernel(
    run_notebook: RunNotebook, lab: tuple[str, Path]
) -> None:
    page = run_notebook(LIVE + "other = LiveFigure(scene('other'))\nlive.show(scene('second'))\nlive.widget")
    expect_drawn(page, "second")
    page.evaluate("window.jupyterapp.commands.execute('@jupyter-widgets/jupyterlab-manager:saveWidgetState')")
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save').then(() => null)")
    url, root = lab
    saved = root / page.url.partition("?")[0].rpartition("/")[2]
    notebook = saved.read_text()
    assert notebook.count(MARK) == PlotlyBundle().code.count(MARK)
    copy = saved.with_stem(f"{saved.stem}_copy")
    copy.write_text(notebook)
    opened = page.evaluate(KERNEL)
    page.goto(f"{url}/{copy.name}?reset")
    expect_drawn(page, "second")
    kernel = soon(page, lambda: page.evaluate(KERNEL))
    assert kernel not in (None, opened)
    asked(urljoin(url, f"/api/kernels/{kernel}"), "DELETE")


def test_a_second_kernel_of_the_page_draws_too(run_notebook: RunNotebook, lab: tuple[str, Path]) -> None:
    page = run_notebook(LIVE + "live.widget")
    expect_drawn(page, "first")
    url, root = lab
    other = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(LIVE.replace("first", "elsewhere") + "live.widget")],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    nbformat.write(other, root / "other_kernel.ipynb")
    page.evaluate(
        "window.jupyterapp.commands.execute('docmanager:open', {path: 'other_kernel.ipynb'}).then(() => null)"
    )
    page.wait_for_function(f"{CONTEXT}.path === 'other_kernel.ipynb' && {KERNEL}")
    kernel = page.evaluate(KERNEL)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells').then(() => null)")
    expect_drawn(page, "first", "elsewhere")
    asked(urljoin(url, f"/api/kernels/{kernel}"), "DELETE")


@pytest.mark.parametrize(("is_made", "asked_for"), [("when asked", ["abc"]), ("before", []), ("later", ["abc"])])
def test_a_figure_asks_for_the_code_where_nobody_has_made_what_brings_it(
    browser: Browser, page_log: PageLog, is_made: str, asked_for: list[str]
) -> None:
    folder = Path(inspect.getfile(PlotlyBundle)).parent
    sources = [(folder / name).read_text() for name in ("live_figure.js", "plotly_bundle.js")]
    page = browser.new_page()
    page_log.watch(page)
    drawn, asked = page.evaluate(MADE_WHEN_ASKED, [*sources, is_made])
    page.close()
    assert drawn == ["drawn", "drawn"]
    assert asked == asked_for
