"""The frame around the pictures in a real JupyterLab: what moves, what is in sight, and how few actions it takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pyspark.sql import SparkSession

from explorer.table.pictures import PICTURES
from tests.ui.clicks import EXPLORER, PLACE_OF, click, settled, soon
from tests.ui.conftest import VIEWPORT, RunNotebook

ORDERS = "sandbox.shop.orders"
PLACES = """explorer => Object.fromEntries([
    ['attention', '.iceberg-attention'], ['overview', '.iceberg-overview'], ['chips', '.iceberg-chips'],
    ['tabs', '.iceberg-tabs'], ['activity', '.iceberg-activity'],
    ['picture', '.js-plotly-plot'], ['panel', '.iceberg-panel'],
].map(([name, found]) => {
    const seen = [...explorer.querySelectorAll(found)].find(of => of.getClientRects().length)?.getBoundingClientRect();
    return [name, seen ? [seen.x, seen.y] : null];
}))"""
IN_SIGHT = """panel => {
    const {top, bottom, left, right} = panel.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom - top > 40;
}"""

LINE_IN_SIGHT = """line => {
    const {x, y, width, height} = line.getBoundingClientRect();
    return line.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.fixture(scope="module")
def lab_page(module_notebook: RunNotebook, sandbox: SparkSession) -> Page:
    page = module_notebook(f"import explorer\nexplorer.open('{ORDERS}')")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=60_000)
    return page


@pytest.fixture
def explorer(lab_page: Page) -> Locator:
    """The explorer with History in front and nothing selected."""
    seen = lab_page.locator(EXPLORER)
    open_tab(seen, "History")
    seen.focus()
    lab_page.keyboard.press("Escape")
    expect(seen.locator(".iceberg-chips button")).to_have_count(0)
    settled(lab_page, seen)
    return seen


@pytest.fixture(scope="module")
def snapshots(sandbox: SparkSession) -> list[int]:
    query = f"SELECT snapshot_id FROM {ORDERS}.snapshots ORDER BY committed_at"
    return [row.snapshot_id for row in sandbox.sql(query).collect()]


def open_tab(explorer: Locator, title: str) -> None:
    explorer.get_by_role("tab", name=title).click()


def look_for(explorer: Locator, text: str) -> None:
    field = explorer.locator(".iceberg-search input")
    field.fill(text)
    field.press("Enter")


def in_front(explorer: Locator) -> Locator:
    return explorer.locator("[role=tab][aria-selected=true]")


def test_to_select_moves_nothing_and_the_panel_that_answers_is_in_sight(
    lab_page: Page, explorer: Locator, snapshots: list[int]
) -> None:
    before = settled(lab_page, explorer, PLACES)
    marked = [i for i in (snapshots[-1], snapshots[0]) if _is_marked(lab_page, explorer, i)]
    assert marked, "some commit has a mark of its own"
    click(lab_page, explorer, marked[0])
    panel = explorer.locator(".iceberg-panel:visible")
    expect(panel.get_by_role("button", name="Open commit")).to_be_visible()
    scrolled = settled(lab_page, explorer, PLACES)
    assert panel.evaluate(IN_SIGHT)
    moved = {name: (after[0] - before[name][0], after[1] - before[name][1]) for name, after in scrolled.items()}
    assert len({(round(x), round(y)) for name, (x, y) in moved.items() if name != "panel"}) == 1, "all as one: the page"


PARTS = """explorer => {
    const {x: left, y: top} = explorer.getBoundingClientRect(), places = {};
    const isSeen = of => of.clientHeight && getComputedStyle(of).visibility !== 'hidden';
    const stage = [...explorer.querySelectorAll('.iceberg-stage')].find(isSeen);
    // What turns the pages of a list stands below the picture, wherever that ends.
    const isBelow = of => stage?.compareDocumentPosition(of) === Node.DOCUMENT_POSITION_FOLLOWING;
    for (const part of ['attention', 'overview', 'chips', 'tabs', 'line', 'controls > button', 'stage', 'panel']) {
        [...explorer.querySelectorAll(`.iceberg-${part}`)]
            .filter(of => isSeen(of) && !isBelow(of))
            .forEach(of => {
                const {x, y} = of.getBoundingClientRect();
                places[part + (of.title || '')] = [Math.round(x - left), Math.round(y - top)];
            });
    }
    return places;
}"""


