"""Rows of one fate: of as many rows as the history has, those to which the same happened, as far as is known."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from .facts import Biography, EventKind, Life, Span

Signature = tuple[tuple[tuple[int, int, EventKind, str], ...], tuple[tuple[int, Span], ...]]


@dataclass(frozen=True, slots=True)
class Fate:
    """What happened to one row, or to several in the same way.

    Attributes:
        lives: in order; never empty.
        number: of the fate, from 0, in the order of `fates`.
    """

    number: int
    lives: tuple[Life, ...]

    @property
    def example(self) -> Life:
        """The first of them."""
        return self.lives[0]


def fates(biography: Biography) -> tuple[Fate, ...]:
    """All fates: first those that ended, which are what is looked for; then those of most events, then of most rows."""
    found: dict[Signature, list[Life]] = defaultdict(list)
    for life in biography.lives:
        found[_signature(life)].append(life)
    ordered = sorted(
        found.values(),
        key=lambda lives: (not _has_ended(lives[0]), -len(lives[0].events), -len(lives), lives[0].number),
    )
    return tuple(Fate(number, tuple(lives)) for number, lives in enumerate(ordered))


def _has_ended(life: Life) -> bool:
    """Whether it was deleted on the line that was asked about."""
    return any(event.kind == "DELETED" for event in life.on(0)[-1:])


def _signature(life: Life) -> Signature:
    return tuple((event.line, event.place, event.kind, event.how) for event in life.events), life.doubts
