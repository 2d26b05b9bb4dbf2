"""Do: change a row and carry no other over."""

from __future__ import annotations

from ...model import formats
from ..lesson import LiveTable
from .answer import Answer
from .exercise import SQL, Exercise
from .learners_table import LearnersTable
from .verdict import Checked, Verdict

_BEFORE = [(1, "a"), (2, "b"), (3, "c")]


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, value STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')")
    table.sql("INSERT INTO {table} VALUES (1, 'a'), (2, 'b'), (3, 'c')")


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    rows = [tuple(row) for row in table.rows("SELECT id, value FROM {table} ORDER BY id, value")]
    pictures = [table.opened.commit(commit.snapshot_id, rows=True) for commit in table.new]
    told = [picture.facts.rows for picture in pictures]
    carried = sum(one.totals.carried_over for one in told if one)
    read = [value for key, value in rows if key == 3]
    others = [row for row in rows if row[0] != 3]
    checked = (
        Checked(f"row 3 reads {' and '.join(read) or 'nothing: it is gone'}; aim: d", holds=read == ["d"]),
        Checked(f"the other rows: {', '.join(f'{key} {value}' for key, value in others)}", holds=others == _BEFORE[:2]),
        Checked(f"your commits: {len(pictures)}; aim: one", holds=len(pictures) == 1),
        Checked(f"rows carried over: {carried}; aim: none", holds=carried == 0),
    )
    removed = sum(commit.count("deleted-data-files") or 0 for commit in table.new)
    if carried:
        why = f"A commit that removes a file writes every row of it again that shall stay: here {carried}."
    elif removed:
        why = "The file was removed, and no row of it had to be written again."
    else:
        why = (
            "The old row is masked by its position, and only the new one was written: the file stays, and its other "
            "rows keep their owner. The price: whoever reads that file reads the deletes too."
        )
    if not carried and len(pictures) > 1:
        why = "Between your commits a reader sees the table without row 3."
    return Verdict(
        (f"{formats.count(carried, 'row')} carried over" if carried else "no row was carried over")
        + (f", in {len(pictures)} commits" if len(pictures) > 1 else ""),
        checked,
        table.told(table.new[-1]),
        why,
        pictures[-1],
    )


EXERCISE = Exercise(
    name="no-carry-over",
    kind="do",
    notebook="01_ownership",
    title="Change one row, carry nothing over",
    task=(
        "The table `{table}` holds three rows in one file. An `UPDATE` of row 3 would write the whole file again, and "
        "rows 1 and 2 would get a new owner though nobody changed them.\n\n"
        "**Change the value of row 3 to `d`, in one commit that carries no other row over.**"
    ),
    fields=(SQL,),
    hints=(
        "Whether a commit copies a file or marks its rows is a property of the table: there is one for each of "
        "`DELETE`, `UPDATE` and `MERGE`.",
        "The property is `write.update.mode` for an `UPDATE`, `write.merge.mode` for a `MERGE`. Its value, unless it "
        "is set, is `copy-on-write`.",
        "`ALTER TABLE {table} SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read')`, then the `UPDATE`.",
    ),
    build=_build,
    check=_check,
    solution=(
        "ALTER TABLE {table} SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read');\n"
        "UPDATE {table} SET value = 'd' WHERE id = 3;"
    ),
)
