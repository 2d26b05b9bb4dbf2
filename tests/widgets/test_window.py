"""The window of commits in every tab: what is shown is narrowed to it, or the head of the tab says why not."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.widgets import TableExplorer
from explorer.widgets.explorer import TABS
from tests.widgets.tabs import ids, no_error, opened, until


def told(explorer: TableExplorer) -> str:
    return str(explorer._of_window.value)


def drawn(view: Any) -> str:
    return repr(view._live.scene) if view._live is not None else ""


@pytest.mark.parametrize("title", list(TABS))
def test_each_tab_obeys_the_window_or_says_why_not(explorer: TableExplorer, title: str) -> None:
    view = opened(explorer, title)
    if title == "Partitions":
        view._zoom.value = True
    asked_first = ("History", "Changes", "Row", "Compare", "Bisect", "Dry run")
    until(lambda: title in asked_first or view._is_answered)
    assert "narrows nothing" not in told(explorer), "no window, no word"
    before = drawn(view)
    explorer.state.window = tuple(ids(explorer)[1:])
    if "narrows nothing" not in told(explorer):
        until(lambda: drawn(view) not in ("", before))
    explorer.state.window = None
    assert "narrows nothing" not in told(explorer)
    assert no_error(explorer)


def test_the_ends_of_the_window_are_compared_until_another_point_is_chosen(explorer: TableExplorer) -> None:
    first, second, third = ids(explorer)
    view = opened(explorer, "Compare")
    explorer.state.window = second, third
    until(lambda: view._is_answered)
    shown = view._picture.facts
    assert (str(shown.left.snapshot.snapshot_id), str(shown.right.snapshot.snapshot_id)) == (first, third)
    explorer.state.snapshot = second
    until(lambda: view._is_answered)
    assert "narrows nothing" in told(explorer)
    assert str(view._picture.facts.left.snapshot.snapshot_id) == second


def test_attempts_are_those_of_the_window(explorer: TableExplorer) -> None:
    view = opened(explorer, "Manifests")
    view._kind.value = "attempts"
    until(lambda: view._is_answered)
    assert set(view._live.scene.meta["places"]) == set(ids(explorer))
    explorer.state.window = tuple(ids(explorer)[1:])
    assert set(view._live.scene.meta["places"]) == set(ids(explorer)[1:])
    assert "narrows nothing" not in told(explorer)
    explorer.state.window = None
    assert set(view._live.scene.meta["places"]) == set(ids(explorer))
