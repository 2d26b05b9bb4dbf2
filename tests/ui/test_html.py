"""`show graph --format html` in a browser: one file, no other host, nothing of the table obeyed."""

import json

import pytest
from click.testing import CliRunner

from explorer import cli
from tests.model.histories import random_history
from tests.ui.clicks import soon

FRAMES = "document.getElementById('picture').layout.shapes.filter(shape => shape.layer === 'above')"
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
    assert soon(page, lambda: paper() == "#FFFFFF")  # its own policy forbids the polling of wait_for_function


def framed(page):
    """The columns of the picture that have a frame."""
    return {x for x in page.evaluate(f"{FRAMES}.map(shape => shape.xanchor)") if x is not None}


def is_in_sight(page):
    """Whether the axis reaches to the frame."""
    x, low, high = page.evaluate(f"[{FRAMES}[0].xanchor, ...document.getElementById('picture').layout.xaxis2.range]")
    return low <= x <= high


def test_every_commit_of_the_list_leads_to_its_place(page_of_a_table, page_log, screenshot):
    open_page, history = page_of_a_table
    page = open_page(page_log, "light")
    links = page.locator("#commits a")
    by_target = {links.nth(i).get_attribute("href"): links.nth(i) for i in range(links.count())}
    assert sorted(target.rpartition("-")[2] for target in by_target) == sorted(str(at) for at in history.snapshots)
    drawn = [target for target in by_target if target.startswith("#commit-")]
    assert drawn, "commits that the picture has a place for"
    for target in by_target:
        by_target[target].click()
        assert soon(page, lambda to=target: page.locator("#commits [aria-current]").get_attribute("href") == to)
        if target not in drawn:
            assert soon(page, lambda: page.evaluate(f"{FRAMES}.length") == 0)
            assert page.locator("tr:target td").first.inner_text() == target.rpartition("-")[2]
            continue
        places = page.evaluate(
            """said => document.getElementById("picture").data.flatMap(trace => (trace.customdata || []).flatMap(
                (one, i) => one === said ? [[trace.x[i], trace.y[i]]] : []))""",
            f"commit {target.rpartition('-')[2]}",
        )
        columns = {x for x, _ in places}
        assert soon(page, lambda columns=columns: framed(page) and framed(page) <= columns)
        assert soon(page, lambda: is_in_sight(page))
    screenshot(page, "html_commit_marked")


def test_it_answers_the_pointer_and_promises_no_click(page_of_a_table, page_log):
    open_page, _ = page_of_a_table
    page = open_page(page_log, "light")
    told = page.evaluate(
        "document.getElementById('picture').data.flatMap(trace => trace.hovertext || []).filter(Boolean)"
    )
    assert told
    assert not [words for words in told if "click" in words]
    point = page.locator("#picture .scatterlayer .point").last.bounding_box()
    page.mouse.move(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2)
    page.locator("#picture .hovertext").first.wait_for()


def test_it_fits_a_window_of_800_pixels_beside_its_margins(page_of_a_table, page_log, screenshot):
    open_page, _ = page_of_a_table
    page = open_page(page_log, "dark")
    page.set_viewport_size({"width": 860, "height": 900})
    assert soon(page, lambda: page.evaluate("document.getElementById('picture').layout.width") == 800)
    assert soon(page, lambda: page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    screenshot(page, "html_narrow_dark")
