"""A file of a table that could not be read, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be read.

    Attributes:
        path: its location as the metadata names it.
        kind: `missing`: not there; `refused`: the storage said no, or nothing; `damaged`: there, but its content is not
            readable.
        reason: a sentence for the person.
    """

    path: str
    kind: Literal["missing", "refused", "damaged"]
    reason: str
