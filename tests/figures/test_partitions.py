from __future__ import annotations

import itertools
from collections import defaultdict
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.page import as_plotly, layers
from explorer.figures.page.scene import Box, Rectangles, Scene
from explorer.figures.page.theme import DARK, LIGHT
from explorer.figures.partitions import draw as picture
from explorer.figures.partitions.columns import columns
from explorer.figures.partitions.heat import Scale
from explorer.figures.partitions.layout import Layout, Shown
from explorer.model.partitions.facts import Partitions
from explorer.model.partitions.grid import grid, measured
from tests.figures.drawings import PARTITIONS
from tests.figures.pages import WIDTHS, elements, hovers, texts, words
from tests.figures.partitions_stories import STORIES, Told

every_story = pytest.mark.parametrize("name", list(STORIES))
facts, figure_of, scene_of, clicks = PARTITIONS.facts, PARTITIONS.figure_of, PARTITIONS.scene_of, PARTITIONS.clicks


def ids(name: str) -> list[str]:
    return [str(s.snapshot_id) for s in facts(name).commits]


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [
    ("mock", ["ordered_at_day = 2026-03-13 holds 34,562 rows, 2.0× the usual partition, since 241", "94 partitions",
        "292 commits of main, after the last one of each day", "1 Jan to 31 Mar 2026, UTC", "0 to 34.6k",
        "After 292 the partitions shown hold 1,656,805 live rows in 265 data files, 196 MB, and 81 delete files.",
        "Bars are to scale up to 44,019 rows; longer ones are cut, the longest is 92,444 rows."]),
    ("one", ["Not partitioned: 15,818 rows in 11 data files", "net change", "per commit", "sequence"]),
    ("regions", ["region = null holds 31,040 rows, 2.2× the usual partition, grown from 1,952 in 7–29",
        "median 13.9k"]),
    ("equality", ["2 partitions hold at most 10,000 rows, 5,000 rows each", "but for rows that equality deletes mask",
        "spec 1: unpartitioned", "spec 0: region", "at most 10,000 live rows"]),
    ("specs", ["spec 1: region, day", "spec 0: region", "APAC, 2026-02-10"]),
    ("holes", ["6 partitions hold 14,330 rows, 1,855 to 2,946 each", "unknown after 4 commits",
        "not known: its manifest list, or a manifest, cannot be read"]),
    ("lost", ["No file is known, but not all could be read", "No file in what could be read"]),
    ("expired", ["its parent 77 is no longer listed"]),
    ("version 1", ["3 partitions hold 217 rows", "commit"]),
    ("emptied", ["No partition holds a data file any more; 2 partitions held a file"]),
    ("skewed", ["540,009× the usual partition, grown from nothing in 1–30", "each shade 6.4× the one before"]),
    ("hours", ["2,000 partitions in 84 groups", "2026-03-01 (24)"]),
    ("buckets", ["1,995 partitions in 286 groups", "EU, 36 … 42 (7)", "US, 35 … 41 (7)"]),
    ("busy", ["10,000 commits of main, after the last one of each day"]),
    ("burst", ["after the last one of each 5 commits"]),
    ("backwards", ["clock of", "is behind one before: they stand where that one does."]),
    ("never", ["No partition ever held a file", "1 commit and no file: nothing was ever added."]),
    ("empty", ["No current snapshot, so no partition holds a file"]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = " ".join(words(figure_of(name)))
    assert [s for s in expected if s not in shown] == []


def test_what_is_searched_for_is_told_of_alone() -> None:
    shown = " ".join(words(figure_of("mock", search="2026-02")))
    assert "28 of 94 partitions" in shown
    assert "ordered_at_day = 2026-02-26 holds 30,367 rows" in shown
    assert "2026-03-13" not in shown
    assert "None of 94 partitions has nowhere in its name." in " ".join(words(figure_of("mock", search="nowhere")))


def test_a_window_by_itself_is_told_of_alone() -> None:
    window = ids("mock")[99], ids("mock")[119]
    shown = " ".join(words(figure_of("mock", window=window, zoomed=True)))
    assert "21 of 292 commits of main" in shown
    assert "After 120 the partitions shown hold" in shown
    assert "since 241" not in shown


def test_ids_and_times_are_whole_on_hover() -> None:
    own = facts("mock").commits[240]
    shown = hovers(figure_of("mock"))
    assert any(line.startswith(f"since 241, snapshot {own.snapshot_id}, 2026-03-16 ") for line in shown)
    assert "ordered_at_day = 2026-03-13" in shown
    assert "at least 0 of them masked" in " ".join(hovers(figure_of("equality")))


# --- cells -----------------------------------------------------------------------------------------------------------


def drawn(scene: Scene) -> list[tuple[Box, str]]:
    """The cells that are drawn, with their colours."""
    found = []
    top = scene.meta["top"]
    for shape in scene.shapes:
        if shape.ink.fill in (scene.theme.grid, *scene.theme.heat):
            for i in range(0, len(shape.steps), 5):
                xy = [shape.steps[i + n][1] for n in range(4)]
                box = Box(xy[0][0], xy[0][1], xy[2][0], xy[2][1])
                if box.top >= top - 0.1:
                    found.append((box, shape.ink.fill))
    return found


@every_story
@pytest.mark.parametrize("how", [{}, {"measure": "bytes", "theme": DARK}, {"measure": "delete files", "width": 720}])
def test_a_cell_is_darker_for_more_and_not_there_for_nothing(name: str, how: dict[str, object]) -> None:
    scene = scene_of(name, **how)
    told, meta = facts(name), scene.meta
    if not meta["rows"]:
        return
    shown = Shown.of(told, "", "")
    members = [shown.members(row) for row in shown.rows]
    matrix = grid(told, members, np.array(meta["ends"]))
    values = measured(matrix.sums, how.get("measure", "live rows"))  # type: ignore[arg-type]
    cells = drawn(scene)
    left, _, step = meta["columns"]
    rank = {colour: n for n, colour in enumerate((scene.theme.grid, *scene.theme.heat))}
    by_value: dict[int, set[int]] = defaultdict(set)
    for row, (top, bottom) in enumerate(meta["rows"]):
        here = [cell for cell in cells if cell[0].top < (top + bottom) / 2 < cell[0].bottom]
        for column, end in enumerate(meta["ends"]):
            x = left + (column + 0.5) * step
            colours = [colour for box, colour in here if box.left < x < box.right]
            first = meta["ends"][column - 1] + 1 if column else meta["first"]
            lost = [n for n in range(first, end + 1) if n in told.unreadable]
            if len(lost) == end + 1 - first and lost:
                assert colours == [], "a hole"
            elif not matrix.sums.files[row, column]:
                assert colours == []
            else:
                [colour] = colours
                by_value[int(values[row, column])].add(rank[colour])
    ordered = sorted(by_value.items())
    assert all(len(ranks) == 1 for _, ranks in ordered)
    ranks = [next(iter(ranks)) for _, ranks in ordered]
    assert ranks == sorted(ranks)


def test_a_hole_is_hatched_and_says_why() -> None:
    scene = scene_of("holes")
    [fills] = [layer for layer in scene.layers if layer.name == "fills"]
    assert isinstance(fills, Rectangles)
    left, _, step = scene.meta["columns"]
    hatched = [r.box for r in fills.items if r.hatch and r.box.top >= scene.meta["top"] - 1]
    assert [(round((b.left - left) / step), round((b.right - left) / step)) for b in hatched] == [
        (6, 8),
        (11, 12),
        (19, 20),
    ]
    assert "not known after 2 commits" in hovers(figure_of("holes"))
    assert "7: The manifest list was not found: it was deleted." in hovers(figure_of("holes"))
    marks = [text for text, *_ in texts(figure_of("holes")) if text == "?"]
    assert len(marks) == 4


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=40))
def test_shades_rise_with_values_and_use_what_there_is(values: list[int]) -> None:
    column = np.array(values)
    scale = Scale.of(column, 8)
    shades = scale.shades(column)
    assert [shade for _, shade in sorted(zip(values, shades.tolist(), strict=True))] == sorted(shades.tolist())
    assert ((shades == -1) == (column == 0)).all()
    if scale.steps:
        assert shades.max() == scale.steps - 1
    colours = [scale.colour(shade, LIGHT) for shade in range(-1 if scale.has_zero else 0, scale.steps)]
    assert len(set(colours)) == len(colours)