@pytest.mark.parametrize("tab", list(dict.fromkeys(kind.tab for kind in PICTURES)))
def test_nothing_moves_in_any_tab_when_commits_are_selected(
    lab_page: Page, explorer: Locator, set_width: Callable[[Page, int], None], tab: str
) -> None:
    set_width(lab_page, 1_500)
    try:
        open_tab(explorer, tab)
        before = settled(lab_page, explorer, PARTS)
        assert {"attention", "overview", "chips", "tabs", "line"} <= before.keys()
        commits, chips = explorer.locator(".iceberg-overview i[data-act]"), explorer.locator(".iceberg-chips")
        for place, keys, chosen in ((30, [], ["A"]), (60, ["Shift"], ["A", "B"])):
            commits.nth(place).click(modifiers=keys, force=True)
            expect(chips.locator(".iceberg-disc")).to_have_text(chosen)
            for after in explorer.evaluate(PARTS), settled(lab_page, explorer, PARTS):  # at once, and answered
                assert {part: after[part] for part in before if part in after} == {
                    part: before[part] for part in before if part in after
                }
    finally:
        set_width(lab_page, VIEWPORT["width"])


def test_a_drag_over_the_overview_is_the_window_of_every_tab_and_a_click_there_selects(
    lab_page: Page, explorer: Locator, snapshots: list[int], screenshot: Callable[..., Path]
) -> None:
    strip = explorer.locator(".iceberg-overview")
    strip.scroll_into_view_if_needed()
    box = strip.bounding_box()
    assert box is not None
    y = box["y"] + 50
    lab_page.mouse.move(box["x"] + 0.55 * box["width"], y)
    lab_page.mouse.down()
    lab_page.mouse.move(box["x"] + 0.65 * box["width"], y, steps=4)
    lab_page.mouse.up()
    chips = explorer.locator(".iceberg-chips")
    expect(chips).to_contain_text(re.compile("commits [0-9]"))
    told = re.search(r"commits ([0-9]+) to ([0-9]+)\b", chips.inner_text())
    assert told is not None, chips.inner_text()
    first, last = int(told[1]), int(told[2])
    assert 0.04 < (last - first) / len(snapshots) < 0.25, "a tenth of the strip, of which a fifth is names"
    assert explorer.locator(".iceberg-disc").count() == 0, "the end of a drag selects nothing"
    expect(explorer.locator(".iceberg-in-words:visible")).to_contain_text(re.compile(r"^\d+–\d+ of \d+: "))
    open_tab(explorer, "Changes")
    expect(explorer.locator(".iceberg-in-words:visible")).to_contain_text(re.compile("commits?"), timeout=60_000)
    expect(explorer.locator(".iceberg-controls:visible").first).to_contain_text("those of the window")
    screenshot(explorer, "overview_window")
    open_tab(explorer, "History")
    commit = strip.locator("i").nth(10)
    commit.click()
    wanted = commit.get_attribute("data-value")
    assert wanted is not None
    expect(explorer.locator(".iceberg-panel:visible")).to_contain_text(wanted)
    strip.locator("i").nth(20).click(modifiers=["Shift"])
    expect(explorer.locator(".iceberg-chips .iceberg-hollow")).to_have_text("B")


def _is_marked(page: Page, explorer: Locator, snapshot_id: int) -> bool:
    return page.evaluate(PLACE_OF, [explorer.element_handle(), str(snapshot_id)]) is not None


def test_the_panel_follows_what_is_seen_of_a_page_that_is_scrolled(lab_page: Page, explorer: Locator) -> None:
    lab_page.set_viewport_size({"width": VIEWPORT["width"], "height": 620})
    try:
        look_for(explorer, "200")
        panel = explorer.locator(".iceberg-panel:visible")
        expect(panel).to_contain_text("Snapshot 200")
        for by in (300, 250, -400):
            lab_page.mouse.move(500, 400)
            lab_page.mouse.wheel(0, by)
            lab_page.wait_for_timeout(300)
            assert soon(lab_page, lambda: panel.evaluate(IN_SIGHT)), f"after {by}"
    finally:
        lab_page.set_viewport_size(VIEWPORT)


def test_what_is_being_read_is_said_in_sight_wherever_the_page_is_scrolled_to(
    lab_page: Page, explorer: Locator
) -> None:
    lab_page.set_viewport_size({"width": VIEWPORT["width"], "height": 620})
    try:
        line = explorer.locator(".iceberg-line")
        lab_page.mouse.move(500, 400)
        lab_page.mouse.wheel(0, 900)
        assert soon(lab_page, lambda: not line.evaluate(LINE_IN_SIGHT)), "nothing is read: the picture has the room"
        line.locator(".iceberg-activity").evaluate("of => of.classList.add('iceberg-reading')")
        assert soon(lab_page, lambda: line.evaluate(LINE_IN_SIGHT))
    finally:
        line.locator(".iceberg-activity").evaluate("of => of.classList.remove('iceberg-reading')")
        lab_page.set_viewport_size(VIEWPORT)


