from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.changelog import draw as picture
from explorer.figures.changelog.chart import ROWS
from explorer.figures.changelog.layout import FULL, Columns
from explorer.figures.page import as_plotly
from explorer.figures.page.fold import Part
from explorer.figures.page.theme import DARK, LIGHT
from explorer.model.changelog import words as changelog_words
from explorer.model.changelog.facts import Mode
from tests.figures.changelog_stories import STORIES, Log, numbers, sequence_a, sequence_b, week
from tests.figures.drawings import CHANGELOG
from tests.figures.pages import (
    WIDTHS,
    assert_apart,
    assert_safe_for_a_browser,
    assert_same_traces,
    plain,
    texts,
    trace,
    words,
)

NAMES = ("Sequence A", "Sequence B")
every_story = pytest.mark.parametrize("name", list(STORIES))
facts, figure_of, scene_of, clicks = CHANGELOG.facts, CHANGELOG.figure_of, CHANGELOG.scene_of, CHANGELOG.clicks


def beside(mode: Mode, **how: Any) -> go.Figure:
    return as_plotly.figure(
        picture.draw_side_by_side(sequence_a().changelog(mode), sequence_b().changelog(mode), LIGHT, names=NAMES, **how)
    )


# --- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["raw", "ownership"])
def test_two_tables_side_by_side_have_the_traces_of_one(mode: Mode) -> None:
    assert_same_traces(figure_of("week raw"), beside(mode), picture.LAYERS)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("mode", ["raw", "changes", "updates", "net", "ownership"])
def test_two_tables_side_by_side_overlap_nowhere(mode: Mode, width: int) -> None:
    both = beside(mode, width=width)
    assert_apart(texts(both), both)
    many = numbers(40, 5)
    figure = as_plotly.figure(
        picture.draw_side_by_side(
            many.changelog(mode), week().changelog(mode), DARK, names=("a" * 90, "<b>"), width=width
        )
    )
    assert_apart(texts(figure), figure)
    middle = figure.layout.width / 2
    for part in ("fills", "cells"):
        bars = trace(figure, part)
        halves = [(x, wide) for x, wide in zip(bars.x, bars.width, strict=True) if abs(x - middle) < wide / 2]
        assert not halves or width < picture.BOTH_WIDTH


@every_story
@pytest.mark.parametrize("width", WIDTHS)
def test_every_commit_of_the_range_is_in_one_column_in_order_and_none_leaves_the_page(name: str, width: int) -> None:
    changelog = facts(name)
    columns = Columns(changelog, Part(), 120.0, width - 24.0, 180.0)
    assert tuple(commit for column in columns.all for commit in column.commits) == changelog.range.commits
    assert len(columns.all) <= 61
    assert columns.right <= width - 24 + 0.01
    for one, other in itertools.pairwise(columns.all):
        assert one.right == other.left
    assert all(column.width >= 5 for column in columns.all)
    printed = set(changelog.counts or {}) - {c.snapshot.snapshot_id for c in changelog.range.commits}
    assert (columns.place(-1) is None) is not bool(printed)
    for column in columns.all:
        if column.kind == "no rows":
            assert not any((changelog.counts or {}).get(c.snapshot.snapshot_id) for c in column.commits)


# --- what is drawn ---------------------------------------------------------------------------------------------------


def blocks(figure: go.Figure, name: str) -> list[tuple[float, float, float, float, str]]:
    """Left, top, right, bottom of bars, with their colour or, for `cells`, their meaning."""
    part = trace(figure, name)
    if not len(part.x):
        return []
    what = part.customdata if name == "cells" else part.marker.color
    return [
        (x - wide / 2, base, x + wide / 2, base + y, colour)
        for x, wide, base, y, colour in zip(part.x, part.width, part.base, part.y, what, strict=True)
    ]


SMALL = [
    name
    for name, make in STORIES.items()
    if "thousand" not in name and "many" not in name and "fifty" not in name and "lost" not in name
]


