"""What only a listing tells: files that no snapshot knows, and live files that are not there."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from pyspark.sql import SparkSession

from explorer.model.triage.facts import Check
from explorer.table import Table

LISTED = ("orphan-files", "missing-file")


def checks(table: Table, until: str = "listing") -> list[Check]:
    facts = table.triage(until=until).facts  # type: ignore[arg-type]
    return [next(c for c in facts.checks if c.signature.name == name) for name in LISTED]


def test_only_a_listing_tells_of_them(spark: SparkSession, written_table: Callable[..., str]) -> None:
    name = written_table(
        "listed",
        "CREATE TABLE {t} (id BIGINT) USING iceberg",
        "INSERT INTO {t} VALUES (1)",
        "INSERT INTO {t} VALUES (2)",
    )
    table = Table.open(name, spark)
    assert [c.state for c in checks(table, "manifests")] == ["not asked", "cannot say"]
    assert [c.state for c in checks(table)] == ["clean", "clean"]

    data = sorted(Path(urlsplit(table.metadata.location).path, "data").glob("*.parquet"))
    young, old = (data[0].with_name(f"{word}.parquet") for word in ("young", "old"))
    for copy in (young, old):
        shutil.copy(data[0], copy)
    ten_days_ago = time.time() - 10 * 86400
    os.utime(old, (ten_days_ago, ten_days_ago))
    data[1].unlink()

    orphan, missing = checks(Table.open(name, spark))
    assert orphan.finding is not None
    assert [Path(path).name for path in orphan.finding.evidence.files] == ["old.parquet"]
    assert missing.finding is not None
    assert [Path(path).name for path in missing.finding.evidence.files] == [data[1].name]
    assert missing.finding.severity == "blocks reading"
