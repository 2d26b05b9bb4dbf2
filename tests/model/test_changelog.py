from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from explorer.model.changelog.counted import ChangeType, CommitTally, DrawnRow
from explorer.model.changelog.facts import (
    MODES,
    ChangedRow,
    Changelog,
    CommitCounts,
    Mode,
    Pairing,
    counts,
    pairing,
    stretches,
    with_distinct_keys,
)
from explorer.model.iceberg.commit_range import CommitRange, commit_range
from explorer.model.iceberg.inheritance import ListedManifest
from explorer.model.iceberg.row_lineage import RowIds
from tests.model.test_commit_range import table

LINE = table(*[(i, i - 1 or None, "replace" if i == 4 else "append") for i in range(1, 8)])
CUT = table((5, 4, "overwrite"), (6, 5, "append"))


def listed(snapshot_id: int, *, deletes: bool = False, removed: int | None = 0) -> list[ListedManifest]:
    def manifest(content: int, added: int, deleted: int | None) -> ListedManifest:
        return ListedManifest(
            path=f"m{content}",
            length=1,
            partition_spec_id=0,
            content=content,
            sequence_number=1,
            min_sequence_number=1,
            added_snapshot_id=snapshot_id,
            added_files_count=added,
            existing_files_count=0,
            deleted_files_count=deleted,
            added_rows_count=added,
            existing_rows_count=0,
            deleted_rows_count=deleted,
            first_row_id=None,
        )

    return [manifest(0, 1, removed)] + ([manifest(1, 1, 0)] if deletes else [])


def told(commits: CommitRange, lists: dict[int, Any], unreadable: dict[int, str] | None = None) -> list[Any]:
    found, unread = stretches(commits, lists, unreadable or {})
    together = [(s.before, [c.snapshot.snapshot_id for c in s.commits]) for s in found]
    return [*together, *((u.commit.snapshot.snapshot_id, u.reason) for u in unread)]


def test_commits_are_read_together_until_one_cannot_be_read() -> None:
    lists: dict[int, Any] = {i: listed(i, deletes=i == 6) for i in range(1, 8)}
    assert told(commit_range(LINE, 1, None), lists) == [(1, [2, 3, 4, 5, 6, 7])]
    assert told(commit_range(LINE, None, 2), lists) == [(None, [1, 2])]
    assert told(commit_range(LINE, 3, 4), lists) == []  # a replace alone changes no row
    damaged = {5: "m0: It is damaged."}
    assert told(commit_range(LINE, 1, None), lists, damaged) == [(1, [2, 3, 4]), (5, [6, 7]), (5, damaged[5])]
    assert told(commit_range(LINE, 1, None), lists, {4: "m0: It is damaged."}) == [(1, [2, 3]), (4, [5, 6, 7])]
    lists[2] = "It is damaged."
    del lists[3]
    assert told(commit_range(LINE, None, 5), lists) == [
        (None, [1]),
        (None, [4, 5]),
        (2, "It is damaged."),
        (3, "The metadata names no manifest list for it."),
    ]


@pytest.mark.parametrize("first", [{"deletes": True}, {"removed": 1}, {"removed": None}])
def test_a_commit_that_reaches_back_behind_what_is_lost_cannot_be_known(first: dict[str, Any]) -> None:
    lists: dict[int, Any] = {5: listed(5, **first), 6: listed(6)}
    (after, (snapshot_id, reason)) = told(commit_range(CUT, None, None), lists)
    assert (after, snapshot_id) == ((5, [6]), 5)
    assert reason.startswith("Its parent 4 has expired")
    lists[5] = listed(5)
    assert told(commit_range(CUT, 4, None), lists) == [(None, [5, 6])]
    lists[5], lists[6] = "It does not exist.", listed(6, **first)
    (_, (snapshot_id, reason)) = told(commit_range(CUT, None, None), lists)
    assert snapshot_id == 6
    assert reason.startswith("Its parent 5 has no readable manifest list (It does not exist.)")


