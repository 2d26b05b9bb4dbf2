"""The lives of files on a line, and where they are read, against sets of live files place by place."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.model.iceberg.file_lives import FileChanges, FileLife, file_lives, reading_places
from explorer.model.iceberg.inheritance import StoredEntry
from tests.model.test_changelog import listed

[MANIFEST] = listed(1)


def entry(path: str, number: int) -> StoredEntry:
    return StoredEntry(MANIFEST.path, 0, 1, 1, number, number, None, 0, path, "PARQUET", 0, "", 1, 1)


@pytest.mark.parametrize("seed", range(200))
def test_lives_are_the_places_at_which_a_file_is_live(seed: int) -> None:
    """Files are removed, put back, and listed again while they are live; each entry is one more life."""
    pick = random.Random(seed)
    live = [entry(f"old{i}", 1) for i in range(pick.randint(0, 3))]
    live += [entry(e.file_path, 2) for e in live if pick.random() < 0.2]
    there = list(live)
    states, commits = [list(live)], []
    for place in range(1, pick.randint(2, 9)):
        removed = pick.sample(live, pick.randint(0, len(live)))
        live = [e for e in live if not any(e is one for one in removed)]
        names = [f"new{place}"] * pick.choice((0, 0, 1, 1, 2)) + [e.file_path for e in removed if pick.random() < 0.3]
        names += [path for path in ("old0", "new1") if pick.random() < 0.1]
        added = [entry(path, place + 1) for path in names]
        live += added
        commits.append(FileChanges(tuple(removed), tuple(added), (MANIFEST,)))
        states.append(list(live))
    begun = {e.file_path for e in there if pick.random() < 0.5}
    several = {e.file_path for e in there if sum(e.file_path == one.file_path for one in there) > 1}
    begun |= several | {e.file_path for e in there} & {e.file_path for commit in commits for e in commit.added}
    lives = file_lives(commits, [(e, MANIFEST) for e in there if e.file_path in begun])
    told = {life.entry.file_path for life in lives}
    for place, state in enumerate(states):
        found = [(o.entry.file_path, o.data_sequence_number) for o in lives if o.since <= place < o.until]
        expected = [(e.file_path, e.stored_sequence_number) for e in state if e.file_path in told]
        assert Counter(found) == Counter(expected)
    assert told == begun | {e.file_path for commit in commits for e in (*commit.removed, *commit.added)}


def test_an_entry_more_than_were_live_ends_nothing() -> None:
    gone = FileChanges((entry("a", 1), entry("a", 1)), (), (MANIFEST,))
    assert [(o.since, o.until) for o in file_lives([gone])] == [(0, 1)]


def life(since: int, until: int) -> FileLife:
    kept: Any = SimpleNamespace(file_path=f"{since}-{until}", content_offset=None)
    return FileLife(kept, 1, since, until)


@pytest.mark.parametrize("seed", range(200))
def test_every_life_is_read_at_the_fewest_places(seed: int) -> None:
    pick = random.Random(seed)
    places = range(8)
    readable = sorted(pick.sample(places, pick.randint(1, 8)))
    lives = [life(since, pick.randint(since + 1, 8)) for since in pick.choices(places, k=pick.randint(0, 6))]
    found = reading_places(lives, readable)
    assert set(found) <= set(readable)
    assert all(one.since <= place < one.until for place, together in found.items() for one in together)
    can_be = [one for one in lives if any(one.since <= place < one.until for place in readable)]
    assert sorted(map(id, can_be)) == sorted(id(one) for together in found.values() for one in together)
    fewest = next(
        n
        for n in range(len(readable) + 1)
        if any(all(any(o.since <= p < o.until for p in some) for o in can_be) for some in combinations(readable, n))
    )
    assert len(found) == fewest