@pytest.mark.parametrize("name", SMALL)
def test_every_change_at_hand_can_be_clicked_where_it_is_drawn(name: str) -> None:
    changelog = facts(name)
    named = {(c.snapshot, c.key) for c in clicks(scene_of(name)) if c.key is not None}
    keys = {(None, row.key) for row in changelog.rows}
    expected = {(str(row.snapshot_id), row.key) for row in changelog.rows}
    read = changelog.counts is not None and len(changelog.range.commits) + (changelog.mode == "ownership") > 0
    assert named == (expected | keys if read else set())


@pytest.mark.parametrize("name", SMALL)
def test_every_commit_that_stands_alone_can_be_clicked(name: str) -> None:
    changelog = facts(name)
    named = {c.snapshot for c in clicks(scene_of(name)) if c.snapshot is not None and c.key is None}
    columns = Columns(changelog, Part(), 120.0, 1356.0, 180.0)
    assert named == {str(c.commits[0].snapshot.snapshot_id) for c in columns.all if c.commits and not c.opens}


@every_story
def test_the_counts_that_are_shown_are_those_of_the_model(name: str) -> None:
    changelog = facts(name)
    counts = changelog.counts or {}
    hovers = [plain(h.replace("<br>", "\n")) for h in trace(figure_of(name), "cells").hovertext]
    for column in Columns(changelog, Part(), 120.0, 1356.0, 180.0).all:
        if len(column.commits) != 1 or column.opens or not counts:
            continue
        snapshot_id = column.commits[0].snapshot.snapshot_id
        hover = next(h for h in hovers if h.startswith(f"snapshot {snapshot_id}\n"))
        one = counts.get(snapshot_id)
        shown = dict.fromkeys(("inserted", "updated", "deleted", "carried over", "live row"), 0)
        for n, word in re.findall(r"([\d,]+) (inserted|updated|deleted|carried over|live row)", hover):
            shown[word] += int(n.replace(",", ""))
        if one is None:
            assert not any(shown.values())
        elif changelog.mode == "ownership":
            assert shown["live row"] == one.printed
        else:
            copied = (one.carried_over or 0) if changelog.mode == "raw" else 0
            assert shown["inserted"] + copied == one.rows.get("INSERT", 0)
            assert shown["deleted"] + copied == one.rows.get("DELETE", 0)
            assert shown["updated"] == one.rows.get("UPDATE_AFTER", 0)
            assert shown["carried over"] == (one.carried_over or 0)


def test_bars_have_one_scale_and_their_numbers_below_them() -> None:
    changelog = facts("week changes")
    figure = figure_of("week changes")
    head = max(top for *_, top in [(b[0], b[3]) for b in figure.layout.meta["heads"]])
    for hue, word, kind in ((LIGHT.added, "inserted", "INSERT"), (LIGHT.removed, "deleted", "DELETE")):
        counted = [one.rows[kind] for one in (changelog.counts or {}).values() if kind in one.rows]  # type: ignore[index]
        first_row = min(b[1] for b in blocks(figure, "cells") if b[4].startswith("row  "))
        bars = [b for b in blocks(figure, "fills") if b[4] == hue.fill and head < b[1] and b[3] < first_row]
        heights = [b[3] - b[1] for b in sorted(bars)]
        assert [h / heights[-1] for h in heights] == pytest.approx([n / counted[-1] for n in counted])
        style = trace(figure, "words")
        y = next(y for y, t in zip(style.y, style.text, strict=True) if plain(t).endswith(f" {word}"))
        values = [plain(t) for t, at, x in zip(style.text, style.y, style.x, strict=True) if at == y and x > 110]
        assert values == [f"{n:,}" for n in counted]


