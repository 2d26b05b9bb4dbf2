"""The picture of a bisection: what is drawn of a long line, what is dotted, what is said."""

from __future__ import annotations

from itertools import pairwise

import pytest

from explorer.figures.bisect.layout import slots
from explorer.figures.page.scene import Scene
from tests.figures import bisect_stories as stories
from tests.figures.drawings import BISECT
from tests.figures.pages import words


def dotted(scene: Scene) -> int:
    return sum(len(shape.steps) for shape in scene.shapes if shape.ink.dash == "2px,4px" and shape.ink.width == 2)


@pytest.mark.parametrize("story", BISECT.stories)
@pytest.mark.parametrize("room", [7, 12, 22, 60])
def test_every_commit_is_in_one_column(story: str, room: int) -> None:
    bisection = BISECT.facts(story)
    found = slots(bisection, room)
    assert len(found) <= room
    assert (found[0].first, found[-1].last) == (0, len(bisection.snapshots) - 1)
    assert all(b.first == a.last + 1 for a, b in pairwise(found))
    assert all(slot.is_fold or slot.first == slot.last for slot in found)
    can = [candidate.place for candidate in bisection.candidates]
    assert all(slot.can == sum(slot.first <= place <= slot.last for place in can) for slot in found if slot.is_fold)
    if bisection.change is not None:
        drawn = {slot.first for slot in found if not slot.is_fold}
        assert {bisection.change.before.place, bisection.change.after.place} <= drawn
    read = {read.place for read in bisection.reads}
    columns = [slot.first for slot in found if not slot.is_fold]
    assert read.issuperset(columns) or read.issubset(columns)  # none is drawn in place of one that was read


def test_the_mock_says_what_was_read_and_what_was_not() -> None:
    said = words(BISECT.figure_of("mock", width=1100))
    assert said[0] == "241 is a first bad commit: 0 before it, 18,204 at it"
    assert {"173 good", "292 bad", "×61", "×40", "17,549"} & set(said) == {"173 good", "292 bad", "×61", "×40"}
    assert sum(word == "✕" for word in said) == 0  # 239 was not asked
    assert any(word.startswith("Is it the only one?") for word in said)
    assert "6" in said
    assert "7" not in said


def test_only_what_is_assumed_is_dotted() -> None:
    assert dotted(BISECT.scene_of("mock", width=1100))
    assert not dotted(BISECT.scene_of("mock, all read", width=1100))
    said = words(BISECT.figure_of("mock, all read", width=1100))
    assert "All read: not monotone, 3 changes" in said
    assert "241: 0 → 18,204 · 249: 18,204 → 17,549 · 251: 17,549 → 18,204" in said
    assert not any(word.startswith("Is it the only one?") for word in said)


def test_what_could_not_be_asked_has_a_mark_and_a_reason() -> None:
    said = words(BISECT.figure_of("in between", width=1100))
    assert sum(word == "✕" for word in said) == 2
    assert "8 and 9 cannot be asked: part-00007.parquet is gone from storage." in said


def test_a_commit_answers_with_what_it_is() -> None:
    clicked = BISECT.clicks(BISECT.scene_of("mock", width=1100))
    assert str(stories.mock().snapshots[68].snapshot_id) in {click.snapshot for click in clicked}
