"""The notebook of ownership as a reader sees it: in JupyterLab, in a browser, scrolled from top to bottom."""

from __future__ import annotations

import nbformat

from tests.conftest import REPOSITORY
from tests.ownership_story import Cell, assert_story
from tests.ui.clicks import soon
from tests.ui.outputs import outputs_of


def test_the_cells_show_the_tables_of_the_story(sandbox, run_notebook, set_width, screenshot):
    notebook = nbformat.read(REPOSITORY / "notebooks" / "01_ownership.ipynb", as_version=4)
    page = run_notebook(*notebook.cells)
    set_width(page, 1440)  # as wide as a small laptop
    seen = []
    for number, cell in enumerate(notebook.cells):
        place = page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{number}']")
        place.scroll_into_view_if_needed()
        if cell.cell_type == "code":
            shown = outputs_of(page, number)
            html = "".join(output.inner_html() for output in shown.all())
            printed = "".join(text.inner_text() for text in place.locator(".jp-OutputArea-output pre").all())
            seen.append(Cell(cell.source, html, printed))
            if "names=named" in cell.source:
                screenshot(page, "ownership_commits")
            if "owners = " in cell.source:
                screenshot(page, "ownership_tables")
                assert soon(page, lambda of=shown: table_fits(of)), "side by side, with nothing to scroll"
    assert_story(seen)


def table_fits(shown):
    table, room = shown.locator("table").first.bounding_box(), shown.first.bounding_box()
    return table["width"] <= room["width"]
