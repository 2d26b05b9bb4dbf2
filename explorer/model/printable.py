"""Text of a table, made safe to print: a ref name or a path may hold what a terminal would obey."""

from __future__ import annotations

import unicodedata

from rich.text import Text

DIM, LOUD, ODD = "dim", "bold", "yellow"
"""Styles of a line: beside the matter, the finding, what should not be."""

_OBEYED = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def printable(text: str) -> str:
    """The text in one line, with `�` in place of each character that is not a visible one.

    These are control characters (an escape sequence is inert without its first), those that turn the direction of
    writing, line breaks, and what stands for an undecodable byte. Source: Unicode, general categories C and Z.
    """
    if text.isprintable():
        return text
    return "".join("�" if unicodedata.category(sign) in _OBEYED else sign for sign in text)


def styled(text: str, style: str = "") -> Text:
    """The only way that text becomes a line, so that nothing from a table can steer the terminal."""
    return Text(printable(text), style)


def copyable(text: str, style: str = "") -> Text:
    """A line of something to copy: however long, it is not broken into several."""
    return Text(printable(text), style, no_wrap=True)


def file_name(path: str, content_offset: int | None = None) -> str:
    """`00000-1.parquet` of a location; `0.puffin·4` of a deletion vector, by the byte at which it starts."""
    return path.rsplit("/", 1)[-1] + ("" if content_offset is None else f"·{content_offset}")
