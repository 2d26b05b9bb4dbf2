from __future__ import annotations

import itertools
import re
from collections import defaultdict

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.commit import draw as picture
from explorer.figures.commit.contents import Contents
from explorer.figures.commit.layout import SLIVER, layout
from explorer.figures.page import as_plotly, svg
from explorer.figures.page.fold import Part
from explorer.figures.page.theme import DARK, LIGHT, Theme
from explorer.model import formats
from explorer.model.commit.rows import Outcomes
from tests.figures.commit_stories import DAYS, STORIES, Work
from tests.figures.drawings import COMMIT
from tests.figures.pages import (
    assert_apart,
    assert_safe_for_a_browser,
    elements,
    plain,
    texts,
    trace,
    words,
)

WIDTHS = (720, 1100, 1380, 1800)  # a commit needs more than other pictures

every_story = pytest.mark.parametrize("name", list(STORIES))
facts, figure_of, scene_of, clicks = COMMIT.facts, COMMIT.figure_of, COMMIT.scene_of, COMMIT.clicks


# --- places ----------------------------------------------------------------------------------------------------------


def blocks(figure: go.Figure) -> list[tuple[str, tuple[float, float, float, float]]]:
    """What can be clicked over its whole area: its meaning, left, top, right, bottom."""
    part = trace(figure, "files")
    return [
        (meaning, (x - w / 2, base, x + w / 2, base + y))
        for meaning, x, w, base, y in zip(part.customdata, part.x, part.width, part.base, part.y, strict=True)
    ]


@every_story
@pytest.mark.parametrize("width", WIDTHS)
def test_no_two_files_or_manifests_overlap_and_none_leaves_the_page(name: str, width: int) -> None:
    for read in (True, False):
        figure = figure_of(name, read=read, width=width)
        placed = [box for _, box in blocks(figure)] if len(trace(figure, "files").x) else []
        for a, b in itertools.combinations(placed, 2):
            assert min(a[2], b[2]) - max(a[0], b[0]) <= 0.01 or min(a[3], b[3]) - max(a[1], b[1]) <= 0.01
        assert all(box[0] >= 0 and box[2] <= width for box in placed)


@every_story
@pytest.mark.parametrize("width", WIDTHS)
def test_width_is_rows_on_one_scale_and_every_row_is_in_one_segment(name: str, width: int) -> None:
    commit, rows = facts(name)
    for asked in (rows, None):
        placed = layout(Contents(commit, asked, Part()), 104, width - 260)
        assert placed.right <= 104 + width - 260 + 0.01
        for bar in placed.bars:
            wide = bar.right - bar.left
            if bar.mark.rows is None:
                assert asked is None
                continue
            assert wide == pytest.approx(max(bar.mark.rows * placed.pixels_per_row, SLIVER * max(len(bar.segments), 1)))
            if bar.mark.side != "through":
                assert sum(s.rows for s in bar.segments) == bar.mark.rows
                ends = [bar.left, *(s.right for s in bar.segments)]
                assert all(b - a >= SLIVER - 0.01 for a, b in itertools.pairwise(ends))
                assert ends[-1] == pytest.approx(bar.right if bar.segments else bar.left)


def ribbons(figure: go.Figure) -> list[tuple[float, ...]]:
    """Left and right end above, its y; left and right end below, its y."""
    found = []
    for shape in figure.layout.shapes:
        if shape.fillrule == "nonzero":
            for part in shape.path.split("M")[1:]:
                n = [float(x) for x in re.findall(r"-?[\d.]+", part)]
                found.append((n[0], n[2], n[1], n[10], n[8], n[9]))
    return found


@every_story
@pytest.mark.parametrize("width", WIDTHS)
def test_ribbons_end_on_files_and_take_no_more_room_there_than_the_file_has(name: str, width: int) -> None:
    figure = figure_of(name, width=width)
    used: dict[tuple[float, ...], float] = defaultdict(float)
    files = [box for meaning, box in blocks(figure) if box[3] - box[1] > 40.5] if trace(figure, "files").x else []
    for above_left, above_right, above, below_left, below_right, below in ribbons(figure):
        for left, right, y in ((above_left, above_right, above), (below_left, below_right, below)):
            on = [b for b in files if b[0] - 0.2 <= left and right <= b[2] + 0.2 and b[1] - 0.2 <= y <= b[3] + 0.2]
            assert on
            used[(*on[0], y)] += right - left
    assert all(taken <= box[2] - box[0] + 0.2 * 60 for box, taken in used.items())


