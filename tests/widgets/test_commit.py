"""The view of a commit, and of the boundary between two snapshots, without a browser, on a live table."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from explorer.widgets import TableExplorer, rows_offer
from explorer.widgets.files import file_key
from tests.widgets.tabs import held, ids, no_error, opened, until


def test_the_commit_of_the_selection_is_shown_and_of_nothing_selected_the_current_one(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Commit")
    until(lambda: view._is_answered)
    assert str(view._picture.facts.commit.snapshot.snapshot_id) == late
    for snapshot, words in ((append, "3 rows"), (update, "Removed 1 file")):
        explorer.state.snapshot = snapshot
        until(lambda snapshot=snapshot: str(view._picture.facts.commit.snapshot.snapshot_id) == snapshot)
        until(lambda words=words: words in view._in_words.value)
        until(lambda: explorer._drawers._picture is view._picture)
    view.key("ArrowLeft", False)
    until(lambda: str(view._picture.facts.commit.snapshot.snapshot_id) == append)
    assert explorer.state.snapshot == append
    assert no_error(explorer)


def test_a_view_behind_another_reads_nothing(explorer: TableExplorer) -> None:
    append, _, late = ids(explorer)
    view = opened(explorer, "Commit")
    until(lambda: view._is_answered)
    opened(explorer, "History")
    explorer.state.snapshot = append
    time.sleep(1)
    assert str(view._picture.facts.commit.snapshot.snapshot_id) == late
    opened(explorer, "Commit")
    until(lambda: str(view._picture.facts.commit.snapshot.snapshot_id) == append)


def test_little_is_read_by_itself_and_its_price_is_said(explorer: TableExplorer) -> None:
    _, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: "6 rows in 2 data files" in view._rows._text.value)
    until(lambda: view._picture.facts.rows is not None)
    assert view._picture.facts.rows.totals.updated == 1
    assert view._picture.facts.rows.totals.carried_over == 2
    assert "3 rows to change 1" in view._picture.title
    added = next(file for file in view._picture.facts.commit.files if file.change == "added")
    explorer.state.file = file_key(*added.key)
    assert "Where its rows are from" in view._panel.value
    assert "proved" in view._panel.value
    explorer.state.key = "nothing of the kind"
    until(lambda: not no_error(explorer))
    assert "nothing of the kind" in explorer._errors._text.value
    assert view._picture.facts.rows is not None, "what was on the screen stays"


def test_much_is_read_on_a_click_alone(explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 100)
    _, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: "6 rows in 2 data files" in view._rows._text.value)
    time.sleep(1)
    assert view._picture.facts.rows is None
    view._rows._button.click()
    until(lambda: view._picture.facts.rows is not None)
    assert "6 rows in 2 data files" in view._rows._text.value


def test_what_began_by_itself_gives_way_to_a_question(explorer: TableExplorer) -> None:
    append, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: view._is_answered)
    view._ask_rows(True)
    task = explorer._activity._newest["rows of the commit"]
    explorer.state.snapshot = append
    until(lambda: task.done)
    until(lambda: view._picture.facts.rows is not None)
    assert str(view._picture.facts.commit.snapshot.snapshot_id) == append
    assert no_error(explorer), "to give way is no failure"


def test_a_search_that_finds_nothing_leaves_no_rows_unread(explorer: TableExplorer) -> None:
    _, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: view._rows._is_small)
    view._ask_rows(True)
    explorer._search.look_for("nothing of the kind")
    until(lambda: view._picture.facts.rows is not None)
    assert "nothing of the kind" in explorer._activity._text.value


def test_after_a_reload_the_old_picture_is_grey_until_the_new_one_is_read(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, update, _ = ids(explorer)
    explorer.state.snapshot = append
    view = opened(explorer, "Commit")
    until(lambda: view._is_answered)
    picture, name = view._picture, view._name(append)
    release, read = threading.Event(), view._read

    def held(question: Any) -> Any:
        release.wait(30)
        return read(question)

    monkeypatch.setattr(view, "_read", held)
    view.refresh()
    assert "iceberg-stale" in view._stage._dom_classes
    assert view._old.value == f"Old answer, of {name}. Being read."
    explorer.state.snapshot = update
    assert view._old.value == f"Old answer, of {name}. Being read: {view._name(update)}."
    release.set()
    until(lambda: view._is_answered)
    assert view._picture is not picture
    assert "iceberg-stale" not in view._stage._dom_classes
    assert no_error(explorer)


def test_rows_told_by_other_key_columns_are_grey_until_they_are_read_again(explorer: TableExplorer) -> None:
    _, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: view._told_by == ())
    with held(explorer):
        explorer.state.key = "note"
        assert "iceberg-stale" in view._stage._dom_classes
    until(lambda: view._told_by == ("note",))
    assert "iceberg-stale" not in view._stage._dom_classes
    explorer.state.key = "nothing of the kind"
    until(lambda: "Not answered" in view._old.value)
    explorer.state.key = "note"
    assert "iceberg-stale" not in view._stage._dom_classes, "it answers what is asked"


def test_rows_are_offered_again_when_a_commit_is_come_back_to(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 100)
    append, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: "6 rows" in view._rows._text.value)
    explorer.state.snapshot = append
    explorer.state.snapshot = update
    until(lambda: "iceberg-unseen" not in view._rows.widget._dom_classes)
    assert "6 rows" in view._rows._text.value


@pytest.mark.parametrize("title", ["Commit", "Compare"])
def test_a_closed_view_reads_nothing_more(explorer: TableExplorer, title: str) -> None:
    append, *_ = ids(explorer)
    explorer.state.snapshot = append
    view = opened(explorer, title)
    until(lambda: view._told_by == ())
    asked: list[bool] = []
    view._rows._read, view._rows._is_read = asked.append, False
    view._rows.resume()
    view.close()
    time.sleep(0.6)
    assert asked == []


def test_files_are_selected_by_list_keys_and_grid_alike(explorer: TableExplorer) -> None:
    _, update, _ = ids(explorer)
    explorer.state.snapshot = update
    view = opened(explorer, "Commit")
    until(lambda: len(view._files.options) == 3)
    keys = [file_key(*file.key) for file in view._picture.facts.commit.files]
    view.key("ArrowDown", False)
    assert explorer.state.file == keys[0]
    view.key("ArrowDown", False)
    assert explorer.state.file == keys[1]
    view._files.value = keys[0]
    assert explorer.state.file == keys[0]
    view.row_selected(1)
    assert view._files.value == keys[1]
    explorer.state.file = "/somewhere/else.parquet"
    assert view._files.value == ""
    assert no_error(explorer)


def test_with_two_snapshots_the_net_boundary_is_shown(explorer: TableExplorer) -> None:
    append, _, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Commit")
    until(lambda: view._picture is not None)
    assert view._picture.name == "boundary"
    assert len(view._picture.data) == 3
    assert "net" in view._which.value
    explorer.state.compared = ""
    until(lambda: view._picture.name == "commit")
    assert no_error(explorer)
