"""Compaction: which number the new file gets, which deletes still reach it, and which are left with nothing to do."""

from __future__ import annotations

from typing import Any

from ..lesson import Lesson, LiveTable
from .equality_deletes import delete_equal


def build(table: LiveTable) -> None:
    """Two deletes in one region; a compaction of it that another delete overtakes; a second one; the cleaning up."""
    table.sql(
        "CREATE TABLE {table} (id BIGINT, name STRING, region STRING) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    table.sql("INSERT INTO {table} VALUES (1, 'Ada', 'EU'), (2, 'Ben', 'EU'), (3, 'Cleo', 'EU'), (4, 'Dan', 'US')")
    table.sql("INSERT INTO {table} VALUES (5, 'Eve', 'EU'), (6, 'Fay', 'EU')")
    _delete_in_europe(table, 2)
    table.sql("DELETE FROM {table} WHERE region = 'EU' AND id = 5")

    overtaken = _compaction_of_europe_that_starts_now(table)
    _delete_in_europe(table, 3)
    overtaken.execute()
    table.sql("REFRESH TABLE {table}")

    table.sql(
        "CALL {system}.rewrite_data_files(table => '{table}', where => \"region = 'EU'\", "
        "options => map('rewrite-all', 'true', 'use-starting-sequence-number', 'false'))"
    )
    table.sql("CALL {system}.rewrite_data_files(table => '{table}', options => map('remove-dangling-deletes', 'true'))")


def _delete_in_europe(table: LiveTable, key: int) -> None:
    """An equality delete: it names no file, only the key."""
    keys = table.spark.range(key, key + 1, numPartitions=1)
    delete_equal(table.spark, table.name, keys, partition="region=EU")


def _compaction_of_europe_that_starts_now(table: LiveTable) -> Any:
    """Iceberg's own compaction, as Spark's procedure runs it, of the table as it is now, whenever it is executed."""
    jvm: Any = table.spark._jvm
    session: Any = table.spark._jsparkSession
    # Iceberg finds its settings in the session that is active in this thread, which only SQL sets.
    getattr(jvm, session.getClass().getName()).setActiveSession(session)
    as_it_is = jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(session, table.name)
    actions = jvm.org.apache.iceberg.spark.actions.SparkActions.get(session)
    europe = jvm.org.apache.iceberg.expressions.Expressions.equal("region", "EU")
    return actions.rewriteDataFiles(as_it_is).filter(europe).option("rewrite-all", "true")


LESSON = Lesson(
    name="lessons.compaction",
    title="Compaction: an old number on a new file, and deletes left dangling",
    story=(
        "Ben was deleted by his key, Eve by her place in a file. Then a compaction of Europe began, at sequence number "
        "4, and before it was done Cleo was deleted by her key, too, with number 5. The new file was committed as "
        "number 6: its file sequence number. Its data sequence number is 4, that of the start, so the delete of 5 "
        "still reaches it, and Cleo, whom the compaction had copied, stays deleted. The first two deletes were left "
        "dangling: an old file of another region keeps Iceberg from dropping them. A second compaction, without "
        "`use-starting-sequence-number`, took 7 for both numbers and left the third delete dangling, too; the last "
        "commit removed all three."
    ),
    build=build,
    working_days=2,
)
