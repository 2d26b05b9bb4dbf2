"""Texts of a table as they may stand in a report: without credentials, and without values of rows unless asked for."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from ..engine.conf import without_secrets
from ..model.printable import printable

HIDDEN = "•••"
_IN_PATH = re.compile(r"[^/=\s]+=[^/\s]*/")  # partitions are values, and stand in paths too
_TAG = re.compile(r"(<[^>]*>)")
_LEAST = 3  # letters of a shortened value that tell something of it


class Writer:
    """Writes texts of the table, with what must not be told hidden.

    Args:
        hidden: values that must not be told, wherever they stand.
        fields: names of partition fields: what follows `name=` is a value.
        with_values: whether all may be told but credentials.
    """

    def __init__(self, hidden: Iterable[str], fields: Iterable[str] = (), *, with_values: bool) -> None:
        self._hidden = sorted({value for value in hidden if len(value) > 1}, key=len, reverse=True)
        names = "|".join(sorted(map(re.escape, fields), key=len, reverse=True))
        self._named = re.compile(rf"\b({names})( ?= ?)(?!{HIDDEN})[^\s,/]+") if names else None
        self.with_values = with_values

    def text(self, plain: str) -> str:
        """As HTML."""
        return html.escape("\n".join(printable(line) for line in self.plain(plain).split("\n")))

    def plain(self, plain: str) -> str:
        """As text."""
        told = without_secrets(plain)
        if self.with_values:
            return told
        for value in self._hidden:
            told = told.replace(value, HIDDEN)
        if self._named is not None:
            told = self._named.sub(rf"\1\2{HIDDEN}", told)
        return self._without_shortened(_IN_PATH.sub("", told))

    def hover(self, marked: str) -> str:
        """Words in plotly's kind of HTML, as that."""
        parts = _TAG.split(marked)
        return "".join(part if n % 2 else html.escape(self.plain(html.unescape(part))) for n, part in enumerate(parts))

    def _without_shortened(self, told: str) -> str:
        """Nothing of values of which a picture had room for the beginning or the end alone."""
        if "…" not in told:
            return told
        parts = told.split("…")
        kept = [self._ends(part, n > 0, n < len(parts) - 1) for n, part in enumerate(parts)]
        return "…".join(kept)

    def _ends(self, part: str, is_after: bool, is_before: bool) -> str:
        for value in self._hidden:
            if is_before:
                part = _stripped(part, value, at_end=True)
            if is_after:
                part = _stripped(part, value, at_end=False)
        return part


def _stripped(part: str, value: str, *, at_end: bool) -> str:
    """The part without a beginning of the value at its end, or without an end of it at its beginning."""
    for length in range(min(len(value), len(part)), _LEAST - 1, -1):
        if at_end and part.endswith(value[:length]):
            return part[:-length] + HIDDEN
        if not at_end and part.startswith(value[-length:]):
            return HIDDEN + part[length:]
    return part
