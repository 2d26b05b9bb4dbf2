"""The statement that would run a procedure, ready to paste: it is shown, and never run here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from ...model.dry_run.facts import Argument, Call
from .. import identifiers
from ..files.locate import Located


def statement(located: Located, call: Call) -> str:
    """`CALL lake.system.rollback_to_snapshot(…)`; empty for a table that was opened by its file, which has no name."""
    if located.relation is None:
        return ""
    catalog, *rest = identifiers.split(located.relation)
    arguments = {"table": identifiers.text(identifiers.quoted(rest))} | {
        name: _literal(value) for name, value in call.arguments.items()
    }
    lines = ",\n".join(f"  {name} => {value}" for name, value in arguments.items())
    return f"CALL {identifiers.quoted([catalog])}.system.{call.procedure}(\n{lines}\n)"


def _literal(value: Argument) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int():
            return f"{value}L" if abs(value) > 2**31 - 1 else str(value)
        case str():
            return identifiers.text(value)
        case datetime():
            at = value.astimezone(UTC)
            return f"TIMESTAMP '{at:%Y-%m-%d %H:%M:%S}.{at.microsecond:06d}Z'"
        case Mapping():
            pairs = ", ".join(identifiers.text(part) for pair in value.items() for part in pair)
            return f"map({pairs})"
        case _:
            items = (identifiers.text(one) if isinstance(one, str) else f"{one}L" for one in value)
            return f"array({', '.join(items)})"
