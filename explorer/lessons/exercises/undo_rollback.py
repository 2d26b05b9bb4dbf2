"""Do: undo a rollback that took good commits with it."""

from __future__ import annotations

from ..lesson import LiveTable
from .answer import Answer
from .exercise import ON_MAIN, SQL, Exercise, snapshots_with
from .learners_table import LearnersTable
from .verdict import Checked, Verdict

_AIM = {1, 2, 3, 4}


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, item STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'apple')")
    wanted = table.head()
    table.sql("INSERT INTO {table} VALUES (2, 'pear')")
    table.sql("INSERT INTO {table} VALUES (3, 'plum')")
    table.sql("CALL {system}.rollback_to_snapshot('{table}', {wanted})", wanted=wanted)
    table.sql("INSERT INTO {table} VALUES (4, 'quince')")


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    ids = table.values("SELECT id FROM {table} ORDER BY id")
    written = table.written
    missing, twice = sorted(_AIM - set(ids)), sorted({one for one in ids if ids.count(one) > 1})
    seen = ", ".join(map(str, ids)) or "none"
    checked = (
        Checked(f"rows on main: {seen}; aim: 1, 2, 3, 4", holds=sorted(ids) == sorted(_AIM)),
        Checked(f"data files written by you: {len(written)}; aim: none", holds=not written),
    )
    if written:
        why = "The rows are written again: as new rows, of a new owner. The files of the lost commits still exist."
    elif missing:
        lost = ", ".join(map(str, missing))
        why = (
            f"Row {lost} is in a snapshot that main does not lead to. No snapshot was removed: "
            f"`{table.name}.snapshots` lists all."
        )
    elif twice:
        why = f"Row {', '.join(map(str, twice))} is there twice: what was picked was on main already."
    else:
        why = "No file was written: what was rolled back was never gone, main only pointed elsewhere."
    return Verdict(
        f"main has the rows {seen}",
        checked,
        table.told(table.head),
        why,
        table.opened.snapshot_graph(),
    )


EXERCISE = Exercise(
    name="undo-rollback",
    kind="do",
    notebook="05_incident",
    title="Undo a rollback",
    task=(
        "Somebody rolled `{table}` back by mistake: the commits that added rows 2 and 3 are not on main any more. "
        "Since then row 4 was added.\n\n**Bring rows 2 and 3 back, without losing row 4, and without writing a row "
        "again.** The table below lists all snapshots."
    ),
    fields=(SQL,),
    hints=(
        "A rollback removes no snapshot: main only points elsewhere. To point it back would lose row 4.",
        "`CALL sandbox.system.cherrypick_snapshot(table => '{short}', snapshot_id => …)` puts the files of one append "
        "on top of main.",
        "Cherry-pick the two snapshots whose added rows are missing, the older one first.",
    ),
    build=_build,
    check=_check,
    look=snapshots_with("operation"),
    looked=ON_MAIN,
    anew=False,
)
