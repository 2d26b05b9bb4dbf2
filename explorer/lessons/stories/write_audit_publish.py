"""Staged commits: published by cherry-pick, published by fast-forward, never published."""

from __future__ import annotations

from datetime import timedelta

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Stage three loads, publish two of them in the two ways, and cherry-pick a commit of a branch."""
    today = table.clock.now.replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday() + 7)  # of last week
    tuesday, wednesday, thursday = (monday + timedelta(days=days) for days in (1, 2, 3))
    table.at(monday - timedelta(days=4, hours=-15, minutes=-12))
    table.sql(
        "CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'write.wap.enabled' = 'true')"
    )
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")

    table.at(monday + timedelta(hours=2, minutes=30))
    with table.setting("spark.wap.id", "load-monday"):
        table.sql("INSERT INTO {table} VALUES (10, 'staged on Monday')")
    table.at(monday + timedelta(hours=9, minutes=14))
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")  # main moves on while Monday's load is audited
    table.at(monday + timedelta(hours=11, minutes=47))
    table.sql("CALL {system}.publish_changes('{table}', 'load-monday')")

    table.at(tuesday + timedelta(hours=2, minutes=31))
    with table.setting("spark.wap.id", "load-tuesday"):
        table.sql("INSERT INTO {table} VALUES (20, 'staged on Tuesday')")
    table.at(tuesday + timedelta(hours=10, minutes=5))
    table.sql("CALL {system}.publish_changes('{table}', 'load-tuesday')")

    table.at(wednesday + timedelta(hours=2, minutes=30))
    with table.setting("spark.wap.id", "load-wednesday"):
        table.sql("INSERT INTO {table} VALUES (30, 'staged on Wednesday, failed its audit')")

    table.at(thursday + timedelta(hours=15, minutes=20))
    table.sql("ALTER TABLE {table} CREATE BRANCH hotfix")
    table.sql("INSERT INTO {table}.branch_hotfix VALUES (40, 'hotfix')")
    table.at(thursday + timedelta(hours=16, minutes=2))
    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    table.at(thursday + timedelta(hours=16, minutes=40))
    table.sql("CALL {system}.cherrypick_snapshot('{table}', {picked})", picked=table.head("hotfix"))
    table.at(table.clock.now - timedelta(minutes=24))
    table.sql("INSERT INTO {table} VALUES (4, 'quince')")


LESSON = Lesson(
    name="lessons.write_audit_publish",
    title="Write, audit, publish: staged commits and cherry-picks",
    story=(
        "Three loads were staged: each wrote a snapshot that no branch points to. Monday's was published "
        "after main had moved on, so a new snapshot was made, which names its source. Tuesday's was "
        "published while main still stood on its parent: it became main's head itself, and nothing in it "
        "says how. Wednesday's was never published and stays staged. The last cherry-pick took a commit "
        "of branch `hotfix`, with no audit id at all. Look at the same data file added twice, under two "
        "sequence numbers."
    ),
    build=build,
)
