"""Random tables with every kind of delete, and which delete Iceberg's own scan planning attaches to which data file."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal

KEYS = {
    "id": "BIGINT",
    "small": "INT",
    "name": "STRING",
    "day": "DATE",
    "price": "DECIMAL(9,2)",
    "at": "TIMESTAMP",
    "uid": "BINARY",
    "score": "DOUBLE",
    "flag": "BOOLEAN",
}
VALUES = {
    "id": [str(i) for i in range(9)],
    "small": ["1", "2", "300", "NULL"],
    "name": ["'a'", "'b'", "'ab'", "''", "'ü'", "repeat('long', 9)", "NULL"],
    "day": ["DATE'2026-11-20'", "DATE'1969-12-31'", "NULL"],
    "price": ["1.50", "-3.25", "NULL"],
    "at": ["TIMESTAMP'2026-11-20 12:00:00Z'", "TIMESTAMP'1960-01-01 00:00:00Z'", "NULL"],
    "uid": ["X'00FF'", "X'80'", "NULL"],
    "score": ["0.5D", "-1e300D", "NULL"],
    "flag": ["true", "false", "NULL"],
}
SPECS = ("", "name", "flag", "bucket(2, id)", "day", "truncate(1, name)", "small")
REFUSED = (PySparkException, Py4JJavaError, IndexError)


class DeleteHistory:
    """A merge-on-read table to which random things happen; `done` tells what, in order."""

    def __init__(self, spark: SparkSession, name: str, seed: int) -> None:
        self.spark, self.name, self.pick, self.done = spark, name, random.Random(seed), list[str]()
        self.version = self.pick.choice([2, 2, 3])
        self.columns = ["id", *self.pick.sample(sorted(set(KEYS) - {"id"}), 3)]
        self.required = self.pick.choice(["", " NOT NULL"])
        spec = self.spec()
        listed = ", ".join(f"{c} {KEYS[c]}{self.required if c == 'id' else ''}" for c in self.columns)
        granularity = self.pick.choice(["file", "partition"])
        self.sql(
            f"CREATE TABLE {{t}} ({listed}) USING iceberg {f'PARTITIONED BY ({spec})' if spec else ''} TBLPROPERTIES ("
            f"'format-version'='{self.version}', 'write.delete.mode'='merge-on-read', "
            f"'write.update.mode'='merge-on-read', 'write.merge.mode'='merge-on-read', "
            f"'write.delete.granularity'='{granularity}', "
            f"'write.metadata.metrics.default'='{self.pick.choice(['truncate(2)', 'full', 'counts', 'full'])}')"
        )
        self.insert()

    def sql(self, statement: str) -> None:
        self.done.append(statement)
        self.spark.sql(statement.replace("{t}", self.name)).collect()

    def spec(self) -> str:
        possible = [
            s for s in SPECS if not s or any(c in s.replace("truncate", "").replace("bucket", "") for c in self.columns)
        ]
        return self.pick.choice(possible)

    def insert(self) -> None:
        rows = ", ".join(
            "(" + ", ".join(f"CAST({self.pick.choice(VALUES[c])} AS {KEYS[c]})" for c in self.columns) + ")"
            for _ in range(self.pick.randint(1, 4))
        )
        self.sql(f"INSERT INTO {{t}} SELECT {self.pick.choice(['', '/*+ REPARTITION(2) */'])} * FROM VALUES {rows}")

    def delete(self) -> None:
        column = self.pick.choice(self.columns)
        value = self.pick.choice(VALUES[column])
        condition = f"{column} <=> {value}" if self.pick.random() < 0.5 else f"id % 3 = {self.pick.randint(0, 2)}"
        self.sql(f"DELETE FROM {{t}} WHERE {condition}")

    def update(self) -> None:
        column = self.pick.choice(self.columns[1:])
        self.sql(
            f"UPDATE {{t}} SET {column} = {self.pick.choice(VALUES[column])} WHERE id % 4 = {self.pick.randint(0, 3)}"
        )

    def repartition(self) -> None:
        self.sql(f"ALTER TABLE {{t}} ADD PARTITION FIELD {self.spec()}")

    def unpartition(self) -> None:
        """In version 2 and 3 the field goes; a spec without fields makes equality deletes global."""
        fields = self.spark.sql(f"DESCRIBE TABLE EXTENDED {self.name}").where("col_name LIKE 'Part %'").collect()
        for field in fields:
            self.sql(f"ALTER TABLE {{t}} DROP PARTITION FIELD {field.data_type}")

    def compact(self) -> None:
        kept = self.pick.choice(["true", "false"])
        options = f"map('rewrite-all','true', 'use-starting-sequence-number','{kept}')"
        self.sql(f"CALL lab.system.rewrite_data_files(table => '{{t}}', options => {options})")

    def upgrade(self) -> None:
        self.sql("ALTER TABLE {t} SET TBLPROPERTIES ('format-version'='3')")
        self.version = 3

    def delete_equal(self) -> None:
        """In a random spec, and a random partition of it; half of them with statistics."""
        jvm: Any = self.spark._jvm
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)
        spec = self.pick.choice(list(table.specs().values()))
        columns = self.pick.sample(self.columns, self.pick.randint(1, 2))
        values = ", ".join(f"CAST({self.pick.choice(VALUES[c])} AS {KEYS[c]}) AS {c}" for c in columns)
        keys = self.spark.sql(f"SELECT {values}")
        partition = None
        if not spec.isUnpartitioned():
            files = [t.file() for t in self.tasks()]
            known = sorted({spec.partitionToPath(f.partition()) for f in files if f.specId() == spec.specId()})
            partition = self.pick.choice(known)
        statistics = self.pick.choice([True, True, False])
        self.done.append(f"equality delete: {values} in {partition} of {spec.specId()}, {statistics=}")
        delete_equal(self.spark, self.name, keys, spec_id=spec.specId(), partition=partition, statistics=statistics)

    def tasks(self, snapshot_id: int | None = None) -> list[Any]:
        jvm: Any = self.spark._jvm
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)
        scan = table.newScan()
        found = (scan if snapshot_id is None else scan.useSnapshot(snapshot_id)).planFiles()
        try:
            tasks, iterator = [], found.iterator()
            while iterator.hasNext():
                tasks.append(iterator.next())
            return tasks
        finally:
            found.close()

    def planned(self, snapshot_id: int) -> set[tuple[str, int | None, str]]:
        """(delete file, content offset, data file) as Iceberg plans to read the snapshot."""
        return {
            (d.location(), d.contentOffset(), task.file().location())
            for task in self.tasks(snapshot_id)
            for d in task.deletes()
        }

    def play(self, steps: int) -> DeleteHistory:
        things: list[tuple[Callable[[], None], int]] = [
            (self.insert, 4),
            (self.delete, 4),
            (self.update, 2),
            (self.delete_equal, 6),
            (self.repartition, 1),
            (self.unpartition, 1),
            (self.compact, 1),
            (self.upgrade, 1),
        ]
        happens, weights = zip(*things, strict=True)
        for thing in self.pick.choices(happens, weights, k=steps):
            try:
                thing()
            except REFUSED as error:
                self.done.append(f"refused: {str(error)[:200]}")
        return self
