"""A picture as a document that leaves the notebook: JSON or CSV. `web_page` has the HTML file."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.evidence import Note
from ..model.printable import printable
from .shown import Asked, Shown

if TYPE_CHECKING:
    import pandas as pd


def to_json(table: Asked, picture: Shown, limit: int | None = None) -> str:
    """One JSON document: table, title, notes, SQL and rows, in the order of the picture's data.

    Ids are strings, times ISO 8601 in UTC, what is missing is null. Nothing is lost, and no character in it can steer a
    terminal: what is not visible is written by its number, as JSON allows.

    Args:
        table: the table asked.
        picture: its answer.
        limit: only so many rows, those that come first (`Picture.first`); None for all. A note says so.
    """
    data = picture.shown(limit)
    document = {
        "table": table.name,
        "picture": picture.name,
        "title": picture.title,
        "metadata_file": table.metadata_location,
        "format_version": table.metadata.format_version,
        "read_at": _value(table.read_at),
        "notes": [
            {"certainty": note.certainty, "about": note.about, "reason": note.reason}
            for note in [*picture.notes, *left_out(picture, data)]
        ],
        "sql": picture.sql,
        "rows": rows_of(data),
    }
    text = json.dumps(document, ensure_ascii=False, indent=1)
    # Outside of its strings JSON is visible characters and line breaks, so this changes how a string is spelt only.
    return re.sub(r"[^\n]", lambda sign: sign[0] if sign[0].isprintable() else json.dumps(sign[0])[1:-1], text)


def to_csv(picture: Shown, limit: int | None = None) -> str:
    """The picture's data as CSV with a header: a missing value is empty, a list is JSON, a time is ISO 8601 in UTC.

    A control character in a name or path becomes `�`, since CSV has no way to spell it; the JSON keeps it. Text, also a
    column's name, that a spreadsheet would run as a formula gets a `'` before it; a number stays one, `-5` as well as
    an id that is text here. Source: OWASP, CSV Injection.
    """
    data = picture.shown(limit)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_no_formula(cell_of(str(name))) for name in data.columns])
    writer.writerows([_no_formula(cell_of(value)) for value in row.values()] for row in rows_of(data))
    return text.getvalue()


def left_out(picture: Shown, shown: pd.DataFrame) -> list[Note]:
    """A note on how many rows are not shown, if any are not."""
    if len(shown) == len(picture.data):
        return []
    which = "newest" if picture.first == "bottom" else "first"
    about = f"Rows show the {which} {len(shown):,} of {len(picture.data):,}"
    return [Note("exact", about, "A .csv or .json of it has more.")]


def rows_of(data: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON can hold them."""
    columns = {str(name): [_value(value) for value in data[name]] for name in data.columns}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _value(value: Any) -> Any:
    """A cell as JSON can hold it; a value of the table's own columns may be of any type."""
    match value:
        case None | bool() | str():
            return value
        case list() | tuple() | np.ndarray():
            return [_value(item) for item in value]
        case dict():
            return {str(key): _value(item) for key, item in value.items()}
        case bytes() | bytearray():
            return "0x" + value.hex()
        case float() if not math.isfinite(value):
            return str(value)
    import pandas as pd

    if pd.isna(value):
        return None
    match value:
        case datetime() if value.tzinfo is not None:
            return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        case date() | time():
            return value.isoformat()
        case np.generic():
            return _value(value.item())
        case int() | float():
            return value
    return str(value)


def cell_of(value: Any) -> str:
    """A value of such a row as text."""
    if value is None:
        return ""
    return printable(json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))


# Line breaks and tabs are formulas too, but no cell has one: see `printable`. The wide signs are those of East Asia.
_FORMULA = re.compile(r"[=+\-@＝＋－＠]")
_NEGATIVE = re.compile(r"-(?:inf|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")


def _no_formula(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) and not _NEGATIVE.fullmatch(cell) else cell
