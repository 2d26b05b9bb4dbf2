from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.figures.page import as_plotly
from explorer.figures.page.fold import Part
from explorer.figures.page.theme import LIGHT
from explorer.figures.retries import draw as picture
from explorer.figures.retries.lines import MOST_LINES, lines
from explorer.model.retries import words as retries_words
from explorer.model.retries.facts import Retries
from tests.figures.drawings import RETRIES
from tests.figures.pages import WIDTHS, cells, elements, hovers, trace, words
from tests.figures.retries_stories import STORIES, Race

every_story = pytest.mark.parametrize("name", list(STORIES))
facts, figure_of, scene_of, clicks = RETRIES.facts, RETRIES.figure_of, RETRIES.scene_of, RETRIES.clicks


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [
    ("mock", ["1 of 11 commits lost 1 attempt: …5570 succeeded at its 2nd attempt", "2nd attempt, lost to 9 …5563",
        "2nd attempt: the manifest list was written again with 10, 2 of 3 manifests reused, 1 written again",
        "attempt 1 · based on 8, so it writes 9", "attempt 2 · based on 9, so it writes 10", "9 is taken", "lost",
        "committed", "9 …5563 came first", "same manifest files", "written by attempt 2", "12:05:09.918"]),
    ("one", ["The one commit succeeded at once", "First attempt: …5507 succeeded at once with 1"]),
    ("fight", ["12 of 16 commits lost 34 attempts: …5570 succeeded only at its 7th attempt", "5–9 are taken"]),
    ("not recorded", ["How often these 5 commits were tried is not recorded",
        "How often …5535 was tried is not recorded"]),
    ("some not recorded", ["2 of 5 commits lost 3 attempts: …5535 succeeded only at its 3rd attempt; how often 2 were "
        "tried is not recorded", "attempts not recorded"]),
    ("expired rivals", ["5th attempt, lost to unknown writers", "3rd attempt, lost to 9 …5514 and 1 unknown", "×4",
        "×1", "unknown who came first"]),
    ("version 1", ["2nd attempt, lost to …5507", "attempt 1", "lost the race"]),
    ("open origin", ["8 manifests that it added", "reused or written again", "and 3 more"]),
    ("late rivals", ["3 …5521, 4 …5528, 5 …5535, 6 …5542 came first", "lost the race"]),
    ("first attempts of 1000", ["Each of 1,000 commits succeeded at its first attempt", "1,000 commits ▸"]),
    ("busy 1000", ["83 of 1,000 commits lost 165 attempts: …2304 succeeded only at its 4th attempt"]),
    ("far", ["1 of 61 commits lost 49 attempts: …5927 succeeded at its 50th attempt", "×42"]),
    ("empty", ["The table has no commit yet", "No commit yet: nothing can have been tried twice."]),
])  # fmt: skip
def test_the_picture_says(name: str, expected: list[str]) -> None:
    shown = words(figure_of(name))
    assert [s for s in expected if s not in " ".join(shown)] == []


@pytest.mark.parametrize("name", ["mock", "fight", "some not recorded", "open origin", "late rivals"])
def test_a_cross_stands_where_the_line_of_the_loser_meets_the_column_of_each_rival(name: str) -> None:
    figure, attempts = figure_of(name), facts(name).attempts
    line = {c[0].removeprefix("commit "): (c[2] + c[4]) / 2 for c in cells(figure) if c[3] - c[1] > 1300}
    marks = trace(figure, "symbols")
    symbols = list(zip(marks.marker.symbol, marks.x, marks.y, strict=True))
    column = {}
    for snapshot_id, y in line.items():
        column[snapshot_id] = next(x for s, x, up in symbols if abs(up - y) < 1 and s != "x-thin" and x > 100)
    crosses = sorted((round(y), round(x)) for s, x, y in symbols if s == "x-thin" and y > min(line.values()) - 9)
    expected = [
        (round(line[str(a.snapshot.snapshot_id)]), round(column[str(r.snapshot_id)]))
        for a in attempts
        for r in a.rivals
    ]
    assert crosses == sorted(expected)


@every_story
def test_every_commit_is_in_one_line(name: str) -> None:
    for view in ("", "from 5", "from 7 in commits"):
        _, drawn = lines(facts(name), Part.parse(view))
        assert [a for line in drawn for a in line.attempts] == list(facts(name).attempts)
        assert len(drawn) <= MOST_LINES + 3


def test_ids_are_whole_on_hover_and_times_too() -> None:
    shown = hovers(figure_of("mock"))
    own = facts("mock").attempts[9].snapshot
    assert f"snapshot {own.snapshot_id}" in shown
    assert "sequence number 10 · overwrite · 2026-11-20 12:05:09.918 UTC" in shown
    assert "2nd attempt (inferred from its list's name)" in shown


