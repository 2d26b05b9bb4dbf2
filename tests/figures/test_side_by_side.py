"""Two commits beside each other: that both are on one scale, overlap nowhere, and say what differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.figures.page import as_plotly
from explorer.figures.page.scene import Rectangles, Scene
from explorer.figures.page.theme import DARK, LIGHT
from explorer.figures.side_by_side.draw import BOTH_WIDTH, draw
from explorer.model.commit import beside
from explorer.model.commit.facts import CommitFacts
from tests.figures.commit_stories import STORIES
from tests.figures.drawings import COMMIT
from tests.figures.pages import assert_apart, texts, trace, words

NAMES = ("Sequence A: INSERT, then MERGE", "Sequence B: MERGE, then MERGE")
every_story = pytest.mark.parametrize("name", list(STORIES))


def told(name: str, *, read: bool = True) -> CommitFacts:
    commit, rows = COMMIT.facts(name)
    return CommitFacts(commit, rows if read else None)


def drawn(left: str, right: str, width: int = BOTH_WIDTH, **how: bool) -> Scene:
    return draw(told(left, **how), told(right, **how), LIGHT, names=NAMES, width=width)


def files(scene: Scene) -> Rectangles:
    return next(layer for layer in scene.drawn if isinstance(layer, Rectangles) and layer.name == "files")


# --- places ----------------------------------------------------------------------------------------------------------


@every_story
@pytest.mark.parametrize("width", [560, 800, BOTH_WIDTH, 1500, 1900])
def test_no_two_words_overlap_and_none_leaves_its_half(name: str, width: int) -> None:
    for read in (True, False):
        figure = as_plotly.figure(drawn("sequence b", name, width, read=read))
        assert_apart(texts(figure), figure)
        middle = width / 2 if width >= BOTH_WIDTH else -1  # one stands below the other
        bars = trace(figure, "files")
        edges = [(x - wide / 2, x + wide / 2) for x, wide in zip(bars.x, bars.width, strict=True)]
        assert not [edge for edge in edges if edge[0] < middle < edge[1] or edge[0] < 0 or edge[1] > width]


@every_story
@pytest.mark.parametrize("width", [560, BOTH_WIDTH])
def test_a_row_is_as_wide_in_one_commit_as_in_the_other(name: str, width: int) -> None:
    one, other = told("sequence a"), told(name)
    scene = drawn("sequence a", name, width)
    rows = {file.path: file.record_count for side in (one, other) for file in (side.rows.files if side.rows else ())}
    wide = {
        item.meaning.split()[-1]: item.box.right - item.box.left
        for item in files(scene).items
        if item.meaning.startswith("file ")
    }
    scales = [wide[path] / n for path, n in rows.items() if wide.get(path, 0) > 30]  # else maybe widened to be seen
    assert len(scales) < 2 or max(scales) == pytest.approx(min(scales))


@every_story
def test_what_was_written_adds_up(name: str) -> None:
    facts = told(name)
    written = beside.written(facts)
    if facts.rows is None or not facts.rows.before_known:
        assert written is None
        return
    assert written is not None
    assert sum(rows for _, rows in written.parts) == written.rows == facts.rows.rows_written
    assert all(rows > 0 for _, rows in written.parts)


def test_where_both_have_no_room_one_stands_below_the_other() -> None:
    for width in (BOTH_WIDTH - 1, BOTH_WIDTH):
        figure = as_plotly.figure(drawn("sequence a", "sequence b", width))
        places = {words: (left, top) for words, left, top, _, _ in texts(figure) if words in NAMES}
        (left_a, top_a), (left_b, top_b) = (places[name] for name in NAMES)
        assert (top_b == top_a and left_b > left_a) if width == BOTH_WIDTH else (top_b > top_a and left_b == left_a)


# --- words -----------------------------------------------------------------------------------------------------------


def test_the_two_sequences_made_the_same_changes_by_writing_more_or_less() -> None:
    said = words(as_plotly.figure(drawn("sequence a", "sequence b")))
    assert said[0] == "The same 3 changes in both, but Sequence A wrote 3 rows, Sequence B 5"
    assert [word for word in said if word in NAMES] == list(NAMES)
    for expected in (
        "3 rows for 3 changes: 1.0×, 1 of 3 files rewritten",
        "5 rows for 3 changes: 1.7×, 1 of 1 file rewritten",
        "In Sequence B 2 rows changed owner, not value. "
        "A row belongs to the commit that wrote its file, and a file cannot be edited.",
    ):
        assert expected in said
    assert said.count("carried over") == 1, "one key for both"


def test_merge_on_read_is_told_by_what_it_wrote_and_masked() -> None:
    said = words(as_plotly.figure(drawn("copy-on-write", "merge-on-read")))
    assert said[0] == "7,800 changes in both, but Sequence A wrote 1,653,001 rows, Sequence B 7,490"
    assert "7,490 rows for 7,800 changes: 1.0×, 0 of 40 files rewritten, 4 delete files over 2,700 rows" in said


def test_other_changes_are_counted_for_each() -> None:
    told_of = beside.title(told("sequence a"), told("append"), ("a", "b: the long one"))
    rows = told("append").rows
    assert rows is not None
    assert told_of == f"a changed 3 rows and wrote 3, b changed {rows.changed:,} rows and wrote {rows.rows_written:,}"


def test_equal_counts_of_other_values_are_not_called_the_same() -> None:
    left, right = told("sequence a"), told("sequence b")
    assert right.rows is not None
    cells = tuple(replace(cell, text=cell.text.replace("6 f", "6 g")) for cell in right.rows.cells)
    other = CommitFacts(right.commit, replace(right.rows, cells=cells))
    assert beside.title(left, right, ("A", "B")).startswith("The same 3 changes in both")
    assert beside.title(left, other, ("A", "B")).startswith("3 changes in both")
    without = CommitFacts(right.commit, replace(right.rows, cells=()))
    assert beside.title(left, without, ("A", "B")).startswith("3 changes in both")


@pytest.mark.parametrize("unknown", ["expired parent", "sequence b"])
def test_rows_that_are_not_known_are_not_compared(unknown: str) -> None:
    right = told(unknown, read=unknown == "expired parent")
    assert beside.title(told("sequence a"), right, ("A", "B")) == "A beside B: what became of rows is not known of B"
    said = words(as_plotly.figure(draw(told("sequence a"), right, DARK, names=("A", "B"))))
    assert "what became of its rows is not known" in said


def test_of_a_first_commit_no_file_is_counted_that_it_could_have_rewritten() -> None:
    written = beside.written(told("first snapshot"))
    assert written is not None
    assert not [words for words in written.wordings if "0 of 0" in words]
