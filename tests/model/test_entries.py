from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import pytest

from explorer.model.entries import overview
from explorer.model.entries.facts import Entries, entries, rows
from explorer.model.entries.group import Group
from explorer.model.entries.stored import EntryGroup
from explorer.model.iceberg.inheritance import ListedManifest, Status, StoredEntry, Value
from explorer.model.iceberg.metadata import Snapshot
from tests.model.test_inheritance import ENTRY, ROW

SNAPSHOT = Snapshot(
    snapshot_id=70,
    parent_id=60,
    sequence_number=7,
    committed_at=None,
    operation="overwrite",
    summary=MappingProxyType({}),
    manifest_list="snap-70-1-u.avro",
    schema_id=0,
)


def listed(path: str, added: int = 0, existing: int = 0, deleted: int = 0, **other: Any) -> ListedManifest:
    """A row of this snapshot's list that counts its entries right, each with ten rows."""
    counts = {"added": added, "existing": existing, "deleted": deleted}
    files = {f"{kind}_files_count": n for kind, n in counts.items()}
    rows_in = {f"{kind}_rows_count": 10 * n for kind, n in counts.items()}
    return dataclasses.replace(ROW, **{"path": path, **files, **rows_in, **other})


def stored(path: str, status: Status, number: int | None = None, **other: Any) -> StoredEntry:
    both = {"stored_sequence_number": number, "stored_file_sequence_number": number}
    return dataclasses.replace(ENTRY, **{"manifest_path": path, "status": status, **both, **other})


ADDED, EXISTING, DELETED = Status.ADDED, Status.EXISTING, Status.DELETED
MANIFESTS = (
    listed("new.avro", added=2),
    listed("rewritten.avro", existing=2, deleted=1),
    listed("kept.avro", added=1, added_snapshot_id=60, sequence_number=6),
)
ENTRIES = (
    stored("new.avro", ADDED),
    stored("new.avro", ADDED, position=1),
    stored("rewritten.avro", EXISTING, 4),
    stored("rewritten.avro", DELETED, 5),
    stored("rewritten.avro", EXISTING, 6, stored_sequence_number=4),
    stored("kept.avro", ADDED),
)


def entries_of(
    manifests: Sequence[ListedManifest] = MANIFESTS, found: Sequence[StoredEntry] = ENTRIES, **other: Any
) -> Entries:
    return entries(SNAPSHOT, listed=manifests, stored=found, **other)


def test_each_manifest_says_who_wrote_it_and_what_its_entries_are_read_as() -> None:
    all_of_them = entries_of()
    assert [m.state for m in all_of_them.manifests] == ["new", "rewritten", "kept"]
    assert [m.entry_count for m in all_of_them.manifests] == [2, 3, 1]
    assert all_of_them.entry_count == 6
    new, rewritten, kept = all_of_them.manifests
    inherited = Value(7, "inherited")
    assert new.groups == (Group(ADDED, 2, 20, inherited, inherited),)
    assert rewritten.groups == (
        Group(EXISTING, 1, 10, Value(4, "stored"), Value(4, "stored")),
        Group(DELETED, 1, 10, Value(5, "stored"), Value(5, "stored")),
        Group(EXISTING, 1, 10, Value(4, "stored"), Value(6, "stored")),
    )
    assert kept.groups[0].data_sequence_number == Value(6, "inherited"), "6, not 7"
    assert all_of_them.contradictions == ()
    assert [note.certainty for note in all_of_them.notes] == ["exact"]


def test_rows_have_stored_values_beside_those_that_are_read() -> None:
    row = rows(entries_of())[0]
    assert row["stored_sequence_number"] is None
    assert (row["manifest_sequence_number"], row["sequence_number"], row["sequence_number_rule"]) == (7, 7, "inherited")
    assert (row["stored_snapshot_id"], row["snapshot_id"], row["status"], row["content"]) == (None, 70, "ADDED", "data")
    version_1 = entries_of([listed("m.avro", added=1, sequence_number=None)], [stored("m.avro", ADDED)])
    assert rows(version_1)[0]["manifest_sequence_number"] == 0


def test_groups_that_were_counted_elsewhere_are_those_of_the_entries() -> None:
    counted = [
        EntryGroup(e.manifest_path, e.status, e.stored_sequence_number, e.stored_file_sequence_number, count=1, rows=10)
        for e in ENTRIES[1:]
    ]
    counted[0] = dataclasses.replace(counted[0], count=2, rows=20)
    bounded = entries_of(found=ENTRIES[:1], groups=counted)
    assert [m.groups for m in bounded.manifests] == [m.groups for m in entries_of().manifests]
    assert bounded.entry_count == 6
    assert str(bounded.notes[-1]).startswith("exact: 1 of 6 entries listed")
    counted[1] = dataclasses.replace(counted[1], stored_sequence_number=None, various_sequence_numbers=True)
    assert entries_of(found=(), groups=counted).manifests[1].groups[0].data_sequence_number == Value(None, "stored")


