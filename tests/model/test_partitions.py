"""Partitions summed up from file lifetimes, against a plain account of every snapshot's live files."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.model.partitions.facts import Partitions
from explorer.model.partitions.history import partitions
from tests.model.file_histories import UNREADABLE, File, FileHistory

Row = tuple[Any, ...]


def asked(history: FileHistory, unreadable: set[int]) -> Partitions:
    lifetimes = history.lifetimes(unreadable)
    head = None if history.main is None else lifetimes.place[history.main]
    return partitions(
        lifetimes, head, "main", unreadable_lists=dict.fromkeys(unreadable, UNREADABLE), unreadable_manifests={}
    )


def rows(facts: Partitions) -> list[Row]:
    columns = [column.tolist() for column in facts.sums.columns().values()]
    places = [facts.partitions[n] for n in facts.partition.tolist()]
    ids = [facts.commits[n].snapshot_id for n in facts.commit.tolist()]
    return [(tuple(place), i, *sums) for place, i, *sums in zip(places, ids, *columns, strict=True)]


def sums(files: frozenset[File], place: tuple[int, str]) -> Row:
    """In the order of `Sums`, counted file by file."""
    here = [file for file in files if file.place == place]
    data, deletes = [f for f in here if not f.content], [f for f in here if f.content]
    masked = 0
    for delete in deletes:
        target = delete.target or delete.bounds
        reached = [f for f in files if not f.content and f.path == target and f.number <= delete.number]
        masked += delete.records if delete.content == 1 and (target is None or reached) else 0
    return (
        len(data),
        len(deletes),
        sum(f.content == 2 for f in deletes),
        sum(f.records for f in data),
        masked,
        sum(f.size for f in data),
        sum(f.size if f.part is None else f.part for f in deletes),
    )


def slow(history: FileHistory, unreadable: set[int]) -> list[Row]:
    """A row for each partition whose files are others than after the commit before that is known."""
    found: list[Row] = []
    before: frozenset[File] = frozenset()
    masked: dict[tuple[int, str], int] = defaultdict(int)
    for own in reversed(history.lineage(history.main)):
        if own in unreadable:
            continue
        live = history.live[own]
        places = {file.place for file in live ^ before}
        places |= {f.place for f in live if f.content and sums(live, f.place)[4] != masked[f.place]}
        found += [(place, own, *sums(live, place)) for place in places]
        masked |= {place: sums(live, place)[4] for place in places}
        before = live
    return found


@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(0, 0.5))
@settings(max_examples=300)
def test_every_row_says_what_lives_after_its_commit(seed: int, steps: int, lost: float) -> None:
    history = FileHistory(seed)
    for _ in range(steps):
        history.step()
    unreadable = {i for i in history.snapshots if history.random.random() < lost and seed % 2}
    facts = asked(history, unreadable)
    found = rows(facts)
    line = history.lineage(history.main)[::-1]
    assert [s.snapshot_id for s in facts.commits] == line
    assert Counter(found) == Counter(slow(history, unreadable))
    assert facts.unreadable == {n: UNREADABLE for n, i in enumerate(line) if i in unreadable}
    assert list(zip(facts.commit.tolist(), facts.partition.tolist(), strict=True)) == sorted(
        zip(facts.commit.tolist(), facts.partition.tolist(), strict=True)
    ), "by commit, then by partition"
    known = [i for i in line if i not in unreadable]
    if known:
        parent = history.snapshots[known[0]].get("parent-snapshot-id")
        assert bool(facts.before) == (parent is not None)
