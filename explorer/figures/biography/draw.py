"""What became of rows: a lane for each, from birth to now, with its files, deletes and cells; many are told by fates.

Up to four rows are drawn at length. More are grouped by what happened to them, a line for each fate, which a click
opens. Other lines than the one that was asked about are drawn below it, apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from ...model import formats
from ...model.biography import finding, words
from ...model.biography.facts import Biography, Life
from ...model.biography.fates import fates
from ...model.biography.notes import cut
from ..page import frame
from ..page.fold import Part
from ..page.frame import KeyEntry
from ..page.hits import Clicked, clicked, view_meaning
from ..page.names import file_names
from ..page.scene import Box, Ink, Rectangle, Scene, Selection, Type
from ..page.sheet import LAYERS, LEAST_WIDTH
from ..page.theme import Theme
from . import fates as many
from . import header, lanes
from .hits import selection
from .page import Page, axis

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "clicked", "draw", "selection"]

RANGE_AXES = ()
AT_LENGTH = 4
"""Lives that are drawn at length on one page."""
_NOTES = 6


def draw(
    biography: Biography,
    theme: Theme,
    *,
    name: str,
    selected: str | None = None,
    selected_file: str | None = None,
    width: int = 1380,
    view: str = "",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        biography: of the rows.
        theme: in which colours.
        name: the table's name for the second line.
        selected: snapshot id as text, whose column has a band.
        selected_file: path of a data or delete file, with a ring.
        width: of the page in pixels, at least 560. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another table, for the whole.
    """
    part = Part.parse(view)
    every = fates(biography)
    number = many.number_of(part, every)
    chosen = biography.lives if number is None else every[number].lives
    at_length = len(chosen) <= AT_LENGTH or number is not None
    first = part.first if part.first < (len(chosen) if at_length else len(every)) else 0
    shown = chosen[first : first + AT_LENGTH] if at_length else ()
    told = () if at_length else every[first : first + many.MOST_FATES]
    drawn = shown or tuple(fate.example for fate in told)
    wide = max(width, LEAST_WIDTH)
    left = 150.0 if wide < 900 else 190.0
    page = Page.of(
        theme,
        width,
        biography=biography,
        axis=axis(biography, drawn, part, left, wide - 36),
        names=file_names((stretch.row.file_path, None) for life in drawn for stretch in life.stretches),
    )
    page.path(Ink(theme.grid, 1))  # below all others
    y = frame.heading(page, finding.title(biography), words.circumstances(biography, name), words.evidence(biography))
    y = frame.key(page, _key(page, drawn, at_length=bool(shown)) if drawn else (), y + 14) + 6
    if number is not None or part.first or part.range:
        box = page.text(20, y + 8, "◂ all rows", Type(12, theme.ink_2))
        page.cells.append(Rectangle(box.around(6), meaning=view_meaning(""), hover="click: the whole"))
        if len(chosen) > AT_LENGTH and number is not None:
            which = f"{first + 1:,} to {first + len(shown):,} of {formats.count(len(chosen), 'row')} of one fate"
            page.text(box.right + 18, y + 8, which, Type(12, theme.ink))
        y += 26
    beside = y + 4  # where it is said that what is selected is not in the picture
    if not drawn:
        box = Box(20, y + 6, page.width - 20, y + 60)
        page.unreadable(box, [words.nothing(biography)], Type(12, theme.ink_2))
        y = box.bottom
    else:
        y = header.draw(page, y + 16, part)
        top = y
        y = _lanes(page, shown, y + 8) if shown else many.draw(page, told, every[first + len(told) :], y + 4)
        y = _next(page, number, first, len(shown), len(chosen), y)
        y = _counts(page, y + 6)
        header.guides(page, top, y)
    height = frame.foot(page, [], _notes(page), y) + 10
    meta = {
        "places": page.places,
        "elsewhere": [page.width - 24, beside, page.width / 2],
        "bottom": y,
        "folded": _folded(page),
        "view": str(part),
    }
    scene = page.scene(height, meta)
    return scene.selecting(selection(scene, selected=selected, selected_file=selected_file))


def _folded(page: Page) -> list[str]:
    """Ids of the commits with events that have no column until a click unfolds them."""
    if not page.axis.before and not page.axis.after:
        return []
    drawn = {column.snapshot.snapshot_id for column in page.axis.columns}
    return sorted(
        {str(event.snapshot.snapshot_id) for event in page.biography.events if event.snapshot.snapshot_id not in drawn}
    )


def _lanes(page: Page, shown: Sequence[Life], top: float) -> float:
    """The lives on the first line, then those on others, line by line."""
    y = top
    for life in shown:
        if life.on(0):
            y = _rule(page, lanes.draw(page, life, 0, y))
    for index, line in enumerate(page.biography.lines[1:], 1):
        here = [life for life in shown if life.on(index)]
        if not here:
            continue
        box = Box(12, y - 4, page.width - 12, y + 16)
        page.fills.append(Rectangle(box, page.theme.band))
        page.fit(
            20,
            y + 6,
            words.beside(line, page.biography.lines),
            Type(11.5, page.theme.ink_2, bold=True),
            page.width - 60,
        )
        y += 26
        for life in here:
            y = _rule(page, lanes.draw(page, life, index, y))
    return y


