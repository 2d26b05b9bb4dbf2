"""An answer in a terminal as plain rows, and what must hold of every one of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from rich.text import Text


def rows(lines: Iterable[Text]) -> list[str]:
    """The rows, none of which holds a sign that a terminal would obey."""
    told = [line.plain for line in lines]
    for row in told:
        assert not [sign for sign in row if unicodedata.category(sign)[0] == "C" or sign in "\u2028\u2029"], row
    return told


def row_of(told: list[str], words: str) -> str:
    """The only row with these words."""
    [row] = [row for row in told if words in row]
    return row
