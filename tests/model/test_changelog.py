from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
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
    append_scans,
    counts,
    only_appends,
    pairing,
    stretches,
    with_distinct_keys,
)
from explorer.model.iceberg.commit_range import CommitRange, commit_range
from explorer.model.iceberg.inheritance import ListedManifest, Value
from explorer.model.iceberg.metadata import TableMetadata
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


def sources(commits: CommitRange, metadata: TableMetadata, lists: dict[int, Any], **how: Any) -> list[Any]:
    found, unread = stretches(commits, lists, metadata.by_id, **how)
    questions = [
        (s.source, s.first_ordinal, s.parent_id, s.end, [c.snapshot.snapshot_id for c in s.commits]) for s in found
    ]
    return [*questions, *((u.commit.snapshot.snapshot_id, u.reason) for u in unread)]


def test_icebergs_scan_reads_what_lists_no_deletes_and_passes_over_replace() -> None:
    lists = {i: listed(i, deletes=i == 6) for i in range(1, 8)}
    assert sources(commit_range(LINE, 1, None), LINE, lists) == [
        ("changelog scan", 0, 1, 5, [2, 3, 5]),
        ("row question", 3, 5, 6, [6]),
        ("changelog scan", 4, 6, 7, [7]),
    ]
    whole = commit_range(LINE, None, 2)
    assert sources(whole, LINE, lists) == [("changelog scan", 0, None, 2, [1, 2])]
    assert sources(whole, LINE, lists, by_row_id=True) == [("row question", 0, None, 2, [1, 2])]
    assert [s[0] for s in sources(whole, LINE, lists, contradicted={2})] == ["changelog scan", "row question"]
    lists[2] = "It is damaged."  # type: ignore[assignment]
    del lists[3]
    assert sources(commit_range(LINE, None, 5), LINE, lists) == [
        ("changelog scan", 0, None, 1, [1]),
        ("changelog scan", 3, 4, 5, [5]),
        (2, "It is damaged."),
        (3, "The metadata names no manifest list for it."),
    ]


@pytest.mark.parametrize("first", [{"deletes": True}, {"removed": 1}, {"removed": None}])
def test_a_commit_that_reaches_back_behind_what_expired_cannot_be_known(first: dict[str, Any]) -> None:
    lists = {5: listed(5, **first), 6: listed(6)}
    (scan, (snapshot_id, reason)) = sources(commit_range(CUT, None, None), CUT, lists)
    assert (scan, snapshot_id) == (("changelog scan", 1, 5, 6, [6]), 5)
    assert reason.startswith("Its parent 4 has expired")
    lists[5] = listed(5)
    assert sources(commit_range(CUT, 4, None), CUT, lists) == [("changelog scan", 0, 4, 6, [5, 6])]


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
    found, unread = stretches(commits, {i: listed(i, deletes=i > 5) for i in range(2, 8)}, LINE.by_id)

    def about(mode: Mode, pairs: Pairing = "none") -> list[str]:
        ids = ("id",) if pairs == "identifier columns" else ()
        return [n.about for n in Changelog(commits, mode, ("id",), pairs, ids, found, unread).notes]

    always = [
        "Rows of 1 replace commit",
        "Rows of 1",
        "2 commits told by rows before and after",
    ]
    assert about("changes") == about("raw") == always
    assert about("updates") == [always[0], "Which DELETE and INSERT are one row", *always[1:]]
    assert about("updates", "identifier columns")[1] == "Updates by id"
    assert about("updates", "row id")[1:] == ["Updates by _row_id", "Rows of 1"]
    assert {len(about(mode)) for mode in MODES} == {3, 4, 5}


def test_what_is_drawn_is_called_a_part() -> None:
    changelog = Changelog(commit_range(LINE, 6, None), "changes", ("id",), "none", ())
    assert (changelog.row_count, changelog.notes) == (None, ())
    row = ChangedRow("1", "1", "INSERT", 0, 7)
    read = changelog.read({7: CommitCounts({"INSERT": 2})}, [row])
    assert (read.row_count, read.rows) == (2, (row,))
    assert [note.about for note in read.notes] == ["1 of 2 rows drawn"]
    assert changelog.read({7: CommitCounts({"INSERT": 1})}, [row]).notes == ()


def test_commits_that_only_append_are_read_by_one_scan_until_something_stops_it() -> None:
    lists = {i: listed(i, deletes=i not in (1, 5)) for i in range(1, 8)}
    lists[6] = "gone"  # type: ignore[assignment] - a list that cannot be read
    found, unread = stretches(commit_range(LINE, None, None), lists, LINE.by_id, appends={2, 3, 7})
    assert [(s.source, [c.snapshot.snapshot_id for c in s.commits]) for s in found] == [
        ("changelog scan", [1]),
        ("append scan", [2, 3]),
        ("changelog scan", [5]),
        ("append scan", [7]),
    ]
    together = append_scans(found, unread)
    assert [[c.snapshot.snapshot_id for c in commits] for commits in together] == [[2, 3], [7]]


def test_appends_around_a_row_question_are_read_together() -> None:
    lists = {i: listed(i, deletes=True) for i in range(1, 8)}
    found, unread = stretches(commit_range(LINE, 1, None), lists, LINE.by_id, appends={2, 5, 7})
    assert [s.source for s in found] == ["append scan", "row question", "append scan", "row question", "append scan"]
    assert [[c.snapshot.snapshot_id for c in commits] for commits in append_scans(found, unread)] == [[2, 5, 7]]


def test_an_append_without_a_known_parent_is_asked_row_by_row() -> None:
    lists = {5: listed(5, deletes=True), 6: listed(6, deletes=True)}
    found, _ = stretches(commit_range(CUT, None, None), lists, CUT.by_id, appends={5, 6})
    assert [(s.source, [c.snapshot.snapshot_id for c in s.commits]) for s in found][-1] == ("append scan", [6])


@pytest.mark.parametrize(
    ("operation", "change", "number", "holds"),
    [
        ("append", "added", 7, True),
        ("append", "added", 5, False),  # an older number: deletes before it may reach it
        ("overwrite", "added", 7, False),
        ("append", "removed", 7, False),
    ],
)
def test_only_a_commit_that_added_data_of_its_own_number_is_an_append(
    operation: str, change: str, number: int, holds: bool
) -> None:
    file = SimpleNamespace(
        change=change, kind="data", resolved=SimpleNamespace(data_sequence_number=Value(number, "stored"))
    )
    commit: Any = SimpleNamespace(
        snapshot=SimpleNamespace(operation=operation, sequence_number=7),
        contradictions=(),
        manifests=object(),
        files=(file,),
        file_count=1,
    )
    assert only_appends(commit) is holds
    commit.file_count = 2
    assert not only_appends(commit), "not all files are at hand"


def test_keys_that_are_written_alike_stay_apart() -> None:
    def row(key: str, same: int, change_type: ChangeType = "INSERT") -> DrawnRow:
        return DrawnRow(key, same, key, change_type, 0, 1, carried_over=False)

    rows = with_distinct_keys([row("null", 1), row("null", 2), row("null", 1, "DELETE"), row("a b", 3), row("a b", 4)])
    assert [r.key for r in rows] == ["null", "null (2)", "null", "a b", "a b (2)"]
