"""Predict: which files a copy-on-write UPDATE rewrites, and how many rows it carries over."""

from __future__ import annotations

from ...model import formats
from ...model.commit.rows import Outcomes
from ..lesson import LiveTable
from .answer import Answer, Field
from .exercise import Exercise
from .learners_table import LearnersTable
from .verdict import Verdict, guessed

_STATEMENTS = (
    "UPDATE {table} SET status = 'paid' WHERE id IN (2, 7)",
    "UPDATE {table} SET status = 'paid' WHERE id BETWEEN 3 AND 8",
    "UPDATE {table} SET status = 'paid' WHERE id = 10",
)


def _build(table: LiveTable) -> None:
    table.sql("CREATE TABLE {table} (id INT, status STRING) USING iceberg TBLPROPERTIES ('format-version' = '3')")
    for first in (1, 5, 9):
        table.sql(
            "INSERT INTO {table} SELECT /*+ COALESCE(1) */ CAST(id AS INT), 'open' FROM range({first}, {end})",
            first=first,
            end=first + 4,
        )


def _check(table: LearnersTable, answer: Answer) -> Verdict:
    picture = table.opened.commit(table.head.snapshot_id, rows=True)
    told = picture.facts.rows
    removed, totals = table.head.count("deleted-data-files") or 0, told.totals if told else Outcomes()
    held = totals.carried_over + totals.updated
    why = (
        f"{formats.count(removed, 'file')} with {formats.count(held, 'row')} had a row that matches. Copy-on-write "
        f"puts all rows of such files into new ones: {totals.updated} changed, {totals.carried_over} carried over."
    )
    return Verdict(
        f"{formats.count(removed, 'file')} replaced, {formats.count(totals.carried_over, 'row')} carried over",
        (
            guessed("files replaced", answer.number("files"), removed),
            guessed("rows carried over", answer.number("rows"), totals.carried_over),
        ),
        table.told(table.head),
        why,
        picture,
    )


EXERCISE = Exercise(
    name="what-an-update-rewrites",
    kind="predict",
    notebook="01_ownership",
    title="What will this UPDATE rewrite?",
    task=(
        "`{table}` has twelve rows in three files, and writes copy-on-write.\n\n"
        "**Before the statement runs: how many of these files will it replace, and how many rows that nobody changes "
        "will it carry over?**"
    ),
    fields=(
        Field("files", "Files replaced", "number"),
        Field("rows", "Rows carried over", "number"),
    ),
    hints=(
        "In which of the three files does a row match?",
        "Of a file with a match every row is written again, into however many new files; of the other files none.",
    ),
    build=_build,
    check=_check,
    statement=lambda variant: _STATEMENTS[variant],
    variants=len(_STATEMENTS),
)
