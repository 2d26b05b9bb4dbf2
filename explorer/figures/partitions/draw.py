"""Partitions by commit as a heat map: rows are partitions, columns commits of a line, shades what they hold after them.

Above it the change of the whole, at its right what each holds now. Up to 300 partitions have a row each; more are told
together, by their leading fields or as neighbours, until a click opens them. More commits than have room share columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...model import formats
from ...model.iceberg.metadata import Snapshot
from ...model.partitions import words
from ...model.partitions.facts import Partitions
from ...model.partitions.grid import Measure
from ..page import frame
from ..page.frame import KeyEntry
from ..page.hits import Clicked, view_meaning
from ..page.scene import Box, Rectangle, Scene, Selection, Target, Type
from ..page.sheet import LAYERS, LEAST_WIDTH
from ..page.theme import Theme
from . import heat, margins
from .heat import Scale
from .hits import Window, clicked, dragged, selection
from .layout import Layout, Page, Shown

__all__ = ["LAYERS", "RANGE_AXES", "Clicked", "Selection", "Window", "clicked", "dragged", "draw", "selection"]

RANGE_AXES = ()
_NOTES = 6
_SWATCH = 15.0


def draw(
    facts: Partitions,
    theme: Theme,
    *,
    name: str,
    measure: Measure = "live rows",
    search: str = "",
    selected: str | None = None,
    partition: tuple[int, str] | None = None,
    window: Window | None = None,
    zoomed: bool = False,
    width: int = 1380,
    view: str = "",
) -> Scene:
    """The picture. Its layers are always those of `LAYERS`, in that order, so that a live figure is updated in place.

    Args:
        facts: the partitions of a table.
        theme: in which colours.
        name: the table's name for the second line.
        measure: what the shades say.
        search: words that the names of the partitions shown have; all partitions if empty.
        selected: snapshot id as text, with a band.
        partition: spec id and partition, with a ring.
        window: two commits of the line, with a ring.
        zoomed: whether the window alone has columns.
        width: of the page in pixels, at least 560. The height follows from the contents.
        view: what part to draw, as a click gave it in `Clicked.view`; empty, or of another table, for the whole.

    Clicks: only `cells`, `targets` and `elsewhere` answer the pointer; `clicked` turns an item of them into a meaning,
    `dragged` a box.
    """
    shown = Shown.of(facts, search, view)
    layout = Layout.of(facts, measure, shown, max(width, LEAST_WIDTH), _span(facts, window if zoomed else None))
    page = Page.of(theme, width, layout=layout)
    title = words.title(layout.told, measure, layout.until)
    if facts.partitions and not layout.names:
        title = _why_empty(layout, search)
    y = frame.heading(page, title, _circumstances(layout, name), words.evidence(facts))
    elsewhere = page.width - 24, y + 8, min(page.width / 2, page.width - 330)  # beside the scale
    scale = Scale.of(layout.values[layout.found.sums.files > 0], len(theme.heat))
    y = _draw_scale(page, scale, y + 14)
    y = frame.key(page, _key(page), y) if layout.names else y
    if str(shown.part):
        box = page.text(20, y + 8, "◂ all partitions", Type(12, theme.ink_2))
        page.targets.append(Target((box.left + box.right) / 2, y + 8, view_meaning(""), "click: all partitions"))
        y += 24
    band = y
    if layout.names and layout.columns.items:
        y = margins.draw_change(page, y)
        y = margins.draw_axis(page, y)
        page.top = y
        margins.mark_gaps(page)
        margins.draw_now(page)
        heat.draw(page, scale)
        y += layout.bottom + 22
    else:
        box = Box(20, y + 6, page.width - 20, y + 60)
        page.unreadable(box, [_why_empty(layout, search)], Type(12, theme.ink_2))
        y = box.bottom
    if layout.columns.backwards:
        commits = formats.count(layout.columns.backwards, "commit")
        page.footnotes.append(f"The clock of {commits} is behind one before: they stand where that one does.")
    height = frame.foot(page, _closing(layout), _notes(facts), y) + 10
    scene = page.scene(height, _meta(page, search, band, elsewhere))
    return scene.selecting(selection(scene, facts, selected=selected, partition=partition, window=window))


def _span(facts: Partitions, window: Window | None) -> tuple[int, int]:
    """The first and the last commit that have columns."""
    place = {str(s.snapshot_id): n for n, s in enumerate(facts.commits)}
    first, last = (place.get(commit, -1) for commit in window) if window else (-1, -1)
    return (first, last) if 0 <= first <= last else (0, len(facts.commits) - 1)


def _circumstances(layout: Layout, name: str) -> list[str]:
    """The second line in parts: table, what of its partitions is shown, at which commits, and how sure it is."""
    facts, rows = layout.facts, layout.shown.rows
    count, every = sum(row.count for row in rows), len(facts.partitions)
    shown = formats.count(every, "partition") if count == every else f"{count:,} of {every:,} partitions"
    shown += f" in {len(rows):,} groups" if len(rows) < count else ""
    line = f" of {facts.line_name}" if facts.line_name else ""
    first, last = layout.span
    commits, all_of_them = facts.commits[first : last + 1], formats.count(len(facts.commits), "commit")
    some = all_of_them if len(commits) == len(facts.commits) else f"{len(commits):,} of {all_of_them}"
    each = "" if layout.columns.unit == "commit" else f", after the last one of each {layout.columns.unit}"
    return [name, words.counted(facts, shown), f"{some}{line}{each}", *_days(commits), words.evidence(facts)[1]]


def _days(commits: Sequence[Snapshot]) -> list[str]:
    """`1 Jan to 31 Mar 2026, UTC`, in a list; nothing where no clock tells."""
    times = [snapshot.committed_at for snapshot in commits if snapshot.committed_at]
    if not times:
        return []
    first, last = min(times), max(times)
    year = f" {first:%Y}" if first.year != last.year else ""
    begin = "" if first.date() == last.date() else f"{formats.day(first)}{year} to "
    return [f"{begin}{formats.day(last)} {last:%Y}, UTC"]


def _draw_scale(page: Page, scale: Scale, y: float) -> float:
    """Which shade is how much; the page pixel where that ends."""
    layout, theme = page.layout, page.theme
    if not layout.names:
        return y
    style, x = Type(12, theme.ink_2), 20.0
    most = words.short_amount(layout.measure, scale.most)
    how = f", each shade {scale.times:,.2g}× the one before" if scale.by_ratio else ""
    least = "" if scale.has_zero and not scale.by_ratio else words.short_amount(layout.measure, scale.least)
    said = most if scale.steps == 1 else f"{least} to {most}{how}".strip()
    x = page.text(x, y, layout.measure, style).right + 8
    for shades, meaning in (([-1] if scale.has_zero else [], "0"), (range(scale.steps), said)):
        for shade in shades:
            page.fills.append(Rectangle(Box(x, y - 6, x + _SWATCH, y + 6), scale.colour(shade, theme)))
            x += _SWATCH
        if len(shades):
            x = page.text(x + 8, y, meaning, style).right + 14
    return y + 22


def _key(page: Page) -> list[KeyEntry]:
    """What occurs and no more."""
    layout, theme = page.layout, page.theme
    entries: list[KeyEntry] = []
    if (layout.known < 0).any():
        hatched = frame.swatch(page, theme.page, theme.kept_outline, hatch=theme.edge)
        entries.append(("not known: its manifest list, or a manifest, cannot be read", hatched))
    return entries


def _why_empty(layout: Layout, search: str) -> str:
    """A sentence in place of cells."""
    facts = layout.facts
    if not facts.commits:
        return "The table has no snapshot yet. The first commit that adds a file begins this picture."
    if facts.partitions:
        every = formats.count(len(facts.partitions), "partition")
        return f"None of {every} has {search.strip()} in its name."
    if words.lacks_parts(facts):
        return "No file in what could be read: the notes say what is missing."
    return f"{formats.count(len(facts.commits), 'commit')} and no file: nothing was ever added."


def _closing(layout: Layout) -> list[str]:
    """What all partitions hold together, so that page and whole agree."""
    facts = layout.facts
    if not layout.names or layout.known[-1] < 0:
        return []
    last = layout.found.sums
    rows, files, size, deletes = (
        int(values[:, -1].sum()) for values in (last.live_rows, last.data_files, last.size_in_bytes, last.delete_files)
    )
    at_most = words.bound(last, (slice(None), -1))
    holds = f"{at_most}{formats.count(rows, 'live row')} in {formats.count(files, 'data file')}, {formats.size(size)}"
    also = f", and {formats.count(deletes, 'delete file')}" if deletes else ""
    after = words.commit_name(facts, facts.commits[int(layout.known[-1])])
    some = "partition" if sum(row.count for row in layout.shown.rows) == 1 else "partitions"
    return [f"After {after} the {some} shown hold{'s' if some == 'partition' else ''} {holds}{also}."]


def _notes(facts: Partitions) -> list[str]:
    """What is inferred or unknown; at most six."""
    notes = [str(note) for note in facts.notes if note.certainty != "exact"]
    more = [f"{formats.count(len(notes) - _NOTES, 'more note')} in this answer."] if len(notes) > _NOTES else []
    return [*notes[:_NOTES], *more]


def _meta(page: Page, search: str, band: float, elsewhere: tuple[float, float, float]) -> dict[str, Any]:
    """Where what can be selected is drawn."""
    layout = page.layout
    rows = [page.row(n) for n in range(len(layout.names))]
    return {
        "columns": [round(layout.left, 1), round(layout.right, 1), layout.step],
        "first": layout.span[0],
        "ends": layout.columns.ends.tolist(),
        "rows": [[round(row.top, 1), round(row.bottom, 1)] for row in rows],
        "top": rows[0].top if rows else 0.0,
        "band": [band, page.top + layout.bottom],
        "margin": layout.margin + 4,
        "elsewhere": list(elsewhere),
        "search": search,
        "view": str(layout.shown.part),
    }
