"""A table that was written to once."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Create it and append three rows in one file."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple'), (2, 'pear'), (3, 'plum')")


LESSON = Lesson(
    name="lessons.one_snapshot",
    title="A table with one snapshot",
    story=(
        "One INSERT of three rows made one snapshot: sequence number 1, no parent, one data file. Every "
        "longer history begins like this."
    ),
    build=build,
    working_days=1,
)
