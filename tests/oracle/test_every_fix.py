"""Every repair that is SQL, run on a table with rows: it mends what was found, and its undo gives the table back.

Tables are those of `lessons.scenarios`, and for what these do not have, of Spark and of Iceberg's library; a stand-in
in a statement (`<key>`) is filled as a person would.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from explorer.lessons import build_sandbox
from explorer.lessons.scenarios import INCIDENTS as STORIES
from explorer.lessons.scenarios import Scenario, Written
from explorer.lessons.stories.equality_deletes import delete_equal
from explorer.model.triage.facts import Check, Finding, Fix
from explorer.model.triage.registry import SIGNATURES
from explorer.table import Table
from tests.oracle.incident_tables import INCIDENTS, Maker, _bloat, spread

UNKNOWN_ID = 4_611_686_018_427_387_904
V2 = "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read'{more})"
ROWS = "SELECT /*+ COALESCE(1) */ id, CAST(id % 3 AS STRING) AS day FROM range({low}, {high})"


@dataclass(frozen=True)
class Made:
    """A table with an incident: its name, what its triage is asked, and what fills the stand-ins of statements."""

    name: str
    cause: str
    asked: Mapping[str, Any]
    fill: Mapping[str, str]
    probe: str = ""
    good: int | None = None


# what a person puts in for the stand-ins of a statement, by signature -----------------------------------------------

_MISSING = "order_id NOT IN (SELECT order_id FROM {t})"
SKIPPED = "(SELECT order_id + 1000000 AS order_id, * EXCEPT (order_id) FROM {t} WHERE order_id < 1000000)"
_FILLED: Mapping[str, Mapping[str, str]] = {
    "mass-removal": {"<what should not have gone>": _MISSING},
    "raced-writes": {"<the rows of the files above>": _MISSING},
    "delete-never-applied": {
        "<the keys of the delete file>": "order_id IN ({keys})",
        "<the keys>": "order_id IN ({keys})",
    },
    "column-reborn": {"<key>": "order_id"},
    "partition-contradicts-bounds": {"<the partitions above>": "order_id IS NOT NULL"},
    "small-files": {"<partitions that nobody writes to>": "order_id IS NOT NULL"},
    "file-re-added": {"<the partition of the file>": "order_id IS NOT NULL"},
    "upsert-missed-old-row": {"<a column that grows with each change>": "ordered_at"},
    "foreign-location": {"<the place of the copy>": "file:///nowhere/copy"},
    "writer-gap": {"<the rows of that time at the source>": SKIPPED, "<key>": "t.order_id = s.order_id"},
    "upsert-in-one-commit": {
        "<the newest version of each key, by the source>": "(SELECT order_id FROM {t} GROUP BY 1 HAVING count(*) > 1)",
        "ON <key>": "ON t.order_id = s.order_id",
        "<key>": "order_id",
    },
}

# tables -------------------------------------------------------------------------------------------------------------


def _told(spark: SparkSession, cause: str) -> Made:
    """The table of a story."""
    told: list[Written] = []
    scenario = Scenario("drills.fixed", list(STORIES).index(cause), 1, cause)
    build_sandbox(spark, lessons=[scenario.lesson(told.append)], anew=True)
    story = told[0].told
    assert story is not None
    return Made("sandbox.drills.fixed", cause, {}, _FILLED.get(cause, {}), story.probe, story.good)


def _create(spark: SparkSession, name: str, more: str = "", partitioned: str = "") -> Maker:
    spark.sql(f"CREATE TABLE {name} (id BIGINT, day STRING) USING iceberg {partitioned} {V2.format(more=more)}")
    return Maker.of(spark, name)


def _insert(spark: SparkSession, name: str, low: int = 0, high: int = 100, verb: str = "INTO") -> None:
    spark.sql(f"INSERT {verb} {name} {ROWS.format(low=low, high=high)}")


def _pressed(spark: SparkSession, name: str) -> None:
    _create(spark, name)
    _insert(spark, name, 0, 1000)
    spark.sql(f"DELETE FROM {name} WHERE id < 400")


def _flooded(spark: SparkSession, name: str) -> None:
    _create(spark, name)
    _insert(spark, name)
    delete_equal(spark, name, spark.range(50, 1_200_000).repartition(1))


def _overlapping(spark: SparkSession, name: str) -> None:
    _create(spark, name)
    for _ in range(22):
        _insert(spark, name)
    spark.sql(f"ALTER TABLE {name} WRITE ORDERED BY id")


def _old_spec(spark: SparkSession, name: str) -> None:
    t = _create(spark, name)
    _insert(spark, name)
    spark.sql(f"ALTER TABLE {name} ADD PARTITION FIELD day")
    for _ in range(2):
        _insert(spark, name, 100, 103)
    t.table.refresh()
    spread(t, 24 * 40)


def _hoarded(spark: SparkSession, name: str) -> None:
    t = _create(spark, name)
    for _ in range(4):
        _insert(spark, name, verb="OVERWRITE")
    t.table.refresh()
    spread(t, 24 * 30)


def _bloated(spark: SparkSession, name: str) -> None:
    t = _create(spark, name)
    _bloat(t, 1_100)

    def age(document: dict[str, Any]) -> None:
        for snapshot in document["snapshots"][:-1]:
            snapshot["timestamp-ms"] -= 30 * 24 * 3_600_000

    t.edit(age)


def _skewed(spark: SparkSession, name: str) -> None:
    _inserted(spark, name)
    t = Maker.of(spark, name)
    spread(t, 1)

    def change(document: dict[str, Any]) -> None:
        first, second, _ = sorted(document["snapshots"], key=lambda s: s["sequence-number"])
        second["timestamp-ms"] = first["timestamp-ms"] - 50_000

    t.edit(change)


def _many_manifests(spark: SparkSession, name: str) -> None:
    _create(spark, name, ", 'commit.manifest-merge.enabled' = 'false', 'commit.manifest.min-count-to-merge' = '4'")
    for n in range(9):
        _insert(spark, name, n, n + 1)


def _inserted(spark: SparkSession, name: str) -> None:
    _create(spark, name)
    for n in range(3):
        _insert(spark, name, n * 10, n * 10 + 10)


def _without_list(spark: SparkSession, name: str) -> None:
    _inserted(spark, name)
    t = Maker.of(spark, name)
    newest = max(t.table.snapshots(), key=lambda s: s.sequenceNumber())
    Path(urlsplit(newest.manifestListLocation()).path).unlink()


def _strayed(spark: SparkSession, name: str) -> None:
    _inserted(spark, name)
    data = Path(urlsplit(Maker.of(spark, name).table.location()).path) / "data"
    stray = data / "stray.parquet"
    stray.write_bytes(b"nothing")
    os.utime(stray, (1_700_000_000, 1_700_000_000))


def _stale(spark: SparkSession, name: str) -> None:
    t = _create(spark, name)
    _insert(spark, name)
    spark.sql(f"ALTER TABLE {name} ADD COLUMNS (less STRING, more STRING)")
    for low in (100, 200):
        spark.sql(f"INSERT INTO {name} (id, day) {ROWS.format(low=low, high=low + 10)}")
    t.table.refresh()
    t.edit(lambda d: next(s for s in d["snapshots"] if s["sequence-number"] == 3).update({"schema-id": 0}))


def _broken(spark: SparkSession, name: str) -> None:
    _create(spark, name)
    INCIDENTS["broken-chain"].build(Maker.of(spark, name))


def _amplified(spark: SparkSession, name: str) -> None:
    INCIDENTS["write-amplification"].build(_create(spark, name))


def _two_vectors(spark: SparkSession, name: str) -> None:
    incident = INCIDENTS["dv-broken"]
    incident.build(Maker(spark, name, incident.columns, incident.more))


def _imported(spark: SparkSession, name: str) -> None:
    t = _create(spark, name)
    folder = Path(urlsplit(t.table.location()).path).parent / "imported"
    spark.sql(ROWS.format(low=0, high=10)).write.parquet(folder.as_uri())
    (file,) = folder.glob("*.parquet")
    builder = t.jvm.org.apache.iceberg.DataFiles.builder(t.table.spec()).withPath(file.as_uri()).withRecordCount(10)
    t.append(builder.withFileSizeInBytes(file.stat().st_size).withFormat("parquet").build())


_MAPPING = '[{"field-id": 1, "names": ["id"]}, {"field-id": 2, "names": ["day"]}]'
_OTHERS: Mapping[str, tuple[Callable[[SparkSession, str], None], Mapping[str, Any], Mapping[str, str]]] = {
    "broken-chain": (_broken, {}, {}),
    "clock-skew": (_skewed, {}, {}),
    "clustering-lost": (_overlapping, {}, {}),
    "delete-pressure": (_pressed, {}, {}),
    "dv-broken": (_two_vectors, {}, {}),
    "equality-delete-flood": (_flooded, {}, {}),
    "expired-under-consumer": (_inserted, {"good": UNKNOWN_ID}, {}),
    "history-hoard": (_hoarded, {}, {}),
    "manifest-fragmentation": (_many_manifests, {}, {}),
    "metadata-json-bloat": (_bloated, {}, {}),
    "missing-file": (_without_list, {}, {}),
    "orphan-files": (_strayed, {"until": "listing"}, {}),
    "partition-layout": (_old_spec, {}, {}),
    "stale-schema-writer": (
        _stale,
        {},
        {"<source>": "(SELECT id, 'sought' AS less, 'found' AS more FROM {t})", "<key>": "t.id = s.id"},
    ),
    "unmapped-columns": (_imported, {}, {"<all names, former ones too>": _MAPPING, "<column>": "id"}),
    "write-amplification": (_amplified, {}, {}),
}
APART: Mapping[str, str] = {
    "forked-metadata": "a Hadoop catalog, which is the one of tests, registers no table",
    "path-reused": "it is done in the storage and by Iceberg's library",
}
"""Signatures whose repair is run by a test of its own."""
WITHOUT = {"counts-disagree", "deleted-but-stored", "known-bad-writer", "row-ids-damaged"}
"""Signatures whose findings propose no repair."""
RUN = sorted((STORIES.keys() | _OTHERS.keys()) - APART.keys())
VERIFIED_AFTER_ALONE = {
    "missing-file": "nothing of the table can be read before",
    "unmapped-columns": "that these files read as null is inferred: where no column has an id, they go by position",
}
# What tells of the past is told after the repair too.
TELL_THE_PAST = {
    "abandoned-commits",
    "applicable-delete-removed",
    "broken-chain",
    "clock-skew",
    "column-reborn",
    "commit-pressure",
    "compaction-without-effect",
    "delete-never-applied",
    "expired-under-consumer",
    "file-re-added",
    "mass-removal",
    "missing-file",
    "orphan-files",
    "raced-delete",
    "raced-writes",
    "rewrite-changed-rows",
    "same-load-twice",
    "stale-schema-writer",
    "stats-absent",
    "upsert-in-one-commit",
    "upsert-missed-old-row",
    "write-amplification",
    "writer-gap",
}


def test_every_signature_with_a_repair_is_run_or_says_why_not() -> None:
    assert set(RUN) | APART.keys() | WITHOUT == {signature.name for signature in SIGNATURES}


@pytest.mark.parametrize("cause", RUN)
def test_a_repair_mends_it_and_its_undo_gives_the_table_back(
    spark: SparkSession, fresh_table: Callable[..., str], cause: str
) -> None:
    if cause in _OTHERS:
        build, asked, fill = _OTHERS[cause]
        made = Made(fresh_table("fixed"), cause, asked, fill)
        build(spark, made.name)
    else:
        made = _told(spark, cause)
    finding = _check(spark, made).finding
    assert finding is not None
    fixes = [fix for fix in finding.fixes if _is_sql(fix.statement)]
    assert fixes
    for fix in fixes:
        before = _state(spark, made) if cause != "missing-file" else None
        if _is_sql(fix.verify) and cause not in VERIFIED_AFTER_ALONE:
            assert _run(spark, made, finding, fix.verify), "what no repair was run for is not verified"
        _run(spark, made, finding, fix.statement)
        _verified(spark, made, finding, fix)
        if _is_sql(fix.undo):
            _run(spark, made, finding, fix.undo)
            assert cause == "missing-file" or _state(spark, made) == before, fix.undo


def _verified(spark: SparkSession, made: Made, finding: Finding, fix: Fix) -> None:
    check = _check(spark, made)
    if made.cause not in TELL_THE_PAST and "TBLPROPERTIES" not in fix.statement:
        assert check.finding is None, check.finding
    is_first = fix is finding.fixes[0] and not fix.statement.startswith("SELECT")
    if made.probe and is_first and "TBLPROPERTIES" not in fix.statement:
        good = spark.sql(made.probe.replace("{t}", f"{made.name} VERSION AS OF {_good(spark, made)}")).first()
        assert spark.sql(made.probe.replace("{t}", made.name)).first() == good, made.probe
    if _is_sql(fix.verify):
        assert not _run(spark, made, finding, fix.verify), fix.verify


def _good(spark: SparkSession, made: Made) -> int:
    snapshots = sorted(Table.open(made.name, spark).metadata.snapshots, key=lambda s: s.sequence_number)
    return next(s.snapshot_id for s in snapshots if made.good in (None, s.sequence_number))


def _check(spark: SparkSession, made: Made) -> Check:
    checks = Table.open(made.name, spark).triage(**made.asked).facts.checks
    return next(c for c in checks if c.signature.name == made.cause)


def _state(spark: SparkSession, made: Made) -> object:
    """Rows, properties and refs: main is where it was, or holds the same rows."""
    spark.sql(f"REFRESH TABLE {made.name}")
    metadata = Table.open(made.name, spark).metadata
    if made.cause in _EMPTY:
        rows: object = spark.sql(f"SELECT file_path FROM {made.name}.files ORDER BY 1").collect()
    else:
        rows = Counter(map(tuple, spark.table(made.name).collect()))
    return rows, dict(metadata.properties), set(metadata.refs), metadata.current_schema_id


_EMPTY = {"broken-chain", "dv-broken", "write-amplification", "metadata-json-bloat"}
"""Their tables have entries alone, and no rows."""


def _is_sql(text: str) -> bool:
    return re.match(r"(--.*\n)*(SET|SELECT|CALL|ALTER|INSERT|MERGE|DELETE|SHOW)\b", text) is not None


def _run(spark: SparkSession, made: Made, finding: Finding, text: str) -> Sequence[Any]:
    """Statements, their stand-ins filled."""
    for stand_in, with_what in made.fill.items():
        keys = ""
        if "{keys}" in with_what:
            deletes = pq.read_table(urlsplit(finding.evidence.files[0]).path)
            keys = ", ".join(map(str, deletes.column(0).to_pylist()))
        text = text.replace(stand_in, with_what.replace("{t}", made.name).replace("{keys}", keys))
    assert not re.search(r"<\w[^>=]*>", text.replace("<=>", "")), text
    try:
        found: list[Any] = []
        for statement in re.sub(r"^--.*\n", "", text).split(";\n"):
            found = spark.sql(statement).collect()
        return found
    finally:
        spark.conf.unset("spark.sql.sources.partitionOverwriteMode")
