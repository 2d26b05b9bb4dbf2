"""Two points compared as a picture: relation, figures, what can be done, files by partition, rows, columns, settings.

From A to B along the ancestry whichever was named first. Up to 24 partitions are drawn; clicks lead to the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from ...model import formats
from ...model.compare import words
from ...model.compare.facts import Comparison
from ...model.iceberg.metadata import Snapshot
from ..page import frame
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import Clicked, clicked, elsewhere, halo, ring
from ..page.scene import Box, Mark, Scene, Selection
from ..page.sheet import LAYERS
from ..page.text import shorten
from ..page.theme import SYMBOLS, Theme
from . import files, numbers, relation, tables
from .page import Page

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "part_with", "selection"]

RANGE_AXES = ()
_NOTES = 6


def draw(facts: Comparison, theme: Theme, *, selected: str | None = None, width: int = 1380, view: str = "") -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        facts: the comparison.
        theme: in which colours.
        selected: snapshot id as text, with ring and halo if it lies between the two points.
        width: of the page in pixels, at least 560. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another comparison, for the whole.

    Clicks: only `cells`, `targets` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning.
    """
    part = Part.parse(view)
    if part.opened or part.first >= len(facts.files.partitions):
        part = Part()
    page = Page.of(theme, width, facts=facts, ids=words.short_ids(facts), part=part)
    y = frame.heading(page, words.title(facts), words.circumstances(facts), words.evidence(facts))
    y = frame.key(page, _key(page), y + 14) + 2
    y = relation.draw(page, y + 2)
    y = numbers.draw_figures(page, y + 10)
    y = tables.draw_ways(page, y + 14)
    y = files.draw(page, y + 14)
    y = numbers.draw_rows(page, y + 8)
    y = tables.draw_schema(page, y + 12)
    y = tables.draw_columns(page, y + 12)
    y = tables.draw_settings(page, y + 12)
    height = frame.foot(page, words.closing(facts), _notes(facts), y + 6) + 10
    meta = {"places": page.places, "elsewhere": [page.width - 22, *page.elsewhere], "view": str(part)}
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, selected=selected))


def part_with(place: int) -> str:
    """The view that shows the partition at this place among those that differ."""
    return str(Part(place // files.MOST_PARTITIONS * files.MOST_PARTITIONS))


def selection(scene: Scene, *, selected: str | None = None) -> Selection:
    """The marks in a drawing; cheap, since every place is read from it."""
    theme, meta = scene.theme, scene.meta
    boxes = [Box(*box) for box in meta["places"].get(selected, ())] if selected else []
    x, y, room = meta["elsewhere"]
    told = f"selected {formats.end_of_id(selected)}: not between the two" if selected and not boxes else ""
    hover = "only the two points, and commits between them, are drawn"
    shown = shorten(told, 11.5, room, bold=True) if told else ""
    layers = ring(boxes, theme), elsewhere(x, y, shown, "", hover, theme, side="left")
    return Selection(halo(boxes[0] if boxes else None, theme), layers)


def _key(page: Page) -> Iterable[KeyEntry]:
    """What occurs: operations of the commits between, files of one side, rows that were carried over."""
    theme, found = page.theme, page.facts.relation
    commits: list[Snapshot] = [*found.left_commits, *found.right_commits] if found is not None else []
    for operation in sorted({s.operation or "" for s in commits}):
        yield operation or "operation not recorded", partial(_swatch, page, operation)
    totals = page.facts.files.totals
    if "data" in totals.left:
        yield "data files only in A", frame.swatch(page, theme.page, theme.edge, hatch=theme.moved.fill)
    if "data" in totals.right:
        yield "data files only in B", frame.swatch(page, theme.added.fill)
    if set(totals.left) - {"data"}:
        yield "deletes only in A", frame.swatch(page, theme.page, theme.removed.fill)
    if set(totals.right) - {"data"}:
        yield "deletes only in B", frame.swatch(page, theme.removed.fill)


def _swatch(page: Page, operation: str, box: Box) -> None:
    fill = page.theme.operation(operation).fill
    symbol = SYMBOLS.get(operation or None, "hexagon")
    page.symbols.append(Mark((box.left + box.right) / 2, (box.top + box.bottom) / 2, symbol, 11, fill))


def _notes(facts: Comparison) -> list[str]:
    """What is inferred or unknown, at most six."""
    notes = [str(note) for note in facts.notes if note.certainty != "exact"]
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    return [*notes[:_NOTES], *more]
