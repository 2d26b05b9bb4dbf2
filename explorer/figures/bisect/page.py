"""The page that a bisection is drawn on: its columns, and what is drawn so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...model import formats
from ...model.bisect import words
from ...model.bisect.facts import Bisection, Candidate
from ...model.iceberg.writer import writer
from ..page.hits import commit_meaning
from ..page.scene import Box, Mark, Target
from ..page.sheet import Sheet
from ..page.text import cut, escape
from ..page.theme import SYMBOLS
from .layout import Slot

LEFT, RIGHT = 118.0, 28.0
"""Pixels beside the columns."""


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A bisection, and everything drawn of it so far.

    Attributes:
        columns: from left to right. step: pixels from one to the next.
        candidates: by their places.
    """

    bisection: Bisection
    columns: tuple[Slot, ...] = ()
    step: float = 0.0
    candidates: Mapping[int, Candidate] = field(default_factory=dict)

    def x(self, column: int) -> float:
        """The middle of a column."""
        return LEFT + self.step * (column + 0.5)

    def colour(self, place: int) -> str:
        """Of what the answer at a place is."""
        return {"good": self.theme.ok, "bad": self.theme.error}.get(self.bisection.verdict(place), self.theme.ink_3)

    def commit(self, x: float, y: float, place: int, size: float) -> None:
        """The mark of a commit: filled if it can have changed the answer."""
        theme, snapshot = self.theme, self.bisection.snapshots[place]
        if place in self.candidates:
            hue = theme.operation(snapshot.operation)
            symbol = SYMBOLS.get(snapshot.operation, "hexagon")
            self.symbols.append(Mark(x, y, symbol, size, hue.fill, theme.page, 1))
        else:
            self.symbols.append(Mark(x, y, "circle", size * 0.6, theme.page, theme.edge, 1.4))
        self.targets.append(Target(x, y, commit_meaning(snapshot.snapshot_id), self._hover(place)))
        self.place(str(snapshot.snapshot_id), Box(x - 12, y - 12, x + 12, y + 12))

    def _hover(self, place: int) -> str:
        bisection = self.bisection
        snapshot, candidate, answer = bisection.snapshots[place], self.candidates.get(place), bisection.answer(place)
        kind = " · ".join(filter(None, (snapshot.operation or "operation not recorded", writer(snapshot))))
        can = "cannot have changed the answer" if place else "the good end"
        told = "not read" if answer is None else answer.why_not or words.value(answer)
        lines = [
            f"<b>{escape(words.named(snapshot))}</b> snapshot {snapshot.snapshot_id}",
            escape(cut(kind)),
            formats.instant(snapshot.committed_at),
            escape(words.why(candidate) if candidate else can),
            escape(cut(f"answer: {told}, {bisection.verdict(place)}")),
            "click: select it",
        ]
        return "<br>".join(lines)
