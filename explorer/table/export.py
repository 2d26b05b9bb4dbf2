"""A picture as a document that leaves the notebook: JSON, CSV, or one HTML file."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from datetime import UTC, date, datetime, time
from typing import Any

import numpy as np
import pandas as pd
from plotly.offline import get_plotlyjs

from ..figures.page.theme import DARK, LIGHT
from ..model.evidence import Note
from ..model.printable import printable
from .shown import Asked, Shown

HTML_ROWS = 1_000


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
            for note in [*picture.notes, *_cut(picture, data)]
        ],
        "sql": picture.sql,
        "rows": _rows(data),
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
    writer.writerow([_no_formula(_cell(str(name))) for name in data.columns])
    writer.writerows([_no_formula(_cell(value)) for value in row.values()] for row in _rows(data))
    return text.getvalue()


def to_html(table: Asked, picture: Shown, limit: int | None = HTML_ROWS) -> str:
    """The picture, its notes, its SQL and its rows as one file that asks no other host for anything."""
    data = picture.shown(limit)
    figures = {theme.name: picture.draw(theme).to_json() for theme in (LIGHT, DARK)}
    rows = [[_cell(value) for value in row.values()] for row in _rows(data)]
    if picture.first == "bottom":
        rows.reverse()
    return _PAGE.format(
        title=html.escape(printable(f"{table.name}: {picture.title}")),
        table=html.escape(printable(table.name)),
        source=html.escape(printable(f"{table.metadata_location}, read {_value(table.read_at)}")),
        notes="".join(_note(note) for note in [*picture.notes, *_cut(picture, data)]),
        sql=html.escape(picture.sql),
        data_summary="Data, newest first" if picture.first == "bottom" else "Data",
        header="".join(f"<th>{html.escape(name)}</th>" for name in data.columns),
        rows="".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>\n" for row in rows),
        plotly=get_plotlyjs(),
        # plotly writes every <, > and / of a string as \uXXXX, so no text of the table can end the script.
        **figures,
    )


def _cut(picture: Shown, shown: pd.DataFrame) -> list[Note]:
    if len(shown) == len(picture.data):
        return []
    which = "newest" if picture.first == "bottom" else "first"
    about = f"Rows show the {which} {len(shown):,} of {len(picture.data):,}"
    return [Note("exact", about, "A .csv or .json of it has more.")]


def _rows(data: pd.DataFrame) -> list[dict[str, Any]]:
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


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return printable(json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value))


# Line breaks and tabs are formulas too, but no cell has one: see `printable`. The wide signs are those of East Asia.
_FORMULA = re.compile(r"[=+\-@＝＋－＠]")
_NEGATIVE = re.compile(r"-(?:inf|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")


def _no_formula(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) and not _NEGATIVE.fullmatch(cell) else cell


def _note(note: Note) -> str:
    about, reason = (html.escape(printable(text)) for text in (note.about, note.reason))
    return f"<li><b>{note.certainty}</b>: {about}. {reason}</li>"


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
:root {{ --page: #FFFFFF; --ink: #1B1F24; --quiet: #57606A; --line: #E6E8EB; --panel: #F6F7F9 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --page: #111111; --ink: #E8EAED; --quiet: #AEB5BD; --line: #2A2D31; --panel: #1B1D20 }}
}}
body {{ margin: 24px; background: var(--page); color: var(--ink); font: 14px/1.45 system-ui, sans-serif }}
h1 {{ font-size: 17px }}
.quiet {{ color: var(--quiet); overflow-wrap: anywhere }}
pre, .rows {{ overflow: auto; background: var(--panel) }}
pre {{ padding: 12px }}
#picture {{ overflow-x: auto }}
.rows {{ max-height: 70vh }}
table {{ border-collapse: collapse; font: 12px ui-monospace, monospace; white-space: nowrap }}
th, td {{ padding: 3px 8px; border-bottom: 1px solid var(--line); text-align: left }}
th {{ position: sticky; top: 0; background: var(--panel) }}
</style>
</head>
<body>
<h1>{table}</h1>
<p class="quiet">{source}</p>
<div id="picture"></div>
<ul>{notes}</ul>
<details><summary>SQL</summary><pre>{sql}</pre></details>
<details open><summary>{data_summary}</summary><div class="rows"><table>
<thead><tr>{header}</tr></thead>
<tbody>
{rows}</tbody></table></div></details>
<script>{plotly}</script>
<script>
const figures = {{light: {light}, dark: {dark}}};
const dark = matchMedia("(prefers-color-scheme: dark)");
function draw() {{
  const figure = figures[dark.matches ? "dark" : "light"];
  const config = {{displaylogo: false, showSendToCloud: false, plotlyServerURL: "", responsive: true}};
  Plotly.react("picture", figure.data, figure.layout, config);
}}
dark.addEventListener("change", draw);
draw();
</script>
</body>
</html>
"""
