"""`show graph --format html` in a browser: one file, no other host, nothing of the table obeyed."""

import json

import pytest
from click.testing import CliRunner

from explorer import cli
from tests.model.histories import random_history

ORDER = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
def page_of_a_table(spark, tmp_path_factory, browser):
    """A function that opens the page of a table, whose texts are orders to a browser, in a light or a dark window."""
    folder = tmp_path_factory.mktemp("html")
    history = random_history(3, 12)
    tip = history.commit(history.main, **{"wap.id": ORDER})
    history.refs[ORDER] = {"snapshot-id": tip, "type": "branch"}
    table, file = folder / "v1.metadata.json", folder / "graph.html"
    table.write_text(json.dumps(history.document()))
    done = CliRunner().invoke(cli.main, ["show", "graph", str(table), "--format", "html", "-o", str(file)])
    assert done.exit_code == 0, done.output
    pages = []

    def open_page(page_log, scheme):
        page = browser.new_page(viewport={"width": 1300, "height": 1200}, color_scheme=scheme)
        pages.append(page)
        page_log.watch(page)
        page.goto(file.as_uri())
        page.locator("#picture .scatterlayer .point").first.wait_for(timeout=30_000)
        assert page_log.foreign_requests == [file.as_uri()]  # the file itself is on no host of ours
        page_log.foreign_requests.clear()
        return page

    yield open_page, history
    for page in pages:
        page.close()


def test_it_draws_and_lists_every_snapshot_and_asks_nobody(page_of_a_table, page_log, screenshot):
    open_page, history = page_of_a_table
    page = open_page(page_log, "light")
    ids = page.locator("tbody tr td:first-child").all_text_contents()
    assert sorted(ids) == sorted(str(at) for at in history.snapshots)
    assert page.title().startswith("file:") or "v1.metadata.json" in page.title()
    assert ORDER in page.locator("tbody").text_content().replace('\\"', '"')
    assert "owned" not in page.title()
    assert page.locator("img").count() == 0
    assert page.locator(".modebar-btn[data-title*='loud'], .modebar-btn--logo").count() == 0
    assert screenshot(page, "html_light").stat().st_size > 10_000


def test_it_follows_the_theme_of_the_system(page_of_a_table, page_log, screenshot):
    open_page, _ = page_of_a_table
    page = open_page(page_log, "dark")

    def paper():
        return page.evaluate("document.getElementById('picture').layout.template.layout.paper_bgcolor")

    assert paper() == "#111111"
    screenshot(page, "html_dark")
    page.emulate_media(color_scheme="light")
    for _ in range(100):  # the page's own policy forbids the polling of wait_for_function
        if paper() == "#FFFFFF":
            break
        page.wait_for_timeout(100)
    assert paper() == "#FFFFFF"
