"""Which snapshots expire: the rules against Iceberg's own `RemoveSnapshots`, on random histories of metadata alone."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from explorer.model.dry_run.retention import Asked, retention
from explorer.model.iceberg.metadata import TableMetadata

HISTORIES = 60
DAY_MS = 86_400_000


def history(random_: random.Random, now_ms: int) -> dict[str, Any]:
    """A metadata file: a tree of snapshots with branches, tags, their ages and the table's properties."""
    snapshots: list[dict[str, Any]] = []
    for number in range(1, random_.randint(2, 14)):
        parents = [s["snapshot-id"] for s in snapshots[-4:]]
        parent = random_.choice([*parents, *parents[-1:] * 4, None]) if parents else None
        at = now_ms - random_.randint(0, 30) * DAY_MS // 2 - 3_600_000
        snapshots.append(
            {
                "snapshot-id": 1000 + number,
                **({"parent-snapshot-id": parent} if parent else {}),
                "sequence-number": number,
                "timestamp-ms": at,
                "summary": {"operation": "append"},
                "manifest-list": f"/nowhere/{number}.avro",
                "schema-id": 0,
            }
        )
    ids = [s["snapshot-id"] for s in snapshots]
    refs = {"main": {"snapshot-id": random_.choice(ids[-3:]), "type": "branch", **some_ages(random_)}}
    refs["main"].pop("max-ref-age-ms", None)
    for number in range(random_.randint(0, 4)):
        kind = random_.choice(["branch", "tag"])
        refs[f"r{number}"] = {"snapshot-id": random_.choice(ids), "type": kind, **some_ages(random_)}
        if kind == "tag":
            refs[f"r{number}"] = {k: v for k, v in refs[f"r{number}"].items() if not k.startswith(("min-", "max-snap"))}
    properties = {
        name: str(value)
        for name, value in (
            ("history.expire.max-snapshot-age-ms", random_.randint(0, 12) * DAY_MS),
            ("history.expire.min-snapshots-to-keep", random_.randint(1, 4)),
            ("history.expire.max-ref-age-ms", random_.randint(1, 14) * DAY_MS),
        )
        if random_.random() < 0.5
    }
    return {
        "format-version": 2,
        "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1",
        "location": "/nowhere",
        "last-sequence-number": len(snapshots),
        "last-updated-ms": now_ms,
        "last-column-id": 1,
        "current-schema-id": 0,
        "schemas": [
            {"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "id", "required": False, "type": "int"}]}
        ],
        "default-spec-id": 0,
        "partition-specs": [{"spec-id": 0, "fields": []}],
        "last-partition-id": 999,
        "default-sort-order-id": 0,
        "sort-orders": [{"order-id": 0, "fields": []}],
        "properties": properties,
        "current-snapshot-id": refs["main"]["snapshot-id"],
        "refs": refs,
        "snapshots": snapshots,
        "snapshot-log": [{"timestamp-ms": now_ms - 1000, "snapshot-id": refs["main"]["snapshot-id"]}],
        "metadata-log": [],
    }


def some_ages(random_: random.Random) -> dict[str, int]:
    ages = {
        "min-snapshots-to-keep": random_.randint(1, 5),
        "max-snapshot-age-ms": random_.randint(1, 14) * DAY_MS,
        "max-ref-age-ms": random_.randint(1, 14) * DAY_MS,
    }
    return {name: value for name, value in ages.items() if random_.random() < 0.4}


def asked(random_: random.Random, document: dict[str, Any], now: datetime) -> Asked:
    ids = [s["snapshot-id"] for s in document["snapshots"]]
    return Asked(
        older_than=now - timedelta(days=random_.randint(0, 12)) if random_.random() < 0.6 else None,
        retain_last=random_.randint(1, 5) if random_.random() < 0.4 else None,
        snapshot_ids=tuple(random_.sample(ids, min(len(ids), random_.randint(1, 2))))
        if random_.random() < 0.25
        else (),
    )


def removed_by_iceberg(spark: SparkSession, file: Path, question: Asked) -> set[int] | str:
    """What `RemoveSnapshots` would remove; or why it refuses."""
    jvm: Any = spark._jvm
    io = jvm.org.apache.iceberg.hadoop.HadoopFileIO(spark._jsc.hadoopConfiguration())  # type: ignore[union-attr]
    operations = jvm.org.apache.iceberg.StaticTableOperations(str(file), io)
    expiring = jvm.org.apache.iceberg.BaseTable(operations, "t").expireSnapshots()
    if question.older_than is not None:
        expiring = expiring.expireOlderThan(round(question.older_than.timestamp() * 1000))
    if question.retain_last is not None:
        expiring = expiring.retainLast(question.retain_last)
    for snapshot_id in question.snapshot_ids:
        expiring = expiring.expireSnapshotId(snapshot_id)
    try:
        return {snapshot.snapshotId() for snapshot in expiring.apply()}
    except Exception as error:
        return str(error)


@pytest.mark.parametrize("first", range(0, HISTORIES, 30))
def test_the_rules_remove_what_iceberg_removes(spark: SparkSession, tmp_path: Path, first: int) -> None:
    outcomes = set()
    for seed in range(first, first + 30):
        random_, now = random.Random(seed), datetime.now(UTC)
        document = history(random_, round(now.timestamp() * 1000))
        question = asked(random_, document, now)
        file = tmp_path / f"{seed}.metadata.json"
        file.write_text(json.dumps(document))
        expected = removed_by_iceberg(spark, file, question)
        found = retention(TableMetadata.from_json(document), question, now)
        if isinstance(expected, str):
            assert found.refusal, f"{seed}: {expected[:600]}"
            assert "Still referenced by refs" in found.refusal, seed
            assert "Still referenced by refs" in expected, "of several ids any may be named first"
        else:
            assert (found.refusal, set(found.removed)) == ("", expected), seed
            assert found.removed.keys() | found.kept.keys() == set(document_ids(document)), seed
            assert not found.removed.keys() & found.kept.keys(), seed
        outcomes.add("refused" if isinstance(expected, str) else "some" if expected else "none")
        outcomes.add("dropped" if found.dropped else "held")
    assert outcomes >= {"some", "none", "dropped", "held"}, "the histories try every outcome"


def document_ids(document: dict[str, Any]) -> list[int]:
    return [s["snapshot-id"] for s in document["snapshots"]]
