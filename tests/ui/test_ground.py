"""The ground of the browser tests itself: a click reaches Python, and nothing foreign goes unseen."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.clicks import point_at, soon

FIGURE = """
import ipywidgets, plotly.graph_objects as go
answer = ipywidgets.HTML("none")
answer.add_class("answer")
figure = go.FigureWidget(go.Scatter(x=[1, 2, 3], y=[3, 1, 2], mode="markers", marker_size=20))
figure.data[0].on_click(lambda trace, points, state: setattr(answer, "value", f"clicked {points.point_inds}"))
ipywidgets.VBox([answer, figure])
"""


@pytest.fixture(scope="module")
def page(module_notebook) -> Page:
    return module_notebook(FIGURE)


def test_a_click_reaches_python(page, screenshot):
    point = page.locator(".js-plotly-plot .scatterlayer .point").nth(1)
    point.wait_for()

    def middle():
        box = point.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.click(*point_at(page, page.locator(".jp-Notebook"), middle))
    page.locator(".answer").filter(has_text="clicked [1]").wait_for()
    assert screenshot(page, "ground").stat().st_size > 10_000


def test_the_theme_and_the_width_change_live(page, set_theme, set_width):
    def background():
        return page.evaluate("getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor")

    light = background()
    set_theme(page, "dark")
    assert soon(page, lambda: background() != light)
    set_theme(page, "light")
    assert soon(page, lambda: background() == light)
    set_width(page, 900)
    assert soon(page, lambda: page.evaluate("window.innerWidth") == 900)


def test_a_request_to_another_host_is_seen(page, page_log):
    page.evaluate("fetch('https://example.org/pixel.png').catch(() => null)")
    assert soon(page, lambda: page_log.foreign_requests) == ["https://example.org/pixel.png"]
    page_log.foreign_requests.clear()
    assert soon(page, lambda: any("ERR_NAME_NOT_RESOLVED" in error for error in page_log.console_errors))
    page_log.console_errors.clear()


def test_a_failing_cell_is_seen(run_notebook):
    with pytest.raises(pytest.fail.Exception, match="ZeroDivisionError"):
        run_notebook("1 / 0")
    expect(run_notebook("1 / 0", may_fail=True).locator(".jp-OutputArea")).to_contain_text("ZeroDivisionError")
