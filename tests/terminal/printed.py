"""An answer in a terminal as plain rows, and what must hold of every one of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rich.text import Text


def rows(lines: Iterable[Text]) -> list[str]:
    """The rows, none of which holds a sign that a terminal would obey."""
    printed = [line.plain for line in lines]
    for row in printed:
        assert not [sign for sign in row if unicodedata.category(sign)[0] == "C" or sign in "\u2028\u2029"], row
    return printed


def row_of(printed: list[str], words: str) -> str:
    """The only row with these words."""
    [row] = [row for row in printed if words in row]
    return row
