"""The lives of files on a line, and where they are read, against sets of live files place by place."""

from __future__ import annotations

import random
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
    pick = random.Random(seed)
    there = {f"old{i}": entry(f"old{i}", 1) for i in range(pick.randint(0, 3))}
    live: dict[str, StoredEntry] = dict(there)
    states, commits = [dict(live)], []
    for place in range(1, pick.randint(2, 9)):
        removed = [live.pop(path) for path in pick.sample(sorted(live), pick.randint(0, len(live)))]
        names = [f"new{place}"] * pick.randint(0, 1) + [e.file_path for e in removed if pick.random() < 0.3]
        names += [p for p in ("old0", "new1") if p not in live and p not in names and pick.random() < 0.1]
        added = [entry(path, place + 1) for path in names]
        live |= {e.file_path: e for e in added}
        commits.append(FileChanges(tuple(removed), tuple(added), (MANIFEST,)))
        states.append(dict(live))
    known = [(e, MANIFEST) for e in there.values() if pick.random() < 0.5]
    lives = file_lives(commits, known)
    for place, state in enumerate(states):
        found = {life.entry.file_path: life.data_sequence_number for life in lives if life.since <= place < life.until}
        told = {life.entry.file_path for life in lives}
        expected = {path: e.stored_sequence_number for path, e in state.items() if path in told}
        assert found == expected
    changed = {e.file_path for commit in commits for e in (*commit.removed, *commit.added)}
    assert {life.entry.file_path for life in lives} == changed | {e.file_path for e, _ in known}


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
