"""Times in a condition, as Spark reads them: texts and typed literals, made the texts that PyIceberg takes.

A text without an offset is a time of the session's zone where the column has one. Sources: Spark SQL, "Datetime
literals" and "Type coercion" of a comparison of a time with a text; Iceberg specification, "Primitive Types".
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

_TYPED = re.compile(r"\b(?:DATE|TIMESTAMP)\s*('[^']*')", re.IGNORECASE)
_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?))?(Z?)")
KINDS = ("timestamp", "timestamptz")


def untyped(condition: str) -> tuple[str, frozenset[str]]:
    """The condition with `DATE '…'` and `TIMESTAMP '…'` as texts, and these texts: a column of texts reads them so not.

    A text with such a word in it is told apart by nobody here: then the condition is as it was.
    """
    found = frozenset(match[1][1:-1] for match in _TYPED.finditer(condition))
    if any(_TYPED.search(f"{inner}'") or "'" in inner for inner in found):
        return condition, frozenset()
    return _TYPED.sub(r"\1", condition), found


def with_times(expression: Any, schema: Any, zone: str) -> Any:
    """The expression with texts that are compared with a time as PyIceberg writes them.

    Args:
        expression: as PyIceberg parsed it.
        schema: PyIceberg's, of the columns that it names.
        zone: of the session.
    """
    from pyiceberg.expressions import And, Not, Or
    from pyiceberg.expressions.literals import StringLiteral

    match type(expression).__name__:
        case "And" | "Or" as how:
            parts = (with_times(part, schema, zone) for part in (expression.left, expression.right))
            return (And if how == "And" else Or)(*parts)
        case "Not":
            return Not(with_times(expression.child, schema, zone))
    literal, term = getattr(expression, "literal", None), getattr(expression, "term", None)
    if not isinstance(literal, StringLiteral) or term is None:
        return expression
    kinds = {str(field.field_type) for field in schema.fields if field.name.lower() == term.name.lower()}
    kind = next(iter(kinds)) if len(kinds) == 1 else ""
    told = _told(literal.value, kind, zone) if kind in KINDS else None
    return expression if told is None else type(expression)(term, StringLiteral(told))


def is_told(literal: str) -> bool:
    """Whether a text is a time as `with_times` writes it."""
    return "T" in literal and _TIME.fullmatch(literal.removesuffix("+00:00")) is not None


def _told(text: str, kind: str, zone: str) -> str | None:
    """`2026-03-13T00:00:00`, in UTC and with its offset where the type has one; None if it may be read in two ways."""
    match = _TIME.fullmatch(text)
    if match is None or (match[3] and kind == "timestamp"):
        return None
    try:
        at = datetime.fromisoformat(f"{match[1]}T{match[2] or '00:00:00'}")
        if kind == "timestamp":
            return at.isoformat()
        # Of an hour that is there twice Java and Python take the first, and of one that is not there what follows.
        return at.replace(tzinfo=UTC if match[3] else ZoneInfo(zone)).astimezone(UTC).isoformat()
    except (ValueError, OSError, KeyError):  # no such day, no such zone
        return None