def test_bars_of_two_tables_have_one_scale() -> None:
    figure = beside("raw")
    first_row = min(b[1] for b in blocks(figure, "cells") if b[4].startswith("row  "))
    bars = sorted(b for b in blocks(figure, "fills") if b[4] == LIGHT.added.fill and b[1] > 150 and b[3] < first_row)
    assert [round(b[3] - b[1], 3) for b in bars] == [round(bars[0][3] - bars[0][1], 3)] * 4


def live_after(log: Log) -> list[tuple[int, set[str]]]:
    """Keys that are live after each commit of a log."""
    live: set[str] = set()
    found = []
    for of, work in log.work.items():
        live = (live - {key for key, _ in work.gone}) | {key for key, _ in work.came}
        found.append((of, live))
    return found


def strips(figure: go.Figure, key: str) -> list[tuple[float, float]]:
    """Left and right of the thin strips of a row."""
    label = next(b for b in blocks(figure, "cells") if b[4] == f"row  {key}")
    return [(b[0], b[2]) for b in blocks(figure, "fills") if b[1] == pytest.approx(label[3] + 2) and b[3] - b[1] < 5]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["raw", "changes", "updates"]), st.integers(2, 40), st.integers(0, 6))
def test_a_thin_strip_is_drawn_exactly_while_the_row_is_live(seed: int, mode: Mode, commits: int, start: int) -> None:
    log = numbers(commits, 4, seed)
    first = min(start, commits - 1)
    changelog = log.changelog(mode, start=first or None)
    figure = as_plotly.figure(CHANGELOG.draw(changelog))
    column_of, heads = figure.layout.meta["column_of"], figure.layout.meta["heads"]
    for key in list(dict.fromkeys(row.key for row in changelog.rows))[:ROWS]:
        drawn_strips = strips(figure, key)
        for of, live in live_after(log)[first:]:
            x = heads[column_of[str(of)][0]][2] - 4
            assert any(left <= x <= right for left, right in drawn_strips) is (key in live)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(4, 30), st.sets(st.integers(2, 30), min_size=1, max_size=4))
def test_where_commits_are_unread_a_thin_strip_claims_only_what_the_others_prove(
    seed: int, commits: int, unread_commits: set[int]
) -> None:
    log = numbers(commits, 4, seed)
    changelog = log.changelog("changes", unread={n: "lost" for n in unread_commits if n <= commits})
    figure = as_plotly.figure(CHANGELOG.draw(changelog))
    column_of, heads = figure.layout.meta["column_of"], figure.layout.meta["heads"]
    for key in list(dict.fromkeys(row.key for row in changelog.rows))[:ROWS]:
        drawn_strips = strips(figure, key)
        for of, live in live_after(log):
            x = heads[column_of[str(of)][0]][2] - 4
            assert key in live or not any(left <= x <= right for left, right in drawn_strips)


def test_a_thick_strip_breaks_where_the_row_was_copied_and_the_thin_one_runs_on() -> None:
    a, b = figure_of("sequence a raw"), figure_of("sequence b raw")
    for figure, ends in ((a, 2), (b, 1)):
        columns = figure.layout.meta["heads"]
        label = next(x for x in blocks(figure, "cells") if x[4] == "row  2")
        thick = [x for x in blocks(figure, "fills") if x[4] == LIGHT.added.fill and label[1] <= x[1] < label[3] - 5]
        assert [x[2] for x in thick] == pytest.approx([columns[ends - 1][2] - 3], abs=0.1)
        assert max(right for _, right in strips(figure, "2")) == pytest.approx(columns[1][2] - 3, abs=0.1)
    assert "not touched" in words(a)
    assert "= 2 b carried over" in words(b)


def test_a_thick_strip_ends_at_a_replace_which_may_have_moved_the_row() -> None:
    figure = figure_of("week raw")
    heads, label = figure.layout.meta["heads"], next(b for b in blocks(figure, "cells") if b[4] == "row  6")
    thick = [b for b in blocks(figure, "fills") if b[4] == LIGHT.added.fill and label[1] <= b[1] < label[3] - 5]
    # Fay came in the second commit; the third is a replace.
    assert [b[2] for b in thick] == pytest.approx([heads[1][2] - 3], abs=0.1)