# --- what is said ----------------------------------------------------------------------------------------------------


@every_story
def test_without_rows_no_outcome_is_named_and_no_ribbon_drawn(name: str) -> None:
    figure = figure_of(name, read=False)
    assert ribbons(figure) == []
    outcomes = [w for w in words(figure) if re.search(r"\d (carried over|updated)|(carried over|updated) \d", w)]
    assert outcomes == []


@pytest.mark.parametrize("name", [name for name in STORIES if name not in ("list unreadable", "expired parent")])
def test_the_counts_of_the_key_are_those_of_the_model(name: str) -> None:
    _, rows = facts(name)
    shown = words(figure_of(name))
    t = rows.totals
    counts = {"carried over": t.carried_over, "updated": t.updated, "deleted": t.deleted, "inserted": t.inserted}
    for what, n in counts.items():
        assert (f"{what} {n:,}" in shown) is (n > 0)


@pytest.mark.parametrize("width", [1380, 1800])
@pytest.mark.parametrize("name", ["copy-on-write", "sequence b", "delete of files", "overwrite", "merge-on-read"])
def test_every_file_is_named_with_its_rows_and_what_became_of_them(name: str, width: int) -> None:
    _, rows = facts(name)
    shown = " ".join(words(figure_of(name, width=width)))
    for file in rows.files:
        outcomes = file.outcomes
        several = (
            sum(
                map(
                    bool,
                    (outcomes.carried_over, outcomes.updated, outcomes.deleted, outcomes.inserted, outcomes.unseen),
                )
            )
            > 1
        )
        if several or outcomes.carried_over:
            assert f"{file.record_count:,}" in shown
        for n in (outcomes.updated, outcomes.deleted, outcomes.inserted) if file.change != "kept" else ():
            assert not n or f"{n:,}" in shown


def folded_everything(name: str, width: int) -> None:
    commit, rows = facts(name)
    contents = Contents(commit, rows, Part())
    placed = layout(contents, 104, width - 260)
    files = sum(bar.mark.files for bar in placed.bars if bar.mark.side != "through")
    for p in placed.placed:
        if p.group.folded and p.group.change:
            files += sum(
                t.files for side in (p.group.change.added, p.group.change.removed) for t in [side.get("data")] if t
            )
    totals = commit.totals
    assert files == sum(side["data"].files for side in (totals.added, totals.removed) if "data" in side)


@every_story
def test_every_changed_data_file_is_in_a_bar_or_counted_in_a_fold(name: str) -> None:
    for width in WIDTHS:
        folded_everything(name, width)


