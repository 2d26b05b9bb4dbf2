from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.page import as_plotly
from explorer.figures.page.names import file_names
from explorer.figures.page.theme import LIGHT
from explorer.figures.sequence_timeline import draw as picture
from explorer.figures.sequence_timeline.bands import _steps
from explorer.figures.sequence_timeline.columns import Columns
from explorer.figures.sequence_timeline.page import FULL, window_meaning, window_of
from explorer.model import formats
from explorer.model.sequence_timeline import words as sequence_timeline_words
from explorer.model.sequence_timeline.facts import FileLifetime, Timeline, Window
from explorer.model.sequence_timeline.scopes import Scopes
from explorer.model.words import partition_name
from tests.figures.drawings import SEQUENCE_TIMELINE
from tests.figures.pages import assert_apart, assert_safe_for_a_browser, elements, plain, texts, trace, words
from tests.figures.sequence_timeline_stories import (
    SELECTED,
    STORIES,
    US,
    busy,
    key,
    path,
    reaches,
    sums,
    two_equality_deletes,
    users,
)

every_story = pytest.mark.parametrize("name", list(STORIES))
SUMMED = [name for name in STORIES if "files" in name or "sums" in name]
DRAWN = list(SELECTED)
facts, figure_of, scene_of, clicks = (
    SEQUENCE_TIMELINE.facts,
    SEQUENCE_TIMELINE.figure_of,
    SEQUENCE_TIMELINE.scene_of,
    SEQUENCE_TIMELINE.clicks,
)


def row_words(figure: go.Figure, timeline: Timeline) -> dict[tuple[str, int | None], list[str]]:
    """The texts within each file's row, from left to right, by the file's key."""
    cells, texts = trace(figure, "cells"), trace(figure, "words")
    found = {}
    for meaning, base, tall in zip(cells.customdata, cells.base, cells.y, strict=True):
        if meaning.startswith("file "):
            offset, _, where = meaning.removeprefix("file ").partition(" ")
            inside = [
                (x, plain(t)) for x, y, t in zip(texts.x, texts.y, texts.text, strict=True) if base < y < base + tall
            ]
            found[where, int(offset) if offset else None] = [t for _, t in sorted(inside)]
    assert set(found) == {file.key for file in timeline.files}
    return found


# --- places ----------------------------------------------------------------------------------------------------------


@every_story
@pytest.mark.parametrize("width", [720, 1380])
def test_every_mark_lies_on_the_page(name: str, width: int) -> None:
    for how in SEQUENCE_TIMELINE.ways(name):
        figure = figure_of(name, width=width, **how)
        for part in ("fills", "cells"):
            bars = trace(figure, part)
            for x, wide, base, tall in zip(bars.x, bars.width if len(bars.x) else (), bars.base, bars.y, strict=True):
                assert min(wide, tall, x - wide / 2, base) >= 0
                assert x + wide / 2 <= figure.layout.width + 0.01
                assert base + tall <= figure.layout.height


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DRAWN)
def test_every_file_has_one_row_and_every_commit_a_head_that_can_be_clicked(name: str) -> None:
    timeline = facts(name)
    found = clicks(scene_of(name))
    assert sorted(map(str, (c.file_key for c in found if c.file))) == sorted(str(file.key) for file in timeline.files)
    commits = {str(commit.snapshot.snapshot_id) for commit in timeline.commits}
    assert {c.snapshot for c in found if c.snapshot} <= commits
    if len(commits) <= 60:
        assert {c.snapshot for c in found if c.snapshot} == commits


def fronts(figure: go.Figure, wide: float) -> list[tuple[float, float]]:
    """Place, and row below the head, of each piece of a front that is so wide."""
    fills, top = trace(figure, "fills"), figure.layout.meta["head"][2]
    found = zip(fills.x, fills.base, fills.width if len(fills.x) else (), fills.marker.color, strict=True)
    return sorted(
        (x, round(y - top, 1))
        for x, y, of, colour in found
        if of == pytest.approx(wide) and colour == LIGHT.removed.fill
    )