def test_from_900_pixels_on_the_panel_stands_beside_the_whole_picture(
    lab_page: Page, explorer: Locator, set_width: Callable[[Page, int], None]
) -> None:
    set_width(lab_page, 1_360)
    try:
        look_for(explorer, "200")
        assert soon(lab_page, lambda: 900 <= explorer.evaluate("of => of.clientWidth") < 960)
        expect(explorer).not_to_have_class(re.compile("iceberg-narrow"))
        panel, stage = explorer.locator(".iceberg-panel:visible"), explorer.locator(".iceberg-stage:visible")
        expect(panel).to_contain_text("Snapshot 200")
        right_of = "of => of.querySelector('.main-svg').getBoundingClientRect().right"
        left_of = "of => of.getBoundingClientRect().left"
        assert soon(lab_page, lambda: stage.evaluate(right_of) <= panel.evaluate(left_of) + 1)
        assert soon(lab_page, lambda: panel.evaluate(IN_SIGHT))
    finally:
        set_width(lab_page, VIEWPORT["width"])


def test_in_a_narrow_window_the_panel_is_a_sheet_that_folds(
    lab_page: Page, explorer: Locator, set_width: Callable[[Page, int], None], screenshot: Callable[..., Path]
) -> None:
    set_width(lab_page, 1000)
    try:
        expect(explorer).to_have_class(re.compile("iceberg-narrow"))
        look_for(explorer, "200")
        panel = explorer.locator(".iceberg-panel:visible")
        expect(panel).to_contain_text("Snapshot 200")
        settled(lab_page, explorer)
        assert panel.evaluate(IN_SIGHT)
        assert panel.evaluate("of => of.clientWidth") > 500
        height_of = "of => of.clientHeight"
        unfolded = panel.evaluate(height_of)
        screenshot(lab_page, "workbench_narrow")
        panel.locator(".iceberg-fold").click()
        assert soon(lab_page, lambda: panel.evaluate(height_of) < min(unfolded, 60))
        panel.locator(".iceberg-fold").click()
        assert soon(lab_page, lambda: panel.evaluate(height_of) == unfolded)
    finally:
        set_width(lab_page, VIEWPORT["width"])


@pytest.mark.parametrize(
    ("asked", "kind", "front"),
    [
        ("200", "sequence number", "History"),
        ("audit", "branch", "History"),
        ("eom-2026-02", "tag", "History"),
        ("order_id = 7", "condition", "Row"),
        ("ordered_at_day=2026-02-10", "partition", "Partitions"),
    ],
)
def test_one_field_finds_each_kind(lab_page: Page, explorer: Locator, asked: str, kind: str, front: str) -> None:
    explorer.focus()
    lab_page.keyboard.press("/")
    expect(explorer.locator(".iceberg-search input")).to_be_focused()
    lab_page.keyboard.type(asked)
    lab_page.keyboard.press("Enter")
    expect(in_front(explorer)).to_have_text(front, timeout=60_000)
    expect(explorer.locator(".iceberg-chips button.iceberg-clear")).to_be_visible()
    if front == "History":
        expect(explorer.locator(".iceberg-activity")).to_contain_text(f"Found by {kind}")


def test_an_id_and_a_time_and_a_file_are_found_too(
    explorer: Locator, snapshots: list[int], sandbox: SparkSession
) -> None:
    chips = explorer.locator(".iceberg-chips")
    look_for(explorer, str(snapshots[40]))
    expect(chips).to_contain_text(str(snapshots[40])[-4:])
    newest = sandbox.sql(f"SELECT max(made_current_at) AS at FROM {ORDERS}.history").first()
    assert newest is not None
    look_for(explorer, f"{newest.at:%Y-%m-%d %H:%M}")
    expect(explorer.locator(".iceberg-activity")).to_contain_text("Found by time")
    file = sandbox.sql(f"SELECT file_path FROM {ORDERS}.data_files").first()
    assert file is not None
    look_for(explorer, file.file_path.rsplit("/", 1)[-1])
    expect(in_front(explorer)).to_have_text("Files", timeout=60_000)
    expect(chips).to_contain_text("file ")


