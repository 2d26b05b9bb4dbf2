"""The view of retries without a browser, on a live table."""

from __future__ import annotations

from explorer.widgets import TableExplorer
from tests.widgets.tabs import ids, no_error, opened, until


def test_retries_take_the_place_of_entries_and_give_it_back(explorer: TableExplorer) -> None:
    append, *_ = ids(explorer)
    view = opened(explorer, "Manifests")
    until(lambda: view._is_answered)
    view._kind.value = "attempts"
    until(lambda: view._picture.name == "retries")
    assert len(view._picture.data) == 3
    assert "first attempt" in view._in_words.value
    view.row_selected(0)
    assert explorer.state.snapshot == append
    until(lambda: "sequence number" in view._panel.value)
    assert "inferred" in view._panel.value
    view._kind.value = "entries"
    until(lambda: view._picture.name == "entries")
    assert str(view._picture.facts.snapshot.snapshot_id) == append
    assert no_error(explorer)