@pytest.mark.parametrize("name", DRAWN)
def test_few_live_deletes_have_their_fronts_before_any_is_selected(name: str) -> None:
    timeline = facts(name)
    live = [f.key for f in timeline.files if f.kind != "data" and Scopes(timeline).state(f) == "live"]
    shown = fronts(figure_of(name), 1.4)
    if len(live) <= 3 and len(timeline.files) <= FULL:
        assert shown == sorted(piece for key in live for piece in fronts(figure_of(name, selected_file=key), 2.4))
    else:
        assert shown == []


def dots(figure: go.Figure) -> list[tuple[float, float, str]]:
    """Dots of data sequence numbers below the heads: place and fill."""
    marks, top = trace(figure, "symbols"), figure.layout.meta["head"][2]
    symbols = zip(marks.x, marks.y, marks.marker.symbol, marks.marker.color, strict=True)
    return [(x, y, fill) for x, y, symbol, fill in symbols if symbol == "circle" and y > top]


@pytest.mark.parametrize("name", [name for name in DRAWN if name not in ("version 1", "version 1 at 3", "upgraded")])
def test_a_dot_stands_in_the_column_of_the_data_sequence_number_hollow_if_inherited(name: str) -> None:
    timeline, figure = facts(name), figure_of(name)
    meta = figure.layout.meta
    x_of = dict(zip(meta["commits"], meta["x"], strict=True))
    numbers = {c.snapshot.sequence_number: x_of[str(c.snapshot.snapshot_id)] for c in timeline.commits}
    found = dots(figure)
    data = [file for file in timeline.files if file.kind == "data" and file.data_sequence_number.value is not None]
    assert len(found) == len(data)
    assert sum(fill == LIGHT.page for *_, fill in found) == sum(
        f.data_sequence_number.rule == "inherited" for f in data
    )
    cells = trace(figure, "cells")
    rows = {m: (b, b + h) for m, b, h in zip(cells.customdata, cells.base, cells.y, strict=True)}
    for file in data:
        top, bottom = rows[f"file  {file.file_path}"]
        if file.data_sequence_number.value in numbers and sum(f.key == file.key for f in data) == 1:
            [x] = [x for x, y, _ in found if top < y < bottom]
            assert x == pytest.approx(numbers[file.data_sequence_number.value], abs=0.06)


@pytest.mark.parametrize("width", [720, 1100, 1380])
@pytest.mark.parametrize("axis", ["sequence number", "commit time"])
def test_what_the_front_reaches_lies_before_it_by_sequence_number(width: int, axis: str) -> None:
    timeline = facts("users")
    figure = figure_of("users", width=width, axis=axis, selected_file=SELECTED["users"])
    fronts = [
        (x, base)
        for x, wide, base, colour in zip(
            *(trace(figure, "fills")[k] for k in ("x", "width", "base")),
            trace(figure, "fills").marker.color,
            strict=True,
        )
        if wide == pytest.approx(2.4) and colour == LIGHT.removed.fill
    ]
    assert len({x for x, _ in fronts}) == 1
    front = fronts[0][0]
    meta = figure.layout.meta
    x_of = dict(zip(meta["commits"], meta["x"], strict=True))
    for commit in timeline.commits:
        assert (x_of[str(commit.snapshot.snapshot_id)] < front) is (commit.snapshot.sequence_number < 7)
    assert len(fronts) == sum(file.partition == "region=EU" and file.kind == "data" for file in timeline.files)


def test_the_front_of_positions_stands_right_of_its_own_column() -> None:
    for name, own in (("pos-12", "12"), ("pos-10", "10")):
        figure = figure_of("users", selected_file=key(users(), name))
        fills = trace(figure, "fills")
        places = [x for x, wide in zip(fills.x, fills.width, strict=True) if wide == pytest.approx(2.4)]
        numbers = {c.snapshot.sequence_number: str(c.snapshot.snapshot_id) for c in facts("users").commits}
        meta = figure.layout.meta
        x = dict(zip(meta["commits"], meta["x"], strict=True))[numbers[int(own)]]
        assert len(places) == 1
        assert x < places[0] < x + 40


