"""Partitions as rows of a table, where what lies in them is told in sums: which rows a page shows, which it does not.

Only those that have something to tell, the worst first, unless a person searches, sorts, or asks for all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from . import formats
from .partition_order import Place, matching
from .words import partition_fields, partition_name, partition_values

Sort = Literal["worst", "name", "number"]
"""`name` is the order of `partition_order`, dates from the newest down; `number`: oldest live data first."""

_UNITS = {r"\d{4}-\d\d-\d\d": "day", r"\d{4}-\d\d": "month", r"\d{4}-\d\d-\d\d-\d\d": "hour"}


class PartitionRow(Place, Protocol):
    """What a row is chosen and sorted by."""

    @property
    def tells(self) -> bool:
        """Whether it has something to tell."""

    @property
    def badness(self) -> tuple[int, ...]:
        """The larger, the worse."""

    @property
    def oldest(self) -> int | None:
        """The smallest data sequence number of its live data files; None if it has none, or none is known."""


R = TypeVar("R", bound=PartitionRow)


@dataclass(frozen=True, slots=True)
class Shown(Generic[R]):
    """The rows of a page, and those that are not on it. All of them together are all rows.

    Attributes:
        page: from the place `first` of those that are listed.
        elsewhere: listed on other pages.
        others: not listed: they have nothing to tell, or are not searched for.
        search: the words that listed ones have in their names; empty if all were looked at.
        everything: whether those that have nothing to tell are listed too.
    """

    page: tuple[R, ...]
    first: int
    elsewhere: tuple[R, ...]
    others: tuple[R, ...]
    search: str = ""
    everything: bool = False

    @property
    def listed(self) -> int:
        """How many are on any page."""
        return len(self.page) + len(self.elsewhere)


def shown(
    rows: Sequence[R], most: int, *, first: int = 0, search: str = "", sort: Sort = "worst", everything: bool = False
) -> Shown[R]:
    """A page of at most so many rows.

    Args:
        rows: in the order of `partition_order`.
        most: on a page.
        first: place of its first row among those listed; 0 if there is no such place.
        search: words of which each stands in the name of a row that is listed, whether or not it has something to tell.
        sort: order of the rows.
        everything: list those too that have nothing to tell.
    """
    search = search.strip()
    found = set(matching(rows, search)) if search else {i for i, r in enumerate(rows) if everything or r.tells}
    listed = [row for i, row in enumerate(rows) if i in found]
    if sort == "worst":
        listed.sort(key=lambda row: tuple(-n for n in row.badness))
    elif sort == "number":
        listed.sort(key=lambda row: (row.oldest is None, row.oldest or 0))
    first = first if first < len(listed) else 0
    return Shown(
        tuple(listed[first : first + most]),
        first,
        (*listed[:first], *listed[first + most :]),
        tuple(row for i, row in enumerate(rows) if i not in found),
        search,
        everything,
    )


@dataclass(frozen=True, slots=True)
class Naming:
    """What partitions of a table are called; looked up once, since there may be thousands of them.

    Attributes:
        unit: `day`, `month` or `hour` where that is all that tells them apart; else `partition`.
        with_spec: whether they are of several specs.
        recorded: specs of which one has a value.
    """

    unit: str
    with_spec: bool
    recorded: frozenset[int]

    @classmethod
    def of(cls, rows: Sequence[Place]) -> Naming:
        """Of all these partitions."""
        recorded = frozenset(row.spec_id for row in rows if row.partition)
        return cls(_unit(rows), len({row.spec_id for row in rows}) > 1, recorded)

    def names(self, row: Place) -> list[str]:
        """What one is called, from the longest wording to the shortest; with its spec where specs differ.

        A partition without a field, in a spec in which others have some, is one whose values are not recorded: it is
        not that of nulls.
        """
        if not row.partition and row.spec_id in self.recorded:
            return [f"values not recorded (spec {row.spec_id})", "values not recorded"]
        whole, values = partition_name(row.spec_id, row.partition), partition_values(row.partition)
        spec = [partition_name(row.spec_id, row.partition, with_spec=True)] if self.with_spec else []
        return [*spec, whole, values]


def _unit(rows: Sequence[Place]) -> str:
    values = {tuple(value for _, value in partition_fields(row.partition)) for row in rows}
    known = [value[0] for value in values if len(value) == 1 and value != ("null",)]
    if not known or any(len(value) != 1 for value in values):
        return "partition"
    return next((name for form, name in _UNITS.items() if all(re.fullmatch(form, v) for v in known)), "partition")


def page_words(shown: Shown[R], unit: str, told: str) -> str:
    """Which of them the page shows: `days 1–13 of 19 with deletes`; `told` says what those have that are listed."""
    which = f"found by “{shown.search}”" if shown.search else "" if shown.everything else told
    units = formats.plural(unit) if len(shown.page) > 1 else unit
    if not shown.listed:
        return f"no {unit} {which}".strip()
    if not shown.elsewhere:
        return f"all {formats.count(shown.listed, unit)} {which}".strip() if shown.listed > 1 else f"1 {unit} {which}"
    return f"{units} {formats.span(shown.first + 1, shown.first + len(shown.page))} of {shown.listed:,} {which}".strip()
