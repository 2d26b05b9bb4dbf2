"""What every part of the picture of deletes draws on: the page, where rows and columns lie, what clicks mean."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ...model.deletes.facts import DeleteGroup, Deletes
from ...model.iceberg.delete_scope import DeleteFile, DeleteKey
from ..page.canvas import Box, Ink, Type
from ..page.sheet import Sheet
from ..page.theme import blend

SMALL = 11.0
FLOOR = 10.5  # the smallest text
ROOMY = 900  # pixels of a page from which on there is room for scopes and verdicts


def partition_meaning(spec_id: int, partition: str) -> str:
    """What a click on a partition means whose pairs are not at hand."""
    return "partition " + json.dumps([spec_id, partition])


def delete_place(key: DeleteKey) -> str:
    """The name of a delete among the rows of the picture."""
    return f"{'' if key[1] is None else key[1]} {key[0]}"


def group_place(group: DeleteGroup | DeleteFile) -> str:
    """The name of a group of deletes among the rows, and of the group that a delete is in."""
    partition = "" if group.scope == "every file" else group.partition
    return f"{group.kind} {group.scope} {group.spec_id} {partition}"


def partition_place(spec_id: int, partition: str) -> str:
    """The name of a partition among the columns of the picture."""
    return f"{spec_id} {partition}"


@dataclass(frozen=True, slots=True)
class Margins:
    """Page pixels of what stands beside the cells.

    Attributes:
        name, threshold, scope: where the words of a row begin; those of the threshold end there. No scope if None.
        left: where cells begin; `verdict` where verdicts do, up to `end`.
    """

    name: float
    threshold: float
    scope: float | None
    left: float
    verdict: float
    end: float


@dataclass(slots=True, kw_only=True)
class Page(Sheet):
    """The deletes of a snapshot, and everything drawn of them so far.

    Attributes:
        rows: by `delete_place` or `group_place`, top and bottom in page pixels.
        columns: by path of a data file or `partition_place`, left and right.
        keys: deletes that a click may name; `paths` likewise of data files.
        top: where the columns begin; `bottom` where they end.
    """

    deletes: Deletes
    rows: dict[str, list[float]] = field(default_factory=dict)
    columns: dict[str, list[float]] = field(default_factory=dict)
    keys: dict[DeleteKey, int] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)
    top: float = 0.0
    bottom: float = 0.0

    @property
    def roomy(self) -> bool:
        """Whether there is room for scopes and for verdicts in words."""
        return self.width >= ROOMY

    def pair_meaning(self, delete: DeleteKey | None, path: str | None) -> str:
        """What a click on a delete, a data file, or a pair of them means: their places, since paths are long."""
        first = "" if delete is None else self.keys.setdefault(delete, len(self.keys))
        second = "" if path is None else self.paths.setdefault(path, len(self.paths))
        return f"pair {first} {second}"

    @property
    def ground(self) -> Ink:
        """Below everything else, where a delete reaches nothing."""
        return Ink(fill=blend(self.theme.attention.fill, self.theme.page, 0.14))

    def rule(self, left: float, right: float, y: float) -> None:
        """A thin line."""
        self.path(Ink(self.theme.edge, 1)).move(left, y).line(right, y)

    def link(self, x: float, y: float, words: str, meaning: str, hover: str) -> float:
        """Words that open something; the page pixel where they end."""
        box = self.text(x, y, words, Type(SMALL, self.theme.ink, bold=True))
        self.cells.add(Box(box.left, y - 12, box.right, y + 12), meaning=meaning, hover=hover)
        return box.right
