"""The view of a changelog without a browser, on a live table."""

from __future__ import annotations

import html
import json
import threading
import time
from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession

from explorer.figures.changelog import draw as figure
from explorer.figures.page.hits import Clicked
from explorer.figures.page.scene import Scene
from explorer.table import Table
from explorer.widgets import TableExplorer, rows_offer
from explorer.widgets.actions import perform
from explorer.widgets.pictures import changelog
from tests.widgets.tabs import held, ids, no_error, opened, until


def place(scene: Scene, is_wanted: Callable[[Clicked], bool]) -> tuple[int, int]:
    """Layer and item of the first thing whose click means what is wanted."""
    return next(
        (layer, item)
        for layer, of in enumerate(scene.layers)
        for item in range(len(of.items))
        if (found := figure.clicked(scene, layer, item)) is not None and is_wanted(found)
    )


def test_a_changelog_is_turned_page_by_page(explorer: TableExplorer) -> None:
    append, _, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changes")
    assert view._picture is None
    until(lambda: "of 72" in view._place.value)
    assert view._picture.facts.row_count == 72
    assert view._table.value.count("<tr") == 51
    view.key("ArrowRight", False)
    until(lambda: "rows 51 to 72" in view._place.value)
    assert view._table.value.count("<tr") == 23
    view.key("ArrowRight", False)
    assert "rows 51 to 72" in view._place.value
    view._where.value = "id = 1"
    until(lambda: "of 2" in view._place.value)
    assert "&lt;b&gt;&amp;" in view._table.value
    assert "<b>&" not in view._table.value
    view._where.value = "no such column = 1"
    until(lambda: not no_error(explorer))
    assert view._table.value.count("<tr") == 3, "what was on the screen stays"
    with held(explorer):
        view._mode.value = "ownership"
        assert "iceberg-stale" in view._stage._dom_classes
        assert "iceberg-stale" in view._below._dom_classes
        view._mode.value = "changes"
    assert "iceberg-stale" not in (*view._stage._dom_classes, *view._below._dom_classes), "it answers what is asked"


def test_many_bytes_are_read_on_a_click_alone(explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 100)
    append, _, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changes")
    until(lambda: "Reading takes up to" in view._offer._text.value)
    time.sleep(1)
    assert view._picture is None
    view._offer._button.click()
    until(lambda: view._is_answered and "of 72" in view._place.value)
    assert "Reading takes" not in view._offer._text.value


