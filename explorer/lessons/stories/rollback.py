"""Commits that were rolled back: by a rollback, and by a jump to a snapshot that is no ancestor."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Abandon two commits, go on, abandon a third by a jump, go on."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")
    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    good = table.head()

    table.sql("INSERT INTO {table} VALUES (-1, 'bad load, first half')")
    table.sql("ALTER TABLE {table} CREATE TAG evidence")
    table.sql("INSERT INTO {table} VALUES (-2, 'bad load, second half')")
    table.sql("CALL {system}.rollback_to_snapshot('{table}', {good})", good=good)

    table.sql("INSERT INTO {table} VALUES (4, 'quince')")
    fork = table.head()
    table.sql("INSERT INTO {table} VALUES (5, 'cherry')")
    wanted = table.head()
    table.sql("CALL {system}.rollback_to_snapshot('{table}', {fork})", fork=fork)
    table.sql("INSERT INTO {table} VALUES (-3, 'cherry, again, but wrong')")
    # `wanted` is no ancestor of main now: rollback_to_snapshot would refuse, set_current_snapshot does not ask.
    table.sql("CALL {system}.set_current_snapshot('{table}', {wanted})", wanted=wanted)
    table.sql("INSERT INTO {table} VALUES (6, 'medlar')")


LESSON = Lesson(
    name="lessons.rollback",
    title="Rolled back commits, and a jump to a snapshot that is no ancestor",
    story=(
        "Two commits of a bad load were rolled back: no snapshot was removed, main just points to an "
        "older one again, and the next commit grows from there. Tag `evidence` keeps the first of the "
        "two; the second is held by nothing and goes with the next expiry. Later a good commit was rolled"
        " back by mistake, another written in its place, and `set_current_snapshot` jumped back to the "
        "good one. The graph has three abandoned commits, and the log of main names some snapshots twice."
    ),
    build=build,
    working_days=8,
)
