"""What a snapshot may be called: branch, tag, id, sequence number; and which is meant where a number is several."""

from __future__ import annotations

import pytest

from explorer.errors import UnknownSnapshot
from explorer.model.iceberg.metadata import TableMetadata
from explorer.table.references import Reference, find


def table(numbers: dict[int, int], **refs: int) -> TableMetadata:
    """A table of these snapshots, sequence numbers by id, and tags."""
    current = max(numbers, key=lambda i: numbers[i])
    return TableMetadata.from_json(
        {
            "format-version": 2,
            "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
            "location": "/t",
            "last-sequence-number": max(numbers.values()),
            "last-updated-ms": 1,
            "last-column-id": 0,
            "current-schema-id": 0,
            "schemas": [{"type": "struct", "schema-id": 0, "fields": []}],
            "default-spec-id": 0,
            "partition-specs": [{"spec-id": 0, "fields": []}],
            "current-snapshot-id": current,
            "snapshots": [
                {"snapshot-id": i, "sequence-number": n, "timestamp-ms": 1, "summary": {"operation": "append"}}
                for i, n in numbers.items()
            ],
            "refs": {name.strip("_"): {"snapshot-id": i, "type": "tag"} for name, i in refs.items()},
        }
    )


LARGE = table({6100000000000000285: 284, 6100000000000000111: 285, 6100000000000000222: 1285}, v1=6100000000000000285)


@pytest.mark.parametrize("which", [285, "285", " 285 ", "6100000000000000111", 6100000000000000111])
def test_a_number_is_that_of_the_graph_or_an_id(which: int | str) -> None:
    found = find(LARGE, "t", which)
    assert found.snapshot.snapshot_id == 6100000000000000111
    assert found.kind == ("id" if len(str(which)) > 9 else "sequence number")
    assert found.choice == ""


def test_a_number_may_be_written_as_it_is_printed() -> None:
    assert find(LARGE, "t", "1,285").snapshot.snapshot_id == 6100000000000000222


def test_a_number_that_is_an_id_and_a_sequence_number_is_the_id_and_that_is_said() -> None:
    found = find(table({1: 2, 2: 1}), "t", "1")
    assert (found.snapshot.snapshot_id, found.kind) == (1, "id")
    assert found.choice == "1 is taken as the id, of snapshot 1; sequence number 1 is that of 2."


def test_a_ref_comes_before_both() -> None:
    found = find(table({10: 1, 11: 2}, _2_=10), "t", "2")
    assert (found.snapshot.snapshot_id, found.kind) == (10, "tag")
    assert "taken as the tag" in found.choice


def test_a_number_that_is_both_of_one_snapshot_is_no_choice() -> None:
    assert find(table({3: 3}), "t", 3) == Reference(table({3: 3}).snapshots[0], "3", "id")


def test_several_of_a_number_are_listed() -> None:
    with pytest.raises(UnknownSnapshot) as raised:
        find(table({10: 0, 11: 0, 12: 5}), "t", "0")
    assert raised.value.what == "t has 2 snapshots with sequence number 0."
    assert raised.value.found == "Their ids: 10, 11."


@pytest.mark.parametrize("which", ["7", "nobody", "-1"])
def test_an_unknown_one_says_what_there_is(which: str) -> None:
    with pytest.raises(UnknownSnapshot, match=f"no snapshot {which}") as raised:
        find(LARGE, "t", which)
    assert "3 snapshots with sequence numbers 284–1,285" in raised.value.found
    assert "v1" in raised.value.found
