"""The start notebook as a page of Voila: no code, no editor, the same explorer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from pyspark.sql import SparkSession

from tests.conftest import REPOSITORY
from tests.ui.clicks import EXPLORER, click, newest_of
from tests.ui.conftest import PATIENCE, VIEWPORT, PageLog, jupyter

START = REPOSITORY / "notebooks" / "00_start.ipynb"
# Voila's own page asks another host for icons, and does without them.
ICONS = "https://cdn.jsdelivr.net/npm/@fortawesome/fontawesome-free@"


@pytest.fixture
def voila(spark_conf: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address at which Voila serves the start notebook."""
    options = {
        "Voila.ip": "127.0.0.1",
        "Voila.port_retries": "0",
        "show_tracebacks": "True",
        # What Notebook 7 brings for JupyterLab cannot be loaded by Voila, which prints an error and goes on.
        "VoilaConfiguration.extension_denylist": "['@jupyter-notebook/lab-extension']",
    }
    with jupyter("voila", START, home=tmp_path, spark_conf=spark_conf, options=options) as url:
        yield url


def test_the_graph_draws_and_a_click_shows_the_snapshot(
    sandbox: SparkSession, voila: str, browser: Browser, page_log: PageLog, screenshot: Callable[..., Path]
) -> None:
    page = browser.new_page(viewport=VIEWPORT)
    page.add_init_script(PATIENCE)
    try:
        page_log.watch(page)
        page.goto(voila, wait_until="commit")  # it is loaded when all cells have run
        explorer = page.locator(EXPLORER).first
        points = explorer.locator(".js-plotly-plot .scatterlayer .point")
        expect(points.first).to_be_attached(timeout=120_000)
        newest = newest_of(sandbox, "sandbox.shop.orders")
        click(page, explorer, newest)
        expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(newest))
        screenshot(page, "voila")
    finally:
        page.close()
    page_log.forgive(ICONS)
