"""What every part of the picture of retries draws on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.retries.facts import Attempt, Retries
from ..page.sheet import Sheet
from .view import Line


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The attempts of commits, and everything drawn of them so far.

    Attributes:
        chosen: the commit whose attempts are drawn one by one; None if there is no commit.
        ids: short ids of all snapshots.
    """

    retries: Retries
    lines: list[Line]
    chosen: Attempt | None
    ids: Mapping[int, str]
