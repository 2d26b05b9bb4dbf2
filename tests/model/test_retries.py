from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any

import pytest

from explorer.model.iceberg.inheritance import ListedManifest
from explorer.model.iceberg.metadata import Snapshot
from explorer.model.retries.facts import Attempt, Retries, asked_first, from_stored, rows
from explorer.model.retries.stored import StoredRetries
from tests.model.test_inheritance import ROW

START = datetime(2026, 11, 20, 12, tzinfo=UTC)


def snapshot(number: int, attempt: int | str = 1, seconds: float | None = None, **other: Any) -> Snapshot:
    """Snapshot 10, 20, … of sequence number 1, 2, …, a second after each other."""
    name = f"snap-{number * 10}-{attempt}-uuid.avro" if isinstance(attempt, int) else attempt
    return Snapshot(
        **{
            "snapshot_id": number * 10,
            "parent_id": None,
            "sequence_number": number,
            "committed_at": START + timedelta(seconds=number if seconds is None else seconds),
            "operation": "append",
            "summary": MappingProxyType({}),
            "manifest_list": f"s3://b/t/metadata/{name}",
            "schema_id": 0,
        }
        | other
    )


def row(path: str, added: int = 1, existing: int | None = 0, deleted: int = 0) -> ListedManifest:
    return dataclasses.replace(
        ROW, path=path, added_files_count=added, existing_files_count=existing, deleted_files_count=deleted
    )


def retries_of(*snapshots: Snapshot, **stored: Any) -> Retries:
    added = {s.snapshot_id: (row(f"{s.snapshot_id}-m0"),) for s in snapshots}
    return from_stored(snapshots, StoredRetries(**{"added": added, "newest": {}, "written_at": {}} | stored))


def last(*snapshots: Snapshot, **stored: Any) -> Attempt:
    return retries_of(*snapshots, **stored).attempts[-1]


def numbers(attempt: Attempt) -> list[int]:
    return [rival.sequence_number for rival in attempt.rivals]


def test_a_commit_that_was_retried_used_its_manifest_again_and_lost_to_those_before_it() -> None:
    all_of_them = retries_of(snapshot(1), snapshot(2), snapshot(3), snapshot(4, attempt=3))
    assert [a.attempt for a in all_of_them.attempts] == [1, 1, 1, 3]
    assert all_of_them.retried == all_of_them.attempts[3:]
    one = all_of_them.retried[0]
    assert (one.manifests_added, one.manifests_written_before) == (("40-m0",), ("40-m0",))
    assert numbers(one) == [2, 3]
    assert one.lost_lists == ("snap-40-1-uuid.avro", "snap-40-2-uuid.avro")
    assert [note.certainty for note in one.notes] == ["inferred"]
    first = all_of_them.attempts[0]
    assert (first.manifests_written_before, first.rivals, first.lost_lists) == ((), (), ())
    assert rows(all_of_them)[3] == {
        "snapshot_id": 40,
        "sequence_number": 4,
        "attempt": 3,
        "manifests_added": ["40-m0"],
        "manifests_written_before": ["40-m0"],
        "committed_at": START + timedelta(seconds=4),
        "rivals": ["20", "30"],
    }


@pytest.mark.parametrize(
    ("named", "why"),
    [
        (snapshot(2, 0), "attempt 0"),
        (snapshot(2, "snap-v1-null-counts.avro"), "not named"),
        (snapshot(2, "snap-99-2-uuid.avro"), "not named"),
        (snapshot(2, manifest_list=None), "lists its manifests itself"),
    ],
)
def test_a_name_that_does_not_count_is_unknown_and_says_why(named: Snapshot, why: str) -> None:
    one = last(snapshot(1), named)
    assert (one.attempt, one.manifests_written_before, one.rivals, one.lost_lists) == (None, None, (), ())
    assert one.manifests_added == ("20-m0",)
    assert why in one.notes[0].reason
    assert one.notes[0].certainty == "unknown"
    assert one.origins is not None
    assert [o.before for o in one.origins] == [None]


