"""What every part of the picture of entries draws on."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.entries.facts import Entries
from ..page.canvas import Box
from ..page.sheet import Sheet
from .layout import Columns
from .rows import Row
from .view import Block, Contents

LINE, PAD = 27.0, 5.0  # pixels from line to line in a panel, and above the first and below the last one


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The entries of a snapshot, and everything drawn of them so far.

    Attributes:
        rows: the lines of each block.
        places: by path of a file or manifest, the boxes where it alone is told, for the ring of the selection.
    """

    entries: Entries
    contents: Contents
    columns: Columns
    rows: list[list[Row]]
    list_names: dict[str, str]
    places: dict[str, list[list[float]]] = field(default_factory=dict)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """From top to bottom."""
        return self.contents.blocks

    def place(self, path: str, box: Box) -> None:
        """Remember where a file or a manifest is drawn."""
        self.places.setdefault(path, []).append([round(edge, 1) for edge in box])
