"""The sandbox: live tables, each with a story. The only code of the house that writes a table.

To add a story, add a module to `stories/` with one `LESSON` and put its name into `registry.py`.
"""

from __future__ import annotations

from .lesson import Lesson, LiveTable
from .registry import LESSONS, lessons
from .sandbox import Built, Shelved, Step, build_sandbox, sandbox_tables

__all__ = ["LESSONS", "Built", "Lesson", "LiveTable", "Shelved", "Step", "build_sandbox", "lessons", "sandbox_tables"]
