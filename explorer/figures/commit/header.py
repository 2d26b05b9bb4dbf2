"""Above the files of a commit: the finding, its circumstances, the key, and the metadata's own rewrite boundary.

Which old manifest went into which new one is not recorded, so the dropped and the rewritten ones are told in sums.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...model import formats
from ...model.commit import words as commit_words
from ...model.commit.findings import (
    DELETES,
    certain_outcome,
    changes_rows_of_replace,
    masked_rows,
    tally,
    unread_manifests,
)
from ...model.commit.rows import Outcomes
from ...model.commit.words import short_ids
from ...model.iceberg.commit import Manifests
from ...model.iceberg.inheritance import ListedManifest
from ..page import frame
from ..page.frame import KeyEntry
from ..page.scene import Box, Ink, Rectangle, Type
from ..page.text import escape
from ..page.theme import blend
from . import hits as commit_hits
from .layout import Page


def draw(page: Page, name: str) -> float:
    """Title, second line, contradictions and key from the top of the page; the page pixel where they end."""
    commit, rows = page.commit, page.rows
    parts = commit_words.circumstances(commit, rows, name)
    y = frame.heading(page, commit_words.title(commit, rows), parts, commit_words.evidence(commit, rows))
    for warning in _warnings(page):
        y = frame.strip(page, warning, y)
    return frame.key(page, entries(page), y + 14)


def _warnings(page: Page) -> list[str]:
    sentences = []
    if changes_rows_of_replace(page.commit, page.rows):
        sentences.append(commit_words.closing(page.commit, page.rows)[0])
    found = page.commit.contradictions
    if found:
        contradictions = "; ".join(str(c)[:1].lower() + str(c)[1:] for c in found[:3])
        more = f"; {len(found) - 3:,} more" if len(found) > 3 else ""
        sentences.append(f"The metadata contradicts itself: {contradictions}{more}.")
    return sentences


def entries(page: Page, *, counted: bool = True) -> Iterable[KeyEntry]:
    """What the key tells; with the counts of the commit, or without where it is the key of several."""
    commit, theme = page.commit, page.theme

    def count(n: int) -> str:
        return f" {n:,}" if n and counted else ""

    rows = page.rows if page.rows and page.rows.before_known else None
    if commit.manifests is None:
        return
    if commit.kept.data_files or (rows and any(f.change == "kept" for f in rows.files)):
        yield "file kept", frame.swatch(page, theme.page, theme.kept_outline)
    totals, data = commit.totals, tally(commit.totals.added, "data") + tally(commit.totals.removed, "data")
    if rows is None:
        certain = certain_outcome(commit)
        if data.files and certain:
            yield f"{certain}{count(data.records)}", frame.swatch(page, page.hue(certain).fill)
        elif data.files:
            words = "rows not read" if page.rows is None else "rows new or carried over: unknown"
            yield words, frame.swatch(page, theme.band, theme.edge)
    masked = (masked_rows(rows) if rows else None) or 0
    if rows is not None:
        yield from _outcomes(page, rows.totals, count)
    if tally(totals.added, *DELETES).files and not (rows and masked and masked == rows.totals.deleted):
        yield f"masked by a delete file{count(masked)}", frame.swatch(page, theme.removed.fill)
    if tally(totals.removed, *DELETES).files:
        yield "delete file removed", frame.swatch(page, theme.page, theme.removed.fill)


def _outcomes(page: Page, totals: Outcomes, count: Callable[[int], str]) -> Iterable[KeyEntry]:
    """What became of rows."""
    theme = page.theme
    if totals.carried_over:
        yield f"carried over{count(totals.carried_over)}", frame.swatch(page, "", theme.edge, hatch=theme.moved.fill)
    for what, n in (("updated", totals.updated), ("deleted", totals.deleted), ("inserted", totals.inserted)):
        if n:
            yield f"{what}{count(n)}", frame.swatch(page, page.hue(what).fill)
    if totals.unseen:
        yield f"not visible before or after{count(totals.unseen)}", frame.swatch(page, theme.band, theme.kept_outline)


def draw_foot(page: Page, top: float) -> float:
    """What follows from the commit, how to read the picture, what is not known; the page pixel where it ends."""
    sentences = commit_words.closing(page.commit, page.rows)
    return frame.foot(page, [s for s in sentences if s not in _warnings(page)], notes(page), top)


def notes(page: Page) -> list[str]:
    """What is unknown or inferred, and why; at most six, the others counted."""
    every_note = page.commit.notes + (page.rows.notes if page.rows else ())
    if page.commit.manifests is None:
        return []  # the picture says so where the files would be
    open_ends = [str(note) for note in every_note if note.certainty != "exact"]
    more = (
        [f"{formats.count(len(open_ends) - 6, 'more note')} in the notes of this answer."] if len(open_ends) > 6 else []
    )
    return [*open_ends[:6], *more]


_BOX, _GAP, _BETWEEN, _WIDEST = 40.0, 36.0, 16.0, 176.0
_ALONE = 3  # kept manifests that are drawn one by one, where there is room
_LIST_NAME = re.compile(r"snap-(-?\d+)-(\d+)-[^/]*(\.\w+)$")


Look = Literal["old", "kept", "new", "rewritten", "missing", "lost"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A box: two lines, each in wordings from long to short."""

    head: tuple[str, ...]
    detail: tuple[str, ...]
    look: Look
    hover: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """What stands above and below each other; `kept` runs through both rows."""

    before: Cell | None = None
    after: Cell | None = None
    kept: Cell | None = None
    arrow: str = ""


