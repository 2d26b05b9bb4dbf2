"""What every part of the picture of retries draws on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...model.retries.facts import Attempt, Retries
from ..page.canvas import Box
from ..page.sheet import Sheet
from .view import Line


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The attempts of commits, and everything drawn of them so far.

    Attributes:
        chosen: the commit whose attempts are drawn one by one; None if there is no commit.
        ids: short ids of all snapshots.
        places: by snapshot id as text, the boxes of its line, for the ring of the selection.
    """

    retries: Retries
    lines: list[Line]
    chosen: Attempt | None
    ids: Mapping[int, str]
    places: dict[str, list[list[float]]] = field(default_factory=dict)

    def place(self, snapshot_id: int, box: Box) -> None:
        """Remember where a commit is drawn."""
        self.places.setdefault(str(snapshot_id), []).append([round(edge, 1) for edge in box])
