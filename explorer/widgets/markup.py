"""The few pieces of HTML that the panels are made of. Everything from the table is escaped here."""

from __future__ import annotations

import html
from collections.abc import Iterable


def text(plain: str) -> str:
    """Plain text as HTML, also inside an attribute."""
    return html.escape(plain, quote=True)


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Two columns: names, which are plain text, and values, which are HTML already."""
    return "<table>" + "".join(f"<tr><th>{text(name)}</th><td>{value}</td></tr>" for name, value in rows) + "</table>"


def copyable(plain: str) -> str:
    """Plain text in monospace with a button that copies it."""
    escaped = text(plain)
    return f'<code>{escaped}</code> <button class="iceberg-copy" data-copy="{escaped}">copy</button>'
