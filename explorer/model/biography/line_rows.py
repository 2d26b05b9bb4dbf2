"""A line with the rows that are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .facts import Line, RowVersion
from .pairs import Trust


@dataclass(frozen=True)
class LineRows:
    """A line with its rows.

    Attributes:
        versions: of all rows in question.
        trust: by place, what row ids tell at that commit; `none` of places that are not in it.
        writes: places at which data files were added: there a row that is gone may be one that came.
        takes: places at which data files were removed, or deletes added: there a row that came may be one that is gone.
        holes: places at which data files or deletes came or went that cannot be read.
        expired: of `words.expired_commit`, by sequence number.
    """

    line: Line
    versions: tuple[RowVersion, ...]
    trust: Mapping[int, Trust] = field(default_factory=dict)
    writes: frozenset[int] = frozenset()
    takes: frozenset[int] = frozenset()
    holes: frozenset[int] = frozenset()
    expired: Mapping[int, str] = field(default_factory=dict)
