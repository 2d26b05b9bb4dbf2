"""A table that was upgraded from format version 1 to 2 to 3."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Commit as version 1, as 2 with a position delete file, as 3 with a deletion vector."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '1')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple'), (2, 'pear'), (3, 'plum')")
    table.sql("INSERT INTO {table} VALUES (4, 'quince'), (5, 'cherry')")

    table.sql(
        "ALTER TABLE {table} SET TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read', "
        "'write.update.mode' = 'merge-on-read')"
    )
    table.sql("INSERT INTO {table} VALUES (6, 'medlar'), (7, 'fig')")
    table.sql("DELETE FROM {table} WHERE id = 2")

    table.sql("ALTER TABLE {table} SET TBLPROPERTIES ('format-version' = '3')")
    table.sql("INSERT INTO {table} VALUES (8, 'olive'), (9, 'sloe')")
    table.sql("UPDATE {table} SET item = 'sour cherry' WHERE id = 5")
    table.sql("DELETE FROM {table} WHERE id = 8")


LESSON = Lesson(
    name="lessons.upgraded",
    title="Upgraded from format version 1 to 2 to 3",
    story=(
        "Two commits were made as version 1: their sequence number reads as 0. As version 2 the numbers "
        "begin at 1, and a DELETE wrote a position delete file. As version 3 rows got ids (`first_row_id`"
        " appears), and UPDATE and DELETE wrote deletion vectors. Each snapshot stays as the version of "
        "its day wrote it."
    ),
    build=build,
    working_days=60,
)
