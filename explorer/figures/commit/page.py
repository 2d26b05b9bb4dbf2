"""What every part of a commit's picture draws on, and the words that several parts use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...model import formats
from ...model.commit.rows import CommitRows
from ...model.iceberg.commit import Commit
from ...model.iceberg.inheritance import ContentKind
from ..page.canvas import Box, Type
from ..page.delete_pill import pill
from ..page.sheet import Sheet
from ..page.theme import Hue

GUTTER = 104.0  # pixels at the left, where the rows of the picture are named
LINE, SMALL = 15.0, 11.0  # pixels from line to line of words at a mark, and their size


def summed(side: str, group: str) -> str:
    """The name of a place where several files of a group are told as one."""
    return f"sum {side} {group}"


def wordings(n: int, unit: str) -> list[str]:
    """`412,300 rows`, shorter and shorter."""
    units = unit if n == 1 else formats.plural(unit)
    return [f"{n:,} {units}", f"{formats.compact(n)} {units}", formats.compact(n)]


@dataclass(frozen=True, slots=True)
class Lines:
    """The horizontal lines of the files, in page pixels: top and bottom of the bars above and below the boundary."""

    before: tuple[float, float]
    boundary: float
    after: tuple[float, float]


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """A commit, and everything drawn of it so far; its files are the page's cells.

    Attributes:
        names: short names of the files that are drawn one by one.
    """

    commit: Commit
    rows: CommitRows | None
    names: dict[str, str] = field(default_factory=dict)

    @property
    def left(self) -> float:
        """Page pixel where pictures begin, right of the names of rows."""
        return GUTTER if self.width >= 900 else 94.0

    @property
    def right(self) -> float:
        """Page pixel where pictures end."""
        return self.width - 24.0

    def hue(self, what: str) -> Hue:
        """The hue of a fate."""
        theme = self.theme
        return {"inserted": theme.added, "updated": theme.changed, "deleted": theme.removed}.get(what, theme.moved)

    def tear(self, box: Box) -> None:
        """`//` on both ends of a block: not to scale. As text, which lies above blocks."""
        for y in (box.top, box.bottom):
            self.canvas.text("page", box.right - 18, y, "//", Type(13.5, self.theme.ink_3))

    def pill(self, x: float, y: float, kind: ContentKind, *, filled: bool, count: int = 1) -> Box:
        """A delete file's mark that begins at x; outlined if it was removed."""
        return pill(self, x, y, kind, self.theme.removed, filled=filled, count=count)

    def plaque(
        self, x: float, y: float, candidates: Sequence[str], style: Type, room: float, least: float = 0.0
    ) -> Box:
        """Words on a piece of page, over whatever lies there, in at most `room` pixels.

        They are centred at x, or further right if they would begin left of `least`.
        """
        words = self.canvas.fitting(candidates, style, room - 8)
        wide = style.width(words) + 8
        x = max(x, least + wide / 2)
        box = Box(x - wide / 2, y - style.size * 0.72, x + wide / 2, y + style.size * 0.72)
        self.fills.add(box, self.theme.page)
        self.canvas.text("page", x, y, words, style)
        return box
