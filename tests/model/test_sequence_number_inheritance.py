"""What columns of entries inherit is what each entry inherits for itself."""

from __future__ import annotations

import itertools

import pyarrow as pa

from explorer.model.iceberg.sequence_number_inheritance import (
    first_row_ids,
    listed_numbers,
    sequence_numbers,
    snapshot_ids,
)
from tests.model.made import a_manifest, an_entry, as_read

BIG = 2**62 + 1


def test_columns_inherit_as_each_of_their_entries() -> None:
    """Every combination of status, stored nulls, zeros and large numbers, under every kind of manifest list row."""
    listed = [
        a_manifest("m", sequence_number=number, added_snapshot_id=added, first_row_id=first)
        for number, added, first in itertools.product((None, 0, 9, BIG), (None, 2**63 - 1), (None, 0, 2**60))
    ]
    values = (0, 1, 2), (None, 5), (None, 0, BIG), (None, 0, 7), (None, 0, 2**61)
    entries = [
        an_entry(
            "f",
            status=status,
            stored_snapshot_id=snapshot_id,
            stored_sequence_number=data,
            stored_file_sequence_number=file,
            stored_first_row_id=first,
            unassigned_rows_before=place * 10,
        )
        for place, (status, snapshot_id, data, file, first) in enumerate(itertools.product(*values))
    ]
    of = pa.array([index for index in range(len(listed)) for _ in entries])

    def stored(name: str) -> pa.Array:
        return pa.array([getattr(entry, name) for entry in entries] * len(listed), pa.int64())

    number, status = listed_numbers(listed, "sequence_number", of), stored("status")
    found = {
        "snapshot_id": snapshot_ids(stored("stored_snapshot_id"), listed_numbers(listed, "added_snapshot_id", of)),
        "sequence_number": sequence_numbers(stored("stored_sequence_number"), status, number),
        "file_sequence_number": sequence_numbers(stored("stored_file_sequence_number"), status, number),
        "first_row_id": first_row_ids(
            stored("stored_first_row_id"),
            status,
            stored("unassigned_rows_before"),
            listed_numbers(listed, "first_row_id", of),
        ),
    }
    assert pa.table(found).to_pylist() == [as_read(row, entry) for row in listed for entry in entries]
