"""Exercises: a question about a live table of the learner's own, and a check that reads that table.

To add one, add a module with an `EXERCISE` and put its name into `registry.py`.
"""

from __future__ import annotations

from .attempt import Attempt, Seen
from .exercise import Exercise
from .registry import EXERCISES, NOTEBOOKS, named, remove_tables
from .verdict import Verdict

__all__ = ["EXERCISES", "NOTEBOOKS", "Attempt", "Exercise", "Seen", "Verdict", "named", "remove_tables"]