TALLY = CommitTally(7, gone=5, came=4, carried_over=2, updated=1)


@pytest.mark.parametrize(
    ("mode", "rows", "carried_over"),
    [
        ("raw", {"DELETE": 5, "INSERT": 4}, 2),
        ("changes", {"DELETE": 3, "INSERT": 2}, 2),
        ("updates", {"DELETE": 2, "UPDATE_BEFORE": 1, "UPDATE_AFTER": 1, "INSERT": 1}, 2),
        ("net", {"DELETE": 5, "INSERT": 4}, None),
    ],
)
def test_counts_are_of_rows_as_the_mode_prints_them(mode: Mode, rows: Any, carried_over: int | None) -> None:
    tally = TALLY if mode == "updates" else replace(TALLY, updated=0)
    if mode == "net":
        tally = replace(tally, carried_over=0)
    counted = counts(mode, [tally])[7]
    assert (dict(counted.rows), counted.carried_over, counted.printed) == (rows, carried_over, sum(rows.values()))
    assert dict(counts("changes", [replace(TALLY, gone=2, came=2, updated=0)])[7].rows) == {}


YES, NO = RowIds(True, ""), RowIds(False, "")


@pytest.mark.parametrize(
    ("mode", "identifiers", "row_ids", "expected"),
    [
        ("updates", ["id"], [YES], "identifier columns"),
        ("updates", [], [YES, YES], "row id"),
        ("updates", [], [YES, NO], "none"),
        ("updates", [], [], "none"),
        ("changes", ["id"], [YES], "none"),
    ],
)
def test_what_makes_an_update(mode: Mode, identifiers: list[str], row_ids: list[RowIds], expected: Pairing) -> None:
    assert pairing(mode, identifiers, row_ids) == expected


def test_the_notes_say_what_a_mode_means_and_what_is_missing() -> None:
    commits = commit_range(LINE, None, None)
    found, unread = stretches(commits, {i: listed(i, deletes=i > 5) for i in range(2, 8)})

    def about(mode: Mode, pairs: Pairing = "none") -> list[str]:
        ids = ("id",) if pairs == "identifier columns" else ()
        return [n.about for n in Changelog(commits, mode, ("id",), pairs, ids, found, unread).notes]

    always = ["Rows of 1 replace commit", "Rows of 1"]
    assert about("changes") == about("raw") == always
    assert about("updates") == [always[0], "Which DELETE and INSERT are one row", *always[1:]]
    assert about("updates", "identifier columns")[1] == "Updates by id"
    assert about("updates", "row id")[1:] == ["Updates by _row_id", "Rows of 1"]
    assert {len(about(mode)) for mode in MODES} == {2, 3, 4}


def test_what_is_drawn_is_called_a_part() -> None:
    changelog = Changelog(commit_range(LINE, 6, None), "changes", ("id",), "none", ())
    assert (changelog.row_count, changelog.notes) == (None, ())
    row = ChangedRow("1", "1", "INSERT", 0, 7)
    read = changelog.read({7: CommitCounts({"INSERT": 2})}, [row])
    assert (read.row_count, read.rows) == (2, (row,))
    assert [note.about for note in read.notes] == ["1 of 2 rows drawn"]
    assert changelog.read({7: CommitCounts({"INSERT": 1})}, [row]).notes == ()


def test_keys_that_are_written_alike_stay_apart() -> None:
    def row(key: str, same: int, change_type: ChangeType = "INSERT") -> DrawnRow:
        return DrawnRow(key, same, key, change_type, 0, 1, carried_over=False)

    rows = with_distinct_keys([row("null", 1), row("null", 2), row("null", 1, "DELETE"), row("a b", 3), row("a b", 4)])
    assert [r.key for r in rows] == ["null", "null (2)", "null", "a b", "a b (2)"]