def test_lost_attempts_are_laid_to_rivals_only_where_their_numbers_leave_no_gap() -> None:
    def rivals(name: str, place: int) -> list[int | None]:
        tries = retries_words.tries(facts(name).attempts[place])
        return [t.rival.sequence_number if t.rival else None for t in tries]

    assert rivals("fight", 9) == [4, 5, 6, 7, 8, 9, None]
    assert rivals("late rivals", 6) == [None, None, None]
    assert rivals("expired rivals", 2) == [None, None, None]
    assert rivals("version 1", 1) == [None, None]
    assert rivals("not recorded", 0) == []


def test_ordinals() -> None:
    numbers = (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)
    endings = ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]
    assert [retries_words.attempt_of(n) for n in numbers] == [f"{e} attempt" for e in endings]


# --- clicks and selection --------------------------------------------------------------------------------------------


def test_a_click_on_a_line_names_its_commit() -> None:
    named = {c.snapshot for c in clicks(scene_of("fight")) if c.snapshot}
    assert named == {str(a.snapshot.snapshot_id) for a in facts("fight").attempts}


@pytest.mark.parametrize("start", ["", "from 0 in commits"])
def test_clicks_lead_through_all_retried_commits_and_back(start: str) -> None:
    seen, view = set(), start
    for _ in range(60):
        targets = clicks(scene_of("busy 1000", view=view))
        seen |= {c.snapshot for c in targets if c.snapshot}
        opened = Part.parse(view).opened
        ahead = [v for c in targets if c.view and (v := Part.parse(c.view)).opened == opened]
        following = max(ahead, key=lambda v: v.first, default=Part())
        if following.first <= Part.parse(view).first:
            break
        view = str(following)
    assert seen >= {str(a.snapshot.snapshot_id) for a in facts("busy 1000").retried}
    assert "" in {c.view for c in targets}


def test_a_fold_opens_its_commits_one_by_one() -> None:
    opened = next(c.view for c in clicks(scene_of("busy 1000")) if c.view)
    named = [c.snapshot for c in clicks(scene_of("busy 1000", view=opened)) if c.snapshot]
    assert str(facts("busy 1000").attempts[0].snapshot.snapshot_id) in named


@pytest.mark.parametrize("name", ["mock", "fight", "busy 1000"])
def test_moving_the_selection_is_drawing_it(name: str) -> None:
    every = [str(a.snapshot.snapshot_id) for a in facts(name).attempts]
    for chosen in (every[0], every[-1], "77"):
        bare = scene_of(name)
        pieces = picture.selection(bare, facts(name), selected=chosen)
        assert bare.selecting(pieces) == scene_of(name, selected=chosen)


def test_a_selected_commit_is_ringed_or_the_words_lead_to_it() -> None:
    own = str(facts("fight").attempts[4].snapshot.snapshot_id)
    figure = figure_of("fight", selected=own)
    box = next(c for c in cells(figure) if c[0] == f"commit {own}")
    ring = trace(figure, "ring")
    assert (min(ring.y), max(ring.y)) == pytest.approx((box[2], box[4]), abs=0.2)
    hidden = str(facts("busy 1000").attempts[700].snapshot.snapshot_id)
    click = picture.clicked(scene_of("busy 1000", selected=hidden), picture.LAYERS.index("elsewhere"), 0)
    assert click is not None
    assert click.view == "from 700 in commits"
    assert len(trace(figure_of("busy 1000", selected=hidden, view=click.view), "ring").x)
    assert picture.clicked(scene_of("fight", selected="77"), picture.LAYERS.index("elsewhere"), 0) is None


def test_a_thousand_commits_are_few_elements() -> None:
    figure = as_plotly.figure(picture.draw(facts("busy 1000"), LIGHT, name="t"))
    assert elements(figure) < 600
    assert len(figure.to_json()) < 120_000


@st.composite
def races(draw: st.DrawFn) -> Retries:
    race = Race()
    number = draw(st.sampled_from([0, 1, 10_000_000]))
    for _ in range(draw(st.integers(0, 60))):
        kinds = draw(st.lists(st.sampled_from(["new", "old", "open"]), max_size=8))
        number += draw(st.sampled_from([1, 1, 1, 2, 9])) if number else 0
        race.commit(
            draw(st.sampled_from([1, 1, 2, 3, 7, 120, None])), number=number,
            manifests=tuple(kinds) if draw(st.integers(0, 9)) else "Denied. " * 30,
            operation=draw(st.sampled_from(["append", "overwrite", "delete", "replace"])),
        )  # fmt: skip
    return race.done()


@given(races(), st.sampled_from(WIDTHS))
@settings(max_examples=40, deadline=None)
def test_any_race_can_be_drawn(drawn: Retries, width: int) -> None:
    for view in ("", "from 5 in commits"):
        RETRIES.assert_well_drawn(RETRIES.draw(drawn, width=width, view=view))
