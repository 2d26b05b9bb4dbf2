"""Predict: a table of version 1 loses a row, and its key is used again. Articles say, the delete hits the new one."""

from __future__ import annotations

from dataclasses import dataclass

from ...model import formats
from ...model.words import account
from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, guessed


@dataclass(frozen=True, slots=True)
class _Variant:
    """Which rows are deleted, and to whom one of their keys is given then."""

    deleted: str
    key: int
    name: str


_VARIANTS = (_Variant("id = 12345", 12345, "Bob"), _Variant("id < 70000", 67890, "Caroline"))


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id BIGINT, name STRING) USING iceberg TBLPROPERTIES ('format-version' = '1')")
    table.sql("INSERT INTO {table} VALUES (12345, 'Alice'), (23456, 'Dan'), (67890, 'Carol')")
    table.sql("INSERT INTO {table} VALUES (78901, 'Eve')")


def _statement(variant: int) -> str:
    of = _VARIANTS[variant]
    return f"DELETE FROM {{table}} WHERE {of.deleted};\nINSERT INTO {{table}} VALUES ({of.key}, '{of.name}')"  # noqa: S608


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    of, deleting = _VARIANTS[table.variant], table.new[0]
    deletes = len(table.rows("SELECT file_path FROM {table}.delete_files"))
    copied = deleting.count("added-records") or 0
    seen = "yes" if of.name in table.values("SELECT name FROM {table} WHERE id = {key}", key=of.key) else "no"
    numbers = table.values("SELECT DISTINCT sequence_number FROM {table}.entries WHERE status < 2 ORDER BY 1")
    if copied:
        why = f"A delete in version 1 is a copy: the file went, and the {formats.count(copied, 'row')} of it that stay "
        why += "stand in a new one."
    else:
        why = "All rows of the file were to go, so it was taken out of the table, and nothing was written."
    if not deletes:
        why += (
            f" No delete file is left that could hit {of.name}. A reader could not even compare ages: the data sequence"
            f" number of every live file reads {' or '.join(map(str, numbers))}."
        )
    return Verdict(
        f"{formats.count(deletes, 'delete file')}, {formats.count(copied, 'row')} written again, and {of.name} is "
        f"{'there' if seen == 'yes' else 'gone'}",
        (
            guessed("live delete files", answer.number("deletes"), deletes),
            guessed("rows that the DELETE writes again", answer.number("copied"), copied),
            guessed(f"a reader sees {of.name}", answer.text("seen"), seen),
        ),
        f"The DELETE. {account(deleting)}",
        why,
        table.opened.commit(deleting.snapshot_id, rows=True),
    )


EXERCISE = Exercise(
    name="deletes-of-version-1",
    kind="predict",
    notebook="03_delete_scope",
    title="A delete in a table of version 1",
    task=(
        "`{table}` has format version 1, which knows no sequence numbers. A row is deleted, and then its key is given "
        "to somebody else.\n\n"
        "**Before the statements run: how many delete files will the table have, how many rows will the `DELETE` write "
        "again, and will a reader see who got the key?**"
    ),
    fields=(
        Field("deletes", "Live delete files", "number"),
        Field("copied", "Rows written again", "number"),
        Field("seen", "A reader sees the new row", "choice", ("yes", "no")),
    ),
    hints=(
        "Delete files came with version 2. How can a row leave a file without one?",
        "The table below says which rows lie in one file with a row that goes. What stays of them must be somewhere.",
    ),
    build=_build,
    check=_check,
    statement=_statement,
    variants=len(_VARIANTS),
)
