"""Text in a picture: made safe for plotly, measured before it is drawn, cut and wrapped to a width in pixels."""

from __future__ import annotations

import bisect
import html
import re
import unicodedata

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_NUMBER = re.compile(r"[\d.,]*\d")
_WIDER_FONT = 1.15  # than Arial, whose widths these are: DejaVu and Verdana are, and a label must still fit


def visible(text: str) -> str:
    """Text from a table with spaces for control characters and those that reverse the direction of what follows."""
    return _UNSAFE.sub(" ", text)


def escape(text: str) -> str:
    """The same for plotly, which reads a pseudo-HTML: tags, entities and TeX between dollars stay letters."""
    return html.escape(visible(text), quote=False).replace("$", "&#36;")


def _arial() -> dict[str, float]:
    groups = {
        0.191: "'",
        0.222: "ijl",
        0.26: "|",
        0.278: " !,./:;I[\\]ft",
        0.333: "-()`r",
        0.355: '"',
        0.389: "*",
        0.334: "{}·",
        0.469: "^",
        0.5: "Jckcsvxyz",
        0.556: "0123456789#$?L_abdeghnopqu–",
        0.584: "+<=>~×−≤≥",
        0.611: "FTZ",
        0.667: "&ABEKPSVXY",
        0.722: "CDHNRUw",
        0.778: "GOQ",
        0.833: "Mm",
        0.889: "%",
        0.944: "W",
        1.0: "…→",
        1.015: "@",
    }
    return {letter: width for width, letters in groups.items() for letter in letters}


_WIDTHS = _arial()


def width(text: str, size: float = 12, *, bold: bool = False, mono: bool = False) -> float:
    """Estimated width in pixels of one line of plain (unescaped) text, on the generous side."""
    if mono:
        return sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.602 for c in text) * size * 1.02
    ems = sum(_WIDTHS.get(c) or (1.0 if unicodedata.east_asian_width(c) in "WF" else 0.64) for c in text)
    return ems * size * _WIDER_FONT * (1.08 if bold else 1.0)


def shorten(text: str, size: float, limit: float, *, bold: bool = False, mono: bool = False) -> str:
    """The text, or as much of its beginning and its end as fits into `limit` pixels with … between them."""
    if width(text, size, bold=bold, mono=mono) <= limit:
        return text

    def kept(letters: int) -> str:
        return f"{text[: (letters + 1) // 2].rstrip()}…{text[-(letters // 2) :].lstrip()}"

    counts = range(2, min(len(text), int(limit) + 1))
    fitting = bisect.bisect_right(counts, limit, key=lambda n: width(kept(n), size, bold=bold, mono=mono))
    return kept(counts[fitting - 1]) if fitting else "…"


def beginnings(words: str) -> list[str]:
    """The text, then ever less of its beginning, by whole words: what a row begins with tells it apart."""
    each = words.split(" ")
    return [words, *(" ".join(each[:n]) + " …" for n in range(len(each) - 1, 0, -1)), each[0]]


def cut(line: str, longest: int = 110) -> str:
    """A line of hover text with at most so many letters: its beginning and its end, which tells paths apart."""
    head = min(40, longest // 2)
    return line if len(line) <= longest else f"{line[:head]}…{line[head + 1 - longest :]}"


def wrap_parts(parts: list[str], separator: str, size: float, limit: float) -> list[str]:
    """Parts joined by a separator in as many lines as it takes; no line begins or ends with the separator."""
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}{separator}{part}" if lines else part
        if lines and width(longer, size) <= limit:
            lines[-1] = longer
        else:
            lines += wrap(part, size, limit)
    return lines


def wrap(
    text: str, size: float, limit: float, *, bold: bool = False, lines: int = 3, first: float | None = None
) -> list[str]:
    """The text in at most `lines` lines of `limit` pixels, broken at spaces; the last one is cut with … if it must.

    No number ends a line but the last: its unit, or what it counts, follows on the same one.

    `first`: pixels of the first line, where something stands beside it.
    """
    wrapped: list[str] = []
    rest = text.split(" ")
    while rest and len(wrapped) < lines - 1:
        room, taken = limit if wrapped or first is None else first, 1
        while taken < len(rest) and width(" ".join(rest[: taken + 1]), size, bold=bold) <= room:
            taken += 1
        while 1 < taken < len(rest) and _NUMBER.fullmatch(rest[taken - 1]):
            taken -= 1
        wrapped.append(shorten(" ".join(rest[:taken]), size, room, bold=bold))
        rest = rest[taken:]
    if rest:
        last = " ".join(rest)
        while width(last, size, bold=bold) > limit and " " in last:
            last = last.removesuffix("…").rpartition(" ")[0] + "…"
        wrapped.append(shorten(last, size, limit, bold=bold))
    return wrapped