@pytest.mark.parametrize(("name", "read", "expected"), [
    ("copy-on-write", True, ["Rewrote 1,648,211 rows to change 7,800: 212 rows written per changed row",
        "ordered_on = 2026-11-18", "…8c1e", "412,300 rows", "1,100 updated", "310 deleted", "3,900 inserted",
        "837,141 carried over", "36 files", "7.2M rows", "kept", "rewrite", "2 manifests", "24 existing, 4 deleted",
        "carried over 1,645,511", "manifest list: new", "snap-…9118-1.avro", "of …0462"]),
    ("copy-on-write", False, ["Removed 4 files with 1,648,211 rows, added 3 with 1,653,001", "rows not read"]),
    ("sequence b", True, ["2 b", "1 d", "6 f", "5 rows written for 3 changes: 1.7×."]),
    ("merge-on-read", True, ["Rewrote no file: masked 2,700 old rows, wrote 7,490 new ones", "commit", "411,200 read",
        "1,100 masked", "pos", "also kept", "delete manifest: new"]),
    ("merge-on-read", False, ["rows not read", "1,100 positions", "pos", "not read"][:3]),
    ("deletion vectors", True, ["DV", "…etes·48"]),
    ("masked cells", True, ["1 a", "2 b", "Rewrote no file: masked 1 row in 1 file"]),
    ("equality delete", True, ["eq", "7 masked"]),
    ("equality delete", False, ["eq", "12 keys"]),
    ("merge of 40", True, ["Rewrote 14,044,355 rows to change 16,140: 870 rows written per changed row", "5 files"]),
    ("compaction", True, ["Compacted 5,000 files into 12; every row carried over", "5,000 files", "417k rows"]),
    ("compaction of days", True, ["+12 partitions", "540 files removed"]),
    ("compaction that lost rows", True, ["A replace that changed rows: 2 inserted and 2 deleted", "!"]),
    ("append", False, ["Added 3 files, 1,236 rows", "inserted 1,236"]),
    ("first snapshot", True, ["no parent", "the first snapshot"]),
    ("delete of files", True, ["Removed 2 whole files: 209,000 rows deleted", "1,000 not visible"]),
    ("overwrite", True, ["Replaced 3 files by 2: 298,000 rows deleted, 299,000 inserted, none carried over"]),
    ("expired parent", True, ["Wrote 1,653,001 rows in 3 files; the rows before are unknown", "unknown",
        "rows new or carried over: unknown", "parent …0462 expired"]),
    ("empty commit", True, ["Changed nothing: an empty commit",
        "No file was added or removed: every file runs through."]),
    ("list unreadable", False, ["cannot be read", "Only the summary is left. It says: added 3 data files with "
        "1,653,001 rows; removed 4 data files with 1,648,211 rows"]),
    ("rewritten manifests", True, ["Rewrote 214 manifests into 1; no file changed", "214 manifests", "642 existing"]),
    ("contradicting", True, ["!", "The metadata contradicts itself: the summary's added-data-files says 5, counted are "
        "3; the summary's added-records says 9,999, counted are 1,236."]),
    ("unread manifest", False, ["Added 1 file, 5,000 rows; 2 more changed files cannot be read", "2 changed files",
        "1 cannot be read"]),
    ("many manifests", True, ["400 manifests kept", "95,800 live files"]),
    ("many partitions", True, ["+295 partitions", "DV"]),
    ("dangling removed", True, ["pos ×4", "200 positions", "9 keys"]),
])  # fmt: skip
def test_the_picture_says(name: str, read: bool, expected: list[str]) -> None:
    shown = words(figure_of(name, read=read, width=1800 if "unreadable" in name else 1380))
    assert [s for s in expected if s not in shown] == []


def test_unknown_rows_of_an_expired_parent_are_neither_inserted_nor_carried_over() -> None:
    shown = words(figure_of("expired parent"))
    assert not [w for w in shown if re.search(r"\d (inserted|updated|carried)|inserted \d", w)]


def test_what_a_table_calls_things_stays_text() -> None:
    for name, read in itertools.product(("hostile", "hostile cells"), (True, False)):
        assert_safe_for_a_browser(figure_of(name, read=read, selected_file="<i>\n", width=1800))
    shown = " ".join(words(figure_of("hostile", width=1800)))
    assert '"<script>alert(1)</script>"' in shown
    hovers = " ".join(plain(h) for h in trace(figure_of("hostile"), "files").hovertext)
    assert "<img src=x onerror=y>" in hovers


# --- clicks and selection --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in STORIES if "of 300" not in name and "many" not in name])
def test_a_click_on_a_file_names_it(name: str) -> None:
    commit, rows = facts(name)
    known = {f.entry.file_path for f in commit.files} | {f.path for f in rows.files}
    named = {c.file for c in clicks(scene_of(name)) if c.file is not None}
    assert named <= known
    data = [f for f in commit.files if f.kind == "data"]
    if len(data) <= 4:
        assert {f.entry.file_path for f in data} <= named


def test_vectors_of_one_puffin_file_are_told_apart_by_a_click() -> None:
    offsets = {c.content_offset for c in clicks(scene_of("deletion vectors")) if str(c.file).endswith(".puffin")}
    assert offsets == {4, 48, 92, 136}


