from __future__ import annotations

import dataclasses
from types import MappingProxyType
from typing import Any

import pytest

from explorer.model.iceberg.commit import Commit, commit
from explorer.model.iceberg.inheritance import ListedManifest, StoredEntry
from explorer.model.iceberg.metadata import TableMetadata
from explorer.model.iceberg.row_lineage import row_ids

JAVA = "Apache Iceberg 1.12.0 (commit 212aa894e9)"


def metadata(*, version: int = 3, parent_ids: bool = True, **older: str) -> TableMetadata:
    """Three snapshots in a row; `older` goes into the summary of the first."""
    first = {
        "snapshot-id": 1,
        "sequence-number": 1,
        "summary": {"operation": "replace", "iceberg-version": JAVA} | older,
    }
    second = {"snapshot-id": 2, "parent-snapshot-id": 1, "sequence-number": 2, "summary": {"operation": "append"}}
    third = {"snapshot-id": 3, "parent-snapshot-id": 2, "sequence-number": 3, "summary": {"operation": "overwrite"}}
    if version == 3:
        first["first-row-id"] = 0
        third["first-row-id"] = 20
        if parent_ids:
            second["first-row-id"] = 10
    return TableMetadata.from_json(
        {"format-version": version, "location": "t", "current-snapshot-id": 3, "snapshots": [first, second, third]}
    )


def a_commit(table: TableMetadata, *, file_format: str = "PARQUET", content: int = 0, first: int | None = 20) -> Commit:
    manifest = ListedManifest("m", 1, 0, int(content > 0), 3, 3, 3, 1, 0, 0, 1, 0, 0, first)
    entry = StoredEntry("m", 0, 1, None, None, None, None, content, "f", file_format, 0, "", 1, 1)
    return commit(table, 3, listed=[manifest], parent_listed=[], entries=[entry])


def test_ids_are_trusted_where_both_snapshots_have_them() -> None:
    table = metadata()
    assert row_ids(table, a_commit(table)).usable
    assert "keeps them" in row_ids(table, a_commit(table)).reason


@pytest.mark.parametrize(
    ("table", "how", "reason"),
    [
        (metadata(version=2), {}, "format version 2 has no row ids"),
        (metadata(parent_ids=False), {}, "from before the upgrade"),
        (metadata(), {"content": 2, "first": None}, "equality delete"),
        (metadata(), {"first": None}, "no first row id"),
        (metadata(**{"iceberg-version": "Apache Iceberg 1.10.2"}), {"file_format": "AVRO"}, "damaged row ids"),
        (metadata(**{"iceberg-version": "Apache Iceberg 1.11.0"}), {}, "rewrote manifests"),
    ],
)
def test_why_ids_are_not_trusted(table: TableMetadata, how: dict[str, Any], reason: str) -> None:
    found = row_ids(table, a_commit(table, **how))
    assert not found.usable
    assert reason in found.reason


def test_old_versions_damaged_only_what_they_are_known_to() -> None:
    compaction = metadata(**{"iceberg-version": "1.11.0", "added-data-files": "1"})
    assert row_ids(compaction, a_commit(compaction, file_format="AVRO")).usable
    other_format = metadata(**{"iceberg-version": "1.10.1", "added-data-files": "1"})
    assert row_ids(other_format, a_commit(other_format)).usable
    nameless = metadata(**{"iceberg-version": ""})
    assert row_ids(nameless, a_commit(nameless)).usable


def test_the_first_snapshot_has_no_parent_to_ask() -> None:
    table = metadata()
    root = dataclasses.replace(table.by_id[3], parent_id=None)
    alone = dataclasses.replace(table, snapshots=(root,))
    assert row_ids(alone, a_commit(alone)).usable
    assert alone.by_id == MappingProxyType({3: root})