def test_which_commit_emptied_a_partition_takes_three_actions(
    run_notebook: RunNotebook,
    spark: SparkSession,
    fresh_table: Callable[..., str],
    screenshot: Callable[..., Path],
) -> None:
    name = fresh_table("emptied")
    spark.sql(f"CREATE TABLE {name} (id INT, region STRING) USING iceberg PARTITIONED BY (region)")
    for rows in ("(1, 'EU'), (2, 'US')", "(3, 'EU')"):
        spark.sql(f"INSERT INTO {name} VALUES {rows}")
    spark.sql(f"DELETE FROM {name} WHERE region = 'EU'")
    spark.sql(f"INSERT INTO {name} VALUES (4, 'US')")
    emptied = spark.sql(f"SELECT snapshot_id FROM {name}.snapshots ORDER BY committed_at").collect()[2].snapshot_id
    page = run_notebook(f"import explorer\nexplorer.open('{name}')")
    explorer = page.locator(EXPLORER)
    expect(explorer.locator(".js-plotly-plot .main-svg").first).to_be_attached(timeout=60_000)
    look_for(explorer, "region=EU")  # to type, and Enter
    panel = explorer.locator(".iceberg-panel:visible")
    expect(panel).to_contain_text("emptied by 3", timeout=60_000)
    assert soon(page, lambda: panel.evaluate(IN_SIGHT))
    screenshot(explorer, "emptied_partition")
    panel.get_by_role("button", name="Open commit").click()
    expect(in_front(explorer)).to_have_text("Commit")
    expect(explorer.locator(".iceberg-which:visible")).to_contain_text(str(emptied)[-4:])
    expect(explorer.locator(".iceberg-in-words:visible")).to_contain_text("2 rows", timeout=30_000)


def test_where_a_row_is_takes_two_actions(explorer: Locator) -> None:
    look_for(explorer, "order_id = 7")  # to type, and Enter
    expect(in_front(explorer)).to_have_text("Row")
    expect(explorer.locator(".iceberg-in-words:visible")).to_contain_text("order_id = 7", timeout=90_000)
    assert soon(explorer.page, lambda: explorer.locator(".iceberg-panel:visible").evaluate(IN_SIGHT))


def test_enter_asks_a_statement_and_with_shift_begins_a_line(lab_page: Page, explorer: Locator) -> None:
    open_tab(explorer, "Bisect")
    asked = explorer.get_by_text("What must be true of the table?")
    expect(asked).to_be_visible()
    field = explorer.locator(".iceberg-sql textarea")
    field.fill("SELECT count(*) > 200")
    field.press("Shift+Enter")
    lab_page.keyboard.type("FROM {t}")
    expect(field).to_have_value("SELECT count(*) > 200\nFROM {t}")
    expect(asked).to_be_visible()
    field.press("Enter")
    expect(asked).to_be_hidden(timeout=30_000)
    expect(field).to_have_value("SELECT count(*) > 200\nFROM {t}")
    expect(field).to_be_focused()


def test_what_answers_another_question_is_grey_until_the_new_answer_is_there(lab_page: Page, explorer: Locator) -> None:
    open_tab(explorer, "Deletes")
    stage = explorer.locator(".iceberg-stage:visible")
    expect(stage.locator(".js-plotly-plot")).to_be_visible(timeout=60_000)
    lab_page.evaluate("""() => new MutationObserver(() => {
        window.wasGrey ||= document.querySelector('.iceberg-stale') !== null;
    }).observe(document.body, {attributes: true, subtree: true})""")
    look_for(explorer, "eom-2026-01")
    lab_page.wait_for_function("window.wasGrey")
    expect(stage).not_to_have_class(re.compile("iceberg-stale"), timeout=60_000)


def test_the_order_of_two_clicks_tells_the_same_comparison(explorer: Locator) -> None:
    words = explorer.locator(".iceberg-in-words:visible")
    told = []
    for first, second in (("125", "134"), ("134", "125")):
        explorer.evaluate("of => of.focus()")
        look_for(explorer, first)
        expect(explorer.locator(".iceberg-chips")).to_contain_text(f"{first} ")
        explorer.locator(".iceberg-panel:visible").wait_for()
        explorer.focus()
        for _ in range(9):
            explorer.page.keyboard.press("]" if second == "134" else "[")
        expect(explorer.locator(".iceberg-chips .iceberg-hollow")).to_have_text("B")
        open_tab(explorer, "Compare")
        expect(explorer.locator(".iceberg-which:visible")).to_contain_text("A 125", timeout=60_000)
        expect(explorer.locator(".iceberg-which:visible")).to_contain_text("B 134")
        chips = explorer.locator(".iceberg-chips .iceberg-chip")
        expect(chips.nth(0)).to_contain_text("A125")
        expect(chips.nth(1)).to_contain_text("B134")
        settled(explorer.page, explorer)
        told.append(words.inner_text())
        open_tab(explorer, "History")
        explorer.page.keyboard.press("Escape")
    assert told[0] == told[1]


