from __future__ import annotations

import itertools
import re
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.deletes import draw as picture
from explorer.figures.deletes.layout import Contents
from explorer.figures.page import as_plotly
from explorer.figures.page.fold import Part
from explorer.figures.page.theme import DARK, LIGHT, Theme, blend
from explorer.model.deletes.facts import PartitionDeletes
from tests.figures.deletes_stories import FOLDER, Work, crowd
from tests.figures.drawings import DELETES
from tests.figures.pages import WIDTHS, assert_safe_for_a_browser, cells, elements, hovers, plain, trace, words

facts, figure_of, scene_of, clicks = DELETES.facts, DELETES.figure_of, DELETES.scene_of, DELETES.clicks
WITH_WORDS = (
    "mock",
    "one and one",
    "30 x 20",
    "30 x 20 scattered",
    "unknown",
    "two vectors",
    "shared puffin",
    "hostile",
)
CLAUSES = {"spec": {"spec"}, "partition": {"partition", "part"}, "path": {"path"}, "statistics": {"stats"},
        "deletion vector": {"has DV", "DV"}}  # fmt: skip


def checklist(figure: go.Figure) -> list[str]:
    """What is said of the selection, without markup."""
    return [plain(t) for t in trace(figure, "checklist").text or ()]


def rows_of(figure: go.Figure, colour: str) -> list[tuple[float, float]]:
    """Top and bottom of the grounds in a colour."""
    shapes = [s for s in figure.layout.shapes if s.type == "path" and s.fillcolor == colour]
    numbers = [re.findall(r"[\d.]+", part) for s in shapes for part in s.path.split("M")[1:]]
    return [(min(map(float, n[1::2])), max(map(float, n[1::2]))) for n in numbers]


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [
    ("mock", ["2 of 10 deletes reach nothing; one delete is global and reaches 8 of 10 data files", "region = EU",
        "spec 2", "…t-f0", "2 < 3", "9 ≥ 7", "19 ≤ 19", "partition", "path", "stats", "has DV", "dangling",
        "reaches 1 file, 1 ruled out by bounds", "is not live", "18 of 100 pairs", "< 17", "≤ 12", "every file"]),
    ("no deletes", ["No live delete: a reader takes every row of 12 data files"]),
    ("nothing", ["No live file: nothing is stored, nothing is deleted"]),
    ("no data", ["2 of 2 deletes reach nothing", "dangling", "there is no live data file"]),
    ("one and one", ["The one delete reaches the one data file", "1 < 2", "1 of 1 pair", "unpartitioned"]),
    ("unknown", ["unknown: 2 of 5 delete manifests. NoSuchKey: the object does not exist.", "≥ 2", "?",
        "reaches 2 files, 1 unknown"]),
    ("two vectors", ["5 of 5 deletes are corrupt: readers refuse the file", "corrupt", "≥ 0"]),
    ("shared puffin", ["12 deletes to apply to 12 of 12 data files", "…etes·4", "…etes·444", "12 ≤ 13"]),
    ("reaches everything", ["3 of 3 deletes reach all 8 data files", "reaches all 8 files"]),
    ("94 days", ["2 of 47 deletes are corrupt: readers refuse the file; 34 of 47 deletes reach nothing",
        "days 1–13 of 14 with deletes", "+ 1 day", "on other pages", "+ 80 days", "without a delete of their own",
        "94 days", "163", "next 1 ▸", "all days", "data begins at 295"]),
    ("many", ["710 of 6,715 deletes reach nothing; all 710 lie in 29 of 201 partitions", "partitions 1–13 of 201 with "
        "deletes", "next 13 ▸", "bounds do not meet", "≥ 710", "4 not known", "1,000,000"]),
    ("partitions not at hand", ["+ 4,900 partitions", "without a delete, of fewer files: not told one by one",
        "980,000", "5,001 partitions"]),
    ("nulls", ["k = null (spec 1)", 'k = "null" (spec 1)', 'k = "" (spec 1)', "values not recorded"]),
    ("lacking", ["40 deletes to apply to 35 of 60 data files; more deletes and data files could not be read", "≥ 60",
        "?", "5 not known"]),
    ("unreadable", ["What is deleted at …7741 cannot be told",
        "The manifest list cannot be read: The file does not exist."]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = words(figure_of(name, width=1800 if name == "shared puffin" else 1380))
    assert [s for s in expected if s not in shown] == []


def test_the_second_line_says_how_sure_the_picture_is() -> None:
    second = {name: " ".join(words(figure_of(name))[1:4]) for name in ("mock", "30 x 20", "unknown", "many")}
    assert "inferred from column bounds: 2 pairs, all else exact" in second["mock"]
    assert second["30 x 20"].count("exact") == 1
    assert "unknown: 6 pairs" in second["unknown"]
    assert "unknown: 8 pairs" in second["many"]
    bounds = replace(facts("30 x 20"), statistics_evaluated=False)
    shown = words(as_plotly.figure(picture.draw(bounds, LIGHT, name="t")))
    assert any("exact (column statistics not compared, so at most)" in line for line in shown)
    assert "≤ 4" in shown
    assert "at most 46 of 560 pairs" in shown


# --- cells -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1380, 1800])
@pytest.mark.parametrize("name", WITH_WORDS)
def test_every_pair_is_one_cell_that_says_what_decides(name: str, width: int) -> None:
    deletes, scene, figure = facts(name), scene_of(name, width=width), figure_of(name, width=width)
    lifetimes = {live.file.key: live.file for live in deletes.deletes}
    files = {live.file.file_path: live.file for live in deletes.data_files}
    inside = {
        (x, y): plain(t) for t, x, y in zip(*(trace(figure, "words")[k] for k in ("text", "x", "y")), strict=True)
    }
    cell_of = {}
    for i, (_, left, top, right, bottom) in enumerate(cells(figure)):
        clicked = picture.clicked(scene, picture.LAYERS.index("cells"), i)
        if clicked and clicked.delete and clicked.file:
            assert (clicked.delete, clicked.file) not in cell_of
            cell_of[clicked.delete, clicked.file] = [
                word for (x, y), word in inside.items() if left < x < right and top < y < bottom
            ]
    assert cell_of.keys() == {(pair.delete, pair.data_path) for pair in deletes.pairs}
    for pair in deletes.pairs:
        (word,) = cell_of[pair.delete, pair.data_path]
        verdict, sign = pair.verdict, lifetimes[pair.delete].sign
        old, new = files[pair.data_path].data_sequence_number.value, lifetimes[pair.delete].data_sequence_number.value
        if verdict.applies:
            assert word.replace(" ", "") in {f"{old}{sign}{new}", sign}
        elif verdict.applies is None:
            assert word in ({"unknown", "?"} if verdict.decided_by == "sequence" else {"corrupt", "✕"})
        elif verdict.decided_by == "sequence" and lifetimes[pair.delete].data_file == pair.data_path:
            assert word in {"corrupt", "✕"}  # a vector that is older than its file
        elif verdict.decided_by == "sequence":
            against = {"<": "≥", "≤": ">"}[sign]
            assert word.replace(" ", "") in {f"{old}{against}{new}", against}
        else:
            assert word in CLAUSES[verdict.decided_by]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("name", ["mock", "30 x 20", "31 x 12", "100 x 100", "100 x 100 of one"])
def test_as_many_cells_are_filled_as_pairs_are_reached(name: str, theme: Theme) -> None:
    figure = figure_of(name, theme=theme)
    filled = [s for s in figure.layout.shapes if s.type == "path" and s.fillcolor == theme.removed.fill]
    boxes = [re.findall(r"[\d.]+", part) for s in filled for part in s.path.split("M")[1:]]
    key = 1
    bars = 0 if name in ("mock", "30 x 20") else sum(f.reached_by > 0 for f in facts(name).data_files)
    assert len(boxes) == facts(name).reached_pairs + key + bars


@pytest.mark.parametrize("name", ["mock", "30 x 20", "unknown", "shared puffin"])
def test_below_each_data_file_stands_how_many_deletes_are_applied_to_it(name: str) -> None:
    figure = figure_of(name)
    wide = figure.layout.meta["columns"]
    part = trace(figure, "words")
    low = figure.layout.meta["area"][3]
    sums = {x: plain(t) for t, x, y in zip(part.text, part.x, part.y, strict=True) if low < y < low + 40}
    for live in facts(name).data_files:
        left, right = wide[live.file.file_path]
        below = sums[(left + right) / 2]
        assert below.removeprefix("≥").strip() == str(live.reached_by)
        unclear = [p for p in facts(name).pairs if p.data_path == live.file.file_path and p.verdict.applies is None]
        assert below.startswith("≥") == bool(unclear)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("name", ["mock", "30 x 20", "100 x 100 of one", "no data"])
def test_exactly_the_dangling_deletes_are_highlighted(name: str, theme: Theme) -> None:
    figure = figure_of(name, theme=theme)
    grounds = rows_of(figure, blend(theme.attention.fill, theme.page, 0.14))
    rows = figure.layout.meta["rows"]
    dangling = [live for live in facts(name).deletes if live.state == "dangling"]
    places = [rows[f"{'' if live.file.content_offset is None else live.file.content_offset} {live.file.file_path}"]
              for live in dangling]  # fmt: skip
    assert sorted(grounds) == sorted((round(top, 1), round(bottom, 1)) for top, bottom in places)
    assert words(figure).count("dangling") == len(dangling) > 0


def test_a_corrupt_delete_has_a_bar_at_its_left_and_an_outlined_cell() -> None:
    figure = figure_of("two vectors")
    assert len(rows_of(figure, LIGHT.error)) == facts("two vectors").states["corrupt"] == 5
    outlined = [s for s in figure.layout.shapes if s.line.color == LIGHT.error and s.line.width == 2]
    assert sum(s.path.count("M") for s in outlined) == words(figure).count("corrupt") - 5 + 1  # verdicts; the key


def test_cells_without_words_are_filled_outlined_or_blank_and_answer_in_runs() -> None:
    figure, deletes = figure_of("100 x 100"), facts("100 x 100")
    files = {live.file.file_path: live.file for live in deletes.data_files}
    width = figure.layout.meta["columns"][deletes.data_files[0].file.file_path]
    counted = 0.0
    for hover, (_, left, _, right, _) in zip(trace(figure, "cells").hovertext, cells(figure), strict=True):
        if hover.startswith("<b>reached:"):
            counted += (right - left) / (width[1] - width[0])
            n = int(re.search(r"reached: (\d+) data", plain(hover))[1])  # type: ignore[index]
            assert (right - left) / (width[1] - width[0]) == pytest.approx(n)
    assert round(counted) == deletes.reached_pairs
    assert len(files) == 100


# --- sums ------------------------------------------------------------------------------------------------------------


IN_ROWS = ["94 days", "many", "few partitions", "400 files", "nulls", "lacking", "100 x 100 scattered"]


HEADS = ("eq", "pos, DV", "reach", "nothing", "files")


def table(figure: go.Figure) -> dict[str, list[int]]:
    """The counts below the heads, by what stands at the left of their line; of `?` none is known: at least 0."""
    part = trace(figure, "words")
    found = [(round(y, 1), round(x, 1), plain(t)) for t, x, y in zip(part.text, part.x, part.y, strict=True)]
    top = next(y for y, _, word in found if word == "pos, DV")
    ends = [next(x for y, x, word in found if (y, word) == (top, head)) for head in HEADS]
    cells = {(y, x): word for y, x, word in found}
    names = {y: word for y, x, word in found if x == 20 and (y, ends[0]) in cells and y > top}
    counts = {name: [cells[y, end].strip("≥≤≈ ").replace(",", "") for end in ends] for y, name in sorted(names.items())}
    return {name: [0 if count == "?" else int(count) for count in row] for name, row in counts.items()}


@pytest.mark.parametrize("width", [720, 1380])
@pytest.mark.parametrize("sort", ["worst", "name", "number"])
@pytest.mark.parametrize("name", IN_ROWS)
def test_pages_lead_through_all_partitions_and_each_page_sums_up_to_the_whole(name: str, sort: str, width: int) -> None:
    deletes, view, seen = facts(name), "", []
    listed = [row for row in deletes.by_partition if row.fronts]
    for page in range(-(-len(listed) // 13)):
        scene = scene_of(name, width=width, view=view, sort=sort)
        figure = as_plotly.figure(scene)
        rows, (*_, whole) = table(figure), table(figure).values()
        seen += list(figure.layout.meta["rows"])
        on_page = [line for head, line in rows.items() if head in {"this page"} or head.startswith("all ")]
        folded = [line for head, line in rows.items() if head.startswith("+ ")]
        assert len(on_page) == 1
        if folded:
            assert [sum(column) for column in zip(*on_page, *folded, strict=True)] == whole
        eq, positions, *_, files = whole
        assert (eq + positions, files) == (deletes.delete_count, deletes.data_file_count)
        place, last = page * 13 + 1, min(page * 13 + 13, len(listed))
        which = [words for words in words_below(figure) if f" of {len(listed)} with deletes" in words]
        assert not which or f" {place}–{last} of" in which[0] or f" {place} of" in which[0]
        later = [c.view for c in clicks(scene) if c.view and Part.parse(c.view).first > Part.parse(view).first]
        view = later[0] if later else ""
    assert view == ""
    assert len(seen) == len(set(seen))
    assert set(seen) == {f"{row.spec_id} {row.partition}" for row in listed}


def words_below(figure: go.Figure) -> list[str]:
    """Everything said, with parts of the second line apart."""
    return [part for line in words(figure) for part in line.split(" · ")]


def test_worst_partitions_come_first_and_other_orders_are_by_name_and_by_number() -> None:
    by_place = {f"{row.spec_id} {row.partition}": row for row in facts("94 days").by_partition}

    def rows(**how: str) -> list[PartitionDeletes]:
        return [by_place[place] for place in figure_of("94 days", **how).layout.meta["rows"]]

    worst = [(sum(front.corrupt for front in row.fronts), row.dangling) for row in rows()]
    assert worst == sorted(worst, reverse=True)
    names = [row.partition for row in rows(sort="name")]
    assert names == sorted(names, reverse=True), "dates from the newest down"
    oldest = [row.oldest for row in rows(sort="number")]
    assert oldest == sorted(oldest)  # type: ignore[type-var]


def test_a_search_lists_all_partitions_of_a_name_whatever_lies_in_them() -> None:
    figure = figure_of("94 days", search="2026-02-2")
    expected = {f"1 day=2026-02-2{day}" for day in range(10)}
    assert set(figure.layout.meta["rows"]) == expected
    assert "all 10 days found by “2026-02-2”" in words_below(figure)
    assert "not found by “2026-02-2”" in words(figure)
    assert "+ 84 days" in table(figure)
    assert table(figure)["94 days"] == table(figure_of("94 days"))["94 days"]
    nothing = figure_of("94 days", search="no such day")
    assert nothing.layout.meta["rows"] == {}
    assert "None of 94 has no such day in its name." in words(nothing)


def test_partitions_without_a_delete_are_listed_on_request() -> None:
    every = next(
        c.view for c in clicks(scene_of("94 days")) if c.view and Part.parse(c.view).opened == "every partition"
    )
    assert "days 1–13 of 94" in words_below(figure_of("94 days", view=every))
    last = figure_of("94 days", view=str(replace(Part.parse(every), first=91)))
    assert len(last.layout.meta["rows"]) == 3
    assert "◂ previous 13" in words(last)


def test_a_million_files_are_few_elements() -> None:
    figure = as_plotly.figure(picture.draw(facts("many"), LIGHT, name="t"))
    assert elements(figure) < 600
    assert len(figure.to_json()) < 120_000


def test_ten_thousand_pairs_are_few_elements() -> None:
    for name, most in (("100 x 100", 750_000), ("100 x 100 of one", 500_000), ("100 x 100 scattered", 100_000)):
        figure = as_plotly.figure(picture.draw(facts(name), LIGHT, name="t"))
        assert elements(figure) < 1_500
        assert len(figure.to_json()) < most


def test_a_partition_in_sums_is_opened_if_its_pairs_are_at_hand_and_else_asked_for() -> None:
    opened = {c.view for c in clicks(scene_of("400 files")) if c.view}
    assert str(Part.of_partition(1, "day=2026-01-04")) in opened
    asked = {c.partition for c in clicks(scene_of("many")) if c.partition}
    assert (1, "tenant=00012") in asked
    assert not {c.view for c in clicks(scene_of("many")) if c.view and Part.parse(c.view).opened}


# --- clicks and views ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*WITH_WORDS, "100 x 100", "no data", "large numbers"])
def test_a_click_names_each_delete_and_each_file(name: str) -> None:
    targets = clicks(scene_of(name))
    assert {c.delete for c in targets if c.delete and not c.file} >= {d.file.key for d in facts(name).deletes}
    assert {c.file for c in targets if c.file and not c.delete} == {f.file.file_path for f in facts(name).data_files}


def test_vectors_of_one_puffin_file_are_told_apart() -> None:
    keys = {c.delete for c in clicks(scene_of("shared puffin")) if c.delete}
    assert keys == {(f"{FOLDER}00013-deletes.puffin", 4 + 40 * i) for i in range(12)}


@pytest.mark.parametrize("name", ["mock", "30 x 20", "400 files"])
def test_an_opened_partition_has_its_files_and_the_deletes_in_whose_scope_they_are(name: str) -> None:
    deletes = facts(name)
    for view in sorted({c.view for c in clicks(scene_of(name)) if c.view and Part.parse(c.view).opened})[:3]:
        figure = figure_of(name, view=view)
        place = Part.parse(view).partition
        inside = {f.file.file_path for f in deletes.data_files if (f.file.spec_id, f.file.partition) == place}
        assert set(figure.layout.meta["columns"]) == inside
        scope = ("spec", "partition", "path")
        near = {
            pair.delete
            for pair in deletes.pairs
            if pair.data_path in inside and (pair.verdict.applies is not False or pair.verdict.decided_by not in scope)
        }
        assert len(figure.layout.meta["rows"]) == len(near)
        assert "" in {c.view for c in clicks(scene_of(name, view=view))}
        assert "◂ all partitions" in words(figure)


def test_a_partition_that_is_not_at_hand_is_not_opened() -> None:
    assert Contents.of(facts("many"), Part.of_partition(1, "tenant=00001")).part == Part()


def test_a_point_that_means_nothing_is_no_click() -> None:
    scene = scene_of("mock")
    assert picture.clicked(scene, picture.LAYERS.index("words"), 0) is None
    assert picture.clicked(scene, picture.LAYERS.index("cells"), 10_000) is None
    alone = scene_of("100 x 100")
    first = next(i for i, m in enumerate(trace(as_plotly.figure(alone), "cells").customdata) if not m)
    assert picture.clicked(alone, picture.LAYERS.index("cells"), first) is None


# --- selection -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mock", "100 x 100", "many", "400 files", "unreadable", "hostile", "bounded"])
def test_moving_the_selection_is_drawing_it_and_costs_next_to_nothing(name: str) -> None:
    deletes = facts(name)
    keys = [None, ("gone.parquet", None), *(d.file.key for d in deletes.deletes[:1])]
    paths = [None, "s3://gone.parquet", *(f.file.file_path for f in deletes.data_files[:1])]
    for key, path in itertools.product(keys, paths):
        bare = scene_of(name)
        pieces = picture.selection(bare, deletes, selected_delete=key, selected_file=path)
        assert bare.selecting(pieces) == scene_of(name, selected_delete=key, selected_file=path)
        assert [layer.name for layer in pieces.layers] == ["ring", "elsewhere", "checklist"]


def test_a_selected_pair_is_ringed_and_its_clauses_are_listed() -> None:
    deletes = facts("mock")
    for pair in deletes.pairs:
        figure = figure_of("mock", selected_delete=pair.delete, selected_file=pair.data_path)
        listed = checklist(figure)
        assert [c.words for c in pair.verdict.clauses] == [
            w for w in listed if w in {c.words for c in pair.verdict.clauses}
        ]
        marks = [{True: "✓", False: "✕", None: "?"}[c.holds] for c in pair.verdict.clauses]
        assert [w for w in listed if w in "✓✕?"] == marks
        assert listed[0].endswith(": reached" if pair.verdict.applies else ": not reached")
        bold = [plain(t) for t in trace(figure, "checklist").text if t.startswith("<b>")]
        assert pair.verdict.reason in bold
        ring = trace(figure, "ring")
        left, right = figure.layout.meta["columns"][pair.data_path]
        assert (min(ring.x), max(ring.x)) == pytest.approx((left - 1, right + 1))
        assert figure.layout.shapes[0].visible


def test_a_selected_delete_has_its_row_ringed_and_a_selected_file_its_column() -> None:
    deletes = facts("mock")
    seventh = next(d for d in deletes.deletes if d.threshold == "< 7")
    figure = figure_of("mock", selected_delete=seventh.file.key)
    top, bottom = figure.layout.meta["rows"][f" {seventh.file.file_path}"]
    assert (min(trace(figure, "ring").y), max(trace(figure, "ring").y)) == pytest.approx((top - 1, bottom + 1))
    assert "reaches 3 files of 10" in checklist(figure)
    assert "ruled out: 3 by spec, 3 by partition, 1 by sequence" in checklist(figure)
    compacted = deletes.data_files[2]
    figure = figure_of("mock", selected_file=compacted.file.file_path)
    left, right = figure.layout.meta["columns"][compacted.file.file_path]
    assert (min(trace(figure, "ring").x), max(trace(figure, "ring").x)) == pytest.approx((left - 1, right + 1))
    assert checklist(figure)[2] == "deletes to apply when it is read: 3: …q-7d, …q-17, …s-10"


def test_what_is_not_in_the_picture_is_named_and_leads_back_if_it_is_elsewhere() -> None:
    figure = figure_of("mock", selected_delete=("s3://x/<b>gone</b>.parquet", None))
    assert trace(figure, "elsewhere").text == ("<b>selected b&gt;.parquet: not in this picture</b>",)
    assert not figure.layout.shapes[0].visible
    opened = str(Part.of_partition(1, "region=US"))
    european = facts("mock").data_files[0].file.file_path
    figure = figure_of("mock", view=opened, selected_file=european)
    assert "00001-a1.parquet: not in view ▸" in trace(figure, "elsewhere").text[0]
    assert picture.clicked(
        scene_of("mock", view=opened, selected_file=european), picture.LAYERS.index("elsewhere"), 0
    ) == (picture.Clicked(view=""))


def test_one_in_sums_is_ringed_with_its_partition() -> None:
    deletes = facts("400 files")
    live, file = deletes.deletes[0], deletes.data_files[-1]
    for how, of in (
        ({"selected_delete": live.file.key}, live.file),
        ({"selected_file": file.file.file_path}, file.file),
    ):
        figure = figure_of("400 files", **how)
        row = figure.layout.meta["rows"][f"1 {of.partition}"]
        ring = trace(figure, "ring")
        assert (min(ring.y), max(ring.y)) == pytest.approx((row[0] - 1, row[1] + 1))
    folded = next(row for row in facts("94 days").by_partition if not row.fronts)
    inside = next(f.file for f in facts("94 days").data_files if f.file.partition == folded.partition)
    figure = figure_of("94 days", selected_file=inside.file_path)
    assert "not in this picture" in trace(figure, "elsewhere").text[0]


# --- names and chance ------------------------------------------------------------------------------------------------


def test_what_a_table_calls_things_stays_text() -> None:
    for width, chosen in itertools.product((720, 1380), facts("hostile").deletes):
        file = facts("hostile").data_files[0].file.file_path
        assert_safe_for_a_browser(
            figure_of("hostile", width=width, selected_delete=chosen.file.key, selected_file=file)
        )
    shown = " ".join(hovers(figure_of("hostile")))
    assert "<script>alert(1)</script>" in shown
    assert "<img src=x" in shown


@st.composite
def works(draw: st.DrawFn) -> Work:
    """Any snapshot: a few files in a few partitions of two specs, deletes of every kind, numbers known or not."""
    work = Work(at=draw(st.sampled_from([0, 7, 2**40])))
    small = st.integers(0, 30)
    numbers = st.one_of(st.none(), small, st.integers(0, 2**63 - 1)) if draw(st.booleans()) else small
    places = st.sampled_from(["", "region=EU", "region=US", '"a b"="<x>"', "x=" + "y" * 70])
    for _ in range(draw(st.integers(0, 24))):
        work.file(draw(numbers), draw(places), spec_id=draw(st.sampled_from([0, 1, 2])))
    for i in range(draw(st.integers(0, 34))):
        kind, more = draw(st.sampled_from(["eq", "pos", "dv"])), {}
        target = draw(st.sampled_from([*(f.file_path for f in work.data), "s3://gone.parquet"]))
        if kind == "dv":
            more = {"of": target, "content_offset": 4 + 40 * i, "name": "vectors"}
        elif kind == "pos" and draw(st.booleans()):
            more = {"of": target}
        work.delete(kind, draw(numbers), draw(places), spec_id=draw(st.sampled_from([0, 1, 2])), **more)
    return work


@given(works(), st.sampled_from(WIDTHS))
@settings(max_examples=60, deadline=None)
def test_any_deletes_can_be_drawn(work: Work, width: int) -> None:
    deletes = work.all()
    sums = replace(deletes, pairs=(), deletes=deletes.deletes[:1]) if deletes.delete_count > 1 else deletes
    for drawn, view in ((deletes, ""), (deletes, "from 0 in 1 region=EU"), (sums, ""), (sums, "from 1")):
        key = deletes.deletes[0].file.key if deletes.deletes else None
        path = deletes.data_files[0].file.file_path if deletes.data_files else None
        DELETES.assert_well_drawn(DELETES.draw(drawn, width=width, view=view, selected_delete=key, selected_file=path))


def test_more_than_what_decides_has_room_for_is_told_by_partition() -> None:
    for deletes, files, in_rows in ((20, 21, True), (40, 20, True), (20, 20, False)):
        drawn = as_plotly.figure(picture.draw(crowd(deletes, files, 3).all(), LIGHT, name="t"))
        assert ("why nothing" in words(drawn)) is in_rows, (deletes, files)
    alone = as_plotly.figure(picture.draw(crowd(60, 90, 1).all(), LIGHT, name="t"))
    assert "why nothing" not in words(alone), "one partition is drawn pair by pair as long as there is room"
