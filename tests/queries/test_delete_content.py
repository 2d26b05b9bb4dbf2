"""What delete files hold, against Iceberg's own table of positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.errors import UnreadableMetadata
from explorer.model.iceberg.inheritance import StoredEntry
from explorer.queries.files.commits import manifest_lists
from explorer.queries.rows.changed_entries import Manifests
from explorer.queries.rows.delete_content import positions
from explorer.queries.source import Source
from tests.queries.sources import source_of

FORMATS = [(2, "parquet"), (2, "orc"), (2, "avro"), (3, "parquet")]


def masked(spark: SparkSession, name: str, version: int, file_format: str) -> tuple[Source, list[StoredEntry]]:
    """A table some of whose rows are masked, and its live deletes."""
    spark.sql(
        f"CREATE TABLE {name} (id INT, p INT) USING iceberg PARTITIONED BY (p) TBLPROPERTIES ("
        f"'format-version'='{version}', 'write.delete.mode'='merge-on-read', 'write.format.default'='{file_format}',"
        " 'write.delete.granularity'='partition')"
    )
    spark.sql(f"INSERT INTO {name} SELECT int(id), int(id % 3) FROM range(60)")
    for remainder in (1, 2):
        spark.sql(f"DELETE FROM {name} WHERE id % 5 = {remainder} AND p < {remainder + 1}")
    source = source_of(spark, name)
    head = source.metadata.current_snapshot_id
    assert head is not None
    listed: Any = manifest_lists(source, [head])[head]
    return source, Manifests(source).deletes(listed)


@pytest.mark.parametrize("small_in_bytes", [8_000_000, -1])
@pytest.mark.parametrize(("version", "file_format"), FORMATS)
def test_positions_are_those_that_iceberg_reads(
    spark: SparkSession, fresh_table: Callable[..., str], version: int, file_format: str, small_in_bytes: int
) -> None:
    name = fresh_table("masked")
    source, deletes = masked(spark, name, version, file_format)
    own = positions(source, deletes, small_in_bytes=small_in_bytes)
    assert own.columns == ["file_path", "pos", "delete_file_path", "content_offset"]
    offset = "content_offset" if version == 3 else "CAST(NULL AS BIGINT)"
    expected = spark.sql(f"SELECT file_path, pos, delete_file_path, {offset} FROM {name}.position_deletes")
    found = Counter(map(tuple, own.collect()))
    assert found == Counter(map(tuple, expected.collect()))
    assert found.total() == sum(delete.record_count for delete in deletes) > 0


@pytest.mark.parametrize(
    ("damage", "small_in_bytes"), [("missing", 8_000_000), ("damaged", 8_000_000), ("missing", -1)]
)
def test_a_lost_delete_file_is_named(
    spark: SparkSession, fresh_table: Callable[..., str], damage: str, small_in_bytes: int
) -> None:
    source, deletes = masked(spark, fresh_table("masked"), 2, "parquet")
    file = Path(deletes[0].file_path.removeprefix("file:"))
    file.unlink()
    if damage == "damaged":
        file.write_bytes(b"no parquet")
    with pytest.raises(UnreadableMetadata) as refused:
        positions(source, deletes, small_in_bytes=small_in_bytes)
    assert deletes[0].file_path in refused.value.found
