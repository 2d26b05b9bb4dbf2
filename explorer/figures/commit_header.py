"""Above and below a commit's files: the finding, its circumstances, what contradicts, the key; what follows, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..model import commit_story, formats
from ..model.commit_findings import DELETES, certain_fate, changes_rows_of_replace, masked_rows, tally
from ..model.commit_rows import Fates
from . import text
from .canvas import Box, Ink, Type
from .commit_page import Page
from .theme import blend

_MODE_BAR = 190  # pixels at the right of the first line, where plotly shows its buttons under the pointer


def draw(page: Page, name: str) -> float:
    """Title, second line, contradictions and key from the top of the page; the page pixel where they end."""
    theme, room = page.theme, page.width - 40
    y = 26.0
    for line in text.wrap(commit_story.title(page.commit, page.rows), 17, room - _MODE_BAR, bold=True, lines=3):
        page.text(20, y, line, Type(17, theme.ink, bold=True))
        y += 23
    style = Type(12.5, theme.ink_2)
    for line in text.wrap_parts(commit_story.circumstances(page.commit, page.rows, name), " · ", 12.5, room - 10):
        page.canvas.text("page", 20, y, line, style, "start", markup=_with_evidence(line, page))
        y += 18
    return _draw_key(page, _draw_attention(page, y) + 14)


def _with_evidence(line: str, page: Page) -> str:
    """The evidence word in its colour; it begins the last part, which is ours, never in the table's name."""
    word, phrase = commit_story.evidence(page.commit, page.rows)
    escaped = text.escape(line)
    if not line.endswith(phrase):
        return escaped
    colour = {"exact": page.theme.ok, "inferred": page.theme.attention.text, "unknown": page.theme.error}[word]
    head = escaped[: len(escaped) - len(text.escape(phrase))]
    rest = text.escape(phrase[len(word) :])
    return f'{head}<span style="color:{colour}"><b>{word}</b></span>{rest}'


def _warnings(page: Page) -> list[str]:
    said = []
    if changes_rows_of_replace(page.commit, page.rows):
        said.append(commit_story.closing(page.commit, page.rows)[0])
    found = page.commit.contradictions
    if found:
        said_so = "; ".join(str(c)[:1].lower() + str(c)[1:] for c in found[:3])
        more = f"; {len(found) - 3:,} more" if len(found) > 3 else ""
        said.append(f"The metadata contradicts itself: {said_so}{more}.")
    return said


def _draw_attention(page: Page, y: float) -> float:
    """What must not be overlooked, on a strip with a mark."""
    theme = page.theme
    for warning in _warnings(page):
        lines = text.wrap(warning, 12.5, page.width - 90)
        box = Box(16, y, page.width - 16, y + 12 + 18 * len(lines))
        page.path(Ink(fill=blend(theme.attention.fill, theme.page, 0.16))).box(box)
        page.path(Ink(fill=theme.attention.fill)).box(Box(box.left, box.top, box.left + 5, box.bottom))
        mark = Type(12, theme.attention.on_fill, bold=True)
        page.path(Ink(fill=theme.attention.fill)).box(Box(30, y + 6, 46, y + 24), 3)
        page.canvas.text("page", 38, y + 15, "!", mark)
        for i, line in enumerate(lines):
            page.text(56, y + 15 + 18 * i, line, Type(12.5, theme.ink))
        y = box.bottom + 6
    return y


_Entry = tuple[str, Callable[[Box], None]]


def _draw_key(page: Page, y: float) -> float:
    """What occurs and no more, with its counts; as many lines as it takes."""
    x, style = 20.0, Type(12, page.theme.ink_2)
    entries = list(_entries(page))
    for words, swatch in entries:
        wide = 27 + style.width(words)
        if x > 20 and x + wide > page.width - 16:
            x, y = 20.0, y + 20
        swatch(Box(x, y - 6, x + 19, y + 6))
        page.text(x + 27, y, words, style)
        x += wide + 20
    return y + 16 if entries else y - 6


def _entries(page: Page) -> Iterable[_Entry]:
    commit, theme = page.commit, page.theme
    rows = page.rows if page.rows and page.rows.before_known else None
    if commit.manifests is None:
        return
    if commit.kept.data_files or (rows and any(f.change == "kept" for f in rows.files)):
        yield "file kept", _swatch(page, theme.page, theme.kept_outline)
    totals, data = commit.totals, tally(commit.totals.added, "data") + tally(commit.totals.removed, "data")
    if rows is None:
        certain = certain_fate(commit)
        if data.files and certain:
            yield f"{certain} {data.records:,}", _swatch(page, page.hue(certain).fill)
        elif data.files:
            words = "rows not read" if page.rows is None else "rows new or carried over: unknown"
            yield words, _swatch(page, theme.band, theme.edge)
    else:
        yield from _fates(page, rows.totals)
    if tally(totals.added, *DELETES).files:
        masked = masked_rows(rows) if rows else None
        yield (
            "masked by a delete file" + (f" {masked:,}" if masked else ""),
            _swatch(page, theme.removed.fill),
        )
    if tally(totals.removed, *DELETES).files:
        yield "delete file removed", _swatch(page, theme.page, theme.removed.fill)


def _fates(page: Page, totals: Fates) -> Iterable[_Entry]:
    """What became of rows, with the totals of the commit."""
    theme = page.theme
    if totals.carried_over:
        yield f"carried over {totals.carried_over:,}", _swatch(page, "", theme.edge, hatch=theme.moved.fill)
    for what, n in (("updated", totals.updated), ("deleted", totals.deleted), ("inserted", totals.inserted)):
        if n:
            yield f"{what} {n:,}", _swatch(page, page.hue(what).fill)
    if totals.unseen:
        yield f"not visible before or after {totals.unseen:,}", _swatch(page, theme.band, theme.kept_outline)


def _swatch(page: Page, fill: str, stroke: str = "", *, hatch: str = "") -> Callable[[Box], None]:
    return lambda box: page.fills.add(box, fill, stroke or fill, 1.2, hatch=hatch)


def draw_foot(page: Page, top: float) -> float:
    """What follows from the commit, how to read the picture, what is not known; the page pixel where it ends."""
    theme, room, y = page.theme, page.width - 50, top + 14
    sentences = commit_story.closing(page.commit, page.rows)
    sentences = [s for s in sentences if s not in _warnings(page)]
    for i, sentence in enumerate(sentences):
        style = Type(13, theme.ink if i == 0 else theme.ink_2)
        for line in text.wrap(sentence, 13, room):
            page.text(20, y, line, style)
            y += 19
    y += 4 if sentences else 0
    small = Type(11, theme.ink_3)
    for words in filter(None, [" ".join(page.untold), *_notes(page)]):
        for line in text.wrap(words, 11, room, lines=4):
            page.text(20, y, line, small)
            y += 16
    return y + 2


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
