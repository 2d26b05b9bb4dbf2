"""The sandbox: live tables, each with a story. The only code of the house that writes a table.

To add a story, add a module with one `LESSON` and put its name into `shelf.py`.
"""

from __future__ import annotations

from explorer.lessons.lesson import Lesson
from explorer.lessons.sandbox import Built, Shelved, Step, build_sandbox, sandbox_tables
from explorer.lessons.shelf import LESSONS

__all__ = ["LESSONS", "Built", "Lesson", "Shelved", "Step", "build_sandbox", "sandbox_tables"]
