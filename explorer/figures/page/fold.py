"""Which part of a picture is drawn, where there is not room for all of it: written into a click, read from one."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a picture: what comes from one place on, of the whole or inside of what a click opened.

    Attributes:
        first: the place of the first one that is drawn.
        opened: what was opened, in the words of its picture: a path, a partition, a range; empty for the whole.
    """

    first: int = 0
    opened: str = ""

    @classmethod
    def parse(cls, text: str) -> Part:
        """What `str` of a part gave; the whole for anything else."""
        match = re.fullmatch(r"from ([0-9]{1,9})(?: in (.+))?", text, re.DOTALL)
        return cls(int(match[1]), match[2] or "") if match else cls()

    def __str__(self) -> str:
        if self.opened:
            return f"from {self.first} in {self.opened}"
        return f"from {self.first}" if self.first else ""

    @classmethod
    def of_partition(cls, spec_id: int, partition: str) -> Part:
        """One partition of one spec."""
        return cls(opened=f"{spec_id} {partition}")

    @property
    def partition(self) -> tuple[int, str] | None:
        """Spec id and partition that were opened; None if none was."""
        spec_id, space, partition = self.opened.partition(" ")
        return (int(spec_id), partition) if space and re.fullmatch("[0-9]{1,9}", spec_id) else None

    @classmethod
    def of_range(cls, first: int, start: int, end: int) -> Part:
        """What comes from one place on, between two places of something else: keys of these commits."""
        return cls(first, f"{start}-{end}")

    @property
    def range(self) -> tuple[int, int] | None:
        """The two places that were opened; None if none were."""
        match = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", self.opened)
        return (int(match[1]), int(match[2])) if match else None