# --- words -----------------------------------------------------------------------------------------------------------


def test_the_table_of_the_mock_says_what_the_mock_says() -> None:
    figure = figure_of("users", selected_file=SELECTED["users"])
    last = {where.rsplit("/", 1)[-1]: row[-1] for (where, _), row in row_words(figure, facts("users")).items()}
    assert words(figure)[0] == "Equality delete eq-7d reaches 1 of 7 live data files: compact-f0"
    assert "compact-f0 was written at 8 but counts as 6, and 6 < 7" in " · ".join(words(figure))
    assert last == {
        "00001-a1.parquet": "removed at 8; was reached at 7 (1 < 7)",
        "00002-b7.parquet": "removed at 8; was reached at 7 (2 < 7)",
        "00003-c2.parquet": "removed at 8; was reached at 7 (3 < 7)",
        "00006-d9.parquet": "removed at 8; was reached at 7 (6 < 7)",
        "00007-e4.parquet": "no: same commit, 7 < 7 is false",
        "compact-f0.parquet": "yes: 6 < 7, same partition and spec",
        "00012-g5.parquet": "no: newer data, 12 < 7 is false",
        "eq-3b.parquet": "dangling: oldest live number there is 6, not < 3",
        "eq-7d.parquet": "the selected delete",
        "pos-10.parquet": "reaches its target compact-f0: 6 ≤ 10",
        "pos-12.parquet": "reaches its target 00012-g5: 12 ≤ 12",
        "00001-h3.parquet": "no: other partition",
        "00004-j8.parquet": "no: other partition",
        "00009-k1.parquet": "no: other partition",
        "00011-m6.parquet": "no: other partition",
        "eq-4c.parquet": "reaches 00001-h3: 1 < 4",
        "pos-5.parquet": "reaches its target 00001-h3: 1 ≤ 5",
        "eq-11.parquet": "reaches 3 files: 1, 4, 9 < 11",
    }


def test_a_selected_data_file_shows_what_reaches_it() -> None:
    figure = figure_of("users", selected_file=key(users(), "compact-f0"))
    last = {where.rsplit("/", 1)[-1]: row[-1] for (where, _), row in row_words(figure, facts("users")).items()}
    assert words(figure)[0] == "Data file compact-f0 is reached by 2 of 7 live deletes"
    assert last["eq-7d.parquet"] == "yes: 6 < 7, same partition and spec"
    assert last["pos-10.parquet"] == "yes: 6 ≤ 10, it names this file"
    assert last["eq-3b.parquet"] == "no: newer data, 6 < 3 is false"
    assert last["eq-11.parquet"] == "no: other partition"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("users", "1 of 7 live deletes reaches nothing: it is dangling"),
        ("no snapshot", "No snapshot yet, so no file"),
        ("no file", "No file in any snapshot"),
        ("no list", "No file is known, but not all could be read"),
        ("one file", "1 live data file and no live delete"),
        ("version 1", "5 live data files, all with the sequence number 0: every commit was made as version 1"),
        ("phantom", "The one live delete reaches live data; 2 live data files"),
        ("vectors", "1 of 4 live deletes reaches nothing: it is dangling"),
        ("unknown sums", "At least 2 of 19 live deletes reach nothing; of 7 it is unknown"),
        ("sums without deletes", "8,050 live data files and no live delete"),
    ],
)
def test_the_title_is_what_was_found(name: str, title: str) -> None:
    assert words(figure_of(name))[0] == title


