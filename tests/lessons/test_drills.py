"""Which drill a seed draws."""

from __future__ import annotations

import pytest

from explorer.errors import ExplorerError
from explorer.lessons import drills
from explorer.lessons.scenarios import INCIDENTS


def test_a_seed_draws_the_same_drill_each_time_and_seeds_draw_all_of_them() -> None:
    for level in drills.LEVELS:
        causes = [drills.drawn(seed, level).cause for seed in range(300)]
        assert causes == [drills.drawn(seed, level).cause for seed in range(300)]
        assert set(causes) == set(drills.FIRST_LEVEL if level == 1 else INCIDENTS)


def test_the_last_level_has_a_false_trail_and_more_weeks() -> None:
    first, last = drills.drawn(3, 1), drills.drawn(3, 3)
    assert (first.with_oddity, last.with_oddity) == (False, True)
    assert last.weeks > first.weeks


def test_an_incident_is_found_by_a_seed_that_does_not_name_it() -> None:
    seed = drills.seed_with("raced-delete", 2, first=5)
    assert seed >= 5
    assert drills.drawn(seed, 2).cause == "raced-delete"
    assert "raced" not in drills.drawn(seed, 2).name


def test_what_there_is_no_drill_of_is_said() -> None:
    with pytest.raises(ExplorerError, match="no drill of level 4"):
        drills.drawn(1, 4)
    with pytest.raises(ExplorerError, match="No drill of level 1 has the incident 'raced-delete'") as refused:
        drills.seed_with("raced-delete", 1)
    assert "Level 2 and 3 have more" in refused.value.next_step
    with pytest.raises(ExplorerError, match="'nonsense'"):
        drills.seed_with("nonsense", 3)
