"""Which files of two points are told, and which shared ones lie under other deletes: against the rule for one pair."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from explorer.model.compare.files import StoredDifference, StoredSide, difference, touched_files
from explorer.model.iceberg.delete_scope import data_file, delete_file, verdict
from explorer.model.iceberg.inheritance import ListedManifest, StoredEntry
from explorer.model.iceberg.metadata import TableMetadata
from tests.model.made import a_manifest, an_entry

SPECS = {0: ({"transform": "identity", "name": "p", "source-id": 1, "field-id": 1000},), 1: ()}
METADATA = TableMetadata.from_json(
    {
        "format-version": 2,
        "location": "t",
        "partition-specs": [{"spec-id": i, "fields": list(fields)} for i, fields in SPECS.items()],
        "schemas": [{"schema-id": 0, "fields": [{"id": 1, "name": "p", "type": "int", "required": False}]}],
    }
)


def manifest(path: str = "m", content: int = 0, **known: Any) -> ListedManifest:
    counts = {"added_files_count": 0, "existing_files_count": 9, "added_rows_count": 0, "existing_rows_count": 9}
    return a_manifest(path, content=content, **{"sequence_number": 9, **counts, **known})


def data(path: str, number: int, **known: Any) -> StoredEntry:
    return an_entry(path, **{"status": 0, "stored_sequence_number": number, "partition": "p=1"} | known)


def delete(path: str, number: int, content: int = 1, **known: Any) -> StoredEntry:
    return data(path, number, content=content, manifest_path="d", **known)


def side(only: Any = (), relisted: Any = (), reached: Any = (), **known: Any) -> StoredSide:
    listed = known.pop("listed", (manifest(), manifest("d", 1)))
    return StoredSide(listed, SPECS, tuple(only), tuple(relisted), {entry.file_path: entry for entry in reached})


def stored(
    left: StoredSide, right: StoredSide, *, of_two_tables: bool = False, complete: bool = True
) -> StoredDifference:
    return StoredDifference(left, right, of_two_tables, complete, None)


def test_files_of_one_side_are_summed_by_partition_and_kind() -> None:
    removed, added = data("old", 1, record_count=40), [data("new", 2, record_count=n) for n in (5, 6)]
    vector = delete("dv", 2, partition="p=2", file_format="PUFFIN", referenced_data_file="x", content_size_in_bytes=7)
    found = difference(stored(side([removed]), side([*added, vector])))
    one, two = found.partitions
    assert (one.partition, one.left["data"].records, one.right["data"].files, one.right["data"].records) == (
        "p=1",
        40,
        2,
        11,
    )
    assert two.right["deletion vector"].size_in_bytes == 7
    assert found.totals.right["data"].records == 11
    assert found.price.rows == 51
    assert not found.are_equal
    assert difference(stored(side(), side())).are_equal


@pytest.mark.parametrize("seed", range(300))
def test_a_shared_file_is_touched_if_a_delete_of_one_side_has_it_in_scope(seed: int) -> None:
    """In scope by the rule for one pair, without its clauses about vectors and statistics, which rule out more."""
    pick = random.Random(seed)
    partitions, specs = ["p=1", "p=2", ""], [0, 0, 1]

    def place() -> dict[str, Any]:
        i = pick.randrange(3)
        return {"partition": partitions[i], "spec_id": specs[i]}

    shared = [data(f"f{n}", pick.randint(1, 5), **place()) for n in range(4)]
    sides = []
    for letter in "ab":
        found = []
        for n in range(pick.randint(0, 2)):
            content = pick.choice([1, 2])
            named = {"referenced_data_file": f"f{pick.randrange(5)}"} if content == 1 and pick.random() < 0.5 else {}
            keys = {"equality_ids": (1,)} if content == 2 else {}
            found.append(delete(f"{letter}{n}", pick.randint(1, 5), content, **place(), **named, **keys))
        sides.append(side(found, reached=shared))
    touched = {entry.file_path for entry in touched_files(stored(*sides)).kept}
    rows = {m.path: m for m in sides[0].listed}
    expected = set()
    for entry in shared:
        for one in (*sides[0].only, *sides[1].only):
            if one.referenced_data_file not in (None, entry.file_path):
                continue
            pair = verdict(delete_file(METADATA, rows["d"], one), data_file(rows["m"], entry))
            clauses = [c for c in pair.clauses if c.name in ("path", "sequence", "spec", "partition")]
            if one.referenced_data_file is not None:
                clauses = [c for c in clauses if c.name in ("path", "sequence")]
            if all(clause.holds for clause in clauses):
                expected.add(entry.file_path)
    assert touched == expected


def test_a_number_that_is_not_known_reaches() -> None:
    unknown = delete("d1", 1, stored_sequence_number=None)
    assert touched_files(stored(side(reached=[data("f", 9)]), side([unknown], reached=[data("f", 9)]))).kept


def test_a_file_that_is_listed_otherwise_is_read_on_both_sides() -> None:
    again = data("f", 1)
    files = touched_files(stored(side(relisted=[again]), side(relisted=[again])))
    assert (files.removed, files.added, files.kept) == ((again,), (again,), ())
    found = difference(stored(side(relisted=[again]), side(relisted=[again])))
    assert found.partitions[0].relisted == 1
    assert found.certain is None


def test_of_two_tables_a_shared_file_under_other_deletes_is_read_in_both() -> None:
    left, right = data("a/f", 1), data("b/f", 1)
    sides = (
        StoredSide((manifest(), manifest("d", 1)), SPECS, (), (), {"f": left}),
        StoredSide((manifest(), manifest("d", 1)), SPECS, (delete("b/d", 3),), (), {"f": right}),
    )
    files = touched_files(stored(*sides, of_two_tables=True))
    assert (files.removed, files.added, files.kept) == ((left,), (right,), ())
    assert difference(stored(*sides, of_two_tables=True)).totals.touched == 1


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ((), [data("new", 7, record_count=5)], (0, 5)),
        ([data("old", 7, record_count=5)], (), (5, 0)),
        ((), (), (0, 0)),
        ([data("old", 7)], [data("new", 7)], None),
        ((), [data("new", 3)], None),  # a delete may hide its rows
        ((), [data("new", 5)], None),  # positions reach the files of their own commit
        ((), [data("new", 7, stored_sequence_number=None)], None),
    ],
)
def test_rows_are_certain_where_no_row_can_be_in_both_and_no_delete_hides_one(
    left: Any, right: Any, expected: tuple[int, int] | None
) -> None:
    listed = (manifest(), manifest("d", 1, sequence_number=5))
    assert difference(stored(side(left, listed=listed), side(right, listed=listed))).certain == expected
    unmasked = (manifest(),)
    without = difference(stored(side(left, listed=unmasked), side(right, listed=unmasked))).certain
    assert (without is None) == bool(left and right)


def test_sums_are_of_all_files_where_not_all_are_listed() -> None:
    from explorer.model.iceberg.inheritance import Status
    from explorer.model.iceberg.partition_changes import counted

    every = [data(f"f{n}", 1, record_count=2) for n in range(30)]
    cut = replace(stored(side(), side(every[:3]), complete=False), groups=tuple(counted(every, Status.ADDED)))
    found = difference(cut)
    assert found.totals.right["data"].records == 60
    assert found.price.at_least
    assert found.certain is None
