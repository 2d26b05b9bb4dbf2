"""Where an answer changed: the whole line, then the commits that were read with the order of reading, and the steps.

Filled marks are commits that can have changed the answer, hollow ones cannot; what is dotted is assumed.
"""

from __future__ import annotations

from functools import partial

from ...model import formats
from ...model.bisect import words
from ...model.bisect.facts import Bisection
from ..page import frame
from ..page.frame import KeyEntry
from ..page.hits import Clicked, clicked, elsewhere, halo, ring
from ..page.scene import Box, Ink, Mark, Scene, Selection, Type
from ..page.sheet import LAYERS
from ..page.text import shorten, wrap
from ..page.theme import SYMBOLS, Theme
from . import line, steps
from .layout import slots
from .page import LEFT, RIGHT, Page

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()
_LEAST_STEP = 44.0  # pixels from column to column
_MOST_CHANGES = 12
_NOTES = 6


def draw(bisection: Bisection, theme: Theme, *, name: str, selected: str | None = None, width: int = 1380) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        bisection: what was asked and answered.
        theme: in which colours.
        name: the table's name for the second line.
        selected: snapshot id as text, with ring and halo if it is drawn.
        width: of the page in pixels, at least 560. The height follows from the contents.
    """
    page = Page.of(theme, width, bisection=bisection)
    room = page.width - LEFT - RIGHT
    widest = max(Type(12, "", bold=True).width(words.named(snapshot)) for snapshot in bisection.snapshots)
    page.columns = slots(bisection, max(int(room / max(_LEAST_STEP, widest + 8)), 7))
    page.step = room / len(page.columns)
    page.candidates = {candidate.place: candidate for candidate in bisection.candidates}
    page.path(steps.band_ink(theme))  # below all others
    y = frame.heading(page, words.title(bisection), words.circumstances(bisection, name), ("exact", "exact"))
    y = _statement(page, y + 8)
    y = frame.key(page, _key(page), y + 20) + 4
    y = line.draw(page, y)
    beside = y - line.BELOW  # where it is said that what is selected is not in the picture
    y = steps.draw(page, y + 10)
    if only := words.is_it_the_only_one(bisection):
        y = frame.strip(page, f"Is it the only one? {only}", y + 6)
    if bisection.every:
        y = _changes(page, y + 6)
    height = frame.foot(page, words.closing(bisection), _notes(bisection), y + 4) + 10
    meta = {"places": page.places, "elsewhere": [page.width - 22, beside, room * line.REST], "view": ""}
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, selected=selected))


def selection(scene: Scene, *, selected: str | None = None) -> Selection:
    """The marks in a drawing; cheap, since every place is read from it."""
    theme, meta = scene.theme, scene.meta
    boxes = [Box(*box) for box in meta["places"].get(selected, ())] if selected else []
    x, y, room = meta["elsewhere"]
    told = f"selected {formats.end_of_id(selected)}: not on this line" if selected and not boxes else ""
    hover = "only the commits from the good end to the bad one are drawn"
    layers = ring(boxes, theme), elsewhere(x, y, shorten(told, 11.5, room, bold=True), "", hover, theme, side="left")
    return Selection(halo(boxes[0] if boxes else None, theme), layers)


def _statement(page: Page, top: float) -> float:
    """What was asked, in at most two lines."""
    style, y = Type(11.5, page.theme.ink, mono=True), top + 12
    lines = [" ".join(part.split()) for part in page.bisection.sql.splitlines() if part.strip()]
    whole = [lines[0], " ".join(lines[1:])] if len(lines) > 1 else lines
    box = Box(16, top, page.width - 16, top + 8 + 17 * len(whole))
    page.path(Ink(fill=page.theme.panel)).box(box, 4)
    for part in whole:
        page.text(24, y, shorten(part, 11.5, page.width - 60, mono=True), style)
        y += 17
    return box.bottom


def _key(page: Page) -> list[KeyEntry]:
    """What occurs: operations of candidates, commits that cannot, and the numbers of the reads."""
    bisection = page.bisection
    operations = sorted({bisection.snapshots[place].operation or "" for place in page.candidates})
    entries: list[KeyEntry] = [
        (operation or "operation not recorded", partial(_swatch, page, operation)) for operation in operations
    ]
    if any(place not in page.candidates for place in range(1, len(bisection.snapshots))):
        entries.append(("cannot have changed the answer", partial(_hollow, page)))
    entries.append(("order of reads", partial(_disc, page)))
    if bisection.not_asked:
        entries.append(("assumed, not read", partial(_dotted, page)))
    return entries


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def _swatch(page: Page, operation: str, box: Box) -> None:
    symbol = SYMBOLS.get(operation or None, "hexagon")
    page.symbols.append(Mark(*_middle(box), symbol, 11, page.theme.operation(operation).fill))


def _hollow(page: Page, box: Box) -> None:
    page.symbols.append(Mark(*_middle(box), "circle", 8, page.theme.page, page.theme.edge, 1.4))


def _disc(page: Page, box: Box) -> None:
    page.symbols.append(Mark(*_middle(box), "circle", 13, page.theme.ink, page.theme.ink, 1))


def _dotted(page: Page, box: Box) -> None:
    y = _middle(box)[1]
    page.path(Ink(page.theme.ink_3, 2, dash="2px,4px")).move(box.left, y).line(box.right, y)


def _changes(page: Page, top: float) -> float:
    """Every change of the answer, where all was read."""
    bisection, y = page.bisection, top + 12
    changes = words.changes(bisection)
    monotone = "not monotone, " if len(changes) > 1 else ""
    head = f"All read: {monotone}{formats.count(len(changes), 'change')}"
    page.text(20, y, head, Type(14, page.theme.ink, bold=True))
    told = " · ".join(changes[:_MOST_CHANGES])
    more = len(changes) - _MOST_CHANGES
    for part in wrap(f"{told}{f' · and {more:,} more' if more > 0 else ''}", 12.5, page.width - 50, lines=4):
        y += 20
        page.text(20, y, part, Type(12.5, page.theme.ink_2))
    page.account.append(f"{head}: {told}")
    return y + 14


def _notes(bisection: Bisection) -> list[str]:
    """What is inferred or unknown, and what ruled commits out."""
    notes = [words.pruned(bisection), *(str(note) for note in words.notes(bisection) if note.certainty == "unknown")]
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    return [*notes[:_NOTES], *more]
