"""A key that is deleted and used again: an equality delete must not hit the row that comes after it."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable
from .equality_deletes import delete_equal, upsert


def _build(table: LiveTable) -> None:
    table.sql(
        "CREATE TABLE {table} (id BIGINT, name STRING) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    table.sql("INSERT INTO {table} VALUES (12345, 'Alice'), (67890, 'Carol')")
    delete_equal(table.spark, table.name, table.spark.sql("SELECT 12345L AS id"), statistics=True)
    table.sql("INSERT INTO {table} VALUES (12345, 'Bob')")
    upsert(
        table.spark,
        table.name,
        keys=table.spark.sql("SELECT 67890L AS id"),
        rows=table.spark.sql("SELECT 67890L AS id, 'Caroline' AS name"),
    )


LESSON = Lesson(
    "lessons.phantom_deletion",
    "Phantom deletion: Alice's key is deleted, and Bob gets it",
    "Alice was inserted under the key 12345 and deleted by an equality delete, a file that holds nothing but this key. "
    "Then Bob was inserted under the same key. The delete is still in the table, and Bob lives: it reaches data files "
    "with a smaller data sequence number than its own, and Bob's is larger. The last commit is an upsert, as a stream "
    "writes it: a delete of the key 67890 and the new row under the same number. An equality delete does not reach its "
    "own commit, so the new row lives and the old one is gone.",
    _build,
    working_days=5,
)