def test_bars_above_say_what_became_more_in_all() -> None:
    for name, measure in itertools.product(STORIES, ("live rows", "delete files")):
        told = facts(name)
        if not told.partitions:
            continue
        layout = Layout.of(told, measure, Shown.of(told, "", ""), 1100, (0, len(told.commits) - 1))  # type: ignore[arg-type]
        now = layout.values[:, -1].sum()
        assert layout.change.sum() == now


@pytest.mark.parametrize(("name", "columns"), [("mock", []), ("expired", [0]), ("holes", [8, 12])])
def test_a_change_since_what_is_not_known_is_no_full_bar(name: str, columns: list[int]) -> None:
    scene = scene_of(name)
    [fills] = [layer for layer in scene.layers if layer.name == "fills"]
    left, _, step = scene.meta["columns"]
    hatched = [r.box for r in fills.items if r.hatch and scene.meta["band"][0] < r.box.top < scene.meta["top"] - 1]
    assert [round((box.left - left) / step) for box in hatched] == columns
    assert any(line.startswith("A hatched bar is") for line in words(figure_of(name))) == bool(columns)
    said = [
        line for line in hovers(figure_of(name)) if line.endswith(("what was last known", "what was there before too"))
    ]
    assert bool(said) == bool(columns)


def test_commits_of_a_few_minutes_are_told_apart_by_the_second() -> None:
    told = Told()
    for n in range(300):
        told.commit(step=timedelta(seconds=0.2))
        told.add(f"k={n % 3}", 3)
    drawn = as_plotly.figure(picture.draw(told.facts(), LIGHT, name="t"))
    assert {"06:00:00", "06:00:59"} <= set(words(drawn))


