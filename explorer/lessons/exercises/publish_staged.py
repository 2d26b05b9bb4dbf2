"""Do: publish a load that was staged, after main has moved on."""

from __future__ import annotations

from ..lesson import LiveTable
from .answer import Answer
from .exercise import ON_MAIN, SQL, Exercise, snapshots_with
from .learners_table import LearnersTable
from .verdict import Checked, Verdict

_AIM = {1, 2, 3, 4}
_LOAD = "load-monday"


def _build(table: LiveTable) -> None:
    table.sql(
        "CREATE TABLE {table} (id INT, item STRING) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'write.wap.enabled' = 'true')"
    )
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    with table.setting("spark.wap.id", _LOAD):
        table.sql("INSERT INTO {table} VALUES (2, 'pear'), (3, 'plum')")
    table.sql("INSERT INTO {table} VALUES (4, 'quince')")


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    ids = table.values("SELECT id FROM {table} ORDER BY id")
    written = table.written
    published = [one for one in table.new if one.summary.get("published-wap-id") == _LOAD]
    seen = ", ".join(map(str, ids)) or "none"
    checked = (
        Checked(f"rows on main: {seen}; aim: 1, 2, 3, 4", holds=sorted(ids) == sorted(_AIM)),
        Checked(f"data files written by you: {len(written)}; aim: none", holds=not written),
        Checked(
            f"commits of yours that say they published {_LOAD}: {len(published)}; so a job that asks sees that it was",
            holds=None,
        ),
    )
    if written:
        why = "The rows are written again. The staged snapshot still waits: whoever publishes it now doubles them."
    elif _AIM - set(ids):
        lost = ", ".join(map(str, sorted(_AIM - set(ids))))
        why = f"Row {lost} is not on main. To point main at the staged snapshot leaves out what came after its parent."
    else:
        why = (
            "Main had moved on, so a snapshot was made anew: it has the files of the staged one under a sequence number"
            " of its own, and names its source."
        )
    return Verdict(f"main has the rows {seen}", checked, table.told(table.head), why, table.opened.snapshot_graph())


EXERCISE = Exercise(
    name="publish-staged",
    kind="do",
    notebook="06_branches",
    title="Publish what was staged",
    task=(
        f"Monday's load of `{{table}}` was staged under the id `{_LOAD}`: its snapshot holds rows 2 and 3, and no "
        "branch leads to it. It passed its audit. Meanwhile row 4 was added to main.\n\n"
        "**Publish the load, without losing row 4, and without writing a row again.** The table below lists all "
        "snapshots."
    ),
    fields=(SQL,),
    hints=(
        "The rows are in a file that is there already. What has to be made is a snapshot on top of main that lists it.",
        "Iceberg has a procedure that publishes by the id, and one that picks a snapshot.",
    ),
    build=_build,
    check=_check,
    solution=f"CALL sandbox.system.publish_changes(table => '{{short}}', wap_id => '{_LOAD}')",
    look=snapshots_with("summary['wap.id'] AS wap_id"),
    looked=ON_MAIN,
    anew=False,
)
