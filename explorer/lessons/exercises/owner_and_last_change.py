"""Find: the commit that owns a row, and the one that changed it last. Articles take one for the other."""

from __future__ import annotations

from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, found_out

_ROWS = (1, 2, 4)  # asked about, by variant
_ASKED = tuple(f"id = {row}" for row in _ROWS)


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, value STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')")
    table.sql("INSERT INTO {table} VALUES (1, 'a'), (2, 'b'), (3, 'c')")
    table.sql("UPDATE {table} SET value = 'z' WHERE id = 2")
    table.sql("CALL {system}.rewrite_data_files(table => '{table}', options => map('rewrite-all', 'true'))")
    table.sql("INSERT INTO {table} VALUES (4, 'd')")


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    row = _ROWS[table.variant]
    [(owner, data_number, changed)] = table.rows(
        "SELECT e.file_sequence_number, e.sequence_number, r._last_updated_sequence_number "
        "FROM (SELECT *, _file, _last_updated_sequence_number FROM {table}) r "
        "JOIN {table}.entries e ON e.data_file.file_path = r._file AND e.status < 2 WHERE r.id = {row}",
        row=row,
    )
    guess, said = answer.number("owner"), answer.number("changed")
    right = [guess == owner, said == changed]
    return Verdict(
        f"commit {owner} owns row {row}, and commit {changed} changed it last"
        if all(right)
        else f"{sum(right)} of 2 are right",
        (found_out("owner", guess, right=right[0]), found_out("last change", said, right=right[1])),
        f"row {row} of {table.name}",
        _why_last(said, changed, owner) if right[0] else _why_owner(table, guess, data_number, changed),
        table.opened.changelog(mode="ownership") if all(right) else None,
    )


def _why_owner(table: LearnersTable, guess: int, data_number: int, changed: int) -> str:
    if guess == data_number:
        return (
            f"{guess} is the data sequence number of the row's file, which says how old its rows are for deletes: the "
            "compaction that added the file kept it. Which commit is the compaction?"
        )
    if guess == changed:
        return f"Commit {guess} wrote this value, but into a file that is gone by now."
    if guess not in {one.sequence_number for one in table.opened.metadata.snapshots}:
        return f"There is no commit {guess}: sequence numbers begin with 1, and only ordinals with 0."
    return f"Commit {guess} added no file in which the row lies now."


def _why_last(said: int, changed: int, owner: int) -> str:
    if said != changed:
        if said == owner:
            return f"Commit {said} wrote the row into its file as it was before: was it changed then?"
        return f"The row keeps the number of its last change wherever it is copied to, and that is not {said}."
    if owner != changed:
        return "Nobody changed the row in between: it was copied."
    return "It lies in the file into which it was written first."


_LOOK = """
SELECT   row_number() OVER (ORDER BY committed_at) AS number,
         operation,
         summary['added-records'] AS added_rows,
         summary['deleted-records'] AS removed_rows
FROM     {table}.snapshots
ORDER BY number
"""

EXERCISE = Exercise(
    name="owner-and-last-change",
    kind="find",
    notebook="01_ownership",
    title="Who owns it, who changed it last?",
    task=(
        "The rows of `{table}` were inserted, one was updated, the files were compacted, and one row came after. Query "
        "it as much as you like, in a cell of your own or with `explorer.open`.\n\n"
        "**For the row below: which commit owns it, and which commit changed it last?** Name commits by their "
        "numbers."
    ),
    fields=(
        Field("owner", "Its owner: the commit of number", "number"),
        Field("changed", "Its last change: by the commit of number", "number"),
    ),
    hints=(
        "The owner is the commit that added the file in which the row lies. `_file` is the file of each row.",
        "`{table}.entries` has `file_sequence_number`, the number of the commit that added each file. Join its "
        "`data_file.file_path` to `_file`, as the query of owners in the notebook does.",
        "`SELECT *, _last_updated_sequence_number FROM {table}` has the last change of each row.",
    ),
    build=_build,
    check=_check,
    statement=lambda variant: _ASKED[variant],
    look=_LOOK,
    looked=(
        "What was done to it, commit by commit. The number is the sequence number, of which 02_inheritance tells more."
    ),
    variants=len(_ROWS),
)
