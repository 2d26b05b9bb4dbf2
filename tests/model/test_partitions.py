"""Partitions summed up from file lifetimes, against a plain account of every snapshot's live files."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.model.partition_order import in_order, matching
from explorer.model.partitions.facts import Partition, Partitions
from explorer.model.partitions.grid import grid
from explorer.model.partitions.groups import groups
from explorer.model.partitions.history import partitions
from tests.model.file_histories import UNREADABLE, File, FileHistory

Row = tuple[Any, ...]


def asked(history: FileHistory, unreadable: set[int]) -> Partitions:
    lifetimes = history.lifetimes(unreadable)
    head = None if history.main is None else lifetimes.place[history.main]
    return partitions(lifetimes, head, "main", unreadable=dict.fromkeys(unreadable, UNREADABLE))


def rows(facts: Partitions) -> list[Row]:
    columns = [column.tolist() for column in facts.sums.columns().values()]
    places = [facts.partitions[n] for n in facts.partition.tolist()]
    ids = [facts.commits[n].snapshot_id for n in facts.commit.tolist()]
    return [(tuple(place), i, *sums) for place, i, *sums in zip(places, ids, *columns, strict=True)]


MASKED = 5  # the place of `masked_records` in what `sums` counts


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
        sum(f.content == 1 and (f.target or f.bounds) is None for f in deletes),
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
        places |= {f.place for f in live if f.content and sums(live, f.place)[MASKED] != masked[f.place]}
        found += [(place, own, *sums(live, place)) for place in places]
        masked |= {place: sums(live, place)[MASKED] for place in places}
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


# --- order, groups, matrices -----------------------------------------------------------------------------------------


def named(*names: str, spec: int = 0) -> list[Partition]:
    return [Partition(spec, name) for name in names]


@pytest.mark.parametrize(("names", "expected"), [
    (["id=10", "id=9", "id=null", "id=-3"], ["id=-3", "id=9", "id=10", "id=null"]),
    (["day=2026-01-02", "day=null", "day=2026-01-10"], ["day=2026-01-10", "day=2026-01-02", "day=null"]),
    (["r=EU/m=2026-01", "r=AP/m=2026-02", "r=EU/m=2026-02"], ["r=AP/m=2026-02", "r=EU/m=2026-02", "r=EU/m=2026-01"]),
    (['k="a/b"', "k=nan", "k=1e3", "k=999"], ["k=999", "k=1e3", 'k="a/b"', "k=nan"]),
    (["", ""], ["", ""]),
])  # fmt: skip
def test_partitions_stand_in_the_order_of_their_values(names: list[str], expected: list[str]) -> None:
    for shuffled in itertools.islice(itertools.permutations(names), 24):
        assert [p.partition for p in in_order(named(*shuffled))] == expected


def test_the_newest_spec_comes_first() -> None:
    assert in_order([*named("a=1"), *named("a=0", spec=2), *named("", spec=1)]) == [
        Partition(2, "a=0"), Partition(1, ""), Partition(0, "a=1"),
    ]  # fmt: skip


DAYS = [f"day={date(2020, 1, 1) + timedelta(n)}" for n in range(2_000)]
HOURS = [f"h={datetime(2026, 1, 1) + timedelta(hours=n):%Y-%m-%d-%H}" for n in range(2_000)]


@pytest.mark.parametrize(("names", "count", "first", "last"), [
    (DAYS[:300], 300, ("2020-10-26", 1), ("2020-01-01", 1)),
    (DAYS, 66, ("2025-06", 22), ("2020-01", 31)),
    (HOURS, 84, ("2026-03-25", 8), ("2026-01-01", 24)),
    ([f"r={r}/{d}" for r in "ab" for d in DAYS], 132, ("a, 2025-06", 22), ("b, 2020-01", 31)),
    ([f"b={n}" for n in range(2_000)], 286, ("0 … 6", 7), ("1995 … 1999", 5)),
    ([f"r={r}/b={n}" for r in "ab" for n in range(1_000)], 286, ("a, 0 … 6", 7), ("b, 994 … 999", 6)),
    ([f"r={n}/b={m}" for n in range(20) for m in range(90)], 20, ("0", 90), ("19", 90)),
])  # fmt: skip
def test_too_many_partitions_are_told_together_by_what_they_have_in_common(
    names: list[str], count: int, first: tuple[str, int], last: tuple[str, int]
) -> None:
    found = groups(in_order(named(*names)), 300)
    assert len(found) == count
    assert [(group.name, group.count) for group in (found[0], found[-1])] == [first, last]


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.lists(st.sampled_from(["EU", "US", "1", "20", "2026-01-02", "null"]), max_size=2)
        ),
        unique_by=str,
        max_size=60,
    ),
    st.integers(4, 70),
)
def test_groups_are_neighbours_and_leave_nobody_out(parts: list[tuple[int, list[str]]], most: int) -> None:
    partitions_ = in_order(
        [Partition(spec, "/".join(f"k{i}={v}" for i, v in enumerate([*values, str(n)][: spec + 1])))
         for n, (spec, values) in enumerate(parts)]
    )  # fmt: skip
    found = groups(partitions_, most)
    assert [n for group in found for n in range(group.first, group.end)] == list(range(len(partitions_)))
    assert len(found) <= most
    assert all(group.name for group in found)
    if len(partitions_) > most:
        specs = [{partitions_[n].spec_id for n in range(group.first, group.end)} for group in found]
        assert all(len(spec) == 1 for spec in specs)


def test_a_search_finds_all_words_anywhere_in_a_name() -> None:
    known = named("region=EU/day=2026-03-01", "region=US/day=2026-03-02", "region=eur/day=2026-04-01")
    assert matching(known, "eu 2026-03") == [0]
    assert matching(known, "EU") == [0, 2]
    assert matching(known, " spec 0, day ") == [0, 1, 2]
    assert matching(known, "") == [0, 1, 2]
    assert matching(known, "mars") == []


@given(st.integers(0, 10**6), st.integers(2, 40), st.data())
def test_a_matrix_holds_the_last_row_of_every_member_up_to_each_commit(
    seed: int, steps: int, data: st.DataObject
) -> None:
    history = FileHistory(seed)
    for _ in range(steps):
        history.step()
    facts = asked(history, set())
    if not facts.commits:
        return
    commits = sorted(data.draw(st.sets(st.integers(-1, len(facts.commits) - 1), min_size=1)))
    order = data.draw(st.permutations(range(len(facts.partitions))))
    cut = data.draw(st.integers(0, len(order)))
    members = [list(order[:cut]), list(order[cut:])]
    matrix = grid(facts, members, np.array(commits))
    told = list(zip(facts.partition.tolist(), facts.commit.tolist(), rows(facts), strict=True))
    for row, column in itertools.product(range(2), range(len(commits))):
        last: dict[int, Row] = {}
        by = [-1]
        for partition, commit, sums_ in told:
            if partition in members[row] and commit <= commits[column]:
                last[partition] = sums_[2:]
                by += [commit] if column == 0 or commit > commits[column - 1] else []
        expected = [sum(column_) for column_ in zip(*last.values(), strict=True)] or [0] * 8
        assert [values[row, column] for values in matrix.sums.columns().values()] == expected
        assert matrix.changed_by[row, column] == max(by)


@given(st.integers(0, 10**6), st.integers(2, 40), st.data())
def test_a_part_of_the_partitions_is_told_as_if_there_were_no_others(
    seed: int, steps: int, data: st.DataObject
) -> None:
    history = FileHistory(seed)
    for _ in range(steps):
        history.step()
    facts = asked(history, set())
    if not facts.commits:
        return
    places = sorted(data.draw(st.sets(st.integers(0, max(len(facts.partitions) - 1, 0)))) if facts.partitions else [])
    last = data.draw(st.integers(0, len(facts.commits) - 1))
    kept = [facts.partitions[place] for place in places]
    ids = [s.snapshot_id for s in facts.commits[: last + 1]]
    expected = [row for row in rows(facts) if row[0] in kept and row[1] in ids]
    assert rows(facts.within(places, last)) == expected
