"""What frames every picture: finding, circumstances, warnings, key; what follows below it; the mark of a delete.

Each function draws from a page pixel down and returns the one where it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...model import formats
from ...model.iceberg.inheritance import ContentKind
from . import text
from .scene import Box, Ink, Rectangle, Span, Type
from .sheet import Sheet
from .theme import Hue, blend

_CAMERA, _BUTTONS = 44, 190  # pixels at the right of the first line, where plotly shows its one button, or those to pan
_TITLE_LINES = 6  # a finding is not cut where it can be read

KeyEntry = tuple[str, Callable[[Box], None]]


def heading(
    sheet: Sheet,
    title: str,
    parts: Sequence[str],
    evidence: tuple[str, str] | Callable[[str], Sequence[Span]],
    *,
    pans: bool = False,
) -> float:
    """Title and second line from the top of the page; the page pixel where they end.

    Args:
        sheet: to draw on.
        title: the finding.
        parts: of the second line; the last one may be the phrase of the evidence, whose word gets its colour.
        evidence: the word and the phrase that begins with it; or how a line is told whose words stand elsewhere.
        pans: whether a part of the picture can be moved.
    """
    theme, y = sheet.theme, 26.0
    sheet.title = title
    sheet.account.append(" · ".join(parts))
    room = sheet.width - 40
    beside = room - (_BUTTONS if pans else _CAMERA)
    for line in text.wrap(title, 17, room, bold=True, lines=_TITLE_LINES, first=beside):
        sheet.text(20, y, line, Type(17, theme.ink, bold=True))
        y += 23
    for line in text.wrap_parts(list(parts), " · ", 12.5, sheet.width - 50):
        style = Type(12.5, theme.ink_2)
        spans = evidence(line) if callable(evidence) else _with_evidence(sheet, line, *evidence)
        sheet.canvas.text("page", 20, y, line, style, "start", spans=spans)
        y += 18
    return y


def _with_evidence(sheet: Sheet, line: str, word: str, phrase: str) -> tuple[Span, ...]:
    if phrase.startswith(line) and line.startswith(word):  # the rest of it stands on the next line
        phrase = line
    if not line.endswith(phrase):
        return (Span(line),)
    theme = sheet.theme
    colour = {"exact": theme.ok, "inferred": theme.attention.text, "unknown": theme.error}[word]
    return Span(line.removesuffix(phrase)), Span(word, bold=True, colour=colour), Span(phrase.removeprefix(word))


def strip(sheet: Sheet, warning: str, y: float) -> float:
    """What must not be overlooked, on a strip with a mark; the page pixel where it ends."""
    theme = sheet.theme
    sheet.account.append(warning)
    lines = text.wrap(warning, 12.5, sheet.width - 90)
    box = Box(16, y, sheet.width - 16, y + 12 + 18 * len(lines))
    sheet.path(Ink(fill=blend(theme.attention.fill, theme.page, 0.16))).box(box)
    sheet.path(Ink(fill=theme.attention.fill)).box(Box(box.left, box.top, box.left + 5, box.bottom))
    sheet.path(Ink(fill=theme.attention.fill)).box(Box(30, y + 6, 46, y + 24), 3)
    sheet.canvas.text("page", 38, y + 15, "!", Type(12, theme.attention.on_fill, bold=True))
    for i, line in enumerate(lines):
        sheet.text(56, y + 15 + 18 * i, line, Type(12.5, theme.ink))
    return box.bottom + 6


def key(sheet: Sheet, entries: Iterable[KeyEntry], y: float) -> float:
    """What occurs and no more, in as many lines as it takes; the page pixel where it ends."""
    x, style, any_drawn = 20.0, Type(12, sheet.theme.ink_2), False
    for words, swatch in entries:
        wide = 27 + style.width(words)
        if x > 20 and x + wide > sheet.width - 16:
            x, y = 20.0, y + 20
        swatch(Box(x, y - 6, x + 19, y + 6))
        sheet.text(x + 27, y, words, style)
        x, any_drawn = x + wide + 20, True
    return y + 16 if any_drawn else y - 6


def swatch(sheet: Sheet, fill: str, stroke: str = "", *, hatch: str = "") -> Callable[[Box], None]:
    """A rectangle for the key."""
    return lambda box: sheet.fills.append(Rectangle(box, fill, stroke or fill, 1.2, hatch))


def foot(sheet: Sheet, sentences: Sequence[str], small: Sequence[str], top: float) -> float:
    """What follows, how to read the picture, what is not known; the page pixel where it ends."""
    theme, room, y = sheet.theme, sheet.width - 50, top + 14
    sheet.account += sentences
    for i, sentence in enumerate(sentences):
        style = Type(13, theme.ink if i == 0 else theme.ink_2)
        for line in text.wrap(sentence, 13, room):
            sheet.text(20, y, line, style)
            y += 19
    y += 4 if sentences else 0
    for words in filter(None, [" ".join(sheet.footnotes), *small]):
        for line in text.wrap(words, 11, room, lines=4):
            sheet.text(20, y, line, Type(11, theme.ink_3))
            y += 16
    return y + 2


# --- delete files -----------------------------------------------------------------------------------------------------

PILLS: dict[ContentKind, str] = {
    "data": "data", "position deletes": "pos", "deletion vector": "DV", "equality deletes": "eq",
}  # fmt: skip
PILL_HEIGHT = 18.0
_SIZE = 10.5


def _words(kind: ContentKind, count: int) -> str:
    return PILLS[kind] + (f" ×{formats.compact(count)}" if count > 1 else "")


def pill_width(kind: ContentKind, count: int = 1) -> float:
    """Pixels of a pill."""
    return Type(_SIZE, "", bold=True).width(_words(kind, count)) + 12


def pill(
    sheet: Sheet, x: float, y: float, kind: ContentKind, hue: Hue, *, filled: bool, count: int = 1, wide: float = 0
) -> Box:
    """A pill that begins at x with its middle at y, at least `wide` pixels wide."""
    style = Type(_SIZE, hue.on_fill if filled else hue.text, bold=True)
    right = x + max(pill_width(kind, count), wide)
    box = Box(x, y - PILL_HEIGHT / 2, right, y + PILL_HEIGHT / 2)
    sheet.path(Ink(hue.fill, 1.4, hue.fill if filled else sheet.theme.page)).box(box, 7)
    sheet.canvas.text("page", (box.left + box.right) / 2, y, _words(kind, count), style)
    return box
