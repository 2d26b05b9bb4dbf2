"""What only a listing tells: files that no snapshot knows, and live files that are not there."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pyspark.sql import SparkSession

from explorer.errors import TooLittleMemory
from explorer.model.triage.facts import Check
from explorer.queries.files import history
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


def test_what_memory_does_not_hold_is_a_hole_around_which_the_rest_is_told(
    spark: SparkSession, written_table: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = written_table("too_long", "CREATE TABLE {t} (id BIGINT) USING iceberg", "INSERT INTO {t} VALUES (1)")
    monkeypatch.setattr(history, "free_memory", lambda: 0)
    table = Table.open(name, spark)
    asked, cheap = table.triage(until="manifests"), table.triage(until="manifest lists")
    untold = [c for c in asked.facts.checks if c.signature.cost == "manifests"]
    assert untold
    for check in untold:
        assert check.state == "cannot say"
        assert check.words == "It needs manifests, for which it takes 300 B of memory: 0 B are free."
    told = [c for c in asked.facts.checks if c.signature.cost in ("metadata.json", "manifest lists")]
    assert told == [c for c in cheap.facts.checks if c.signature.cost in ("metadata.json", "manifest lists")]
    assert any(c.state == "clean" for c in told)
    assert asked.facts.paid == "metadata.json, 1 manifest list"
    with pytest.raises(TooLittleMemory, match="graph"):
        table.sequence_timeline().read()
    assert len(table.commit("main").data) == len(table.entries().data) == 1
    monkeypatch.setattr(history, "free_memory", lambda: None)
    assert table.sequence_timeline().facts.file_count == 1
