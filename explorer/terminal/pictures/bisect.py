"""Where an answer changed, in a terminal: the finding, the reads in their order, every change where all was read."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from ...model import formats
from ...model.bisect import words
from ...model.bisect.facts import Bisection, Read
from ...model.printable import DIM, LOUD, ODD, styled

_COLOURS = {"good": "green", "bad": "red", "skipped": "yellow"}
_SIGNS = {"good": "✓", "bad": "✕", "skipped": "?"}


def lines(bisection: Bisection, name: str, limit: int | None = None) -> Iterator[Text]:
    """The reads one below the other as they were made, then what follows.

    Args:
        bisection: what was asked and answered.
        name: the table's.
        limit: at most so many reads, and so many changes; None for all. A cut is said.
    """
    yield styled(words.title(bisection), LOUD)
    yield styled(" · ".join(words.circumstances(bisection, name)))
    yield styled("")
    for line in bisection.sql.splitlines():
        yield styled(f"  {line.rstrip()}", DIM)
    yield styled("")
    shown = bisection.reads[:limit]
    for number, read in enumerate(shown, 1):
        yield _read(bisection, number, read)
    yield from _more(len(bisection.reads) - len(shown), "read")
    if bisection.every:
        changes = words.changes(bisection)
        yield styled("")
        yield styled(f"{formats.count(len(changes), 'change')} of the answer")
        for change in changes[:limit]:
            yield styled(f"  {change}")
        yield from _more(len(changes) - len(changes[:limit]), "change")
    yield styled("")
    for sentence in words.closing(bisection):
        yield styled(sentence)
    for note in words.notes(bisection):
        yield styled(str(note), ODD if note.certainty == "inferred" else DIM)


def _read(bisection: Bisection, number: int, read: Read) -> Text:
    snapshot, verdict = bisection.snapshots[read.place], bisection.verdict(read.place)
    which = {1: "the good end", 2: "the bad end"}.get(number, snapshot.operation or "operation not recorded")
    size = formats.size(bisection.price.admitted[read.place])
    told = read.answer.why_not or words.value(read.answer)
    return Text.assemble(
        styled(f"{number:>4}  "),
        styled(f"{_SIGNS[verdict]} {words.named(snapshot)} {verdict}: {told}", _COLOURS[verdict]),
        styled(f"  {which} · {formats.moment(snapshot.committed_at)} · at most {size}", DIM),
    )


def _more(left: int, unit: str) -> Iterator[Text]:
    if left > 0:
        yield styled(f"      and {formats.count(left, f'more {unit}')}", ODD)
