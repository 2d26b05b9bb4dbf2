"""What every part of the picture of entries draws on."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.entries.facts import Entries
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
    """

    entries: Entries
    contents: Contents
    columns: Columns
    rows: list[list[Row]]
    list_names: dict[str, str]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """From top to bottom."""
        return self.contents.blocks
