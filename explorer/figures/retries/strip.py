"""The attempts of one commit: those that lost, dashed since they are inferred, the one that won, and its manifests."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import formats
from ...model.iceberg.metadata import Snapshot
from ...model.retries import words as retries_words
from ...model.retries.facts import Attempt
from ...model.retries.words import Try
from ..page.hits import commit_meaning
from ..page.names import file_names
from ..page.scene import Box, Ink, Mark, Rectangle, Type
from ..page.text import wrap
from ..page.theme import blend
from . import hits as retries_hits
from .lines import Page

_HIGH, _RIVAL, _APART = 104.0, 46.0, 34.0  # pixels of a box, of a rival's box, and between the two
_MANIFESTS = 5


def draw(page: Page, attempt: Attempt, top: float) -> float:
    """Draw from page pixel `top` down; the page pixel where it ends."""
    y = _draw_heading(page, attempt, top)
    tries = retries_words.tries(attempt)
    if not tries:
        reason = next((n.reason for n in attempt.notes if n.about == "How often it was tried"), "")
        lines = wrap(reason, 12, page.width - 70)
        box = Box(20, y, page.width - 20, y + 20 + 17 * len(lines))
        page.unreadable(box, lines, Type(12, page.theme.ink_2))
        return box.bottom + 8
    lost = list(tries[:-1])
    alone = 2 if page.width >= 1300 else 1
    shown: list[list[Try]] = [[t] for t in lost] if len(lost) <= alone else [[t] for t in lost[: alone - 1]]
    shown += [lost[len(shown) :]] if len(lost) > alone else []
    gap = 78.0 if page.width >= 1000 else 46.0
    wide = min((page.width - 40 - gap * (len(shown) + 1)) / (len(shown) + 2), 400.0)
    boxes = [Box(20 + i * (wide + gap), y, 20 + i * (wide + gap) + wide, y + _HIGH) for i in range(len(shown) + 2)]
    bottom = boxes[0].bottom
    for tried, box, following in zip(shown, boxes, boxes[1:], strict=False):
        _draw_lost(page, tried, box)
        _draw_arrow(page, box, following, "refresh", page.theme.ink_2)
    if shown:
        bottom = _draw_rivals(page, attempt, shown, boxes[: len(shown)])
    won, manifests = boxes[-2], Box(boxes[-1].left, y, boxes[-1].right, y + _manifests_height(attempt))
    _draw_won(page, attempt, tries[-1], won)
    _draw_manifests(page, attempt, manifests)
    if attempt.origins:
        reused = any(o.before for o in attempt.origins)
        _draw_arrow(page, won, manifests, "reused" if reused else "wrote", page.theme.added.text)
        if reused and shown:
            _draw_reuse(page, boxes[len(shown) - 1], won, manifests)
    return max(bottom, manifests.bottom) + 8


def _draw_heading(page: Page, attempt: Attempt, top: float) -> float:
    theme, y = page.theme, top + 16
    page.path(Ink(theme.grid, 1)).move(20, top).line(page.width - 20, top)
    for line in wrap(retries_words.race_title(attempt, page.ids), 15, page.width - 90, bold=True):
        page.text(20, y + 4, line, Type(15, theme.ink, bold=True))
        y += 22
    s = attempt.snapshot
    parts = [f"snapshot {s.snapshot_id}", formats.instant(s.committed_at)]
    if attempt.was_retried:
        parts.append("lost attempts are drawn from the protocol: what they wrote was deleted")
    for line in wrap(" · ".join(parts), 12, page.width - 50):
        page.text(20, y + 4, line, Type(12, theme.ink_2))
        y += 18
    return y + 12


def _draw_lost(page: Page, tried: Sequence[Try], box: Box) -> None:
    theme, first, last = page.theme, tried[0], tried[-1]
    page.path(Ink(theme.edge, 1.5, theme.page, dash="4px,3px")).box(box)
    page.cells.append(Rectangle(box, hover=retries_hits.tried(last)))
    if len(tried) == 1:
        head, name = retries_words.based_on(first), first.manifest_list
    else:
        numbers = [t.wanted for t in tried if t.wanted is not None]
        wrote = f", wrote {formats.ranges(numbers)}" if numbers else ""
        head = f"attempts {first.number:,}–{last.number:,}{wrote}", f"attempts {first.number:,}–{last.number:,}"
        name = last.manifest_list
    gone = ("deleted after the success", "deleted since", "deleted")
    _draw_words(page, box, head, name or "no manifest list", gone, "lost")


def _draw_won(page: Page, attempt: Attempt, won: Try, box: Box) -> None:
    theme = page.theme
    page.path(Ink(theme.added.fill, 1.8, blend(theme.added.fill, theme.page, 0.12))).box(box, 2)
    meaning = commit_meaning(attempt.snapshot.snapshot_id)
    page.cells.append(Rectangle(box, meaning=meaning, hover=retries_hits.commit(attempt, page.ids)))
    at = retries_words.moment(attempt.snapshot.committed_at)
    head = retries_words.based_on(won)
    _draw_words(page, box, head, won.manifest_list or "no manifest list", [at], "committed")


def _draw_words(page: Page, box: Box, head: Sequence[str], file: str, about: Sequence[str], badge: str) -> None:
    """Head in up to two lines, the manifest list's name, and what became of it beside the badge."""
    theme, lost = page.theme, badge == "lost"
    style = Type(11, theme.error if lost else theme.added.on_fill, bold=True)
    wide = style.width(badge) + 16
    pill = Box(box.right - wide - 10, box.bottom - 28, box.right - 10, box.bottom - 8)
    page.path(Ink(theme.error if lost else theme.added.fill, 1.4, theme.page if lost else theme.added.fill)).box(
        pill, 8
    )
    page.canvas.text("page", (pill.left + pill.right) / 2, (pill.top + pill.bottom) / 2, badge, style)
    room = box.right - box.left - 22
    bold = Type(12.5, theme.ink_2 if lost else theme.ink, bold=True)
    lines = wrap(head[0], 12.5, room - 6, bold=True, lines=2)
    y = box.top + 18
    for line in lines:
        page.text(box.left + 11, y, line, bold)
        y += 18
    faint = theme.ink_3 if lost else theme.ink_2
    page.fit(box.left + 11, box.top + 62, [file], Type(11, faint, mono=True), room)
    page.fit(box.left + 11, box.top + 86, about, Type(11, faint), room - wide - 8)