@pytest.mark.parametrize(
    ("name", "file", "title"),
    [
        ("phantom", "delete-2", "Equality delete delete-2 reaches 1 of 2 live data files"),
        ("two equality deletes", "eq-global", "Equality delete eq-global reaches 3 of 5 live data files"),
        ("two equality deletes", "eq-eu", "Equality delete eq-eu reaches 1 of 5 live data files: 00001-eu"),
        ("vectors", "pos-2-all", "Position delete pos-2-all reaches nothing: a deletion vector takes its place"),
        ("vectors", "pos-2", "Position delete pos-2 was removed at 3; it reached 1 data file"),
        ("branches", "eq-audit", "Equality delete eq-audit is not on main: only on audit"),
        ("cherry-picked", "eq-3", "Equality delete eq-3 reaches 1 of 2 live data files: 00001-base"),
        ("unknown removal", "eq-6", "Equality delete eq-6 reaches 2 of 3 live data files; of 1 it is unknown"),
        ("unknown removal", "00001-gone", "Data file 00001-gone was removed by an unknown commit"),
        ("users", "00001-a1", "Data file 00001-a1 was removed at 8; 2 deletes reached it"),
        ("users at 6", "eq-7d", "Equality delete eq-7d came later, at 7"),
        ("version 1 at 3", "00005-v1", "Data file 00005-v1 came later, by …3702"),
    ],
)
def test_the_title_is_about_the_selected_file(name: str, file: str, title: str) -> None:
    found = next(f.key for f in facts(name).files if f.file_path.endswith(f"{file}.parquet"))
    assert words(figure_of(name, selected_file=found))[0].startswith(title)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in DRAWN
        if name not in ("three hundred", "users at 6", "one file") and not name.startswith("version 1")
    ],
)
def test_verdicts_beside_the_files_are_those_of_the_plain_rule(name: str) -> None:
    timeline = facts(name)
    selected = next(f for f in timeline.files if f.key == SELECTED[name])
    assert selected.is_live
    shown = row_words(figure_of(name, selected_file=selected.key), timeline)
    vectors = {f.referenced_data_file for f in timeline.files if f.kind == "deletion vector" and f.is_live}
    for file in timeline.files:
        if file.kind == "data" and file.is_live and sum(f.key == file.key for f in timeline.files) == 1:
            superseded = selected.kind == "position deletes" and file.file_path in vectors
            expected = False if superseded else reaches(selected, [file])
            assert shown[file.key][-1].split(":")[0] == {True: "yes", False: "no", None: "unknown"}[expected]


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10_000), st.integers(5, 50), st.integers(1, 4), st.integers(3, 40))
def test_of_any_table_each_verdict_is_that_of_the_plain_rule(seed: int, files: int, places: int, commits: int) -> None:
    timeline = busy(files, places, commits, seed).timeline()
    deletes = [file for file in timeline.files if file.kind == "equality deletes" and file.is_live]
    for selected in deletes[:2]:
        figure = as_plotly.figure(SEQUENCE_TIMELINE.draw(timeline, selected_file=selected.key))
        shown = row_words(figure, timeline)
        live = [file for file in timeline.files if file.kind == "data" and file.is_live]
        for file in live:
            assert shown[file.key][-1].startswith("yes: " if reaches(selected, [file]) else "no: ")
        assert_apart(texts(figure), figure)


def test_files_of_other_branches_are_shown_and_their_deletes_reach_nothing_here() -> None:
    shown = row_words(figure_of("branches", selected_file=SELECTED["branches"]), facts("branches"))
    assert shown[path("00002-audit-only"), None][-1] == "only on audit"
    assert shown[path("00005-staged"), None][-1] == "on no branch or tag any more"
    hover = dict(
        zip(
            trace(figure_of("branches"), "cells").customdata,
            trace(figure_of("branches"), "cells").hovertext,
            strict=True,
        )
    )
    assert "live; removed on another branch at 3" in hover[f"file  {path('00001-gone-on-audit')}"]
    on_audit = row_words(figure_of("branch audit", selected_file=SELECTED["branch audit"]), facts("branch audit"))
    assert on_audit[path("00002-audit-only"), None][-1] == "no: same commit, 2 < 2 is false"
    assert on_audit[path("00001-shared"), None][-1] == "yes: 1 < 2, same partition and spec"