@pytest.mark.parametrize("width", [1100, 1800])
@pytest.mark.parametrize("name", ["many partitions", "compaction of days", "merge of 40"])
def test_clicks_on_folds_lead_through_all_partitions(name: str, width: int) -> None:
    commit, rows = facts(name)
    opened, view = set(), ""
    for _ in range(400):
        led = {c.view for c in clicks(scene_of(name, width=width, view=view)) if c.view}
        opened |= {v for v in led if Part.parse(v).opened}
        following = {v for v in led if v and not Part.parse(v).opened} - {view}
        if not following:
            break
        view = following.pop()
    assert opened == {str(Part.of_partition(*key)) for key in Contents(commit, rows, Part()).keys}


def test_an_opened_partition_shows_its_files_and_a_way_back() -> None:
    figure = figure_of("merge of 40", view=str(Part.of_partition(0, "ordered_on=2026-11-03")))
    commit, _ = facts("merge of 40")
    inside = {f.entry.file_path for f in commit.files if f.entry.partition == "ordered_on=2026-11-03"}
    targets = clicks(scene_of("merge of 40", view=str(Part.of_partition(0, "ordered_on=2026-11-03"))))
    assert {c.file for c in targets if c.file} == inside
    assert "" in {c.view for c in targets if c.view is not None}
    assert "◂ all of 9 partitions" in words(figure)


def test_moving_the_selection_is_drawing_it_and_costs_next_to_nothing() -> None:
    for name in ("copy-on-write", "deletion vectors", "compaction", "compaction of days"):
        commit, rows = facts(name)
        for chosen in (commit.files[0].entry.file_path, commit.files[-1].entry.file_path, "s3://elsewhere/x.parquet"):
            bare = scene_of(name)
            pieces = picture.selection(bare, commit, rows, selected_file=chosen)
            assert bare.selecting(pieces) == scene_of(name, selected_file=chosen)
            assert [layer.name for layer in pieces.layers] == ["ring", "elsewhere"]


def test_a_selected_file_is_ringed_where_it_is_drawn() -> None:
    commit, _ = facts("copy-on-write")
    path = commit.files[1].entry.file_path
    figure = figure_of("copy-on-write", selected_file=path)
    box = next(box for meaning, box in blocks(figure) if meaning.endswith(path))
    ring = trace(figure, "ring")
    assert min(ring.x) == pytest.approx(box[0] - 3, abs=0.2)
    assert max(ring.y) == pytest.approx(box[3] + 3, abs=0.2)
    assert figure.layout.shapes[0].visible


def test_a_selected_file_among_many_is_ringed_with_them_and_one_elsewhere_is_named() -> None:
    commit, _ = facts("compaction")
    removed = next(f.entry.file_path for f in commit.files if f.change == "removed")
    assert len(trace(figure_of("compaction", selected_file=removed), "ring").x) == 5
    figure = figure_of("compaction", selected_file="s3://lake/kept.parquet")
    assert len(trace(figure, "ring").x) == 0
    assert not figure.layout.shapes[0].visible
    assert trace(figure, "elsewhere").text == ("<b>selected kept.parquet: not touched by this commit</b>",)


def test_a_selected_file_in_a_fold_leads_to_its_partition() -> None:
    commit, _ = facts("many partitions")
    hidden = next(f.entry for f in commit.files if f.entry.partition == "tenant=0250" and f.kind == "data")
    scene = scene_of("many partitions", selected_file=hidden.file_path)
    click = picture.clicked(scene, picture.LAYERS.index("elsewhere"), 0)
    assert click is not None
    assert click.view == "from 0 in 0 tenant=0250"
    assert len(trace(figure_of("many partitions", selected_file=hidden.file_path, view=click.view), "ring").x)


def test_a_point_that_means_nothing_is_no_click() -> None:
    scene = scene_of("copy-on-write")
    assert picture.clicked(scene, picture.LAYERS.index("words"), 0) is None
    assert picture.clicked(scene, picture.LAYERS.index("targets"), 10_000) is None
    first_manifest_list = trace(as_plotly.figure(scene), "files").customdata.index("")
    assert picture.clicked(scene, picture.LAYERS.index("files"), first_manifest_list) is None


