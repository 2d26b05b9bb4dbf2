"""The page that a comparison is drawn on: its two points as discs, its headings, its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...model import formats
from ...model.compare import words
from ...model.compare.facts import Comparison
from ...model.iceberg.metadata import Snapshot
from ..page.fold import Part
from ..page.hits import commit_meaning
from ..page.scene import Box, Ink, Mark, Target, Type
from ..page.sheet import Sheet
from ..page.text import cut, escape, wrap
from ..page.theme import SYMBOLS

Letter = Literal["A", "B"]
_DISC, _MARK = 20.0, 13.0
LINE = 25.0


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """Two points, and everything drawn of them so far.

    Attributes:
        ids: short ids of all snapshots that are told of.
        part: which partitions are drawn, where there is not room for all.
        elsewhere: page pixel of the line that says of a selected snapshot that it is not in the picture, and the room
            that it has at the right end.
    """

    facts: Comparison
    ids: Mapping[int, str]
    part: Part
    elsewhere: tuple[float, float] = (0.0, 0.0)

    def section(self, top: float, title: str, *besides: str) -> float:
        """The heading of a part of the page, beside it the first words that fit; the pixel where its contents begin."""
        style, small = Type(14, self.theme.ink, bold=True), Type(12, self.theme.ink_2)
        box = self.text(20, top + 16, title, style)
        if any(besides):
            left = box.right + 16  # bold words of some fonts are wider than they are taken for
            self.fit(left, top + 17, besides, small, self.width - 20 - left)
        return top + 34

    def hole(self, top: float, *sentences: str) -> float:
        """A place where something is missing, and why; the page pixel where it ends."""
        lines = [line for sentence in sentences for line in wrap(sentence, 12, self.width - 70)]
        box = Box(20, top, self.width - 20, top + 22 + 17 * len(lines))
        self.unreadable(box, lines, Type(12, self.theme.ink_2))
        return box.bottom + 6

    def disc(self, x: float, y: float, letter: Letter) -> None:
        """A point: A is filled, B is hollow."""
        theme, is_left = self.theme, letter == "A"
        self.symbols.append(Mark(x, y, "circle", _DISC, theme.ink if is_left else theme.page, theme.ink, 1.8))
        self.canvas.text("page", x, y, letter, Type(11.5, theme.page if is_left else theme.ink, bold=True))
        snapshot = self.facts.left.snapshot if is_left else self.facts.right.snapshot
        self.answer(x, y, snapshot, letter)

    def commit(self, x: float, y: float, snapshot: Snapshot) -> None:
        """A commit between the points."""
        hue = self.theme.operation(snapshot.operation)
        symbol = SYMBOLS.get(snapshot.operation, "hexagon")
        self.symbols.append(Mark(x, y, symbol, _MARK, hue.fill, self.theme.page, 1.2))
        self.answer(x, y, snapshot, "")

    def answer(self, x: float, y: float, snapshot: Snapshot, letter: str) -> None:
        """A place that selects a snapshot and tells of it."""
        lines = [
            f"<b>{f'{letter}: ' if letter else ''}snapshot</b> {snapshot.snapshot_id}",
            escape(f"{words.name(snapshot, self.ids)} · {snapshot.operation or 'operation not recorded'}"),
            formats.instant(snapshot.committed_at),
            escape(cut(f"{self._counted(snapshot)}")),
            "click: select it",
        ]
        self.targets.append(Target(x, y, commit_meaning(snapshot.snapshot_id), "<br>".join(filter(None, lines))))
        self.place(str(snapshot.snapshot_id), Box(x - 13, y - 13, x + 13, y + 13))

    def _counted(self, snapshot: Snapshot) -> str:
        added, removed = snapshot.count("added-records"), snapshot.count("deleted-records")
        return f"recorded: +{added:,} −{removed:,} rows" if added is not None and removed is not None else ""

    def table(self, top: float, head: Sequence[str], widths: Sequence[float], lines: Sequence[Sequence[Cell]]) -> float:
        """Lines of cells under a head; widths are shares of the page. The page pixel where it ends."""
        room = self.width - 40
        lefts = [20 + room * sum(widths[:i]) for i in range(len(widths))]
        y = top + 4
        for left, words_, share in zip(lefts, head, widths, strict=True):
            self.fit(left, y, [words_], Type(11, self.theme.ink_2), room * share - 10)
        y += 12
        for line in lines:
            self.path(Ink(self.theme.grid, 1)).move(20, y).line(self.width - 20, y)
            for left, cell, share in zip(lefts, line, widths, strict=True):
                self.fit(left, y + LINE / 2, cell.candidates, cell.style, room * share - 10)
            y += LINE
        self.path(Ink(self.theme.grid, 1)).move(20, y).line(self.width - 20, y)
        return y


@dataclass(frozen=True, slots=True)
class Cell:
    """Words of a table, in wordings from long to short."""

    candidates: tuple[str, ...]
    style: Type