def test_what_is_unknown_is_called_so() -> None:
    figure = figure_of("unknown removal")
    shown = row_words(figure, facts("unknown removal"))
    assert shown[path("00001-gone"), None][-1] == "removed by an unknown commit"
    assert shown[path("00003-unsure"), None][-1] == "unknown: the manifest list of snapshot 5 cannot be read"
    assert "number unknown" in shown[path("00005-numberless"), None]
    assert "unknown: parts of 3 files" in " · ".join(words(figure))


def test_files_that_could_not_be_read_leave_nothing_exact() -> None:
    timeline = facts("users")
    for lacks_data_files, lacks_deletes, lost in (
        (True, False, "data files"),
        (False, True, "deletes"),
        (True, True, "data files and deletes"),
    ):
        lacking = replace(timeline, lacks_data_files=lacks_data_files, lacks_deletes=lacks_deletes)
        expected = ("unknown", f"unknown: {lost} that could not be read")
        assert sequence_timeline_words.evidence(lacking) == expected
    unreadable = replace(lacking, commits=(replace(lacking.commits[0], unreadable="gone"), *lacking.commits[1:]))
    assert sequence_timeline_words.evidence(unreadable)[1] == (
        "unknown: parts of 1 commit, and data files and deletes that could not be read"
    )


def test_a_clock_that_runs_backwards_draws_no_area() -> None:
    for axis, note in (("sequence number", False), ("commit time", True)):
        figure = figure_of("backwards", axis=axis, selected_file=SELECTED["backwards"])
        assert ("times are no order here (1 commit earlier" in " ".join(words(figure))) is note


@pytest.mark.parametrize("name", ["hostile"])
def test_nothing_of_the_table_is_markup(name: str) -> None:
    for file in [None, *(f.key for f in facts(name).files)]:
        assert_safe_for_a_browser(figure_of(name, selected_file=file))
    hover = " ".join(plain(h) for h in trace(figure_of(name), "cells").hovertext)
    assert "onerror=alert(1)" in hover


def test_a_selected_file_that_is_not_at_hand_is_named() -> None:
    figure = as_plotly.figure(
        SEQUENCE_TIMELINE.draw(facts("users"), selected_file=("s3://elsewhere/<b>x.parquet", None))
    )
    assert any(
        "The selected file <b>x.parquet is not among the files drawn here." in sentence for sentence in words(figure)
    )
    assert words(figure)[0] == words(figure_of("users"))[0]


def test_a_removal_that_only_absence_tells_is_inferred() -> None:
    timeline = facts("users")
    file = next(file for file in timeline.files if file.removal is not None)
    by_absence = replace(file.removal, evidence="absence", reason="It is gone.")  # type: ignore[type-var]
    for notes, expected in (
        (("It is gone.",), ("inferred", "inferred: the removal of 1 file")),
        (("It is gone.", "Two entries disagree."), ("unknown", "unknown: parts of 1 file")),
    ):
        changed = replace(file, removals=(by_absence,), removal=by_absence, notes=notes)
        files = tuple(changed if other is file else other for other in timeline.files)
        assert sequence_timeline_words.evidence(replace(timeline, files=files)) == expected


