"""The picture of a dry run: what is said, in which order, and where a click leads."""

from __future__ import annotations

import pytest

from explorer.figures.dry_run import draw as picture
from explorer.figures.dry_run.draw import MOST_LINES
from explorer.figures.page import as_plotly
from explorer.figures.page.theme import LIGHT
from tests.figures import pages
from tests.figures.drawings import DRY_RUN
from tests.figures.pages import words

figure_of, scene_of = DRY_RUN.figure_of, DRY_RUN.scene_of


@pytest.mark.parametrize(("name", "expected"), [
    ("rollback", ["Rolling back to 12 would lose 3 commits and 4,100 net rows", "3 snapshots", "4 data files",
        "10,000 rows, 41 MB", "1 deletion vector", "lost to main, still stored", "back on main", "branch audit",
        "holds 2 lost commits", "inferred: net rows", "Undo: Point main back"]),
    ("refusal", ["would be refused: Cannot roll back to snapshot, not an ancestor of the current state: 7"]),
    ("expiry", ["Expiring would remove 90 of 100 snapshots, 1 ref and 90 files", "and 157 more, which the data have",
        "unknown: files of what cannot be read"]),
    ("compaction", ["6 of 9 data files would be rewritten into about 1 file, 21 MB", "smaller than 384 MB"]),
    ("nothing chosen", ["Nothing would be rewritten: 9 data files live, none is chosen"]),
    ("nothing", ["Setting main to 12 would change nothing: main is there already"]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = " ".join(words(figure_of(name)))
    assert [s for s in expected if s not in shown] == []


def test_things_are_told_one_by_one_worst_first_and_not_too_many() -> None:
    shown = words(figure_of("expiry"))
    names = [plain for plain in shown if plain.startswith("snapshot 5")]
    assert len(names) == MOST_LINES
    assert shown.index("One by one") < shown.index(names[0])


def test_a_click_leads_to_the_commit_or_the_file() -> None:
    scene = scene_of("rollback")
    clicks = DRY_RUN.clicks(scene)
    assert picture.Clicked(snapshot="4000000000000000900") in clicks
    assert picture.Clicked(file="s3://lake/orders/data/day=2026-03-01/00001-1.parquet") in clicks
    assert picture.Clicked(file="s3://lake/orders/data/1.puffin", content_offset=4) in clicks


def test_what_is_selected_is_ringed() -> None:
    drawn = scene_of("rollback")
    chosen = "4000000000000000900"
    marked = drawn.selecting(picture.selection(drawn, selected=chosen))
    assert list(as_plotly.figure(marked).data[picture.LAYERS.index("ring")].x)
    assert marked == DRY_RUN.draw(DRY_RUN.facts("rollback"), theme=LIGHT, selected=chosen)
    pages.assert_safe_for_a_browser(as_plotly.figure(marked))
