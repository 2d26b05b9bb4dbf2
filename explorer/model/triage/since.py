"""Where something that is wrong began, and how that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..iceberg.metadata import Snapshot

Rule = Literal["F", "M", "T", "L"]
"""How a beginning is known: F: an entry or a summary names the commit; M: the first snapshot of the line from which on
it holds; T: the first commit from which the trend stays over the threshold; L: the first metadata file that has it."""


@dataclass(frozen=True, slots=True)
class Since:
    """Where it began.

    Attributes:
        snapshot: the first commit at which it is so; None where no commit that is listed can be named.
        rule: how that is known.
        at_or_before: whether it may have been so earlier, in what is not listed any more.
    """

    snapshot: Snapshot | None
    rule: Rule
    at_or_before: bool = False

    @property
    def words(self) -> str:
        """`since 241`, `at or before 12`, `trend from 220`; of version 1 the end of the id."""
        if self.snapshot is None:
            return "no commit says since when" if self.rule == "L" else "since a commit that is not listed"
        number = self.snapshot.sequence_number
        name = f"{number:,}" if number else f"…{str(self.snapshot.snapshot_id)[-4:]}"
        if self.at_or_before:
            return f"at or before {name}"
        return f"trend from {name}" if self.rule == "T" else f"since {name}"