# --- sums ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SUMMED if facts(name).window == Window()])
def test_partitions_in_sums_are_worst_first_and_their_totals_those_of_the_model(name: str) -> None:
    timeline = facts(name)
    listed = [b for b in timeline.bands if b.fronts or b.live_data_files > 2 or timeline.unreadable]
    seen = []
    for first in range(0, len(listed), 12):
        figure = as_plotly.figure(SEQUENCE_TIMELINE.draw(timeline, view=f"from {first}"))
        cells = trace(figure, "cells")
        rows = {}
        for meaning, base, tall in zip(cells.customdata, cells.base, cells.y, strict=True):
            if meaning.startswith("window ,,"):
                rows[window_of(meaning.removeprefix("window "))] = (base, base + tall)
        texts = trace(figure, "words")
        about = "≈ " if timeline.lacks_data_files else ""
        for window, (top, bottom) in rows.items():
            band = next(b for b in timeline.bands if (b.spec_id, b.partition) == (window.spec_id, window.partition))
            shown = [plain(t) for y, t in zip(texts.y, texts.text, strict=True) if top < y < bottom]
            if timeline.unreadable:
                assert shown[1:] == ["?", "?", "?", "?"]
            else:
                assert f"{about}{band.live_data_files:,}" in shown
                assert f"{'≈ ' if timeline.lacks_deletes else ''}{band.live_delete_files:,}" in shown
                assert band.unknown or f"{'≈ ' if timeline.lacks_deletes else ''}{band.dangling:,}" in shown
                assert ("?" in shown) is (band.unknown > 0 and not band.dangling)
            seen.append(band)
        page = f" {formats.span(first + 1, min(first + 12, len(listed)))} of {len(listed)}"
        assert len(listed) <= 12 or any(page in line for line in words(figure)), page
        if first >= 24:
            break
    badness = [(-b.dangling, -b.unknown, -b.live_delete_files, -b.live_data_files) for b in seen]
    assert badness == sorted(badness)
    assert len({(b.spec_id, b.partition) for b in seen}) == len(seen) == min(len(listed), 36)


def test_what_is_not_on_the_page_is_summed_up_below_it() -> None:
    shown = words(figure_of("ninety-four sums"))
    assert [
        word for word in shown if word in {"this page", "+ 84 days", "94 days", "all days"} or "at most 2" in word
    ] == ["this page", "+ 84 days", "of at most 2 files each, no delete", "94 days", "all days"]
    assert "all 10 days with deletes or more than 2 files" in [p for line in shown for p in line.split(" · ")]
    every = next(c.view for c in clicks(scene_of("ninety-four sums")) if c.view and "every" in c.view)
    assert any("days 1–12 of 94" in line for line in words(figure_of("ninety-four sums", view=every)))
    found = words(figure_of("ninety-four sums", search="2026-02-1", sort="name"))
    assert "+ 84 days" in found
    assert "not found by “2026-02-1”" in found
    days = [word for word in found if word.startswith("day = ")]
    assert days == [f"day = 2026-02-1{digit}" for digit in reversed(range(10))]
    assert "None of 94 days has 2031 in its name." in words(figure_of("ninety-four sums", search="2031"))


def test_more_files_than_have_names_are_told_by_partition_and_of_one_partition_one_by_one() -> None:
    in_sums = [
        name
        for name in ("sixty", "three hundred", "three hundred of nine")
        if "reach nothing" in words(figure_of(name))
    ]
    assert in_sums == ["three hundred of nine"]
    delete = next(f for f in facts("three hundred of nine").files if f.kind != "data")
    told = " ".join(words(figure_of("three hundred of nine", selected_file=delete.key)))
    assert f"is told in sums: open {delete.partition.replace('=', ' = ')} to see it" in told


def test_a_part_of_a_strip_opens_the_numbers_below_the_pointer() -> None:
    timeline, figure = facts("200,000 files"), figure_of("200,000 files")
    numbers = [commit.snapshot.sequence_number for commit in timeline.commits]
    of_first: list[tuple[float, Window]] = []
    cells = trace(figure, "cells")
    for x, meaning in zip(cells.x, cells.customdata, strict=True):
        if meaning.startswith("window ") and not meaning.startswith("window ,,"):
            of_first.append((x, window_of(meaning.removeprefix("window "))))
    windows = [w for _, w in sorted(of_first, key=lambda each: each[0]) if w.partition == of_first[0][1].partition]
    assert windows[0].first == numbers[0]
    assert windows[-1].last == numbers[-1]
    for one, other in itertools.pairwise(windows):
        assert other.first == one.last + 1  # type: ignore[operator]


