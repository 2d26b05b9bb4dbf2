from __future__ import annotations

import pytest

from explorer.figures.page.theme import DARK, LIGHT
from explorer.widgets.state import ExplorerState


def test_selecting_twice_clears_and_takes_the_comparison_along() -> None:
    state = ExplorerState()
    state.select("1")
    state.compare("2")
    assert (state.snapshot, state.compared) == ("1", "2")
    state.select("2")
    assert (state.snapshot, state.compared) == ("2", ""), "a snapshot is never compared with itself"
    state.select("2")
    assert state.snapshot == ""


def test_comparing_needs_something_to_compare() -> None:
    state = ExplorerState()
    state.compare("1")
    assert (state.snapshot, state.compared) == ("1", "")
    state.compare("1")
    assert state.compared == ""
    state.compare("2")
    state.compare("2")
    assert (state.snapshot, state.compared) == ("1", "")


def test_colours_follow_the_page() -> None:
    state = ExplorerState()
    assert state.colours is LIGHT
    state.theme = "dark"
    assert state.colours is DARK


@pytest.mark.parametrize(
    ("width", "left"),
    [(1400, 1088), (1032, 720), (960, 660), (900, 660), (880, 880), (720, 720), (560, 560), (400, 560)],
)
def test_a_picture_has_the_room_that_the_panel_leaves_it_and_never_less_than_it_needs(width: int, left: int) -> None:
    state = ExplorerState(width=width)
    assert state.figure_width == left
