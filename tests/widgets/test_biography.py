"""The view of what became of rows, without a browser."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest

from explorer.widgets import TableExplorer, rows_offer
from tests.widgets.tabs import ids, is_seen, no_error, opened, until


@pytest.fixture(scope="module")
def written(written_table: Callable[..., str]) -> str:
    """A row that is updated and deleted, and one that lives on."""
    return written_table(
        "lived",
        "CREATE TABLE {t} (id BIGINT, note STRING) USING iceberg TBLPROPERTIES ('format-version' = '3',"
        " 'write.delete.mode' = 'merge-on-read')",
        "INSERT INTO {t} SELECT /*+ COALESCE(1) */ id, '<b>&' FROM range(3)",
        "UPDATE {t} SET note = 'other' WHERE id = 1",
        "DELETE FROM {t} WHERE id = 1",
    )


def test_a_condition_is_read_at_once_where_that_is_little(explorer: TableExplorer) -> None:
    view = opened(explorer, "Row")
    assert "as after WHERE (id = 42):" in view._message.value
    assert "The columns are id and note." in view._message.value
    view._condition.value = "id = 1"
    until(lambda: view._is_answered)
    words = view._in_words.value
    assert words.startswith("<p>No row with id = 1 is left: last seen at 2, masked by deletion vector at 3. ")
    assert words == f"<p>{html.escape(view._live.scene.in_words)}</p>", "title, second line and findings"
    assert not is_seen(view._offer.widget)
    assert explorer.state.condition == "id = 1"
    assert "&lt;b&gt;&amp;" in view._panel.value
    assert "<b>&</b>" not in view._panel.value
    assert no_error(explorer)


def test_much_is_read_at_its_price(explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 10)
    view = opened(explorer, "Row")
    view._condition.value = "id = 2"
    until(lambda: view._offered is not None)
    assert re.search("of [23] data files", view._offer._text.value)
    assert view._message.value == "<p>Nothing is read yet.</p>"
    assert view._picture is None
    explorer._act("read", "")  # Enter in the field
    until(lambda: view._is_answered)
    assert view._offered is None
    assert "The row with id = 2 is there" in view._in_words.value
    assert no_error(explorer)


def test_an_old_answer_is_grey_while_another_is_looked_for_or_offered(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = opened(explorer, "Row")
    view._condition.value = "id = 2"
    until(lambda: view._is_answered)
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 10)
    view._condition.value = "id = 1"
    assert "iceberg-stale" in view._stage._dom_classes
    until(lambda: view._offered is not None)
    assert "iceberg-stale" in view._stage._dom_classes
    assert view._old.value == "Old answer, of rows with id = 2. Read on a click: rows with id = 1."
    view._condition.value = "id = 2"
    assert "iceberg-stale" not in view._stage._dom_classes, "it answers what is asked"
    assert view._offered is None
    assert no_error(explorer)


def test_what_is_wrong_stands_in_the_strip_and_the_answer_stays(explorer: TableExplorer) -> None:
    view = opened(explorer, "Row")
    view._condition.value = "id = 2"
    until(lambda: view._is_answered)
    view._condition.value = "nothing = 2"
    until(lambda: not no_error(explorer))
    assert "iceberg-stale" in view._stage._dom_classes
    assert view._old.value == "Old answer, of rows with id = 2. Not answered: rows with nothing = 2."
    view._condition.value = "id = 2"
    until(lambda: view._is_answered)
    assert no_error(explorer), "what succeeded is an error no more"
    assert "iceberg-stale" not in view._stage._dom_classes
    view._condition.value = "nothing = 2"
    until(lambda: not no_error(explorer))
    assert "Write a condition over the table&#x27;s columns" in explorer._errors._text.value
    assert view._picture is not None


def test_events_are_stepped_along_and_selected_with_their_file(explorer: TableExplorer) -> None:
    view = opened(explorer, "Row")
    view._condition.value = "id = 1"
    until(lambda: view._is_answered)
    every = ids(explorer)
    view.key("ArrowRight", False)
    assert explorer.state.snapshot == every[0]
    until(lambda: "1: created, file added" in view._panel.value)
    view.key("ArrowRight", False)
    view.key("ArrowRight", False)
    assert explorer.state.snapshot == every[2]
    until(lambda: "masked by deletion vector" in view._panel.value)
    view.row_selected(1)
    assert explorer.state.snapshot == every[1]
    assert explorer.state.file == view._picture.data["file_path"].iloc[1]
    assert no_error(explorer)


def test_why_leads_to_the_whole_life(explorer: TableExplorer) -> None:
    deletes = opened(explorer, "Deletes")
    until(lambda: deletes._is_answered)
    assert not is_seen(deletes._lives)
    deletes._why.value = "id = 1"
    until(lambda: deletes._picture.name == "why" and deletes._is_answered)
    assert is_seen(deletes._lives)
    deletes._lives.click()
    assert explorer._tabs.value == "Row"
    view = explorer._views["Row"]
    until(lambda: view._is_answered)
    assert view._condition.value == "id = 1"
    assert explorer.state.front == ""
    deletes._why.value = "id = 2"
    deletes._lives.click()
    until(lambda: view._answer_to is not None and view._answer_to[0] == "id = 2")
    assert no_error(explorer)


def test_deletes_are_asked_of_the_rows_that_are_chosen(explorer: TableExplorer) -> None:
    explorer.state.condition = "id = 1"
    deletes = opened(explorer, "Deletes")
    until(lambda: deletes._is_answered)
    assert is_seen(deletes._chosen)
    assert deletes._chosen.description == "id = 1"
    deletes._chosen.click()
    until(lambda: deletes._picture is not None and deletes._picture.name == "why")
    assert not is_seen(deletes._chosen), "it is asked"
    explorer.state.condition = ""
    deletes._why.value = ""
    assert not is_seen(deletes._chosen), "nothing is chosen"
    assert no_error(explorer)


def test_what_failed_is_not_told_any_more_once_nothing_is_asked(explorer: TableExplorer) -> None:
    view = opened(explorer, "Row")
    view._condition.value = "ident = 1"
    until(lambda: not no_error(explorer))
    explorer.state.clear()
    assert no_error(explorer)
    assert "Which row?" in view._message.value
    view._condition.value = "where id = 2;"
    until(lambda: view._is_answered)
    assert "The row with id = 2 is there" in view._in_words.value
