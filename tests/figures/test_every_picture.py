"""What holds for every picture in every way that it can be drawn."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.figures.changelog import columns
from explorer.figures.commit import groups
from explorer.figures.entries import view as entries_view
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.figures.retries import view as retries_view
from tests.figures.drawings import CHANGELOG, COMMIT, DELETES, ENTRIES, PICTURES, RETRIES, Drawings
from tests.figures.pages import (
    WIDTHS,
    assert_apart,
    assert_drawn_without_plotly,
    assert_plain,
    assert_safe_for_a_browser,
    assert_same_traces,
)

every_story = pytest.mark.parametrize(
    ("drawings", "story"),
    [
        pytest.param(drawings, story, id=f"{name}: {story}")
        for name, drawings in PICTURES.items()
        for story in drawings.stories
    ],
)


@every_story
def test_every_drawing_has_the_same_traces_with_the_same_properties(drawings: Drawings[Any], story: str) -> None:
    expected = drawings.figure_of(drawings.stories[0])
    for how in drawings.ways(story):
        drawn = drawings.figure_of(story, theme=DARK, width=1100, **how)
        assert_same_traces(expected, drawn, drawings.traces)


@every_story
def test_a_browser_can_hold_every_drawing(drawings: Drawings[Any], story: str) -> None:
    """Validated where there is least room; at other widths the same properties have other numbers and texts."""
    for how in drawings.ways(story):
        assert_safe_for_a_browser(drawings.figure_of(story, theme=DARK, width=min(WIDTHS), **how))


@every_story
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overlaps_or_leaves_the_page_and_all_is_plain(drawings: Drawings[Any], story: str, width: int) -> None:
    for how in drawings.ways(story):
        figure = drawings.figure_of(story, width=width, **how)
        for places in drawings.apart:
            assert_apart(places(figure), figure)
        assert_plain(figure)


@every_story
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_word_of_the_figure_is_in_the_picture_without_plotly(
    drawings: Drawings[Any], story: str, theme: Theme
) -> None:
    assert_drawn_without_plotly(drawings.figure_of(story, theme=theme, **drawings.ways(story)[0]))


@pytest.mark.parametrize(
    ("views", "nonsense"),
    [
        (
            [
                entries_view.View(),
                entries_view.View(9),
                entries_view.View(0, "s3://a b/m 1.avro"),
                entries_view.View(40, "x"),
            ],
            ["x", "from", "from -1", "manifest x y", "manifest 3", "from 1e9"],
        ),
        (
            [
                retries_view.View(),
                retries_view.View(9),
                retries_view.View(0, one_by_one=True),
                retries_view.View(40, one_by_one=True),
            ],
            ["x", "lines", "lines -1", "commits x", "commits 1e9"],
        ),
        (
            [
                columns.View(),
                columns.View(40),
                columns.View(0, (3, 9)),
                columns.View(80, (0, 0)),
            ],
            ["x", "rows", "rows -1", "rows 3 commits 4", "rows 1e9"],
        ),
        (
            [
                groups.View(),
                groups.View(first=9),
                groups.View(opened=(3, "")),
                groups.View(opened=(0, 'a="x y"/b=null')),
            ],
            ["x", "from", "from -1", "partition", "partition a b", "from 1e9"],
        ),
    ],
    ids=["entries", "retries", "changelog", "commit and deletes"],
)
def test_views_are_written_and_read_alike(views: list[Any], nonsense: list[str]) -> None:
    read = type(views[0]).parse
    assert [read(str(view)) for view in views] == views
    assert {read(text) for text in nonsense} == {type(views[0])()}


@pytest.mark.parametrize(
    ("drawings", "story", "how"),
    [
        (ENTRIES, "mock", {"view": "manifest 0 s3://elsewhere.avro"}),
        (ENTRIES, "five hundred", {"view": "from 7000"}),
        (RETRIES, "mock", {"view": "commits 7000", "chosen": "7"}),
        *((DELETES, "mock", {"view": view}) for view in ("partition 7 x=y", "from 1e9", "x", "partition")),
        *(
            (CHANGELOG, "week raw", {"view": view})
            for view in ("rows 900 commits 40 90", "rows 0 commits 5 2", "nonsense")
        ),
        (COMMIT, "copy-on-write", {"view": "partition 7 x=y"}),
    ],
)
def test_a_view_of_something_else_is_the_whole(drawings: Drawings[Any], story: str, how: dict[str, str]) -> None:
    assert drawings.figure_of(story, **how).to_json() == drawings.figure_of(story).to_json()