def _draw_rivals(page: Page, attempt: Attempt, shown: Sequence[Sequence[Try]], lost: Sequence[Box]) -> float:
    """Who took the numbers, below the attempts that wanted them; the page pixel where that ends.

    Where it is not known who won which race, there is one box for all.
    """
    top = lost[0].bottom + _APART
    if all(t.rival is not None for tried in shown for t in tried):
        for tried, above in zip(shown, lost, strict=True):
            rivals = [t.rival for t in tried if t.rival is not None]
            names = [retries_words.named(r, page.ids) for r in rivals]
            words = [f"{', '.join(names)} came first", f"{names[0]} to {names[-1]}", names[-1]]
            taken = [t.wanted for t in tried if t.wanted is not None]
            loss = f"{formats.ranges(taken)} {'is' if len(taken) == 1 else 'are'} taken"
            _draw_rival(page, rivals, words if len(rivals) > 1 else [words[0], names[0]], above, top)
            _draw_loss(page, above, top, loss)
        return top + _RIVAL
    _draw_rival(
        page, attempt.rivals, retries_words.winners(attempt, page.ids), Box(lost[0].left, 0, lost[-1].right, 0), top
    )
    for above in lost:
        _draw_loss(page, above, top, "lost the race")
    return top + _RIVAL


def _draw_rival(page: Page, rivals: Sequence[Snapshot], words: Sequence[str], across: Box, top: float) -> None:
    theme, box = page.theme, Box(across.left, top, across.right, top + _RIVAL)
    if not rivals:
        page.unreadable(box, words[:1], Type(12, theme.ink_2))
        return
    page.path(Ink(theme.edge, 1.4)).box(box, 2)
    last, room = rivals[-1], box.right - box.left - 34
    page.cells.append(Rectangle(box, meaning=commit_meaning(last.snapshot_id), hover=retries_hits.rival(last)))
    page.symbols.append(Mark(box.left + 14, (top + box.bottom) / 2, "circle", 9, theme.operation(last.operation).fill))
    page.fit(box.left + 26, top + 14, words, Type(12, theme.ink), room)
    at = retries_words.moment(last.committed_at)
    when = [f"committed {at}"] if len(rivals) == 1 else [f"the last one at {at}", at]
    page.fit(box.left + 26, top + 32, when, Type(11, theme.ink_2), room)


