"""Do: compact a table without letting a deleted row return."""

from __future__ import annotations

from ...model import formats
from ..lesson import LiveTable
from ..stories.equality_deletes import delete_equal
from .answer import Answer
from .exercise import SQL, Exercise
from .learners_table import LearnersTable
from .verdict import Checked, Verdict


def _build(table: LiveTable) -> None:
    table.sql(
        "CREATE TABLE {table} (id BIGINT, name STRING) USING iceberg "
        "TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')"
    )
    table.sql("INSERT INTO {table} VALUES (1, 'Ada'), (2, 'Ben'), (3, 'Cleo')")
    table.sql("INSERT INTO {table} VALUES (4, 'Dan'), (5, 'Eve')")
    table.sql("INSERT INTO {table} VALUES (6, 'Fay'), (7, 'Gus')")
    delete_equal(table.spark, table.name, table.spark.range(2, 3, numPartitions=1), statistics=True)
    table.sql("DELETE FROM {table} WHERE id = 4")


def _check(table: LearnersTable, _answer: Answer) -> Verdict:
    def names(snapshot_id: int) -> list[str]:
        return table.values("SELECT name FROM {table} VERSION AS OF {id} ORDER BY name", id=snapshot_id)

    before, after = names(table.start.snapshot_id), names(table.head.snapshot_id)
    back, lost = sorted(set(after) - set(before)), sorted(set(before) - set(after))
    picture = table.opened.deletes()
    files, deletes = picture.facts.data_file_count, picture.facts.delete_count
    others = sorted({one.operation or "?" for one in table.new if one.operation != "replace"})
    checked = (
        Checked(f"live data files: {files}; aim: one", holds=files == 1),
        Checked(f"live delete files: {deletes}; aim: none", holds=deletes == 0),
        Checked(f"rows that came back: {', '.join(back) or 'none'}", holds=not back),
        Checked(f"rows that were lost: {', '.join(lost) or 'none'}", holds=not lost),
        Checked(
            f"your commits: {', '.join(sorted(one.operation or '?' for one in table.new))}; aim: replace, "
            "which changes no row",
            holds=not others,
        ),
    )
    return Verdict(
        f"{formats.count(files, 'data file')}, {formats.count(deletes, 'live delete')}"
        + (f", and {' and '.join(back)} came back" if back else ""),
        checked,
        table.told(table.head),
        _why(back, others, files, deletes),
        picture,
    )


def _why(back: list[str], others: list[str], files: int, deletes: int) -> str:
    if back:
        return (
            f"{' and '.join(back)} had been deleted by a delete file, and what you wrote holds the row anew, with a "
            "number that no delete reaches."
        )
    if others:
        return (
            f"A commit of the operation {others[0]} says to every reader of changes that rows went or came. A "
            "compaction is a replace: it moves rows and changes none, and Iceberg refuses it if a delete came in "
            "between."
        )
    if files > 1:
        return "Nothing was put together: with few small files the procedure finds nothing worth its while unless told."
    if deletes:
        return (
            "The rows are in one file, without those that were deleted. Left from before: "
            f"{formats.count(deletes, 'delete file')} with nothing to do, and every reader still plans with it."
        )
    return (
        "A compaction copies only the rows that live; what was masked stays behind, and then the deletes have "
        "nothing to do."
    )


EXERCISE = Exercise(
    name="compact-no-return",
    kind="do",
    notebook="04_compaction",
    title="Compact it, and let no deleted row return",
    task=(
        "`{table}` has three small data files; Ben was deleted by an equality delete, Dan by a position delete.\n\n"
        "**Put it into one data file with no delete file left.** Nobody may come back, nobody may be lost, and nobody "
        "who reads changes may see any: compact it, do not write it anew."
    ),
    fields=(SQL,),
    hints=(
        "Iceberg has a procedure for this: `CALL sandbox.system.rewrite_data_files(table => '{short}')`. It takes "
        "options, too.",
        "`CALL sandbox.system.rewrite_data_files(table => '{short}', options => map('rewrite-all', 'true'))` takes "
        "every file, however few there are. And the deletes?",
        "Deletes that reach nothing go with a further option, `'remove-dangling-deletes', 'true'`.",
    ),
    build=_build,
    check=_check,
    solution=(
        "CALL sandbox.system.rewrite_data_files(\n  table   => '{short}',\n"
        "  options => map('rewrite-all', 'true', 'remove-dangling-deletes', 'true')\n);"
    ),
)