def draw_metadata(page: Page, top: float) -> float:
    """Draw the band from page pixel `top` down; the page pixel where it ends."""
    theme, before = page.theme, top + 28
    after = before + _BOX + _GAP
    bottom = after + _BOX + 14
    page.path(Ink(fill=theme.panel)).box(Box(page.start + 12, top, page.start + page.wide - 12, bottom))
    page.text(page.start + 20, top + 14, "metadata", Type(12, theme.ink_2))
    for word, y in (("before", before), ("after", after)):
        page.text(page.start + 20, y + _BOX / 2, word, Type(12, theme.ink_2))
    columns = list(_columns(page))
    room = page.right - page.left
    wide = min((room - _BETWEEN * (len(columns) - 1)) / len(columns), _WIDEST)
    spans = [(page.left + i * (wide + _BETWEEN), page.left + i * (wide + _BETWEEN) + wide) for i in range(len(columns))]
    _draw_chains(page, columns, spans, before, after)
    for column, (left, right) in zip(columns, spans, strict=True):
        for cell, y, end in (
            (column.before, before, before + _BOX),
            (column.after, after, after + _BOX),
            (column.kept, before, after + _BOX),
        ):
            if cell is not None:
                _draw_cell(page, cell, Box(left, y, right, end))
        if column.arrow:
            _draw_arrow(page, (left + right) / 2, before + _BOX + 4, after - 3, column.arrow, wide / 2 - 8)
    return bottom


def _columns(page: Page) -> Iterable[Column]:
    manifests = page.commit.manifests
    yield _lists(page)
    if manifests is None:
        return
    alone = _ALONE if page.wide >= 1100 else 1
    if len(manifests.kept) <= alone:
        for m in manifests.kept:
            yield Column(kept=_several([m], "kept", "kept"))
    else:
        yield Column(kept=_several(manifests.kept, "kept", "kept"))
    unread = unread_manifests(page.commit)
    rewritten = [m for m in manifests.new if _is_rewritten(m)]
    dropped = _dropped(page, manifests, bool(rewritten))
    if rewritten or dropped:
        into = _several(rewritten, "rewritten", "rewritten", unread=unread) if rewritten else None
        yield Column(before=dropped, after=into, arrow="rewritten" if into and manifests.dropped else "")
    for content, kind in ((0, "manifest"), (1, "delete manifest")):
        fresh = [m for m in manifests.new if m.content == content and not _is_rewritten(m)]
        if fresh:
            yield Column(after=_several(fresh, "new", "new", kind, unread))


def _is_rewritten(m: ListedManifest) -> bool:
    return bool(m.existing_files_count) or bool(m.deleted_files_count)


def _lists(page: Page) -> Column:
    s, ids = page.commit.snapshot, short_ids(page.commit)
    if s.parent_id is None:
        before = Cell(("no parent",), ("the first snapshot", "first snapshot"), "missing")
    elif page.commit.parent_state == "expired":
        before = Cell(("unknown",), (f"parent {ids[s.parent_id]} expired", "parent expired", "expired"), "missing")
    elif page.commit.manifests is not None and page.commit.manifests.dropped is None:
        before = Cell(("manifest list", "list"), ("cannot be read", "unreadable"), "lost")
    else:
        of = f"of {ids[s.parent_id]}"
        before = Cell(("manifest list", "list"), (of,), "old", f"<b>manifest list of the parent</b><br>{s.parent_id}")
    if s.manifest_list is None:
        after = Cell(("no manifest list", "no list"), ("in the metadata file", "metadata file"), "new")
    elif page.commit.manifests is None:
        why = f"<b>cannot be read</b><br>{escape(s.manifest_list[-100:])}"
        after = Cell(("manifest list", "list"), ("cannot be read", "unreadable"), "lost", why)
    else:
        match = _LIST_NAME.search(s.manifest_list)
        name = f"snap-{ids[s.snapshot_id]}-{match[2]}{match[3]}" if match else s.manifest_list.rsplit("/", 1)[-1]
        hover = f"<b>manifest list, new</b><br>{escape(s.manifest_list[-100:])}"
        after = Cell(("manifest list: new", "list: new"), (name, f"of {ids[s.snapshot_id]}"), "new", hover)
    return Column(before=before, after=after)


def _dropped(page: Page, manifests: Manifests, rewritten: bool) -> Cell | None:
    if manifests.dropped is None:
        why = "parent expired" if page.commit.parent_state == "expired" else "parent's list unread"
        return Cell(("unknown",), (why, "before"), "missing") if rewritten else None
    if not manifests.dropped:
        return None
    return _several(manifests.dropped, "old", "" if rewritten else "not listed any more")


