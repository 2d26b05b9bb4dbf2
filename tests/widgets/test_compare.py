"""The view of two points without a browser, on a live table: along the ancestry, swapped, at a price named before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest
from pyspark.sql import SparkSession

from explorer.table import Table
from explorer.widgets import TableExplorer
from explorer.widgets.chips import lettered
from tests.widgets.tabs import ids, no_error, opened, until


def told(view: object) -> tuple[str, str]:
    facts = view._picture.facts  # type: ignore[attr-defined]
    return str(facts.left.snapshot.snapshot_id), str(facts.right.snapshot.snapshot_id)


def letters(explorer: TableExplorer) -> dict[str, str]:
    """By snapshot the letter that its chip has."""
    found = lettered(explorer.state, explorer.table.graph)
    return {str(node.snapshot.snapshot_id): letter for letter, node in found if letter}


def test_two_chosen_snapshots_are_told_along_the_ancestry(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Compare")
    for first, second in ((append, late), (late, append)):
        explorer.state.clear()
        explorer.state.select(first)
        explorer.state.compare(second)
        until(lambda first=first, second=second: view._is_answered and view._answer_to[:2] == (first, second))
        assert told(view) == (append, late)
        assert "is an ancestor of" in view._panel.value
        until(lambda: view._which.value)  # after the picture
        assert "A " in view._which.value
        assert "→" in view._which.value
    explorer.state.compared = update
    until(lambda: view._picture is not None and told(view) == (update, late))
    assert no_error(explorer)


def test_what_was_added_is_never_told_as_removed(explorer: TableExplorer) -> None:
    """Of the two that are chosen, the later one second or first, in every tab that tells of two."""
    append, _, late = ids(explorer)
    view = opened(explorer, "Commit")
    for first, second in ((append, late), (late, append)):
        explorer.state.clear()
        explorer.state.select(first)
        explorer.state.compare(second)
        until(lambda: view._picture is not None and view._picture.name == "boundary" and view._is_answered)
        facts = view._picture.facts.commit
        assert str(facts.snapshot.snapshot_id) == late
        assert str(facts.snapshot.parent_id) == append
        assert not facts.goes_back
        history = opened(explorer, "History")
        assert "data files" in history._panel.value
        assert "+1: 1 → 2" in history._panel.value
        assert "−" not in history._panel.value.split("iceberg-compare")[1].split("More in Compare")[0]
        opened(explorer, "Commit")
    assert no_error(explorer)


def test_it_is_swapped_on_wish_and_a_new_comparison_begins_along_the_ancestry(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.select(append)
    until(lambda: view._is_answered and told(view) == (append, late)), "with the current one"
    view.key("x", False)
    until(lambda: view._is_answered and told(view) == (late, append))
    assert "going back" in view._panel.value
    view._swap.click()
    until(lambda: view._is_answered and told(view) == (append, late))
    view._swap.click()
    explorer.state.compare(update)
    until(lambda: view._is_answered and told(view) == (append, update))
    view.key("]", False)
    until(lambda: view._is_answered and told(view) == (append, late))
    view.key("[", False)
    until(lambda: view._is_answered and told(view) == (append, update))
    assert no_error(explorer)


def test_little_is_read_by_itself_and_its_price_is_said(explorer: TableExplorer) -> None:
    append, update, _ = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.select(append)
    explorer.state.compare(update)
    until(lambda: "2 data files" in view._rows._text.value)
    assert "6 rows" in view._rows._text.value
    until(lambda: "1 row updated" in view._in_words.value)
    assert view._picture.facts.rows.updated == 1
    assert explorer._drawers._picture is view._picture
    explorer.state.key = "nothing of the kind"
    until(lambda: not no_error(explorer))
    assert "nothing of the kind" in explorer._errors._text.value
    assert view._picture.facts.rows is not None, "what was on the screen stays"


def test_any_point_or_table_can_be_typed(explorer: TableExplorer, written: str) -> None:
    append, _, late = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.select(append)
    for typed, right in (("main", late), (f"{datetime.now(UTC):%Y-%m-%d}", late), (written, late)):
        view._other.value = typed
        until(lambda typed=typed: view._is_answered and view._answer_to[1] == typed)
        assert told(view)[1] == right
    view._other.value = "nowhere"
    until(lambda: not no_error(explorer))
    assert "has no snapshot nowhere" in explorer._errors._text.value
    view._other.value = ""
    until(lambda: view._is_answered and told(view) == (append, late))


def test_of_what_is_typed_and_what_is_chosen_the_later_one_counts(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.select(append)
    view._other.value = "main"
    until(lambda: view._is_answered and told(view) == (append, late))
    explorer.state.compare(update)
    until(lambda: view._is_answered and told(view) == (append, update))
    assert view._other.value == ""
    view._other.value = "main"
    until(lambda: view._is_answered and told(view) == (append, late))
    until(lambda: letters(explorer) == {append: "A"}), "the other one is compared with nothing"
    view._other.value = "nowhere"
    until(lambda: not no_error(explorer))
    view._other.value = ""
    until(lambda: view._is_answered and told(view) == (append, update)), "nothing that was chosen is lost"


def test_letters_stand_beside_the_same_snapshots_everywhere(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.select(late)
    explorer.state.compare(append)
    until(lambda: letters(explorer) == {append: "A", late: "B"})
    view._swap.click()
    until(lambda: view._is_answered and told(view) == (late, append))
    until(lambda: letters(explorer) == {late: "A", append: "B"})
    opened(explorer, "History")
    explorer.state.compared = ""
    assert letters(explorer) == {late: "A"}
    opened(explorer, "Compare")
    view._other.value = str(update)
    until(lambda: letters(explorer) == {late: "B"}), "what was typed comes before it"
    assert no_error(explorer)


def test_a_click_selects_a_commit_and_a_data_row_leads_to_its_partition(explorer: TableExplorer) -> None:
    append, update, late = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.select(append)
    until(lambda: view._is_answered)
    places = view._live.scene.layers
    layer = next(i for i, part in enumerate(places) if part.name == "targets")
    item = next(i for i, target in enumerate(places[layer].items) if target.meaning == f"commit {update}")
    view._clicked(layer, item, True)
    assert explorer.state.compared == update
    until(lambda: view._is_answered and told(view) == (append, update))
    row = list(view._picture.data["area"]).index("files")
    view.row_selected(row)
    view.row_selected(0)
    assert late not in view._which.value
    assert no_error(explorer)


def test_with_nothing_chosen_the_current_snapshot_is_compared_with_its_parent(explorer: TableExplorer) -> None:
    _, update, late = ids(explorer)
    view = opened(explorer, "Compare")
    until(lambda: view._is_answered and told(view) == (update, late))
    explorer.state.select(late)
    until(lambda: view._is_answered and told(view) == (update, late))
    assert no_error(explorer)


@pytest.fixture
def empty(spark: SparkSession, written_table: Callable[..., str]) -> Iterator[TableExplorer]:
    made = TableExplorer(Table.open(written_table("empty", "CREATE TABLE {t} (id INT) USING iceberg"), spark))
    yield made
    made.close()


def test_a_table_without_snapshots_has_nothing_to_compare(empty: TableExplorer) -> None:
    view = opened(empty, "Compare")
    assert "no snapshot" in view._message.value
    for key in ("x", "[", "]", "ArrowLeft", "Enter"):
        view.key(key, False)
    assert no_error(empty)