def _rule(page: Page, y: float) -> float:
    page.path(Ink(page.theme.grid, 1)).move(20, y).line(page.width - 20, y)
    return y + 10


def _next(page: Page, number: int | None, first: int, shown: int, every: int, y: float) -> float:
    """The way to further rows of a fate."""
    if number is None or first + shown >= every:
        return y
    more = formats.count(every - first - shown, "more row")
    text = page.text(20, y + 10, f"{more} of this fate ▸", Type(12, page.theme.ink_2))
    part = Part(first + shown, many.opened(number))
    page.cells.append(Rectangle(text.around(6), meaning=view_meaning(part), hover="click: go on"))
    return y + 28


def _counts(page: Page, top: float) -> float:
    """How many of the rows a reader gets, from column to column of the first line; loud where one is there twice.

    Where that is not known of some, from how many to how many, these in a dotted box.
    """
    theme, axis_, line = page.theme, page.axis, page.biography.lines[0]
    found = [(c, x) for c, x in zip(axis_.columns, axis_.x, strict=True) if c.on_first and c.move is None]
    if not found:
        return top
    page.text(20, top + 10, "rows a reader gets", Type(11, theme.ink_2))
    head = (line.end - 1, axis_.now)
    places = [(line.places[column.snapshot.snapshot_id], x) for column, x in found] + [head]
    steps: list[tuple[float, int, int, int]] = []
    for place, x in places:
        stretches = [s for life in page.biography.lives if (s := life.at(0, place)) and s.row.meets]
        here = [s.row for s in stretches if s.shown and not s.row.is_open(place)]
        equal = Counter(row.same for row in here)
        doubtful = sum(s.row.is_open(place) for s in stretches)
        step = len(here), len(here) + doubtful, max(equal.values(), default=0) if page.biography.key else 1
        if not steps or steps[-1][1:] != step:
            steps.append((x, *step))
    highest = max(most for _, _, most, _ in steps) or 1
    for (x, n, most, copies), (end, *_) in pairwise([*steps, (axis_.now + 12, 0, 0, 0)]):
        twice = copies > 1
        fill = theme.attention.fill if twice else theme.moved.fill
        box = Box(x, top + 22 - max(18 * n / highest, 1), min(end, axis_.now), top + 22)
        page.fills.append(Rectangle(box, fill if n else theme.kept_outline))
        if most > n:
            left_open = Box(box.left, top + 22 - 18 * most / highest, box.right, box.top)
            page.path(Ink(theme.edge, 1.2, dash="2px,3px")).box(left_open)
        loud = "doubled" if n == 2 else f"one {words.times(copies)}"
        number = f"{n:,}" if most == n else f"{n:,} to {most:,}"
        told = [f"{number}: {loud}", number] if twice else [number]
        style = Type(11, theme.attention.text if twice else theme.ink_2, bold=twice)
        page.fit(x + 3, top + 33, told, style, max(end - x - 6, style.width(told[-1])))
    return top + 46


def _key(page: Page, drawn: Sequence[Life], *, at_length: bool) -> list[KeyEntry]:
    theme = page.theme
    events = [event for life in drawn for event in life.events]
    entries: list[KeyEntry] = [("can be seen", lambda box: _stroke(page, box, Ink(theme.added.fill, 5)))]
    if any(not stretch.shown for life in drawn for stretch in life.stretches):
        entries.append(("masked", lambda box: _stroke(page, box, lanes.masked(theme))))
    if any(life.doubts for life in drawn):
        entries.append(("not known whether masked", lambda box: _stroke(page, box, lanes.unknown(theme.added.fill))))
    if not page.axis.before and any(event.how == "existed at or before" for event in events):
        entries.append(("before the known history", lambda box: _stroke(page, box, lanes.unknown(theme.added.fill))))
    if at_length:
        entries.append(("file written for it", frame.swatch(page, theme.added.fill)))
        if any(event.move is None and (event.kind == "MOVED" or words.is_back(event)) for event in events):
            entries.append(("carried over", frame.swatch(page, theme.page, theme.moved.fill, hatch=theme.kept_outline)))
    if any(event.certainty == "inferred" for event in events):
        entries.append(("inferred", lambda box: _inferred(page, box)))
    return entries


def _stroke(page: Page, box: Box, ink: Ink) -> None:
    y = (box.top + box.bottom) / 2
    page.path(ink).move(box.left, y).line(box.right, y)


def _inferred(page: Page, box: Box) -> None:
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    page.canvas.text("page", x, y, lanes.INFERRED, Type(12, page.theme.ink, bold=True))


def _notes(page: Page) -> list[str]:
    """What is cut, inferred or unknown; at most six."""
    biography = page.biography
    notes = [str(note) for note in (*cut(biography), *biography.notes)]
    reason = words.why_so_many(biography.price)
    notes += [reason] if reason else []
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    return [*notes[:_NOTES], *more]
