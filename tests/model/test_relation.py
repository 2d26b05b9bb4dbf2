"""How two snapshots are related, against a slow and plain account of random histories, expired parents included."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from explorer.model.iceberg.lineage import current_at
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.iceberg.relation import Relation, relation
from tests.model.histories import History, random_history


def of(history: History) -> TableMetadata:
    return TableMetadata.from_json(history.document())


def whole_lineage(history: History, snapshot_id: int) -> list[int | None]:
    """The snapshot, its ancestors, and at the end the expired parent, or None after a root."""
    listed = history.lineage(snapshot_id)
    return [*listed, history.snapshots[listed[-1]].get("parent-snapshot-id")]


def expected(history: History, a: int, b: int) -> tuple[str, int | None, set[int], set[int]]:
    """Kind, base, and what only a and only b descends through, by looking at whole lineages."""
    one, other = whole_lineage(history, a), whole_lineage(history, b)
    common = [i for i in one if i is not None and i in other]
    if a == b:
        return "same", a, set(), set()
    if not common:
        is_known = one[-1] is None and other[-1] is None
        return ("unrelated" if is_known else "unknown"), None, set(), set()
    base = common[0]
    kind = "ancestor" if base in (a, b) else "diverged"
    sides = ({i for i in side[: side.index(base)] if i is not None} for side in (one, other))
    return kind, base, *sides


@pytest.mark.parametrize("seed", range(60))
def test_any_two_snapshots_of_a_random_history(seed: int) -> None:
    history = random_history(seed, 40)
    metadata = of(history)
    ids = sorted(history.snapshots)[:14]
    kinds = set()
    for a, b in product(ids, ids):
        told = relation(metadata, a, b)
        kind, base, only_a, only_b = expected(history, a, b)
        kinds.add(kind)
        assert (told.kind, told.base) == (kind, base)
        assert {told.left.snapshot_id, told.right.snapshot_id} == {a, b}
        first, second = (only_b, only_a) if told.swapped else (only_a, only_b)
        assert {s.snapshot_id for s in told.left_commits} == first
        assert {s.snapshot_id for s in told.right_commits} == second
        assert (told.common is None) == (base not in metadata.by_id)
        for commits in (told.left_commits, told.right_commits):
            assert all(later.parent_id == s.snapshot_id for s, later in pairwise(commits))
        if kind == "ancestor":
            assert told.left.snapshot_id == base
            assert told.left_commits == ()
    assert "same" in kinds


@pytest.mark.parametrize("seed", range(60))
def test_it_is_told_alike_whichever_is_named_first(seed: int) -> None:
    metadata = of(random_history(seed, 40))
    ids = sorted(metadata.by_id)[:14]
    for a, b in product(ids, ids):
        one, other = relation(metadata, a, b), relation(metadata, b, a)
        if a != b:
            assert one.swapped != other.swapped
        assert _without_order(one) == _without_order(other)
        assert one.turned().turned() == one
        back = one.turned()
        assert (back.left, back.right, back.left_commits) == (one.right, one.left, one.right_commits)
        assert back.reversed


def _without_order(of: Relation) -> tuple[object, ...]:
    return of.kind, of.left, of.right, of.base, of.left_commits, of.right_commits


def test_every_kind_of_relation_occurs_in_these_histories() -> None:
    kinds = set()
    for seed in range(60):
        metadata = of(random_history(seed, 40))
        kinds |= {relation(metadata, a, b).kind for a, b in product(list(metadata.by_id)[:14], repeat=2)}
    assert kinds == {"same", "ancestor", "diverged", "unrelated", "unknown"}


def test_of_two_lines_the_one_with_the_lower_number_is_told_first() -> None:
    history = History(1)
    base = history.commit(None)
    left, right = history.commit(base), history.commit(base)
    metadata = of(history)
    for asked in ((left, right), (right, left)):
        told = relation(metadata, *asked)
        assert (told.left.snapshot_id, told.right.snapshot_id) == (left, right)


def test_what_was_current_at_a_time_is_what_the_log_says_last() -> None:
    for seed in range(20):
        metadata = of(random_history(seed, 40))
        log = metadata.snapshot_log
        for entry in log:
            found = current_at(metadata, entry.made_current_at)
            wanted = [e for e in log if e.made_current_at <= entry.made_current_at][-1]
            assert found == wanted
        if log:
            first = min(entry.made_current_at for entry in log)
            assert current_at(metadata, first.replace(year=1990)) is None
