"""Find: the file whose two sequence numbers differ. Articles say, they do once later snapshots inherit a file."""

from __future__ import annotations

from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, found_out

_FILES = """
SELECT   DISTINCT
         substring_index(substring_index(r._file, '/', -1), '-', 2) AS file,
         e.sequence_number AS data,
         e.file_sequence_number AS of_file
FROM     (SELECT *, _file FROM {table}) r
JOIN     {table}.entries e ON e.data_file.file_path = r._file AND e.status < 2
"""


def _build(table: LiveTable) -> None:
    table.sql(
        "CREATE TABLE {table} (id INT, name STRING, region STRING) USING iceberg PARTITIONED BY (region) "
        "TBLPROPERTIES ('format-version' = '2')"
    )
    table.sql("INSERT INTO {table} VALUES (1, 'Ada', 'EU'), (2, 'Ben', 'EU')")
    table.sql("INSERT INTO {table} VALUES (3, 'Dan', 'US')")
    table.sql("INSERT INTO {table} VALUES (4, 'Eve', 'EU')")
    table.sql(
        "CALL {system}.rewrite_data_files(table => '{table}', where => \"region = 'EU'\", "
        "options => map('rewrite-all', 'true'))"
    )
    table.sql("INSERT INTO {table} VALUES (5, 'Fay', 'EU')")


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    numbers = {row.file: (row.data, row.of_file) for row in table.rows(_FILES)}
    differing = {file: number for file, number in numbers.items() if number[0] != number[1]}
    file, age = answer.text("file"), answer.number("age")
    right = [file in differing, age in {data for data, _ in differing.values()}]
    if file not in numbers:
        why = f"There is no file {file} among the live ones."
    elif not right[0]:
        why = (
            f"Both numbers of {file} are {numbers[file][0]}: neither has changed since the file was added, and neither "
            "ever will, however many snapshots list it."
        )
    elif not right[1]:
        why = (
            f"Commit {age} added the file. The rows in it are older."
            if age == differing[file][1]
            else f"{age} is neither of the numbers of {file}."
        )
    else:
        data, of_file = differing[file]
        why = (
            f"The compaction, number {of_file}, wrote the file and said that its rows are as old as the table was "
            f"when it started: {data}. Only a writer that gives the data sequence number itself makes the two differ."
        )
    return Verdict(
        f"the rows of {file} count as {age}, in a file of number {differing[file][1]}"
        if all(right)
        else f"{sum(right)} of 2 are right",
        (
            found_out("the file", file, right=right[0]),
            found_out("its data sequence number", age, right=right[1]),
        ),
        f"{table.name}, commit {table.head.sequence_number}",
        why,
        table.opened.sequence_timeline() if all(right) else None,
    )


EXERCISE = Exercise(
    name="older-than-its-file",
    kind="find",
    notebook="04_compaction",
    title="Which file is younger than what is in it?",
    task=(
        "`{table}` has files from inserts and one from a compaction.\n\n"
        "**Which live file was added by a later commit than its rows count as? And as which number do they count?**"
    ),
    fields=(
        Field("file", "The file", "text"),
        Field("age", "Its data sequence number", "number"),
    ),
    hints=(
        "Every file has two sequence numbers: the age of what is in it, and the commit that added the file.",
        "`{table}.entries` has both, `sequence_number` and `file_sequence_number`, and the path in "
        "`data_file.file_path`.",
        "`SELECT data_file.file_path, sequence_number FROM {table}.entries WHERE status < 2 AND sequence_number <> "
        "file_sequence_number`",
    ),
    build=_build,
    check=_check,
)