# --- columns ---------------------------------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from([1, 60, 3_600, 86_400, 40 * 86_400]), min_size=1, max_size=300),
    st.integers(10, 200),
    st.integers(0, 5),
)
def test_every_commit_is_in_one_column_and_columns_are_few(steps: list[int], most: int, place: int) -> None:
    told = Told()
    for step in steps:
        told.commit(step=timedelta(seconds=step))
    found = columns(told.commits, most, place=place)
    assert len(found.items) <= most
    inside = [n for column in found.items for n in range(column.first, column.last + 1)]
    assert inside == list(range(place, place + len(steps)))
    for column in found.items:
        if column.start is not None and column.first <= column.last:
            assert told.commits[column.first - place].committed_at >= column.start  # type: ignore[operator]
    assert found.ends.tolist() == sorted(found.ends.tolist())


# --- clicks, drags and selection -------------------------------------------------------------------------------------


def test_a_click_on_a_cell_names_its_partition_and_the_commit_that_left_it_so() -> None:
    told = facts("regions")
    meant = {(c.snapshot, c.partition) for c in clicks(scene_of("regions")) if c.snapshot and c.partition}
    expected = {
        (str(told.commits[commit].snapshot_id), tuple(told.partitions[partition]))
        for partition, commit in zip(told.partition.tolist(), told.commit.tolist(), strict=True)
    }
    assert meant == expected


@pytest.mark.parametrize("name", ["hours", "buckets", "regions by day"])
def test_clicks_lead_from_groups_to_every_partition(name: str) -> None:
    seen, views, todo = set(), {""}, [""]
    while todo:
        targets = clicks(scene_of(name, view=todo.pop()))
        seen |= {c.partition for c in targets if c.partition}
        new = {c.view for c in targets if c.view} - views
        views |= new
        todo += new
    assert seen == {tuple(partition) for partition in facts(name).partitions}
    opened = next(view for view in views if view)
    assert "" in {c.view for c in clicks(scene_of(name, view=opened))}


