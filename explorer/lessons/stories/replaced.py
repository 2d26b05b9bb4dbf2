"""A table replaced by a new one of the same name: a second root."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Write three commits, replace the table by a query over itself, write on."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")
    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    table.sql(
        "CREATE OR REPLACE TABLE {table} USING iceberg TBLPROPERTIES ('format-version' = '2') AS "
        "SELECT id, upper(item) AS item, length(item) AS letters FROM {table}"
    )
    table.sql("INSERT INTO {table} VALUES (4, 'QUINCE', 6)")
    table.sql("INSERT INTO {table} VALUES (5, 'CHERRY', 6)")


LESSON = Lesson(
    name="lessons.replaced",
    title="CREATE OR REPLACE TABLE: a history with two roots",
    story=(
        "After three commits the table was replaced by a query over itself. The replacing commit has no "
        "parent: it is a second root, with a new schema, while the old snapshots are still listed and can"
        " be read by id. The sequence numbers run on, since the table is still the same table; main's "
        "lineage begins anew."
    ),
    build=build,
    working_days=15,
)
