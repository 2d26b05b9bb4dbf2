from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.entries import draw as picture
from explorer.figures.entries.rows import ALL, MOST_MANIFESTS, Contents, Row, all_from, rows
from explorer.figures.page import as_plotly
from explorer.figures.page.fold import Part
from explorer.figures.page.theme import LIGHT
from explorer.model.entries.facts import Entries
from tests.figures.drawings import ENTRIES
from tests.figures.entries_stories import OWN, STORIES, A, D, E, Listing
from tests.figures.pages import WIDTHS, cells, elements, hovers, texts, trace, words

every_story = pytest.mark.parametrize("name", list(STORIES))
facts, figure_of, scene_of, clicks = ENTRIES.facts, ENTRIES.figure_of, ENTRIES.scene_of, ENTRIES.clicks


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [
    ("mock", ["4 of 7 entries store no number: 3 inherit 10 from the manifest list, 1 inherits 6", "data, kept since 6",
        "inherited: 6, not 10", "data of 6 in a file of 8", "removed by this commit", "snap-…6633-2-a1b2.avro",
        "file_sequence_number", "EXISTING and DELETED entries must carry both numbers; a null there is an error and is "
        "flagged."]),
    ("one", ["The one entry stores no number: it inherits 1 from the manifest list"]),
    ("version 1", ["None of 3 entries stores a number: each reads as 0, as all of format version 1", "none",
        "format version 1: read as 0"]),
    ("upgraded", ["None of 3 entries stores a number: 1 inherits 1 from the manifest list, 2 read as 0, as all of "
        "format version 1"]),
    ("inline", ["in metadata.json"]),
    ("version 3", ["first_row_id", "1,204,560", "1,208,660", "1,212,560", "DV", "…etes·48"]),
    ("compaction", ["1 of 4 entries stores the data sequence number alone and inherits the file one",
        "file number inherited"]),
    ("forbidden", ["3 of 4 entries lack a number that only ADDED entries may leave out", "unknown", "!",
        "null, which the format forbids here"]),
    ("unreadable", ["The one entry stores no number: it inherits 10 from the manifest list; 2 manifests cannot be read",
        "cannot be read: The file is not there. Its row in the list counts 42 entries."]),
    ("all unreadable", ["3 manifests cannot be read: the entries are unknown"]),
    ("list unreadable", ["The manifest list cannot be read: its entries are unknown"]),
    ("empty", ["This snapshot lists no manifest: it has no entry at all"]),
    ("empty manifest", ["No manifest of this snapshot has an entry", "no entry"]),
    ("nothing inherited", ["All 6 entries store both numbers: nothing is inherited"]),
    ("forty one", ["18 entries", "4–23", "2 entries", "7–8"]),
    ("one manifest of 500", ["90 entries", "390 entries", "entries from 41 of 500 ▸"]),
    ("five hundred", ["59,334 of 59,404 entries store no number: they inherit 500 numbers from 13 to 512 from the "
        "manifest list", "468 manifests", "19 manifests", "55,536 entries", "2,254 entries", "14–509",
        "all 500 one after the other ▸"]),
    ("long list", ["Only 251 wrote the data number 248 itself, into 2 of 283 entries", "251 chose its data number",
        "data 73", "deletes 18", "149 null, inherited", "2 chosen by the writer", "0 null where a number must be ✓"]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = words(figure_of(name))
    assert [s for s in expected if s not in " ".join(shown) and s not in shown] == []


LONG = ("five hundred", "one manifest of 500", "forty one", "long list")  # not told entry by entry


@pytest.mark.parametrize("name", [n for n in STORIES if n not in LONG])
def test_up_to_forty_entries_each_has_its_line_with_both_numbers_as_stored_and_as_read(name: str) -> None:
    figure = figure_of(name, width=1800)
    shown, selecting = texts(figure), [c for c in cells(figure) if c[0].startswith("file ")]
    every = [e for m in facts(name).manifests for e in m.entries]
    assert len(selecting) == len(every)
    for (_, _, top, _, bottom), e in zip(selecting, every, strict=True):
        line = [plain for plain, left, up, _, low in sorted(shown, key=lambda t: t[1]) if top < (up + low) / 2 < bottom
                and left > selecting[0][1]]  # fmt: skip
        stored = [e.entry.stored_sequence_number, e.entry.stored_file_sequence_number]
        read = [e.resolved.data_sequence_number.value, e.resolved.file_sequence_number.value]
        expected = [
            t
            for s, r in zip(stored, read, strict=True)
            for t in ("null" if s is None else f"{s:,}", "unknown" if r is None else f"{r:,}")
        ]
        numbers = line[line.index(expected[0]) :][:4]
        assert numbers == expected


@every_story
@pytest.mark.parametrize("width", WIDTHS)
def test_the_words_about_the_rule_are_never_cut(name: str, width: int) -> None:
    reasons = {words_ for of_block in _rows(name) for row in of_block for words_ in row.reason}
    cut = [w for w in words(figure_of(name, width=width)) if re.fullmatch(r"[a-z: ]+…[a-z: ]+", w)]
    beginnings = {words_[:2] for words_ in reasons}
    assert [w for w in cut if w[:2] in beginnings] == []


def _rows(name: str) -> list[list[Row]]:
    return rows(facts(name), Contents.of(facts(name), Part()))


@every_story
def test_every_entry_is_drawn_or_counted(name: str) -> None:
    facts_ = facts(name)
    contents = Contents.of(facts_, Part())
    counted = [b.count for block in contents.blocks for b in block.bands]
    drawn = sum(len(block.entries) for block in contents.blocks)
    assert (sum(counted) or drawn) == facts_.entry_count
    listed = [m for block in contents.blocks for m in block.manifests]
    assert sorted(m.manifest.path for m in listed) == sorted(m.manifest.path for m in facts_.manifests)


@every_story
def test_filled_marks_are_stored_numbers_and_hollow_ones_are_null(name: str) -> None:
    figure = figure_of(name)
    marks = trace(figure, "symbols")
    beside = {(round(left), round((top + bottom) / 2)): number for number, left, top, _, bottom in texts(figure)}
    fills = marks.marker.color if len(marks.x) else ()
    for x, y, fill in zip(marks.x, marks.y, fills, strict=True):
        number = beside.get((round(x + 10), round(y)))
        if number is not None:
            assert (number == "null") is (fill == LIGHT.page)


def test_ids_are_whole_on_hover_and_never_a_number() -> None:
    shown = hovers(figure_of("mock"))
    assert f"snapshot {OWN}" in shown
    assert f"snapshot {OWN} (stored)" in shown
    assert "sequence number 10 (inherited) · file sequence number 10 (inherited)" in shown


def test_what_a_table_calls_things_stays_text() -> None:
    shown = " ".join(hovers(figure_of("hostile", selected_file="<i>\n")))
    assert "s3://lake/data/<script>alert(1)</script>" in shown
    assert "&amp;.parquet" in shown
    assert "9,007,199,254,740,993 (stored)" in shown
    assert "9,223,372,036,854,775,807 (stored)" in shown


# --- clicks and selection --------------------------------------------------------------------------------------------


def test_a_click_on_an_entry_names_its_file_and_vectors_are_told_apart() -> None:
    named = [c for c in clicks(scene_of("version 3")) if c.file]
    assert {c.file for c in named} == {e.entry.file_path for m in facts("version 3").manifests for e in m.entries}
    assert {c.content_offset for c in named if c.content_offset is not None} == {4, 48, 92}


def test_clicks_lead_through_all_manifests_and_back() -> None:
    opened, seen, views = set(), set(), [""]
    while views:
        view = views.pop()
        led = {c.view for c in clicks(scene_of("five hundred", view=view)) if c.view is not None}
        assert not view or "" in led
        opened |= {part.opened for v in led if (part := Part.parse(v)).opened not in ("", ALL)}
        later = {v for v in led if (part := Part.parse(v)).opened == ALL and part.first % MOST_MANIFESTS == 0}
        views += later - seen
        seen |= later
    assert opened == {m.manifest.path for m in facts("five hundred").manifests}


def test_of_a_long_list_those_with_something_to_tell_have_lines_and_each_of_the_others_is_counted_once() -> None:
    entries = facts("long list")
    blocks = Contents.of(entries, Part()).blocks
    told = [block.single for block in blocks if block.single is not None]
    by_name = {m.manifest.path.rsplit("/", 1)[-1].removesuffix(".avro"): m for m in told}
    assert list(by_name) == ["292-m1", "292-m0", "291-m0", "288-m1", "251-m0", "97-m0", "220-m0"]
    assert sorted(len(block.manifests) for block in blocks if block.single is None) == [4, 15, 65]
    alone = Contents.of(entries, all_from(0))
    assert [b.single for b in alone.blocks if b.single is not None] == list(entries.manifests[:MOST_MANIFESTS])


def test_a_number_that_a_writer_chose_stands_out_from_those_that_are_carried_along() -> None:
    for view in ("", "from 0 in s3://lake/cdc/devices/metadata/251-m0.avro"):
        entries = facts("long list")
        chosen = [
            row.numbers["sequence_number"]
            for block in rows(entries, Contents.of(entries, Part.parse(view)))
            for row in block
            if row.numbers["sequence_number"].tone == "chosen"
        ]
        assert {shown.stored for shown in chosen} == {"248"}


def test_what_an_older_manifest_says_is_deleted_was_not_removed_by_this_commit() -> None:
    block, (_, removed) = next(
        (block, lines)
        for block, lines in zip(Contents.of(facts("long list"), Part()).blocks, _rows("long list"), strict=True)
        if any(line.status == D for line in lines)
    )
    assert block.single is not None
    assert block.single.state == "kept"
    assert removed.reason[0] == "removed by an earlier commit"


def test_clicks_lead_through_all_entries_at_hand() -> None:
    seen, view = [], ""
    for _ in range(9):
        targets = clicks(scene_of("one manifest of 500", view=view))
        seen += [c.file for c in targets if c.file]
        ahead = [v for c in targets if c.view and (v := c.view) and Part.parse(v).first > Part.parse(view).first]
        if not ahead:
            break
        view = ahead[0]
    assert seen == [e.entry.file_path for e in facts("one manifest of 500").manifests[0].entries]
    assert "380 more entries are counted, not listed here" in words(figure_of("one manifest of 500", view=view))


@pytest.mark.parametrize("name", ["mock", "version 3", "forty one", "five hundred"])
def test_moving_the_selection_is_drawing_it_and_costs_next_to_nothing(name: str) -> None:
    every = [e.entry.file_path for m in facts(name).manifests for e in m.entries]
    for chosen in (every[0], every[-1], "s3://elsewhere/x.parquet"):
        bare = scene_of(name)
        pieces = picture.selection(bare, facts(name), selected_file=chosen)
        assert bare.selecting(pieces) == scene_of(name, selected_file=chosen)


def test_a_selected_file_is_ringed_in_its_line() -> None:
    path = facts("mock").manifests[1].entries[1].entry.file_path
    figure = figure_of("mock", selected_file=path)
    box = next(c for c in cells(figure) if c[0].endswith(path))
    ring = trace(figure, "ring")
    assert (min(ring.y), max(ring.y)) == pytest.approx((box[2] - 2, box[4] + 2), abs=0.2)
    assert figure.layout.shapes[0].visible


def test_a_selected_file_that_is_counted_leads_to_its_line() -> None:
    of = facts("five hundred").manifests[300]
    path = of.entries[1].entry.file_path
    click = picture.clicked(scene_of("five hundred", selected_file=path), picture.LAYERS.index("elsewhere"), 0)
    assert click is not None
    assert click.view == str(Part(0, of.manifest.path))
    assert len(trace(figure_of("five hundred", selected_file=path, view=click.view), "ring").x) == 5
    figure = figure_of("forty one", selected_file=facts("forty one").manifests[0].entries[7].entry.file_path)
    assert len(trace(figure, "ring").x) == 11  # around its manifest, in the list and at a glance
    assert "not among these entries" in trace(figure_of("mock", selected_file="x/y.parquet"), "elsewhere").text[0]


def test_a_point_that_means_nothing_is_no_click() -> None:
    scene = scene_of("mock")
    assert picture.clicked(scene, picture.LAYERS.index("words"), 0) is None
    assert picture.clicked(scene, picture.LAYERS.index("cells"), 0) is None  # the snapshot
    assert picture.clicked(scene, picture.LAYERS.index("cells"), 10_000) is None


# --- scale and chance ------------------------------------------------------------------------------------------------


def test_five_hundred_manifests_are_few_elements() -> None:
    figure = as_plotly.figure(picture.draw(facts("five hundred"), LIGHT, name="t"))
    assert elements(figure) < 700
    assert len(figure.to_json()) < 240_000


@st.composite
def listings(draw: st.DrawFn) -> Entries:
    """Any snapshot: manifests of either kind by this or other snapshots, with entries of any status and number."""
    own = draw(st.sampled_from([0, 1, 10, 2**40]))
    work = Listing(10 if own == 2**40 else own)
    numbers = st.one_of(st.none(), st.integers(0, 12), st.integers(0, 2**63 - 1))
    many = draw(st.booleans())
    for i in range(draw(st.integers(0, 45))):
        path = work.manifest(
            draw(st.sampled_from(["a1b2-m", "x" * 70])) + str(i), number=draw(numbers), least=draw(numbers),
            by=draw(st.sampled_from([OWN, OWN - 5, None])), content=draw(st.sampled_from([0, 0, 1])),
            first_row_id=draw(st.one_of(st.none(), st.integers(0, 2**62))),
        )  # fmt: skip
        for _ in range(draw(st.integers(0, 9 if many else 1))):
            work.entry(
                path, draw(st.sampled_from([A, E, D])), draw(numbers), draw(numbers),
                kind=draw(st.sampled_from(["data", "pos", "dv", "eq"])), snapshot=draw(st.sampled_from([OWN, None])),
            )  # fmt: skip
        if not draw(st.integers(0, 5)):
            work.unreadable[path] = draw(st.sampled_from(["The file is not there.", "Denied. " * 40]))
    return work.done()


@given(listings(), st.sampled_from(WIDTHS))
@settings(max_examples=40, deadline=None)
def test_any_snapshot_can_be_drawn(drawn: Entries, width: int) -> None:
    path = drawn.manifests[0].manifest.path if drawn.manifests else "x"
    for view in ("", "from 3", str(Part(0, path))):
        ENTRIES.assert_well_drawn(ENTRIES.draw(drawn, width=width, view=view))
