"""The mark of a delete file, the same in every picture: a pill that names its kind."""

from __future__ import annotations

from ...model import formats
from ...model.iceberg.inheritance import ContentKind
from .canvas import Box, Ink, Type
from .sheet import Sheet
from .theme import Hue

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
