"""The start notebook in Notebook 7, as a person runs it there: the picture, a click, the theme."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect
from pyspark.sql import SparkSession

from tests.conftest import REPOSITORY
from tests.ui.clicks import EXPLORER, click, expect_theme, newest_of
from tests.ui.conftest import PageLog, jupyter_app, notebooks

OWN_ERROR = "Cannot read properties of undefined (reading 'schema')"  # of Notebook 7.6, in an empty notebook too


@pytest.fixture(autouse=True)
def without_errors_of_notebook_itself(page_log: PageLog) -> Iterator[None]:
    yield
    page_log.forgive(OWN_ERROR)


@pytest.fixture(scope="module")
def page(
    sandbox: SparkSession,
    spark_conf: dict[str, str],
    browser: Browser,
    page_log: PageLog,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Page]:
    """The start notebook after all of its cells have run."""
    home, root = tmp_path_factory.mktemp("notebook7"), tmp_path_factory.mktemp("notebooks7")
    start = nbformat.read(REPOSITORY / "notebooks" / "00_start.ipynb", as_version=4)
    with (
        jupyter_app("notebook", home, root, spark_conf) as url,
        notebooks((f"{url}/notebooks", root), browser, page_log, "start") as run,
    ):
        yield run(*start.cells)


def test_the_graph_draws_and_a_click_shows_the_snapshot(
    page: Page, sandbox: SparkSession, screenshot: Callable[..., Path]
) -> None:
    expect(page).to_have_title(re.compile("^start_1"))
    explorer = page.locator(EXPLORER).first
    expect(explorer.locator(".js-plotly-plot .scatterlayer .point").first).to_be_attached(timeout=30_000)
    newest = newest_of(sandbox, "sandbox.shop.orders")
    click(page, explorer, newest)
    expect(explorer.locator(".iceberg-panel code").first).to_have_text(str(newest))
    screenshot(page, "notebook7")


def test_the_theme_of_the_page_is_followed(page: Page, set_theme: Callable[[Page, str], None]) -> None:
    explorer = page.locator(EXPLORER).first
    for theme in ("dark", "light"):
        set_theme(page, theme)
        expect_theme(explorer, theme)
