"""What holds for every picture in every way that it can be drawn."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.figures.page.fold import Part
from explorer.figures.page.theme import DARK, LIGHT, Theme
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
        assert_same_traces(expected, drawn, drawings.layers)


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
    assert_drawn_without_plotly(drawings.scene_of(story, theme=theme, **drawings.ways(story)[0]))


@pytest.mark.parametrize(
    ("part", "partition", "range_"),
    [
        (Part(), None, None),
        (Part(9), None, None),
        (Part(0, "s3://a b/m 1.avro"), None, None),
        (Part(40, "x\ny"), None, None),
        (Part.of_partition(3, ""), (3, ""), None),
        (Part.of_partition(0, 'a="x y"/b=null'), (0, 'a="x y"/b=null'), None),
        (Part.of_partition(12, "from 7 in 3-9"), (12, "from 7 in 3-9"), None),
        (Part.of_range(0, 3, 9), None, (3, 9)),
        (Part.of_range(80, 0, 0), None, (0, 0)),
    ],
)
def test_parts_are_written_and_read_alike(
    part: Part, partition: tuple[int, str] | None, range_: tuple[int, int] | None
) -> None:
    assert Part.parse(str(part)) == part
    assert (part.partition, part.range) == (partition, range_)


@pytest.mark.parametrize("nonsense", ["x", "from", "from -1", "from 3 in", "from 3 in ", "from 1e9", "in x", "from ٣"])
def test_what_is_no_part_is_the_whole(nonsense: str) -> None:
    assert Part.parse(nonsense) == Part()


@pytest.mark.parametrize(
    ("drawings", "story", "how"),
    [
        (ENTRIES, "mock", {"view": "from 0 in s3://elsewhere.avro"}),
        (ENTRIES, "five hundred", {"view": "from 7000"}),
        (RETRIES, "mock", {"view": "from 7000 in commits", "chosen": "7"}),
        *((DELETES, "mock", {"view": view}) for view in ("from 0 in 7 x=y", "from 1e9", "x", "from 0 in x")),
        *((CHANGELOG, "week raw", {"view": view}) for view in ("from 900 in 40-90", "from 0 in 5-2", "nonsense")),
        (COMMIT, "copy-on-write", {"view": "from 0 in 7 x=y"}),
    ],
)
def test_a_view_of_something_else_is_the_whole(drawings: Drawings[Any], story: str, how: dict[str, str]) -> None:
    assert drawings.scene_of(story, **how) == drawings.scene_of(story)
