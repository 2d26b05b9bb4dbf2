"""Random histories of live tables, and what their changelogs must be by the plainest account: snapshots compared."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from pyspark.sql import Row, SparkSession

QUICK = {  # a few rows: what makes big jobs fast makes small ones slow; one task, so one file for an INSERT
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.leafNodeDefaultParallelism": "1",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.iceberg.distribution-mode": "none",
    "spark.sql.iceberg.compression-codec": "uncompressed",
    "spark.sql.session.timeZone": "UTC",
}


def quick(spark: SparkSession) -> SparkSession:
    session = spark.newSession()
    for key, value in QUICK.items():
        session.conf.set(key, value)
    return session


def append_last_file_again(spark: SparkSession, name: str, times: int) -> None:
    """Commit the one data file of the last commit again, so often: a table lists it once more each time."""
    jvm: Any = spark._jvm
    loaded = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(spark._jsparkSession, name)
    file = loaded.currentSnapshot().addedDataFiles(loaded.io()).iterator().next()
    for _ in range(times):
        loaded.newAppend().appendFile(file).commit()
    spark.sql(f"REFRESH TABLE {name}")


class LiveHistory:
    """A table of unique ids to which random things happen."""

    def __init__(self, spark: SparkSession, name: str, seed: int, *, version: int, mode: str) -> None:
        self.spark, self.name, self.pick, self.next_id = spark, name, random.Random(seed), 0
        modes = ", ".join(f"'write.{what}.mode'='{mode}'" for what in ("delete", "update", "merge"))
        granularity = self.pick.choice(["file", "partition"])
        self.sql(
            f"CREATE TABLE {{t}} (id INT, v STRING, d DOUBLE, p STRING) USING iceberg"
            f" {self.pick.choice(['', 'PARTITIONED BY (p)', 'PARTITIONED BY (bucket(2, id))'])} TBLPROPERTIES ("
            f"'format-version'='{version}', {modes}, 'write.delete.granularity'='{granularity}',"
            " 'commit.manifest.min-count-to-merge'='3')"
        )
        self.insert()

    def sql(self, statement: str) -> list[Row]:
        return self.spark.sql(statement.replace("{t}", self.name)).collect()

    def insert(self) -> None:
        count, first = self.pick.randint(2, 6), self.next_id
        self.next_id += count
        self.sql(
            "INSERT INTO {t} (id, v, d, p) SELECT int(id), element_at(array('a', NULL, 'c'), 1 + int(id % 3)),"
            " IF(id % 4 = 0, double('NaN'), id / 2), element_at(array('x', 'y', NULL), 1 + int(id % 3))"
            f" FROM range({first}, {self.next_id})"
        )

    def delete(self) -> None:
        self.sql(f"DELETE FROM {{t}} WHERE id % 5 = {self.pick.randint(0, 4)}")

    def update(self) -> None:
        self.sql(f"UPDATE {{t}} SET v = '{self.pick.choice('abc')}' WHERE id % 3 = {self.pick.randint(0, 2)}")

    def move(self) -> None:
        self.sql(f"UPDATE {{t}} SET p = '{self.pick.choice('xyz')}' WHERE id % 4 = {self.pick.randint(0, 3)}")

    def merge(self) -> None:
        first = self.pick.randint(0, self.next_id)
        self.sql(
            f"MERGE INTO {{t}} t USING (SELECT int(id) AS id FROM range({first}, {first + 4})) s ON t.id = s.id"
            " WHEN MATCHED AND t.id % 2 = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET d = -1.5"
            " WHEN NOT MATCHED THEN INSERT (id, p) VALUES (s.id, 'x')"
        )
        self.next_id = max(self.next_id, first + 4)

    def overwrite(self) -> None:
        self.sql("INSERT OVERWRITE {t} SELECT * FROM {t} WHERE id % 3 <> 1")

    def compact(self) -> None:
        self.sql("CALL lab.system.rewrite_data_files(table => '{t}', options => map('rewrite-all','true'))")

    def rewrite_manifests(self) -> None:
        self.sql("CALL lab.system.rewrite_manifests('{t}')")

    def put_back(self) -> None:
        """Rows deleted and, in a later commit, inserted equal."""
        self.sql(f"CREATE OR REPLACE TEMPORARY VIEW gone AS SELECT * FROM {{t}}.snapshot_id_{self.head()}")
        self.delete()
        self.sql("INSERT INTO {t} (id, v, d, p) SELECT id, v, d, p FROM gone WHERE id NOT IN (SELECT id FROM {t})")

    def evolve(self) -> None:
        self.sql(self.pick.choice(["ALTER TABLE {t} ADD COLUMN n INT", "ALTER TABLE {t} ALTER COLUMN id TYPE BIGINT"]))

    def head(self) -> int:
        return int(self.sql("SELECT snapshot_id FROM {t}.refs WHERE name = 'main'")[0][0])

    def play(self, steps: int, things: Iterable[str]) -> LiveHistory:
        names = list(things)
        for name in self.pick.choices(names, k=steps):
            happens: Callable[[], None] = getattr(self, name)
            happens()
        return self


def plain(value: Any) -> Any:
    """A value by which rows can be compared: NaN is NaN, maps by their entries, bytes by value."""
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    if isinstance(value, Row):
        return tuple(plain(v) for v in value)
    if isinstance(value, list):
        return tuple(plain(v) for v in value)
    if isinstance(value, dict):
        return frozenset((plain(k), plain(v)) for k, v in value.items())
    return bytes(value) if isinstance(value, bytearray) else value


def snapshot_rows(spark: SparkSession, name: str, snapshot_id: int | None, columns: list[str]) -> Counter[Any]:
    """The live rows of a snapshot by column name; a column that it has not yet is null."""
    if snapshot_id is None:
        return Counter()
    reader = spark.read.format("iceberg").option("versionAsOf", str(snapshot_id))
    frame = reader.load(name) if "/" in name else reader.table(name)
    return Counter(tuple(plain(row[c]) if c in frame.columns else None for c in columns) for row in frame.collect())


def differences(
    spark: SparkSession, name: str, commits: Iterable[tuple[int | None, int]], columns: list[str]
) -> Counter[Any]:
    """What `changes` must print for (parent, snapshot) pairs of commits: (values, change type, snapshot id)."""
    rows = cache(lambda snapshot_id: snapshot_rows(spark, name, snapshot_id, columns))
    found: Counter[Any] = Counter()
    for parent_id, snapshot_id in commits:
        before, after = (rows(i) for i in (parent_id, snapshot_id))
        found.update({(row, "DELETE", snapshot_id): n for row, n in (before - after).items()})
        found.update({(row, "INSERT", snapshot_id): n for row, n in (after - before).items()})
    return found


def printed(rows: Iterable[Row], columns: list[str]) -> Counter[Any]:
    """Rows of a changelog in the same form."""
    return Counter(
        (tuple(plain(row[c]) for c in columns), row["_change_type"], row["_commit_snapshot_id"]) for row in rows
    )