def test_a_commit_that_is_clicked_in_the_picture_leaves_the_range_as_it_is(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changes")
    until(lambda: view._is_answered)
    scene = view._live.scene
    view._clicked(*place(scene, lambda found: found.snapshot == update), False)
    assert explorer.state.snapshot == update
    assert view._range() == (append, late)
    assert view._is_answered
    assert "Open commit" in view._panel.value
    opened(explorer, "History")
    assert view._range() == (append, update), "elsewhere the selection is the range again"


def test_the_range_runs_from_ancestor_to_descendant_whichever_was_selected_first(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Changes")
    for selected, compared in ((late, append), (append, late)):
        explorer.state.snapshot, explorer.state.compared = selected, compared
        assert view._range() == (append, late)
    view._since.value = "chosen"
    explorer.state.snapshot, explorer.state.compared = update, ""
    assert view._range() == (append, update)
    view._since.value = "all"
    assert view._range() == (None, update)


def test_the_commits_that_an_action_names_win_over_the_window_which_stays_on_offer(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Changes")
    explorer.state.window = (append, update)
    assert view._range() == (None, update)
    perform(explorer.state, "changes", json.dumps([late, update]))
    assert view._range() == (update, late)
    assert ("those of the window", "window") in view._since.options
    view._since.value = "window"
    assert view._range() == (None, update)
    explorer.state.snapshot, explorer.state.compared = append, ""
    assert view._range() == (None, append), "a new selection wins too"
    explorer.state.snapshot = ""
    assert view._range() == (None, update), "nothing is selected: the window is what is left"
    view._since.value = "all"
    perform(explorer.state, "changes", json.dumps([late, append]))
    assert view._range() == (append, late)


def test_an_action_that_opens_the_view_names_its_commits_whatever_the_window(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    explorer.state.window = (append, update)
    perform(explorer.state, "changes", json.dumps([late, update]))
    view = explorer._views["Changes"]
    assert view._range() == (update, late)


def test_an_action_wins_over_a_click_in_the_picture(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Changes")
    explorer.state.snapshot, explorer.state.compared = late, append
    view._look_at(update)
    assert view._range() == (append, late)
    perform(explorer.state, "changes", json.dumps([late, update]))
    assert view._range() == (update, late)


def test_an_older_answer_comes_in_the_place_of_no_price(
    explorer: TableExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, _, late = ids(explorer)
    view = opened(explorer, "Changes")
    begun, go_on, read = threading.Event(), threading.Event(), view._read

    def slow(question: changelog.Question) -> object:
        begun.set()
        assert go_on.wait(60)
        return read(question)

    monkeypatch.setattr(view, "_read", slow)
    explorer.state.snapshot, explorer.state.compared = late, append
    assert begun.wait(60)
    monkeypatch.setattr(rows_offer, "READ_BY_ITSELF", 0)
    view._since.value = "all"
    go_on.set()
    answered: list[int] = []
    explorer._activity.ask("after it", lambda: 1, answered.append, label="")
    until(lambda: answered)
    assert view._picture is None
    until(lambda: "Reading takes up to" in view._offer._text.value)


def test_what_is_answered_is_not_read_again_when_the_selection_rests(explorer: TableExplorer) -> None:
    append, _, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changes")
    until(lambda: view._is_answered)
    picture = view._picture
    with held(explorer):
        view._mode.value = "ownership"
        view._mode.value = "changes"
    time.sleep(1)
    assert view._picture is picture
    assert "iceberg-stale" not in view._stage._dom_classes


def test_a_click_on_a_row_tells_its_story_and_leads_to_its_life(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    explorer.state.key = "id"
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changes")
    view._mode.value = "updates"
    until(lambda: view._is_answered)
    scene = view._live.scene
    updated = place(scene, lambda found: found.key == "1" and found.snapshot == update)
    view._clicked(*updated, False)
    said = html.unescape(view._panel.value)
    assert "<h3>updated by 2: note: <b>& → other</h3>" in said
    assert "Trace this row" in said
    assert "Open commit" in said
    assert (explorer.state.snapshot, view._range()) == (update, (append, late)), "the range stays"
    ring = next(layer for layer in view._live.scene.layers if layer.name == "ring")
    assert len(ring.items) == 2, "the commit and the row have one"
    view._clicked(*updated, False)
    assert "Trace this row" not in view._panel.value, "a second click lets go of it"
    view._clicked(*place(scene, lambda found: found.key == "100" and found.snapshot is None), False)
    assert "<h3>inserted by 3: 100 late</h3>" in view._panel.value
    explorer.state.snapshot = append
    assert view._row_key is None, "another selection takes its place"
    perform(explorer.state, "row", view._picture.facts.rows[0].condition)
    biography = explorer._views["Row"]
    until(lambda: biography._is_answered)
    assert "row with id = 1" in biography._picture.title


def test_a_row_that_no_columns_tell_apart_says_why_it_is_not_traced(explorer: TableExplorer) -> None:
    append, _, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changes")
    until(lambda: view._is_answered)
    view._clicked(*place(view._live.scene, lambda found: found.key == "1 other"), False)
    assert "Trace this row" not in view._panel.value
    assert "Choose them as the row key" in view._panel.value


def test_of_commits_on_two_lines_the_changes_since_these_parted_are_told(
    spark: SparkSession, written_table: Callable[..., str]
) -> None:
    name = written_table(
        "parted",
        "CREATE TABLE {t} (id INT) USING iceberg",
        "INSERT INTO {t} VALUES (1)",
        "ALTER TABLE {t} CREATE BRANCH aside",
        "INSERT INTO {t}.branch_aside VALUES (2)",
        "INSERT INTO {t} VALUES (3), (4)",
    )
    explorer = TableExplorer(Table.open(name, spark))
    common, aside, main = ids(explorer)
    view = opened(explorer, "Changes")
    for chosen, other in ((aside, main), (main, aside)):
        with explorer.state.hold_trait_notifications():
            explorer.state.snapshot, explorer.state.compared = chosen, other
        assert view._range() == (common, main), "the order of the clicks does not matter"
    until(lambda: "of 2" in view._place.value)
    assert "there the selected ones parted" in view._offer._text.value
    assert no_error(explorer)
    explorer.close()