def test_equal_rows_without_keys_are_not_shown_as_one_row_through_time() -> None:
    figure = figure_of("no keys")
    assert strips(figure, "1 a") == []
    assert strips(figure, "2 b")


def test_rows_of_which_not_all_is_at_hand_have_no_strip_but_a_note() -> None:
    changelog = sequence_b().changelog("raw", at_hand=2)
    assert [row.key for row in changelog.rows] == ["1", "1"]
    figure = as_plotly.figure(CHANGELOG.draw(changelog))
    assert strips(figure, "1") == []
    assert "1 row drawn may have more changes, since not all are at hand." in words(figure)
    assert "2 of 11 changed rows drawn · counts are of all rows" in words(figure)


def test_an_owned_row_runs_from_its_owner_to_the_end() -> None:
    changelog, figure = facts("week ownership"), figure_of("week ownership")
    heads, column_of = figure.layout.meta["heads"], figure.layout.meta["column_of"]
    for row in changelog.rows:
        meaning = f"row {row.snapshot_id} {row.key}"
        left, _, right, _, _ = next(b for b in blocks(figure, "cells") if b[4] == meaning)
        assert left == pytest.approx(heads[column_of[str(row.snapshot_id)][0]][0] + 3, abs=0.1)
        assert right == pytest.approx(heads[-1][2] - 3, abs=0.1)


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [
    ("sequence a raw", ["7 raw changes in 2 commits, and no row was only copied", "…7366", "append", "…2081", "− 1 a",
        "+ 1 d", "not touched"]),
    ("sequence b raw", ["11 raw changes, but 4 of them are 2 rows that were only copied", "= 2 b carried over",
        "= carried over 2: new file, same values"]),
    ("sequence b changes", ["2 commits inserted 6 rows and deleted 1",
        "2 rows were only copied into other files, with equal values: left out here, told in raw."]),
    ("sequence b updates", ["2 commits inserted 5 rows and updated 1", "value: a → d"]),
    ("orders", ["3 commits inserted 1 row, updated 6 and deleted 1", "status: paid → shipped",
        "2 cells: amount, status", "status: null → paid"]),
    ("sequence b net", ["Net of 2 commits: 5 inserted"]),
    ("sequence a ownership", ["5 live rows, 2 owners: 2 …2081 owns 3, 1 …7366 owns 2",
        "inserted by its owner, an append"]),
    ("sequence b ownership", ["All 5 live rows owned by one commit, 2 …1414",
        "inserted or updated by its owner: overwrite", "carried over by its owner: new file, same values"]),
    ("week changes", ["6 of 7 commits inserted 10 rows and deleted 3", "none", "replace", "no rows"]),
    ("week ownership", ["none: replace", "carried over by its owner: new file, same values"]),
    ("week ownership of the end", ["none: before the range", "outside", "owner is not in the range"]),
    ("expired ownership", ["7 live rows, 4 owners: 7 …4319 owns 3, 8 …4936 owns 2"]),
    ("expired parent", ["3 of 5 commits inserted 2 rows, updated 1 and deleted 1; the rows of 1 commit are unknown",
        "unknown"]),
    ("lost lists", ["?"]),
    ("not read", ["Changed rows of 7 commits: not read yet",
        "Rows are not read yet. Reading them tells how many rows each of these commits changed, and which."]),
    ("not read, ownership", ["Owners of the rows at 9 …5553: not read yet"]),
    ("counted only", ["No row is at hand to draw; the counts are of all 13 rows."]),
    ("empty range", ["Nothing lies in this range: it begins and ends at 5 …3085",
        "No commit lies in this range: it begins where it ends. Ask from an earlier snapshot."]),
    ("empty range, ownership", ["7 live rows, 4 owners: …4319 owns 3, …4936 owns 2", "none: start"]),
    ("nothing changed", ["No row changed in 3 commits; 3 rows only copied", "No commit of the range changed a row."]),
    ("replace only", ["No row changed: 1 replace commit and no other"]),
    ("no keys", ["row", "+ 2× inserted", "= carried over"]),
    ("no keys, row ids", ["_row_id", "value: a → d", "+ 5 e"]),
    ("months without rows", ["6 commits", "1–4", "no rows"]),
    ("fifty-nine commits", ["next 40 ▸", "192 of 307 changed rows drawn · keys 1–40 of 89 at hand"]),
    ("thousand commits", ["745 of 850 commits inserted 1,201 rows and deleted 733"]),
    ("many rows", ["3 commits inserted 60,000 rows, updated 20,000 and deleted 3", "60,000",
        "120 of 100,003 changed rows drawn · keys 1–40 of 167 at hand · counts are of all rows"]),
    ("many rows, ownership", ["59,997 live rows, 2 owners: 1 …0617 owns 39,997, 2 …1234 owns 20,000",
        "40 of 59,997 live rows drawn · keys 1–40 of 500 at hand · counts are of all rows"]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = words(figure_of(name))
    assert [s for s in expected if s not in shown] == []


def test_side_by_side_tells_what_differs() -> None:
    owned = words(beside("ownership"))
    assert owned[0] == "The same 5 live rows in both, but 2 rows of other owners"
    assert sorted(w for w in owned if " in Sequence" in w and w[0].isdigit()) == [
        "0 in Sequence A", "0 in Sequence A", "1 in Sequence B", "1 in Sequence B"]  # fmt: skip
    assert words(beside("raw"))[0] == "As many changes in both, but Sequence B copied 2 rows more without changing them"
    copied = "The same 7 changes in both, but Sequence B copied 2 rows more without changing them"
    assert words(beside("changes"))[0] == copied
    assert words(beside("net"))[0] == "The same 5 changes in both, 2 of them at other commits"


def test_without_sequence_numbers_their_line_is_left_out() -> None:
    assert "sequence number" in words(figure_of("sequence b changes"))
    heads = [t for t in words(figure_of("sequence b changes")) if t in ("1", "2", "…1414")]
    assert heads.index("2") < heads.index("…1414")  # a commit is headed by its number
    assert "sequence number" not in words(figure_of("version 1"))


def test_an_owner_that_the_metadata_does_not_record_is_called_so() -> None:
    changelog = facts("sequence b ownership")
    rows = [replace(row, snapshot_id=None, ordinal=None) for row in changelog.rows]  # type: ignore[arg-type]
    counts = {None: next(iter((changelog.counts or {}).values()))}
    shown = words(as_plotly.figure(CHANGELOG.draw(changelog.read(counts, rows))))  # type: ignore[arg-type]
    assert shown.count("none: not recorded") == 5


def test_what_a_table_calls_things_stays_text() -> None:
    for name in ("hostile", "hostile, no keys", "hostile, ownership", "lost lists"):
        assert_safe_for_a_browser(figure_of(name, selected="<i>\n", width=1800))
    assert "<script>alert(1)</script>" in words(figure_of("hostile", width=1800))


# --- clicks and selection --------------------------------------------------------------------------------------------


def test_clicks_on_sums_lead_to_every_commit() -> None:
    for name in ("thousand commits", "thousand ownership", "months without rows", "lost lists of thousand"):
        changelog = facts(name)
        seen: set[str] = set()
        asked, waiting = set(), [""]
        while waiting:
            view = waiting.pop()
            asked.add(view)
            found = clicks(scene_of(name, view=view))
            seen |= {c.snapshot for c in found if c.snapshot}
            parts = {c.view for c in found if c.view and Part.parse(c.view).range}
            waiting += sorted(parts - asked - set(waiting))
        assert {str(c.snapshot.snapshot_id) for c in changelog.range.commits} <= seen


def test_clicks_on_the_next_rows_lead_to_every_row_and_back() -> None:
    name, view, seen = "fifty-nine commits", "", set()
    for _ in range(9):
        found = clicks(scene_of(name, view=view))
        seen |= {c.key for c in found if c.key}
        following = {c.view for c in found if c.view} - {view}
        ahead = [v for v in following if Part.parse(v).first > Part.parse(view).first]
        if not ahead:
            assert "" in following or min(Part.parse(v).first for v in following) < Part.parse(view).first
            break
        view = ahead[0]
    assert seen == {row.key for row in facts(name).rows}


def test_moving_the_selection_is_drawing_it_and_costs_next_to_nothing() -> None:
    for name in ("sequence b raw", "week ownership of the end", "months without rows", "thousand commits"):
        for commit in (facts(name).range.commits[0], facts(name).range.commits[-1], None):
            chosen = "1234" if commit is None else str(commit.snapshot.snapshot_id)
            bare = scene_of(name)
            pieces = picture.selection(bare, selected=chosen)
            assert bare.selecting(pieces) == scene_of(name, selected=chosen)
            assert [layer.name for layer in pieces.layers] == ["ring", "elsewhere"]


def test_the_selected_commit_has_a_ring_at_its_head_and_a_band_along_its_column() -> None:
    changelog = facts("week raw")
    figure = figure_of("week raw", selected=str(changelog.range.commits[3].snapshot.snapshot_id))
    left, top, right, bottom, end = figure.layout.meta["heads"][3]
    ring, band = trace(figure, "ring"), figure.layout.shapes[0]
    assert (min(ring.x), max(ring.x), min(ring.y), max(ring.y)) == (left, right, top, bottom)
    assert (band.x0, band.x1, band.y0, band.y1, band.visible) == (left, right, top, end, True)


def test_a_selected_commit_that_is_not_drawn_is_named() -> None:
    changelog = facts("thousand commits")
    hidden = str(changelog.range.commits[900].snapshot.snapshot_id)
    assert len(trace(figure_of("thousand commits", selected=hidden), "ring").x) == 5
    scene = scene_of("thousand commits", selected=hidden, view="from 0 in 17-33")
    figure = as_plotly.figure(scene)
    assert trace(figure, "elsewhere").text == (f"<b>selected …{hidden[-6:]}: not in view ▸</b>",)
    assert picture.clicked(scene, picture.LAYERS.index("elsewhere"), 0) == picture.Clicked(view="")
    scene = scene_of("thousand commits", selected="12")
    assert trace(as_plotly.figure(scene), "elsewhere").text == ("<b>selected 12: not in this range</b>",)
    assert picture.clicked(scene, picture.LAYERS.index("elsewhere"), 0) is None


def test_both_tables_of_a_pair_can_be_selected_in() -> None:
    for log in (sequence_a(), sequence_b()):
        chosen = str(log.changelog("raw").range.end)
        assert len(trace(beside("raw", selected=chosen), "ring").x) == 5


def test_a_point_that_means_nothing_is_no_click() -> None:
    scene = scene_of("week raw")
    assert picture.clicked(scene, picture.LAYERS.index("fills"), 0) is None
    assert picture.clicked(scene, picture.LAYERS.index("cells"), 10**6) is None


def test_a_thousand_commits_are_few_bytes() -> None:
    changelog = facts("thousand commits raw")
    figure_of("thousand commits raw")
    figure = as_plotly.figure(CHANGELOG.draw(changelog))
    assert len(figure.to_json()) < 1_000_000
    assert len(Columns(changelog, Part(), 120, 1356, 180).all) > FULL


def test_the_alternative_text_begins_with_the_finding() -> None:
    for name in STORIES:
        assert " ".join(words(figure_of(name, width=1800))).startswith(changelog_words.title(facts(name)))
