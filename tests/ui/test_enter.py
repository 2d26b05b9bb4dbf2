"""What Enter does in fields: it asks, once more it reads what is offered, and in a form it presses the button.

What a form is filled with goes with that press, or the button tells of itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from explorer.widgets.browser import Page as Hand

# A page without a notebook; `told` is what was sent to Python, and what was done by buttons and fields themselves.
FIELDS = """
async (source) => {
  document.body.innerHTML = `
    <div class="iceberg-explorer"><div id="hand"></div>
      <div class="iceberg-views"><input id="condition"><select id="list"><option>a</option></select>
        <div class="iceberg-sql"><textarea id="statement"></textarea></div></div>
      <div class="iceberg-form"><input id="answer"><textarea id="statements"></textarea>
        <select id="choice"><option>a</option><option>b</option></select>
        <button class="iceberg-on-enter">Check</button></div>
      <div class="iceberg-form"><div class="iceberg-filled"><div><input id="number"></div>
        <div><textarea></textarea></div>
        <div><button>a</button><button class="mod-active"><i></i> b </button></div><div><button>c</button></div></div>
        <button class="iceberg-on-enter">Check</button></div></div>`;
  window.told = [];
  const { default: hand } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const send = (content) => told.push(content.filled ?? content.act ?? content.key);
  const values = { wide: 900, badges: [] };
  const model = { get: (name) => values[name], set() {}, save_changes() {}, on() {}, off() {}, send };
  hand.render({ model, el: document.querySelector("#hand") });
  for (const field of document.querySelectorAll("input, textarea"))
    field.addEventListener("change", () => told.push(`asked ${field.value}`));
  for (const button of document.querySelectorAll(".iceberg-on-enter"))
    button.addEventListener("click", () => told.push("check"));
  await new Promise((resolve) => setTimeout(resolve, 200));
}
"""


@pytest.fixture
def fields(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.evaluate(FIELDS, (Path(inspect.getfile(Hand)).parent / "browser.js").read_text())
    yield page
    page.close()


def told(page: Page, field: str, *keys: str) -> list[object]:
    """What comes of keys that are pressed in a field; a word is typed."""
    page.evaluate("told.length = 0")
    page.locator(f"#{field}").focus()
    for key in keys:
        (page.keyboard.press if key.rpartition("+")[2] == "Enter" else page.keyboard.type)(key)
    found: list[object] = page.evaluate("told")
    return found


def test_enter_asks_what_was_typed_and_once_more_reads_what_is_offered_for_it(fields: Page) -> None:
    assert told(fields, "condition", "id = 7", "Enter") == ["asked id = 7"]
    assert told(fields, "condition", "Enter") == ["read"]
    assert told(fields, "condition", "0", "Enter", "Enter") == ["asked id = 70", "read"]
    assert told(fields, "list", "Enter") == []


def test_enter_asks_a_statement_and_with_shift_begins_a_line_of_it(fields: Page) -> None:
    assert told(fields, "statement", "SELECT 1", "Shift+Enter", "FROM t", "Enter") == ["asked SELECT 1\nFROM t"]
    assert told(fields, "statement", "Enter") == ["read"]


def test_enter_checks_what_was_answered(fields: Page) -> None:
    assert told(fields, "answer", "3", "Enter") == ["asked 3", "check"]
    assert told(fields, "choice", "Enter") == ["check"]


def test_what_a_form_is_filled_with_goes_with_the_press_in_one_message(fields: Page) -> None:
    filled = ["3", "", "b", ""]
    assert told(fields, "number", "3", "Enter") == ["asked 3", filled]
    fields.evaluate("told.length = 0")
    fields.get_by_role("button", name="Check").last.click()
    assert fields.evaluate("told") == [filled]


@pytest.mark.parametrize("runs", ["Shift", "Control"])
def test_statements_have_lines_and_are_run_by_enter_with_another_key(fields: Page, runs: str) -> None:
    assert told(fields, "statements", "a;", "Enter", "b", f"{runs}+Enter") == ["asked a;\nb", "check"]
