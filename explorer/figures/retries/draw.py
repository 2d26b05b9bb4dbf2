"""The attempts of commits as a picture: who won against whom, and for one commit what its attempts wrote and reused.

A line per commit in sequence order, with a cross where it lost to another one. Up to 40 commits are drawn one by one;
above that those that fought are, and the runs between them are folded until a click opens them.
"""

from __future__ import annotations

from ...model import formats
from ...model.retries import words as retries_words
from ...model.retries.facts import Attempt, Retries
from ..page import frame
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import Clicked, clicked, view_meaning
from ..page.scene import Box, Mark, Scene, Selection, Target, Type
from ..page.sheet import LAYERS
from ..page.theme import SYMBOLS, Symbol, Theme
from . import chart, strip
from .hits import selection
from .lines import Page, lines

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()
_NOTES = 6


def draw(
    retries: Retries,
    theme: Theme,
    *,
    name: str,
    chosen: str | None = None,
    selected: str | None = None,
    width: int = 1380,
    view: str = "",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        retries: the attempts of all commits.
        theme: in which colours.
        name: the table's name for the second line.
        chosen: snapshot id as text whose attempts are drawn one by one; without one, or with one that is not listed, it
            is the commit that was tried most often, and of those the newest.
        selected: snapshot id as text, with ring and halo.
        width: of the page in pixels, at least 560. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another table, for the whole.

    Clicks: only `cells`, `targets` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning.
    """
    shown, drawn = lines(retries, Part.parse(view))
    ids = retries_words.short_ids(retries)
    page = Page.of(theme, width, retries=retries, lines=drawn, chosen=_chosen(retries, chosen), ids=ids)
    y = frame.heading(
        page, retries_words.title(retries), retries_words.circumstances(retries, name), retries_words.evidence(retries)
    )
    # On a narrow page the key reaches below what is said of a commit that is elsewhere.
    y = frame.key(page, _key(page), y + 14) + (22 if page.width < 900 else 6)
    if str(shown):
        box = page.text(20, y + 8, "◂ the whole race", Type(12, theme.ink_2))
        page.targets.append(Target((box.left + box.right) / 2, y + 8, view_meaning(""), "click: the whole"))
        y += 26
    top = y
    y = chart.draw(page, y)
    if page.chosen is not None:
        y = strip.draw(page, page.chosen, y + 18)
    height = frame.foot(page, retries_words.closing(page.chosen), _notes(page), y) + 10
    meta = {"places": page.places, "elsewhere": [page.width - 24, top - 12, page.width / 2], "view": str(shown)}
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, retries, selected=selected))


def _chosen(retries: Retries, chosen: str | None) -> Attempt | None:
    named = next((a for a in retries.attempts if str(a.snapshot.snapshot_id) == chosen), None)
    return named or max(reversed(retries.attempts), key=lambda a: a.attempt or 0, default=None)


def _key(page: Page) -> list[KeyEntry]:
    theme, alone = page.theme, [a for line in page.lines for a in line.attempts if line.single is not None]
    entries: list[KeyEntry] = []

    def mark(symbol: Symbol, fill: str, stroke: str) -> None:
        entries.append((words, lambda box: _swatch(page, box, symbol, fill, stroke)))

    for operation in sorted({a.snapshot.operation or "" for a in alone}):
        words = operation or "operation not recorded"
        fill = theme.operation(operation).fill
        mark(SYMBOLS.get(operation or None, "hexagon"), fill, fill)
    if any(a.was_retried for a in alone):
        words = "lost to the commit of that column (inferred)"
        mark("x-thin", theme.error, theme.error)
    if any(a.attempt is None for a in alone):
        words = "attempts not recorded"
        mark("circle", theme.page, theme.edge)
    return entries


def _swatch(page: Page, box: Box, symbol: Symbol, fill: str, stroke: str) -> None:
    size = 8 if symbol == "x-thin" else 11
    page.symbols.append(Mark((box.left + box.right) / 2, (box.top + box.bottom) / 2, symbol, size, fill, stroke, 1.8))


def _notes(page: Page) -> list[str]:
    """What is inferred or unknown, of all commits and of the one that is told at length; at most six."""
    own = page.chosen.notes if page.chosen is not None else ()
    notes = [str(note) for note in (*page.retries.notes, *own) if note.certainty != "exact"]
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    return [*notes[:_NOTES], *more]