def test_a_part_of_too_many_files_shows_its_partition_and_its_numbers_alone() -> None:
    timeline = facts("one part of 200,000 files")
    window = timeline.window
    opened = [w for c in clicks(scene_of("one part of 200,000 files")) if (w := c.window) is not None]
    assert {w.partition for w in opened if w != Window()} == {window.partition}
    narrower = [w for w in opened if w.first is not None and w.last is not None]
    assert narrower
    assert all(window.first <= w.first <= w.last <= window.last for w in narrower)  # type: ignore[operator]
    assert not any(w.through for w in narrower)
    assert {c.snapshot for c in clicks(scene_of("one part of 200,000 files")) if c.snapshot} <= {
        str(c.snapshot.snapshot_id) for c in timeline.commits if window.holds(c.snapshot.sequence_number)
    }


def test_a_part_of_a_history_has_columns_for_what_its_files_need() -> None:
    timeline, figure = facts("one part of three hundred"), figure_of("one part of three hundred")
    needed = {f.added_sequence_number for f in timeline.files} | {f.removed_sequence_number for f in timeline.files}
    needed |= {value.value for f in timeline.files for value in (f.data_sequence_number, f.file_sequence_number)}
    shown = {c.snapshot for c in clicks(scene_of("one part of three hundred")) if c.snapshot}
    numbers = {c.snapshot.sequence_number for c in timeline.commits if str(c.snapshot.snapshot_id) in shown}
    assert set(range(10, 21)) <= numbers <= {*range(10, 21), *needed}
    assert 0 < len(timeline.files) < 300
    assert "Columns are the commits of this part, and others that its files name." in " ".join(words(figure))


def test_windows_are_written_and_read_alike() -> None:
    for window in (
        Window(),
        Window(1, 9, through=False),
        Window(None, 4, 3, ""),
        Window(spec_id=0, partition='a="x y"/b= =c'),
    ):
        assert window_of(window_meaning(window).removeprefix("window ")) == window


def test_a_part_of_the_history_leads_back_to_the_whole() -> None:
    figure = figure_of("users of one region")
    assert Window() in [c.window for c in clicks(scene_of("users of one region"))]
    assert Window() not in [c.window for c in clicks(scene_of("users"))]
    assert any(f"here 7 files of {US.replace('=', ' = ')}" in sentence for sentence in words(figure))


# --- selection -------------------------------------------------------------------------------------------------------


@every_story
def test_the_selected_commit_is_marked_in_the_drawn_figure_as_when_drawn_anew(name: str) -> None:
    commits = [commit.snapshot for commit in facts(name).commits]
    ids = [str(commit.snapshot_id) for commit in commits if facts(name).window.holds(commit.sequence_number)]
    for selected in [None, *ids[:1], *ids[-1:], "12345"]:
        drawn = SEQUENCE_TIMELINE.draw(facts(name), selected=selected)
        assert scene_of(name).selecting(picture.selection(scene_of(name), selected=selected)) == drawn
        fresh = as_plotly.figure(drawn)
        assert fresh.layout.shapes[0].visible is bool(selected in ids)
        shown = " ".join(plain(t) for t in trace(fresh, "elsewhere").text or ())
        assert ("12345: no commit of this timeline" in shown) is (selected == "12345")


def test_a_click_says_what_it_is_about() -> None:
    scene = scene_of("vectors")
    assert picture.Clicked(file=f"{path('x')[:-9]}shared-vectors.puffin", content_offset=44) in clicks(scene)
    for index, layer in enumerate(scene.layers):
        if layer.name not in ("cells", "elsewhere"):
            assert not any(picture.clicked(scene, index, i) for i in range(len(layer.items)))
    assert picture.clicked(scene, picture.LAYERS.index("cells"), 10**6) is None
    assert [c.view for c in clicks(scene_of("200,000 files")) if c.view] == ["from 12"]
    further = [c.view for c in clicks(scene_of("200,000 files", view="from 12")) if c.view is not None]
    assert "from 0" in further, "back to the first partitions, not out of what was asked for"


