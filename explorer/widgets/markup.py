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


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """As `table`; nothing where there is no row."""
    held = list(rows)
    return table(held) if held else ""


def folded(summary: str, content: str) -> str:
    """HTML that a click on a line of plain text unfolds; nothing where there is nothing to fold."""
    return f"<details><summary>{text(summary)}</summary>{content}</details>" if content else ""


def action(act: str, value: str, label: str, *, tip: str = "") -> str:
    """A button that has the explorer do something: see `actions.perform`."""
    title = f' title="{text(tip)}"' if tip else ""
    return (
        f'<button class="iceberg-act" data-act="{text(act)}" data-value="{text(value)}"{title}>{text(label)}</button>'
    )


def actions(*buttons: str) -> str:
    """Buttons side by side; nothing where there is none."""
    shown = "".join(buttons)
    return f'<div class="iceberg-acts">{shown}</div>' if shown else ""


FOLD = '<button class="iceberg-fold" data-act="fold" title="Fold or unfold what is said of the selection">▾</button>'
"""Stands in every panel; seen where the panel is a sheet over the picture."""


def code(plain: str) -> str:
    """Plain text in monospace; in a narrow place a name is broken after a dot, and not within a word."""
    return f"<code>{text(plain).replace('.', '.<wbr>')}</code>"


def copyable(plain: str) -> str:
    """Plain text in monospace with a button that copies it."""
    return f'{code(plain)} <button class="iceberg-copy" data-copy="{text(plain)}">copy</button>'


def statement(plain: str) -> str:
    """Something to copy, as it stands."""
    escaped = text(plain)
    copy = f'<button class="iceberg-copy" data-copy="{escaped}">copy</button>'
    return f'<div class="iceberg-statement"><pre>{escaped}</pre>{copy}</div>'
