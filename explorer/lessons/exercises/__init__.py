"""Exercises: a question about a live table of the learner's own, and a check that reads that table.

To add one, add a module with an `EXERCISE` and put its name into `registry.py`.
"""

from __future__ import annotations

from .answer import Answer, Field
from .attempt import Attempt, Seen
from .exercise import SQL, Exercise
from .learners_table import LearnersTable
from .registry import EXERCISES, NOTEBOOKS, exercises, named, notebooks, remove_tables
from .verdict import Checked, Verdict

__all__ = [
    "EXERCISES",
    "NOTEBOOKS",
    "SQL",
    "Answer",
    "Attempt",
    "Checked",
    "Exercise",
    "Field",
    "LearnersTable",
    "Seen",
    "Verdict",
    "exercises",
    "named",
    "notebooks",
    "remove_tables",
]