CUT = """explorer => {
    const seen = [...explorer.querySelectorAll('.iceberg-attention [class], .iceberg-overview, .iceberg-stage > *')]
        .filter(of => of.clientWidth && of.checkVisibility({visibilityProperty: true}));
    return seen.filter(of => of.scrollWidth > of.clientWidth).map(of => of.className);
}"""


@pytest.mark.parametrize("tab", ["History", "Commit", "Files", "Deletes", "Health"])
def test_all_fits_a_window_of_a_thousand_pixels_beside_the_side_bar(
    lab_page: Page, explorer: Locator, set_width: Callable[[Page, int], None], tab: str
) -> None:
    set_width(lab_page, 1_000)
    try:
        open_tab(explorer, tab)
        picture = explorer.locator(".iceberg-stage:visible .js-plotly-plot")
        expect(picture).to_be_visible(timeout=60_000)
        width = explorer.evaluate("of => of.clientWidth")
        assert 560 <= width < 660
        fits = soon(lab_page, lambda: not explorer.evaluate(CUT))  # it may be drawn anew for this width
        assert fits, f"cut: {explorer.evaluate(CUT)}"
    finally:
        set_width(lab_page, VIEWPORT["width"])


def test_help_explains_the_tab_in_front_and_its_keys(
    lab_page: Page, explorer: Locator, screenshot: Callable[..., Path]
) -> None:
    explorer.focus()
    lab_page.keyboard.press("?")
    help_ = explorer.locator(".iceberg-help")
    expect(help_).to_contain_text("append: rows were added")
    expect(help_).to_contain_text("go to a number, date, tag, partition, file or row")
    screenshot(explorer, "help")
    lab_page.keyboard.press("Escape")
    expect(help_).not_to_contain_text("append")
    open_tab(explorer, "Manifests")
    explorer.get_by_role("button", name="?", exact=True).click()
    expect(help_).to_contain_text("null in the manifest, inherited")
    dialog = help_.get_by_role("dialog")
    help_.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)
    ask = explorer.get_by_role("button", name="?", exact=True)
    ask.click()
    expect(dialog).to_be_visible()
    ask.click()
    expect(dialog).to_have_count(0)
    ask.click()
    expect(dialog).to_be_visible()
    open_tab(explorer, "Files")
    expect(dialog, "it does not lie over the answer of another tab").to_have_count(0)


def test_watch_draws_new_commits_in_and_keeps_the_selection(
    run_notebook: RunNotebook, spark: SparkSession, fresh_table: Callable[..., str]
) -> None:
    name = fresh_table("watched")
    spark.sql(f"CREATE TABLE {name} (id INT) USING iceberg")
    for value in (1, 2):
        spark.sql(f"INSERT INTO {name} VALUES ({value})")
    page = run_notebook(f"import explorer\nexplorer.open('{name}')")
    explorer = page.locator(EXPLORER)
    expect(explorer.locator(".iceberg-head")).to_contain_text("2 snapshots,", timeout=60_000)
    look_for(explorer, "1")
    expect(explorer.locator(".iceberg-chips")).to_contain_text("1 ")
    explorer.get_by_title("Look for new commits every few seconds").click()
    spark.sql(f"INSERT INTO {name} VALUES (3)")
    expect(explorer.locator(".iceberg-head")).to_contain_text("3 snapshots,", timeout=30_000)
    expect(explorer.locator(".iceberg-chips .iceberg-disc")).to_have_text("A")
    expect(explorer.locator(".iceberg-panel")).to_contain_text("Snapshot 1")
    page.evaluate("document.querySelector('.iceberg-explorer').parentElement.style.display = 'none'")
    expect(explorer.locator(".iceberg-head")).to_contain_text("Watching is paused since")
    page.evaluate("document.querySelector('.iceberg-explorer').parentElement.style.display = ''")
    expect(explorer.locator(".iceberg-head")).to_contain_text("it was paused from")
