"""Random histories of real tables: random columns, partition specs and their evolution, and all that changes rows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from explorer.lessons.stories.equality_deletes import delete_equal

# Type -> values as SQL; few of each, so that rows repeat.
VALUES = {
    "INT": ("1", "2", "-3", "NULL"),
    "BIGINT": ("9007199254740993L", "0L", "NULL"),
    "STRING": ("'a'", "''", "'Zoë / b=c'", "repeat('long', 20)", "NULL"),
    "BOOLEAN": ("true", "false", "NULL"),
    "FLOAT": ("float('NaN')", "float(0.5)", "float('-Infinity')", "NULL"),
    "DOUBLE": ("double('NaN')", "0.25D", "1e300D", "NULL"),
    "DECIMAL(9,2)": ("1234567.89BD", "-0.01BD", "NULL"),
    "DECIMAL(38,10)": ("1234567890123456789012345678.0123456789BD", "0BD", "NULL"),
    "DATE": ("DATE'2026-11-20'", "DATE'1969-12-31'", "NULL"),
    "TIMESTAMP": ("TIMESTAMP'2026-11-20 23:59:59.999999Z'", "TIMESTAMP'1960-01-01 00:00:00Z'", "NULL"),
    "TIMESTAMP_NTZ": ("TIMESTAMP_NTZ'2026-11-21 00:00:00.000001'", "TIMESTAMP_NTZ'1969-12-31 23:59:59.5'", "NULL"),
    "BINARY": ("X'00FF'", "X''", "NULL"),
    "STRUCT<a: INT, b: STRING>": (
        "named_struct('a', 1, 'b', 'x')",
        "named_struct('a', CAST(NULL AS INT), 'b', 'x')",
        "NULL",
    ),
    "ARRAY<DOUBLE>": ("array(1D, double('NaN'))", "array()", "array(CAST(NULL AS DOUBLE))", "NULL"),
    "MAP<STRING, INT>": ("map('k', 1, 'l', 2)", "map('l', 2, 'k', 1)", "map('k', CAST(NULL AS INT))", "NULL"),
    "ARRAY<MAP<INT, BINARY>>": ("array(map(1, X'01'))", "array(map(1, X'02'), NULL)", "NULL"),
}
NAMES = ("v", "odd name", "a.b", "ü", "select", "w`x", "MixedCase", "_under")
WIDER = {"INT": "BIGINT", "FLOAT": "DOUBLE", "DECIMAL(9,2)": "DECIMAL(12,2)"}
CANNOT_BE_KEYS = ("FLOAT", "DOUBLE", "STRUCT", "ARRAY", "MAP", "BINARY")
# What Spark and Iceberg refuse for reasons of their own is no commit: the history goes on without it.
REFUSED = (PySparkException, Py4JJavaError)


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def listed_properties(properties: dict[str, str]) -> str:
    return ", ".join(f"'{key}'='{value}'" for key, value in properties.items())


@dataclass
class Column:
    """A column, as it is called and typed now; whether an equality delete has it for a key."""

    name: str
    type: str
    is_key: bool = False

    @property
    def sql(self) -> str:
        return quoted(self.name)


class RowHistory:
    """A table to which random things happen; `done` tells what, in order."""

    def __init__(self, spark: SparkSession, name: str, seed: int) -> None:
        self.spark, self.name, self.pick, self.done = spark, name, random.Random(seed), list[str]()
        self.version = self.pick.choice([2, 2, 3, 3, 1])
        types = self.pick.sample(sorted(VALUES), self.pick.randint(2, 4))
        names = self.pick.sample(NAMES, len(types))
        self.columns = [Column("id", "INT"), *(Column(n, t) for n, t in zip(names, types, strict=True))]
        self.spare = [name for name in NAMES if name not in names]
        spec = self.transform()
        listed = ", ".join(f"{c.sql} {c.type}" for c in self.columns)
        properties = {
            "format-version": str(self.version),
            "write.delete.granularity": self.pick.choice(["file", "partition"]),
            "commit.manifest.min-count-to-merge": self.pick.choice(["2", "100"]),
            "write.format.default": self.pick.choice(["parquet", "parquet", "parquet", "avro", "orc"]),
            "write.metadata.metrics.default": self.pick.choice(
                ["truncate(16)", "truncate(2)", "counts", "none", "full"]
            ),
        } | self.modes()
        self.sql(
            f"CREATE TABLE {{t}} ({listed}) USING iceberg {f'PARTITIONED BY ({spec})' if spec else ''}"
            f" TBLPROPERTIES ({listed_properties(properties)})"
        )
        self.insert()

    # --- helpers ---

    def sql(self, statement: str) -> None:
        self.done.append(statement)
        self.spark.sql(statement.replace("{t}", self.name)).collect()

    def modes(self) -> dict[str, str]:
        modes = ["copy-on-write", "merge-on-read"] if self.version > 1 else ["copy-on-write"]
        return {f"write.{what}.mode": self.pick.choice(modes) for what in ("delete", "update", "merge")}

    def transform(self) -> str:
        """A transform of a column that can be partitioned by; empty for none."""
        column = self.pick.choice(self.columns)
        kinds = [""]
        if column.type in ("INT", "BIGINT", "STRING") or column.type.startswith("DECIMAL"):
            kinds += [column.sql, f"bucket(2, {column.sql})", f"truncate(1, {column.sql})"]
        elif column.type in ("DATE", "TIMESTAMP", "TIMESTAMP_NTZ"):
            kinds += [column.sql, f"days({column.sql})", f"years({column.sql})"]
        elif column.type == "BOOLEAN":
            kinds += [column.sql]
        return self.pick.choice(kinds)

    def value(self, column: Column) -> str:
        by_type = {wide: narrow for narrow, wide in WIDER.items()}
        known = VALUES.get(column.type) or VALUES[by_type[column.type]]
        return f"CAST({self.pick.choice(known)} AS {column.type})"

    def key(self) -> str:
        """A value of `id`: of few, so that rows share it, and now and then null."""
        return self.pick.choice([*map(str, range(10)), "NULL"])

    def row(self) -> str:
        shown = [self.key(), *(self.value(c) for c in self.columns[1:])]
        return f"({', '.join(shown)})"

    def condition(self, prefix: str = "") -> str:
        column = self.pick.choice(self.columns)
        name = prefix + column.sql
        choices = [
            f"{prefix}`id` % 3 = {self.pick.randint(0, 2)}",
            f"{name} IS NULL",
            f"{prefix}`id` > {self.pick.randint(2, 8)}",
            f"{prefix}`id` IS NULL",
        ]
        if "MAP" not in column.type:
            choices.append(f"{name} <=> {self.value(column)}")
        return self.pick.choice(choices)

    def assignments(self) -> str:
        chosen = self.pick.sample(self.columns[1:], self.pick.randint(1, len(self.columns) - 1))
        set_ = [f"{c.sql} = {self.value(c)}" for c in chosen]
        set_ += self.pick.choice([[], [], [f"id = {self.key()}"], ["id = (id + 1) % 10"]])
        return ", ".join(set_)

    # --- what happens ---

    def insert(self) -> None:
        rows = [self.row() for _ in range(self.pick.randint(1, 5))]
        rows += self.pick.choices(rows, k=self.pick.randint(0, 2))
        tasks = self.pick.choice(["", "/*+ REPARTITION(2) */"])
        self.sql(f"INSERT INTO {{t}} SELECT {tasks} * FROM VALUES {', '.join(rows)}")

    def insert_again(self) -> None:
        self.sql("INSERT INTO {t} SELECT * FROM {t} LIMIT 3")

    def delete(self) -> None:
        self.sql(f"DELETE FROM {{t}} WHERE {self.condition()}")

    def update(self) -> None:
        self.sql(f"UPDATE {{t}} SET {self.assignments()} WHERE {self.condition()}")

    def merge(self) -> None:
        rows = {i: self.row() for i in self.pick.sample(range(10), 4)}
        source = ", ".join(f"({i}, {row[1:].partition(', ')[2]}" for i, row in rows.items())
        names = ", ".join(c.sql for c in self.columns)
        self.sql(
            f"MERGE INTO {{t}} t USING (SELECT * FROM VALUES {source} AS s({names})) s ON t.id = s.id"
            f" WHEN MATCHED AND {self.condition('t.')} THEN DELETE"
            f" WHEN MATCHED THEN UPDATE SET {self.assignments()} WHEN NOT MATCHED THEN INSERT *"
        )

    def overwrite(self) -> None:
        self.spark.conf.set("spark.sql.sources.partitionOverwriteMode", self.pick.choice(["static", "dynamic"]))
        self.sql(f"INSERT OVERWRITE {{t}} SELECT * FROM {{t}} WHERE {self.condition()}")

    def put_back(self) -> None:
        """A row is deleted and written again equal, by one commit."""
        self.sql("INSERT OVERWRITE {t} SELECT * FROM {t}")

    def compact(self) -> None:
        options = self.pick.choice(["'rewrite-all','true'", "'min-input-files','2'", "'delete-file-threshold','1'"])
        self.sql(f"CALL lab.system.rewrite_data_files(table => '{{t}}', options => map({options}))")

    def compact_deletes(self) -> None:
        self.sql("CALL lab.system.rewrite_position_delete_files(table => '{t}', options => map('rewrite-all','true'))")

    def rewrite_manifests(self) -> None:
        self.sql("CALL lab.system.rewrite_manifests('{t}')")

    def rollback(self) -> None:
        ids = [
            r[0]
            for r in self.spark.sql(f"SELECT snapshot_id FROM {self.name}.history WHERE is_current_ancestor").collect()
        ]
        self.sql(f"CALL lab.system.set_current_snapshot('{{t}}', {self.pick.choice(ids)})")

    def branch(self) -> None:
        self.sql("ALTER TABLE {t} CREATE OR REPLACE BRANCH side")
        rows = ", ".join(self.row() for _ in range(2))
        self.sql(f"INSERT INTO {{t}}.branch_side VALUES {rows}")
        self.sql(f"DELETE FROM {{t}}.branch_side WHERE {self.condition()}")

    def add_column(self) -> None:
        column = Column(self.spare.pop(), self.pick.choice(sorted(VALUES)))
        self.sql(f"ALTER TABLE {{t}} ADD COLUMN {column.sql} {column.type}")
        self.columns.append(column)

    def rename_column(self) -> None:
        column, name = self.pick.choice(self.columns[1:]), self.spare.pop()
        self.sql(f"ALTER TABLE {{t}} RENAME COLUMN {column.sql} TO {quoted(name)}")
        column.name = name

    def drop_column(self) -> None:
        column = self.pick.choice(self.columns[2:])
        self.sql(f"ALTER TABLE {{t}} DROP COLUMN {column.sql}")
        self.columns.remove(column)

    def widen_column(self) -> None:
        # In Iceberg 1.12 an equality delete no longer finds its keys once their column is wider than it was.
        column = self.pick.choice([c for c in self.columns if c.type in WIDER and not c.is_key])
        self.sql(f"ALTER TABLE {{t}} ALTER COLUMN {column.sql} TYPE {WIDER[column.type]}")
        column.type = WIDER[column.type]

    def repartition(self) -> None:
        self.sql(f"ALTER TABLE {{t}} ADD PARTITION FIELD {self.transform()}")

    def unpartition(self) -> None:
        fields = self.spark.sql(f"DESCRIBE TABLE EXTENDED {self.name}").where("col_name LIKE 'Part %'").collect()
        self.sql(f"ALTER TABLE {{t}} DROP PARTITION FIELD {self.pick.choice(fields).data_type}")

    def change_modes(self) -> None:
        self.sql(f"ALTER TABLE {{t}} SET TBLPROPERTIES ({listed_properties(self.modes())})")

    def upgrade(self) -> None:
        version = min(3, self.version + 1)
        self.sql(f"ALTER TABLE {{t}} SET TBLPROPERTIES ('format-version'='{version}')")
        self.version = version

    def delete_equal(self) -> None:
        """Global if a spec of the table is unpartitioned."""
        if self.version < 2:
            return
        jvm: Any = self.spark._jvm
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)
        specs = [spec for spec in table.specs().values() if spec.isUnpartitioned()]
        if not specs:
            return
        keys = ["id", *(c.name for c in self.columns[1:] if not c.type.startswith(CANNOT_BE_KEYS))]
        chosen = self.pick.sample(keys, self.pick.randint(1, min(2, len(keys))))
        self.done.append(f"equality delete by {chosen}")
        for column in self.columns:
            column.is_key |= column.name in chosen
        frame = self.spark.table(self.name).select(*map(quoted, chosen)).distinct().limit(2)
        delete_equal(self.spark, self.name, frame, spec_id=specs[0].specId())

    def delete_again(self) -> None:
        """Keys that other deletes may have masked already: so a row is masked twice, as upserts of one key do it."""
        if self.version < 2:
            return
        jvm: Any = self.spark._jvm
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)
        specs = [spec for spec in table.specs().values() if spec.isUnpartitioned()]
        if not specs:
            return
        self.done.append("equality delete by id, again")
        self.columns[0].is_key = True
        listed = ", ".join(f"({i})" for i in self.pick.sample(range(10), 4))
        keys = self.spark.sql(f"SELECT CAST(id AS {self.columns[0].type}) AS id FROM VALUES {listed} AS keys(id)")
        delete_equal(self.spark, self.name, keys, spec_id=specs[0].specId())

    def remove_delete(self) -> None:
        """One of the deletes is taken away, whatever else masks the same rows."""
        jvm: Any = self.spark._jvm
        table = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)
        tasks, found = table.newScan().planFiles().iterator(), {}
        while tasks.hasNext():
            for delete in tasks.next().deletes():
                found[delete.location(), delete.contentOffset()] = delete
        if found:
            key = self.pick.choice(sorted(found, key=str))
            self.done.append(f"delete {key} removed")
            table.newRowDelta().removeDeletes(found[key]).commit()
            self.spark.sql(f"REFRESH TABLE {self.name}")

    def play(self, steps: int) -> RowHistory:
        common: list[Callable[[], None]] = [self.insert, self.delete, self.update, self.merge] * 4
        rare = [
            *(self.insert_again, self.overwrite, self.put_back, self.compact, self.compact_deletes),
            *(self.rewrite_manifests, self.rollback, self.branch, self.change_modes, self.upgrade),
            *(self.delete_equal, self.delete_equal, self.delete_equal),
            *(self.delete_again, self.delete_again, self.remove_delete, self.remove_delete),
        ]
        shapes = [self.add_column, self.rename_column, self.drop_column, self.widen_column, self.repartition]
        for happens in self.pick.choices([*common, *rare, *shapes, self.unpartition], k=steps):
            try:
                happens()
            except (*REFUSED, IndexError) as error:
                self.done.append(f"refused: {str(error)[:200]}")
        return self
