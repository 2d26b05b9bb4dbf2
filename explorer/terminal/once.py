"""A caveat that holds of many rows is said at the first of them, and not again."""

from __future__ import annotations

import re

_SHORT = 40  # letters of a sentence that is a fact of its row, as "It lost 1 attempt.", and no caveat
_NEXT = re.compile(r"(?<=\.) (?=[A-Z])")


class Once:
    """The sentences that an answer has said so far."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, text: str) -> str:
        """The text without its long sentences that were said already; empty if nothing is left."""
        new = [part for part in _NEXT.split(text) if len(part) < _SHORT or part not in self._said]
        self._said.update(new)
        return " ".join(new)