def _draw_loss(page: Page, lost: Box, top: float, words: str) -> None:
    """An arrow from who came first up to the attempt that lost."""
    theme, x, tip = page.theme, lost.left + 40, lost.bottom + 2
    page.path(Ink(theme.error, 1.8)).move(x, top - 2).line(x, tip + 7)
    page.path(Ink(fill=theme.error)).move(x - 4.5, tip + 8).line(x + 4.5, tip + 8).line(x, tip).close()
    page.fit(x + 11, (top + lost.bottom) / 2, [words], Type(12, theme.error), lost.right - x - 14)


def _draw_arrow(page: Page, start: Box, end: Box, words: str, colour: str) -> None:
    y = start.top + _HIGH / 2
    style = Type(11.5, colour)
    page.path(Ink(colour, 1.5)).move(start.right + 2, y).line(end.left - 7, y)
    page.path(Ink(fill=colour)).move(end.left - 9, y - 4).line(end.left - 9, y + 4).line(end.left - 1, y).close()
    if style.width(words) <= end.left - start.right - 4:
        page.canvas.text("page", (start.right + end.left) / 2, y - 13, words, style)


def _manifests_height(attempt: Attempt) -> float:
    n = len(attempt.origins or ())
    return max(_HIGH, 40 + 20.0 * min(n, _MANIFESTS + 1) + (18 if n > _MANIFESTS else 0))


def _draw_manifests(page: Page, attempt: Attempt, box: Box) -> None:
    theme, origins = page.theme, attempt.origins
    room = box.right - box.left - 22
    if origins is None:
        reason = next((n.reason for n in attempt.notes if n.about == "Manifests that it added"), "not read")
        page.unreadable(box, wrap(f"manifests unknown: {reason}", 12, room), Type(12, theme.ink_2))
        return
    page.path(Ink(theme.kept_outline, 1.5)).box(box, 2)
    head = [f"{formats.count(len(origins), 'manifest')} that it added", formats.count(len(origins), "manifest")]
    page.fit(box.left + 11, box.top + 18, head, Type(12.5, theme.ink, bold=True), room)
    y = box.top + 44
    short = file_names((origin.manifest.path, None) for origin in origins[:_MANIFESTS])
    for origin in origins[:_MANIFESTS]:
        words = retries_words.origin_words(origin, attempt)
        style = Type(11.5, theme.added.text if origin.before else theme.ink if origin.before is False else theme.ink_3)
        shown = page.canvas.fitting(words, style, room * 0.6)
        page.canvas.text("page", box.right - 10, y, shown, style, "end")
        name = origin.manifest.path.rsplit("/", 1)[-1].removesuffix(".avro")
        mono = Type(11, theme.ink, mono=True)
        page.fit(box.left + 11, y, [name, short[origin.manifest.path, None]], mono, room - style.width(shown) - 10)
        page.cells.append(
            Rectangle(Box(box.left + 2, y - 10, box.right - 2, y + 10), hover=retries_hits.origin(origin, attempt))
        )
        y += 20
    if len(origins) > _MANIFESTS:
        page.text(box.left + 11, y, f"and {len(origins) - _MANIFESTS:,} more", Type(11.5, theme.ink_3))


def _draw_reuse(page: Page, lost: Box, won: Box, manifests: Box) -> None:
    """The same files stood in the list of an attempt that lost."""
    theme, x, y, end = page.theme, lost.right, lost.bottom - 12, manifests.left
    low = won.bottom + 26
    page.path(Ink(theme.edge, 1.4, dash="4px,3px")).move(x, y).curve(x + 60, low, end - 60, low, end, y)
    page.canvas.text("page", (won.left + won.right) / 2, low + 8, "same manifest files", Type(11, theme.ink_2))
