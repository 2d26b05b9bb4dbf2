"""The view of a changelog without a browser, on a live table."""

from __future__ import annotations

from explorer.widgets import TableExplorer
from tests.widgets.tabs import ids, no_error, opened, until


def test_a_changelog_is_read_when_asked_for_and_turned_page_by_page(explorer: TableExplorer) -> None:
    append, _, late = ids(explorer)
    explorer.state.snapshot, explorer.state.compared = late, append
    view = opened(explorer, "Changelog")
    assert view._picture is None
    assert "Read rows" in view._message.value
    view._since.value = "two"
    view._read.click()
    until(lambda: "of 72" in view._place.value)
    assert view._picture.facts.row_count == 72
    assert view._rows.value.count("<tr") == 51
    view.key("ArrowRight", False)
    until(lambda: "rows 51 to 72" in view._place.value)
    assert view._rows.value.count("<tr") == 23
    view.key("ArrowRight", False)
    assert "rows 51 to 72" in view._place.value
    view._where.value = "id = 1"
    until(lambda: "of 2" in view._place.value)
    assert "&lt;b&gt;&amp;" in view._rows.value
    assert "<b>&" not in view._rows.value
    view._where.value = "no such column = 1"
    until(lambda: not no_error(explorer))
    assert view._rows.value.count("<tr") == 3, "what was on the screen stays"
    view._mode.value = "ownership"
    assert "another question" in view._message.value


def test_the_range_runs_from_ancestor_to_descendant_whichever_was_selected_first(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Changelog")
    view._since.value = "two"
    for selected, compared in ((late, append), (append, late)):
        explorer.state.snapshot, explorer.state.compared = selected, compared
        assert view._range() == (append, late)
    view._since.value = "one"
    explorer.state.snapshot, explorer.state.compared = update, ""
    assert view._range() == (append, update)
    view._since.value = "all"
    assert view._range() == (None, update)
