"""The numbers of two points side by side: what a reader opens and holds, and how it changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..iceberg.inheritance import ListedManifest
from ..iceberg.metadata import Snapshot

Unit = Literal["", "bytes"]
Listed = Sequence[ListedManifest] | None
"""Rows of a manifest list; None if it cannot be read."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of both points; None where it is not known.

    Attributes:
        unit: `bytes`, or empty.
        recorded: whether the writers' summaries say so; else it is counted from the manifest lists.
    """

    name: str
    left: int | None
    right: int | None
    unit: Unit = ""
    recorded: bool = False

    @property
    def change(self) -> int | None:
        """What the right side has more."""
        return None if self.left is None or self.right is None else self.right - self.left


def figures(left: Snapshot, right: Snapshot, listed: tuple[Listed, Listed]) -> tuple[Figure, ...]:
    """The numbers of both points: from their manifest lists, and bytes from what their writers recorded.

    Manifests and their bytes are what a reader opens before the first row, so they tell why planning became slow.
    """
    data, deletes = ([_of_content(side, of_data=of_data) for side in listed] for of_data in (True, False))
    recorded = [side.count("total-files-size") for side in (left, right)]

    def of(name: str, sides: Iterable[int | None], unit: Unit = "", *, recorded: bool = False) -> Figure:
        one, other = sides
        return Figure(name, one, other, unit, recorded)

    return (
        of("rows in data files", map(_rows, data)),
        of("data files", map(_files, data)),
        of("delete files", map(_files, deletes)),
        of("positions and keys in delete files", map(_rows, deletes)),
        of("bytes of files", recorded, "bytes", recorded=True),
        of("data manifests", map(_manifests, data)),
        of("delete manifests", map(_manifests, deletes)),
        of("bytes of manifests", (_sum(side, "length") for side in listed), "bytes"),
    )


def _of_content(listed: Listed, *, of_data: bool) -> Listed:
    return None if listed is None else [m for m in listed if (m.content == 0) == of_data]


def _manifests(listed: Listed) -> int | None:
    return None if listed is None else len(listed)


def _files(listed: Listed) -> int | None:
    return _sum(listed, "added_files_count", "existing_files_count")


def _rows(listed: Listed) -> int | None:
    return _sum(listed, "added_rows_count", "existing_rows_count")


def _sum(listed: Listed, *names: str) -> int | None:
    if listed is None:
        return None
    counts: list[int | None] = [getattr(m, name) for m in listed for name in names]
    return None if None in counts else sum(count for count in counts if count is not None)
