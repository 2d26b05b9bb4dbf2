"""Staged commits: published by cherry-pick, published by fast-forward, never published."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Stage three loads, publish two of them in the two ways, and cherry-pick a commit of a branch."""
    table.sql(
        "CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'write.wap.enabled' = 'true')"
    )
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")

    with table.setting("spark.wap.id", "load-monday"):
        table.sql("INSERT INTO {table} VALUES (10, 'staged on Monday')")
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")  # main moves on while Monday's load is audited
    table.sql("CALL {system}.publish_changes('{table}', 'load-monday')")

    with table.setting("spark.wap.id", "load-tuesday"):
        table.sql("INSERT INTO {table} VALUES (20, 'staged on Tuesday')")
    table.sql("CALL {system}.publish_changes('{table}', 'load-tuesday')")

    with table.setting("spark.wap.id", "load-wednesday"):
        table.sql("INSERT INTO {table} VALUES (30, 'staged on Wednesday, failed its audit')")

    table.sql("ALTER TABLE {table} CREATE BRANCH hotfix")
    table.sql("INSERT INTO {table}.branch_hotfix VALUES (40, 'hotfix')")
    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    table.sql("CALL {system}.cherrypick_snapshot('{table}', {picked})", picked=table.head("hotfix"))
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
