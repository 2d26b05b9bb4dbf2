"""A learner's SQL, statement by statement."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...engine.logging import in_one_line
from .answer import Refused

if TYPE_CHECKING:
    from ..lesson import LiveTable
    from .answer import Answer

# Quoted text and comments, in which a semicolon ends nothing; or what is neither.
_PIECE = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|;|[^;'\"`/-]+|.", re.DOTALL)
_JAVA_CLASS = re.compile(r"^(?:[a-z]\w*\.)+[A-Z]\w*: ")


def statements(sql: str) -> list[str]:
    """The statements of a text, with their comments, which may be hints; a comment alone is none."""
    found, says_something = [""], [False]
    for piece in _PIECE.findall(sql):
        if piece == ";":
            found.append("")
            says_something.append(False)
        else:
            found[-1] += piece
            says_something[-1] |= bool(piece.strip()) and not piece.startswith(("--", "/*"))
    return [text.strip() for text, says in zip(found, says_something, strict=True) if says]


def run_sql(table: LiveTable, answer: Answer, _variant: int) -> None:
    """Run the statements of the answer's field `sql`, one after the other.

    Raises:
        Refused: Spark refused one; those before it did run.
    """
    listed = statements(answer.text("sql"))
    for number, statement in enumerate(listed, 1):
        try:
            table.spark.sql(statement)  # a command runs at once, and what a query gives nobody looks at
        except Exception as refusal:  # of the parser, the analyser, Iceberg or a task: each has its own
            which = "your statement" if len(listed) == 1 else f"statement {number} of {len(listed)}"
            raise Refused(f"Spark refused {which}: {_JAVA_CLASS.sub('', in_one_line(refusal))}") from refusal
