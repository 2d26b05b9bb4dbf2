"""The overview strip: what is drawn where, that it holds at every width, and that a click leaves the lines alone."""

from __future__ import annotations

import itertools
import random
import time
from functools import cache

import plotly.graph_objects as go
import pytest

from explorer.figures.overview import draw as picture
from explorer.figures.overview.days import CUT, bars
from explorer.figures.overview.layout import BARS_BASE, BARS_TOP, LEAST_BRUSH, LINES, Scale
from explorer.figures.page import as_plotly, layers
from explorer.figures.page.scene import Areas, Scene
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.model.arrays import NULL
from explorer.model.overview import words
from explorer.model.overview.facts import Overview
from tests.figures.overview_stories import STORIES
from tests.figures.pages import (
    assert_apart,
    assert_drawn_without_plotly,
    assert_plain,
    assert_safe_for_a_browser,
    assert_same_traces,
    texts,
)

WIDTHS = (560, 1053, 1400)
every_story = pytest.mark.parametrize("story", STORIES)


@cache
def facts(story: str) -> Overview:
    return STORIES[story]()


def ids(story: str) -> list[str]:
    return [str(node.snapshot.snapshot_id) for node in facts(story).graph.nodes]


@cache
def scene(story: str, *, theme: Theme = LIGHT, width: int = 1053, marked: bool = True) -> Scene:
    count = facts(story).count
    if not marked or not count:
        return picture.draw(facts(story), theme, width=width)
    chosen = ids(story)[count // 2], ids(story)[-1]
    return picture.draw(facts(story), theme, window=(count // 3, count // 2), a=chosen[0], b=chosen[1], width=width)


def strokes(of: Scene, colour: str) -> list[list[tuple[float, float]]]:
    """The places of every unbroken stroke of a colour."""
    found: list[list[tuple[float, float]]] = []
    for shape in of.shapes:
        if shape.ink.stroke == colour and shape.ink.width == 1.2:
            for command, xy in shape.steps:
                if command == "M":
                    found.append([])
                found[-1].append((xy[0], xy[1]))
    return found


@every_story
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_well_drawn(story: str, theme: Theme, width: int) -> None:
    drawn = scene(story, theme=theme, width=width)
    figure = as_plotly.figure(drawn)
    expected = as_plotly.figure(scene("nightly"))
    assert_same_traces(expected, figure, picture.LAYERS)
    assert_apart(texts(figure), figure)
    assert_plain(figure)
    assert_drawn_without_plotly(drawn)
    assert (drawn.width, drawn.height) == (width, 100)


@every_story
def test_a_browser_can_hold_it(story: str) -> None:
    assert_safe_for_a_browser(as_plotly.figure(scene(story)))
    assert len(go.Figure(layers.spec(scene(story))).to_json()) < 600_000


@every_story
def test_marks_are_drawn_alone_and_are_images(story: str) -> None:
    bare, overview = scene(story, marked=False), facts(story)
    count = overview.count
    marked = bare.selecting(picture.selection(bare, overview, window=(0, count // 2), a=(ids(story) or [""])[0]))
    assert marked.drawn is bare.drawn
    assert marked.shapes is bare.shapes
    below, above = layers.marks(marked)
    assert below["visible"] == above["visible"] == bool(count)
    assert layers.marks(bare) == ({"visible": False}, {"visible": False})
    gone = picture.selection(bare, overview, a="12", b="not an id")
    assert not any(layer.items for layer in gone.layers)


@every_story
def test_a_place_is_the_commit_that_is_drawn_there(story: str) -> None:
    drawn, overview = scene(story), facts(story)
    if not overview.count:
        assert picture.commit_at(drawn, overview, 300.0) is None
        return
    scale = Scale.of(overview, drawn.width)
    places = [float(x) for x in scale.middles]
    assert places == sorted(places)
    for index in random.Random(1).sample(range(overview.count), min(overview.count, 200)):
        assert picture.commit_at(drawn, overview, places[index]) == index
    chance = random.Random(2)
    for x in (0.0, 5000.0, *(chance.uniform(0, drawn.width) for _ in range(50))):
        found = picture.commit_at(drawn, overview, x)
        assert found is not None
        assert abs(places[found] - x) == min(abs(place - x) for place in places)


@every_story
def test_every_commit_answers_the_pointer_once(story: str) -> None:
    drawn, overview = scene(story), facts(story)
    areas = next(layer for layer in drawn.layers if isinstance(layer, Areas))
    at = drawn.layers.index(areas)
    places = sorted((area.left, area.right) for area in areas.items)
    assert all(one[1] <= other[0] + 1e-6 for one, other in itertools.pairwise(places))
    known = set(ids(story))
    scale = Scale.of(overview, drawn.width)
    for item, area in enumerate(areas.items):
        clicked = picture.clicked(drawn, at, item)
        if clicked is None:
            assert "expired" in area.hover
            continue
        assert clicked.snapshot in known
        index = overview.index(clicked.snapshot)
        assert index is not None
        assert area.left <= scale.middles[index] <= area.right
    if 0 < overview.count <= 400:
        told = [picture.clicked(drawn, at, i) for i in range(len(areas.items))]
        assert [click.snapshot for click in told if click is not None] == ids(story)


@pytest.mark.parametrize("width", WIDTHS)
@every_story
def test_the_brush_holds_its_window_and_is_never_too_narrow(story: str, width: int) -> None:
    overview = facts(story)
    scale, count = Scale.of(overview, width), facts(story).count
    for first in {0, count // 3, count - 1} if count else ():
        for last in {first, min(first + 5, count - 1), count - 1}:
            left, right = scale.brush(first, last)
            assert right - left >= LEAST_BRUSH - 1e-9
            assert scale.left - 1e-9 <= left <= scale.edges[first] + 1e-9
            assert scale.rights[last] - 1e-9 <= right <= scale.right + 1e-9
            assert scale.brush(last, first) == (left, right)


def test_lines_go_through_every_total_and_break_where_none_is_known() -> None:
    for story in ("nightly", "few", "holed"):
        overview, drawn = facts(story), scene(story)
        scale = Scale.of(overview, drawn.width)
        (top, bottom), column = LINES[2], overview.delete_files
        known = [i for i in range(overview.count) if overview.on_line[i] and column[i] != NULL]
        found = strokes(drawn, drawn.theme.removed.text)
        values = [int(column[i]) for i in known]
        low = min(*values, max(values) * 0.9)
        for i, value in zip(known, values, strict=True):
            y = bottom - (value - low) / (max(values) - low or 1) * (bottom - top)
            near = [p for stroke in found for p in stroke if abs(p[0] - scale.middles[i]) < 1.01]
            assert any(abs(p[1] - y) < 0.01 for p in near), (story, i)
        assert len(found) == (2 if story == "holed" else 1)


def test_dense_lines_keep_the_extremes() -> None:
    overview, drawn = facts("ten thousand"), scene("ten thousand")
    values = overview.delete_files[overview.on_line & (overview.delete_files != NULL)]
    (stroke,) = strokes(drawn, drawn.theme.removed.text)
    top, bottom = LINES[2]
    assert min(y for _, y in stroke) == pytest.approx(top)
    assert max(y for _, y in stroke) == pytest.approx(bottom)
    assert len(stroke) < 4 * drawn.width < len(values)


@pytest.mark.parametrize("story", ["nightly", "orders", "ten thousand"])
@pytest.mark.parametrize("width", WIDTHS)
def test_a_bar_is_as_long_as_its_largest_day(story: str, width: int) -> None:
    overview = facts(story)
    days, scale = overview.days, Scale.of(overview, width)
    drawn = bars(overview, scale)
    assert [i for bar in drawn for i in range(bar.first, bar.last + 1)] == list(range(len(days.day)))
    for bar in drawn:
        rows = range(bar.first, bar.last + 1)
        assert days.written[bar.largest] == max(days.written[i] for i in rows)
        assert days.deleted[bar.deleted] == max(days.deleted[i] for i in rows)
    usual = overview.usual_day or 1
    of_bars = (LIGHT.added.fill, LIGHT.changed.fill)
    boxes = [shape for shape in scene(story, width=width).shapes if shape.ink.fill in of_bars]
    highest = min(xy[1] for shape in boxes for _, xy in shape.steps if xy)
    longest = min(float(max(days.written)) / (usual * CUT), 1.0) * (BARS_BASE - BARS_TOP)
    assert highest == pytest.approx(BARS_BASE - longest, abs=0.01)


def test_a_year_of_days_shares_bars() -> None:
    from tests.figures.overview_stories import nightly, of

    overview = of(lambda: nightly(400))()
    drawn = bars(overview, Scale.of(overview, 560))
    assert len(drawn) < len(overview.days.day)
    assert all(bar.right > bar.left for bar in drawn)
    figure = as_plotly.figure(picture.draw(overview, LIGHT, width=560))
    assert any("largest day" in text for text, *_ in texts(figure))
    assert_apart(texts(figure), figure)


def test_what_stands_at_the_end_are_the_current_totals() -> None:
    said = {text for text, *_ in texts(as_plotly.figure(scene("nightly")))}
    rows, files, deletes = words.last_totals(facts("nightly"))
    assert rows is not None
    assert {f"{rows / 1e6:.3g}M", str(files), str(deletes)} <= said
    assert "main: 195" in said
    assert {"eom-2026-01", "eom-2026-02", "eom-2026-03"} <= said
    for story in ("orders", "few"):
        unknown = None in words.last_totals(facts(story))
        assert unknown == ("not recorded" in {text for text, *_ in texts(as_plotly.figure(scene(story)))})


def test_ten_thousand_commits_are_marked_within_a_few_milliseconds() -> None:
    drawn, overview = scene("ten thousand"), facts("ten thousand")

    def once() -> float:
        start = time.process_time()
        _ = picture.selection(drawn, overview, window=(100, 900), a=ids("ten thousand")[500])
        return time.process_time() - start

    assert min(once() for _ in range(5)) < 0.03