def test_a_million_files_are_few_elements() -> None:
    timeline = sums(1_000_000, 400, 10_000, 60)
    figure = as_plotly.figure(SEQUENCE_TIMELINE.draw(timeline))
    assert len(figure.to_json()) < 1_000_000
    assert elements(figure) < 4_000


def test_long_names_are_cut_as_long_as_they_stay_apart() -> None:
    lifetimes = users()
    for i in range(3):
        lifetimes.add(f"0000{i}-{i}-1c142ffe-c3f5-4089-9820-f2a530d50754-00001{'-deletes' if i else ''}", US)
    names = set(file_names(file.key for file in lifetimes.timeline().files).values())
    assert len(names) == len(lifetimes.lifetimes)
    assert all(len(name) <= 20 for name in names)


def test_two_lifetimes_of_one_file_are_two_rows() -> None:
    lifetimes = [file for file in facts("cherry-picked").files if file.file_path.endswith("00002-staged.parquet")]
    assert [isinstance(file, FileLifetime) for file in lifetimes] == [True, True]
    targets = [c.file for c in clicks(scene_of("cherry-picked")) if c.file_key == lifetimes[0].key]
    assert len(targets) == 2


def test_a_global_delete_reaches_every_partition() -> None:
    figure = figure_of("two equality deletes", selected_file=key(two_equality_deletes(), "eq-global"))
    shown = row_words(figure, facts("two equality deletes"))
    yes = [where for (where, _), row in shown.items() if row[-1] == "yes: 1 < 2, its scope is every file"]
    assert sorted(re.sub(r".*/|\.parquet", "", where) for where in yes) == ["00001-eu", "00001-plain", "00001-us"]


@pytest.mark.parametrize("name", ["users", "three hundred of nine", "three hundred files lacking"])
def test_steps_of_a_partition_are_its_files_live_after_each_commit(name: str) -> None:
    timeline = facts(name)
    columns = Columns(timeline, timeline.numbers, 200, 900, "sequence number")
    for band in timeline.bands:
        place = band.spec_id, band.partition
        files = [f for f in timeline.files if f.kind == "data" and (f.spec_id, f.partition) == place]
        lives = [(f.added_sequence_number or 0, f.removed_sequence_number or math.inf) for f in files]
        steps = _steps(columns, band, columns.right)
        for column in columns.all:
            after = [count for x, count in steps if x <= column.x][-1]
            assert after == sum(born <= column.number < died for born, died in lives), (place, column.number)


def test_a_title_of_sums_says_where_files_pile_up() -> None:
    live = [band.live_data_files for band in facts("ninety-four sums").bands]
    piled = [files for files in live if files > 2]
    held = f"{len(piled)} of 94 days hold {sum(piled):,} of {sum(live):,} live data files; "
    assert words(figure_of("ninety-four sums"))[0].startswith(held)


def test_of_one_partition_the_title_tells_what_its_row_does() -> None:
    told = users().timeline(window=Window(spec_id=0, partition=US))
    assert picture.title(told) == "region = US holds 4 live data files and 3 live deletes"
    whole = sums(1_000, 9, 60, 40)
    titles = set()
    for band in whole.bands:
        told = replace(whole, window=Window(spec_id=band.spec_id, partition=band.partition))
        shown = words(as_plotly.figure(picture.draw(told, LIGHT, name="t", width=1100)))
        assert picture.title(told) == shown[0]
        assert picture.title(told).startswith(
            f"{partition_name(band.spec_id, band.partition)} holds {band.live_data_files:,} "
        )
        assert (f"{band.dangling:,} of {band.live_delete_files:,} live deletes" in picture.title(told)) == bool(
            band.dangling
        )
        titles.add(picture.title(told))
    assert len(titles) == len(whole.bands)
