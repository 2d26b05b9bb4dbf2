"""Find: what an expiry would remove, before it runs. Articles say, all old data."""

from __future__ import annotations

from datetime import UTC, datetime

from ...model import formats
from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, found_out

_OLDER_THAN = datetime(2100, 1, 1, tzinfo=UTC)


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, price INT) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 10), (2, 20), (3, 30)")
    table.sql("UPDATE {table} SET price = 11 WHERE id = 1")
    table.sql("ALTER TABLE {table} CREATE TAG audited")
    table.sql("UPDATE {table} SET price = 12 WHERE id = 1")
    table.sql("UPDATE {table} SET price = 13 WHERE id = 1")
    table.sql("INSERT INTO {table} VALUES (4, 40)")


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    picture = table.opened.dry_run.expire_snapshots(older_than=_OLDER_THAN, retain_last=1)
    told = picture.facts
    snapshots, files = told.sum_of("removed", "snapshot").count, told.sum_of("removed", "data").count
    given = {name: answer.number(name) for name in ("snapshots", "files", "rows")}
    checked = (
        found_out("snapshots removed", given["snapshots"], right=given["snapshots"] == snapshots),
        found_out("data files deleted", given["files"], right=given["files"] == files),
        found_out("rows that a reader of main loses", given["rows"], right=given["rows"] == 0),
    )
    right = sum(one.holds is True for one in checked)
    kept = formats.count(len({ref.snapshot_id for ref in table.opened.metadata.refs.values()}), "snapshot")
    told_why = [f"Every ref keeps where it points to: {kept} here."]
    if given["snapshots"] == snapshots and given["files"] != files:
        told_why.append("A file goes only if none of the snapshots that stay lists it, however old it is.")
    if given["rows"] != 0:
        told_why.append("No file goes that a snapshot which stays reads, so no reader of main misses a row.")
    if right == len(checked):
        told_why.append(
            "What goes is the way back: to ask those snapshots, to compare with them, to roll back to them."
        )
    return Verdict(
        f"{right} of {len(checked)} are right",
        checked,
        f"{table.name}, commit {table.head.sequence_number}",
        " ".join(told_why),
        picture if right == len(checked) else None,
    )


EXERCISE = Exercise(
    name="what-expiry-removes",
    kind="find",
    notebook="07_maintenance",
    title="What does an expiry remove?",
    task=(
        "`{table}` was written by five commits, copy-on-write: three rows in one file, three updates of one of them, "
        "and one more row. The tag `audited` is at the second commit, main and the tag `start` at the last.\n\n"
        "**What would the statement below remove, if it ran? And how many rows would a reader of main lose?**"
    ),
    fields=(
        Field("snapshots", "Snapshots removed", "number"),
        Field("files", "Data files deleted", "number"),
        Field("rows", "Rows of main lost", "number"),
    ),
    hints=(
        "Which snapshots does a branch or a tag point to? With `retain_last => 1` main keeps no ancestor of its own.",
        "Each update wrote the file anew, and removed the one before. Which of these files does a snapshot list that "
        "stays?",
        "Run it on nothing: `explorer.table('{table}').dry_run.expire_snapshots(datetime(2100, 1, 1), 1)`.",
    ),
    build=_build,
    check=_check,
    statement=lambda _: (
        "CALL sandbox.system.expire_snapshots(\n  table       => '{short}',\n"
        "  older_than  => TIMESTAMP '2100-01-01',\n  retain_last => 1\n)"
    ),
    look=(
        "SELECT s.committed_at, s.operation, s.summary['added-data-files'] AS files_added, "
        "s.summary['deleted-data-files'] AS files_removed, array_join(collect_list(r.name), ', ') AS refs "
        "FROM {table}.snapshots s LEFT JOIN {table}.refs r ON r.snapshot_id = s.snapshot_id "
        "GROUP BY ALL ORDER BY s.committed_at"
    ),
    looked="Its snapshots, what each did to data files, and the refs that point to it.",
)
