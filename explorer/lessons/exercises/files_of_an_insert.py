"""Predict: how many files an INSERT makes. Articles say, one for each row."""

from __future__ import annotations

from ...model import formats
from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, guessed

_ROWS = 6
_TASKS = (2, 3, 1)  # that write, by variant


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, value STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')")
    table.sql("INSERT INTO {table} VALUES (1, 'a'), (2, 'b')")


def _statement(variant: int) -> str:
    return (
        f"INSERT INTO {{table}}\nSELECT /*+ REPARTITION({_TASKS[variant]}) */ CAST(id AS INT), 'new'\n"
        f"FROM   range(11, {11 + _ROWS})"
    )


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    picture = table.opened.commit(table.head.snapshot_id)
    files = table.head.count("added-data-files") or 0
    rows, guess = table.head.count("added-records") or 0, answer.number("files")
    said = ""
    if guess == rows != files:
        said = " One for each row would be yours."
    elif guess == 1 != files:
        said = " One for the statement would be yours."
    elif guess == 0:
        said = " Without a file there is nowhere for a row to be."
    why = (
        f"{formats.count(rows, 'row')} went to {formats.count(files, 'write task')}, and each task that has a row "
        f"writes a file.{said}"
    )
    return Verdict(
        f"{formats.count(rows, 'row')} made {formats.count(files, 'file')}",
        (guessed("data files added", guess, files),),
        table.told(table.head),
        why,
        picture,
    )


EXERCISE = Exercise(
    name="files-of-an-insert",
    kind="predict",
    notebook="01_ownership",
    title="How many files does an INSERT make?",
    task=(
        "The statement below will add six rows to `{table}`. `REPARTITION(n)` has Spark write with n tasks.\n\n"
        "**Before it runs: how many data files will its commit add?**"
    ),
    fields=(Field("files", "Data files added", "number"),),
    hints=(
        "A row does not get a file of its own, and a statement does not either. What writes files?",
        "Each write task writes its rows into a file.",
    ),
    build=_build,
    check=_check,
    statement=_statement,
    variants=len(_TASKS),
)
