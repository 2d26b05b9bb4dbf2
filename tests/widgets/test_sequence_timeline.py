"""The view of the sequence timeline without a browser, on a live table with an equality delete and a vector."""

from __future__ import annotations

import pytest

from explorer.figures.page import as_plotly
from explorer.widgets import TableExplorer
from explorer.widgets.files import file_key
from tests.widgets.tabs import ids, no_error, opened, until


@pytest.fixture(scope="module")
def written(masked: str) -> str:
    return masked


def test_a_selected_delete_shows_its_reach_on_the_timeline(explorer: TableExplorer) -> None:
    view = opened(explorer, "Files")
    until(lambda: view._is_answered)
    assert "Click a delete to see its reach" in view._panel.value
    delete = next(f for f in view._picture.facts.files if f.kind == "equality deletes")
    view._choose(file_key(*delete.key), is_delete=True)
    until(lambda: "<h3>Equality deletes: live" in view._panel.value)
    titles = [
        str(text) for trace in as_plotly.figure(view._live.scene).data if trace.name == "words" for text in trace.text
    ]
    assert any("reaches 1 of 2" in title for title in titles), titles[:3]
    view._choose(file_key(*delete.key), is_delete=True)
    until(lambda: "Click a delete to see its reach" in view._panel.value)
    assert no_error(explorer)


def test_the_timeline_is_as_of_the_selected_snapshot_and_by_time_too(explorer: TableExplorer) -> None:
    append, *_ = ids(explorer)
    view = opened(explorer, "Files")
    until(lambda: view._is_answered)
    explorer.state.snapshot = append
    until(lambda: str(view._picture.facts.as_of.snapshot_id) == append)
    view._axis.value = "commit time"
    assert no_error(explorer)
    data = [i for i, content in enumerate(view._picture.data["content"]) if content == "data"]
    view.row_selected(data[0])
    assert explorer.state.file == view._picture.data["file_path"].iloc[data[0]]
    until(lambda: "<h3>Data file: " in view._panel.value)
    assert no_error(explorer)