def test_a_manifest_with_older_files_is_known_by_what_it_knows_and_by_its_time() -> None:
    snapshots = snapshot(1), snapshot(2), snapshot(3, attempt=2)
    merged = {"added": {30: [row("merged", existing=3)]}}
    before_2, after_2 = START + timedelta(seconds=1.5), START + timedelta(seconds=2.5)

    def verdict(**stored: Any) -> tuple[bool | None, str]:
        origins = last(*snapshots, **merged | stored).origins
        assert origins is not None
        return origins[0].before, origins[0].reason

    assert verdict()[0] is None
    assert verdict(newest={"merged": 1})[0] is None
    assert verdict(newest={"merged": 2})[0] is False, "it holds a file of the commit that the lost attempt lost to"
    assert verdict(written_at={"merged": after_2})[0] is None
    before, reason = verdict(written_at={"merged": before_2})
    assert before is True
    assert "0.5 s before" in reason
    assert verdict(written_at={"merged": before_2}, newest={"merged": 2})[0] is False, "a clock proves less"
    whole = START + timedelta(seconds=1)
    assert verdict(written_at={"merged": whole})[0] is None, "12:00:01 may be anything before 12:00:02"
    assert last(*snapshots, **merged).notes[-1].about == "Which attempt wrote 1 manifest"
    uncounted = {"added": {30: [row("merged", existing=None)]}}
    assert last(*snapshots, **uncounted).manifests_written_before == ()


def test_times_of_the_storage_name_more_rivals() -> None:
    snapshots = *(snapshot(n) for n in range(1, 6)), snapshot(6, attempt=2)
    assert numbers(last(*snapshots)) == [5]
    early = {"60-m0": START + timedelta(seconds=2.5)}
    assert numbers(last(*snapshots, written_at=early)) == [3, 4, 5]
    copied = last(*snapshots, written_at={"60-m0": START + timedelta(days=1)})
    assert numbers(copied) == [5]
    assert copied.origins is not None
    assert copied.origins[0].written_at is None


def test_rivals_that_are_not_there_are_unknown() -> None:
    expired = last(snapshot(2), snapshot(5, attempt=3))
    assert numbers(expired) == []
    assert [note.certainty for note in expired.notes] == ["unknown"]
    assert "3–4" in expired.notes[0].reason
    alone = last(snapshot(1, attempt=2))
    assert "transaction" in alone.notes[0].reason
    long_ago = last(snapshot(1, seconds=-86_400), snapshot(2, attempt=2))
    assert numbers(long_ago) == []
    assert "transaction" in long_ago.notes[0].reason


def test_version_1_counts_commits_instead_of_numbers() -> None:
    snapshots = [dataclasses.replace(snapshot(n), sequence_number=0) for n in (1, 2)]
    one = last(*snapshots, dataclasses.replace(snapshot(3, attempt=2), sequence_number=0))
    assert [rival.snapshot_id for rival in one.rivals] == [20]
    assert one.manifests_written_before == ("30-m0",)


def test_a_list_that_was_not_or_cannot_be_read_leaves_the_rest_standing() -> None:
    one = retries_of(snapshot(1), snapshot(2, attempt=2), added={20: "The file does not exist."})
    unread, unreadable = one.attempts
    assert (unread.manifests_added, unreadable.manifests_added, unreadable.manifests_written_before) == (
        None,
        None,
        None,
    )
    assert numbers(unreadable) == [1]
    assert "does not exist" in unreadable.notes[0].reason
    assert "1 of 2 manifest lists" in one.notes[-1].reason


def test_retried_commits_are_read_first_and_the_newest_before_the_older() -> None:
    snapshots = snapshot(1, attempt=2), snapshot(2), snapshot(3, attempt=4), snapshot(4, attempt=0)
    assert asked_first(snapshots) == ([30, 10, 40, 20], {10, 30})