def test_a_drag_over_cells_is_a_window_and_one_partition_is_named() -> None:
    scene, told = scene_of("mock"), facts("mock")
    left, _, step = scene.meta["columns"]
    top, bottom = scene.meta["rows"][3]
    ends = scene.meta["ends"]
    one = Box(left + 10.2 * step, top + 1, left + 12.5 * step, bottom - 1)
    found = picture.dragged(scene, told, one)
    assert found is not None
    window, partition = found
    assert window == (ids("mock")[ends[9] + 1], ids("mock")[ends[12]])
    assert partition == told.partitions[3]
    several = picture.dragged(scene, told, one._replace(bottom=bottom + 9))
    assert several == (window, None)
    for nowhere in (Box(0, 0, 10, 10), one._replace(top=scene.height + 10.0, bottom=scene.height + 20.0)):
        assert picture.dragged(scene, told, nowhere) is None
    searched = scene_of("mock", search="2026-01")
    low, high = searched.meta["rows"][0]
    left, _, step = searched.meta["columns"]
    found = picture.dragged(searched, told, Box(left + 1, low + 1, left + 2, high - 1))
    assert found is not None
    assert found[1] is not None
    assert found[1].partition == "ordered_at_day=2026-01-31"


@pytest.mark.parametrize("name", ["mock", "specs", "hours", "holes", "empty"])
def test_moving_the_selection_is_drawing_it(name: str) -> None:
    told = facts(name)
    commits, places = ids(name), [tuple(p) for p in told.partitions]
    for selected, partition, window in (
        (commits[0] if commits else "7", places[-1] if places else None, None),
        ("77", (9, "no=such"), None),
        (None, places[0] if places else (0, ""), (commits[0], commits[-1]) if commits else ("1", "2")),
    ):
        bare = scene_of(name)
        pieces = picture.selection(bare, told, selected=selected, partition=partition, window=window)
        assert bare.selecting(pieces) == scene_of(name, selected=selected, partition=partition, window=window)


def test_what_is_selected_is_ringed_where_it_is() -> None:
    told = facts("mock")
    place = [p.partition for p in told.partitions].index("ordered_at_day=2026-03-13")
    scene = scene_of("mock", partition=(0, "ordered_at_day=2026-03-13"), window=(ids("mock")[223], ids("mock")[259]))
    [ring] = [layer for layer in scene.layers if layer.name == "ring"]
    [line] = ring.items
    xs, ys = zip(*line, strict=True)
    left, _, step = scene.meta["columns"]
    assert (min(ys), max(ys)) == tuple(scene.meta["rows"][place])
    first = round((min(xs) - left) / step)
    last = round((max(xs) - left) / step) - 1
    ends = scene.meta["ends"]
    assert ends[first - 1] < 223 <= ends[first]
    assert ends[last - 1] < 259 <= ends[last]
    hidden = scene_of("mock", partition=(0, "ordered_at_day=2026-03-13"), search="2026-01")
    assert "selected ordered_at_day = 2026-03-13: not among these partitions" in str(hidden.layers[-1])


def test_ten_thousand_commits_are_few_elements() -> None:
    for name in ("busy", "buckets", "hours"):
        figure = as_plotly.figure(picture.draw(facts(name), LIGHT, name="t"))
        assert elements(figure) < 5_000
        live = layers.spec(picture.draw(facts(name), LIGHT, name="t"))
        live["layout"].pop("template")
        assert len(str(live)) < 1_600_000


@st.composite
def histories(draw: st.DrawFn) -> Partitions:
    told = Told(version=draw(st.sampled_from([1, 2])))
    names = draw(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=9, unique=True))
    for _ in range(draw(st.integers(0, 40))):
        told.commit(
            draw(st.sampled_from(["append", "delete", "replace", None])),
            timedelta(seconds=draw(st.integers(-999, 10**6))),
        )
        for name in draw(st.lists(st.sampled_from(names), max_size=3)):
            deletes = draw(st.integers(0, 2))
            told.add(f"k={name}", draw(st.integers(0, 10**7)), 1, spec=len(name) % 3, delete_files=deletes)
    n = len(told.commits)
    lost = draw(st.sets(st.integers(1, max(n, 1)), max_size=n // 3))
    return told.facts(dict.fromkeys(lost, "Denied. " * 30))


@given(histories(), st.sampled_from(WIDTHS), st.sampled_from(["live rows", "bytes", "data files", "delete files"]))
@settings(max_examples=40, deadline=None)
def test_any_history_can_be_drawn(told: Partitions, width: int, measure: str) -> None:
    for search in ("", "1"):
        PARTITIONS.assert_well_drawn(PARTITIONS.draw(told, width=width, measure=measure, search=search))
