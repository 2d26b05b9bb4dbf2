"""What a search found: one meaning of the text that was looked for, and the others that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["branch", "tag", "sequence number", "snapshot id", "time", "condition", "partition", "file"]

MOST_OTHERS = 20
"""Other meanings that are offered; a part of a path can be that of a million files."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a text means.

    Attributes:
        kind: as what it was understood.
        words: what was found, for a list: `6 …9118, overwrite of 18 Nov 2026 13:40`.
        snapshot_id: of a branch, tag, sequence number, id or time; None of all others.
        partition: spec id and partition, such as `(0, "region=EU")`.
        file_path: of a data or delete file; content_offset of a deletion vector in it.
        condition: SQL over the columns of the current schema, as `Table.biography` takes it.
        others: what else the text may mean, in the order in which meanings are preferred; at most `MOST_OTHERS`.
        more: how many meanings there are besides these.
    """

    kind: Kind
    words: str
    snapshot_id: int | None = None
    partition: tuple[int, str] | None = None
    file_path: str | None = None
    content_offset: int | None = None
    condition: str | None = None
    others: tuple[Found, ...] = ()
    more: int = 0


def preferred(meanings: Sequence[Found], more: int = 0) -> Found | None:
    """The first of several meanings with the others that lead elsewhere; None of none.

    Args:
        meanings: in the order in which they are preferred.
        more: how many there are that are not among them.
    """
    if not meanings:
        return None
    elsewhere: dict[int | Found, Found] = {}
    for found in meanings:
        elsewhere.setdefault(found if found.snapshot_id is None else found.snapshot_id, found)
    others = tuple(elsewhere.values())[1:]
    shown = others[:MOST_OTHERS]
    return replace(meanings[0], others=shown, more=more + len(others) - len(shown))


@dataclass(frozen=True, slots=True)
class Missed:
    """Why a text names nothing that is listed.

    Attributes:
        found: what there is instead and how that is known, a sentence; empty if there is nothing to say.
        nearest: what is closest to it.
        is_commit: whether it can have meant nothing but a commit, so that no file needs to be read.
    """

    found: str
    nearest: tuple[Found, ...] = ()
    is_commit: bool = False
