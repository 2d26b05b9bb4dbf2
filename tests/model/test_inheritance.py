from __future__ import annotations

import dataclasses

import pytest

from explorer.model.iceberg.inheritance import ListedManifest, Status, StoredEntry, Value, resolve

COUNTS = {f"{kind}_{what}_count": 0 for kind in ("added", "existing", "deleted") for what in ("files", "rows")}
ROW = ListedManifest(
    path="m.avro",
    length=1,
    partition_spec_id=0,
    content=0,
    sequence_number=7,
    min_sequence_number=3,
    added_snapshot_id=70,
    first_row_id=1000,
    **{**COUNTS, "added_files_count": 1, "added_rows_count": 10},
)
ENTRY = StoredEntry(
    manifest_path="m.avro",
    position=0,
    status=Status.ADDED,
    stored_snapshot_id=None,
    stored_sequence_number=None,
    stored_file_sequence_number=None,
    stored_first_row_id=None,
    content=0,
    file_path="a.parquet",
    file_format="PARQUET",
    spec_id=0,
    partition="",
    record_count=10,
    file_size_in_bytes=100,
    unassigned_rows_before=25,
)


@pytest.mark.parametrize(
    ("status", "stored", "listed", "expected"),
    [
        (Status.ADDED, None, 7, Value(7, "inherited")),
        (Status.ADDED, 5, 7, Value(5, "stored")),
        (Status.ADDED, 0, 7, Value(0, "stored")),
        (Status.EXISTING, 5, 7, Value(5, "stored")),
        (Status.EXISTING, None, 7, Value(None, "not inherited")),
        (Status.DELETED, None, 7, Value(None, "not inherited")),
        (Status.EXISTING, None, 0, Value(0, "version 1")),
        (Status.DELETED, None, None, Value(0, "version 1")),
        (Status.ADDED, None, None, Value(0, "version 1")),
    ],
)
def test_each_sequence_number_is_inherited_for_itself(
    status: Status, stored: int | None, listed: int | None, expected: Value
) -> None:
    row = dataclasses.replace(ROW, sequence_number=listed)
    other = Value(6, "stored")
    of_data = dataclasses.replace(ENTRY, status=status, stored_sequence_number=stored, stored_file_sequence_number=6)
    assert resolve(row, of_data).data_sequence_number == expected
    assert resolve(row, of_data).file_sequence_number == other
    of_file = dataclasses.replace(ENTRY, status=status, stored_sequence_number=6, stored_file_sequence_number=stored)
    assert resolve(row, of_file).file_sequence_number == expected
    assert resolve(row, of_file).data_sequence_number == other


@pytest.mark.parametrize("status", list(Status))
def test_the_snapshot_id_is_inherited_in_any_status(status: Status) -> None:
    entry = dataclasses.replace(ENTRY, status=status)
    assert resolve(ROW, entry).snapshot_id == Value(70, "inherited")
    assert resolve(ROW, dataclasses.replace(entry, stored_snapshot_id=3)).snapshot_id == Value(3, "stored")
    silent = dataclasses.replace(ROW, added_snapshot_id=None)
    assert resolve(silent, entry).snapshot_id == Value(None, "unknown")


@pytest.mark.parametrize(
    ("status", "stored", "listed", "expected"),
    [
        (Status.ADDED, None, 1000, Value(1025, "assigned in order")),
        (Status.EXISTING, None, 1000, Value(1025, "assigned in order")),
        (Status.EXISTING, 4, 1000, Value(4, "stored")),
        (Status.ADDED, None, 0, Value(25, "assigned in order")),
        (Status.DELETED, None, 1000, Value(None, "not inherited")),
        (Status.DELETED, 4, 1000, Value(4, "stored")),
        (Status.EXISTING, 4, None, Value(None, "no row lineage")),
        (Status.ADDED, None, None, Value(None, "no row lineage")),
    ],
)
def test_the_first_row_id_is_assigned_in_the_order_of_the_manifest(
    status: Status, stored: int | None, listed: int | None, expected: Value
) -> None:
    row = dataclasses.replace(ROW, first_row_id=listed)
    entry = dataclasses.replace(ENTRY, status=status, stored_first_row_id=stored)
    assert resolve(row, entry).first_row_id == expected


@pytest.mark.parametrize(
    ("content", "file_format", "kind"),
    [
        (0, "PARQUET", "data"),
        (1, "parquet", "position deletes"),
        (1, "PUFFIN", "deletion vector"),
        (1, "puffin", "deletion vector"),
        (2, "AVRO", "equality deletes"),
    ],
)
def test_what_a_file_holds(content: int, file_format: str, kind: str) -> None:
    assert dataclasses.replace(ENTRY, content=content, file_format=file_format).kind == kind