# --- scale, chance, paper --------------------------------------------------------------------------------------------


def test_five_thousand_files_are_few_elements() -> None:
    commit, rows = facts("compaction")
    for asked in (rows, None):
        figure = as_plotly.figure(picture.draw(commit, asked, LIGHT, name="t"))
        assert elements(figure) < 400
        assert len(figure.to_json()) < 120_000


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@every_story
def test_rows_are_hatched_in_the_picture_without_plotly_too(name: str, theme: Theme) -> None:
    scene = scene_of(name, theme=theme, selected_file="gone")
    hatched = any(trace(as_plotly.figure(scene), "fills").marker.pattern.shape or ())
    assert svg.to_svg(scene).count("<pattern ") == int(hatched)


@st.composite
def works(draw: st.DrawFn) -> Work:
    """Any commit: a few files in a few partitions, with outcomes that add up, and deletes of every kind."""
    count = st.integers(0, 40)
    small = draw(st.booleans())
    work = Work(draw(st.sampled_from(["append", "overwrite", "delete", "replace", None])),
                parent=draw(st.sampled_from(["present", "present", "none", "expired"])))  # fmt: skip
    work.kept = [
        (draw(st.sampled_from([0, 1])), draw(count), draw(st.integers(0, 10**9)))
        for _ in range(draw(st.integers(0, 5)))
    ]
    rows = st.integers(0, 6) if small else st.one_of(st.integers(0, 2_000), st.integers(0, 10**8))
    places = st.sampled_from(["", *DAYS, "x=" + "y" * 60])
    for _ in range(draw(st.integers(0, 20))):
        place, kind = draw(places), draw(st.sampled_from(["removed", "added", "masked", "pos", "dv", "eq", "gone"]))
        a, b, c, d = (draw(rows) for _ in range(4))
        if kind == "removed":
            work.removed(a + b + c + d, place, outcomes=Outcomes(carried_over=a, updated=b, deleted=c, unseen=d))
        elif kind == "added":
            work.added(a + b + c + d, place, outcomes=Outcomes(carried_over=a, updated=b, inserted=c, unseen=d))
        elif kind == "masked":
            by = [(f, b + c) for f in work.files if f.kind in ("pos", "eq") and f.change == "added"][:3]
            work.masked(a + b + c + d, Outcomes(updated=b, deleted=c, inserted=d), place, *by)
        elif kind == "gone":
            work.file("removed", a, place, kind=draw(st.sampled_from(["pos", "eq"])))
        else:
            target = draw(st.sampled_from([None, "s3://lake/a.parquet", "s3://lake/b.parquet"]))
            work.added(a, place, kind=kind, target=target, offset=4 if kind == "dv" else None)
    sources = [f for f in work.files if f.kind == "data" and f.change != "added"]
    targets = [f for f in work.files if f.kind == "data" and f.change == "added"]
    for source, target in itertools.islice(itertools.product(sources, targets), 12):
        outcome = draw(st.sampled_from(["carried over", "updated"]))
        work.flow(source, target, draw(rows), outcome, draw(st.sampled_from(["proved", "inferred"])))
    return work


@given(works(), st.sampled_from(WIDTHS), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_commit_can_be_drawn(work: Work, width: int, read: bool) -> None:
    commit, rows = work.commit(), work.rows(pairing="none") if read else None
    for view in ("", "from 1", f"from 0 in 0 {DAYS[0]}"):
        scene = picture.draw(commit, rows, LIGHT, name="prod.sales.orders", width=width, view=view)
        figure = as_plotly.figure(scene)
        assert_apart(texts(figure), figure)
        placed = [box for _, box in blocks(figure)]
        for a, b in itertools.combinations(placed, 2):
            assert min(a[2], b[2]) - max(a[0], b[0]) <= 0.01 or min(a[3], b[3]) - max(a[1], b[1]) <= 0.01
        assert [t.name for t in figure.data] == list(picture.LAYERS)
        svg.to_svg(scene)


def test_formats_of_the_story_are_the_houses() -> None:
    assert formats.count(2, "key") == "2 keys"
    assert formats.count(2, "entry") == "2 entries"
