"""A table that nobody has written to."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Create it, nothing more."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")


LESSON = Lesson(
    name="lessons.empty",
    title="A table with no snapshot",
    story=(
        "The table was created and never written to. It has a schema, a partition spec and a location, "
        "but no snapshot, no branch and no manifest: there is nothing to draw yet, and that is no error."
    ),
    build=build,
    working_days=1,
)
