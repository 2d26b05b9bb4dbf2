"""Above and below the pairs: the finding, its circumstances, what cannot be read, the key; what follows, notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ...model import formats
from ...model.deletes import words as deletes_words
from ...model.deletes.words import Outcome
from ..page.canvas import Box, Ink, Type
from ..page.sheet import KeyEntry
from .blocks import partly
from .layout import Layout
from .matrix import ink
from .page import FLOOR, Page

_MISSES = {
    "sequence": "too new for this delete",
    "statistics": "stats: key ranges do not meet",
    "deletion vector": "has DV",
}
_SCOPES = {"spec": "other spec", "partition": "other partition", "path": "names another file", "live": "not live"}


def draw(page: Page, name: str) -> float:
    """Title, second line and what cannot be read, from the top of the page; the page pixel where they end."""
    deletes = page.deletes
    parts = deletes_words.circumstances(deletes, name)
    y = page.heading(deletes_words.title(deletes), parts, deletes_words.evidence(deletes))
    lost = [str(note) for note in deletes.notes if note.certainty == "unknown"]
    for note in lost[: 0 if deletes.unreadable else 3]:  # a hole says why by itself
        y = page.strip(note, y)
    return y


def pairs_key(page: Page, placed: Layout) -> Iterable[KeyEntry]:
    """What occurs among the pairs that are drawn, and no more."""
    decided: dict[Outcome, set[str]] = {}
    lifetimes = {live.file.key: live.file for live in placed.contents.deletes}
    files = {live.file.file_path: live.file for live in placed.contents.files}
    for (key, path), verdict in placed.contents.verdicts.items():
        decided.setdefault(deletes_words.outcome(lifetimes[key], files[path], verdict), set()).add(verdict.decided_by)
    if "reached" in decided:
        yield "reaches it", _swatch(page, ink(page, "reached"))
    misses = decided.get("too new", set()) | decided.get("ruled out", set())
    if misses:
        words = " or ".join(words for name, words in _MISSES.items() if name in misses)
        words = words if placed.words else words.removeprefix("stats: ")
        yield f"in scope, but {words}", _swatch(page, ink(page, "too new"))
    if "out of scope" in decided:
        scopes = _ors(_SCOPES, decided["out of scope"])
        if placed.words:
            style = Type(FLOOR, page.theme.ink_3)
            yield f"out of scope: {scopes}", lambda box: _write(page, box, "path", style)
        else:
            yield f"blank: {scopes}", _swatch(page, Ink(page.theme.grid, 1))
    if "corrupt" in decided:
        yield "corrupt: readers refuse it", _swatch(page, ink(page, "corrupt"))
    if "unknown" in decided:
        yield "unknown", _swatch(page, ink(page, "unknown"))


def blocks_key(page: Page) -> Iterable[KeyEntry]:
    """The key of pairs that are told in sums; numbers are of pairs that are reached."""
    deletes = page.deletes
    pairs = [deletes.groups[b.group].deletes * deletes.partitions[b.partition].files for b in deletes.blocks]
    blocks = [(block, n) for block, n in zip(deletes.blocks, pairs, strict=True) if not block.unknown]
    if any(block.reached == n for block, n in blocks):
        yield "all pairs reached", _swatch(page, ink(page, "reached"))
    if any(0 < block.reached < n for block, n in blocks):
        yield "so many pairs reached", _swatch(page, partly(page))
    if any(not block.reached for block, _ in blocks):
        yield "compared, and none reached", _swatch(page, ink(page, "too new"))
    if len(blocks) < len(pairs):
        yield "some are unknown", _swatch(page, ink(page, "unknown"))
    yield "blank: other partition, spec or path", _swatch(page, Ink(page.theme.grid, 1))


def draw_foot(page: Page, top: float) -> float:
    """What follows, and what is inferred or left out; the page pixel where it ends."""
    notes = [str(note) for note in page.deletes.notes if note.certainty == "inferred"]
    lost = sum(note.certainty == "unknown" for note in page.deletes.notes)
    more = max(len(notes) - 5, 0) + (0 if page.deletes.unreadable else max(lost - 3, 0))
    told = [formats.count(more, "more note") + " in the notes of this answer."] if more else []
    return page.foot(deletes_words.closing(page.deletes), [*notes[:5], *told], top)


def _swatch(page: Page, look: Ink) -> Callable[[Box], None]:
    def paint(box: Box) -> None:
        page.path(look).box(box, 3)

    return paint


def _write(page: Page, box: Box, words: str, style: Type) -> None:
    page.text(box.left - 4, (box.top + box.bottom) / 2, words, style)


def _ors(said: Mapping[str, str], names: Iterable[str]) -> str:
    words = [words for name, words in said.items() if name in names]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
