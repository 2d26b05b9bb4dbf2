from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.model.iceberg.commit_range import CommitRange, NoSuchRange, commit_range
from explorer.model.iceberg.metadata import TableMetadata
from tests.model.histories import History, random_history

HISTORIES = st.builds(random_history, st.integers(0, 10**6), st.integers(1, 40))


def table(*snapshots: tuple[int, int | None, str], main: int | None = None) -> TableMetadata:
    """Snapshots as (id, parent, operation)."""
    return TableMetadata.from_json(
        {
            "format-version": 2,
            "location": "t",
            "last-sequence-number": len(snapshots),
            "current-snapshot-id": snapshots[-1][0] if main is None else main,
            "snapshots": [
                {
                    "snapshot-id": i,
                    **({} if parent is None else {"parent-snapshot-id": parent}),
                    "sequence-number": number,
                    "summary": {"operation": operation},
                }
                for number, (i, parent, operation) in enumerate(snapshots, 1)
            ],
        }
    )


def ordinals(found: CommitRange) -> list[tuple[int, int | None]]:
    return [(commit.snapshot.snapshot_id, commit.ordinal) for commit in found.commits]


LINE = table((1, None, "append"), (2, 1, "overwrite"), (3, 2, "replace"), (4, 3, "delete"))
FORKED = table((1, None, "append"), (2, 1, "append"), (3, 1, "append"), (4, 3, "append"), main=2)
CUT = table((5, 4, "overwrite"), (6, 5, "append"))


def test_ordinals_pass_over_replace_and_begin_at_0_in_every_range() -> None:
    assert ordinals(commit_range(LINE, None, None)) == [(1, 0), (2, 1), (3, None), (4, 2)]
    assert ordinals(commit_range(LINE, 1, 4)) == [(2, 0), (3, None), (4, 1)]
    assert ordinals(commit_range(LINE, 2, 3)) == [(3, None)]
    assert [commit.snapshot.snapshot_id for commit in commit_range(LINE, 1, 4).numbered] == [2, 4]
    assert [snapshot.snapshot_id for snapshot in commit_range(LINE, 1, 4).replaced] == [3]


def test_the_range_says_what_lies_before_it() -> None:
    whole, later, cut = commit_range(LINE, None, 4), commit_range(LINE, 2, 4), commit_range(CUT, None, 6)
    assert (whole.begins, later.begins, cut.begins) == ("root", "start", "expired")
    assert [note.about for note in whole.notes] == ["Rows of 1 replace commit"]
    (note,) = cut.notes
    assert (note.certainty, note.about) == ("unknown", "What was committed before")
    assert "its parent 4 has expired" in note.reason


def test_an_expired_start_is_fine_while_its_child_is_listed() -> None:
    found = commit_range(CUT, 4, 6)
    assert (ordinals(found), found.begins, found.notes) == ([(5, 0), (6, 1)], "start", ())


def test_from_a_snapshot_to_itself_nothing_happened() -> None:
    found = commit_range(LINE, 4, 4)
    assert found.commits == ()
    assert [note.about for note in found.notes] == ["No commit lies in this range"]


@pytest.mark.parametrize(
    ("metadata", "start", "end", "found", "next_step"),
    [
        (FORKED, 2, 4, "the youngest common ancestor is 1", "Ask from 1 to 4, and from 1 to 2"),
        (LINE, 4, 2, "2 is an ancestor of 4", "Ask from 2 to 4"),
        (LINE, 99, 4, "99 is not listed, and no listed ancestor has it as parent. It is no ancestor", "everything"),
        (CUT, 99, 6, "known back to 5, whose parent 4 has expired", "Leave the start out"),
        (LINE, 1, 99, "4 snapshots listed; branches and tags: main", "expired"),
        (table((1, None, "append"), (2, None, "append")), 1, 2, "they have no common ancestor", "Leave the start out"),
        (table((1, None, "append"), (6, 5, "append")), 1, 6, "whose parent 5 has expired", "Ask from 5 to 6"),
        (table((1, None, "append"), main=-1), None, None, "1 snapshot listed; branches and tags: none", "Name a"),
    ],
)
def test_no_range_is_refused_with_what_to_do(
    metadata: TableMetadata, start: int | None, end: int | None, found: str, next_step: str
) -> None:
    with pytest.raises(NoSuchRange) as refused:
        commit_range(metadata, start, end)
    assert found in refused.value.found
    assert next_step in refused.value.next_step


def test_a_circle_of_parents_ends() -> None:
    assert {i for i, _ in ordinals(commit_range(table((1, 2, "append"), (2, 1, "append")), None, 2))} == {1, 2}


@given(HISTORIES, st.randoms())
def test_ranges_are_those_of_a_plain_walk(history: History, pick: object) -> None:
    metadata = TableMetadata.from_json(history.document())
    ids = sorted(history.snapshots)
    if not ids:
        return
    end = pick.choice(ids)  # type: ignore[attr-defined]
    start = pick.choice([*ids, *(s.parent_id for s in metadata.snapshots)])  # type: ignore[attr-defined]
    lineage = history.lineage(end)[::-1]
    parents = [history.snapshots[i].get("parent-snapshot-id") for i in lineage]
    if start == end:
        expected = []
    elif start is None:
        expected = lineage
    elif start in parents:
        expected = lineage[parents.index(start) :]
    else:
        with pytest.raises(NoSuchRange):
            commit_range(metadata, start, end)
        return
    operations = {i: history.snapshots[i]["summary"]["operation"] for i in expected}
    numbered = [i for i in expected if operations[i] != "replace"]
    assert ordinals(commit_range(metadata, start, end)) == [
        (i, numbered.index(i) if i in numbered else None) for i in expected
    ]
