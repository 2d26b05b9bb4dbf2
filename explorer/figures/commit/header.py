"""Above and below a commit's files: the finding, its circumstances, what contradicts, the key; what follows, notes."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import formats
from ...model.commit import words as commit_words
from ...model.commit.findings import DELETES, certain_outcome, changes_rows_of_replace, masked_rows, tally
from ...model.commit.rows import Outcomes
from ..page.sheet import KeyEntry
from .page import Page


def draw(page: Page, name: str) -> float:
    """Title, second line, contradictions and key from the top of the page; the page pixel where they end."""
    commit, rows = page.commit, page.rows
    parts = commit_words.circumstances(commit, rows, name)
    y = page.heading(commit_words.title(commit, rows), parts, commit_words.evidence(commit, rows))
    for warning in _warnings(page):
        y = page.strip(warning, y)
    return page.key(_entries(page), y + 14)


def _warnings(page: Page) -> list[str]:
    said = []
    if changes_rows_of_replace(page.commit, page.rows):
        said.append(commit_words.closing(page.commit, page.rows)[0])
    found = page.commit.contradictions
    if found:
        said_so = "; ".join(str(c)[:1].lower() + str(c)[1:] for c in found[:3])
        more = f"; {len(found) - 3:,} more" if len(found) > 3 else ""
        said.append(f"The metadata contradicts itself: {said_so}{more}.")
    return said


def _entries(page: Page) -> Iterable[KeyEntry]:
    commit, theme = page.commit, page.theme
    rows = page.rows if page.rows and page.rows.before_known else None
    if commit.manifests is None:
        return
    if commit.kept.data_files or (rows and any(f.change == "kept" for f in rows.files)):
        yield "file kept", page.swatch(theme.page, theme.kept_outline)
    totals, data = commit.totals, tally(commit.totals.added, "data") + tally(commit.totals.removed, "data")
    if rows is None:
        certain = certain_outcome(commit)
        if data.files and certain:
            yield f"{certain} {data.records:,}", page.swatch(page.hue(certain).fill)
        elif data.files:
            words = "rows not read" if page.rows is None else "rows new or carried over: unknown"
            yield words, page.swatch(theme.band, theme.edge)
    masked = (masked_rows(rows) if rows else None) or 0
    if rows is not None:
        yield from _outcomes(page, rows.totals)
    if tally(totals.added, *DELETES).files and not (rows and masked and masked == rows.totals.deleted):
        yield "masked by a delete file" + (f" {masked:,}" if masked else ""), page.swatch(theme.removed.fill)
    if tally(totals.removed, *DELETES).files:
        yield "delete file removed", page.swatch(theme.page, theme.removed.fill)


def _outcomes(page: Page, totals: Outcomes) -> Iterable[KeyEntry]:
    """What became of rows, with the totals of the commit."""
    theme = page.theme
    if totals.carried_over:
        yield f"carried over {totals.carried_over:,}", page.swatch("", theme.edge, hatch=theme.moved.fill)
    for what, n in (("updated", totals.updated), ("deleted", totals.deleted), ("inserted", totals.inserted)):
        if n:
            yield f"{what} {n:,}", page.swatch(page.hue(what).fill)
    if totals.unseen:
        yield f"not visible before or after {totals.unseen:,}", page.swatch(theme.band, theme.kept_outline)


def draw_foot(page: Page, top: float) -> float:
    """What follows from the commit, how to read the picture, what is not known; the page pixel where it ends."""
    sentences = commit_words.closing(page.commit, page.rows)
    return page.foot([s for s in sentences if s not in _warnings(page)], _notes(page), top)


def _notes(page: Page) -> list[str]:
    """What is unknown or inferred, and why; at most six, the others counted."""
    told = page.commit.notes + (page.rows.notes if page.rows else ())
    if page.commit.manifests is None:
        return []  # the hole in the picture says it
    open_ends = [str(note) for note in told if note.certainty != "exact"]
    more = (
        [f"{formats.count(len(open_ends) - 6, 'more note')} in the notes of this answer."] if len(open_ends) > 6 else []
    )
    return [*open_ends[:6], *more]
