"""Do: make a delete dangle."""

from __future__ import annotations

from ...model import formats
from ...model.deletes.facts import Deletes
from ..lesson import LiveTable
from .answer import Answer
from .exercise import SQL, Exercise
from .learners_table import LearnersTable
from .verdict import Checked, Verdict


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, name STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Cleo')")
    table.sql("INSERT INTO {table} VALUES (4, 'Dan'), (5, 'Eve')")


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    picture = table.opened.deletes()
    facts = picture.facts
    dangling = facts.states.get("dangling", 0)
    rows = table.rows("SELECT count(*) AS n FROM {table}")[0].n
    checked = (
        Checked(f"live deletes: {facts.delete_count}; aim: at least one", holds=facts.delete_count > 0),
        Checked(f"deletes that reach no live data file: {dangling}; aim: at least one", holds=dangling > 0),
        Checked(f"rows that a reader sees: {rows}; aim: at least one", holds=rows > 0),
    )
    live = formats.count(facts.delete_count, "live delete")
    return Verdict(
        f"{live}, {dangling or 'none'} of them dangling" if facts.delete_count else "no delete is live",
        checked,
        table.told(table.head),
        _why(table, facts, dangling),
        picture,
    )


def _why(table: LearnersTable, facts: Deletes, dangling: int) -> str:
    def sum_of(counter: str) -> int:
        return sum(one.count(counter) or 0 for one in table.new)

    if dangling:
        one = next(delete for delete in facts.deletes if delete.state == "dangling")
        return f"The delete {one.reason}. It does no harm, but every reader plans with it until it is removed."
    if facts.delete_count:
        return (
            f"What you deleted is masked in {formats.count(facts.reached_pairs, 'data file')}: the delete has "
            "something to do. What would take the data away from under it?"
        )
    if sum_of("added-delete-files"):
        return (
            "You wrote a delete file, and it is gone again: a commit that replaces all that there was, or that cleans "
            "up, takes deletes away too."
        )
    if added := sum_of("added-data-files"):
        return (
            f"Your commits wrote {formats.count(added, 'data file')} and no delete file: unless a table says "
            "otherwise, a `DELETE` writes the rows that stay anew (copy-on-write)."
        )
    return "All rows of a file were deleted, so the file itself was removed. That needs no delete file."


EXERCISE = Exercise(
    name="dangling-delete",
    kind="do",
    notebook="03_delete_scope",
    title="Make a delete dangle",
    task=(
        "`{table}` has five rows in two files and no delete.\n\n"
        "**Bring it, by SQL, into a state in which a live delete file reaches no live data file**, and a reader still "
        "sees rows."
    ),
    fields=(SQL,),
    hints=(
        "It takes two steps: write a delete file, then take away the data file that it reaches.",
        "A `DELETE` of some rows of a file writes a delete file after `ALTER TABLE {table} SET TBLPROPERTIES "
        "('write.delete.mode' = 'merge-on-read')`. What writes data files anew and leaves deletes alone?",
        "A compaction: `CALL sandbox.system.rewrite_data_files(table => '{short}', options => map('rewrite-all', "
        "'true'))`",
    ),
    build=_build,
    check=_check,
    solution=(
        "ALTER TABLE {table} SET TBLPROPERTIES ('write.delete.mode' = 'merge-on-read');\nDELETE FROM {table} WHERE "
        "id = 2;\nCALL sandbox.system.rewrite_data_files(table => '{short}', options => map('rewrite-all', 'true'));"
    ),
)
