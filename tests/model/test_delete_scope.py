"""The rule for one pair, clause by clause, and what all pairs of a snapshot come to."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from explorer.model.deletes.reach import every_pair
from explorer.model.deletes.rows import rows
from explorer.model.iceberg.delete_scope import DataFile, DeleteFile, verdict
from explorer.model.iceberg.inheritance import Value
from explorer.model.iceberg.key_ranges import KeyColumn, KeyRange
from explorer.model.iceberg.metadata import Snapshot

SNAPSHOT = Snapshot(1, None, 9, None, "append", MappingProxyType({}), None, None)
DATA = DataFile("data-1", 1, "region=EU", 10, 100, Value(5, "inherited"))
ID = KeyColumn(1, "id", "long", False)


def number(n: int | None) -> Value:
    return Value(n, "stored" if n is not None else "not inherited")


def equality(n: int | None = 6, **more: Any) -> DeleteFile:
    plain = DeleteFile("eq", None, "equality deletes", 1, "region=EU", 1, 10, number(n), "partition", keys=(ID,))
    return replace(plain, **more)


def positions(n: int | None = 6, **more: Any) -> DeleteFile:
    return replace(DeleteFile("pos", None, "position deletes", 1, "region=EU", 1, 10, number(n), "partition"), **more)


def vector(n: int = 6, **more: Any) -> DeleteFile:
    plain = DeleteFile("dv", 4, "deletion vector", 1, "region=EU", 1, 10, number(n), "one file", data_file="data-1")
    return replace(plain, **more)


@pytest.mark.parametrize(
    ("delete", "applies", "decided_by", "reason"),
    [
        (equality(6), True, "sequence", "5 < 6"),
        (equality(5), False, "sequence", "5 < 5 is false"),  # an upsert's own row stays
        (positions(5), True, "sequence", "5 ≤ 5"),  # a commit may delete rows that it added
        (positions(4), False, "sequence", "5 ≤ 4 is false"),
        (vector(5), True, "path", "names this file"),
        (equality(spec_id=2), False, "spec", "spec 2, the file has spec 1"),
        (equality(partition="region=US"), False, "partition", "partition region=US, the file lies in region=EU"),
        (equality(spec_id=0, scope="every file", partition=""), True, "sequence", "5 < 6"),
        (equality(5, spec_id=0, scope="every file", partition=""), False, "sequence", "5 < 5 is false"),
        (positions(scope="one file", data_file="data-2"), False, "path", "names another file"),
        (positions(live=False), False, "live", "the delete is not live here"),
        (equality(None), None, "sequence", "the data sequence number of the delete is unknown"),
    ],
)
def test_the_first_clause_that_fails_decides(
    delete: DeleteFile, applies: bool | None, decided_by: str, reason: str
) -> None:
    found = verdict(delete, DATA)
    assert (found.applies, found.decided_by, found.reason) == (applies, decided_by, reason)


def test_beside_a_vector_position_deletes_count_for_nothing_and_equality_deletes_still_do() -> None:
    assert verdict(positions(), DATA, vectors=[vector()]).decided_by == "deletion vector"
    assert verdict(positions(), DATA, vectors=[vector()]).applies is False
    assert verdict(equality(), DATA, vectors=[vector()]).applies


def test_a_delete_that_names_a_file_of_another_partition_is_corrupt_not_ruled_out() -> None:
    found = verdict(vector(partition="region=US"), DATA)
    assert (found.applies, found.decided_by) == (None, "partition")
    assert "corrupt" in found.reason
    assert verdict(vector(spec_id=7), DATA).decided_by == "spec"
    # what the sequence number rules out no reader looks at
    assert verdict(positions(4, scope="one file", data_file="data-1", spec_id=7), DATA).decided_by == "sequence"


@pytest.mark.parametrize(
    ("keys", "values", "required", "applies"),
    [
        (KeyRange(1, 3, 0, 9), KeyRange(4, 6, 0, 9), False, False),
        (KeyRange(1, 4, 0, 9), KeyRange(4, 6, 0, 9), False, True),
        (KeyRange(7, 9, 0, 9), KeyRange(4, 6, 0, 9), False, False),
        (KeyRange(1, 3, 1, 9), KeyRange(4, 6, 1, 9), False, True),  # both may hold null
        (KeyRange(1, 3, None, None), KeyRange(4, 6, 0, 9), False, False),
        (KeyRange(1, 3, None, None), KeyRange(4, 6, None, None), False, True),  # so may both here
        (KeyRange(1, 3, None, None), KeyRange(4, 6, None, None), True, False),
        (KeyRange(1, 3, 0, 9), KeyRange(None, None, 9, 9), False, False),  # nulls only, no null key
        (KeyRange(None, None, 2, 2), KeyRange(1, 3, 0, 9), False, False),
        (KeyRange(), KeyRange(4, 6, 0, 9), False, True),
    ],
)
def test_statistics_rule_out_what_cannot_share_a_key(
    keys: KeyRange, values: KeyRange, required: bool, applies: bool
) -> None:
    delete = equality(keys=(replace(ID, required=required),), columns={1: keys})
    found = verdict(delete, replace(DATA, columns={1: values}))
    assert found.applies is applies
    assert found.decided_by == ("sequence" if applies else "statistics")


def test_two_vectors_for_one_file_are_corrupt() -> None:
    both = [vector(), vector(file_path="dv-2")]
    found = every_pair(SNAPSHOT, [DATA], both)
    assert found.states == {"corrupt": 2}
    assert [finding.kind for finding in found.findings] == ["corrupt"]
    assert "2 deletion vectors name this file" in found.findings[0].words


def test_what_each_delete_comes_to_and_its_rows() -> None:
    newer = replace(DATA, file_path="data-2", data_sequence_number=number(8))
    found = every_pair(
        SNAPSHOT,
        [DATA, newer],
        [equality(9), equality(4, file_path="late"), vector(data_file="gone"), equality(6, file_path="half")],
    )
    states = {d.file.file_path: (d.state, d.reached, d.reason) for d in found.deletes}
    assert states == {
        "eq": ("reaches everything", 2, "applies to all 2 data files"),
        "half": ("reaches", 1, ""),
        "late": ("dangling", 0, "the oldest data in region=EU of spec 1 is 5: 5 < 4 is false"),
        "dv": ("dangling", 0, "names gone, which is not live"),
    }
    assert [finding.words for finding in found.findings] == [
        "2 of 4 deletes reach nothing",
        "1 of 4 deletes reaches all 2 data files",
    ]
    assert all(d.reached + sum(d.ruled_out.values()) + d.unknown == 2 for d in found.deletes)
    listed = [(row["delete_path"], row["data_path"], row["applies"], row["decided_by"]) for row in rows(found)]
    assert listed == [
        ("late", None, False, "sequence"),
        ("half", "data-1", True, "sequence"),
        ("eq", "data-1", True, "sequence"),
        ("eq", "data-2", True, "sequence"),
        ("dv", None, False, "path"),
    ]
    assert len(list(rows(found, ruled_out=True))) == found.pair_count == 8


def test_a_delete_meant_for_every_file_but_written_under_a_partitioned_spec_is_named() -> None:
    found = every_pair(SNAPSHOT, [DATA], [equality(partition="region=null")])
    assert [finding.kind for finding in found.findings] == ["never applied", "dangling"]
    assert "#14678" in found.deletes[0].reason
