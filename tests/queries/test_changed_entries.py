"""Entries of manifests, decoded by this process or in Spark tasks: what cannot be read is refused by both."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from explorer.errors import UnreadableMetadata
from explorer.model.iceberg.inheritance import ListedManifest
from explorer.model.iceberg.touched_files import reach
from explorer.queries.changelog import ownership
from explorer.queries.files import manifests as stored_manifests
from explorer.queries.rows.changed_entries import Manifests
from tests.queries.row_facts import OpenedRows


@pytest.mark.parametrize("small_in_bytes", [stored_manifests.SMALL_IN_BYTES, -1])
@pytest.mark.parametrize("partitioned", ["", "PARTITIONED BY (p)"])
def test_a_manifest_that_cannot_be_read_is_refused_and_never_taken_for_an_empty_one(
    spark: SparkSession,
    fresh_table: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    small_in_bytes: int,
    partitioned: str,
) -> None:
    name = fresh_table("damaged")
    spark.sql(
        f"CREATE TABLE {name} (id INT, p STRING) USING iceberg {partitioned}"
        " TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 'a'), (2, 'a')")
    spark.sql(f"DELETE FROM {name} WHERE id = 1")
    table = OpenedRows(spark, name)
    newest = max(table.metadata.snapshots, key=lambda snapshot: snapshot.sequence_number)
    stored = table.stored(newest.snapshot_id)
    assert stored.listed is not None
    fresh = lambda: Manifests(table.source, small_in_bytes=small_in_bytes)  # noqa: E731 - each without what another knows
    deletes = fresh().deletes(stored.listed)
    reaching = reach(deletes, table.source.specs)
    monkeypatch.setattr(stored_manifests, "SMALL_IN_BYTES", small_in_bytes)
    assert len(deletes) == len(fresh().reached(stored.listed, reaching)) == 1
    files, owners = ownership.live_files(table.source, stored.listed)
    assert files.count() == len(owners) == 1
    for manifest in stored.listed:
        cut_short(manifest)
    with pytest.raises(UnreadableMetadata, match="damaged"):
        fresh().deletes(stored.listed)
    with pytest.raises(UnreadableMetadata, match="damaged"):
        fresh().reached(stored.listed, reaching)
    with pytest.raises(UnreadableMetadata, match="damaged"):
        fresh().changes(stored, newest.snapshot_id, contradicted=False)
    with pytest.raises(UnreadableMetadata, match="damaged"):
        ownership.live_files(table.source, stored.listed)


def cut_short(manifest: ListedManifest) -> None:
    path = Path(manifest.path.removeprefix("file:"))
    path.write_bytes(path.read_bytes()[:100])
