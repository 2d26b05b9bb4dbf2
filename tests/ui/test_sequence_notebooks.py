"""The notebooks of sequence numbers as a reader sees them: in JupyterLab, in a browser, scrolled and played."""

from __future__ import annotations

import re
from collections.abc import Callable

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.conftest import REPOSITORY
from tests.ownership_story import Cell
from tests.sequence_story import assert_compaction, assert_delete_scope, assert_inheritance
from tests.ui.clicks import drawn_words, soon
from tests.ui.outputs import outputs_of

READ = {  # what the three readers see of each row after step 3 and after step 4, the older row first
    'explorer.play(people, "id = 12345")': (
        ["masked", "masked", "masked", "seen", "masked", "seen"],  # only who ignores the numbers loses Bob
        ["masked", "masked", "masked", "seen", "masked", "seen"],
    ),
    'explorer.play(people, "id = 67890")': (
        ["seen", "seen", "seen"],
        ["masked", "masked", "masked", "seen", "masked", "masked"],  # and with ≤ Caroline is lost as well
    ),
}
WAIT = 120_000  # ms that a step may take to be read on a busy machine


def read(page: Page, notebook: nbformat.NotebookNode, look: Callable[[str, Locator], None]) -> list[Cell]:
    """The code cells with what is shown below them, each looked at when it is in sight."""
    seen = []
    for number, cell in enumerate(notebook.cells):
        place = page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{number}']")
        place.scroll_into_view_if_needed()
        if cell.cell_type == "code":
            shown = outputs_of(page, number)
            look(cell.source, place)
            printed = place.locator(".jp-OutputArea-output pre")
            html = "".join(output.inner_html() for output in shown.all())
            seen.append(Cell(cell.source, html, "".join(text.inner_text() for text in printed.all())))
    return seen


def opened(name: str) -> nbformat.NotebookNode:
    return nbformat.read(REPOSITORY / "notebooks" / f"{name}.ipynb", as_version=4)


def pictures_of(shot, set_theme, page, prefix):
    """A function for `read` that takes a picture of every cell with one, in both themes."""

    def look(source: str, place: Locator) -> None:
        widget, picture = place.locator(".iceberg-explorer"), place.locator(".jp-OutputArea-output img")
        if "explorer.play" in source:
            expect(widget.locator(".main-svg").first).to_be_visible(timeout=WAIT)
        elif not picture.count():
            return
        name = f"{prefix}_{re.sub(r'[^a-z0-9]+', '_', source.lower()).strip('_')[:50]}"
        for theme in ("light", "dark"):
            set_theme(page, theme)
            page.wait_for_timeout(300)
            shot(place, f"{name}_{theme}")
        set_theme(page, "light")

    return look


def test_the_notebook_of_inheritance(sandbox, run_notebook, screenshot, set_theme):
    notebook = opened("02_inheritance")
    page = run_notebook(*notebook.cells)
    assert_inheritance(read(page, notebook, pictures_of(screenshot, set_theme, page, "02")))


def test_the_notebook_of_compaction(sandbox, run_notebook, screenshot, set_theme):
    notebook = opened("04_compaction")
    page = run_notebook(*notebook.cells)
    assert_compaction(read(page, notebook, pictures_of(screenshot, set_theme, page, "04")))


def test_the_notebook_of_delete_scope_plays_alice_and_bob_forward_and_back(
    sandbox, run_notebook, screenshot, set_theme
):
    notebook = opened("03_delete_scope")
    page = run_notebook(*notebook.cells)
    take_pictures = pictures_of(screenshot, set_theme, page, "03")

    def look(source: str, place: Locator) -> None:
        take_pictures(source, place)
        if "explorer.play" in source:
            play(source, place)
            for theme in ("light", "dark", "light"):
                set_theme(page, theme)
                page.wait_for_timeout(500)
                screenshot(place, f"03_last_step_{'alice' if '12345' in source else 'carol'}_{theme}")

    assert_delete_scope(read(page, notebook, look), playback=assert_last_step_is_on_screen)


def play(source: str, place: Locator) -> None:
    """To the end, one step back, and to the end again."""
    before, at_the_end = READ[source]
    widget = place.locator(".iceberg-explorer")
    back, on = (widget.get_by_role("button", name=sign, exact=True) for sign in "◀▶")
    step = widget.locator(".iceberg-which")
    expect(step).to_contain_text("Step 1 of 4", timeout=WAIT)
    for number in (2, 3, 4):
        on.click()
        expect(step).to_contain_text(f"Step {number} of 4", timeout=WAIT)
    expect(on).to_be_disabled()
    expect_rows(widget, at_the_end)
    back.click()
    expect(step).to_contain_text("Step 3 of 4", timeout=WAIT)
    expect_rows(widget, before)
    step.click()
    widget.press("ArrowRight")
    expect(step).to_contain_text("Step 4 of 4", timeout=WAIT)
    expect_rows(widget, at_the_end)


def expect_rows(widget: Locator, rows: list[str]) -> None:
    """Wait until the cells of the picture say this, row by row; the first `seen` is the key of the colours."""

    def shown() -> list[str]:
        return [found[0] for text in drawn_words(widget) if (found := re.match(r"seen$|masked(?=:| all|$)", text))]

    assert soon(widget.page, lambda: shown() == ["seen", *rows]), f"the picture says {shown()}"


def assert_last_step_is_on_screen(cell: Cell) -> None:
    assert "live data file" in cell.html
    assert "reaches data &lt; 4 in every file" in cell.html
    last = "3 &lt; 2 is false" if "12345" in cell.source else "4 &lt; 4 is false"
    assert f"✕ does not: {last}" in cell.html