def test_what_cannot_be_read_is_unreadable_with_what_the_list_says_of_it() -> None:
    partly = entries_of(found=ENTRIES[:2], unreadable={"rewritten.avro": "It is empty.", "kept.avro": "It is gone."})
    _, rewritten, kept = partly.manifests
    assert (rewritten.state, rewritten.entry_count, rewritten.unreadable) == ("rewritten", 3, "It is empty.")
    assert (kept.state, kept.groups, kept.entries) == ("kept", (), ())
    assert partly.entry_count == 2
    assert [note.certainty for note in partly.notes] == ["exact", "unknown", "unknown"]
    assert "3 entries" in partly.notes[1].reason
    uncounted = listed("m.avro", added_files_count=None)
    (gone,) = entries_of([uncounted], (), unreadable={"m.avro": "It is gone."}).manifests
    assert gone.entry_count is None

    nothing = entries_of((), (), unreadable_list="The file does not exist.")
    assert (nothing.manifests, nothing.unreadable) == ((), "The file does not exist.")
    assert [note.certainty for note in nothing.notes] == ["unknown"]


def test_manifests_named_in_the_metadata_file_are_known_by_whose_changes_they_hold() -> None:
    unnamed: dict[str, Any] = {"added_snapshot_id": None, "sequence_number": None, "min_sequence_number": None}
    manifests = [listed(name, **unnamed) for name in ("own", "others", "merged")]
    found = [
        stored("own", ADDED, stored_snapshot_id=70),
        stored("others", ADDED, stored_snapshot_id=60),
        stored("merged", EXISTING, stored_snapshot_id=60),
        stored("merged", DELETED, stored_snapshot_id=70),
    ]
    assert [m.state for m in entries_of(manifests, found).manifests] == ["new", "kept", "rewritten"]


def test_one_file_is_shown_with_the_manifests_that_hold_it_alone() -> None:
    one = entries_of(found=ENTRIES[2:3], file=("a.parquet", None), unreadable={"kept.avro": "It is gone."})
    assert [m.manifest.path for m in one.manifests] == ["rewritten.avro", "kept.avro"]
    assert (one.file, one.entry_count) == (("a.parquet", None), 1)
    assert one.contradictions == (), "that the list counts more is none"


@pytest.mark.parametrize(
    ("manifest", "entry", "expected"),
    [
        (listed("m", added=2), stored("m", ADDED), "count of ADDED files says 2, counted are 1"),
        (listed("m", added=1, added_rows_count=9), stored("m", ADDED), "rows in ADDED files says 9, counted are 10"),
        (listed("m", existing=1), stored("m", EXISTING), "1 EXISTING or DELETED entry without a sequence number"),
        (listed("m", added=1), stored("m", ADDED, 7, stored_file_sequence_number=6), "above its file sequence number"),
        (listed("m", existing=1), stored("m", EXISTING, 8), "8 is above 7"),
        (listed("m", existing=1), stored("m", EXISTING, 2), "gives 3 as the smallest"),
        (listed("m", deleted=1), stored("m", DELETED, 2), None),
        (listed("m", added=1, min_sequence_number=None), stored("m", ADDED, 2), None),
    ],
)
def test_what_the_format_forbids_is_named(manifest: ListedManifest, entry: StoredEntry, expected: str | None) -> None:
    found = entries_of([manifest], [entry]).contradictions
    if expected is None:
        assert found == ()
    else:
        assert [text for text in found if text.startswith("m: ") and expected in text]


def written_by(path: str, number: int, by: int = 70, **counts: Any) -> ListedManifest:
    return listed(path, sequence_number=number, min_sequence_number=1, added_snapshot_id=by, **counts)


def test_manifests_that_say_what_another_says_are_told_once_and_all_that_stand_out_are_told() -> None:
    rows_of_list = [
        written_by("new", 7, added=1),
        *(written_by(f"kept-{number}", number, by=number, added=1) for number in (6, 5, 4)),
        written_by("chosen", 3, by=3, added=1),
        *(written_by(f"again-{number}", number, by=number, existing=1) for number in (3, 2)),
        written_by("contradicts", 2, by=2, added=2),
        written_by("gone", 2, by=2, added=1),
        written_by("deletes", 2, by=2, added=1, content=1),
    ]
    found = entries(
        SNAPSHOT,
        listed=rows_of_list,
        stored=[
            stored("new", Status.ADDED),
            *(stored(f"kept-{number}", Status.ADDED) for number in (6, 5, 4)),
            stored("chosen", Status.ADDED, 2),
            *(stored(f"again-{number}", Status.EXISTING, 1) for number in (3, 2)),
            stored("contradicts", Status.ADDED),
            stored("deletes", Status.ADDED, content=2),
        ],
        unreadable={"gone": "The file is not there."},
    )
    told = [m.manifest.path for m in overview.telling(found)]
    assert told == ["new", "kept-6", "chosen", "again-3", "contradicts", "gone", "deletes"]
    assert overview.origins(found.manifests) == {"inherited": 6, "written": 1, "stored": 2}
    said = {(line.status, line.is_null): line.count for line in overview.rule_lines(found.manifests)}
    assert said == {
        (Status.ADDED, True): 6, (Status.ADDED, False): 1, (Status.EXISTING, False): 2,
        (Status.EXISTING, True): 0, (Status.DELETED, False): 0,
    }  # fmt: skip


def test_a_number_stored_as_it_would_be_inherited_was_not_chosen() -> None:
    found = entries(SNAPSHOT, listed=[written_by("m", 7, added=2)], stored=[
        stored("m", Status.ADDED, 7), stored("m", Status.ADDED, 6, file_path="other")
    ])  # fmt: skip
    assert overview.origins(found.manifests) == {"stored": 1, "written": 1}
