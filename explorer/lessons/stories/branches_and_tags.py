"""Branches that grow beside main, one that lags behind it, one that main caught up with, and two tags."""

from __future__ import annotations

from ..lesson import Lesson, LiveTable


def build(table: LiveTable) -> None:
    """Interleave the commits of main with those of three branches."""
    table.sql("CREATE TABLE {table} (id BIGINT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")
    table.sql("ALTER TABLE {table} CREATE TAG `first-release`")
    table.sql("ALTER TABLE {table} CREATE BRANCH audit RETAIN 365 DAYS WITH SNAPSHOT RETENTION 5 SNAPSHOTS 30 DAYS")
    table.sql("ALTER TABLE {table} CREATE BRANCH reporting")  # lags: nobody ever commits to it

    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    table.sql("INSERT INTO {table}.branch_audit VALUES (103, 'plum, checked')")
    table.sql("INSERT INTO {table} VALUES (4, 'quince')")
    table.sql("INSERT INTO {table}.branch_audit VALUES (104, 'quince, checked')")
    table.sql("ALTER TABLE {table} CREATE TAG audited AS OF VERSION {checked}", checked=table.head("audit"))
    table.sql("INSERT INTO {table}.branch_audit VALUES (105, 'cherry, checked')")

    # main waits while `release` is written, so it can simply be moved forward to it.
    table.sql("ALTER TABLE {table} CREATE BRANCH release")
    table.sql("INSERT INTO {table}.branch_release VALUES (5, 'cherry')")
    table.sql("ALTER TABLE {table} CREATE BRANCH experiment AS OF VERSION {start}", start=table.head("audit"))
    table.sql("INSERT INTO {table}.branch_experiment VALUES (900, 'durian')")
    table.sql("INSERT INTO {table}.branch_release VALUES (6, 'medlar')")
    table.sql("CALL {system}.fast_forward('{table}', 'main', 'release')")

    table.sql("INSERT INTO {table} VALUES (7, 'fig')")
    table.sql("DELETE FROM {table}.branch_experiment WHERE id = 900")
    table.sql("INSERT INTO {table} VALUES (8, 'olive')")


LESSON = Lesson(
    name="lessons.branches_and_tags",
    title="Branches and tags beside main",
    story=(
        "Branch `audit` left main after its second commit and grew while main grew, so their sequence "
        "numbers take turns; `experiment` left `audit`. Branch `reporting` was never committed to: it "
        "just lags behind, at the commit that tag `first-release` keeps as well. Tag `audited` holds a "
        "commit of a branch. Branch `release` was written while main waited, and main was then fast-"
        "forwarded to it: no new snapshot, its two commits simply became main's, and the label `release` "
        "stayed behind. `audit` has a retention of its own."
    ),
    build=build,
    working_days=30,
)
