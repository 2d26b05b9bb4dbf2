"""The picture of rows and what masks them: Alice, whom a delete reaches, and Bob, who got her key later."""

from __future__ import annotations

import pytest

from explorer.figures.page import as_plotly
from explorer.figures.page.scene import Scene
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.figures.why import draw as figure
from tests.figures import pages
from tests.figures.drawings import WHY
from tests.figures.why_stories import outcome


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("width", [720, 1100, 1380])
def test_each_reading_has_a_cell_for_each_row(theme: Theme, width: int) -> None:
    drawn = as_plotly.figure(figure.draw(outcome(), theme, name="db.people", width=width))
    in_cells = [plain for plain in pages.words(drawn) if plain == "seen" or plain.startswith("masked")]
    same = "masked all the same" if width > 720 else "masked"
    cells = ["masked: 1 < 2", "masked", "masked: 1 < 2", "seen", same, "seen"]
    assert sorted(in_cells) == sorted([*cells, "seen", "masked by a delete"]), "and the two words of the key"
    pages.assert_apart(pages.texts(drawn), drawn)
    pages.assert_safe_for_a_browser(drawn)


def test_a_what_if_that_differs_is_marked_and_the_truth_is_not() -> None:
    drawn = as_plotly.figure(figure.draw(outcome(), LIGHT, name="t"))
    cells = drawn.data[figure.LAYERS.index("cells")]
    loud = [width for width in cells.marker.line.width if width > 2]
    assert len(loud) == 1, "only a reader without sequence numbers loses Bob"
    same_commit = as_plotly.figure(figure.draw(outcome(number_of_bob=2), LIGHT, name="t"))
    widths = same_commit.data[figure.LAYERS.index("cells")].marker.line.width
    assert len([width for width in widths if width > 2]) == 2, "and the article's rule loses a row of the same commit"


def test_a_click_names_the_file_and_the_delete_that_masks() -> None:
    drawn = figure.draw(outcome(), LIGHT, name="t")
    trace = figure.LAYERS.index("cells")
    meanings = [figure.clicked(drawn, trace, i) for i in range(len(drawn.layers[trace].items))]
    assert figure.Clicked(file="data-alice", delete=("eq", None)) in meanings
    assert figure.Clicked(file="data-bob") in meanings
    assert figure.clicked(drawn, trace, 999) is None


def test_the_selected_file_is_ringed_and_another_is_not() -> None:
    drawn = figure.draw(outcome(), LIGHT, name="t")

    def ring(scene: Scene) -> list[float]:
        return list(as_plotly.figure(scene).data[figure.LAYERS.index("ring")].x)

    assert not ring(drawn.selecting(figure.selection(drawn, selected_file="elsewhere")))
    marked = drawn.selecting(figure.selection(drawn, selected_file="data-bob"))
    assert ring(marked)
    assert ring(drawn) == []
    assert marked == figure.draw(outcome(), LIGHT, name="t", selected_file="data-bob")


def test_hostile_values_are_text() -> None:
    hostile = "<b onclick=x>&'\"" * 20
    drawn = as_plotly.figure(figure.draw(outcome(name=hostile, count=3), LIGHT, name=hostile))
    pages.assert_safe_for_a_browser(drawn)


def test_no_row_has_its_words() -> None:
    assert any("No row with id = 12345" in plain for plain in pages.words(WHY.figure_of("no row")))
