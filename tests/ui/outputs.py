"""What a notebook shows below its cells."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.ui.clicks import soon
from tests.ui.conftest import CONTEXT

# What told of a slow start of Spark is emptied when it has started.
OUTPUT_COUNT = f"""number => {CONTEXT}.model.toJSON().cells[number].outputs
    .filter(output => output.data?.['text/html'] !== '').length"""


def outputs_of(page: Page, number: int) -> Locator:
    """The outputs of a code cell, once the page shows all that the notebook has of them."""
    shown = page.locator(
        f".jp-Notebook .jp-Cell[data-windowed-list-index='{number}'] .jp-OutputArea-output:not(:empty)"
    )
    count = page.evaluate(OUTPUT_COUNT, number)
    assert soon(page, lambda: shown.count() == count), f"cell {number} has {count} outputs, {shown.count()} are shown"
    return shown
