from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.compare import draw as picture
from explorer.figures.compare.files import MOST_PARTITIONS
from explorer.figures.page import as_plotly
from explorer.figures.page.fold import Part
from explorer.figures.page.theme import LIGHT
from explorer.model.compare.facts import Comparison
from explorer.model.compare.fields import FieldChange
from explorer.model.compare.rows import NetRows
from explorer.model.compare.words import evidence
from explorer.model.iceberg.inheritance import ContentKind
from explorer.model.iceberg.partition_changes import Tally
from tests.figures import compare_stories as stories
from tests.figures.drawings import COMPARE
from tests.figures.pages import WIDTHS, cells, elements, hovers, trace, words

facts, figure_of, scene_of, clicks = COMPARE.facts, COMPARE.figure_of, COMPARE.scene_of, COMPARE.clicks


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [
    ("mock", ["238 → 251: 58,220 rows inserted, 5,978 updated, 1 deleted, 5 columns differ",
        "238 is an ancestor of 251, 13 commits before it", "+53,784", "1,493,141 → 1,546,925", "−50", "+3.1 MB",
        "9 partitions differ", "19 · 24.7k rows", "DV ×3", "3 shared files under other deletes",
        "1 shared under other deletes, 5 listed otherwise", "133 data files and 12 delete files in both",
        "// 244,170: equal rows in files that only one side has", "9 of 64,199 rows in which they differ",
        "id = 11, status: paid → shipped", "widened, old files stay readable", "5 fields differ, 4 the same",
        "new column, old name: null in older files", "changes behaviour", "text only", "unsorted"]),
    ("not read", ["238 → 251: 46 data files only in 251, 101 only in 238; rows were not compared",
        "Rows were not read: at least 156 data files, 58.8 MB, 18,204 rows.", "is not known. Properties have no"]),
    ("diverged", ["audit and main diverged at 128: audit has 4 commits of its own, main has 151", "last common", "128",
        "to bring audit to main", "fast_forward('main', 'audit')", "✕ no", "! loses",
        "branch audit · 4 commits of its own", "×12", "Neither is an ancestor of the other"]),
    ("base expired", [", expired: "]),
    ("same", ["main and 7 are one snapshot: nothing differs", "No row differs.", "no file differs", "±0",
        "current on main at 2026-01-01 03:00:00 UTC"]),
    ("unrelated", ["3 and 9 have no common ancestor: each line begins with a root of its own"]),
    ("unknown", ["Whether 3 and 9 have a common ancestor is not known: ancestors have expired"]),
    ("other layout", ["equal rows in other files, 9 data files only in", ", 99 only in",
        "Equal rows, other layout: no reader gets another answer, only at another price.", "No row differs."]),
    ("two tables", ["orders and orders_copy: 12 rows deleted", "Two tables: lake.shop.orders and",
        "inferred: Which files of the two tables are the same."]),
    ("way back", ["251 → 238", "The way back: 251 descends from 238 by 13 commits", "what going back would"]),
    ("appended", ["3 → 4: 7,800 rows inserted"]),
    ("many", ["×77", "▸ 376 more partitions", "and 84 more", "unknown", "12,345,678,901"]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = " ".join(words(figure_of(name)))
    assert [s for s in expected if s not in shown] == []


def test_fields_of_two_tables_were_not_renamed() -> None:
    of_one = replace(facts("mock"), fields=(FieldChange(2, "item", "customer string", "item string", ("renamed",)),))
    assert "renamed, same id: values kept" in words(as_plotly.figure(picture.draw(of_one, LIGHT)))
    of_two = replace(facts("two tables"), fields=of_one.fields)
    assert "same id, another name" in words(as_plotly.figure(picture.draw(of_two, LIGHT)))


def test_rows_without_a_key_are_exact_but_for_updates() -> None:
    rows = replace(facts("appended").rows or NetRows(0, 0, 0), inserted=5, deleted=3, pairing="none")
    told = replace(facts("appended"), rows=rows)
    assert evidence(told) == ("exact", "exact, but an update is told as a row deleted and one inserted")
    assert evidence(replace(told, rows=replace(rows, deleted=0))) == ("exact", "exact")


@pytest.mark.parametrize("name", ["mock", "many"])
@pytest.mark.parametrize("width", WIDTHS)
def test_bars_of_both_sides_have_one_scale_and_begin_at_one_line(name: str, width: int) -> None:
    of = facts(name).files.partitions[:MOST_PARTITIONS]
    figure = figure_of(name, width=width)
    told = [(h.split("<br>")[0], c) for h, c in zip(trace(figure, "cells").hovertext, cells(figure), strict=True)]
    bars = [(t, c) for t, c in told if "data file" in t]
    left = [(t, c) for t, c in bars if "only in A" in t]
    right = [(t, c) for t, c in bars if "only in B" in t]
    assert len(left) == sum("data" in p.left for p in of)
    assert len(right) == sum("data" in p.right for p in of)
    middle = {round(c[3], 1) for _, c in left} | {round(c[1], 1) for _, c in right}
    assert len(middle) == 1
    files = [int(t.split()[0].removeprefix("<b>").replace(",", "")) for t, _ in bars]
    scales = {(c[3] - c[1]) / n for n, (_, c) in zip(files, bars, strict=True) if c[3] - c[1] > 3.1}
    assert max(scales) == pytest.approx(min(scales), abs=0.01)


def test_commits_stand_between_the_two_points_in_their_order() -> None:
    scene, found = scene_of("mock"), facts("mock").relation
    assert found is not None
    places = {snapshot: boxes[0][0] for snapshot, boxes in scene.meta["places"].items()}
    order = [found.left, *found.right_commits]
    xs = [places[str(s.snapshot_id)] for s in order]
    assert xs == sorted(xs)
    back = scene_of("way back").meta["places"]
    assert [back[str(s.snapshot_id)][0][0] for s in order] == sorted((b[0][0] for b in back.values()), reverse=True)


def test_every_commit_of_a_long_way_is_in_a_capsule() -> None:
    scene, found = scene_of("many"), facts("many").relation
    assert found is not None
    assert {str(s.snapshot_id) for s in (found.left, *found.right_commits)} == set(scene.meta["places"])
    assert any("77 commits" in hover for hover in hovers(figure_of("many")))


# --- clicks and selection --------------------------------------------------------------------------------------------


def test_clicks_lead_through_all_partitions_and_back() -> None:
    seen, view = 0, ""
    for _ in range(40):
        targets = {c.view for c in clicks(scene_of("many", view=view)) if c.view}
        first = Part.parse(view).first
        seen = max(seen, min(first + MOST_PARTITIONS, 400))
        ahead = [v for v in targets if Part.parse(v).first > first]
        if not ahead:
            break
        view = min(ahead, key=lambda v: Part.parse(v).first)
    assert seen == 400
    assert any(Part.parse(v).first < Part.parse(view).first for v in targets)
    assert picture.part_with(399) == str(Part(384))
    assert picture.part_with(3) == ""


def test_a_click_on_a_mark_names_its_commit() -> None:
    found = facts("mock").relation
    assert found is not None
    named = {c.snapshot for c in clicks(scene_of("mock")) if c.snapshot}
    assert named == {str(s.snapshot_id) for s in (found.left, *found.right_commits)}
    assert scene_of("mock", view="from 9999") == scene_of("mock")
    assert scene_of("mock", view="from 3 in x") == scene_of("mock")


@pytest.mark.parametrize("name", ["mock", "diverged", "many"])
def test_moving_the_selection_is_drawing_it(name: str) -> None:
    for selected in (str(facts(name).left.snapshot.snapshot_id), "77", None):
        bare = scene_of(name)
        assert bare.selecting(picture.selection(bare, selected=selected)) == scene_of(name, selected=selected)


def test_a_selected_snapshot_elsewhere_is_named() -> None:
    assert "selected 77: not between the two" in " ".join(
        t for part in figure_of("mock", selected="77").data for t in part.text or ()
    )


def test_four_hundred_partitions_are_few_elements() -> None:
    figure = as_plotly.figure(picture.draw(facts("many"), LIGHT))
    assert elements(figure) < 1_000
    assert len(figure.to_json()) < 260_000


@pytest.mark.parametrize("length", range(28, 44))
def test_what_is_selected_elsewhere_has_room_beside_a_relation_of_any_length(length: int) -> None:
    found = stories.told(stories.ancestor(1, 2))
    found = replace(found, left=replace(found.left, asked="0" * length, named="tag"))
    COMPARE.assert_well_drawn(COMPARE.draw(found, width=560, selected="77"))


@st.composite
def comparisons(draw: st.DrawFn) -> Comparison:
    kinds: list[ContentKind] = ["equality deletes", "position deletes", "deletion vector"]
    numbers = st.integers(0, 10**9)
    partitions = [
        stories.day(
            draw(st.text(max_size=60)), draw(numbers), draw(numbers), draw(numbers), draw(numbers),
            {kind: Tally(draw(numbers) + 1, draw(numbers), 5) for kind in draw(st.sets(st.sampled_from(kinds)))},
            {kind: Tally(draw(numbers) + 1, draw(numbers), 5) for kind in draw(st.sets(st.sampled_from(kinds)))},
            spec_id=draw(st.integers(0, 2)),
        )
        for _ in range(draw(st.integers(0, 5)))
    ]  # fmt: skip
    found = stories.told(
        stories.ancestor(1, 1 + draw(st.integers(1, 90))),
        files=stories.files(partitions),
        rows=NetRows(draw(numbers), draw(numbers), draw(numbers), draw(numbers)) if draw(st.booleans()) else None,
        fields=stories.FIELDS[: draw(st.integers(0, 5))],
        settings=stories.SETTINGS[: draw(st.integers(0, 5))],
        figures=stories.figures([draw(st.none() | numbers) for _ in range(8)], stories.OTHER),
    )
    return replace(found, left=replace(found.left, asked=draw(st.text(max_size=200)), named="tag"))


@given(comparisons(), st.sampled_from(WIDTHS))
@settings(max_examples=40, deadline=None)
def test_any_comparison_can_be_drawn(drawn: Comparison, width: int) -> None:
    COMPARE.assert_well_drawn(COMPARE.draw(drawn, width=width, selected="77"))
