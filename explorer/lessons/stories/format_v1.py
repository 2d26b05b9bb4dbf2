"""A table of format version 1, where no commit has a sequence number."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Append, overwrite and delete as a version 1 table can: by rewriting files."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '1')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple'), (2, 'pear')")
    table.sql("INSERT INTO {table} VALUES (3, 'plum'), (4, 'quince')")
    table.sql("UPDATE {table} SET item = 'Bartlett pear' WHERE id = 2")
    table.sql("DELETE FROM {table} WHERE id = 4")
    table.sql("INSERT INTO {table} VALUES (5, 'cherry')")


LESSON = Lesson(
    name="lessons.format_v1",
    title="Format version 1: no sequence numbers",
    story=(
        "Version 1 knows no sequence numbers and no delete files: every commit's number reads as 0, and "
        "its order is known from the parents alone. UPDATE and DELETE rewrote the whole file of the row "
        "they changed."
    ),
    build=build,
    working_days=40,
)
