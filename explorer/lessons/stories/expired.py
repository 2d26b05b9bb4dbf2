"""Snapshots that were expired: parents that are named and no longer there."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Expire the oldest commits by age, past one that a tag keeps, and one in the middle by its id."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")
    table.sql("ALTER TABLE {table} CREATE TAG `first-release`")
    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    table.sql("INSERT INTO {table} VALUES (4, 'quince')")
    first_listed = table.head()
    table.sql("INSERT INTO {table} VALUES (5, 'cherry')")
    table.sql("INSERT INTO {table} VALUES (6, 'medlar')")
    in_the_middle = table.head()
    table.sql("INSERT INTO {table} VALUES (7, 'fig')")
    table.sql("INSERT INTO {table} VALUES (8, 'olive')")

    committed_at = table.rows(
        "SELECT CAST(committed_at AS STRING) FROM {table}.snapshots WHERE snapshot_id = {id}", id=first_listed
    )[0][0]
    table.sql(
        "CALL {system}.expire_snapshots(table => '{table}', older_than => TIMESTAMP '{committed_at}')",
        committed_at=committed_at,
    )
    table.sql("CALL {system}.expire_snapshots(table => '{table}', snapshot_ids => ARRAY({id}L))", id=in_the_middle)
    table.sql("INSERT INTO {table} VALUES (9, 'sloe')")


LESSON = Lesson(
    name="lessons.expired",
    title="Expired snapshots, at the start and in the middle",
    story=(
        "Of nine commits the first and the third were expired by age; the second is as old but tag "
        "`first-release` keeps it. The sixth was expired by its id, from the middle of the history. Three"
        " snapshots name a parent that is no longer listed. No row is missing: the data files of an "
        "expired snapshot live on in its descendants."
    ),
    build=build,
    working_days=12,
)
