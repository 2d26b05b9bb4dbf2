"""What an exercise is: a question, a table of its own, hints, and a check."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..lesson import Lesson, LiveTable
from .answer import Answer, Field
from .learners_table import START, LearnersTable
from .statements import run_sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from .verdict import Verdict

Kind = Literal["predict", "do", "find"]

ROWS_BY_FILE = """
SELECT   *,
         substring_index(substring_index(_file, '/', -1), '-', 2) AS file
FROM     {table}
ORDER BY file, 1
"""

ON_MAIN = "Its snapshots; `on_main` tells whether main leads to it."


def snapshots_with(column: str) -> str:
    """A query of all snapshots, with one more column of theirs, in SQL."""
    return _SNAPSHOTS.replace("COLUMN", column)


_SNAPSHOTS = """
SELECT    s.committed_at, s.snapshot_id, s.parent_id, s.COLUMN, h.is_current_ancestor AS on_main
FROM      {table}.snapshots s
LEFT JOIN (SELECT DISTINCT snapshot_id, is_current_ancestor FROM {table}.history) h ON h.snapshot_id = s.snapshot_id
ORDER BY  s.committed_at
"""

SQL = Field("sql", "Your SQL", "lines")


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """An exercise.

    Args:
        name: by which it is opened.
        kind: `predict` what a statement will do, `do` something to the table, `find` something in it.
        notebook: name of the notebook after one of whose sections it stands, without ending.
        title: a few words.
        task: what to do; `code` in backquotes, `{table}` stands for the table's name, empty lines part paragraphs.
        fields: of the answer.
        hints: up to three, from a nudge to nearly all.
        build: writes the table.
        check: reads the table after the answer was carried out, and says what is so.
        solution: of `do`, an answer that is accepted; shown after the last hint.
        statement: of `predict`, what will run; of `find`, what is asked about; in the variant of that number.
        run: carries the answer out.
        look: a query of what the learner should see of the table first.
        looked: a sentence about what it gives.
        variants: how many there are; a new table comes with the next one, so that a prediction stays one.
        anew: whether an answer that changes the table has it built anew first, if an earlier one changed it.
    """

    name: str
    kind: Kind
    notebook: str
    title: str
    task: str
    fields: tuple[Field, ...]
    hints: tuple[str, ...]
    build: Callable[[LiveTable], None]
    check: Callable[[LearnersTable, Answer], Verdict]
    solution: str = ""
    statement: Callable[[int], str] | None = None
    run: Callable[[LiveTable, Answer, int], None] = run_sql
    look: str = ROWS_BY_FILE
    looked: str = "Its rows. `file` is how the name begins of the data file in which a row lies."
    variants: int = 1
    anew: bool = True

    @property
    def table(self) -> str:
        """The table's name below the sandbox catalog."""
        return f"course.{self.name.replace('-', '_')}"

    @property
    def own_sql(self) -> bool:
        """Whether the learner may as well change the table by SQL elsewhere, and then have it checked."""
        return self.kind == "do" and self.run is run_sql

    @property
    def lesson(self) -> Lesson:
        """Its table as a lesson of the sandbox, which the tag `start` marks as the learner got it."""

        @functools.wraps(self.build)  # the lesson's version is told by the module of the build
        def build(table: LiveTable) -> None:
            self.build(table)
            table.sql("ALTER TABLE {table} CREATE TAG {start}", start=START)

        return Lesson(self.table, self.title, self.task, build)