def _several(
    listed: Sequence[ListedManifest],
    look: Look,
    word: str,
    unit: str = "manifest",
    unread: Collection[str] = (),
) -> Cell:
    n = len(listed)
    count = unit if n == 1 else formats.count(n, unit)
    short = "deletes" if unit != "manifest" else "manifest" if n == 1 else f"{formats.compact(n)} m."
    head: tuple[str, ...] = (count, f"{formats.compact(n)} manif.", formats.compact(n))
    if look == "kept":
        head = (f"{count} kept", f"{formats.compact(n)} kept")
    elif look == "new":
        head = (f"{count}: new", f"{short}: new", "new")
    detail = _counts(listed, by_kind=look in ("new", "rewritten"))
    if word == "not listed any more":
        detail = ("not listed any more", "dropped")
    unreadable = [m for m in listed if m.path in unread]
    if unreadable:
        detail, look = (f"{len(unreadable):,} cannot be read", "unreadable"), "lost"
    what = {"old": "of the parent, not listed any more", "rewritten": "written again, with entries of old ones"}
    return Cell(head, detail, look, commit_hits.manifests(what.get(look, look), listed))


def _counts(listed: Sequence[ListedManifest], *, by_kind: bool) -> tuple[str, ...]:
    """`13 existing, 2 deleted` of what the commit wrote, `15 entries` of the rest."""
    columns = {
        "added": [m.added_files_count for m in listed],
        "existing": [m.existing_files_count for m in listed],
        "deleted": [m.deleted_files_count for m in listed],
    }
    if any(None in counts for counts in columns.values()):
        return ("entries not counted", "not counted")
    sums = {word: sum(c for c in counts if c is not None) for word, counts in columns.items()}
    if not by_kind:
        live = sums["added"] + sums["existing"]
        return (f"{formats.count(live, 'live file')}", f"{formats.compact(live)} files", formats.compact(live))
    parts = {word: n for word, n in sums.items() if n}
    long = ", ".join(f"{n:,} {word}" for word, n in parts.items())
    short = ", ".join(f"{formats.compact(n)} {word}" for word, n in parts.items())
    signs = {"added": "+", "existing": "=", "deleted": "−"}
    return (
        (long, short, " ".join(f"{signs[word]}{formats.compact(n)}" for word, n in parts.items()))
        if parts
        else ("empty",)
    )


def _draw_chains(
    page: Page, columns: Sequence[Column], spans: Sequence[tuple[float, float]], before: float, after: float
) -> None:
    """A manifest list names the manifests of its row."""
    for y, row in ((before, "before"), (after, "after")):
        chain = [s for c, s in zip(columns, spans, strict=True) if getattr(c, row) is not None or c.kept is not None]
        for (_, a), (b, _) in itertools.pairwise(chain):
            page.path(Ink(page.theme.edge, 1.2)).move(a, y + _BOX / 2).line(b, y + _BOX / 2)


def _draw_cell(page: Page, cell: Cell, box: Box) -> None:
    theme = page.theme
    strong = cell.look in ("new", "rewritten")
    if cell.look == "missing":
        page.path(Ink(theme.edge, 1.4, theme.panel, dash="2px,3px")).box(box)
    elif cell.look == "rewritten":
        page.fills.append(Rectangle(box, theme.page))
        page.fills.append(Rectangle(box, hatch=theme.moved.fill))
        page.cells.append(Rectangle(box, stroke=theme.edge, stroke_width=1.4, hover=cell.hover))
    else:
        fill = {"new": blend(theme.added.fill, theme.page, 0.14), "lost": blend(theme.attention.fill, theme.page, 0.2)}
        stroke = {"new": theme.added.fill, "kept": theme.kept_outline, "lost": theme.attention.fill}
        page.fills.append(Rectangle(box, fill.get(cell.look, theme.page)))
        page.cells.append(Rectangle(box, stroke=stroke.get(cell.look, theme.edge), stroke_width=1.6, hover=cell.hover))
    middle, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    room = box.right - box.left - 6
    for wordings, shift, style in (
        (cell.head, -9, Type(11.5, theme.ink if strong else theme.ink_2, bold=strong)),
        (cell.detail, 9, Type(10.5, theme.ink_2)),
    ):
        if cell.look == "rewritten":
            page.plaque(middle, y + shift, wordings, style, room)
        else:
            page.canvas.text("page", middle, y + shift, page.canvas.fitting(wordings, style, room), style)


def _draw_arrow(page: Page, x: float, top: float, bottom: float, words: str, room: float) -> None:
    theme = page.theme
    page.path(Ink(theme.ink_2, 1.4)).move(x, top).line(x, bottom - 5)
    page.path(Ink(fill=theme.ink_2)).move(x - 4, bottom - 7).line(x + 4, bottom - 7).line(x, bottom).close()
    style = Type(11, theme.ink_2)
    if style.width(words) <= room:
        page.text(x + 8, (top + bottom) / 2, words, style)
